//! Openings that leave both sides their chances: generated from a seed one after the other, or given and checked.

use std::collections::HashMap;

use banyan_core::{Fault, Game, Limits, Margin, MoveList, Player, Rng, Silent, Situation, canonical_key, random_move};

use crate::schedule::seed_of;

/// Attempts that may fail in a row before openings get longer. Guess, untuned.
const PATIENCE: u32 = 200;

/// Says how good a position is, and how good it may be for an opening.
pub struct Judge<'a, G: Game> {
    /// Whose value counts.
    pub player: &'a mut dyn Player<G>,
    /// What it may spend on one position; playouts or nodes, if the openings are to be the same everywhere.
    pub limits: Limits,
    /// An opening is balanced if its value, -1 … 1, is no further from 0.
    pub threshold: f64,
}

impl<G: Game> Judge<'_, G> {
    /// Unless asked otherwise a win rate between 40 and 60 %, as the field report advises (section 5).
    pub const THRESHOLD: f64 = 0.2;

    /// Value of the position for the side to move, as the player sees it with no other memory than `seed`.
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
    /// What the judge thinks of it: -1 … 1 for the side to move.
    pub value: f64,
    /// Whether it is the same as an earlier one but for a symmetry. So it is only when the game has no more.
    pub repeated: bool,
}

/// What an opening must be; given up step by step where a game is too small to have enough of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Demand {
    BalancedAndNew,
    Balanced,
    Anything,
}

/// An endless supply of openings, the same for the same seed.
///
/// Random moves, kept if the judge calls the position balanced and no symmetric one was kept before. After many failures
/// in a row openings get a ply longer. When the whole length of the game is tried in vain they may repeat, then be
/// unbalanced, then be shorter than asked for: the last resort is the start itself.
pub struct OpeningBook<G: Game> {
    start: G::State,
    seed: u64,
    attempts: u64,
    failures: u32,
    shortest: u16,
    plies: u16,
    demand: Demand,
    /// Values of all positions judged so far, and whether they were given out, by what is the same under symmetry.
    judged: HashMap<Identity, (f64, bool)>,
}

/// Equal for openings that are the same but for a symmetry. The key names the future only, so the points banked on the
/// way belong to it: they decide who is ahead.
type Identity = (u64, Margin);

fn identity<G: Game>(game: &G, state: &G::State) -> Identity {
    (canonical_key(game, state), game.score(state))
}

impl<G: Game> OpeningBook<G> {
    /// Openings of `plies` random moves from `start`, where the game is not over.
    pub fn new(start: G::State, plies: u16, seed: u64) -> OpeningBook<G> {
        let judged = HashMap::new();
        let demand = Demand::BalancedAndNew;
        OpeningBook { start, seed, attempts: 0, failures: 0, shortest: plies, plies, demand, judged }
    }

    /// The next opening. The game and the judge must be the same for all openings of a book.
    ///
    /// # Errors
    /// The judge failed.
    pub fn next(&mut self, game: &G, judge: &mut Judge<'_, G>) -> Result<Opening<G::Move>, Fault> {
        debug_assert!(game.result(&self.start).is_none(), "no opening leads on from a game that is over");
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
                    self.ask_for_less();
                }
            }
        }
    }

    fn attempt(&mut self, game: &G, judge: &mut Judge<'_, G>) -> Result<Option<Opening<G::Move>>, Fault> {
        let rng = &mut Rng::new(seed_of(self.seed, self.attempts));
        self.attempts += 1;
        let Some((moves, state)) = random_line(game, self.start, self.plies, rng) else { return Ok(None) };
        let id = identity(game, &state);
        let (value, repeated) = match self.judged.get(&id) {
            Some(&known) => known,
            None => {
                let at = Situation { game, start: &self.start, played: &moves, state: &state };
                (judge.value(&at, seed_of(self.seed, id.0))?, false)
            }
        };
        let wanted = match self.demand {
            Demand::BalancedAndNew => judge.is_balanced(value) && !repeated,
            Demand::Balanced => judge.is_balanced(value),
            Demand::Anything => true,
        };
        self.judged.insert(id, (value, repeated || wanted));
        Ok(wanted.then_some(Opening { moves, value, repeated }))
    }

    fn ask_for_less(&mut self) {
        if self.demand == Demand::Anything {
            self.shortest = self.shortest.saturating_sub(1);
        }
        self.demand = if self.demand == Demand::BalancedAndNew { Demand::Balanced } else { Demand::Anything };
        self.plies = self.shortest;
    }
}

/// So many random moves, and where they lead, unless the game ends on the way.
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

/// What is wrong with a given opening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flaw {
    /// The move with this number, from 0, is not legal.
    Illegal {
        /// Number of the move.
        move_idx: usize,
    },
    /// Nothing is left to play.
    Over,
    /// One side is much better off.
    Unbalanced {
        /// -1 … 1 for the side to move.
        value: f64,
    },
    /// But for a symmetry it is the same as an earlier one.
    Duplicate {
        /// Number of the first such opening, from 0.
        of: usize,
    },
}

/// What is wrong with each of the `openings` from `start`, in their order: one flaw at most, the gravest. Duplicates are
/// found whether balanced or not, and positions are judged once.
///
/// # Errors
/// The judge failed.
pub fn check_openings<G: Game>(
    game: &G,
    start: &G::State,
    openings: &[Vec<G::Move>],
    judge: &mut Judge<'_, G>,
) -> Result<Vec<Option<Flaw>>, Fault> {
    let mut first_with: HashMap<Identity, usize> = HashMap::new();
    let check = |(idx, moves): (usize, &Vec<G::Move>)| {
        let state = match follow(game, *start, moves) {
            Ok(state) => state,
            Err(flaw) => return Ok(Some(flaw)),
        };
        let id = identity(game, &state);
        let of = *first_with.entry(id).or_insert(idx);
        if of != idx {
            return Ok(Some(Flaw::Duplicate { of }));
        }
        let value = judge.value(&Situation { game, start, played: moves, state: &state }, id.0)?;
        Ok((!judge.is_balanced(value)).then_some(Flaw::Unbalanced { value }))
    };
    openings.iter().enumerate().map(check).collect()
}

/// Where the moves lead, if they can be played and leave something to play.
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
