//! Tuning of several settings by the results of single pairs of games: [`Clop`] fits a local surface, [`Spsa`] follows a gradient.
//!
//! Settings are coordinates from -1 to 1. Each method chooses the next trials from the results of all earlier ones and a seed alone, so
//! that threads, interruptions and repetitions change no choice.

mod clop;
mod quadratic;
mod spsa;

pub use clop::{Clop, ClopFit};
pub use spsa::{Spsa, SpsaConfig};

/// A pair of games of one setting of all coordinates, against a common opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// `[n_axes]`, each from -1 to 1.
    pub x: Vec<f64>,
    /// Mean score of the two games, 0 .. 1.
    pub score: f64,
    /// Whether it was played; otherwise the score is known, as that of the opponent against itself.
    pub is_played: bool,
}
