//! Reviews the lost games of a match on several threads, each game on one of them, and keeps the results in one line of JSON for each
//! game, so that the next report of the match need not review them again.

use std::collections::BTreeMap;
use std::path::Path;

use banyan_arena::{StopSignal, drive};
use banyan_catalog::pairs::{EndingKind, GameLine};
use banyan_catalog::storage::{LineForm, read_lines};
use banyan_catalog::view::{VERSION, json_line};
use banyan_catalog::{Budget, Catalog, Means, Opening, PlayerSpec, Session, StopWhen};
use banyan_core::{Flow, TextError};
use banyan_review::{ReviewError, ReviewPlan, Reviewer};
use serde::{Deserialize, Serialize};

use crate::lost_game::{LossReview, LostGame, ValueDrop};

/// The table of a proof: several games are reviewed at the same time.
const TABLE_MIB: u32 = 64;

/// Seed of every review, so that one with playouts or nodes can be repeated.
const SEED: u64 = 1;

/// A reviewed game as it is kept in `reviews.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptReview {
    v: u32,
    /// The version of Banyan.
    version: String,
    reviewer: String,
    budget: String,
    pair: u64,
    game: u8,
    spec: String,
    opening_plies: u16,
    /// The whole game: a record that was replaced is reviewed again.
    moves: String,
    drop: Option<ValueDrop>,
}

/// The move at which each reviewed game was lost, if there was one.
pub type Drops = BTreeMap<(u64, u8), Option<ValueDrop>>;

/// The findings of the reviews kept in a folder, by the last review of each game. Damaged reviews and
/// those of other games are left out.
pub fn kept_drops(folder: &Path, games: &[GameLine]) -> Drops {
    let Ok(lines) = read_lines(&folder.join(LossReviewer::FILE), LineForm::Json) else { return Drops::new() };
    let games: BTreeMap<(u64, u8), &GameLine> = games.iter().map(|game| (game.id(), game)).collect();
    let kept = lines.iter().flatten().filter_map(|(_, line)| serde_json::from_str::<KeptReview>(line).ok());
    let fits = |kept: &KeptReview| {
        let game = games.get(&(kept.pair, kept.game));
        game.is_some_and(|game| (&kept.moves, kept.opening_plies) == (&game.moves, game.opening_plies))
    };
    kept.filter(fits).map(|kept| ((kept.pair, kept.game), kept.drop)).collect()
}

/// The lost games of a match, and those of them that are reviewed.
pub struct LossReviewer<'a> {
    catalog: &'a Catalog,
    player: PlayerSpec,
    budget: Budget,
    /// All lost games.
    lost: Vec<(&'a GameLine, LostGame)>,
    kept: BTreeMap<(u64, u8), KeptReview>,
}

impl<'a> LossReviewer<'a> {
    /// The file in the folder of a match that keeps reviews.
    pub const FILE: &'static str = "reviews.jsonl";

