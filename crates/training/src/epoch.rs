//! The points of a learning curve.

use banyan_inference::Target;

/// The errors after an epoch, a pass over the positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Counted from 1.
    pub number: u32,
    /// The mean error on the training positions.
    pub training: f64,
    /// The mean error on validation positions, which are of other games.
    pub validation: f64,
}

/// The unit of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Absolute errors in points.
    Points,
    /// Cross-entropies in nats.
    Nats,
}

impl Unit {
    /// The unit of the errors for this target.
    pub fn of(target: Target) -> Unit {
        match target {
            Target::Points => Unit::Points,
            Target::Result | Target::Visits => Unit::Nats,
        }
    }

    /// The unit in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Unit::Points => "mean absolute error in points",
            Unit::Nats => "mean cross-entropy in nats",
        }
    }

    /// The least height of a chart.
    pub(super) fn least_range(self) -> f64 {
        match self {
            Unit::Points => 0.1,
            Unit::Nats => 0.02,
        }
    }
}
