//! Players that live outside this program and are spoken to in text: what they are to the rest of it. How they are spoken
//! to is the business of the protocols, which are built on top of this crate.

use std::fmt::Debug;

use banyan_core::{Fault, Limits, Margin, TextError};

use crate::game_state::GameState;

/// A player that lives outside, known by its name.
pub trait ExternalEngine: Debug + Send + Sync {
    /// What it is asked for by; no preset is called the same.
    fn name(&self) -> &str;

    /// What is started and how it is spoken to and set, in one line: two of one name are the same only if this is.
    fn identity(&self) -> String;

    /// Whether it is there, can be talked to and plays games that begin at `at` under limits like these; it may be started
    /// to find out.
    ///
    /// # Errors
    /// Why not, in one line that names it and says what to do.
    fn check(&self, at: &dyn GameState, limits: &Limits) -> Result<(), TextError>;

    /// One that plays; nothing is started yet.
    fn open(&self) -> Box<dyn RunningEngine>;
}

/// Tells whoever waits for an answer that nobody wants it any more; asked every few milliseconds.
pub type Stopped<'a> = &'a mut dyn FnMut() -> bool;

/// A engine player that takes part in games, one after the other. The game is lent to it at the point it has
/// reached: rules, opening, moves and movers, legal moves, the board.
pub trait RunningEngine: Send {
    /// A new game begins: nothing is remembered, and all randomness follows from `seed`.
    fn new_game(&mut self, seed: u64);

    /// The game begins at `at`, while no clock runs yet. Who was not told prepares when first asked for a move.
    ///
    /// # Errors
    /// It cannot be started, or does not know the game.
    fn prepare(&mut self, at: &dyn GameState, stopped: Stopped<'_>) -> Result<(), Fault>;

    /// Its move at `at`, where the game is not over.
    ///
    /// # Errors
    /// It gave none: it crashed, was late, talked nonsense or resigned.
    fn choose(&mut self, at: &dyn GameState, limits: &Limits, stopped: Stopped<'_>) -> Result<Answer, Fault>;

    /// The game ended with this margin.
    fn game_over(&mut self, _result: Margin) {}
}

/// What a engine player answers; nothing of it is believed before it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move, as the game writes it.
    pub best: String,
    /// Expected result for the side to move, -1 .. 1, if it says so.
    pub value: Option<f64>,
    /// Playouts, or evaluated leaves; 0 if it does not say.
    pub playouts: u64,
    /// Nodes, likewise.
    pub nodes: u64,
    /// The line expected to follow, beginning with `best`; what is no legal line is left out.
    pub pv: Vec<String>,
}

impl Answer {
    /// The answer of a player that says nothing but its move.
    pub fn bare(best: impl Into<String>) -> Answer {
        Answer { best: best.into(), ..Answer::default() }
    }
}

/// Characters of a engine text that are quoted.
const QUOTED: usize = 80;

/// A engine text in quotes, no longer than a message can bear.
pub fn quoted(text: &str) -> String {
    let short: String = text.chars().take(QUOTED).collect();
    let more = if short.len() < text.len() { " ..." } else { "" };
    format!("{short:?}{more}")
}
