//! The result of what was played in a folder, ready for every form of export: that of a running command, or of a folder as it was left,
//! which needs no player and no engine of its games.

use std::path::{Path, PathBuf};

use banyan_catalog::Catalog;
use banyan_catalog::pairs::{GameLine, MatchError};
use banyan_catalog::storage::read_own_text;
use banyan_catalog::view::json_line;
use banyan_core::TextError;
use banyan_texts::Language;

use super::ablation::ablation_report;
use super::games::{Games, lost_sheet, with_games};
use super::html::html;
use super::ladder::ladder_report;
use super::match_report::match_report;
use super::rating::rating_report;
use super::report::{Report, Sheet};
use super::sweep::sweep_report;
use super::tune::tune_report;
use crate::ablation::AblationResult;
use crate::config::MatchConfig;
use crate::folder::{holds_match, read_folder};
use crate::frame::Kind;
use crate::ladder::LadderResult;
use crate::lost_game::LossReview;
use crate::lost_games::{Drops, kept_drops};
use crate::openings::by_opening;
use crate::rating::RatingSummary;
use crate::summary::Summary;
use crate::sweep::{StageGames, SweepResult};
use crate::tune::{Confirmation, TuneResult};

/// Details of a result that do not follow from its games.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// Decisive moves of lost games that are reviewed.
    pub drops: Drops,
    /// The review of the lost games of a match or ladder.
    pub loss_review: Option<LossReview>,
    /// Whether all games of a rating are played.
    pub is_finished: bool,
    /// Whether the values of a sweep have results by colour.
    pub by_colour: bool,
    /// The number of parts of a sweep that are fitted separately, 0 for none.
    pub repetitions: usize,
    /// The language of the report.
    pub language: Language,
}

/// The result of a match, sweep, ablation, tuning, rating or ladder, finished or not.
pub struct Outcome<'a> {
    catalog: &'a Catalog,
    kind: Kind,
    games: StageGames<'a>,
    drops: Drops,
    summary: Summary,
    ablation: Option<AblationResult>,
    report: Report,
    /// The first table in English, as in CSV; `None` if the report is English.
    first_sheet: Option<Sheet>,
    json: String,
}

impl<'a> Outcome<'a> {
    /// The result of the games of all stages, of which there is at least one.
    ///
    /// # Errors
    /// A configuration that is not of this kind.
    pub fn of(
        catalog: &'a Catalog,
        kind: Kind,
        stages: &[StageGames<'a>],
        details: Details,
    ) -> Result<Outcome<'a>, TextError> {
        let none = || TextError::new("a result of no stage", "expected at least one", "use a folder with games");
        let games @ StageGames { config, lines } = *stages.first().ok_or_else(none)?;
        let mut summary = Summary::of(config, lines);
        summary.loss_review = details.loss_review;
        let in_english = |report: &dyn Fn() -> Report| match details.language {
            Language::En => None,
            _ => report().sheets.into_iter().next(),
        };
        let mut ablation = None;
        let first_sheet;
        let (json, mut report) = match kind {
            Kind::Match => {
                summary.openings = by_opening(config, lines, catalog);
                first_sheet = in_english(&|| match_report(config, &summary, Language::En));
                (json_line(&summary), match_report(config, &summary, details.language))
            }
            Kind::Sweep => {
                let result = SweepResult::of(stages, details.by_colour, details.repetitions)?;
                first_sheet = in_english(&|| sweep_report(stages, &result, Language::En));
                (json_line(&result), sweep_report(stages, &result, details.language))
            }
            Kind::Ablation => {
                let result = AblationResult::of(config, lines)?;
                let report = |language: Language| ablation_report(config, &result, &summary.warnings, language);
                first_sheet = in_english(&|| report(Language::En));
                let found = (json_line(&result), report(details.language));
                ablation = Some(result);
                found
            }
            Kind::Tuning => {
                let confirmation = stages.get(1).and_then(|stage| Confirmation::of(stage.config, stage.lines));
                let result = TuneResult::of(config, lines, confirmation)?;
                first_sheet = in_english(&|| tune_report(config, &result, &[], Language::En));
                (json_line(&result), tune_report(config, &result, &summary.warnings, details.language))
            }
            Kind::Rating => {
                let rating = RatingSummary::of(config, &summary, details.is_finished)?;
                first_sheet = in_english(&|| rating_report(config, &rating, Language::En));
                (json_line(&rating), rating_report(config, &rating, details.language))
            }
            Kind::Ladder => {
                let tables = catalog.tables(&config.game).expect("a ladder is one of a game with levels");
                let result = LadderResult::of(config, &tables, &summary);
                first_sheet = in_english(&|| ladder_report(config, &result, Language::En, &[]));
                (json_line(&result), ladder_report(config, &result, details.language, &summary.warnings))
            }
        };
        let (drops, language) = (details.drops, report.language);
        if kind.lists_lost_games() {
            report.lost = lost_sheet(config, Games { catalog, lines, drops: &drops, language });
        }
        Ok(Outcome { catalog, kind, games, drops, summary, ablation, report, first_sheet, json })
    }

