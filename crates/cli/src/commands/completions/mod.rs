//! `banyan completions`: shell completion scripts, and `banyan complete`, which they call for the word at the cursor.

mod values;
pub(crate) mod walk;

use std::ffi::OsString;
use std::io::Write;

use anyhow::Result;
use banyan_catalog::Catalog;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::Exit;
use crate::input::engine_file::EngineFile;
use crate::output::terminal::Terminal;
use crate::program::program;
use values::{Known, Offer};
use walk::Cursor;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to generate the script for.
    shell: Shell,
}

/// Scripts that call the command for candidates; those of other shells know its options, but no games and players.
const BASH: &str = include_str!("bash.sh");
const ZSH: &str = include_str!("zsh.sh");
const FISH: &str = include_str!("fish.fish");

pub(crate) fn run(args: &CompletionsArgs, command: &mut Command, terminal: &mut Terminal) -> Result<Exit> {
    let script = match args.shell {
        Shell::Bash => of_program(BASH),
        Shell::Zsh => of_program(ZSH),
        Shell::Fish => of_program(FISH),
        shell => {
            // Into memory first, because the generator panics on a write error.
            let mut script = Vec::new();
            clap_complete::generate(shell, command, program(), &mut script);
            script
        }
    };
    terminal.out.write_all(&script)?;
    Ok(Exit::Done)
}

/// A script for the program by its name, which is also part of the names of functions.
fn of_program(script: &str) -> Vec<u8> {
    let name = program();
    let word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    script.replace("PROGRAM", &name).replace("FUNCTION", &format!("_{word}_complete")).into_bytes()
}

/// The line of a script: the words after the name of the program, up to the one at the cursor.
#[derive(Debug, Args)]
pub(crate) struct CompleteArgs {
    /// Also print what each candidate means, after a tab.
    #[arg(long)]
    describe: bool,

    /// The words, the last of which is completed.
    #[arg(last = true)]
    words: Vec<OsString>,
}

/// Prints the candidates, one a line. Exits with 0 without any where the name of a file is expected, with 1 where nothing is known.
pub(crate) fn complete(
    args: &CompleteArgs,
    mut command: Command,
    catalog: &Catalog,
    terminal: &mut Terminal,
) -> Result<Exit> {
    command.build();
    let words: Vec<String> = args.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let cursor = Cursor::at(&command, &words);
    // An error in the file of engines is reported by the commands that use it.
    let engines = EngineFile::default().read().unwrap_or_default();
    let engines = engines.into_iter().map(|engine| engine.name).collect();
    match values::offer(&cursor, &Known::new(catalog, engines)) {
        Offer::Files => Ok(Exit::Done),
        Offer::Words(candidates) if candidates.is_empty() => Ok(Exit::No),
        Offer::Words(candidates) => {
            for candidate in candidates {
                match args.describe && !candidate.help.is_empty() {
                    true => writeln!(terminal.out, "{}\t{}", candidate.value, candidate.help)?,
                    false => writeln!(terminal.out, "{}", candidate.value)?,
                }
            }
            Ok(Exit::Done)
        }
    }
}