    /// Nothing is reviewed yet. `player` values positions that are not proven, within `budget` for each.
    pub fn new(
        catalog: &'a Catalog,
        (player, budget): (PlayerSpec, Budget),
        games: &'a [GameLine],
    ) -> LossReviewer<'a> {
        let mut lost: Vec<_> = games.iter().filter_map(|game| Some((game, LostGame::of(game)?))).collect();
        lost.sort_by_key(|(game, _)| game.id());
        LossReviewer { catalog, player, budget, lost, kept: BTreeMap::new() }
    }

    /// Takes the review of the same game by the same player and version within the same budget from a line of
    /// [`FILE`](LossReviewer::FILE). Any other line is ignored.
    pub fn recall(&mut self, line: &str) {
        if let Ok(kept) = serde_json::from_str::<KeptReview>(line) {
            let game = self.to_review().find(|game| game.id() == (kept.pair, kept.game));
            if game.is_some_and(|game| self.line(game, kept.drop.clone()) == kept) {
                self.kept.insert((kept.pair, kept.game), kept);
            }
        }
    }

    /// The reviews as lines of [`FILE`](LossReviewer::FILE).
    pub fn lines(&self) -> Vec<String> {
        self.kept.values().map(json_line).collect()
    }

    /// Games to review, and those that are reviewed.
    pub fn progress(&self) -> (usize, usize) {
        (self.to_review().count(), self.kept.len())
    }

    /// Games that were lost on the board or resigned, with at least one move after the opening.
    fn to_review(&self) -> impl Iterator<Item = &'a GameLine> + '_ {
        let is_played = |game: &GameLine| matches!(game.ending, EndingKind::Finished | EndingKind::Resigned);
        self.lost.iter().map(|(game, _)| *game).filter(move |game| is_played(game) && game.n_moves() > 0)
    }

    fn line(&self, game: &GameLine, drop: Option<ValueDrop>) -> KeptReview {
        KeptReview {
            v: VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            reviewer: self.player.to_string(),
            budget: self.budget.to_string(),
            pair: game.pair,
            game: game.game,
            spec: game.spec.clone(),
            opening_plies: game.opening_plies,
            moves: game.moves.clone(),
            drop,
        }
    }

    /// Reviews the games that are left, `jobs` at a time, until `stopped`; nothing is kept of games whose review was not completed.
    /// After each game calls `reviewed` with the line to keep and the number of reviewed games; it may stop the review.
    ///
    /// # Errors
    /// The player cannot play the game, or gave no move.
    pub fn run(
        &mut self,
        jobs: usize,
        stopped: &(dyn Fn() -> bool + Sync),
        reviewed: &mut dyn FnMut(&str, usize) -> Flow,
    ) -> Result<(), ReviewError> {
        let left: Vec<&GameLine> = self.to_review().filter(|game| !self.kept.contains_key(&game.id())).collect();
        let mut n_reviewed = self.kept.len();
        let (mut found, mut error) = (Vec::new(), None);
        let plans = left.into_iter().take_while(|_| !stopped());
        let review = |game: &&GameLine| Ok(self.review(game, stopped)?.map(|drop| self.line(game, drop)));
        drive(plans, jobs, &StopSignal::new(), review, |result| match result {
            Ok(Some(kept)) => {
                n_reviewed += 1;
                let flow = reviewed(&json_line(&kept), n_reviewed);
                found.push(kept);
                flow
            }
            Ok(None) => Flow::Stop,
            Err(err) => {
                error.get_or_insert(err);
                Flow::Stop
            }
        });
        self.kept.extend(found.into_iter().map(|kept| ((kept.pair, kept.game), kept)));
        error.map_or(Ok(()), Err)
    }

    /// The decisive move of a game, if any; `None` if the review was stopped.
    fn review(
        &self,
        game: &GameLine,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Option<ValueDrop>>, ReviewError> {
        let session = self.at_end(game).map_err(ReviewError::Player)?;
        let plan = ReviewPlan {
            player: session.in_game(&self.player).map_err(ReviewError::Player)?,
            budget: self.budget.to_string(),
            limits: self.budget.first_limits(),
            means: Means { table_mib: TABLE_MIB, threads: 1 },
            seed: SEED,
            plies: None,
            opening_plies: game.opening_plies.into(),
        };
        let mut reviewer = Reviewer::open(session, plan)?;
        while reviewer.step(&mut StopWhen(stopped))? {}
        let review = reviewer.review(None);
        if !review.complete {
            return Ok(None);
        }
        let loser = game.loser().expect("only lost games are reviewed");
        Ok(Some(review.decisive(loser).map(|mv| ValueDrop {
            ply: mv.ply,
            mv: mv.mv.clone(),
            best: Some(mv.best.clone()).filter(|best| !best.is_empty() && *best != mv.mv),
            loss: mv.loss,
            unit: review.unit,
            exact: mv.exact,
            mark: mv.mark,
            reason: mv.main_reason().cloned(),
        })))
    }

    fn at_end(&self, game: &GameLine) -> Result<Session, TextError> {
        let mut session = self.catalog.game(&game.spec)?.open(Opening::Start)?;
        game.moves.split_whitespace().try_for_each(|mv| session.play(mv).map(drop))?;
        Ok(session)
    }

    /// All lost games with what is known about them.
    pub fn result(&self) -> LossReview {
        let with_review = |(game, lost): &(&GameLine, LostGame)| match self.kept.get(&game.id()) {
            Some(kept) => lost.clone().reviewed(kept.drop.clone()),
            None => lost.clone(),
        };
        let (to_review, reviewed) = self.progress();
        LossReview {
            reviewer: self.player.to_string(),
            budget: self.budget.to_string(),
            to_review,
            reviewed,
            games: self.lost.iter().map(with_review).collect(),
        }
    }
}
