//! The law that positions with the same future have the same key, whatever their history.
//!
//! Equal futures cannot be read off two states, so they are tested: along shared random continuations the same sides
//! are to move, with the same moves, gains and final margins. A key may still distinguish positions whose difference no
//! longer matters, such as the colour of a stone that can join no line: this is allowed, since the board differs. So
//! the law compares only pairs that differ in nothing but their history: the same moves by the same sides in another
//! order, or another number of points or plies.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use banyan_core::{Margin, Notation, Rng};

use crate::random_game::{RandomGame, after, listed, same_set};
use crate::violation::Finding;

/// Continuations tried before two futures count as the same.
const CONTINUATIONS: u32 = 64;

/// Moves that are reordered.
const REORDERED: usize = 5;

/// Orders tried at each position.
const ORDERS: u32 = 12;

/// Final positions of reordered moves that are kept for comparison with other games.
const KEPT: usize = 2;

/// Positions of other games with the same fingerprint that each position is compared with.
const MAX_CANDIDATES: usize = 4;

pub(super) fn future_determines_key<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Finding {
    let early = Early::of(game, games);
    let mut vote = Vote::default();
    let mut alike: HashMap<u64, Vec<G::State>> = HashMap::new();
    for played in games {
        let mut rng = played.rng(2);
        for i in played.choices().filter(|&i| early.holds(game, &played.states[i])) {
            let mut ends = reordered_ends(game, played, i, &mut rng);
            ends.retain(|end| early.holds(game, &end.state));
            for end in ends.iter().filter(|end| end.same_sides) {
                match check_pair(game, &end.usual, &end.state, &mut rng) {
                    Ok(()) => vote.equal += u32::from(game.key(&end.usual) == game.key(&end.state)),
                    Err(wrong) => vote.note(|| played.describe(game, i, wrong)),
                }
            }
            ends.retain(|end| end.state != end.usual);
            ends.truncate(KEPT);
            for state in ends.iter().map(|end| end.state.clone()).chain([played.states[i].clone()]) {
                let others = alike.entry(fingerprint(game, &state)).or_default();
                for other in others.iter().filter(|other| differs_in_way(game, other, &state)).take(MAX_CANDIDATES) {
                    check_pair(game, other, &state, &mut rng).map_err(|wrong| played.describe(game, i, wrong))?;
                }
                if !others.contains(&state) && others.len() < 2 * MAX_CANDIDATES {
                    others.push(state);
                }
            }
        }
    }
    vote.finding()
}

/// Counts of equal and different keys after reordered moves. Where a move's effect depends on the order, as in Reversi,
/// boards that differ only in a disc that will be flipped anyway sometimes share their future; a key that depends on
/// the history differs nearly every time.
#[derive(Default)]
struct Vote {
    equal: u32,
    different: u32,
    first: Option<String>,
}

impl Vote {
    fn note(&mut self, wrong: impl FnOnce() -> String) {
        self.different += 1;
        self.first.get_or_insert_with(wrong);
    }

    fn finding(self) -> Finding {
        self.first.filter(|_| self.different > self.equal).map_or(Ok(()), Err)
    }
}

/// The first half of a game: late positions have so little future left that different ones share it.
struct Early {
    last_ply: u16,
}

impl Early {
    fn of<G: Notation>(game: &G, games: &[RandomGame<G>]) -> Early {
        let lengths = games.iter().map(|played| u64::from(game.ply(&played.states[played.moves.len()])));
        Early { last_ply: (lengths.sum::<u64>() / games.len() as u64 / 2) as u16 }
    }

    fn holds<G: Notation>(&self, game: &G, state: &G::State) -> bool {
        game.result(state).is_none() && game.ply(state) <= self.last_ply
    }
}

/// The position after reordered moves, beside that of the game.
struct Reordered<S> {
    usual: S,
    state: S,
    /// Every move was made by the side that made it in the game, and none twice, so the states may be equal.
    same_sides: bool,
}

