//! The arguments of every command that plays games into a folder.

use std::io::{self, Write, stderr};
use std::path::{Path, PathBuf};

use banyan_catalog::pairs::{EngineLogs, LoggedGames};
use banyan_core::TextError;
use banyan_matches::exports::EXTENSIONS;
use banyan_matches::frame::Kind;
use clap::Args;

use crate::input::engine_file::EngineFile;
use crate::input::language::LanguageArg;
use crate::program::shell_word;

/// Where games are played to, and what is printed. The help of each command is added by [`describe`].
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct FolderArgs {
    /// Games played in parallel [default: number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) jobs: Option<u32>,

    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub(crate) out: Option<PathBuf>,

    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,

    #[arg(long, value_name = "FILE", alias = "html")]
    pub(crate) export: Vec<String>,

    #[arg(long)]
    pub(crate) json: bool,

    /// Print neither progress nor result.
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,

    /// Keep what every external engine is sent and what it answers, in a file of this folder for each game.
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,

    /// The same, for the games that are lost by a fault only.
    #[arg(long, value_name = "DIR", conflicts_with = "log")]
    log_faults: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) language: LanguageArg,

    #[command(flatten)]
    pub(crate) engines: EngineFile,
}

impl FolderArgs {
    /// The folder for the logs of engines, and the games that are logged.
    fn log(&self) -> Option<(&Path, LoggedGames)> {
        let all = self.log.as_deref().map(|folder| (folder, LoggedGames::All));
        all.or(self.log_faults.as_deref().map(|folder| (folder, LoggedGames::Faulty)))
    }

    /// The logs of engines, in the folder `within` the requested one.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub(crate) fn logs(&self, within: &str) -> Result<Option<EngineLogs>, TextError> {
        let Some((folder, games)) = self.log() else { return Ok(None) };
        // Joining an empty path would add a slash.
        let folder = if within.is_empty() { folder.to_owned() } else { folder.join(within) };
        let logs = EngineLogs::create(&folder, games, |path, err| {
            let path = path.display();
            // The games continue even if this cannot be written.
            let _ = writeln!(stderr(), "warning: cannot write {path}: {err}; the games continue, logs may be missing");
        });
        let failed = |err: io::Error| {
            let found = format!("log folder {}", folder.display());
            TextError::new(found, format!("expected a folder that can be made: {err}"), "choose another one")
        };
        logs.map(Some).map_err(failed)
    }

    /// The options for logs and exports, in the command that resumes.
    pub(crate) fn resume_options(&self) -> String {
        let exports = self.export.iter().map(|path| format!(" --export {}", shell_word(path)));
        self.log_option() + &exports.collect::<String>() + &self.language.as_option()
    }

    fn log_option(&self) -> String {
        let option = |(folder, games): (&Path, LoggedGames)| {
            let name = if games == LoggedGames::All { "log" } else { "log-faults" };
            format!(" --{name} {}", shell_word(&folder.display().to_string()))
        };
        self.log().map(option).unwrap_or_default()
    }
}

/// The help of `--export`.
pub(crate) fn export_help() -> String {
    format!("Also write the result to this file; its form by the extension: {EXTENSIONS}")
}

/// Adds the help of [`FolderArgs`] to the commands that have them.
pub(crate) fn describe(mut program: clap::Command) -> clap::Command {
    for kind in Kind::ALL {
        let growth = if kind.may_grow() { "; --pairs may increase" } else { "" };
        let out = format!("New folder for the {kind} [default: {}/DATE-TIME]", kind.home());
        let resume =
            format!("Resume the {kind} in this folder. Other arguments are optional and must be unchanged{growth}");
        let json = match kind {
            Kind::Match => "Print one JSON object per event: game_end, stats, done".to_owned(),
            _ => format!("Print the result as one JSON object, that of {}", kind.result()),
        };
        program = program.mut_subcommand(kind.command(), |command| {
            let texts = [("out", out), ("resume", resume), ("json", json), ("export", export_help())];
            texts.into_iter().fold(command, |command, (name, text)| command.mut_arg(name, |arg| arg.help(text)))
        });
    }
    program
}
