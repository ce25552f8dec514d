//! The arguments of `banyan match`, and the configuration they describe.

use anyhow::Result;
use banyan_catalog::pairs::{OpeningLines, OpeningSpec};
use banyan_catalog::storage::read_text;
use banyan_catalog::{BoardRange, Budget, Catalog, Entry, Players};
use banyan_core::TextError;
use banyan_matches::{Entrant, MatchConfig, MatchFormat, SprtBounds};
use clap::Args;

use crate::frame::{FolderArgs, Requested};
use crate::input::game_terms::GameTerms;
use crate::input::level::level_name;
use crate::program::program;

/// Both error rates of a sequential test.
const ALPHA: f64 = 0.05;
/// Default number of pairs.
const PAIRS: u64 = 100;
/// Default number of pairs after which a sequential test stops undecided.
const MAX_PAIRS: u64 = 100_000;

const EXAMPLES: &str = "\
Examples:
  banyan match connect-four uct uct:c=0.5 --pairs 200
  banyan match reversi uct@playouts=2000 uct@playouts=1000 --sprt 0,50
  banyan match connect-four:9-12x9-12,holes=1 uct greedy --budget 50ms
  banyan match dots-and-boxes uct greedy pvs --gauntlet --shard 1/4 --out part1
  banyan match --resume part1
  banyan match --resume part1 --export report.html --review 100ms
  banyan show part1 --list --result lost

Each finished game is appended to DIR/games.jsonl. `banyan show DIR` shows the
result of a folder again, `banyan show DIR:PAIR.GAME` a game of it. A strategy
library has 3 seconds for a move unless the budget has a time. Ctrl-C finishes
the running games and prints the command that resumes the match; a second Ctrl-C
aborts them.
SIGTERM and SIGHUP end the match at once, and print that command too.

Exit codes: 0 finished, or H1 accepted; 1 H0 accepted, or test undecided;
2 error; 130 interrupted, 143 or 129 ended by SIGTERM or SIGHUP, all games
saved.";

#[derive(Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MatchArgs {
    /// Game, or a range from which each round draws a board: connect-four:9-12x9-12,holes=1.
    #[arg(required_unless_present = "resume")]
    pub(crate) game: Option<String>,

    /// Players (see `banyan players`), engines (see `banyan engines`) and paths of strategy libraries, such as ./mine.so.
    /// @ sets the budget of one player: uct:c=0.5@playouts=500.
    #[arg(value_name = "PLAYER")]
    pub(crate) players: Vec<String>,

    /// Level of the game as a further player, 1 to 10; may be given several times.
    #[arg(long = "level", value_name = "N", value_parser = level_name, requires = "game")]
    pub(crate) levels: Vec<&'static str>,

    /// Pairs of games per pairing; the two games of a pair swap colours [default: 100].
    #[arg(long, value_name = "N", conflicts_with = "sprt", allow_hyphen_values = true)]
    pub(crate) pairs: Option<u64>,

    /// Stop by a sequential test of H0: E0 against H1: E1, the strength of the first player in normalised Elo.
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Bounds>,

    /// Pairs after which a sequential test stops undecided [default: 100000].
    #[arg(long, value_name = "N", conflicts_with = "pairs", allow_hyphen_values = true)]
    pub(crate) max_pairs: Option<u64>,

    /// Gauntlet: only the first player meets the others.
    #[arg(long)]
    pub(crate) gauntlet: bool,

    /// Budget per move: 50ms, playouts=1000, nodes=1e6, 15m/game, 15m/game+inc=3s; join several limits with +
    /// [default: playouts=1000].
    #[arg(long)]
    pub(crate) budget: Option<Budget>,

    #[command(flatten)]
    pub(crate) terms: GameTerms,

    #[command(flatten)]
    pub(crate) shared: FolderArgs,

    /// Play only part I of N, such as 1/4; combine the parts with `banyan merge`.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<String>,

    /// Review the lost games with this limit for each position, such as 100ms or nodes=1e5, and show at which move each was
    /// lost: those of the first player here, all in .html and .json exports. Reviews are kept in DIR/reviews.jsonl;
    /// Ctrl-C ends them.
    #[arg(long, value_name = "BUDGET")]
    pub(crate) review: Option<Budget>,
}

