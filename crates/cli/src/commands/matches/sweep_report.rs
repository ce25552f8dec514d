//! The result of a sweep as a table, as JSON and as a plot.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::strength::Span;
use banyan_catalog::view::json_line;
use banyan_matches::sweep::{StageGames, SweepResult, Verdict, svg};
use banyan_matches::{MatchFolder, Quantity, Summary};

use crate::output::table::Table;
use crate::output::terminal::Terminal;

/// Writes sweep.json and sweep.svg.
pub(crate) fn write(folder: &MatchFolder, result: &SweepResult) -> Result<()> {
    folder.write_file("sweep.json", &(json_line(result) + "\n"))?;
    folder.write_file("sweep.svg", &svg(result))?;
    Ok(())
}

/// Prints the result on stdout and the warnings of the games on stderr.
pub(crate) fn print(result: &SweepResult, games: &[StageGames<'_>], json: bool, terminal: &mut Terminal) -> Result<()> {
    if json {
        writeln!(terminal.out, "{}", json_line(result))?;
    } else {
        write!(terminal.out, "{}", points(result).text(terminal.width))?;
        if !result.repetitions.is_empty() {
            write!(terminal.out, "\n{}", repetitions(result).text(terminal.width))?;
        }
        writeln!(terminal.out, "\n{}", result.conclusion)?;
        for name in settings_at_an_end(result) {
            writeln!(
                terminal.out,
                "the optimum is at an end of the range of {name}; a wider range may hold a better one"
            )?;
        }
        if let Some(difference) = result.detectable {
            let (pairs, text) = (planned(games), result.text(difference));
            let text = text.trim_start_matches('+');
            writeln!(terminal.out, "smallest detectable difference with {pairs} pairs per value: {text}")?;
        }
    }
    if result.without_margin > 0 {
        let n = result.without_margin;
        writeln!(terminal.err, "warning: {n} pairs without a margin, lost by a fault, are not counted")?;
    }
    for games in games {
        for warning in Summary::of(games.config, games.lines).warnings {
            writeln!(terminal.err, "warning: {}", warning.text)?;
        }
    }
    Ok(())
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

fn planned(games: &[StageGames<'_>]) -> u64 {
    games.first().map_or(0, |games| games.config.pairs)
}

fn points(result: &SweepResult) -> Table {
    let quantity = match result.quantity {
        Quantity::Score => "score",
        Quantity::Margin => "margin",
    };
    let has_sides = result.points.iter().any(|point| point.sides.is_some());
    let names = result.settings.iter().map(|row| format!(">{}", row.name));
    let mut headings: Vec<String> = names.collect();
    headings.extend([">pairs", &format!(">{quantity}"), "95 % interval", ">fitted"].map(str::to_owned));
    if has_sides {
        headings.extend(["moving first", "moving second"].map(str::to_owned));
    }
    let mut table = Table::new(result.settings.len(), &headings);
    for point in &result.points {
        let mut row: Vec<String> = point.values.iter().map(f64::to_string).collect();
        row.push(point.pairs.to_string());
        row.extend(mean(result, point.mean));
        row.push(point.fitted.map_or_else(|| "-".to_owned(), |x| result.text(x)));
        if let Some(sides) = &point.sides {
            for side in [sides.first, sides.second] {
                let [mid, ends] = mean(result, side);
                row.push(format!("{mid} ({})", ends.trim_end_matches(" %")));
            }
        }
        table.add_row(row);
    }
    table
}

/// A mean and its interval.
fn mean(result: &SweepResult, [low, mid, high]: Span) -> [String; 2] {
    let text = |x: Option<f64>| x.map_or_else(|| "?".to_owned(), |x| result.text(x));
    [text(mid), format!("{} .. {}", text(low).trim_end_matches(" %"), text(high))]
}

fn repetitions(result: &SweepResult) -> Table {
    let mut headings = vec!["part".to_owned(), ">pairs".to_owned()];
    headings
        .extend(result.settings.iter().flat_map(|row| [format!(">optimum {}", row.name), "95 % interval".to_owned()]));
    let mut table = Table::new(1, &headings);
    for (i, part) in result.repetitions.iter().enumerate() {
        let mut row = vec![(i + 1).to_string(), part.pairs.to_string()];
        for span in &part.optimum {
            let [low, mid, high] = span.map(|x| x.map_or_else(|| "?".to_owned(), |x| format!("{x:.3}")));
            row.extend([mid, format!("{low} .. {high}")]);
        }
        table.add_row(row);
    }
    table
}
