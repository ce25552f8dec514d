//! Playouts by forced moves, and the bounds that such a line proves.

use crate::{Bounds, Game, Knowledge, Margin, MoveList, Rng, Side};

/// The result of a playout that may prove bounds on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The final margin of the line; always within `proven`.
    pub margin: Margin,
    /// Proven bounds of the final margin of the starting position under best play; never wider than the
    /// [`bounds`](Game::bounds) of that position.
    pub proven: Bounds,
}

impl Playout {
    /// A line that ended with `margin` and proved the bounds `proven`. The margin is clamped to the bounds, as best
    /// play cannot leave them.
    #[inline(always)]
    pub fn new(margin: Margin, proven: Bounds) -> Playout {
        Playout { margin: margin.max(proven.lower).min(proven.upper), proven }
    }
}

/// Draws random moves among the [forced moves](Knowledge::forced_moves) until the game is over or its value known. One
/// number is drawn per move, forced single moves included. A game that is over gives its result. `scratch` may be
/// overwritten.
///
/// Why the bounds hold: let `v(s)` be the final margin, seen by `First`, that best play from `s` reaches, and `s, t, …`
/// the positions of the line. Where `First` moves, `v` is the maximum over the moves, so `v(s) >= v(t)` whichever was
/// played; where `Second` moves, `v(s) <= v(t)`. Where there is a single forced move, it is a best one, so `v(s) =
/// v(t)` for either side to move. As long as every move of `Second` was its only one, the line therefore starts with `v(s) >=
/// v(t) >= …`, and whatever bounds `v` from below at some position of it bounds `v(s)` from below; in the same way from
/// above, as long as every move of `First` was its only one. The argument needs only the mover of each move, so turns
/// need not alternate; and `v` is the whole final margin, score so far included, so nothing is added on the way.
#[inline]
pub fn tactical_playout<G: Game>(
    game: &G,
    knowledge: &(impl Knowledge<G> + ?Sized),
    state: G::State,
    rng: &mut Rng,
    scratch: &mut MoveList<G::Move>,
) -> Playout {
    let (_, margin, proven) = play_until_known(game, knowledge, state, rng, scratch, |_| ());
    Playout::new(margin, proven)
}

/// A [`tactical_playout`] with the same draws, whose moves to the end of the game are appended to `played`. From where
/// the value is known on, they are [moves that keep it](keep_value).
pub fn record_tactical_playout<G: Game>(
    game: &G,
    knowledge: &(impl Knowledge<G> + ?Sized),
    state: G::State,
    rng: &mut Rng,
    scratch: &mut MoveList<G::Move>,
    played: &mut MoveList<G::Move>,
) -> Playout {
    let (state, margin, proven) = play_until_known(game, knowledge, state, rng, scratch, |mv| played.push(mv));
    Playout::new(keep_value(game, knowledge, state, margin, played), proven)
}

/// Draws forced moves from `state` until the game is over or its value known; calls `record` with each. Returns the last
/// position, the margin, and the bounds that the line proves.
#[inline(always)]
fn play_until_known<G: Game>(
    game: &G,
    knowledge: &(impl Knowledge<G> + ?Sized),
    mut state: G::State,
    rng: &mut Rng,
    scratch: &mut MoveList<G::Move>,
    mut record: impl FnMut(G::Move),
) -> (G::State, Margin, Bounds) {
    let mut proven = game.bounds(&state);
    // Whether every move so far of the side that could spoil the bound was its only one.
    let (mut lower_holds, mut upper_holds) = (true, true);
    let margin = loop {
        if proven.is_exact() {
            break proven.lower;
        }
        scratch.clear();
        let known = game.result(&state).map(Bounds::exact).or_else(|| knowledge.forced_moves(game, &state, scratch));
        if let Some(known) = known {
            if lower_holds {
                proven.lower = proven.lower.max(known.lower);
            }
            if upper_holds {
                proven.upper = proven.upper.min(known.upper);
            }
            if known.is_exact() {
                break known.lower;
            }
        }
        if scratch.len() > 1 {
            match game.to_move(&state) {
                Side::First => upper_holds = false,
                Side::Second => lower_holds = false,
            }
        }
        let mv = scratch[rng.below(scratch.len() as u32) as usize];
        game.play(&mut state, mv);
        record(mv);
    };
    (state, margin, proven)
}

/// Plays on from a position whose value under best play is `margin`, to the end of the game: forced moves after which
/// `knowledge` proves that value, if it proves it of one, else the first. Appends them to `played` and returns the final
/// margin.
pub fn keep_value<G: Game>(
    game: &G,
    knowledge: &(impl Knowledge<G> + ?Sized),
    mut state: G::State,
    margin: Margin,
    played: &mut MoveList<G::Move>,
) -> Margin {
    let (mut moves, mut replies) = (MoveList::new(), MoveList::new());
    loop {
        if let Some(end) = game.result(&state) {
            return end;
        }
        moves.clear();
        knowledge.forced_moves(game, &state, &mut moves);
        let mut keeps = |mv: G::Move| {
            let mut next = state.clone();
            game.play(&mut next, mv);
            replies.clear();
            let known = game.result(&next).map(Bounds::exact);
            let known = known.or_else(|| knowledge.forced_moves(game, &next, &mut replies));
            known == Some(Bounds::exact(margin))
        };
        let mv = moves.iter().copied().find(|&mv| keeps(mv)).unwrap_or(moves[0]);
        game.play(&mut state, mv);
        played.push(mv);
    }
}
