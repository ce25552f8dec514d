//! The arguments of `banyan rate`, and the configuration they describe.

use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::{Budget, Catalog, Players};
use banyan_matches::RatingTerms;
use banyan_matches::rating::rating_config;
use clap::Args;

use super::match_args::MatchArgs;
use crate::frame::{FolderArgs, Requested};
use crate::input::game_terms::GameTerms;
use crate::input::level::level_name;

/// Default number of pairs, per player.
const PAIRS_PER_PLAYER: u64 = 100;
/// Default likelihood of superiority at which the order of two neighbours is settled, in %.
const LOS: f64 = 97.5;

const EXAMPLES: &str = "\
Examples:
  banyan rate connect-four random greedy uct mcgs --budget playouts=200
  banyan rate reversi uct@playouts=500 uct@playouts=1000 pvs@depth=4 mine.so
  banyan rate dots-and-boxes best uct greedy --anchor greedy --export pool.html
  banyan rate --resume banyan-ratings/20261120-135207
  banyan rate reversi uct pvs greedy --shard 1/4 --after round-1 --out part-1

The pairs of games are chosen from the results so far: after a first round
they are those that give the most information on players whose order is not
settled. The folder has match.toml, games.jsonl, rating.json and report.html.
The pairs of a round can be shared out to several machines: docs/rate.md.

Exit codes: 0 finished; 2 error; 130 interrupted, 143 or 129 ended by SIGTERM or
SIGHUP, all games saved.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RateArgs {
    /// Game, or a range from which each round draws a board: connect-four:9-12x9-12,holes=1.
    #[arg(required_unless_present = "resume")]
    game: Option<String>,

    /// Players (see `banyan players`), engines (see `banyan engines`) and strategy libraries. @ sets the budget of one
    /// player: uct:c=0.5@playouts=500.
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,

    /// Level of the game as a further player, 1 to 10; may be given several times.
    #[arg(long = "level", value_name = "N", value_parser = level_name, requires = "game")]
    levels: Vec<&'static str>,

    /// Pairs of games in all, at most; the two games of a pair swap colours [default: 100 for each player].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pairs: Option<u64>,

    /// Likelihood of superiority in % at which the order of two neighbours is settled [default: 97.5].
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    los: Option<f64>,

    /// Also measure the difference of neighbours to so many Elo on either side (95 %), not only their order.
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    error: Option<f64>,

    /// Player whose rating is 0 [default: the mean of all players].
    #[arg(long, value_name = "PLAYER")]
    anchor: Option<String>,

    /// Budget per move: 50ms, playouts=1000, nodes=1e6, 15m/game, 15m/game+inc=3s; join several limits with +
    /// [default: playouts=1000].
    #[arg(long)]
    budget: Option<Budget>,

    #[command(flatten)]
    pub(crate) terms: GameTerms,

    #[command(flatten)]
    pub(crate) shared: FolderArgs,

    /// Play only part I of N of the next round, such as 1/4; combine the parts with `banyan merge`.
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,

    /// Folder with the rounds before, as merged; without it the part is one of the first round.
    #[arg(long, value_name = "DIR", requires = "shard", conflicts_with = "resume")]
    pub(crate) after: Option<PathBuf>,
}

impl RateArgs {
    /// The requested rating, and the openings if they come from a file; `None` if the resumed folder has the configuration.
    pub(crate) fn requested(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        let as_match = MatchArgs {
            game: self.game.clone(),
            players: self.players.clone(),
            levels: self.levels.clone(),
            budget: self.budget,
            terms: self.terms.clone(),
            shard: self.shard.clone(),
            ..MatchArgs::default()
        };
        let Some((config, openings)) = as_match.requested(catalog, players)? else { return Ok(None) };
        // The anchor may be given as typed in the list of players, or as in the tables.
        let typed = |anchor: &String| self.players.iter().position(|player| player == anchor);
        let name = |anchor: &String| typed(anchor).map_or_else(|| anchor.clone(), |i| config.players[i].name.clone());
        let terms = RatingTerms {
            pairs: self.pairs.unwrap_or(PAIRS_PER_PLAYER * config.players.len() as u64),
            superiority: self.los.unwrap_or(LOS) / 100.0,
            error: self.error,
            anchor: self.anchor.as_ref().map(name),
        };
        Ok(Some((rating_config(config, terms)?, openings)))
    }

    /// The options that describe the games, and whether each is given.
    pub(crate) fn given(&self) -> Vec<(bool, &'static str)> {
        let given = [
            (self.pairs.is_some(), "--pairs"),
            (self.los.is_some(), "--los"),
            (self.error.is_some(), "--error"),
            (self.anchor.is_some(), "--anchor"),
            (self.budget.is_some(), "--budget"),
            (self.shard.is_some(), "--shard"),
        ];
        [&given[..], &self.terms.settings()].concat()
    }
}
