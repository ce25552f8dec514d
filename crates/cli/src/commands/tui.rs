//! `banyan tui`: boards, analysis, reviews and matches on the whole terminal.

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use banyan_api::{Offer, Spot};
use banyan_catalog::{Catalog, DEFAULT_PLAYER, PlayerCaps};
use banyan_formats::{Recorded, is_record};
use banyan_tui::{Colours, LeftGame, Look, Settings, Start};
use banyan_web::ServerLimits;
use clap::Args;

use crate::Exit;
use crate::input::args::Place;
use crate::input::engine_file::EngineFile;
use crate::input::language::LanguageArg;
use crate::input::level::level_name;
use crate::input::replay;
use crate::interrupt;
use crate::output::terminal::Terminal;
use crate::program::{program, shell_word};

const EXAMPLES: &str = "\
Examples:
  banyan tui
  banyan tui connect-four:10x11,hole=d3 --level 3
  banyan tui reversi --moves f5d6c3 --player best:threads=8
  banyan tui game.json
  banyan tui --match runs/first

The line at the bottom shows the keys; ? lists all of them.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TuiArgs {
    /// Game (see `banyan games`), or a recorded game, such as game.json or runs/first:12.1.
    // The default is the first game of the catalog, added by `command::with_games`.
    #[arg(required = false)]
    game: Option<String>,

    #[command(flatten)]
    place: Place,

    /// First side: human, a player (see `banyan players`) or an engine (see `banyan engines`).
    #[arg(long, default_value = HUMAN, value_name = "PLAYER")]
    first: String,

    /// Second side, as for --first.
    #[arg(long, default_value = HUMAN, value_name = "PLAYER")]
    second: String,

    /// Level of the second side, 1 to 10 (see `banyan players`): --second level-N.
    #[arg(long, value_name = "N", value_parser = level_name, conflicts_with = "second")]
    level: Option<&'static str>,

    /// Budget of a player per move: 1s, playouts=10000.
    #[arg(long, default_value = "1s")]
    budget: String,

    /// Player that analyses.
    #[arg(long, default_value = DEFAULT_PLAYER, value_name = "PLAYER")]
    player: String,

    /// Folder of a match to watch, which may be played elsewhere.
    #[arg(long = "match", value_name = "DIR", conflicts_with_all = ["moves", "position", "opening", "game"])]
    watched: Option<PathBuf>,

    #[command(flatten)]
    language: LanguageArg,

    #[command(flatten)]
    engines: EngineFile,
}

/// A person instead of a player.
const HUMAN: &str = "human";
/// Limit of the analysis of a position, as on the page.
const LIMIT: &str = "10s";

impl TuiArgs {
    fn start(&self, catalog: &Catalog) -> Result<Start> {
        if let Some(folder) = &self.watched {
            return Ok(Start::Match(folder.clone()));
        }
        let recorded = match self.record(catalog)? {
            Some(recorded) => recorded,
            None => Recorded::new(self.place.open(catalog, self.game.as_deref())?, None),
        };
        let session = &recorded.session;
        let spot = Spot { game: session.spec(), position: session.opening(), moves: session.history() };
        Ok(Start::Game(spot, recorded.opening_plies))
    }

    /// The recorded game that is named instead of a game.
    fn record(&self, catalog: &Catalog) -> Result<Option<Recorded>> {
        let Some(text) = self.game.as_deref().filter(|text| catalog.game(text).is_err()) else { return Ok(None) };
        let (path, id) = replay::file_and_game(OsStr::new(text))?;
        let is_path = path.exists() || path.extension().is_some() || text.contains(std::path::MAIN_SEPARATOR);
        if is_path || is_record(text) { Ok(Some(replay::open(catalog, &path, id, None)?)) } else { Ok(None) }
    }

    /// The players of both sides, empty for a person.
    fn players(&self) -> [String; 2] {
        let second = self.level.unwrap_or(&self.second);
        [&*self.first, second]
            .map(|name| if name.eq_ignore_ascii_case(HUMAN) { String::new() } else { name.to_owned() })
    }
}

pub(crate) fn run(args: &TuiArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let players = args.players();
    let analyses = players.iter().all(String::is_empty);
    let usual = ServerLimits::default();
    let stop = Arc::new(AtomicBool::new(false));
    let settings = Settings {
        offer: Offer {
            catalog: catalog.clone(),
            players: args.engines.players()?,
            caps: PlayerCaps { threads: usual.threads, memory_mib: usual.memory_mib },
        },
        language: args.language.language(),
        look: Look { ascii: terminal.ascii, colours: colours(terminal) },
        start: args.start(catalog)?,
        players,
        budget: args.budget.clone(),
        analyst: args.player.clone(),
        limit: LIMIT.to_owned(),
        analyses,
        stop: Arc::clone(&stop),
    };
    let of_signal = Arc::clone(&stop);
    interrupt::set_handler(move || {
        if of_signal.swap(true, Ordering::SeqCst) {
            banyan_tui::restore();
            interrupt::exit_without_engines();
        }
    });
    interrupt::set_abort(banyan_tui::restore);
    let ended = banyan_tui::run(settings);
    #[cfg(target_os = "linux")]
    banyan_protocols::process::end_engines();
    if let Some(left) = ended? {
        write!(terminal.out, "{}", resume(&left, args.language))?;
    }
    Ok(if stop.load(Ordering::SeqCst) { Exit::Interrupted } else { Exit::Done })
}

/// The command that resumes a game, in two lines.
fn resume(left: &LeftGame, language: LanguageArg) -> String {
    let LeftGame { game, position, moves, players, budget } = left;
    let place = match position {
        Some(position) => format!(" --position {}", shell_word(position)),
        None => format!(" --moves {}", shell_word(&moves.join(" "))),
    };
    let player = |name: &String| if name.is_empty() { HUMAN.to_owned() } else { shell_word(name).to_string() };
    let [first, second] = players.each_ref().map(player);
    let seats = if players.iter().all(String::is_empty) {
        String::new()
    } else {
        format!(" --first {first} --second {second} --budget {budget}")
    };
    let head = language.language().say("terminal.resume", &[]);
    format!("{head}\n  {} tui {game}{place}{seats}{}\n", program(), language.as_option())
}

/// The colours of the terminal, as --color and NO_COLOR allow.
fn colours(terminal: &Terminal) -> Colours {
    let any = std::env::var("COLORTERM").is_ok_and(|text| matches!(&*text, "truecolor" | "24bit"));
    match terminal.has_colours() {
        false => Colours::Off,
        true if any || cfg!(windows) => Colours::Any,
        true => Colours::Indexed,
    }
}
