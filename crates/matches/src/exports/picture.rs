//! A result as one picture in SVG, in light or dark colours: what was played, and the figures of its page.

use std::fmt::Write;

use banyan_catalog::escape;

use super::chart;
use super::outcome::Outcome;
use super::report::Figure;
use crate::frame::Kind;

/// Pixels of the picture, of the room at its edges, and of a line of text.
const WIDTH: f64 = 480.0;
const MARGIN: f64 = 16.0;
const LINE: f64 = 20.0;
/// Characters of a line, and lines for the names of players.
const LETTERS: usize = 56;
const MOST_LINES: usize = 8;

const COLOURS: &str = "\
.picture { --card: #fff; --ink: #1d2327; --faint: #5b646d; --rule: #dfe3e6; --accent: #0072b2; --band: #d55e0026; --lost: #d55e00; }
@media (prefers-color-scheme: dark) {
  .picture { --card: #16181c; --ink: #e7ebee; --faint: #a3adb5; --rule: #3a3f47; --accent: #56b4e9; --band: #f0a35e33; --lost: #f0a35e; }
}
.picture > .ground { fill: var(--card); }
.picture > .text { font: 14px system-ui, sans-serif; fill: var(--ink); }
.picture > .title { font-size: 16px; font-weight: bold; }
.picture > .caption { font: 13px system-ui, sans-serif; fill: var(--faint); }
";

/// The picture.
pub(super) fn picture(outcome: &Outcome<'_>) -> String {
    let report = outcome.report();
    let mut page = Page { elements: String::new(), bottom: MARGIN };
    page.line("text title", &cut(&title(outcome)));
    conditions(outcome).iter().for_each(|line| page.line("text", line));
    if report.picture.is_empty() {
        page.line("caption", "too few games for a picture");
    }
    report.picture.iter().for_each(|figure| page.figure(figure));
    let height = page.bottom + MARGIN;
    format!(
        "<svg class=\"picture\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n<style>\n{COLOURS}{}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{height}\" rx=\"8\"/>\n{}</svg>\n",
        escape(&title(outcome)),
        escape(&report.notes.join(" ")),
        chart::STYLE,
        page.elements
    )
}

fn title(outcome: &Outcome<'_>) -> String {
    let config = outcome.config();
    let names = |names: Vec<&str>| names.join(" and ");
    let of = match (&config.sweep, &config.tune, &config.ablation) {
        (_, _, Some(ablation)) => format!(" of {}", ablation.player),
        (Some(sweep), ..) => format!(" of {}", names(sweep.vary.iter().map(|row| row.name.as_str()).collect())),
        (_, Some(tune), _) => format!(" of {}", names(tune.vary.iter().map(|row| row.name.as_str()).collect())),
        _ => String::new(),
    };
    format!("{}: {}{of}", config.game, outcome.kind())
}

/// Pairs, budget and players.
fn conditions(outcome: &Outcome<'_>) -> Vec<String> {
    let config = outcome.config();
    let mut lines =
        vec![cut(&format!("{} pairs, openings {}, seed {}", outcome.summary().pairs, config.openings, config.seed))];
    // The others are in the figure: the values of a sweep at its axis, the variants of an ablation and the levels of a ladder in its rows.
    if let Some(ablation) = &config.ablation {
        lines.push(cut(&format!("budgets {}", ablation.budgets.join(", "))));
        return lines;
    }
    let (before, n_shown) = match outcome.kind() {
        Kind::Sweep => ("against ", 1),
        Kind::Ladder => ("player: ", 1),
        _ => ("players: ", config.players.len()),
    };
    let shown = config.players.iter().take(n_shown);
    let budget = config.players.first().map(|player| player.budget.as_str()).unwrap_or_default();
    let is_common = config.players.iter().all(|player| player.budget == budget);
    if is_common {
        lines.push(cut(&format!("budget {budget}")));
    }
    let own = |name: &str, budget: &str| !is_common && !name.contains('@') && !budget.is_empty();
    let named = shown.map(|player| match own(&player.name, &player.budget) {
        true => format!("{} at {}", player.name, player.budget),
        false => player.name.clone(),
    });
    let named: Vec<String> = named.collect();
    lines.extend(filled(before, named.join(",\n ").split('\n')));
    lines
}

/// Words with what separates them in lines, of which the last counts those that are left out.
fn filled<'a>(before: &str, words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let words: Vec<&str> = words.collect();
    let (mut lines, mut line) = (Vec::new(), before.to_owned());
    for (i, word) in words.iter().enumerate() {
        if line != before && line.chars().count() + word.trim_end().chars().count() > LETTERS {
            lines.push(std::mem::take(&mut line));
            if lines.len() == MOST_LINES {
                lines.push(format!("and {} more", words.len() - i));
                break;
            }
        }
        line += word;
    }
    if lines.len() <= MOST_LINES {
        lines.push(line);
    }
    lines.iter().map(|line| cut(line.trim())).collect()
}

/// The part of a text that fits a line.
fn cut(text: &str) -> String {
    match text.chars().count() > LETTERS {
        true => text.chars().take(LETTERS - 1).chain(['\u{2026}']).collect(),
        false => text.to_owned(),
    }
}

/// Elements from top to bottom.
struct Page {
    elements: String,
    bottom: f64,
}

impl Page {
    fn push(&mut self, element: &str) {
        writeln!(self.elements, "{element}").expect("writing to a string cannot fail");
    }

    fn line(&mut self, class: &str, text: &str) {
        self.bottom += LINE;
        let y = self.bottom - 6.0;
        self.push(&format!("<text class=\"{class}\" x=\"{MARGIN}\" y=\"{y}\">{}</text>", escape(text)));
    }

    fn figure(&mut self, Figure { caption, width, height, elements }: &Figure) {
        self.bottom += 8.0;
        filled("", caption.split_inclusive(' ')).iter().for_each(|line| self.line("caption", line));
        let room = WIDTH - 2.0 * MARGIN;
        let (width, y) = (width.unwrap_or(room), self.bottom + 4.0);
        let x = MARGIN + (room - width) / 2.0;
        self.push(&format!(
            "<svg class=\"plot\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">\n{elements}</svg>"
        ));
        self.bottom = y + height;
    }
}
