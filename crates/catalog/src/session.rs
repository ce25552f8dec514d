//! A game in progress without its type and the players seated at it: what the command, the page and the protocols talk
//! to, all in text.

use banyan_core::{Fault, Flow, Limits, TextError};
use banyan_search::AlphaBetaConfig;

use crate::game_state::GameState;
use crate::players::PlayerSpec;
use crate::view::{Analysis, Exploration, Solved};

/// A player that takes part in a session, numbered in the order of [`Session::seat`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seat(pub(crate) usize);

/// Who looks on while a player of a session thinks; the twin of [`SearchObserver`](banyan_core::SearchObserver) in text.
pub trait AnalysisObserver {
    /// Asked every few milliseconds; `true` ends the search within 50 ms.
    fn stopped(&mut self) -> bool {
        false
    }

    /// Told at least ten times a second how things stand.
    fn progress(&mut self, _analysis: &Analysis) -> Flow {
        Flow::Continue
    }
}

/// Looks at nothing and stops nothing.
impl AnalysisObserver for banyan_core::Silent {}

/// What a proof may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// MiB that the table of positions may grow to, at least 1.
    pub table_mib: u32,
    /// Threads that search together, at least 1.
    pub threads: u32,
}

/// One game in progress and the players seated at it, each of which may remember what it searched.
pub trait Session: GameState {
    /// The player that `best` is in this game, with the settings given; any other player as it is.
    ///
    /// # Errors
    /// Settings that this player does not take.
    fn in_game(&self, player: &PlayerSpec) -> Result<PlayerSpec, TextError>;

    /// Adds a player whose randomness follows from `seed`.
    fn seat(&mut self, player: &PlayerSpec, seed: u64) -> Result<Seat, TextError>;
    /// Lets a player think about the position. When the game is over, or was stopped before it began, see
    /// [`verdict`](Session::verdict).
    ///
    /// # Errors
    /// The player could not give a move.
    fn choose(&mut self, seat: Seat, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Result<Analysis, Fault>;
    /// The top of what a player's last search of this position left, at most so many positions; `None` if it keeps
    /// nothing or has not searched this one.
    fn explored(&self, seat: Seat, most_nodes: usize) -> Option<Exploration>;
    /// What there is to say about a game that is over: no best move, the result proven.
    fn verdict(&self) -> Option<Analysis>;

    /// Proves the value of the position and of every move, or what bounds it can before a limit or the observer ends it;
    /// `limits` on anything but time and nodes end nothing. A game that is over has its result and no moves.
    fn solve(&self, means: Means, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Solved;

    /// Searches to a fixed depth by alpha-beta and returns the positions visited. Nothing is kept from one call to the next.
    fn nodes_to_depth(&self, config: &AlphaBetaConfig, depth: u32) -> u64;
    /// Counts the sequences of exactly `depth` moves, telling `each` the count of every first move as it is known.
    /// `None` if `stop` said so; it is asked every few milliseconds.
    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool, each: &mut dyn FnMut(&str, u64)) -> Option<u64>;
    /// Lets the evaluator of leaves called `evaluator` value the position `n` times, rounded up to a multiple of `batch`, in
    /// batches of that size; returns the sum of the points, so that none can be left out.
    ///
    /// # Errors
    /// The game has no evaluator of that name.
    fn evaluate(&self, evaluator: &str, batch: usize, n: u64, seed: u64) -> Result<i64, TextError>;
}
