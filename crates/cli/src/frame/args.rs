//! The arguments of every command that plays games into a folder.

use std::path::PathBuf;

use banyan_catalog::frame::Kind;
use clap::Args;

use crate::engines::EngineFile;

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

    #[arg(long)]
    pub(crate) json: bool,

    /// Print neither progress nor result.
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) engines: EngineFile,
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
            let texts = [("out", out), ("resume", resume), ("json", json)];
            texts.into_iter().fold(command, |command, (name, text)| command.mut_arg(name, |arg| arg.help(text)))
        });
    }
    program
}
