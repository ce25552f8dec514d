//! The report of a sweep: the values with their results, and the fits of its repetitions.

use std::fmt::Display;

use banyan_catalog::strength::Span;
use banyan_texts::Language;

use super::report::{Part, Report, Section, Sheet};
use super::sweep_figure::sweep_figure;
use crate::config::MatchConfig;
use crate::summary::Summary;
use crate::sweep::{Coordinate, StageGames, SweepResult, Verdict};
use crate::sweep_config::Quantity;
use crate::warnings::Warning;

/// The report of all stages of a sweep.
pub(super) fn sweep_report(stages: &[StageGames<'_>], result: &SweepResult, language: Language) -> Report {
    let first: &MatchConfig = stages.first().expect("a result has a stage").config;
    let mut sheets = vec![points(result, language)];
    if !result.repetitions.is_empty() {
        sheets.push(repetitions(result, language));
    }
    let vary = first.sweep.as_ref().map_or(&[][..], |sweep| &sweep.vary);
    let mut notes = vec![result.in_words(vary, language)];
    notes.extend(settings_at_an_end(result).map(|name| language.say("sweep.at-an-end", &[("name", &name)])));
    notes.extend(result.detectable.map(|difference| {
        let text = result.text(difference);
        let text = text.trim_start_matches('+');
        language.say("sweep.detectable", &[("n", &first.pairs), ("difference", &text)])
    }));
    notes.extend(result.more_pairs.map(|n| {
        let key = if result.at_default.is_some() { "sweep.more-default" } else { "sweep.more-worst" };
        language.say(key, &[("n", &n)])
    }));
    let figure = sweep_figure(result, language);
    let names: Vec<&str> = result.settings.iter().map(|setting| setting.name.as_str()).collect();
    let names = names.join(&language.say("sweep.and", &[]));
    let key = if result.repeated > 0 { "sweep.facts-repeated" } else { "sweep.facts" };
    let facts: [(&str, &dyn Display); 4] =
        [("pairs", &result.pairs), ("of", &result.of), ("opponent", &result.opponent), ("n", &result.repeated)];
    Report {
        title: language.say("sweep.title", &[("game", &result.game), ("names", &names)]),
        facts: vec![language.say(key, &facts)],
        notes,
        warnings: warnings(stages, result),
        sheets,
        sections: figure.iter().map(|figure| Section::of("", Part::Figure(figure.clone()))).collect(),
        picture: figure.into_iter().collect(),
        ..Report::new(&result.game, first, language)
    }
}

fn warnings(stages: &[StageGames<'_>], result: &SweepResult) -> Vec<Warning> {
    let n = result.without_margin;
    let warning = format!("{n} pairs without a margin, lost by a fault, are not counted");
    let without = (n > 0).then(|| Warning::new("faults", warning));
    let of_games = stages.iter().flat_map(|games| Summary::of(games.config, games.lines).warnings);
    without.into_iter().chain(of_games).collect()
}

/// The settings whose optimum is the first or the last value, unless the games determine none.
fn settings_at_an_end(result: &SweepResult) -> impl Iterator<Item = &str> {
    let is_end = |axis: usize, optimum: f64| {
        let values = || result.points.iter().map(|point| point.values[axis]);
        !values().any(|value| value < optimum) || !values().any(|value| value > optimum)
    };
    let optimum = result.optimum().filter(|_| result.verdict != Verdict::Undetermined);
    let ends = optimum.into_iter().flatten().enumerate().filter(move |&(axis, optimum)| is_end(axis, optimum));
    ends.map(|(axis, _)| result.settings[axis].name.as_str())
}

fn points(result: &SweepResult, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let quantity = match result.quantity {
        Quantity::Score => number("sweep.score"),
        Quantity::Margin => number("sweep.margin"),
    };
    let has_sides = result.points.iter().any(|point| point.sides.is_some());
    let mut headings: Vec<String> = result.settings.iter().map(|row| format!(">{}", row.name)).collect();
    headings.extend([number("table.pairs"), quantity, text("sweep.interval"), number("sweep.fitted")]);
    if has_sides {
        headings.extend(["table.moving-first", "table.moving-second"].map(text));
    }
    let rows = result.points.iter().map(|point| {
        let mut row: Vec<String> = point.values.iter().map(f64::to_string).collect();
        row.push(point.pairs.to_string());
        row.extend(mean(result, point.mean));
        row.push(point.fitted.map_or_else(|| "-".to_owned(), |x| result.text(x)));
        for side in point.sides.iter().flat_map(|sides| [sides.first, sides.second]) {
            let [mid, ends] = mean(result, side);
            row.push(format!("{mid} ({})", ends.trim_end_matches(" %")));
        }
        row
    });
    Sheet { n_keys: result.settings.len(), ..Sheet::new("", &headings, rows) }
}

/// A mean and its interval.
fn mean(result: &SweepResult, [low, mid, high]: Span) -> [String; 2] {
    let text = |x: Option<f64>| x.map_or_else(|| "?".to_owned(), |x| result.text(x));
    [text(mid), format!("{} .. {}", text(low).trim_end_matches(" %"), text(high))]
}

fn repetitions(result: &SweepResult, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let of = |row: &Coordinate| format!(">{}", language.say("sweep.optimum", &[("name", &row.name)]));
    let optima = result.settings.iter().flat_map(|row| [of(row), text("sweep.interval")]);
    let headings: Vec<String> =
        [text("sweep.part"), format!(">{}", text("table.pairs"))].into_iter().chain(optima).collect();
    let rows = result.repetitions.iter().zip(1..).map(|(part, number)| {
        let number: usize = number;
        let spans = part.optimum.iter().flat_map(|span| {
            let [low, mid, high] = span.map(|x| x.map_or_else(|| "?".to_owned(), |x| format!("{x:.3}")));
            [mid, format!("{low} .. {high}")]
        });
        [number.to_string(), part.pairs.to_string()].into_iter().chain(spans).collect()
    });
    Sheet::new("", &headings, rows)
}
