//! Game knowledge beyond the rules, from which a search is composed according to its settings.

use banyan_core::{Evaluator, Features, Game, Knowledge, MoveFeatures, MoveList, Plain, Prover, TextError};

use crate::options::Config;

/// The learned quantity of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The points from there on, from the [features](Kit::features) of the position, by least squares.
    Points,
    /// The result of the game, from the features of the position, by logistic regression. Positions with a proven winner are left out.
    Result,
    /// The shares of the visits of a search, from the [features](Kit::move_features) of its moves.
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

/// Knowledge and evaluators of one game. [`Plain`] is the kit of a game of which only the rules are known.
pub trait Kit<G: Game>: Clone + Send + Sync + 'static {
    /// Static evaluation, forced moves and move ordering.
    type Knowledge: Knowledge<G> + Clone + 'static;

    /// The knowledge itself.
    fn knowledge(&self) -> Self::Knowledge;

    /// The leaf evaluators of this game, in addition to [those of every game](crate::EVALUATORS): name and meaning.
    fn evaluators(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The leaf evaluator called `name`, configured by the settings; `None` if the game has no such evaluator. It takes
    /// precedence over an [evaluator of every game](crate::EVALUATORS) of the same name.
    ///
    /// # Errors
    /// Settings that the evaluator does not support.
    fn evaluator(&self, _name: &str, _config: &Config) -> Result<Option<Box<dyn Evaluator<G>>>, TextError> {
        Ok(None)
    }

    /// The evaluator of new nodes (`node-eval`); `None` for the static evaluation.
    fn node_evaluator(&self) -> Option<Box<dyn Evaluator<G>>> {
        None
    }

    /// The evaluator that gives [priors on request](banyan_core::Priors::OnRequest), if the game has one.
    fn prior_evaluator(&self) -> Option<Box<dyn Evaluator<G>>> {
        None
    }

    /// A copy of the kit with a static evaluation of these weights, which were learned as this [evaluation](Kit::training_tasks) on this
    /// board; `None` if it takes no weights, the default.
    fn with_weights(&self, _evaluation: &str, _game: &G, _weights: &[i16]) -> Option<Self> {
        None
    }

    /// A copy of the kit with a static evaluation that was not learned, if the game has both; by default a plain copy.
    #[must_use]
    fn without_weights(&self) -> Self {
        self.clone()
    }

    /// A dedicated exact solver of the game with a table of at most `table_bytes` bytes; `None` if alpha-beta is as good.
    fn prover(&self, _table_bytes: u64) -> Option<Box<dyn Prover<G>>> {
        None
    }

    /// The evaluations that can be learned.
    fn training_tasks(&self) -> &'static [TrainingTask] {
        &[]
    }

    /// The features of positions of one of them on this board; `None` for an unknown evaluation or a policy.
    fn features(&self, _evaluation: &str, _game: &G) -> Option<Box<dyn Features<G>>> {
        None
    }

    /// The features of moves of one of them that is a policy; `None` for an unknown policy.
    fn move_features(&self, _evaluation: &str, _game: &G) -> Option<Box<dyn MoveFeatures<G>>> {
        None
    }

    /// Appends the moves of a player that considers only the immediate gain and loss of a move; at least one. By default
    /// every move.
    fn casual_moves(&self, game: &G, state: &G::State, out: &mut MoveList<G::Move>) {
        game.moves(state, out);
    }
}

impl<G: Game> Kit<G> for Plain {
    type Knowledge = Plain;

    fn knowledge(&self) -> Plain {
        Plain
    }
}
