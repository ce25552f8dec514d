//! `banyan engines`: lists and checks the external engines of engines.toml; finds and reads that file.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};
use banyan_catalog::storage::read_text;
use banyan_catalog::{Budget, Catalog, Direction, EngineLog, PlayerSpec, Players, Session, did_you_mean};
use banyan_core::TextError;
use banyan_protocols::{CheckEvent, Engine, EngineEntry, check_engine, library_at_path, library_engine, read_engines};
use clap::{Args, Subcommand};

use crate::Exit;
use crate::message::escaped;
use crate::table::Table;
use crate::terminal::Terminal;

/// The default file.
const DEFAULT_FILE: &str = "engines.toml";
/// The environment variable that names another file.
const VARIABLE: &str = "BANYAN_ENGINES";

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

/// The file that defines external engines.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct EngineFile {
    /// File that defines external engines [default: $BANYAN_ENGINES, or engines.toml in the current folder].
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,
}

impl EngineFile {
    /// The given file, or else the one that a match was started with. If that has been moved since then, the default
    /// file is used, if it exists.
    pub(crate) fn or_stored(&self, stored: Option<&str>) -> EngineFile {
        let moved = |path: &Path| !path.exists() && EngineFile::default().path().exists();
        let stored = || stored.map(PathBuf::from).filter(|path| !moved(path));
        EngineFile { engines: self.engines.clone().or_else(stored) }
    }

    /// The file as an absolute path, if it exists.
    pub(crate) fn absolute(&self) -> Option<String> {
        let path = std::path::absolute(self.path()).ok().filter(|path| path.exists())?;
        path.to_str().map(str::to_owned)
    }

    fn named(&self) -> Option<PathBuf> {
        self.engines.clone().or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from))
    }

    fn path(&self) -> PathBuf {
        self.named().unwrap_or_else(|| DEFAULT_FILE.into())
    }

    /// The entries of the file; none if the default file does not exist.
    fn read(&self) -> Result<Vec<EngineEntry>, TextError> {
        let (named, path) = (self.named(), self.path());
        let place = path.display().to_string();
        let text = match read_text(&path) {
            Err(err) if err.kind() == ErrorKind::NotFound && named.is_none() => return Ok(Vec::new()),
            text => text.map_err(|err| {
                TextError::new(&place, format!("expected a file that can be read: {err}"), "check the path")
            })?,
        };
        let folder = std::path::absolute(&path).ok();
        let folder = folder.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
        let mut entries = read_engines(&text, folder).map_err(|err| err.at(&place))?;
        for entry in &mut entries {
            if let Err(err) = &mut entry.engine {
                *err = err.clone().at(&place);
            }
        }
        Ok(entries)
    }

    /// The engines with a valid definition; every other one is reported on `err`.
    pub(crate) fn sound(&self, err: &mut dyn Write) -> Result<Vec<Engine>> {
        let mut sound = Vec::new();
        for entry in self.read()? {
            match entry.engine {
                Ok(engine) => sound.push(engine),
                Err(wrong) => writeln!(err, "warning: {wrong}")?,
            }
        }
        Ok(sound)
    }

    /// All players and engines that can be named. An invalid entry is an error only if it is used, an unreadable file
    /// only if the file or an engine is named.
    pub(crate) fn players(&self) -> Result<Players> {
        let mut players = Players::presets();
        players.find_with(library_at_path);
        match self.read() {
            Ok(entries) => {
                for EngineEntry { name, engine } in entries {
                    if let Err(err) = engine.and_then(|engine| players.add(Arc::new(engine))) {
                        players.refuse(&name, err);
                    }
                }
            }
            Err(err) if self.engines.is_some() => return Err(err.into()),
            Err(err) => players.without_engines(err),
        }
        Ok(players)
    }
}

/// Checks the external engines of a player with this position and budget.
pub(crate) fn try_out(player: &PlayerSpec, at: &Session, budget: &Budget) -> Result<(), TextError> {
    player.engines().into_iter().try_for_each(|engine| engine.check(at, &budget.first_limits()).map(drop))
}

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
