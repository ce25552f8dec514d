//! The interface of external engines: players in other processes. The protocols are implemented in a crate on top of this
//! one.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use banyan_core::clock::Instant;
use banyan_core::{Fault, Limits, Margin, TextError};

use crate::game_state::GameState;

/// The definition of an external engine.
pub trait ExternalEngine: Debug + Send + Sync {
    /// Its name, different from all presets.
    fn name(&self) -> &str;

    /// Command, protocol and options in one line; two engines with the same name are equal only if this is equal.
    fn identity(&self) -> String;

    /// The limits other than times that its protocol can express, by their names in a budget. By default all.
    fn countable_limits(&self) -> &'static [&'static str] {
        &["playouts", "nodes", "depth"]
    }

    /// Checks that it can be started, follows its protocol, and supports games from `at` with these limits. Returns the
    /// player that was checked, whose process may already run.
    ///
    /// # Errors
    /// The reason in one line, with the engine's name and the remedy.
    fn check(&self, at: &GameState, limits: &Limits) -> Result<Box<dyn RunningEngine>, TextError>;

    /// A player; the process starts later.
    fn open(&self) -> Box<dyn RunningEngine>;
}

/// Returns true when the answer is no longer needed; called every few milliseconds.
pub type Stopped<'a> = &'a mut dyn FnMut() -> bool;

/// An external engine as a player of one game after another. Each call receives the current game: rules, opening, history,
/// legal moves, board.
pub trait RunningEngine: Send {
    /// Starts a new game: resets all state and sets the random seed.
    fn new_game(&mut self, seed: u64);

    /// Prepares for the game at `at`, before the clocks start. Optional: otherwise the first move includes it.
    ///
    /// # Errors
    /// It cannot be started, or does not support the game.
    fn prepare(&mut self, at: &GameState, stopped: Stopped<'_>) -> Result<(), Fault>;

    /// Returns its move at `at`, a position that is not final.
    ///
    /// # Errors
    /// It crashed, was late, sent an invalid answer or resigned.
    fn choose(&mut self, at: &GameState, limits: &Limits, stopped: Stopped<'_>) -> Result<Answer, Fault>;

    /// The game ended with this margin.
    fn game_over(&mut self, _result: Margin) {}

    /// Passes what it is sent and what it writes from here on to `log`, if there is one. By default does nothing.
    fn log_to(&mut self, _log: Option<Arc<dyn EngineLog>>) {}
}

/// The direction of a line of text between this program and an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the engine.
    Sent,
    /// From the engine.
    Received,
    /// From its stderr.
    Error,
}

impl Direction {
    /// A line of a log: milliseconds since `begun`, the name of the engine, a sign, the text without control characters.
    pub fn line(self, begun: Instant, at: Instant, name: &str, text: &str) -> String {
        let ms = at.saturating_duration_since(begun).as_secs_f64() * 1000.0;
        let sign = match self {
            Direction::Sent => '>',
            Direction::Received => '<',
            Direction::Error => '!',
        };
        let shown: String = text.chars().filter(|char| !char.is_control() || *char == '\t').collect();
        let cut = shown.floor_char_boundary(LONGEST_LOGGED);
        let rest = if cut < shown.len() { format!(" ... {} bytes more", shown.len() - cut) } else { String::new() };
        format!("{ms:12.3} {name} {sign} {}{rest}\n", &shown[..cut])
    }
}

/// Receives what an engine is sent and what it writes, line by line and from several threads.
pub trait EngineLog: Debug + Send + Sync {
    /// A line, or a part of one, that passed at this moment.
    fn add(&self, at: Instant, direction: Direction, text: &str);
}

/// The answer of an external engine, not validated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move in the game's notation.
    pub best: String,
    /// Expected result for the side to move, -1 .. 1, if reported.
    pub value: Option<f64>,
    /// Playouts, or evaluated leaves; 0 if not reported.
    pub playouts: u64,
    /// Nodes; 0 if not reported.
    pub nodes: u64,
    /// The principal variation, starting with `best`, up to the first illegal move.
    pub pv: Vec<String>,
    /// The time that the engine took, from when the request was written to it to when its answer arrived. `None` if it was not
    /// measured.
    pub time: Option<Duration>,
}

impl Answer {
    /// An answer with only a move.
    pub fn bare(best: impl Into<String>) -> Answer {
        Answer { best: best.into(), ..Answer::default() }
    }
}

/// Bytes kept of a line in a log.
pub(crate) const LONGEST_LOGGED: usize = 4 << 10;

/// Maximum number of characters quoted from an engine.
const QUOTED: usize = 80;

/// Text from an engine in quotes, shortened for messages.
pub fn quoted(text: &str) -> String {
    let short: String = text.chars().take(QUOTED).collect();
    let more = if short.len() < text.len() { " ..." } else { "" };
    format!("{short:?}{more}")
}
