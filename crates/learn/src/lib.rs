//! What Banyan learns from games: linear regression on sparse [features](banyan_core::Features) of positions, its errors on
//! positions that it has not seen, and files of the weights.
//!
//! Nothing here knows a game or plays one. The same positions in the same order with the same seed give the same weights on
//! every machine.

mod errors;
mod regression;
mod samples;
mod weights;

pub use errors::{Errors, MeanErrors};
pub use regression::{Loss, Regression, Steps};
pub use samples::{Sample, Samples};
pub use weights::{Fingerprint, UNIT, WeightError, Weights};
