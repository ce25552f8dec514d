//! A search as a graph for Graphviz: `dot -Tpdf search.dot`.

use std::fmt::{self, Write};

use banyan_catalog::view::Exploration;

use super::scene::{Card, Link, Outcome, Room, Scene};

/// Maximum number of cards, which Graphviz lays out in seconds.
const CARDS: usize = 200;
/// Blue and vermilion of a palette for all forms of colour blindness (Okabe and Ito 2008).
const SIDE_COLOURS: [&str; 2] = ["#0072b2", "#d55e00"];
/// Light variants, as backgrounds of text.
const WON_COLOURS: [&str; 2] = ["#cfe5f3", "#fbdcc4"];
const DRAW_COLOUR: &str = "#e3e0d8";

/// `exploration` in the DOT language, with the 200 most visited positions. Frames and lines have the colour of the side to
/// move; the fill is that of the proven winner.
pub fn dot(exploration: &Exploration) -> String {
    let scene = Scene::new(exploration, Room { cards: CARDS, across: CARDS });
    let mut out = String::new();
    graph(&mut out, exploration, &scene).expect("text can always be written to a string");
    out
}

fn graph(out: &mut String, exploration: &Exploration, scene: &Scene) -> fmt::Result {
    let title = quoted(&[format!("{}: {}", exploration.game, exploration.position)]);
    writeln!(out, "digraph search {{")?;
    writeln!(out, "  graph [label={title}, labelloc=t, fontname=\"sans-serif\"];")?;
    writeln!(out, "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11];")?;
    writeln!(out, "  edge [fontname=\"sans-serif\", fontsize=10, arrowsize=0.6];")?;
    scene.cards.iter().enumerate().try_for_each(|(i, card)| node(out, i, card))?;
    scene.links.iter().try_for_each(|link| edge(out, link))?;
    writeln!(out, "}}")
}

fn node(out: &mut String, i: usize, card: &Card) -> fmt::Result {
    let frame = card.mover.map_or("#8a8474", |mover| SIDE_COLOURS[mover]);
    let fill = match card.outcome {
        Outcome::Open => "#ffffff",
        Outcome::Draw => DRAW_COLOUR,
        Outcome::Win(side) => WON_COLOURS[side],
    };
    let tooltip = quoted(std::slice::from_ref(&card.position));
    writeln!(out, "  n{i} [label={}, color=\"{frame}\", fillcolor=\"{fill}\", tooltip={tooltip}];", quoted(&card.lines))
}

fn edge(out: &mut String, link: &Link) -> fmt::Result {
    let (width, colour) = (0.5 + 5.5 * link.share, SIDE_COLOURS[link.mover]);
    // Graphviz puts labels right beside the line; a wide line would touch them.
    let label = quoted(&link.lines.iter().map(|line| format!("  {line}")).collect::<Vec<_>>());
    writeln!(out, "  n{} -> n{} [label={label}, color=\"{colour}\", penwidth={width:.2}];", link.from, link.to)
}

/// Lines as one string of Graphviz.
fn quoted(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| line.replace('\\', "\\\\").replace('"', "\\\"")).collect();
    format!("\"{}\"", lines.join("\\n"))
}
