//! The common frame of the commands that play games in a folder: `match`, `sweep`, `ablate`, `tune`, `rate`
//! and `ladder` are small implementations of [`FolderCommand`]. The frame finds engines and players, begins or resumes the folder, shows
//! progress, handles interrupts, and prints the command that resumes.

mod args;
mod ending;
mod live;

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::thread;

use anyhow::Result;
use banyan_catalog::pairs::{MatchError, OpeningLines};
use banyan_catalog::{Catalog, Players};
use banyan_core::TextError;
use banyan_matches::frame::{Kind, PlayedStage, Setting, Stage, or_show};
use banyan_matches::{MatchConfig, MatchFolder, Warning, config_of, fresh_folder};

pub(crate) use args::{FolderArgs, describe, export_help};
use ending::Ending;
use live::Live;

use crate::Exit;
use crate::interrupt::{self, STOP_SIGNAL};
use crate::output::results;
use crate::output::terminal::Terminal;
use crate::program::{program, shell_word};

/// A configuration, and its openings if they come from a file.
pub(crate) type Requested = (MatchConfig, Option<OpeningLines>);

/// A command that plays games into a folder.
pub(crate) trait FolderCommand {
    /// The kind of folder.
    const KIND: Kind;
    /// Whether `--json` prints an event for every game.
    const HAS_EVENTS: bool = false;

    /// The arguments common to these commands.
    fn shared(&self) -> &FolderArgs;

    /// Checks before the first game what would otherwise fail after hours of games.
    ///
    /// # Errors
    /// A file that cannot be written, or options that contradict each other.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// The requested configuration; `None` if the resumed folder has it.
    ///
    /// # Errors
    /// An unknown game or player, or settings that do not fit them.
    fn config(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>>;

    /// The options that describe the games, and whether each is given. They have no effect together with `--resume`
    /// alone.
    fn settings(&self) -> Vec<(bool, &'static str)>;

    /// The requested number of pairs, by which a resumed folder may grow.
    fn pairs(&self) -> Option<u64> {
        None
    }

    /// Prints the expected accuracy and duration of the games, before their new folder is created.
    ///
    /// # Errors
    /// Games played for the estimate fail.
    fn announce(
        &self,
        _frame: &Frame<'_>,
        _games: (&MatchConfig, Option<&OpeningLines>),
        _: &mut Terminal,
    ) -> Result<()> {
        Ok(())
    }

    /// The options that are repeated in the command that resumes.
    fn resume_options(&self) -> String {
        String::new()
    }

    /// Plays and reports.
    ///
    /// # Errors
    /// As for [`Frame::play`]; a report that cannot be written.
    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended>;
}

/// The outcome of a command that plays games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Everything is done.
    Finished(Exit),
    /// It was interrupted and can be resumed.
    Unfinished,
}

impl Ended {
    /// Finished, unless something is unfinished.
    pub(crate) fn done_unless(unfinished: bool) -> Ended {
        if unfinished { Ended::Unfinished } else { Ended::Finished(Exit::Done) }
    }
}

/// Data for all stages of a command.
pub(crate) struct Frame<'a> {
    /// The games.
    pub(crate) catalog: &'a Catalog,
    /// The players and engines.
    pub(crate) players: Players,
    /// Games played in parallel.
    pub(crate) jobs: usize,
    kind: Kind,
    shared: &'a FolderArgs,
    has_events: bool,
    engines_file: Option<String>,
}

/// Runs a command that plays games into a folder.
pub(crate) fn run<C: FolderCommand>(command: &C, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    command.check()?;
    terminal.language = command.shared().language.language();
    results::check_exports(&command.shared().export, command.shared().out.as_deref())?;
    let frame = Frame::new(command, catalog)?;
    let logs = frame.shared.logs("")?;
    let mut stage = frame.begin(command, terminal)?;
    let path = stage.folder.path().to_owned();
    let resume = frame.resume_text(command, &path);
    if let Some(logs) = logs {
        if !stage.has_engines() {
            writeln!(terminal.err, "warning: no player is an external engine, so there is nothing to log")?;
        }
        stage.log_engines(logs);
    }
    let config = stage.folder.config();
    let crowded = Warning::oversubscribed(config, frame.jobs, cores());
    for warning in crowded.into_iter().chain(Warning::published(config, catalog, &frame.players)) {
        writeln!(terminal.err, "warning: {}", warning.text)?;
    }
    interrupt::set_resume(resume.as_str());
    interrupt::handle_games();
    let ended = command.play(&frame, stage, terminal);
    interrupt::wait_if_ending();
    match ended {
        Ok(Ended::Finished(exit)) => Ok(exit),
        Ok(Ended::Unfinished) => {
            writeln!(terminal.err, "{resume}")?;
            Ok(Exit::Interrupted)
        }
        Err(err) => {
            if is_passing(&err) && config_of(&path).is_ok() {
                writeln!(terminal.err, "{resume}")?;
            }
            Err(err)
        }
    }
}

