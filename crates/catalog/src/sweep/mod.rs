//! Sweeps: the values of one or two settings of a player against the same opponent on common openings and seeds, the fit of their
//! results and its optimum.

mod chart;
mod plan;
mod result;

pub use chart::svg;
pub use plan::{Entrants, Vary, finer, with_values};
pub use result::{Coordinate, RepetitionResult, SidesResult, StageGames, SweepPoint, SweepResult, Verdict};
