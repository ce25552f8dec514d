//! The report of a sweep: the values with their results, and the fits of its repetitions.

use banyan_catalog::strength::Span;
use banyan_texts::Language;

use super::report::{Part, Report, Section, Sheet};
use super::sweep_figure::sweep_figure;
use crate::config::MatchConfig;
use crate::summary::Summary;
use crate::sweep::{StageGames, SweepResult, Verdict};
use crate::sweep_config::Quantity;
use crate::warnings::Warning;

/// The report of all stages of a sweep.
pub(super) fn sweep_report(stages: &[StageGames<'_>], result: &SweepResult) -> Report {
    let first: &MatchConfig = stages.first().expect("a result has a stage").config;
    let mut sheets = vec![points(result)];
    if !result.repetitions.is_empty() {
        sheets.push(repetitions(result));
    }
    let mut notes = vec![result.conclusion.clone()];
    notes.extend(
        settings_at_an_end(result).map(|name| {
            format!("the optimum is at an end of the range of {name}; a wider range may hold a better one")
        }),
    );
    notes.extend(result.detectable.map(|difference| {
        let text = result.text(difference);
        let text = text.trim_start_matches('+');
        format!("smallest detectable difference with {} pairs per value: {text}", first.pairs)
    }));
    notes.extend(result.more_pairs.map(|n| {
        let between = match result.at_default {
            Some(_) => "the optimum of the fit and the default",
            None => "the best and the worst value",
        };
        format!("about {n} more pairs per value would show a difference of the size found between {between}")
    }));
    let figure = sweep_figure(result);
    let names: Vec<&str> = result.settings.iter().map(|setting| setting.name.as_str()).collect();
    let repeated = if result.repeated > 0 { format!(", {} repeated", result.repeated) } else { String::new() };
    Report {
        title: format!("{}: sweep of {}", result.game, names.join(" and ")),
        facts: vec![format!("{} of {} pairs against {}{repeated}", result.pairs, result.of, result.opponent)],
        notes,
        warnings: warnings(stages, result),
        sheets,
        sections: figure.iter().map(|figure| Section::of("", Part::Figure(figure.clone()))).collect(),
        picture: figure.into_iter().collect(),
        ..Report::new(&result.game, first, Language::En)
    }
}

fn warnings(stages: &[StageGames<'_>], result: &SweepResult) -> Vec<Warning> {
    let n = result.without_margin;
    let text = format!("{n} pairs without a margin, lost by a fault, are not counted");
    let without = (n > 0).then(|| Warning::new("faults", text));
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

fn points(result: &SweepResult) -> Sheet {
    let quantity = match result.quantity {
        Quantity::Score => ">score",
        Quantity::Margin => ">margin",
    };
    let has_sides = result.points.iter().any(|point| point.sides.is_some());
    let mut headings: Vec<String> = result.settings.iter().map(|row| format!(">{}", row.name)).collect();
    headings.extend([">pairs", quantity, "95 % interval", ">fitted"].map(str::to_owned));
    if has_sides {
        headings.extend(["moving first", "moving second"].map(str::to_owned));
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

fn repetitions(result: &SweepResult) -> Sheet {
    let optima = result.settings.iter().flat_map(|row| [format!(">optimum {}", row.name), "95 % interval".to_owned()]);
    let headings: Vec<String> = ["part", ">pairs"].map(str::to_owned).into_iter().chain(optima).collect();
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
