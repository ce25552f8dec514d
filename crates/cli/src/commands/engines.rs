//! `banyan engines`: lists and checks the external engines of engines.toml.

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};
use banyan_catalog::{Catalog, Direction, EngineLog, did_you_mean};
use banyan_core::TextError;
use banyan_protocols::{CheckEvent, Engine, EngineEntry, check_engine, library_engine};
use clap::{Args, Subcommand};

use crate::Exit;
use crate::input::engine_file::{DEFAULT_FILE, EngineFile};
use crate::output::message::escaped;
use crate::output::table::Table;
use crate::output::terminal::Terminal;

const EXAMPLES: &str = "\
Examples:
  banyan engines list
  banyan engines check mine --game reversi
  banyan match reversi mine mcgs --budget 1s

Each engine is a table in engines.toml in the current folder:

  [mine]
  # paths are relative to `folder`, or to engines.toml
  command = [\"./my-engine\", \"--fast\"]
  protocol = \"ugi\"
  options = { Hash = 64 }    # sent to the engine as its protocol defines
  startup = \"10s\"          # time limit to start and to begin a game
  move = \"60s\"             # time limit of a move if the budget has none
  folder = \"my-engine\"     # working directory

Exit codes of check: 0 all checks passed, 1 a check failed, 2 error, such as an
unknown engine.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EnginesArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the engines.
    List {
        #[command(flatten)]
        file: EngineFile,
    },
    /// Test an engine step by step against its protocol and report every failure.
    #[command(after_help = EXAMPLES)]
    Check {
        /// Engine to check, or the path of a strategy library.
        name: String,

        /// Game to play [default: the first that its protocol supports].
        #[arg(long, value_name = "GAME")]
        game: Option<String>,

        /// Write what the engine is sent and what it answers to this file.
        #[arg(long, value_name = "FILE")]
        log: Option<PathBuf>,

        #[command(flatten)]
        file: EngineFile,
    },
}

pub(crate) fn run(args: &EnginesArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    match &args.what {
        What::List { file } => list(&file.read()?, terminal),
        What::Check { name, game, log, file } => {
            let engine = find(file.read()?, name)?;
            let log = log.as_deref().map(|path| CheckLog::create(path, name)).transpose()?;
            check(&engine, game.as_deref(), log, catalog, terminal)
        }
    }
}

fn list(entries: &[EngineEntry], terminal: &mut Terminal) -> Result<Exit> {
    if entries.is_empty() {
        writeln!(terminal.err, "no engines; see `banyan engines --help` for how to define one in {DEFAULT_FILE}")?;
        return Ok(Exit::Done);
    }
    let mut lines = Table::new(1, &["engine", "protocol", "command", "found"]);
    for EngineEntry { name, engine } in entries {
        let [protocol, command, found] = match engine {
            Ok(engine) => {
                let command = [engine.launch.program.display().to_string()];
                let command: Vec<String> = command.into_iter().chain(engine.launch.arguments.iter().cloned()).collect();
                let found = engine.launch.check().map_or_else(|err| err.expected, |()| "yes".to_owned());
                [engine.protocol.name.to_owned(), command.join(" "), found]
            }
            Err(err) => ["-".to_owned(), "-".to_owned(), err.to_string()],
        };
        lines.add_row([escaped(name), protocol, escaped(&command), escaped(&found)]);
    }
    write!(terminal.out, "{}", lines.text(terminal.width))?;
    Ok(Exit::Done)
}

/// The engine with this name, or else of the strategy library at this path.
fn find(entries: Vec<EngineEntry>, name: &str) -> Result<Engine, TextError> {
    let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
    if let Some(entry) = entries.into_iter().find(|entry| entry.name == name) {
        return entry.engine;
    }
    library_engine(name).ok_or_else(|| {
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let hint = did_you_mean(name, names.iter().map(String::as_str));
        let expected = format!("expected an engine of {DEFAULT_FILE}, which has {known}{hint}");
        let remedy = "check the name, or choose the file with --engines";
        TextError::new(format!("unknown engine {name:?}"), expected, remedy)
    })
}

/// A file that logs the input and output of an engine, until it cannot be written.
#[derive(Debug)]
struct CheckLog {
    file: Mutex<Option<File>>,
    name: String,
    begun: Instant,
}

impl CheckLog {
    fn create(path: &Path, name: &str) -> Result<Arc<dyn EngineLog>> {
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Arc::new(CheckLog { file: Mutex::new(Some(file)), name: name.to_owned(), begun: Instant::now() }))
    }
}

impl EngineLog for CheckLog {
    fn add(&self, at: Instant, direction: Direction, text: &str) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let line = direction.line(self.begun, at, &self.name, text);
        // The check continues without it.
        file.take_if(|file| file.write_all(line.as_bytes()).is_err());
    }
}

fn check(
    engine: &Engine,
    game: Option<&str>,
    log: Option<Arc<dyn EngineLog>>,
    catalog: &Catalog,
    terminal: &mut Terminal,
) -> Result<Exit> {
    let usual = engine.protocol.games.and_then(|games| games.first()).copied();
    let game = catalog.game(game.or(usual).unwrap_or_else(|| catalog.first_game()))?;
    let mut written: io::Result<()> = Ok(());
    let passed = check_engine(engine, &game, log, &mut |event: &CheckEvent| {
        written = show(event, terminal);
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    written?;
    Ok(if passed { Exit::Done } else { Exit::No })
}

/// Writes the beginning of a step to stderr, and its result to stdout.
fn show(event: &CheckEvent, terminal: &mut Terminal) -> io::Result<()> {
    match event {
        CheckEvent::Begins { what, limit } => writeln!(terminal.err, "...     {what} ({limit})"),
        CheckEvent::Ended(step) => {
            match &step.found {
                Ok(time) => writeln!(terminal.out, "ok      {} ({time})", step.what)?,
                Err(why) => writeln!(terminal.out, "FAILED  {}: {why}", step.what)?,
            }
            terminal.out.flush()
        }
    }
}
