//! A search as a self-contained SVG drawing: the root on top, its descendants below.
//!
//! A line ends above its card in the label of the move, which has its own column, so that text, cards and lines never overlap
//! for any [layout](super::layout).

use std::fmt::{self, Write};

use banyan_catalog::escape;
use banyan_catalog::view::Exploration;

use super::layout::Layout;
use super::scene::{Card, Link, Outcome, Room, Scene};

/// Maximum number of cards.
const CARDS: usize = 40;
/// Maximum number of cards in a row: more than the moves of a Connect Four position, few enough for a screen.
const ACROSS: usize = 8;
/// Space around everything.
const BORDER: f64 = 20.0;
/// Height of a line on a card, in SVG units as everything here.
const CARD_LINE: f64 = 16.0;
/// Height of a line above a card.
const LABEL_LINE: f64 = 14.0;
/// Space between words and the edge around them.
const PADDING: f64 = 8.0;
/// Mean width of a character of 12 units, in wide fonts such as DejaVu Sans, and the same in bold.
const CHARACTER: f64 = 7.4;
const STRONG_CHARACTER: f64 = 8.4;
/// Longer texts are cut to keep the drawing small.
const MOST_CHARACTERS: usize = 24;
/// Minimum distance between two rows, and its increase per unit of width, since long lines need a slope.
const ROW_GAP: f64 = 40.0;
const ROW_GAP_SLOPE: f64 = 0.03;
/// Minimum width, for the text at the bottom.
const LEAST_WIDTH: f64 = 680.0;

const STYLE: &str = "\
.ground{fill:#f6f4ee}.card{fill:#fff;stroke-width:1.5}.first{stroke:#0072b2}.second{stroke:#d55e00}\
.leaf{stroke:#8a8474;stroke-dasharray:4 3}.won-first{fill:#cfe5f3}.won-second{fill:#fbdcc4}.draw{fill:#e3e0d8}\
.line{fill:none;stroke-opacity:.5}.label{fill:#f6f4ee}\
text{font:12px system-ui,sans-serif;fill:#444;text-anchor:middle;dominant-baseline:central}\
.strong{font-weight:600;fill:#111}.start{text-anchor:start}.head{font-size:15px}";

const LEGEND: [&str; 2] = [
    "Percent: expected score of the side named; p: prior. Line width: visits.",
    "Colour of frames and lines: side to move. Colour of filled cards: proven winner.",
];

/// `exploration` as an SVG document. Shows the 40 most visited positions.
pub fn svg(exploration: &Exploration) -> String {
    let scene = Scene::new(exploration, Room { cards: CARDS, across: ACROSS });
    let mut out = String::new();
    Drawing::new(&scene).write(&mut out, exploration).expect("text can always be written to a string");
    out
}

/// The scene with all coordinates.
struct Drawing<'a> {
    scene: &'a Scene,
    layout: Layout,
    rows: Vec<Row>,
    /// `[links]`: the end of each, at the centre of its label.
    ends: Vec<f64>,
    width: f64,
    height: f64,
}

/// Heights of a row, from the top of the drawing: labels of the links, cards, space for lines.
#[derive(Clone, Copy, Debug)]
struct Row {
    top: f64,
    cards: f64,
    bottom: f64,
}

