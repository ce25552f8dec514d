//! The folder of a training: `train.toml` holds the plan, `games.txt` a line for each game, `fit.state` the regression after its
//! last pass, `curve.csv` its errors after each; `weights.bin`, the file that the game embeds, if it embeds one, and
//! `curve.svg` come at the end, and `measured.csv` if the weights are measured. If the program ends for any reason, only
//! the running games and the running pass are lost.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use banyan_core::TextError;
use banyan_search::Target;

use super::error::TrainingError;
use super::excluded::Excluded;
use super::games::Games;
use super::plan::TrainingPlan;
use crate::file_error::FileError;
use crate::players::EvalSetting;
use crate::registry::Catalog;
use crate::text_file::{read_record, read_text, replace_file};

const PLAN: &str = "train.toml";
pub(super) const GAMES: &str = "games.txt";
/// Games between two calls that bring them to the disk.
const SYNC_EVERY: u64 = 100;

/// The open folder of a training, locked against other processes.
#[derive(Debug)]
pub struct TrainingFolder {
    path: PathBuf,
    plan: TrainingPlan,
    /// The positions that the plan excludes.
    excluded: Excluded,
    games: File,
    n_games: u64,
    cut_off: Option<usize>,
}

impl TrainingFolder {
    /// Opens the folder of this plan, and begins it if it is new or empty. If a folder has the same plan but for
    /// the number of games or epochs or the size of steps, its games are kept.
    ///
    /// # Errors
    /// The plan makes no sense, a file or folder that it names cannot be read or is of another game, the folder holds
    /// something else or the training of another plan, another process uses it, or it cannot be written.
    pub fn open(path: &Path, plan: TrainingPlan, catalog: &Catalog) -> Result<TrainingFolder, TrainingError> {
        let parts = plan.parts(catalog)?;
        let weights = parts.player.eval().map(EvalSetting::fingerprint).transpose()?.flatten();
        let plan = TrainingPlan { weights, ..plan };
        let excluded = Excluded::read(&plan.exclude, &*parts.boards.first().trainable(parts.task.name)?)?;
        for other in Games::others(&plan, &parts.task, catalog)? {
            other.check(plan.selection(&parts.task))?;
        }
        fs::create_dir_all(path).map_err(FileError::of("create", path))?;
        let plan_file = path.join(PLAN);
        if plan_file.exists() {
            check_same_games(path, &plan, &read_plan(path)?)?;
        } else if fs::read_dir(path).map_err(FileError::of("read", path))?.any(|entry| !is_leftover(entry)) {
            let expected = "expected a new or empty folder, or that of a training";
            return Err(TextError::new(path.display().to_string(), expected, "choose another --out").into());
        }
        let file = path.join(GAMES);
        let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&file);
        let mut games = opened.map_err(FileError::of("open", &file))?;
        if games.try_lock().is_err() {
            let expected = "another process is using this training";
            return Err(TextError::new(path.display().to_string(), expected, "wait for it or stop it").into());
        }
        let text = toml::to_string(&plan).expect("a plan is a table of numbers and texts");
        replace_file(&plan_file, text.as_bytes()).map_err(FileError::of("write", &plan_file))?;
        // A game that was being written when the program ended is played again.
        let bytes = read_record(&file).map_err(FileError::of("read", &file))?;
        let whole = whole_lines(&bytes);
        games.set_len(whole.len() as u64).map_err(FileError::of("shorten", &file))?;
        games.seek(SeekFrom::End(0)).map_err(FileError::of("read", &file))?;
        let n_games = whole.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let rest = bytes.len() - whole.len();
        let cut_off = (rest > 0).then_some(rest);
        Ok(TrainingFolder { path: path.to_owned(), plan, excluded, games, n_games, cut_off })
    }

    /// The plan.
    pub fn plan(&self) -> &TrainingPlan {
        &self.plan
    }

    /// What is learned.
    ///
    /// # Errors
    /// The game learns no such evaluation.
    pub fn target(&self, catalog: &Catalog) -> Result<Target, TrainingError> {
        Ok(self.plan.parts(catalog)?.task.target)
    }

    /// The number of games it has.
    pub fn n_games(&self) -> u64 {
        self.n_games
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
        let written = self.games.write_all(format!("{line}\n").as_bytes());
        written.map_err(FileError::of("write", &self.path.join(GAMES)))?;
        self.n_games += 1;
        if self.n_games.is_multiple_of(SYNC_EVERY) { self.sync() } else { Ok(()) }
    }

    pub(super) fn sync(&self) -> Result<(), TrainingError> {
        Ok(self.games.sync_data().map_err(FileError::of("write", &self.path.join(GAMES)))?)
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainingError> {
        let path = self.file(name);
        Ok(replace_file(&path, bytes).map_err(FileError::of("write", &path))?)
    }
}

/// The bytes up to the last line end.
pub(super) fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)]
}

/// Whether a file is what a training leaves that was killed before its plan was written.
fn is_leftover(entry: std::io::Result<fs::DirEntry>) -> bool {
    entry.is_ok_and(|entry| {
        entry.file_name() == "train.tmp"
            || entry.file_name() == GAMES && entry.metadata().is_ok_and(|found| found.len() == 0)
    })
}

/// The plan in a folder.
pub(super) fn read_plan(folder: &Path) -> Result<TrainingPlan, TrainingError> {
    let path = &folder.join(PLAN);
    let text = read_text(path).map_err(FileError::of("read", path))?;
    toml::from_str(&text).map_err(|err| {
        let found = err.message().replace('\n', " ");
        TextError::new(found, "the plan of a training", "choose another folder").at(path.display()).into()
    })
}

/// Checks that two plans play the same games.
fn check_same_games(path: &Path, wanted: &TrainingPlan, found: &TrainingPlan) -> Result<(), TextError> {
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
            ("weights", plan.weights.clone().unwrap_or_else(|| "of its own".to_owned())),
        ]
    };
    let differs = parts(wanted).into_iter().zip(parts(found)).find(|(wanted, found)| wanted != found);
    match differs {
        None => Ok(()),
        Some(((what, wanted), (_, found))) => Err(TextError::new(
            format!("{}: games of {what} {found}", path.display()),
            format!("those of {what} {wanted}"),
            "choose another --out, or the same settings",
        )),
    }
}
