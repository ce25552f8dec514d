//! A game in progress with its players, as text: the interface for the command, the web page and the protocols.

use banyan_core::{Bounds, Fault, Flow, Limits, TextError};
use banyan_search::{AlphaBetaConfig, Goal};

use crate::game_state::GameState;
use crate::means::Means;
use crate::players::{GameTables, PlayerSpec};
use crate::view::{Analysis, Exploration, Solved};

/// The handle of a player in a session, numbered in the order of [`Session::seat`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seat(pub(crate) usize);

/// Observes a search of a session; the counterpart of [`SearchObserver`](banyan_core::SearchObserver) as text.
pub trait AnalysisObserver {
    /// Called every few milliseconds; `true` ends the search within 50 ms.
    fn stopped(&mut self) -> bool {
        false
    }

    /// Receives intermediate results at least ten times per second.
    fn progress(&mut self, _analysis: &Analysis) -> Flow {
        Flow::Continue
    }
}

/// Ends a search as soon as this returns true.
pub struct StopWhen<F>(pub F);

impl<F: Fn() -> bool> AnalysisObserver for StopWhen<F> {
    fn stopped(&mut self) -> bool {
        (self.0)()
    }
}

/// Ignores all reports and never stops.
impl AnalysisObserver for banyan_core::Silent {}

/// A game in progress and its players, which may keep their search trees.
pub trait Session: GameState {
    /// The player that `best` is in this game, with the settings given; any other player as it is.
    ///
    /// # Errors
    /// Settings that this player does not take.
    fn in_game(&self, player: &PlayerSpec) -> Result<PlayerSpec, TextError>;

    /// The least and the largest final margin that the rules allow.
    fn margin_range(&self) -> Bounds;

    /// The tables of the game: levels, units and other facts beside its rules.
    fn tables(&self) -> &GameTables;

    /// The points of both sides so far, `First` first, as people count them; `None` in games without such a count.
    fn points(&self) -> Option<[u32; 2]>;

    /// Adds a player with a random seed.
    fn seat(&mut self, player: &PlayerSpec, seed: u64) -> Result<Seat, TextError>;
    /// Searches the position with a player. If the game is over, use [`verdict`](Session::verdict).
    ///
    /// # Errors
    /// The player gave no move.
    fn choose(&mut self, seat: Seat, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Result<Analysis, Fault>;
    /// The top of a player's search tree for this position, at most `most_nodes` positions; `None` if the player keeps no tree or has
    /// not searched this position.
    fn explored(&self, seat: Seat, most_nodes: usize) -> Option<Exploration>;
    /// The analysis of a finished game: no best move, the result proven.
    fn verdict(&self) -> Option<Analysis>;

    /// Solves the position and every move, or proves bounds until a limit or the observer ends it. Only the limits on time and
    /// nodes apply. A finished game has its result and no moves.
    fn solve(&self, means: Means, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Solved {
        self.prove(Goal::Everything, means, limits, observer)
    }

    /// Solves like [`solve`](Session::solve), but stops as soon as `goal` is proven.
    fn prove(&self, goal: Goal, means: Means, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Solved;

    /// Searches to a fixed depth by alpha-beta and returns the number of positions visited. Calls are independent.
    fn nodes_to_depth(&self, config: &AlphaBetaConfig, depth: u32) -> u64;
    /// Counts the sequences of exactly `depth` moves, and passes the count of every first move to `each`. `None` if `stop`, called
    /// every few milliseconds, returned true.
    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool, each: &mut dyn FnMut(&str, u64)) -> Option<u64>;
    /// Evaluates the position `n` times with the named leaf evaluator, rounded up to a multiple of `batch`, in batches of that size.
    /// Returns the sum, so that no evaluation can be optimised away.
    ///
    /// # Errors
    /// An unknown evaluator.
    fn evaluate(&self, evaluator: &str, batch: usize, n: u64, seed: u64) -> Result<i64, TextError>;
}
