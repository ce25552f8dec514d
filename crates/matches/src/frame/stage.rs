//! A folder from its configuration to the finished games. Most kinds have one stage; sweeps and tunings may have a second one in a
//! folder within the first.

use std::path::{Path, PathBuf};

use banyan_arena::StopSignal;
use banyan_catalog::pairs::{EngineLogs, GameLine, MatchError, OpeningLines};
use banyan_catalog::{Catalog, Players};
use banyan_core::TextError;

use super::kind::Kind;
use crate::config::MatchConfig;
use crate::folder::{MatchFolder, Resumed, config_of, holds_match};
use crate::rating::rate;
use crate::run::{Match, MatchWatch, Played};
use crate::sweep::StageGames;
use crate::tune::tune;

/// The games, players and engines that the texts of a configuration refer to.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The games.
    pub catalog: &'a Catalog,
    /// The players and engines.
    pub players: &'a Players,
    /// The file that defines the engines, if there is one. It is stored in the folder, so that the engines are found at resume.
    pub engines_file: Option<&'a str>,
}

/// A folder that is ready for its games.
pub struct Stage {
    kind: Kind,
    game: Match,
    /// The folder, locked.
    pub folder: MatchFolder,
    lines: Vec<GameLine>,
    openings: Option<OpeningLines>,
    /// Whether the folder is new.
    pub is_new: bool,
    /// Length of an incomplete last line of the games, which was removed.
    pub cut_off: Option<usize>,
}

/// A folder whose games are played, or were interrupted.
pub struct PlayedStage {
    /// The folder, locked.
    pub folder: MatchFolder,
    /// The openings, if they came from a file.
    pub openings: Option<OpeningLines>,
    /// All games of the folder that count, those of earlier runs too.
    pub played: Played,
}

impl Stage {
    /// A new folder for this configuration and its openings. `path` is called once these are checked, and may make the folder.
    ///
    /// # Errors
    /// An invalid configuration, an engine that does not play, or a folder that is not empty or cannot be written.
    pub fn create<E: From<TextError> + From<MatchError>>(
        setting: Setting<'_>,
        (mut config, openings): (MatchConfig, Option<OpeningLines>),
        path: impl FnOnce(&MatchConfig, Option<&OpeningLines>) -> Result<PathBuf, E>,
    ) -> Result<Stage, E> {
        config.made_by.engines_file = setting.engines_file_of(&config);
        let game = Match::new(setting.catalog, setting.players, &config, openings.as_ref())?;
        let path = path(&config, openings.as_ref())?;
        let kind = Kind::of(&config, setting.catalog);
        let folder = MatchFolder::create(&path, config, openings.as_ref())?;
        Ok(Stage { kind, game, folder, lines: Vec::new(), openings, is_new: true, cut_off: None })
    }

    /// Resumes the folder of a `kind`. A `requested` configuration must be the stored one, and its shard; `pairs` may be more than
    /// the stored number if the kind may grow.
    ///
    /// # Errors
    /// Another kind or configuration, a folder that is in use or cannot be read, or as [`create`](Stage::create).
    pub fn resume(
        setting: Setting<'_>,
        kind: Kind,
        path: &Path,
        requested: Option<&MatchConfig>,
        pairs: Option<u64>,
    ) -> Result<Stage, MatchError> {
        kind.check(Kind::of(&config_of(path)?, setting.catalog), path)?;
        let Resumed { mut folder, lines, openings, cut_off } = MatchFolder::resume(path)?;
        if let Some(requested) = requested {
            check_same(folder.config(), requested)?;
        }
        if let Some(pairs) = pairs.filter(|_| kind.may_grow()) {
            extend(&mut folder, kind, pairs)?;
        }
        let game = Match::new(setting.catalog, setting.players, folder.config(), openings.as_ref())
            .map_err(|err| or_show(err, path))?;
        if let Some(file) = setting.engines_file_of(folder.config())
            && folder.config().made_by.engines_file.as_ref() != Some(&file)
        {
            folder.set_engines_file(file)?;
        }
        Ok(Stage { kind, game, folder, lines, openings, is_new: false, cut_off })
    }

