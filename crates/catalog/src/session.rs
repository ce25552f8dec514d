//! A game in progress without its type: what the command, the page and the protocols talk to, all in text.

use banyan_core::{Fault, Flow, Limits, Margin, Picture, Side, TextError};
use banyan_search::AlphaBetaConfig;

use crate::players::PlayerSpec;
use crate::view::{Analysis, Exploration, Solved};

/// Where a session begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening<'a> {
    /// At the start of the game.
    Start,
    /// After these moves from the start.
    Moves(&'a str),
    /// At this position.
    Position(&'a str),
}

/// A player that takes part in a session, numbered in the order of [`Session::seat`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seat(pub(crate) usize);

/// Who looks on while a player of a session thinks; the twin of [`Watch`](banyan_core::Watch) in text.
pub trait Onlooker {
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
impl Onlooker for banyan_core::Silent {}

/// What a proof may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// MiB that the table of positions may grow to, at least 1.
    pub table_mib: u32,
    /// Threads that search together, at least 1.
    pub threads: u32,
}

/// A game in progress, to be read: rules, history and the board, all in text.
pub trait GameState {
    /// The game as it is asked for by name.
    fn spec(&self) -> String;
    /// The name of a side at the board: `X`, `black`.
    fn side_name(&self, side: Side) -> &'static str;

    /// The position as one line of text.
    fn position(&self) -> String;
    /// The position the session began with.
    fn first_position(&self) -> String;
    /// The same, unless it is the game's own start.
    fn opening(&self) -> Option<String>;
    /// The moves played since then.
    fn history(&self) -> Vec<String>;
    /// Who played them: `[history().len()]`.
    fn movers(&self) -> Vec<Side>;
    /// Whose move it is.
    fn to_move(&self) -> Side;
    /// The final margin, or `None` while the game goes on.
    fn result(&self) -> Option<Margin>;
    /// Every legal move, in the order of the game.
    fn legal_moves(&self) -> Vec<String>;
    /// The board after the last move; `None` if the game has none to draw.
    fn picture(&self) -> Option<Picture>;
    /// The same game at the same point, to be played on, with nobody seated at it.
    fn fork(&self) -> Box<dyn Session>;
}

/// One game in progress, its history, and the players seated at it, each of which may remember what it searched.
pub trait Session: GameState + Send {
    /// Plays the legal move that `text` names and returns it as the game prints it.
    ///
    /// # Errors
    /// No legal move, an ambiguous one, or the game is over.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Plays all moves of `text`, or none of them.
    ///
    /// # Errors
    /// The first that is no legal move.
    fn play_all(&mut self, text: &str) -> Result<(), TextError>;
    /// Takes the last move back and returns it; `None` at the beginning.
    fn undo(&mut self) -> Option<String>;

    /// Adds a player whose randomness follows from `seed`.
    fn seat(&mut self, player: &PlayerSpec, seed: u64) -> Result<Seat, TextError>;
    /// Lets a player think about the position. When the game is over, or was stopped before it began, see
    /// [`verdict`](Session::verdict).
    ///
    /// # Errors
    /// The player could not give a move.
    fn choose(&mut self, seat: Seat, limits: &Limits, onlooker: &mut dyn Onlooker) -> Result<Analysis, Fault>;
    /// The top of what a player's last search of this position left, at most so many positions; `None` if it keeps
    /// nothing or has not searched this one.
    fn explored(&self, seat: Seat, most_nodes: usize) -> Option<Exploration>;
    /// What there is to say about a game that is over: no best move, the result proven.
    fn verdict(&self) -> Option<Analysis>;

    /// Proves the value of the position and of every move, or what bounds it can before a limit or the onlooker ends it;
    /// `limits` on anything but time and nodes end nothing. A game that is over has its result and no moves.
    fn solve(&self, means: Means, limits: &Limits, onlooker: &mut dyn Onlooker) -> Solved;

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