/// Whether the same folder can be resumed after this error, such as a full disk: errors in the contents of the folder
/// would recur.
fn is_passing(err: &anyhow::Error) -> bool {
    !err.is::<TextError>() && !matches!(err.downcast_ref(), Some(MatchError::Text(_)))
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

impl<'a> Frame<'a> {
    fn new<C: FolderCommand>(command: &'a C, catalog: &'a Catalog) -> Result<Frame<'a>> {
        let shared = command.shared();
        // An unreadable folder is reported below.
        let stored = shared.resume.as_deref().and_then(|path| config_of(path).ok());
        let stored = stored.as_ref().and_then(|config| config.made_by.engines_file.as_deref());
        let engines = shared.engines.or_stored(stored);
        Ok(Frame {
            catalog,
            players: engines.players().map_err(|err| match (err.downcast::<TextError>(), &shared.resume) {
                (Ok(err), Some(path)) => or_show(err, path).into(),
                (Ok(err), None) => err.into(),
                (Err(err), _) => err,
            })?,
            jobs: shared.jobs.map_or_else(cores, |jobs| jobs as usize),
            kind: C::KIND,
            shared,
            has_events: C::HAS_EVENTS && shared.json,
            engines_file: engines.absolute(),
        })
    }

    /// The command that resumes the folder.
    fn resume_text<C: FolderCommand>(&self, command: &C, path: &Path) -> String {
        format!(
            "resume with\n  {} {} --resume {}{}{}{}",
            program(),
            C::KIND.command(),
            shell_word(&path.display().to_string()),
            self.shared.jobs.map(|jobs| format!(" --jobs {jobs}")).unwrap_or_default(),
            self.shared.resume_options(),
            command.resume_options()
        )
    }

    /// The context in which a configuration is interpreted.
    fn setting(&self) -> Setting<'_> {
        Setting { catalog: self.catalog, players: &self.players, engines_file: self.engines_file.as_deref() }
    }

    /// A new folder, or the one to be resumed.
    fn begin<C: FolderCommand>(&self, command: &C, terminal: &mut Terminal) -> Result<Stage> {
        let requested = command.config(self.catalog, &self.players)?;
        let Some(path) = &self.shared.resume else {
            let requested = requested.expect("clap requires the game without --resume");
            let stage = Stage::create(self.setting(), requested, |config, openings| {
                if let Some(path) = &self.shared.out {
                    // Before the games of the announcement.
                    MatchFolder::check_unused(path, openings)?;
                }
                if !self.shared.quiet {
                    command.announce(self, (config, openings), terminal)?;
                }
                let path = self.shared.out.clone();
                let path = path.unwrap_or_else(|| fresh_folder(Path::new(self.kind.home())));
                // Before the folder is created: a signal may arrive as soon as it exists.
                interrupt::set_resume(self.resume_text(command, &path));
                anyhow::Ok(path)
            })?;
            self.note_folder(&stage, terminal)?;
            return Ok(stage);
        };
        let given = command.settings().into_iter().find(|(is_given, _)| *is_given);
        if let (None, Some((_, option))) = (&requested, given) {
            let expected = "expected the game and the players with it";
            return Err(TextError::new(option, expected, "remove it: --resume reads match.toml").into());
        }
        let requested = requested.as_ref().map(|(config, _)| config);
        let stage = Stage::resume(self.setting(), self.kind, path, requested, command.pairs())?;
        note_cut_off(&stage, terminal)?;
        Ok(stage)
    }

    /// The second stage, in a folder within that of the first.
    pub(crate) fn second(&self, first: &PlayedStage, config: MatchConfig, terminal: &mut Terminal) -> Result<Stage> {
        let mut stage = first.second(self.setting(), config)?;
        // Its games are numbered separately.
        let name = stage.folder.path().file_name().and_then(OsStr::to_str).unwrap_or_default();
        if let Some(logs) = self.shared.logs(name)? {
            stage.log_engines(logs);
        }
        note_cut_off(&stage, terminal)?;
        Ok(stage)
    }

    /// Plays the second stage. Detects that the first was moved or changed meanwhile: if the folder of the second is
    /// gone, so is that of the first, which is written again, too, and named by the error.
    pub(crate) fn play_second(
        &self,
        first: &mut PlayedStage,
        stage: Stage,
        terminal: &mut Terminal,
    ) -> Result<PlayedStage> {
        let played = self.play(stage, terminal);
        first.folder.sync()?;
        played
    }

    /// Prints the path of a new folder.
    pub(crate) fn note_folder(&self, stage: &Stage, terminal: &mut Terminal) -> Result<()> {
        if !self.shared.quiet {
            writeln!(terminal.err, "{} in {}", self.kind, stage.folder.path().display())?;
        }
        Ok(())
    }

    /// The end of what was played in a folder.
    pub(crate) fn ending<'f>(&'f self, folder: &'f MatchFolder) -> Ending<'f> {
        Ending { catalog: self.catalog, kind: self.kind, folder, args: self.shared }
    }

    /// Plays the missing games of a stage until it is interrupted, and shows the progress.
    pub(crate) fn play(&self, stage: Stage, terminal: &mut Terminal) -> Result<PlayedStage> {
        let names = stage.folder.config().players.iter().map(|player| player.name.clone()).collect();
        let mut live = Live::new(&mut terminal.out, &STOP_SIGNAL, self.has_events, self.shared.quiet, names);
        let played = stage.play(self.setting(), self.jobs, &STOP_SIGNAL, &mut live);
        interrupt::wait_if_ending();
        live.end()?;
        let played = played?;
        if (self.shared.quiet || self.shared.json)
            && let Some(warning) = Warning::lateness(played.lines())
        {
            // Otherwise it is the first warning of the report.
            writeln!(terminal.err, "warning: {}", warning.text)?;
        }
        Ok(played)
    }
}

/// Prints a note on stderr that an incomplete last line of the games was removed.
fn note_cut_off(stage: &Stage, terminal: &mut Terminal) -> Result<()> {
    if let Some(bytes) = stage.cut_off {
        writeln!(
            terminal.err,
            "note: games.jsonl ends with an incomplete line ({bytes} bytes); that game is replayed"
        )?;
    }
    Ok(())
}