    /// Begins a new folder with games of the same match, such as the earlier rounds of a rating.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn begin_with(&mut self, lines: Vec<GameLine>) -> Result<(), MatchError> {
        lines.iter().try_for_each(|line| self.folder.append(line))?;
        self.folder.sync()?;
        self.lines.extend(lines);
        Ok(())
    }

    /// Whether a player is an external engine, or has one.
    pub fn has_engines(&self) -> bool {
        self.folder.config().players.iter().any(|player| !player.engines.is_empty())
    }

    /// Keeps logs of the messages to and from the engines.
    pub fn log_engines(&mut self, logs: EngineLogs) {
        self.game.log_engines(logs);
    }

    /// Plays on `jobs` threads what the folder still lacks.
    ///
    /// # Errors
    /// See [`Match::play`].
    pub fn play(
        self,
        setting: Setting<'_>,
        jobs: usize,
        stop_signal: &StopSignal,
        observer: &mut dyn MatchWatch,
    ) -> Result<PlayedStage, MatchError> {
        let Stage { kind, game, mut folder, lines, openings, .. } = self;
        let played = match kind {
            Kind::Match | Kind::Sweep | Kind::Ablation | Kind::Ladder => {
                game.play(&mut folder, lines, jobs, stop_signal, observer)
            }
            Kind::Rating => rate(&game, &mut folder, lines, jobs, stop_signal, observer),
            Kind::Tuning => tune(&game, (setting.players, &mut folder), lines, jobs, stop_signal, observer),
        };
        Ok(PlayedStage { folder, openings, played: played? })
    }
}

impl PlayedStage {
    /// The second stage, with the openings of the first: a new folder within that of the first, or the one that is there.
    ///
    /// # Errors
    /// See [`Stage::create`] and [`Stage::resume`].
    pub fn second(&self, setting: Setting<'_>, config: MatchConfig) -> Result<Stage, MatchError> {
        let first = Kind::of(self.config(), setting.catalog);
        let name = first.second_stage().expect("a caller that plays a second stage has a kind with one");
        let path = self.folder.path().join(name);
        if holds_match(&path) {
            let kind = Kind::of(&config, setting.catalog);
            return Stage::resume(setting, kind, &path, Some(&config), None);
        }
        Stage::create(setting, (config, self.openings.clone()), |_, _| Ok(path))
    }

    /// The configuration.
    pub fn config(&self) -> &MatchConfig {
        self.folder.config()
    }

    /// The games that count.
    pub fn lines(&self) -> &[GameLine] {
        &self.played.lines
    }

    /// Both.
    pub fn games(&self) -> StageGames<'_> {
        StageGames { config: self.config(), lines: self.lines() }
    }
}

impl Setting<'_> {
    /// The file that defines the engines of this match, if it has any.
    fn engines_file_of(&self, config: &MatchConfig) -> Option<String> {
        let has_engines = config.players.iter().any(|player| !player.engines.is_empty());
        self.engines_file.filter(|_| has_engines).map(str::to_owned)
    }
}

/// The error of a folder that cannot be continued, with the command that shows it without its players and engines.
pub fn or_show(err: TextError, path: &Path) -> TextError {
    let remedy = format!("{}, or see what is played with `banyan show {}`", err.remedy, path.display());
    TextError { remedy, ..err }
}

fn check_same(stored: &MatchConfig, requested: &MatchConfig) -> Result<(), TextError> {
    stored.check_same(requested)?;
    if stored.shard != requested.shard {
        let whole = || "1/1".to_owned();
        let [stored, requested] = [stored, requested].map(|config| config.shard.clone().unwrap_or_else(whole));
        let found = format!("a different match: shard {requested}");
        return Err(TextError::new(
            found,
            format!("expected shard {stored}"),
            "use a new folder: --out instead of --resume",
        ));
    }
    Ok(())
}

/// Raises the number of pairs.
fn extend(folder: &mut MatchFolder, kind: Kind, requested: u64) -> Result<(), MatchError> {
    let pairs = folder.config().pairs;
    if requested < pairs {
        let expected = format!("expected at least the {pairs} of the {kind}, which can only increase");
        return Err(TextError::new(format!("{requested} pairs"), expected, "remove --pairs").into());
    }
    if requested == pairs {
        return Ok(());
    }
    if kind.second_stage().is_some_and(|name| folder.path().join(name).exists()) {
        let expected =
            format!("expected {pairs}: the second stage is made for the optimum of the first, which more would move");
        let remedy = "remove --pairs, or use a new folder with --out";
        return Err(TextError::new(format!("{requested} pairs"), expected, remedy).into());
    }
    folder.set_pairs(requested)
}
