//! `banyan ladder`: a player against the levels of a game.

use anyhow::Result;
use banyan_catalog::{Budget, Catalog, Players};
use banyan_matches::Summary;
use banyan_matches::exports::ladder_report;
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::ladder::{LadderResult, Language, ladder, rungs};
use clap::{Args, ValueEnum};

use super::match_args::MatchArgs;
use crate::frame::{Ended, Ending, FolderArgs, FolderCommand, Frame, Requested, check_page, page_option};
use crate::input::game_terms::GameTerms;
use crate::output::terminal::Terminal;

/// Default number of pairs of games against each rung.
const PAIRS: u64 = 10;
/// The budget of `best` at the top rung.
const BEST: &str = "best@nodes=200000+playouts=20000";

const EXAMPLES: &str = "\
Examples:
  banyan ladder ./mine.so --budget 3s
  banyan ladder uct:c=0.5@playouts=500 --pairs 20
  banyan ladder mine --game reversi --language zh --html ladder.html
  banyan ladder --resume banyan-ladders/20261124-210000

The player meets the ten levels of the game and best, with both colours on every
opening. The result is its place among the levels and the score of courses: 2
points for a win, 1 for a draw. The folder is that of a match, with ladder.json
and report.html besides.

Exit codes: 0 finished; 2 error; 130 interrupted, 143 or 129 ended by SIGTERM or
SIGHUP, all games saved.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LadderArgs {
    /// Player (see `banyan players`), engine (see `banyan engines`) or strategy library by its path.
    #[arg(required_unless_present = "resume")]
    player: Option<String>,

    /// Game with levels [default: connect-four].
    #[arg(long)]
    game: Option<String>,

    /// Pairs of games against each rung; the two games of a pair swap colours [default: 10].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pairs: Option<u64>,

    /// Budget per move of the player: 50ms, 3s, playouts=1000; the levels have their own [default: playouts=1000].
    #[arg(long)]
    budget: Option<Budget>,

    #[command(flatten)]
    terms: GameTerms,

    /// Language of the result.
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value_t = Tongue::En)]
    language: Tongue,

    #[command(flatten)]
    shared: FolderArgs,

    /// Play only part I of N, such as 1/4; combine the parts with `banyan merge`.
    #[arg(long, value_name = "I/N", conflicts_with = "resume")]
    shard: Option<String>,

    /// Also write the page to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
}

/// The language of the result.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Tongue {
    /// English.
    En,
    /// Chinese.
    Zh,
}

impl LadderArgs {
    fn language(&self) -> Language {
        match self.language {
            Tongue::En => Language::English,
            Tongue::Zh => Language::Chinese,
        }
    }
}

impl FolderCommand for LadderArgs {
    const KIND: Kind = Kind::Ladder;

    fn shared(&self) -> &FolderArgs {
        &self.shared
    }

    fn check(&self) -> Result<()> {
        check_page(self.html.as_ref(), &self.shared, Kind::Ladder)
    }

    fn config(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        let Some(player) = &self.player else { return Ok(None) };
        let game = self.game.as_deref().unwrap_or(catalog.first_game());
        let levels = rungs(game, catalog.tables(game))?.into_iter().map(str::to_owned);
        let as_match = MatchArgs {
            game: Some(game.to_owned()),
            players: std::iter::once(player.clone()).chain(levels).chain([BEST.to_owned()]).collect(),
            pairs: Some(self.pairs.unwrap_or(PAIRS)),
            budget: self.budget,
            terms: self.terms.clone(),
            shard: self.shard.clone(),
            ..MatchArgs::default()
        };
        let config = as_match.requested(catalog, players)?;
        Ok(config.map(|(config, openings)| (ladder(config), openings)))
    }

    fn settings(&self) -> Vec<(bool, &'static str)> {
        let given =
            [(self.game.is_some(), "--game"), (self.pairs.is_some(), "--pairs"), (self.budget.is_some(), "--budget")];
        [&given[..], &self.terms.settings()].concat()
    }

    fn resume_options(&self) -> String {
        let language = match self.language {
            Tongue::En => "",
            Tongue::Zh => " --language zh",
        };
        language.to_owned() + &page_option(self.html.as_ref())
    }

    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        let PlayedStage { folder, played, .. } = frame.play(stage, terminal)?;
        let config = folder.config();
        let tables = frame.catalog.tables(&config.game).expect("a ladder is one of a game with levels");
        let summary = Summary::of(config, &played.lines);
        let result = LadderResult::of(config, tables, &summary);
        let report = ladder_report(config, &result, self.language(), &summary.warnings);
        let ending = Ending { kind: Kind::Ladder, folder: &folder, args: &self.shared, html: self.html.as_ref() };
        ending.write(&result, &report, None, terminal)?;
        Ok(Ended::done_unless(played.unfinished))
    }
}
