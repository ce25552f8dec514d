//! `banyan ladder`: a player against the levels of a game.

use anyhow::Result;
use banyan_catalog::pairs::GameLine;
use banyan_catalog::{Budget, Catalog, Players};
use banyan_matches::exports::Details;
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::ladder::{ladder, rungs};
use banyan_matches::sweep::StageGames;
use banyan_matches::{LossReview, kept_drops};
use clap::Args;

use super::loss_review::{self, Terms, review};
use super::match_args::MatchArgs;
use crate::frame::{Ended, FolderArgs, FolderCommand, Frame, Requested};
use crate::input::game_terms::GameTerms;
use crate::input::level::LevelArg;
use crate::output::results;
use crate::output::terminal::Terminal;

/// Default number of pairs of games against each rung.
const PAIRS: u64 = 10;
/// The budget of `best` at the top rung.
const BEST: &str = "best@nodes=200000+playouts=20000";

const EXAMPLES: &str = "\
Examples:
  banyan ladder ./mine.so --review 100ms
  banyan ladder uct:c=0.5@playouts=500 --pairs 20
  banyan ladder mine --game reversi --lang zh --export ladder.html
  banyan ladder --resume banyan-ladders/20261124-210000

The player meets the ten levels of the game and best, with both colours on every
opening. The result is its place among the levels, the score of courses: 2
points for a win, 1 for a draw, and the games that it lost, with --review each
with the move that decided it. The folder is that of a match, with ladder.json
and report.html besides; `banyan show DIR` shows it again.

A strategy library has 3 seconds for a move, as in the course, unless the budget
has a time.

Exit codes: 0 finished; 2 error; 130 interrupted, 143 or 129 ended by SIGTERM or
SIGHUP, all games saved.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LadderArgs {
    /// Player (see `banyan players`), engine (see `banyan engines`) or strategy library by its path.
    #[arg(required_unless_present_any = ["resume", "level"])]
    player: Option<String>,

    #[command(flatten)]
    level: LevelArg,

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

    #[command(flatten)]
    shared: FolderArgs,

    /// Play only part I of N, such as 1/4; combine the parts with `banyan merge`.
    #[arg(long, value_name = "I/N", conflicts_with = "resume")]
    shard: Option<String>,

    /// Review the games that the player lost with this limit for each position, such as 100ms or nodes=1e5, and show at
    /// which move each was lost. Reviews are kept in DIR/reviews.jsonl; Ctrl-C ends them.
    #[arg(long, value_name = "BUDGET")]
    review: Option<Budget>,
}

impl FolderCommand for LadderArgs {
    const KIND: Kind = Kind::Ladder;

    fn shared(&self) -> &FolderArgs {
        &self.shared
    }

    fn check(&self) -> Result<()> {
        Ok(self.review.iter().try_for_each(loss_review::check)?)
    }

    fn config(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        let Some(player) = self.level.name().map(str::to_owned).or_else(|| self.player.clone()) else {
            return Ok(None);
        };
        let game = self.game.as_deref().unwrap_or(catalog.first_game());
        let levels = rungs(game, catalog.tables(game).as_ref())?.into_iter().map(str::to_owned);
        let as_match = MatchArgs {
            game: Some(game.to_owned()),
            players: std::iter::once(player).chain(levels).chain([BEST.to_owned()]).collect(),
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
        self.review.map(|budget| format!(" --review {budget}")).unwrap_or_default()
    }

    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        let PlayedStage { folder, played, .. } = frame.play(stage, terminal)?;
        let (config, lines) = (folder.config(), &played.lines);
        let mut details = Details::default();
        if let Some(budget) = self.review {
            // Only the losses of the player itself, not those of the levels.
            let lost = |line: &&GameLine| line.loser().is_some_and(|side| line.seats[side.index()] == 0);
            let lost: Vec<GameLine> = lines.iter().filter(lost).cloned().collect();
            let terms = Terms { budget, jobs: frame.jobs, only_kept: played.unfinished, quiet: self.shared.quiet };
            details.loss_review = Some(review(&terms, (frame.catalog, &frame.players), (&folder, &lost), terminal)?);
        }
        let is_reviewed = details.loss_review.as_ref().is_none_or(LossReview::is_complete);
        details.drops = kept_drops(folder.path(), lines);
        let outcome = frame.ending(&folder).write(&[StageGames { config, lines }], details, terminal)?;
        if !self.shared.json && !self.shared.quiet {
            results::print_lost(folder.path(), outcome.report(), terminal)?;
        }
        Ok(Ended::done_unless(played.unfinished || !is_reviewed))
    }
}
