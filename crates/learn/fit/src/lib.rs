//! Fits of weights to games: regression ([logistic and linear](Regression), [ridge](LeastSquares)) on sparse
//! [features](banyan_inference::Features) of positions, a small [network](Network) over
//! [features of moves](banyan_inference::MoveFeatures), and their [errors](Errors) on positions that they have not seen.
//!
//! Nothing here depends on a game or plays one. The same positions in the same order with the same seed give the same weights on
//! every machine.

mod errors;
mod least_squares;
mod model;
mod network;
mod regression;
mod sample_errors;

pub use errors::{Errors, MeanErrors};
pub use least_squares::{LeastSquares, Ridge};
pub use model::{Fit, Model, Steps};
pub use network::Network;
pub use regression::{Loss, Regression};
pub use sample_errors::SampleErrors;
