//! The arguments of `banyan match`, and the configuration they stand for.

use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::matches::{
    BoardRange, ClockKind, Entrant, MadeBy, MatchConfig, MatchFormat, OpeningLines, OpeningSpec, SprtBounds,
};
use banyan_catalog::view::VERSION;
use banyan_catalog::{Budget, Catalog, Players};
use banyan_core::TextError;
use clap::{Args, ValueEnum};

use crate::engines::EngineFile;

/// Error rates of a sequential test.
const ALPHA: f64 = 0.05;
/// Pairs of a match that is given none.
const PAIRS: u64 = 100;
/// Pairs after which a test ends undecided.
const MAX_PAIRS: u64 = 100_000;

const EXAMPLES: &str = "\
Examples:
  banyan match connect-four uct uct:c=0.5 --pairs 200
  banyan match reversi uct@playouts=2000 uct@playouts=1000 --sprt 0,50
  banyan match connect-four:9-12x9-12,holes=1 uct greedy random --budget 50ms --clock cpu
  banyan match dots-and-boxes uct greedy random --gauntlet --shard 1/4 --out part1
  banyan match --resume part1

A game is written to DIR/games.jsonl as soon as it is over; `banyan show --record DIR --game PAIR.GAME` replays it.
Ctrl-C finishes the running games and says how to go on; a second one breaks them off.

Exit codes: 0 finished, or the test accepts the stronger hypothesis; 1 the test accepts the weaker one or ends
undecided; 2 it went wrong; 130 interrupted with everything saved.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MatchArgs {
    /// The game, or a range that draws a board for every round: connect-four:9-12x9-12,holes=1.
    #[arg(required_unless_present = "resume")]
    game: Option<String>,

    /// The players (see `banyan players`) and engines (see `banyan engines`); @ sets a budget of its own:
    /// uct:c=0.5@playouts=500.
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,

    /// Pairs of games per pairing, colours swapped within a pair [default: 100].
    #[arg(long, value_name = "N", conflicts_with = "sprt", allow_hyphen_values = true)]
    pairs: Option<u64>,

    /// Play until a sequential test decides between these two strengths of the first player, in normalised Elo.
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true)]
    sprt: Option<Bounds>,

    /// Pairs after which a test ends undecided [default: 100000].
    #[arg(long, value_name = "N", conflicts_with = "pairs", allow_hyphen_values = true)]
    max_pairs: Option<u64>,

    /// The first player meets all others, who do not meet each other.
    #[arg(long)]
    gauntlet: bool,

    /// What players may spend: 50ms, playouts=1000, nodes=1e6, 15m/game, 15m/game+inc=3s, or several joined by +
    /// [default: playouts=1000].
    #[arg(long)]
    budget: Option<Budget>,

    /// What time is counted in: wall time, or the CPU time of the player's thread [default: wall].
    #[arg(long, value_name = "CLOCK")]
    clock: Option<Clock>,

    /// A player may overrun its time by so much and still not lose [default: 100ms].
    #[arg(long, value_name = "TIME")]
    margin: Option<Margin>,

    /// Games played at once; by default one for every core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) jobs: Option<u32>,

    /// What everything random is drawn from [default: 1].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<u64>,

    /// none, random:plies=N, balanced:plies=N (random moves that a short search calls balanced), or file:PATH with the
    /// moves of one opening per line [default: balanced].
    #[arg(long, value_name = "SPEC")]
    openings: Option<OpeningSpec>,

    /// A new folder for the match; by default one named after the moment, in banyan-matches.
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub(crate) out: Option<PathBuf>,

    /// Go on with the match in this folder; alone, or with the arguments it was begun with. --pairs may grow.
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,

    /// Play one part of the match only, to be merged with the others: 1/4.
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,

    /// Write one object of JSON per event: game_end, stats, done.
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write the result to this file: .md, .csv, .json, .html; .course.md has 2 points for a win and 1 for a draw.
    #[arg(long, value_name = "FILE")]
    pub(crate) export: Vec<String>,

    /// Show neither progress nor result; the folder has it.
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) engines: EngineFile,
}

/// Two strengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds(f64, f64);

