//! The result of a folder as it was left, which needs no player and no engine of its games.

use std::path::Path;

use banyan_catalog::Catalog;
use banyan_catalog::pairs::MatchError;
use banyan_catalog::storage::read_own_text;
use banyan_catalog::view::json_line;

use super::games::{Games, with_games};
use super::report::Report;
use super::{Exported, ladder_report, match_report, rating_report, sweep_report, tune_report};
use crate::config::MatchConfig;
use crate::folder::{holds_match, read_folder};
use crate::frame::Kind;
use crate::ladder::{LadderResult, Language};
use crate::lost_games::{Drops, kept_drops};
use crate::rating::RatingSummary;
use crate::summary::Summary;
use crate::sweep::{StageGames, SweepResult};
use crate::tune::{Confirmation, TuneResult};

/// The result of a match, sweep, tuning, rating or ladder, finished or not.
pub struct Stored {
    /// Its kind.
    pub kind: Kind,
    config: MatchConfig,
    /// Its report, with its games on the page.
    pub report: Report,
    /// The object of its JSON file.
    pub json: String,
    summary: Summary,
}

impl Stored {
    /// Reads a folder, without locking it.
    ///
    /// # Errors
    /// There is no match in it, its configuration was changed, or a line of its games is damaged.
    pub fn read(catalog: &Catalog, path: &Path) -> Result<Stored, MatchError> {
        let (config, _, lines) = read_folder(path)?;
        let kind = Kind::of(&config, catalog);
        let second = kind.second_stage().map(|name| path.join(name)).filter(|path| holds_match(path));
        let second = second.map(|path| read_folder(&path)).transpose()?;
        let mut stages = vec![StageGames { config: &config, lines: &lines }];
        stages.extend(second.iter().map(|(config, _, lines)| StageGames { config, lines }));
        let summary = Summary::of(&config, &lines);
        let (json, report) = match kind {
            Kind::Match => (json_line(&summary), match_report(&config, &summary)),
            Kind::Sweep => {
                let result = SweepResult::of(&stages, false, 0)?;
                (json_line(&result), sweep_report(&stages, &result))
            }
            Kind::Tuning => {
                let confirmation = stages.get(1).and_then(|stage| Confirmation::of(stage.config, stage.lines));
                let result = TuneResult::of(&config, &lines, confirmation)?;
                (json_line(&result), tune_report(&config, &result, &summary.warnings))
            }
            Kind::Rating => {
                let rating = RatingSummary::of(&config, &summary, was_finished(path, &summary))?;
                (json_line(&rating), rating_report(&config, &rating))
            }
            Kind::Ladder => {
                let tables = catalog.tables(&config.game).expect("a ladder is one of a game with levels");
                let result = LadderResult::of(&config, tables, &summary);
                (json_line(&result), ladder_report(&config, &result, Language::English, &summary.warnings))
            }
        };
        let drops = if kind.lists_lost_games() { kept_drops(path, &lines) } else { Drops::default() };
        let games = Games { catalog, lines: &lines, drops: &drops };
        let report = if kind.lists_lost_games() { with_games(report, &config, &summary, games) } else { report };
        Ok(Stored { kind, config, report, json, summary })
    }

    /// The result for exports.
    pub fn exported(&self) -> Exported<'_> {
        Exported { config: &self.config, summary: &self.summary, json: &self.json, report: &self.report }
    }

    /// Pairs played and pairs planned, if some that were planned are missing.
    pub fn missing(&self) -> Option<[u64; 2]> {
        let planned = self.config.schedule().ok()?.n_pairs_of_shard()?;
        let is_open = self.config.sprt.is_none() && self.kind != Kind::Rating && self.summary.pairs < planned;
        is_open.then_some([self.summary.pairs, planned])
    }
}

/// Whether a rating of these games had ended when its result was last written.
fn was_finished(path: &Path, summary: &Summary) -> bool {
    let text = read_own_text(&path.join(Kind::Rating.result())).unwrap_or_default();
    let written = serde_json::from_str::<RatingSummary>(&text);
    written.is_ok_and(|rating| rating.finished && rating.games == summary.games)
}
