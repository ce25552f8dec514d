//! The games of a folder, and those of other folders that are learned from too.

use std::path::{Path, PathBuf};

use banyan_catalog::Catalog;
use banyan_catalog::learnable::{Selection, Trainable};
use banyan_catalog::storage::{LineForm, read_lines};
use banyan_core::TextError;
use banyan_inference::{Samples, TrainingTask};

use crate::boards::Boards;
use crate::error::TrainingError;
use crate::plan::{GAMES, TrainingPlan, read_plan};

/// The games of a folder, on their boards.
pub(super) struct Games {
    file: PathBuf,
    boards: Boards,
    evaluation: String,
    /// The evaluation to learn, on the board or one of the range.
    trainable: Trainable,
    lines: Vec<String>,
}

impl Games {
    /// The games of a folder, which were played by this plan; without an incomplete last line.
    ///
    /// # Errors
    /// The file cannot be read, or the game does not learn the evaluation.
    pub(super) fn read(folder: &Path, plan: &TrainingPlan, catalog: &Catalog) -> Result<Games, TrainingError> {
        let boards = Boards::parse(&plan.game, catalog)?;
        let trainable = boards.first().trainable(&plan.evaluation)?;
        let file = folder.join(GAMES);
        let lines = read_lines(&file, LineForm::Numbered)?;
        let lines = lines.iter().map(|line| Ok(line?.1.to_owned())).collect::<Result<_, TextError>>()?;
        Ok(Games { file, boards, evaluation: plan.evaluation.clone(), trainable, lines })
    }

    /// The games of the other folders that this plan learns from too.
    ///
    /// # Errors
    /// A folder that cannot be read, or whose games are of another game, board or evaluation.
    pub(super) fn others(
        plan: &TrainingPlan,
        task: &TrainingTask,
        catalog: &Catalog,
    ) -> Result<Vec<Games>, TrainingError> {
        let other = |folder: &String| {
            let other = read_plan(Path::new(folder))?;
            check_same_weights(folder, &other, plan, task)?;
            Games::read(Path::new(folder), &other, catalog)
        };
        plan.also.iter().map(other).collect()
    }

    /// The evaluation to learn, on the board or one of the range.
    pub(super) fn trainable(&self) -> &Trainable {
        &self.trainable
    }

    /// A line for each game.
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Forgets all but the first `n` games.
    pub(super) fn truncate(&mut self, n: usize) {
        self.lines.truncate(n);
    }

    /// Adds the selected positions of game `idx`. Returns the number of positions left out because they are excluded.
    ///
    /// # Errors
    /// The line is not a complete game; the error names file and line.
    pub(super) fn add(&self, idx: usize, selection: &Selection, samples: &mut Samples) -> Result<usize, TextError> {
        let (board, moves) = self.boards.split(&self.lines[idx]);
        let other = board.map(|board| self.boards.trainable(board, &self.evaluation)).transpose();
        let added = other.and_then(|other| selection.add(moves, other.as_ref().unwrap_or(&self.trainable), samples));
        added.map_err(|err| err.at(format_args!("{}:{}", self.file.display(), idx + 1)))
    }

    /// Replays every game, so that an error is reported before anything is played or learned.
    ///
    /// # Errors
    /// A line is not a complete game; the error names file and line.
    pub(super) fn check(&self, selection: Selection) -> Result<(), TextError> {
        // No move is made when no plies are left.
        let none = Selection { plies_left: [0, 0], ..selection };
        (0..self.lines.len()).try_for_each(|idx| self.add(idx, &none, &mut Samples::default()).map(drop))
    }
}

/// Checks that the games of another folder are samples for the weights of this plan.
fn check_same_weights(
    folder: &str,
    other: &TrainingPlan,
    plan: &TrainingPlan,
    task: &TrainingTask,
) -> Result<(), TextError> {
    let name = |plan: &TrainingPlan| plan.game.split(':').next().map(str::to_owned);
    // Some weights serve all boards of their game.
    let is_same_board = other.game == plan.game || !task.boards.is_empty() && name(other) == name(plan);
    if is_same_board && other.evaluation == plan.evaluation {
        return Ok(());
    }
    let games_of = |plan: &TrainingPlan| format!("{} on {}", plan.evaluation, plan.game);
    let found = format!("games of {}", games_of(other));
    let err = TextError::new(found, format!("expected those of {}", games_of(plan)), "choose another folder");
    Err(err.at(format_args!("--also {folder}")))
}
