//! The report of a ladder.

use banyan_texts::Language;

use super::chart::Form;
use super::dots::{Dot, dots};
use super::report::{Cell, Report, Sheet};
use super::sheets::percent;
use crate::config::MatchConfig;
use crate::ladder::{self, LadderResult, Rung};
use crate::warnings::Warning;

/// Characters of a full bar.
const BAR: usize = 20;

/// The report: the opponents, the strongest first.
pub(super) fn ladder_report(
    config: &MatchConfig,
    result: &LadderResult,
    language: Language,
    warnings: &[Warning],
) -> Report {
    let title = ladder::title(result, language);
    let sheet = Sheet::new(title.clone(), &ladder::headings(language), result.rungs.iter().rev().map(row));
    let rungs = result.rungs.iter().rev();
    let scores = rungs.filter(|rung| rung.score[1].is_some()).map(|rung| Dot::of(&rung.name, rung.score));
    let chart = dots(scores.collect(), Form::Percent, &language.say("ladder.chart", &[]));
    Report {
        picture: chart.into_iter().collect(),
        notes: ladder::notes(result, language),
        warnings: warnings.to_vec(),
        sheets: vec![Sheet { class: "ladder", ..sheet }],
        ..Report::new(title, config, language)
    }
}

fn row(rung: &Rung) -> Vec<Cell> {
    let [wins, draws, losses] = rung.wdl;
    let texts = [
        rung.name.clone(),
        rung.elo.map_or_else(String::new, |elo| format!("{elo:+}")),
        format!("{wins}-{draws}-{losses}"),
        percent(rung.score[1], 1),
        rung.expected.map_or_else(String::new, |score| percent(Some(score), 1)),
        format!("{}/{}", rung.points, 2 * (wins + draws + losses)),
    ];
    texts.into_iter().map(Cell::from).chain([bar(rung.score[1].unwrap_or(0.0))]).collect()
}

fn bar(share: f64) -> Cell {
    let full = (share * BAR as f64).round() as usize;
    Cell { bar: Some(share), ..Cell::from("█".repeat(full) + &"░".repeat(BAR - full)) }
}