/// The two hypotheses of a sequential test, in normalised Elo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds(f64, f64);

impl std::str::FromStr for Bounds {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Bounds, TextError> {
        let parts =
            text.split_once(',').and_then(|(a, b)| Some(Bounds(a.trim().parse().ok()?, b.trim().parse().ok()?)));
        parts.ok_or_else(|| TextError::new(text, "expected two numbers separated by a comma", "try 0,10"))
    }
}

impl MatchArgs {
    /// The requested match, and the openings if they come from a file; `None` if the resumed folder has the
    /// configuration.
    pub(crate) fn requested(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        let Some(game) = &self.game else {
            return Ok(None);
        };
        refuse_player(catalog, players, game)?;
        let budget = self.budget.unwrap_or(Budget { playouts: Some(1000), ..Budget::default() });
        let levels = self.levels.iter().map(|&level| level.to_owned());
        let named: Vec<String> = self.players.iter().cloned().chain(levels).collect();
        let mut entrants = Entrant::list(players, &named, &budget)?;
        if let Some(tables) = catalog.tables(game) {
            entrants =
                entrants.into_iter().map(|entrant| entrant.in_game(players, &tables)).collect::<Result<_, _>>()?;
        }
        let (game, openings, lines) = resolve_board(catalog, game, self.terms.openings.as_ref())?;
        let format = if self.gauntlet { MatchFormat::Gauntlet } else { MatchFormat::RoundRobin };
        let sprt = self.sprt.map(|Bounds(elo0, elo1)| SprtBounds { elo0, elo1, alpha: ALPHA, beta: ALPHA });
        let pairs = self.pairs.or(self.max_pairs).unwrap_or(if sprt.is_some() { MAX_PAIRS } else { PAIRS });
        let config = MatchConfig {
            format,
            pairs,
            openings_digest: lines.as_ref().map(OpeningLines::digest),
            shard: self.shard.clone(),
            sprt,
            ..self.terms.config(game, openings.to_string(), entrants)
        };
        Ok(Some((config, lines)))
    }

    /// The options that describe the games, and whether each is given.
    pub(crate) fn given(&self) -> Vec<(bool, &'static str)> {
        let given = [
            (self.sprt.is_some(), "--sprt"),
            (self.gauntlet, "--gauntlet"),
            (self.budget.is_some(), "--budget"),
            (self.shard.is_some(), "--shard"),
        ];
        [&given[..], &self.terms.settings()].concat()
    }
}

/// Refuses a player in the place of the game.
fn refuse_player(catalog: &Catalog, players: &Players, game: &str) -> Result<(), TextError> {
    if catalog.tables(game).is_some() || Entry::parse(game, players).is_err() {
        return Ok(());
    }
    let remedy = format!("name the game, as in {} match {} {game}", program(), catalog.first_game());
    Err(TextError::new(game, "expected a game first, and this is a player", remedy))
}

/// The game with its board, or the range of boards; the openings, by default balanced ones; and the openings of a file.
pub(crate) fn resolve_board(
    catalog: &Catalog,
    game: &str,
    wanted: Option<&OpeningSpec>,
) -> Result<(String, OpeningSpec, Option<OpeningLines>)> {
    let wanted = wanted.cloned().unwrap_or(OpeningSpec::Balanced { plies: None });
    // With a range, each board has its own default number of plies.
    let (game, openings) = match BoardRange::parse(game)? {
        Some(_) => {
            // The name as the game has it, so that the resumed match is the same.
            let (name, options) = game.split_once(':').unwrap_or((game, ""));
            (catalog.family(name).map_or_else(|| game.to_owned(), |family| family.spec(options)), wanted)
        }
        None => {
            let game = catalog.game(game)?;
            (game.spec(), wanted.resolved(game.usual_opening_plies()))
        }
    };
    let lines = match &openings {
        OpeningSpec::File(path) => Some(read_openings(path)?),
        _ => None,
    };
    Ok((game, openings, lines))
}

fn read_openings(path: &str) -> Result<OpeningLines> {
    let text = read_text(path.as_ref()).map_err(|err| anyhow::anyhow!("cannot read {path}: {err}"))?;
    let lines = OpeningLines::read(&text);
    Ok(lines.map_err(|err| err.at(path))?)
}
