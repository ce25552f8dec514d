//! The files of learned weights.

use banyan_inference::WeightFile;

use super::{patterns, priors};

/// The learned weights of the 8x8 board: of the pattern evaluation, and of the priors.
pub static WEIGHT_FILES: [&WeightFile; 2] = [&patterns::WEIGHTS, &priors::WEIGHTS];
