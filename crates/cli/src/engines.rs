//! `banyan engines`: lists and checks the external engines of engines.toml; finds and reads that file.

use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use banyan_catalog::{Budget, Catalog, ExternalEngine, PlayerSpec, Players, Session, did_you_mean, read_text};
use banyan_core::TextError;
use banyan_protocols::{CheckEvent, Engine, check_engine, library_at_path, read_engines};
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
    /// This file, or if none is named the one that a match was started with. A file that was moved since then is sought at
    /// the default place, if there is one.
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

    /// The engines of the file; none if the default file does not exist.
    pub(crate) fn read(&self) -> Result<Vec<Engine>> {
        let (named, path) = (self.named(), self.path());
        let text = match read_text(&path) {
            Err(err) if err.kind() == ErrorKind::NotFound && named.is_none() => return Ok(Vec::new()),
            text => text.map_err(|err| anyhow!("cannot read {}: {err}", path.display()))?,
        };
        let folder = std::path::absolute(&path)?;
        let folder = folder.parent().unwrap_or(Path::new("."));
        let engines = read_engines(&text, folder);
        Ok(engines.map_err(|err| err.at(path.display()))?)
    }

    /// All players and engines that can be named.
    pub(crate) fn players(&self) -> Result<Players> {
        let mut players = Players::presets();
        players.find_with(library_at_path);
        for engine in self.read()? {
            players.add(Arc::new(engine))?;
        }
        Ok(players)
    }
}

/// Checks the external engines of a player with this position and budget.
pub(crate) fn try_out(player: &PlayerSpec, at: &dyn Session, budget: &Budget) -> Result<(), TextError> {
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
        /// Engine to check.
        name: String,

        /// Game to play [default: the first that its protocol supports].
        #[arg(long, value_name = "GAME")]
        game: Option<String>,

        #[command(flatten)]
        file: EngineFile,
    },
}

pub(crate) fn run(args: &EnginesArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    match &args.what {
        What::List { file } => list(&file.read()?, terminal),
        What::Check { name, game, file } => check(&file.read()?, name, game.as_deref(), catalog, terminal),
    }
}

fn list(engines: &[Engine], terminal: &mut Terminal) -> Result<Exit> {
    if engines.is_empty() {
        writeln!(terminal.err, "no engines; see `banyan engines --help` for how to define one in {DEFAULT_FILE}")?;
        return Ok(Exit::Done);
    }
    let mut lines = Table::new(1, &["engine", "protocol", "command", "found"]);
    for engine in engines {
        let command = [engine.launch.program.display().to_string()];
        let command: Vec<String> = command.into_iter().chain(engine.launch.arguments.iter().cloned()).collect();
        let command = escaped(&command.join(" "));
        let found = engine.launch.check().map_or_else(|err| err.expected, |()| "yes".to_owned());
        lines.add_row([escaped(engine.name()), engine.protocol.name.to_owned(), command, escaped(&found)]);
    }
    write!(terminal.out, "{}", lines.text(terminal.width))?;
    Ok(Exit::Done)
}

fn check(
    engines: &[Engine],
    name: &str,
    game: Option<&str>,
    catalog: &Catalog,
    terminal: &mut Terminal,
) -> Result<Exit> {
    let names = || engines.iter().map(|engine| engine.name());
    let engine = engines.iter().find(|engine| engine.name() == name).ok_or_else(|| {
        let known = if engines.is_empty() { "none".to_owned() } else { names().collect::<Vec<_>>().join(", ") };
        let expected = format!("{DEFAULT_FILE} has {known}{}", did_you_mean(name, names()));
        TextError::new(
            format!("unknown engine {name:?}"),
            expected,
            "check the name, or choose the file with --engines",
        )
    })?;
    let usual = engine.protocol.games.and_then(|games| games.first()).copied();
    let game = catalog.game(game.or(usual).unwrap_or_else(|| catalog.first_game()))?;
    let mut written: io::Result<()> = Ok(());
    let passed = check_engine(engine, &*game, &mut |event: &CheckEvent| {
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
