//! Balanced openings: generated from a seed, or given and checked.

use std::collections::HashMap;

use banyan_core::{Fault, Game, Limits, Margin, MoveList, Player, Rng, Silent, Situation, canonical_key, random_move};

use crate::schedule::seed_of;

/// Attempts that may fail in a row before openings get longer. Guess, untuned.
const PATIENCE: u32 = 200;

/// Evaluates positions and decides whether they are balanced enough for an opening.
pub struct Judge<'a, G: Game> {
    /// The player whose value is used.
    pub player: &'a mut dyn Player<G>,
    /// Limits for one position; playouts or nodes, if the openings must be reproducible.
    pub limits: Limits,
    /// An opening is balanced if the absolute value of its value, -1 … 1, is at most this.
    pub threshold: f64,
}

impl<G: Game> Judge<'_, G> {
    /// Default threshold: a win rate between 40 and 60 %, as the field report advises (section 5).
    pub const THRESHOLD: f64 = 0.2;

    /// Value of the position for the side to move, by a search from scratch with `seed`.
    fn value(&mut self, at: &Situation<'_, G>, seed: u64) -> Result<f64, Fault> {
        self.player.new_game(seed);
        Ok(self.player.choose(at, &self.limits, &mut Silent)?.value)
    }

    fn is_balanced(&self, value: f64) -> bool {
        value.abs() <= self.threshold
    }
}

/// Moves from the start after which a game begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening<M> {
    /// The moves.
    pub moves: Vec<M>,
    /// Its value by the judge: -1 … 1 for the side to move.
    pub value: f64,
    /// Whether it equals an earlier one up to symmetry, which happens only if the game has no further ones.
    pub repeated: bool,
}

/// Requirements on an opening, relaxed step by step where a game has too few openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Requirement {
    BalancedAndNew,
    Balanced,
    Anything,
}

/// An unlimited sequence of openings, determined by the seed.
///
/// Openings are random moves that lead to a position that the judge finds balanced and that is not symmetric to an
/// earlier one. After many failures in a row openings get a ply longer. When all lengths have failed they may repeat,
/// then be unbalanced, then be shorter than requested, in the end empty.
pub struct OpeningBook<G: Game> {
    start: G::State,
    seed: u64,
    attempts: u64,
    failures: u32,
    shortest: u16,
    plies: u16,
    requirement: Requirement,
    /// Values of all positions evaluated so far, and whether they were returned.
    judged: HashMap<Identity, (f64, bool)>,
}

/// Equal for openings that are the same up to symmetry. The key excludes the score, which decides who is ahead, so the
/// score is part of the identity.
type Identity = (u64, Margin);

fn identity<G: Game>(game: &G, state: &G::State) -> Identity {
    (canonical_key(game, state), game.score(state))
}

impl<G: Game> OpeningBook<G> {
    /// Openings of `plies` random moves from `start`, where the game is not over.
    pub fn new(start: G::State, plies: u16, seed: u64) -> OpeningBook<G> {
        let judged = HashMap::new();
        let requirement = Requirement::BalancedAndNew;
        OpeningBook { start, seed, attempts: 0, failures: 0, shortest: plies, plies, requirement, judged }
    }

    /// The next opening. All calls must pass the same game and judge.
    ///
    /// # Errors
    /// The judge failed.
    pub fn next(&mut self, game: &G, judge: &mut Judge<'_, G>) -> Result<Opening<G::Move>, Fault> {
        debug_assert!(game.result(&self.start).is_none(), "no opening from a game that is over");
        loop {
            if let Some(opening) = self.attempt(game, judge)? {
                self.failures = 0;
                return Ok(opening);
            }
            self.failures += 1;
            if self.failures == PATIENCE {
                self.failures = 0;
                self.plies += 1;
                if self.plies >= game.max_plies() {
                    self.relax();
                }
            }
        }
    }

