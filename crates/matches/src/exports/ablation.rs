//! The report of an ablation: a table of the rows by budget, what their numbers mean, and a forest plot.

use std::fmt::Display;

use banyan_catalog::strength::Span;
use banyan_texts::Language;

use super::chart::Form;
use super::dots::{Dot, dots};
use super::report::{Cell, Figure, Part, Report, Section, Sheet};
use crate::ablation::{AblationResult, RowResult, RowVerdict};
use crate::config::MatchConfig;
use crate::warnings::Warning;

/// The report.
pub(super) fn ablation_report(
    config: &MatchConfig,
    result: &AblationResult,
    warnings: &[Warning],
    language: Language,
) -> Report {
    let figure = forest(result, language);
    let title = language.say("ablation.title", &[("game", &result.game), ("player", &result.player)]);
    let key = if result.repeated > 0 { "ablation.facts-repeated" } else { "ablation.facts" };
    let facts: [(&str, &dyn Display); 3] = [("pairs", &result.pairs), ("of", &result.of), ("n", &result.repeated)];
    let mut sheets = vec![rows(result, language)];
    sheets.extend([kept(result, language), remarks(result, language)].into_iter().flatten());
    Report {
        title: title.clone(),
        facts: vec![language.say(key, &facts)],
        notes: notes(result, language),
        warnings: warnings.to_vec(),
        sheets,
        sections: figure.iter().map(|figure| Section::of("", Part::Figure(figure.clone()))).collect(),
        picture: figure.into_iter().collect(),
        ..Report::new(title, config, language)
    }
}

fn notes(result: &AblationResult, language: Language) -> Vec<String> {
    let mut notes = vec![result.in_words(language)];
    notes.push(language.say("ablation.judged", &[("n", &result.comparisons), ("budgets", &result.budgets.len())]));
    if let Some(detectable) = result.detectable {
        notes.push(detectable.in_words(result.comparisons, language));
    }
    if result.rows.iter().any(|row| row.speed.is_some()) {
        notes.push(language.say("ablation.speed-is", &[("player", &result.player)]));
    }
    notes
}

fn rows(result: &AblationResult, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let headings = [
        text("ablation.row"),
        text("ablation.budget"),
        number("table.pairs"),
        number("table.wdl"),
        number("ablation.elo"),
        text("ablation.interval"),
        text("ablation.of-all"),
        text("ablation.verdict"),
        number("ablation.speed"),
    ];
    let rows = result.rows.iter().map(|row| {
        let [wins, draws, losses] = row.wdl;
        let cells = [
            row.variant.name.clone(),
            row.budget.clone(),
            row.pairs.to_string(),
            format!("{wins}-{draws}-{losses}"),
            elo(row.elo[1]),
            ends(row.elo),
            ends(row.elo_of_all),
            verdict(row.verdict, language),
            row.speed.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.2}")),
        ];
        let mut cells: Vec<Cell> = cells.into_iter().map(Cell::from).collect();
        if !row.variant.instead_of.is_empty() {
            cells[0].hint = language
                .say("ablation.instead", &[("settings", &row.variant.settings), ("before", &row.variant.instead_of)]);
        }
        cells
    });
    Sheet { n_keys: if result.budgets.len() > 1 { 2 } else { 1 }, ..Sheet::new("", &headings, rows) }
}

/// The settings that were not switched off.
fn kept(result: &AblationResult, language: Language) -> Option<Sheet> {
    let text = |key: &str| language.say(key, &[]);
    let rows = result.kept.iter().map(|kept| vec![kept.setting.clone(), kept.in_words(language)]);
    let headings = [text("ablation.setting"), text("ablation.reason")];
    (!result.kept.is_empty()).then(|| Sheet::new(text("ablation.kept"), &headings, rows))
}

/// The settings of the rows, with their notes and papers, of rows with more than a name.
fn remarks(result: &AblationResult, language: Language) -> Option<Sheet> {
    let text = |key: &str| language.say(key, &[]);
    let first = result.budgets.first();
    let has_remark = |row: &RowResult| row.variant.note.is_some() || row.variant.paper.is_some();
    let says_more =
        |row: &&RowResult| Some(&row.budget) == first && (row.variant.name != row.variant.settings || has_remark(row));
    let rows: Vec<&RowResult> = result.rows.iter().filter(says_more).collect();
    let with_remarks = rows.iter().any(|row| has_remark(row));
    let mut headings = ["ablation.row", "ablation.settings", "ablation.instead-of"].map(text).to_vec();
    headings.extend(with_remarks.then(|| text("ablation.remark")));
    let row = |row: &&RowResult| {
        let remark: Vec<&str> = row.variant.note.iter().chain(&row.variant.paper).map(String::as_str).collect();
        let mut cells = vec![row.variant.name.clone(), row.variant.settings.clone(), row.variant.instead_of.clone()];
        cells.extend(with_remarks.then(|| remark.join("; ")));
        cells
    };
    (!rows.is_empty()).then(|| Sheet::new(text("ablation.rows"), &headings, rows.iter().map(row)))
}

pub(super) fn verdict(verdict: RowVerdict, language: Language) -> String {
    language.say(
        match verdict {
            RowVerdict::Better => "ablation.is-better",
            RowVerdict::Worse => "ablation.is-worse",
            RowVerdict::Undecided => "ablation.is-undecided",
        },
        &[],
    )
}

/// Whole Elo with a sign; without the sign of -0.
fn elo(elo: Option<f64>) -> String {
    elo.map_or_else(|| "?".to_owned(), |elo| format!("{:+.0}", elo.round() + 0.0))
}

/// `-12 .. +30`; an end that the games do not determine is open.
fn ends([low, _, high]: Span) -> String {
    match (low, high) {
        (None, None) => "?".to_owned(),
        (Some(_), None) => format!("> {}", elo(low)),
        (None, Some(_)) => format!("< {}", elo(high)),
        (Some(_), Some(_)) => format!("{} .. {}", elo(low), elo(high)),
    }
}

/// The differences with both intervals, by budget.
fn forest(result: &AblationResult, language: Language) -> Option<Figure> {
    let of_budget = |budget: &String| {
        let rows = result.rows.iter().filter(move |row| row.budget == *budget);
        let rows = rows.map(|row| Dot::with_wide(&row.variant.name, row.elo, row.elo_of_all));
        let heading = language.say("ablation.at-budget", &[("budget", budget)]);
        std::iter::once(Dot::heading(&heading)).chain(rows).collect::<Vec<_>>()
    };
    let caption = language.say("ablation.forest", &[("player", &result.player), ("n", &result.comparisons)]);
    dots(result.budgets.iter().flat_map(of_budget).collect(), Form::Number, &caption)
}