    /// The kind of its folder.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The configuration of the games of the first stage.
    pub fn config(&self) -> &'a MatchConfig {
        self.games.config
    }

    /// The games of the first stage.
    pub(super) fn lines(&self) -> &'a [GameLine] {
        self.games.lines
    }

    /// The result of the games as those of a match.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The result of an ablation.
    pub(super) fn ablation(&self) -> Option<&AblationResult> {
        self.ablation.as_ref()
    }

    /// The report, without the games of its page.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The first table in English; `None` if the report has no table.
    pub(super) fn first_sheet(&self) -> Option<&Sheet> {
        self.first_sheet.as_ref().or(self.report.sheets.first())
    }

    /// The page, with the games of a match or ladder.
    pub(super) fn page(&self) -> String {
        if !self.kind.lists_lost_games() {
            return html(&self.report);
        }
        let games =
            Games { catalog: self.catalog, lines: self.lines(), drops: &self.drops, language: self.report.language };
        html(&with_games(self.report.clone(), self.config(), &self.summary, games))
    }

    /// The object of the JSON file.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Pairs played and pairs planned, if some that were planned are missing.
    pub fn missing(&self) -> Option<[u64; 2]> {
        let planned = self.config().schedule().ok()?.n_pairs_of_shard()?;
        let is_open = self.config().sprt.is_none() && self.kind != Kind::Rating && self.summary.pairs < planned;
        is_open.then_some([self.summary.pairs, planned])
    }
}

/// The games of a folder with its stages, read without locking it.
pub struct StoredGames {
    path: PathBuf,
    /// The first stage, and the second one if it was begun.
    stages: Vec<(MatchConfig, Vec<GameLine>)>,
}

impl StoredGames {
    /// Reads a folder.
    ///
    /// # Errors
    /// There is no match in it, its configuration was changed, or a line of its games is damaged.
    pub fn read(catalog: &Catalog, path: &Path) -> Result<StoredGames, MatchError> {
        let (config, _, lines) = read_folder(path)?;
        let second = Kind::of(&config, catalog).second_stage().map(|name| path.join(name));
        let mut stages = vec![(config, lines)];
        if let Some(path) = second.filter(|path| holds_match(path)) {
            let (config, _, lines) = read_folder(&path)?;
            stages.push((config, lines));
        }
        Ok(StoredGames { path: path.to_owned(), stages })
    }

    /// The games of the first stage, in the order in which they ended.
    pub fn lines(&self) -> &[GameLine] {
        &self.stages[0].1
    }

    /// The result, in words of this language.
    ///
    /// # Errors
    /// A configuration that was changed.
    pub fn outcome<'a>(&'a self, catalog: &'a Catalog, language: Language) -> Result<Outcome<'a>, TextError> {
        let stages = self.stages.iter().map(|(config, lines)| StageGames { config, lines });
        let stages: Vec<StageGames<'_>> = stages.collect();
        let StageGames { config, lines } = stages[0];
        let kind = Kind::of(config, catalog);
        let drops = if kind.lists_lost_games() { kept_drops(&self.path, lines) } else { Drops::default() };
        let is_finished = kind == Kind::Rating && was_finished(&self.path, Summary::of(config, lines).games);
        Outcome::of(catalog, kind, &stages, Details { drops, is_finished, language, ..Details::default() })
    }
}

/// Whether a rating of this number of games had ended when its result was last written.
fn was_finished(path: &Path, games: u64) -> bool {
    let text = read_own_text(&path.join(Kind::Rating.result())).unwrap_or_default();
    let written = serde_json::from_str::<RatingSummary>(&text);
    written.is_ok_and(|rating| rating.finished && rating.games == games)
}