impl Drawing<'_> {
    fn new(scene: &Scene) -> Drawing<'_> {
        let mut links_to = vec![Vec::new(); scene.cards.len()];
        scene.links.iter().enumerate().for_each(|(i, link)| links_to[link.to].push(i));
        let widths: Vec<f64> = scene.cards.iter().zip(&links_to).map(|(card, to)| column(scene, card, to)).collect();
        let mut layout = Layout::new(&widths, &scene.links);
        let width = (layout.width + 2.0 * BORDER).max(LEAST_WIDTH);
        let left = (width - layout.width) / 2.0;
        layout.items.iter_mut().for_each(|item| item.x += left);
        let rows = rows(scene, &layout, ROW_GAP + ROW_GAP_SLOPE * width);
        let height = rows.last().map_or(0.0, |row| row.bottom) + 2.0 * BORDER + LEGEND.len() as f64 * CARD_LINE;
        let mut ends = vec![0.0; scene.links.len()];
        for (card, to) in links_to.iter_mut().enumerate() {
            let from = |i: usize| layout.routes[i].iter().nth_back(1).map_or(0.0, |&before| layout.items[before].x);
            to.sort_by(|&a, &b| from(a).total_cmp(&from(b)));
            let mut x = layout.items[card].x - labels_width(scene, to) / 2.0;
            for &link in &*to {
                let width = label_width(&scene.links[link]);
                ends[link] = x + width / 2.0;
                x += width;
            }
        }
        Drawing { scene, layout, rows, ends, width, height }
    }

    fn write(&self, out: &mut String, exploration: &Exploration) -> fmt::Result {
        let (width, height) = (self.width.ceil(), self.height.ceil());
        let title = format!("{}: {}", exploration.game, exploration.position);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\" rx=\"10\"/>",
            escape(&title)
        )?;
        let room = ((width - 2.0 * BORDER) / CHARACTER) as usize;
        note(out, "start head strong", BORDER, &cut(&exploration.game, room * 2 / 3))?;
        note(out, "start", BORDER + 1.3 * CARD_LINE, &cut(&exploration.position, room))?;
        (0..self.scene.links.len()).try_for_each(|link| self.line(out, link))?;
        (0..self.scene.links.len()).try_for_each(|link| self.label(out, link))?;
        (0..self.scene.cards.len()).try_for_each(|card| self.card(out, card))?;
        for (i, text) in LEGEND.iter().rev().enumerate() {
            note(out, "start", height - BORDER - i as f64 * CARD_LINE, text)?;
        }
        writeln!(out, "</svg>")
    }

    fn card(&self, out: &mut String, i: usize) -> fmt::Result {
        let (card, item) = (&self.scene.cards[i], &self.layout.items[i]);
        let (width, height) = (item.width, card_height(card));
        let (x, y) = (item.x - width / 2.0, self.rows[item.row].cards);
        let frame = card.mover.map_or("leaf", |mover| ["first", "second"][mover]);
        let fill = match card.outcome {
            Outcome::Open => "",
            Outcome::Draw => " draw",
            Outcome::Win(side) => [" won-first", " won-second"][side],
        };
        write!(out, "<g><title>{}</title>", escape(&card.position))?;
        write!(out, r#"<rect class="card {frame}{fill}" x="{x:.1}" y="{y:.1}" width="{width:.1}" "#)?;
        writeln!(out, r#"height="{height:.1}" rx="6"/>"#)?;
        words(out, item.x, y + PADDING + CARD_LINE / 2.0, CARD_LINE, &card.lines)?;
        writeln!(out, "</g>")
    }

    fn label(&self, out: &mut String, i: usize) -> fmt::Result {
        let (link, x) = (&self.scene.links[i], self.ends[i]);
        let row = self.rows[self.layout.items[link.to].row];
        let (width, height) = (label_width(link) - 2.0, label_height(link) - PADDING);
        let (left, top) = (x - width / 2.0, row.cards - label_height(link));
        write!(out, r#"<rect class="label" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}"/>"#)?;
        words(out, x, top + LABEL_LINE / 2.0, LABEL_LINE, &link.lines)
    }

    fn line(&self, out: &mut String, i: usize) -> fmt::Result {
        let (link, route) = (&self.scene.links[i], &self.layout.routes[i]);
        let start = &self.layout.items[link.from];
        let (mut x, mut row) = (self.start(i), self.rows[start.row]);
        let class = ["first", "second"][link.mover];
        let bottom = row.cards + card_height(&self.scene.cards[link.from]);
        write!(
            out,
            r#"<path class="line {class}" stroke-width="{:.1}" d="M{x:.1} {bottom:.1}"#,
            1.0 + 6.0 * link.share
        )?;
        for &item in &route[1..] {
            let last = item == link.to;
            let to = if last { self.ends[i] } else { self.layout.items[item].x };
            let next = self.rows[self.layout.items[item].row];
            let middle = (row.bottom + next.top) / 2.0;
            write!(out, " V{:.1} C{x:.1} {middle:.1} {to:.1} {middle:.1} {to:.1} {:.1}", row.bottom, next.top)?;
            (x, row) = (to, next);
        }
        writeln!(out, " V{:.1}\"/>", row.cards)
    }

    /// The point at which a link leaves its card: links are spread in the order of their targets.
    fn start(&self, i: usize) -> f64 {
        let link = &self.scene.links[i];
        let next = |i: usize| self.layout.items[self.layout.routes[i][1]].x;
        let from_here = |&other: &usize| self.scene.links[other].from == link.from;
        let (left, all) = (0..self.scene.links.len())
            .filter(from_here)
            .fold((0, 0), |(left, all), other| (left + usize::from((next(other), other) < (next(i), i)), all + 1));
        let step = (0.7 * self.layout.items[link.from].width / f64::from(all)).min(10.0);
        self.layout.items[link.from].x + step * (left as f64 - f64::from(all - 1) / 2.0)
    }
}

/// The heights of all rows.
fn rows(scene: &Scene, layout: &Layout, gap: f64) -> Vec<Row> {
    let mut top = 2.0 * BORDER + 2.0 * CARD_LINE;
    let mut rows = Vec::with_capacity(layout.rows.len());
    for row in 0..layout.rows.len() {
        let inside = |card: usize| layout.items[card].row == row;
        let labels = scene.links.iter().filter(|link| inside(link.to)).map(label_height).fold(0.0, f64::max);
        let cards = (0..scene.cards.len()).filter(|&card| inside(card)).map(|card| card_height(&scene.cards[card]));
        let bottom = top + labels + cards.fold(0.0, f64::max);
        rows.push(Row { top, cards: top + labels, bottom });
        top = bottom + gap;
    }
    rows
}

fn column(scene: &Scene, card: &Card, links: &[usize]) -> f64 {
    card_width(card).max(labels_width(scene, links))
}

fn labels_width(scene: &Scene, links: &[usize]) -> f64 {
    links.iter().map(|&link| label_width(&scene.links[link])).sum()
}

fn card_width(card: &Card) -> f64 {
    text_width(&card.lines) + 2.0 * PADDING
}

fn card_height(card: &Card) -> f64 {
    card.lines.len() as f64 * CARD_LINE + 2.0 * PADDING
}

fn label_width(link: &Link) -> f64 {
    text_width(&link.lines) + PADDING
}

/// The label, and a piece of line below it.
fn label_height(link: &Link) -> f64 {
    link.lines.len() as f64 * LABEL_LINE + PADDING
}

/// The width of some lines, the first one bold.
fn text_width(lines: &[String]) -> f64 {
    let width = |(i, line): (usize, &String)| {
        let character = if i == 0 { STRONG_CHARACTER } else { CHARACTER };
        line.chars().count().min(MOST_CHARACTERS) as f64 * character
    };
    lines.iter().enumerate().map(width).fold(0.0, f64::max)
}

/// Lines of text, the first one bold.
fn words(out: &mut String, x: f64, mut y: f64, step: f64, lines: &[String]) -> fmt::Result {
    for (i, line) in lines.iter().enumerate() {
        let class = if i == 0 { r#" class="strong""# } else { "" };
        writeln!(out, r#"<text{class} x="{x:.1}" y="{y:.1}">{}</text>"#, escape(&cut(line, MOST_CHARACTERS)))?;
        y += step;
    }
    Ok(())
}

/// A line at the left border.
fn note(out: &mut String, class: &str, y: f64, text: &str) -> fmt::Result {
    writeln!(out, r#"<text class="{class}" x="{BORDER}" y="{y:.1}">{}</text>"#, escape(text))
}

/// `text` cut to a number of characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