fn reordered_ends<G: Notation>(game: &G, played: &RandomGame<G>, i: usize, rng: &mut Rng) -> Vec<Reordered<G::State>> {
    let n = REORDERED.min(played.moves.len() - i);
    let usual = played.states[i + n].clone();
    let sides: Vec<_> = (i..i + n).map(|k| (played.moves[k], game.to_move(&played.states[k]))).collect();
    let distinct = sides.iter().enumerate().all(|(k, (mv, _))| sides[..k].iter().all(|(earlier, _)| earlier != mv));
    let mut ends = Vec::new();
    for _ in 0..ORDERS {
        let mut order = played.moves[i..i + n].to_vec();
        rng.shuffle(&mut order);
        let mut state = played.states[i].clone();
        let mut same_sides = distinct;
        let legal = order.into_iter().all(|mv| {
            let legal = listed(game, &state).contains(&mv);
            if legal {
                same_sides &= sides.contains(&(mv, game.to_move(&state)));
                game.play(&mut state, mv);
            }
            legal
        });
        if legal {
            ends.push(Reordered { usual: usual.clone(), state, same_sides });
        }
    }
    ends
}

/// A hash of the future along one continuation, which is given by the indices of its moves in the move lists. It finds
/// the candidates for a comparison.
fn fingerprint<G: Notation>(game: &G, state: &G::State) -> u64 {
    let (mut rng, mut moves, mut hasher) = (Rng::new(0), Vec::new(), DefaultHasher::new());
    let mut next = state.clone();
    while game.result(&next).is_none() {
        moves.clear();
        game.moves(&next, &mut moves);
        (game.to_move(&next), moves.len(), game.score(&next) - game.score(state)).hash(&mut hasher);
        game.play(&mut next, moves[rng.below(moves.len() as u32) as usize]);
    }
    game.result(&next).map(|margin| margin - game.score(state)).hash(&mut hasher);
    hasher.finish()
}

/// Whether the two positions differ in score or ply, which are no part of a key.
fn differs_in_way<G: Notation>(game: &G, a: &G::State, b: &G::State) -> bool {
    game.score(a) != game.score(b) || game.ply(a) != game.ply(b)
}

fn check_pair<G: Notation>(game: &G, a: &G::State, b: &G::State, rng: &mut Rng) -> Finding {
    if game.key(a) == game.key(b) || !same_future(game, a, b, rng) {
        return Ok(());
    }
    let (a_text, b_text) = (game.print_position(a), game.print_position(b));
    Err(format!(
        "{a_text:?} and {b_text:?} have the same future, but the keys {:#x} and {:#x}",
        game.key(a),
        game.key(b)
    ))
}

/// Whether random continuations do not distinguish the two positions, though these continuations end in more than one
/// way.
fn same_future<G: Notation>(game: &G, a: &G::State, b: &G::State, rng: &mut Rng) -> bool {
    let mut endings: Vec<Margin> = Vec::new();
    for _ in 0..CONTINUATIONS {
        let Some(margin) = shared_continuation(game, a.clone(), b.clone(), rng) else { return false };
        if !endings.contains(&margin) {
            endings.push(margin);
        }
    }
    endings.len() >= 2
}

/// Plays the same random moves from both positions; returns the margin excluding the score so far, or `None` if they
/// differ.
fn shared_continuation<G: Notation>(game: &G, mut a: G::State, mut b: G::State, rng: &mut Rng) -> Option<Margin> {
    let (a_banked, b_banked) = (game.score(&a), game.score(&b));
    loop {
        let gains = (game.score(&a) - a_banked, game.score(&b) - b_banked);
        let ends = (game.result(&a).map(|m| m - a_banked), game.result(&b).map(|m| m - b_banked));
        if gains.0 != gains.1 || ends.0 != ends.1 || game.to_move(&a) != game.to_move(&b) {
            return None;
        }
        if ends.0.is_some() {
            return ends.0;
        }
        let moves = listed(game, &a);
        if !same_set(&moves, &listed(game, &b)) {
            return None;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        (a, b) = (after(game, &a, mv), after(game, &b, mv));
    }
}
