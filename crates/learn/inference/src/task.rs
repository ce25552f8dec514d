//! What can be learned of a game, and how by default.

/// The learned quantity of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The points from there on, from its [features](crate::Features), by least squares.
    Points,
    /// The result of the game, from the features of the position, by logistic regression. Positions with a proven winner are left out.
    Result,
    /// The shares of the visits of a search, from the [features](crate::MoveFeatures) of its moves.
    Visits,
}

/// Conversion of learned weights to integers in files.
#[derive(Clone, Copy, Debug)]
pub struct WeightForm {
    /// The number of units that make 1, by the number of the weight.
    pub units: fn(usize) -> f32,
    /// The largest number of units, positive or negative; at most 127 if a weight is one byte in the embedded file.
    pub most: i16,
    /// The file in which the game embeds them, without a header; `None` if it embeds none.
    pub embedded: Option<&'static str>,
}

impl WeightForm {
    /// Units of 1/64 point.
    pub const POINTS: WeightForm = WeightForm { units: |_| 64.0, most: i16::MAX, embedded: None };
}

/// An evaluation that can be trained, with the default settings of its self-play games.
#[derive(Clone, Copy, Debug)]
pub struct TrainingTask {
    /// The name of the evaluation.
    pub name: &'static str,
    /// Its description, in one line.
    pub summary: &'static str,
    /// The learned quantity.
    pub target: Target,
    /// The options of the game if the user gives none; a range of boards is allowed; empty for the usual board. If not empty, the same
    /// weights serve all boards of the game.
    pub boards: &'static str,
    /// The player of the first moves, which are not learned from; `None` if they are drawn by the visits of the other player.
    pub opening: Option<&'static str>,
    /// The least and the greatest number of first moves.
    pub opening_plies: [u16; 2],
    /// The player of the other moves.
    pub player: &'static str,
    /// The budget of that player for a move.
    pub budget: &'static str,
    /// One in `explore` later moves is drawn by its visits; 0 for none.
    pub explore: u32,
    /// The least and the greatest number of plies left in positions that are learned from.
    pub plies_left: [u16; 2],
    /// Passes over all positions.
    pub epochs: u32,
    /// The part of the following label (lambda of TD(lambda)) in the label of a position for which a search expected a margin: 1 for the
    /// outcome alone.
    pub lambda: f32,
    /// For [`Target::Points`]: regularisation of weights with few positions, towards 0; [`smoothness`](TrainingTask::smoothness) is that
    /// towards the weights of the same feature in the next stage. The fit is then by conjugate gradients. 0 for AdaGrad, without
    /// regularisation.
    pub ridge: f32,
    /// See [`ridge`](TrainingTask::ridge).
    pub smoothness: f32,
    /// The form of the weights.
    pub form: WeightForm,
}