impl std::str::FromStr for Bounds {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Bounds, TextError> {
        let parts =
            text.split_once(',').and_then(|(a, b)| Some(Bounds(a.trim().parse().ok()?, b.trim().parse().ok()?)));
        parts.ok_or_else(|| TextError::new(text, "expected two numbers with a comma between them", "try 0,10"))
    }
}

/// What time is counted in.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Clock {
    /// Wall time.
    Wall,
    /// CPU time of the player's thread.
    Cpu,
}

/// Milliseconds of leeway.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margin(u64);

impl std::str::FromStr for Margin {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Margin, TextError> {
        if text.trim_start_matches('0').is_empty() || text == "0ms" || text == "0s" {
            return Ok(Margin(0));
        }
        let time =
            text.parse().ok().filter(|&budget: &Budget| budget == Budget { time: budget.time, ..Budget::default() });
        let time = time.and_then(|budget| budget.time);
        let wrong = || TextError::new(text, "expected a time", "try 100ms");
        time.map(|time| Margin(time.as_millis() as u64)).ok_or_else(wrong)
    }
}

impl MatchArgs {
    /// The match that is asked for, and the openings if they come from a file; `None` if that is left to the folder
    /// which is resumed.
    pub(crate) fn config(
        &self,
        catalog: &Catalog,
        players: &Players,
    ) -> Result<Option<(MatchConfig, Option<OpeningLines>)>> {
        let Some(game) = &self.game else {
            return Ok(None);
        };
        let budget = self.budget.unwrap_or(Budget { playouts: Some(1000), ..Budget::default() });
        let mut entrants = Entrant::list(players, &self.players, &budget)?;
        if let Some(tables) = catalog.tables(game) {
            entrants =
                entrants.into_iter().map(|entrant| entrant.in_game(players, tables)).collect::<Result<_, _>>()?;
        }
        let wanted = self.openings.clone().unwrap_or(OpeningSpec::Balanced { plies: None });
        // A range keeps the usual number of plies of every board it draws.
        let (game, openings) = match BoardRange::parse(game)? {
            Some(_) => (game.clone(), wanted),
            None => {
                let game = catalog.game(game)?;
                (game.spec(), wanted.resolved(game.usual_opening_plies()))
            }
        };
        let lines = match &openings {
            OpeningSpec::File(path) => Some(read_openings(path)?),
            _ => None,
        };
        let format = if self.gauntlet { MatchFormat::Gauntlet } else { MatchFormat::RoundRobin };
        let sprt = self.sprt.map(|Bounds(elo0, elo1)| SprtBounds { elo0, elo1, alpha: ALPHA, beta: ALPHA });
        let pairs = self.pairs().unwrap_or(if sprt.is_some() { MAX_PAIRS } else { PAIRS });
        let clock = match self.clock {
            None | Some(Clock::Wall) => ClockKind::Wall,
            Some(Clock::Cpu) => ClockKind::Cpu,
        };
        let config = MatchConfig {
            v: VERSION,
            game,
            format,
            pairs,
            openings: openings.to_string(),
            openings_digest: lines.as_ref().map(OpeningLines::digest),
            seed: self.seed.unwrap_or(1),
            clock,
            margin_ms: self.margin.map_or(100, |Margin(ms)| ms),
            shard: self.shard.clone(),
            sprt,
            players: entrants,
            made_by: MadeBy::here(),
        };
        Ok(Some((config, lines)))
    }

    /// The number of pairs that is asked for.
    pub(crate) fn pairs(&self) -> Option<u64> {
        self.pairs.or(self.max_pairs)
    }

    /// What is asked for beside `--resume` without naming the game, which would have no effect.
    pub(crate) fn stray(&self) -> Option<&'static str> {
        let given = [
            (self.sprt.is_some(), "--sprt"),
            (self.gauntlet, "--gauntlet"),
            (self.budget.is_some(), "--budget"),
            (self.clock.is_some(), "--clock"),
            (self.margin.is_some(), "--margin"),
            (self.seed.is_some(), "--seed"),
            (self.openings.is_some(), "--openings"),
            (self.shard.is_some(), "--shard"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }
}

fn read_openings(path: &str) -> Result<OpeningLines> {
    let text = std::fs::read_to_string(path).map_err(|err| anyhow::anyhow!("cannot read {path}: {err}"))?;
    let lines = OpeningLines::read(&text);
    Ok(lines.map_err(|err| TextError { found: format!("{path}: {}", err.found), ..err })?)
}
