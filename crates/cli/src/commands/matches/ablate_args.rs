//! The arguments of `banyan ablate`.

use anyhow::Result;
use banyan_catalog::pairs::OpeningLines;
use banyan_catalog::storage::read_text;
use banyan_catalog::{Budget, Catalog, Players};
use banyan_core::TextError;
use banyan_matches::ablation::{AskedRow, AskedRows, SwitchedOff, asked_rows, variants};
use banyan_matches::{MatchConfig, MatchFormat};
use clap::Args;

use super::match_args::resolve_board;
use crate::frame::{FolderArgs, Requested};
use crate::input::game_terms::GameTerms;

/// Pairs of games per row and budget by default.
const PAIRS: u64 = 200;

/// The value of `--off` without names.
const ALL: &str = "all";

const EXAMPLES: &str = "\
Examples:
  banyan ablate connect-four mcgs --off --budget playouts=2000 --budget 10ms
  banyan ablate reversi mcgs --off=reuse,proof --budget playouts=1000
  banyan ablate connect-four uct --on c=1 --on \"PUCT: select=puct,fpu=0.2\" \\
    --budget playouts=1000 --budget 5ms --clock cpu
  banyan ablate connect-four uct --rows rows.toml --budget playouts=1000
  banyan ablate --resume DIR

Every row, a setting switched off or a candidate switched on, plays against the
player without changes at each of the budgets, all on the same openings with the
same seeds. The rows are judged together: better or worse by Holm's procedure
over all rows and budgets. DIR holds match.toml and games.jsonl as of `banyan
match`, ablation.json and ablation.svg, a forest plot. Parts (--shard) are
combined by `banyan merge`.

Exit codes: 0 finished; 2 error; 130 interrupted, 143 or 129 ended by SIGTERM or
SIGHUP, all games saved.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AblateArgs {
    /// Game, or a range from which each round draws a board: connect-four:9-12x9-12,holes=1.
    #[arg(required_unless_present = "resume")]
    game: Option<String>,

    /// Player whose settings are switched (see `banyan players`).
    #[arg(required_unless_present = "resume")]
    player: Option<String>,

    /// Switch off, one at a time, every setting that differs from its neutral value, or the settings named: --off=proof,reuse.
    #[arg(
        long,
        value_name = "SETTINGS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ALL,
        value_delimiter = ','
    )]
    off: Option<Vec<String>>,

    /// Switch these settings on together, as one row: c=0.5, or with a name, \"PUCT: select=puct,fpu=0.2\"; may be given several times.
    #[arg(long, value_name = "ROW")]
    on: Vec<String>,

    /// Also the rows of this file: [[row]] with settings and, if wanted, name, note and paper, in TOML.
    #[arg(long, value_name = "FILE")]
    rows: Option<String>,

    /// Budget per move at which every row is played: playouts=2000, 10ms; may be given several times.
    #[arg(long)]
    budget: Vec<Budget>,

    /// Pairs of games per row and budget; the two games of a pair swap colours [default: 200].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) pairs: Option<u64>,

    #[command(flatten)]
    terms: GameTerms,

    #[command(flatten)]
    pub(crate) shared: FolderArgs,

    /// Play only part I of N, such as 1/4; combine the parts with `banyan merge`.
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
}

impl AblateArgs {
    /// The requested ablation, and the openings if they come from a file; `None` if the resumed folder has the configuration.
    pub(crate) fn requested(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        let (Some(game), Some(player)) = (&self.game, &self.player) else { return Ok(None) };
        let (players, ablation) = variants((catalog, players), (game, player), &self.asked()?, &self.budget)?;
        let (game, openings, lines) = resolve_board(catalog, game, self.terms.openings.as_ref())?;
        let config = MatchConfig {
            format: MatchFormat::Ablation,
            pairs: self.pairs.unwrap_or(PAIRS),
            openings_digest: lines.as_ref().map(OpeningLines::digest),
            shard: self.shard.clone(),
            ablation: Some(ablation),
            ..self.terms.config(game, openings.to_string(), players)
        };
        Ok(Some((config, lines)))
    }

    /// The rows, those of a file last.
    fn asked(&self) -> Result<AskedRows> {
        let off = self.off.as_deref().map(switched_off).transpose()?;
        let mut on = self.on.iter().map(|text| text.parse()).collect::<Result<Vec<AskedRow>, TextError>>()?;
        if let Some(path) = &self.rows {
            let text = read_text(path.as_ref()).map_err(|err| anyhow::anyhow!("cannot read {path}: {err}"))?;
            on.extend(asked_rows(&text).map_err(|err| err.at(path))?);
        }
        if off.is_none() && on.is_empty() {
            let expected = "expected settings to switch off, or candidates to switch on";
            return Err(TextError::new("nothing to switch", expected, "give --off, --on c=0.5 or --rows FILE").into());
        }
        Ok(AskedRows { off, on })
    }

    /// The options that describe the games, and whether each is given.
    pub(crate) fn given(&self) -> Vec<(bool, &'static str)> {
        let given = [
            (self.off.is_some(), "--off"),
            (!self.on.is_empty(), "--on"),
            (self.rows.is_some(), "--rows"),
            (!self.budget.is_empty(), "--budget"),
            (self.shard.is_some(), "--shard"),
        ];
        [&given[..], &self.terms.settings()].concat()
    }
}

/// The names of `--off`.
fn switched_off(names: &[String]) -> Result<SwitchedOff, TextError> {
    let refused =
        |expected: &str, remedy: &str| Err(TextError::new(format!("--off={}", names.join(",")), expected, remedy));
    match names {
        [all] if all == ALL => Ok(SwitchedOff::All),
        names if names.iter().any(String::is_empty) => refused(
            "expected names of settings joined by commas, found an empty one",
            "try --off=proof,reuse, or --off for all",
        ),
        names if names.iter().any(|name| name == ALL) => {
            refused("expected names of settings, or all alone, which includes them", "write --off, or leave out all")
        }
        names => Ok(SwitchedOff::Named(names.to_vec())),
    }
}