    fn attempt(&mut self, game: &G, judge: &mut Judge<'_, G>) -> Result<Option<Opening<G::Move>>, Fault> {
        let rng = &mut Rng::new(seed_of(self.seed, self.attempts));
        self.attempts += 1;
        let Some((moves, state)) = random_line(game, self.start.clone(), self.plies, rng) else { return Ok(None) };
        let id = identity(game, &state);
        let (value, repeated) = match self.judged.get(&id) {
            Some(&known) => known,
            None => {
                let at = Situation { game, start: &self.start, played: &moves, state: &state };
                (judge.value(&at, seed_of(self.seed, id.0))?, false)
            }
        };
        let wanted = match self.requirement {
            Requirement::BalancedAndNew => judge.is_balanced(value) && !repeated,
            Requirement::Balanced => judge.is_balanced(value),
            Requirement::Anything => true,
        };
        self.judged.insert(id, (value, repeated || wanted));
        Ok(wanted.then_some(Opening { moves, value, repeated }))
    }

    fn relax(&mut self) {
        if self.requirement == Requirement::Anything {
            self.shortest = self.shortest.saturating_sub(1);
        }
        self.requirement =
            if self.requirement == Requirement::BalancedAndNew { Requirement::Balanced } else { Requirement::Anything };
        self.plies = self.shortest;
    }
}

/// `plies` random moves and the position after them; `None` if the game ends before.
fn random_line<G: Game>(game: &G, mut state: G::State, plies: u16, rng: &mut Rng) -> Option<(Vec<G::Move>, G::State)> {
    let (mut moves, mut scratch) = (Vec::with_capacity(plies.into()), MoveList::new());
    for _ in 0..plies {
        let mv = random_move(game, &state, rng, &mut scratch);
        game.play(&mut state, mv);
        moves.push(mv);
        if game.result(&state).is_some() {
            return None;
        }
    }
    Some((moves, state))
}

/// Why a given opening is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flaw {
    /// The move with this number, from 0, is not legal.
    Illegal {
        /// Number of the move.
        move_idx: usize,
    },
    /// The game is over after it.
    Over,
    /// One side is much better.
    Unbalanced {
        /// -1 … 1 for the side to move.
        value: f64,
    },
    /// It equals an earlier one up to symmetry.
    Duplicate {
        /// Number of the first such opening, from 0.
        of: usize,
    },
}

/// The gravest flaw of each of the `openings` from `start`, if any: `[openings.len()]`. Duplicates are found whether
/// balanced or not, and each position is evaluated once. Openings that a book of the same `seed` generated get the same values
/// as there.
///
/// # Errors
/// The judge failed.
pub fn check_openings<G: Game>(
    game: &G,
    start: &G::State,
    openings: &[Vec<G::Move>],
    seed: u64,
    judge: &mut Judge<'_, G>,
) -> Result<Vec<Option<Flaw>>, Fault> {
    let mut first_with: HashMap<Identity, usize> = HashMap::new();
    let check = |(idx, moves): (usize, &Vec<G::Move>)| {
        let state = match follow(game, start.clone(), moves) {
            Ok(state) => state,
            Err(flaw) => return Ok(Some(flaw)),
        };
        let id = identity(game, &state);
        let of = *first_with.entry(id).or_insert(idx);
        if of != idx {
            return Ok(Some(Flaw::Duplicate { of }));
        }
        let value = judge.value(&Situation { game, start, played: moves, state: &state }, seed_of(seed, id.0))?;
        Ok((!judge.is_balanced(value)).then_some(Flaw::Unbalanced { value }))
    };
    openings.iter().enumerate().map(check).collect()
}

/// The position after the moves, if they are legal and the game is not over.
fn follow<G: Game>(game: &G, mut state: G::State, moves: &[G::Move]) -> Result<G::State, Flaw> {
    let mut legal = MoveList::new();
    for (move_idx, &mv) in moves.iter().enumerate() {
        legal.clear();
        game.moves(&state, &mut legal);
        if !legal.contains(&mv) {
            return Err(Flaw::Illegal { move_idx });
        }
        game.play(&mut state, mv);
    }
    if game.result(&state).is_some() { Err(Flaw::Over) } else { Ok(state) }
}
