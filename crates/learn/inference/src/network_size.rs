//! The dimensions of a network over features of moves, and the order of its rows of weights.

/// The dimensions of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkSize {
    /// One more than the largest number of a feature.
    pub n_features: usize,
    /// Features of a move.
    pub per_move: usize,
    /// Weights of a row, at least 1: the direct part of the score and the hidden units.
    pub lanes: usize,
}

impl NetworkSize {
    /// The row of biases, after those of the features.
    pub fn bias(&self) -> usize {
        self.n_features
    }

    /// The first of `lanes` rows with the weights from a unit's mean to every unit; the row of lane 0 is unused.
    pub fn mixed(&self) -> usize {
        self.n_features + 1
    }

    /// The last row: the score weights, one for each lane.
    pub fn scores(&self) -> usize {
        self.mixed() + self.lanes
    }

    /// The number of weights.
    pub fn n_weights(&self) -> usize {
        (self.scores() + 1) * self.lanes
    }
}
