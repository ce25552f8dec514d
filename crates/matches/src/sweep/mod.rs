//! Sweeps: the values of one or two settings of a player against the same opponent on common openings and seeds, the fit of their
//! results and its optimum.

mod counted;
mod fit;
mod plan;
mod result;
pub(crate) mod rounding;

pub use counted::StageGames;
pub use fit::Verdict;
pub(crate) use plan::places;
pub use plan::{Entrants, Vary, finer, with_values};
pub use result::{Coordinate, RepetitionResult, SidesResult, SweepPoint, SweepResult};
