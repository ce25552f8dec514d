//! The folder of a training: `train.toml` holds the plan, `games.txt` a line for each game, `fit.state` the regression after its
//! last pass, `curve.csv` its errors after each; `weights.bin`, the file that the game embeds, if it embeds one, and
//! `curve.svg` come at the end, and `measured.csv` if the weights are measured. If the program ends for any reason, only
//! the running games and the running pass are lost.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use banyan_catalog::learnable::Excluded;
use banyan_catalog::storage::{
    FileError, Journal, JournalKind, LineForm, Opened, check_unused, is_draft_of, remove_drafts, replace_file, sealed,
};
use banyan_catalog::{Catalog, EvalSetting};
use banyan_core::TextError;
use banyan_inference::Target;

use crate::error::TrainingError;
use crate::excluded::read_excluded;
use crate::games::Games;
use crate::plan::{GAMES, PLAN, TrainingPlan, read_plan};

const KIND: JournalKind = JournalKind {
    form: LineForm::Numbered,
    busy: "using this training",
    work: "the training",
    in_folder: true,
    resume: |path| format!("continue with the same command and --out {path}"),
};

/// The open folder of a training, locked against other processes.
#[derive(Debug)]
pub struct TrainingFolder {
    path: PathBuf,
    plan: TrainingPlan,
    /// The positions that the plan excludes.
    excluded: Excluded,
    games: Journal,
    cut_off: Option<usize>,
}

impl TrainingFolder {
    /// Opens the folder of this plan, and begins it if it is new or empty. If a folder has the same plan but for
    /// the number of games or epochs or the size of steps, its games are kept.
    ///
    /// # Errors
    /// An invalid plan, a file or folder that it names cannot be read or is of another game, the folder holds something else or the
    /// training of another plan, another process uses it, or it cannot be written.
    pub fn open(path: &Path, plan: TrainingPlan, catalog: &Catalog) -> Result<TrainingFolder, TrainingError> {
        let parts = plan.parts(catalog)?;
        let weights = parts.player.eval().map(EvalSetting::fingerprint).transpose()?.flatten();
        let plan = TrainingPlan { weights, ..plan };
        let excluded = read_excluded(&plan.exclude, &parts.boards.first().trainable(parts.task.name)?)?;
        for other in Games::others(&plan, &parts.task, catalog)? {
            other.check(plan.selection(&parts.task))?;
        }
        fs::create_dir_all(path).map_err(FileError::of("create", path))?;
        if path.join(PLAN).exists() {
            check_same_games(path, &plan, &read_plan(path)?)?;
        } else if !check_unused(path, is_leftover)? {
            let expected = "expected a new or empty folder, or that of a training";
            return Err(TextError::new(path.display().to_string(), expected, "choose another --out").into());
        }
        let Opened { journal: mut games, lines } = Journal::open(&path.join(GAMES), &KIND)?;
        lines.iter().try_for_each(|line| line.map(drop))?;
        let text = toml::to_string(&plan).expect("a plan is a table of numbers and texts");
        games.keep(PLAN, sealed(&text))?;
        // A game that was being written when the program ended is played again.
        let cut_off = games.cut_off()?;
        remove_drafts(path);
        Ok(TrainingFolder { path: path.to_owned(), plan, excluded, games, cut_off })
    }

    /// The plan.
    pub fn plan(&self) -> &TrainingPlan {
        &self.plan
    }

    /// The target of learning.
    ///
    /// # Errors
    /// The game does not learn this evaluation.
    pub fn target(&self, catalog: &Catalog) -> Result<Target, TrainingError> {
        Ok(self.plan.parts(catalog)?.task.target)
    }

    /// The number of games it has.
    pub fn n_games(&self) -> u64 {
        self.games.n_lines() as u64
    }

    /// Length of an incomplete last line of `games.txt`, which was removed.
    pub fn cut_off(&self) -> Option<usize> {
        self.cut_off
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The games of the plan; the folder may have more.
    pub(super) fn games(&self, catalog: &Catalog) -> Result<Games, TrainingError> {
        let mut games = Games::read(&self.path, &self.plan, catalog)?;
        games.truncate(self.plan.games as usize);
        Ok(games)
    }

    /// The positions that the plan excludes.
    pub(super) fn excluded(&self) -> &Excluded {
        &self.excluded
    }

    pub(super) fn append(&mut self, line: &str) -> Result<(), TrainingError> {
        Ok(self.games.append(line)?)
    }

    pub(super) fn sync(&mut self) -> Result<(), TrainingError> {
        Ok(self.games.sync()?)
    }

    /// Detects that the folder was moved or removed, before more work is wasted.
    pub(super) fn check(&mut self) -> Result<(), TrainingError> {
        Ok(self.games.check()?)
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainingError> {
        let path = self.file(name);
        Ok(replace_file(&path, bytes).map_err(FileError::of("write", &path))?)
    }
}

/// Whether a file is a leftover of a training that was killed before its plan was written.
fn is_leftover(name: &str, entry: &DirEntry) -> bool {
    is_draft_of(PLAN, name) || name == GAMES && entry.metadata().is_ok_and(|found| found.is_file() && found.len() == 0)
}

/// Checks that two plans play the same games.
pub(super) fn check_same_games(path: &Path, wanted: &TrainingPlan, found: &TrainingPlan) -> Result<(), TextError> {
    let range = |[least, most]: [u16; 2]| format!("{least}..{most}");
    let parts = |plan: &TrainingPlan| {
        [
            ("game", plan.game.clone()),
            ("evaluation", plan.evaluation.clone()),
            ("--opening", plan.opening.clone().unwrap_or_else(|| "by visits".to_owned())),
            ("--opening-plies", range(plan.opening_plies)),
            ("--player", plan.player.clone()),
            ("--budget", plan.budget.clone()),
            ("--explore", plan.explore.to_string()),
            ("--seed", plan.seed.to_string()),
            ("--shard", plan.shard.clone().unwrap_or_else(|| "1/1".to_owned())),
            ("weights", plan.weights.clone().unwrap_or_else(|| "of its own".to_owned())),
        ]
    };
    let differs = parts(wanted).into_iter().zip(parts(found)).find(|(wanted, found)| wanted != found);
    match differs {
        None => Ok(()),
        Some(((what, wanted), (_, found))) => Err(TextError::new(
            format!("{}: games of {what} {found}", path.display()),
            format!("expected those of {what} {wanted}"),
            "choose another --out, or the same settings",
        )),
    }
}
