//! What a training does: the file `train.toml` of its folder.

use banyan_core::TextError;
use banyan_learn::Steps;
use banyan_search::TrainingTask;
use serde::{Deserialize, Serialize};

use super::boards::Boards;
use super::trainable::Selection;
use crate::budget::Budget;
use crate::players::PlayerSpec;
use crate::registry::Catalog;
use crate::view::VERSION;

/// What a training does. Two trainings with equal plans and the same program give the same weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingPlan {
    /// [`VERSION`].
    pub v: u32,
    /// The game: a board, or a range of boards such as `connect-four:9-12x9-12,holes=1`.
    pub game: String,
    /// The evaluation that is learned.
    pub evaluation: String,
    /// The player of the first moves; `None` if they are drawn by the visits of the other player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// The least and the greatest number of those moves; each game draws one of them.
    pub opening_plies: [u16; 2],
    /// The player of the other moves.
    pub player: String,
    /// Its budget for a move, in playouts or nodes, so that the games can be repeated.
    pub budget: String,
    /// One in so many later moves is drawn by its visits; 0 for none.
    #[serde(default)]
    pub explore: u32,
    /// Games to play.
    pub games: u64,
    /// Random seed.
    pub seed: u64,
    /// The least and the greatest number of plies left in positions that are learned from.
    pub plies_left: [u16; 2],
    /// Whether only positions with a proven outcome are learned from.
    pub proven: bool,
    /// Passes over all positions.
    pub epochs: u32,
    /// Size of the first step of a weight, to which that of the last is added.
    pub rate: f32,
}

/// The size of the last steps, as a part of the rate (guess, untuned).
const LAST_STEP: f32 = 0.04;

/// Plies left that each have a row in the report; where there are more, twenty share one.
const MOST_GROUPS: u16 = 40;
const COARSE_GROUP: u16 = 20;

/// The largest first step that makes any sense, in points.
const MOST_RATE: f32 = 10.0;

impl TrainingPlan {
    /// The usual plan of an evaluation; of the first one of the game if `evaluation` is `None`. The boards are those of the
    /// evaluation if the game is named without options.
    ///
    /// # Errors
    /// An unknown game, or one that learns no such evaluation or not on these boards.
    pub fn usual(catalog: &Catalog, game: &str, evaluation: Option<&str>) -> Result<TrainingPlan, TextError> {
        let boards = Boards::parse(game, catalog)?;
        let (game, tasks) = (game, boards.first().training_tasks());
        let found = tasks.iter().find(|task| evaluation.is_none_or(|name| name == task.name));
        let Some(task) = found else {
            let names: Vec<&str> = tasks.iter().map(|task| task.name).collect();
            let wanted = evaluation.map_or(String::new(), |name| format!(" {}", name.escape_debug()));
            let found = format!("train {game}{wanted}");
            return Err(if names.is_empty() {
                TextError::new(found, "a game with an evaluation that is learned", "try banyan train dots-and-boxes")
            } else {
                let expected = format!("one of {}", names.join(", "));
                TextError::new(found, expected, format!("try banyan train {game} {}", names[0]))
            });
        };
        let (_, game) = Boards::of(task, game, catalog)?;
        Ok(TrainingPlan {
            v: VERSION,
            game,
            evaluation: task.name.to_owned(),
            opening: task.opening.map(str::to_owned),
            opening_plies: task.opening_plies,
            player: task.player.to_owned(),
            budget: task.budget.to_owned(),
            explore: task.explore,
            games: 10_000,
            seed: 1,
            plies_left: task.plies_left,
            proven: false,
            epochs: task.epochs,
            rate: 0.05,
        })
    }

    /// The parts that are not text.
    ///
    /// # Errors
    /// A game, player, evaluation or budget that does not exist or does not fit, or a number out of range.
    pub(super) fn parts(&self, catalog: &Catalog) -> Result<Parts, TextError> {
        let range = |what: &str, [least, most]: [u16; 2]| {
            let remedy = "put the smaller number first";
            if least > most {
                Err(TextError::new(format!("{what} {least}..{most}"), "a range", remedy))
            } else {
                Ok(())
            }
        };
        for (what, n) in [("--games", self.games), ("--epochs", self.epochs.into())] {
            if n == 0 {
                return Err(TextError::new(format!("{what} 0"), "at least 1", format!("try {what} 10")));
            }
        }
        if !(self.rate > 0.0 && self.rate <= MOST_RATE) {
            let found = format!("--rate {}", self.rate);
            return Err(TextError::new(found, format!("more than 0, and at most {MOST_RATE}"), "try --rate 0.05"));
        }
        range("--opening-plies", self.opening_plies)?;
        range("--plies-left", self.plies_left)?;
        let boards = Boards::parse(&self.game, catalog)?;
        let game = boards.first();
        let task = self.task(&boards)?;
        let player = |text: &str| {
            let player: PlayerSpec = text.parse()?;
            game.check_player(&player).map(|()| player)
        };
        let opening = self.opening.as_deref().map(player).transpose()?;
        let player = player(&self.player)?;
        let budget: Budget = self.budget.parse()?;
        budget.check_repeatable("the games")?;
        Ok(Parts { boards, task, opening, player, budget })
    }

    /// What is learned.
    fn task(&self, boards: &Boards) -> Result<TrainingTask, TextError> {
        let found = boards.first().training_tasks().iter().find(|task| task.name == self.evaluation);
        match found {
            Some(task) => Ok(*task),
            // Returns the error of an unknown one.
            None => boards.first().trainable(&self.evaluation).map(|_| unreachable!("every evaluation has a task")),
        }
    }

    /// The positions that are learned from, in groups for the report.
    pub(super) fn selection(&self, task: &TrainingTask) -> Selection {
        let [least, most] = self.plies_left;
        let is_coarse = most - least >= MOST_GROUPS;
        let group = if is_coarse { COARSE_GROUP } else { 1 };
        Selection { target: task.target, plies_left: self.plies_left, proven: self.proven, group }
    }

    pub(super) fn steps(&self) -> Steps {
        let last = self.rate * LAST_STEP;
        Steps { epochs: self.epochs, first: self.rate + last, last }
    }
}

/// The parts of a plan that are not text.
pub(super) struct Parts {
    pub(super) boards: Boards,
    pub(super) task: TrainingTask,
    pub(super) opening: Option<PlayerSpec>,
    pub(super) player: PlayerSpec,
    pub(super) budget: Budget,
}
