//! The arguments of `banyan tune`, and the configuration they describe.

use anyhow::Result;
use banyan_catalog::{Budget, Catalog, Players};
use banyan_core::TextError;
use banyan_matches::tune::{Range, tuning};
use banyan_matches::{MatchConfig, TuneMethod};
use clap::{Args, ValueEnum};

use super::match_args::MatchArgs;
use crate::frame::{FolderArgs, Requested};
use crate::input::game_terms::GameTerms;
use crate::input::level::level_name;

/// Default number of pairs for each setting.
const PAIRS_PER_SETTING: u64 = 500;
/// Default number of pairs, at most, of the match that confirms the result.
const CONFIRM: u64 = 1000;

const EXAMPLES: &str = "\
Examples:
  banyan tune connect-four uct --vary c=0.05..1.6:log --vary expand-at=1..8
  banyan tune reversi mcgs --vary c=1..6 --vary fpu=0..1 --against pvs:depth=3
  banyan tune dots-and-boxes uct --vary c=0.1..2:log --method spsa --pairs 4000
  banyan tune --resume banyan-tunings/20261124-210000

Every pair is played with other values, chosen from the results so far. At the
end the tuned player meets the default in a sequential test, in DIR/confirm.
DIR holds match.toml and games.jsonl as of `banyan match`, tune.json and
report.html.

Exit codes: 0 finished; 2 error; 130 interrupted, 143 or 129 ended by SIGTERM or
SIGHUP, all games saved.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TuneArgs {
    /// Game, or a range from which each round draws a board: connect-four:9-12x9-12,holes=1.
    #[arg(required_unless_present = "resume")]
    game: Option<String>,

    /// Player whose settings are tuned (see `banyan players`).
    #[arg(required_unless_present = "resume")]
    player: Option<String>,

    /// Setting and its range: c=0.1..2, or c=0.1..2:log to tune its logarithm; may be given several times.
    #[arg(long, value_name = "SETTING=RANGE", required_unless_present = "resume")]
    vary: Vec<String>,

    /// clop, a local quadratic regression, or spsa, steps along a gradient, for many settings or games [default: clop].
    #[arg(long, value_name = "METHOD")]
    method: Option<Method>,

    /// Opponent of all pairs; several take turns [default: the player with its own settings].
    #[arg(long, value_name = "PLAYER")]
    against: Vec<String>,

    /// Level of the game as an opponent, 1 to 10; may be given several times.
    #[arg(long = "level", value_name = "N", value_parser = level_name, requires = "game")]
    levels: Vec<&'static str>,

    /// Pairs of games; the two games of a pair swap colours [default: 500 for each setting].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pairs: Option<u64>,

    /// Pairs, at most, of the match of the tuned player against the default; 0 for none [default: 1000].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    confirm: Option<u64>,

    /// Budget per move: 50ms, playouts=1000, nodes=1e6; join several limits with + [default: playouts=1000].
    #[arg(long)]
    budget: Option<Budget>,

    #[command(flatten)]
    pub(crate) terms: GameTerms,

    #[command(flatten)]
    pub(crate) shared: FolderArgs,
}

/// How the next values are chosen.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Method {
    /// Confident local optimization.
    Clop,
    /// Simultaneous perturbation stochastic approximation.
    Spsa,
}

impl TuneArgs {
    /// The requested tuning, and the openings if they come from a file; `None` if the resumed folder has the configuration.
    pub(crate) fn requested(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        let (Some(game), Some(player)) = (&self.game, &self.player) else { return Ok(None) };
        let ranges = self.vary.iter().map(|text| text.parse()).collect::<Result<Vec<Range>, TextError>>()?;
        let method = match self.method {
            Some(Method::Spsa) => TuneMethod::Spsa,
            None | Some(Method::Clop) => TuneMethod::Clop,
        };
        let mut opponents = self.against.clone();
        opponents.extend(self.levels.iter().map(|&level| level.to_owned()));
        if method == TuneMethod::Spsa && !opponents.is_empty() {
            let expected = "expected no opponent, since spsa plays the settings moved one way against the settings moved the other way";
            return Err(TextError::new("--against with spsa", expected, "remove --against, or --method spsa").into());
        }
        let opponents = if opponents.is_empty() { vec![player.clone()] } else { opponents };
        let n_opponents = opponents.len() as u64;
        let as_match = MatchArgs {
            game: Some(game.clone()),
            players: std::iter::once(player.clone()).chain(opponents).collect(),
            budget: self.budget,
            terms: self.terms.clone(),
            ..MatchArgs::default()
        };
        let Some((config, openings)) = as_match.requested(catalog, players)? else { return Ok(None) };
        let pairs = self.pairs.unwrap_or(PAIRS_PER_SETTING * ranges.len() as u64).div_ceil(n_opponents);
        let config = MatchConfig { pairs, ..config };
        let confirm = self.confirm.unwrap_or(CONFIRM);
        let config = tuning(players, catalog.tables(game).as_ref(), player, &ranges, (method, confirm), config)?;
        Ok(Some((config, openings)))
    }

    /// The options that describe the games, and whether each is given.
    pub(crate) fn given(&self) -> Vec<(bool, &'static str)> {
        let given = [
            (!self.vary.is_empty(), "--vary"),
            (self.method.is_some(), "--method"),
            (!self.against.is_empty(), "--against"),
            (self.pairs.is_some(), "--pairs"),
            (self.confirm.is_some(), "--confirm"),
            (self.budget.is_some(), "--budget"),
        ];
        [&given[..], &self.terms.settings()].concat()
    }
}
