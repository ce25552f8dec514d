//! `banyan engines`: lists the engines of engines.toml and checks what they do; and where that file is looked up.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use banyan_catalog::{Budget, ExternalEngine, PlayerSpec, Players, Session, did_you_mean};
use banyan_core::TextError;
use banyan_protocols::{Engine, Step, check_engine, library_at_path, read_engines};
use clap::{Args, Subcommand};

use crate::terminal::Terminal;
use crate::{Exit, builtin, table};

/// What is read unless another file is named.
const USUAL_FILE: &str = "engines.toml";
/// The variable that names another.
const VARIABLE: &str = "BANYAN_ENGINES";

const EXAMPLES: &str = "\
Examples:
  banyan engines list
  banyan engines check mine --game reversi
  banyan match reversi mine mcgs --budget 1s

An engine is a table of engines.toml in the current folder:

  [mine]
  command = [\"./my-engine\", \"--fast\"]   # paths begin at `folder`, else at the folder of engines.toml
  protocol = \"ugi\"
  options = { Hash = 64 }                # told to the engine in the words of its protocol
  startup = \"10s\"                      # it may take so long to start and to begin a game
  move = \"60s\"                         # and so long over a move where the budget has no time
  folder = \"my-engine\"                 # where it runs

Exit codes of check: 0 all is well, 1 something is wrong, 2 there is no such engine.";

/// Where engines are looked up.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct EngineFile {
    /// The file of engines [default: what $BANYAN_ENGINES names, else engines.toml in this folder if there is one].
    #[arg(long, value_name = "FILE")]
    engines: Option<PathBuf>,
}

impl EngineFile {
    /// The engines of the file; none where there is no file and none was asked for.
    fn read(&self) -> Result<Vec<Engine>> {
        let named = self.engines.clone().or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from));
        let path = named.clone().unwrap_or_else(|| USUAL_FILE.into());
        let text = match std::fs::read_to_string(&path) {
            Err(err) if err.kind() == ErrorKind::NotFound && named.is_none() => return Ok(Vec::new()),
            text => text.map_err(|err| anyhow!("cannot read {}: {err}", path.display()))?,
        };
        let folder = std::path::absolute(&path)?;
        let folder = folder.parent().unwrap_or(Path::new("."));
        let engines = read_engines(&text, folder);
        Ok(engines.map_err(|err| TextError { found: format!("{}: {}", path.display(), err.found), ..err })?)
    }

    /// Everybody who can be asked for by name.
    pub(crate) fn players(&self) -> Result<Players> {
        let mut players = Players::presets();
        players.find_with(library_at_path);
        for engine in self.read()? {
            players.add(Arc::new(engine))?;
        }
        Ok(players)
    }
}

/// Tries out the engines that a player is made of, as they will be asked.
pub(crate) fn try_out(player: &PlayerSpec, at: &dyn Session, budget: &Budget) -> Result<(), TextError> {
    player.engines().into_iter().try_for_each(|engine| engine.check(at, &budget.first_limits()))
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EnginesArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List them.
    List {
        #[command(flatten)]
        file: EngineFile,
    },
    /// Walk one through its protocol and say what it does wrong.
    #[command(after_help = EXAMPLES)]
    Check {
        /// Which one.
        name: String,

        /// The game to be played [default: the first that its protocol has words for].
        #[arg(long, value_name = "GAME")]
        game: Option<String>,

        #[command(flatten)]
        file: EngineFile,
    },
}

pub(crate) fn run(args: &EnginesArgs, terminal: &mut Terminal) -> Result<Exit> {
    match &args.what {
        What::List { file } => list(&file.read()?, terminal),
        What::Check { name, game, file } => check(&file.read()?, name, game.as_deref(), terminal),
    }
}

fn list(engines: &[Engine], terminal: &mut Terminal) -> Result<Exit> {
    if engines.is_empty() {
        writeln!(terminal.err, "no engines; `banyan engines --help` says how to name some in {USUAL_FILE}")?;
        return Ok(Exit::Done);
    }
    let mut lines = table::table(&["engine", "protocol", "command", "there"]);
    for engine in engines {
        let command = [engine.launch.program.display().to_string()];
        let command: Vec<String> = command.into_iter().chain(engine.launch.arguments.iter().cloned()).collect();
        let there = engine.launch.check().map_or_else(|err| err.expected, |()| "yes".to_owned());
        lines.add_row([engine.name(), engine.protocol.name, &command.join(" "), &there]);
    }
    write!(terminal.out, "{}", table::text(&lines))?;
    Ok(Exit::Done)
}

fn check(engines: &[Engine], name: &str, game: Option<&str>, terminal: &mut Terminal) -> Result<Exit> {
    let names = || engines.iter().map(|engine| engine.name());
    let engine = engines.iter().find(|engine| engine.name() == name).ok_or_else(|| {
        let known = if engines.is_empty() { "none".to_owned() } else { names().collect::<Vec<_>>().join(", ") };
        let expected = format!("{USUAL_FILE} has {known}{}", did_you_mean(name, names()));
        TextError::new(format!("unknown engine {name:?}"), expected, "name one of them, or the file with --engines")
    })?;
    let game = game.or(engine.protocol.games.and_then(|games| games.first()).copied()).unwrap_or("connect-four");
    let game = builtin::catalog().game(game)?;
    let mut written: io::Result<()> = Ok(());
    let all_well = check_engine(engine, &*game, &mut |step: &Step| {
        let line = match &step.found {
            Ok(how) => format!("ok     {} ({how})", step.what),
            Err(why) => format!("WRONG  {}: {why}", step.what),
        };
        let done = writeln!(terminal.out, "{line}").and_then(|()| terminal.out.flush());
        if written.is_ok() {
            written = done;
        }
    })?;
    written?;
    Ok(if all_well { Exit::Done } else { Exit::No })
}
