//! The arguments of `banyan sweep`.

use anyhow::Result;
use banyan_catalog::pairs::OpeningLines;
use banyan_catalog::{Budget, Catalog, Players};
use banyan_core::TextError;
use banyan_matches::sweep::{Entrants, Vary, with_values};
use banyan_matches::{MatchConfig, MatchFormat, Quantity, SweepConfig};
use clap::{Args, ValueEnum};

use super::match_args::resolve_board;
use crate::frame::{FolderArgs, Requested};
use crate::input::game_terms::GameTerms;
use crate::input::level::level_name;

/// Pairs of games per value by default.
const PAIRS: u64 = 200;

const EXAMPLES: &str = "\
Examples:
  banyan sweep connect-four uct --vary c=0.1..1/10 --budget playouts=500
  banyan sweep reversi mcgs --vary c=0.05..1.6/6:log --against pvs:depth=4
  banyan sweep dots-and-boxes uct --vary c=1..41/9 --refine --quantity margin
  banyan sweep connect-four uct --vary c=0.2,0.4,0.8 --vary expand-at=1,2,4
  banyan sweep --resume DIR

All values play the same openings with the same seeds. The result is the optimum
of a fitted curve with its 95 % interval, never the value that happened to score
best. DIR holds match.toml and games.jsonl as of `banyan match`, sweep.json and
sweep.svg. Parts of a sweep (--shard) are combined by `banyan merge`.

Exit codes: 0 finished; 2 error; 130 interrupted, 143 or 129 ended by SIGTERM or
SIGHUP, all games saved.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SweepArgs {
    /// Game, or a range from which each round draws a board: connect-four:9-12x9-12,holes=1.
    #[arg(required_unless_present = "resume")]
    game: Option<String>,

    /// Player whose settings are varied (see `banyan players`).
    #[arg(required_unless_present = "resume")]
    player: Option<String>,

    /// Setting and values: c=0.2..2/10 for ten equal steps, c=0.1..1.6/5:log for equal ratios, c=0.2,0.4,0.8; may be given twice.
    #[arg(long, value_name = "SETTING=VALUES", required_unless_present = "resume")]
    vary: Vec<String>,

    /// Opponent of all values [default: the player with its own setting].
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,

    /// Level of the game as the opponent, 1 to 10.
    #[arg(long, value_name = "N", value_parser = level_name, conflicts_with = "against", requires = "game")]
    level: Option<&'static str>,

    /// Pairs of games per value; the two games of a pair swap colours [default: 200].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) pairs: Option<u64>,

    /// What is measured: score, a win 1 and a draw 1/2, or margin, in discs or boxes [default: score].
    #[arg(long, value_name = "QUANTITY")]
    quantity: Option<Measured>,

    /// Then play a fifth of the step around the optimum, and fit both stages together.
    #[arg(long, conflicts_with = "shard")]
    refine: bool,

    /// Also report the results by colour.
    #[arg(long)]
    pub(crate) by_colour: bool,

    /// Also fit N equal parts of the rounds, each alone.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repetitions: Option<u32>,

    /// Budget per move: 50ms, playouts=1000, nodes=1e6; join several limits with + [default: playouts=1000].
    #[arg(long)]
    budget: Option<Budget>,

    #[command(flatten)]
    terms: GameTerms,

    #[command(flatten)]
    pub(crate) shared: FolderArgs,

    /// Play only part I of N, such as 1/4; combine the parts with `banyan merge`.
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
}

/// What a sweep measures.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Measured {
    /// Points per game.
    Score,
    /// The final margin.
    Margin,
}

impl SweepArgs {
    /// The requested sweep, and the openings if they come from a file; `None` if the resumed folder has the configuration.
    pub(crate) fn requested(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        let (Some(game), Some(player)) = (&self.game, &self.player) else { return Ok(None) };
        if self.refine && self.vary.len() > 1 {
            let expected = "expected one setting, whose values a second stage refines";
            return Err(TextError::new("--refine with two settings", expected, "remove --refine, or one --vary").into());
        }
        let vary = self.vary.iter().map(|text| text.parse()).collect::<Result<Vec<Vary>, TextError>>()?;
        let budget = self.budget.unwrap_or(Budget { playouts: Some(1000), ..Budget::default() });
        let opponent = self.against.as_deref().or(self.level).unwrap_or(player);
        let Entrants { players, vary } =
            with_values(players, catalog.tables(game).as_ref(), [player, opponent], &vary, &budget)?;
        let quantity = match self.quantity {
            None | Some(Measured::Score) => Quantity::Score,
            Some(Measured::Margin) => Quantity::Margin,
        };
        let (game, openings, lines) = resolve_board(catalog, game, self.terms.openings.as_ref())?;
        let config = MatchConfig {
            format: MatchFormat::Sweep,
            pairs: self.pairs.unwrap_or(PAIRS),
            openings_digest: lines.as_ref().map(OpeningLines::digest),
            shard: self.shard.clone(),
            sweep: Some(SweepConfig { quantity, refine: self.refine, vary }),
            ..self.terms.config(game, openings.to_string(), players)
        };
        Ok(Some((config, lines)))
    }

    /// The options that describe the games, and whether each is given.
    pub(crate) fn given(&self) -> Vec<(bool, &'static str)> {
        let given = [
            (!self.vary.is_empty(), "--vary"),
            (self.against.is_some(), "--against"),
            (self.quantity.is_some(), "--quantity"),
            (self.refine, "--refine"),
            (self.budget.is_some(), "--budget"),
            (self.shard.is_some(), "--shard"),
        ];
        [&given[..], &self.terms.settings()].concat()
    }
}
