//! Boards and results as text for a terminal.

use anstyle::{AnsiColor, Color, Style};
use banyan_catalog::{GameState, Session};
use banyan_core::{Cell, Edge, Margin, Picture, Side, Structure};
use banyan_texts::Language;

use crate::output::game_words;
use crate::output::move_names::{Spot, move_names};

/// The characters of a drawing, ASCII or Unicode. The sides differ in shape as well as in colour.
struct Pens {
    sides: [&'static str; 2],
    hole: &'static str,
    empty: &'static str,
    legal: &'static str,
    dot: &'static str,
    horizontal: [&'static str; 2],
    vertical: [&'static str; 2],
}

const PLAIN: Pens = Pens {
    sides: ["X", "O"],
    hole: "#",
    empty: ".",
    legal: "+",
    dot: "+",
    horizontal: ["-", "="],
    vertical: ["|", "#"],
};

const UNICODE: Pens = Pens {
    sides: ["●", "○"],
    hole: "▒",
    empty: "·",
    legal: "+",
    dot: "•",
    horizontal: ["─", "━"],
    vertical: ["│", "┃"],
};

/// Characters of a cell, and most characters of a label.
const LABEL_WIDTH: usize = 3;

const DIM: Style = Style::new().dimmed();
const LEGAL: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Green)));
const LABEL: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Cyan)));
const LAST: Style = Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::BrightRed)));

/// Condition for letters above numbered columns. Moves are the numbers; letters are used only in the names of cells,
/// which only holes require: `hole=d3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    /// If the board has holes: nothing else that is typed or printed names a cell by its letter.
    WithHoles,
    /// Also if holes may be added.
    Always,
}

/// The board of a session, or its position as text if it has none.
pub(crate) fn paint_session(session: &Session, ascii: bool) -> String {
    paint_or_position(session, Letters::WithHoles, ascii)
}

/// The board of a session with the name of every legal move at its place; `None` if the game has no board, or names that do not fit.
pub(crate) fn paint_moves(session: &Session, ascii: bool) -> Option<String> {
    let picture = session.picture()?;
    let names = move_names(session);
    let mut labels = Labels { cells: vec![""; picture.cells.len()], edges: Vec::new() };
    labels.edges.resize(picture.edges.as_ref().map_or(0, Vec::len), "");
    for mv in &names {
        match mv.spot {
            None => {}
            Some(_) if mv.name.chars().count() > LABEL_WIDTH => return None,
            Some(Spot::Cell(at)) => labels.cells[at] = &mv.name,
            Some(Spot::Edge(at)) => labels.edges[at] = &mv.name,
        }
    }
    Some(paint(&picture, &labels, Letters::WithHoles, ascii))
}

/// The board of a session with the names of all cells, for setting up a board; or its position as text if it has none.
pub(crate) fn paint_named(session: &Session, ascii: bool) -> String {
    paint_or_position(session, Letters::Always, ascii)
}

/// The board of a session with the labels of the parts of its structure, or its position as text if it has none.
pub(crate) fn paint_structure(session: &GameState, structure: &Structure, ascii: bool) -> String {
    let Some(picture) = session.picture() else { return session.position() + "\n" };
    let mut labels = Labels { cells: vec![""; picture.cells.len()], edges: Vec::new() };
    for part in structure.parts.iter().filter(|part| !part.label.is_empty()) {
        part.cells.iter().for_each(|&cell| labels.cells[cell] = &part.label);
    }
    paint(&picture, &labels, Letters::Always, ascii)
}

fn paint_or_position(session: &Session, letters: Letters, ascii: bool) -> String {
    session
        .picture()
        .map_or_else(|| session.position() + "\n", |picture| paint(&picture, &Labels::default(), letters, ascii))
}

/// The winner and the margin.
pub(crate) fn outcome(language: Language, session: &Session) -> String {
    let not_over = || language.say("review.not-over", &[]);
    session.result().map_or_else(not_over, |margin| result_in(language, session, margin))
}

/// The result of a finished game as text.
pub(crate) fn result(session: &Session, margin: Margin) -> String {
    result_in(Language::En, session, margin)
}

fn result_in(language: Language, session: &Session, margin: Margin) -> String {
    let Some(side) = margin.winner() else { return language.say("terminal.draw", &[]) };
    let (side, how) = (language.side(session.side_name(side)), game_words::by_how_much(language, session, margin));
    language.say("terminal.wins-by", &[("side", &side), ("how", &how)])
}

/// The character that marks a side on boards.
pub(crate) fn mark(side: Side, ascii: bool) -> &'static str {
    let pens = if ascii { &PLAIN } else { &UNICODE };
    pens.sides[side.index()]
}

/// Texts of at most [`LABEL_WIDTH`] characters, printed in empty cells and instead of edges that are not drawn; missing ones are empty.
#[derive(Default)]
struct Labels<'a> {
    cells: Vec<&'a str>,
    edges: Vec<&'a str>,
}

fn paint(picture: &Picture, labels: &Labels<'_>, letters: Letters, ascii: bool) -> String {
    let pens = if ascii { &PLAIN } else { &UNICODE };
    match &picture.edges {
        Some(edges) => paint_dots(picture, edges, labels, pens),
        None => paint_squares(picture, &labels.cells, letters, pens),
    }
}

fn side_style(side: Side) -> Style {
    let color = match side {
        Side::First => AnsiColor::BrightBlue,
        Side::Second => AnsiColor::BrightYellow,
    };
    Style::new().bold().fg_color(Some(Color::Ansi(color)))
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

fn paint_squares(picture: &Picture, labels: &[&str], letters: Letters, pens: &Pens) -> String {
    let mut text = String::new();
    for (row, cells) in picture.cells.chunks(picture.columns).enumerate() {
        let labels =
            labels.get(row * picture.columns..).unwrap_or_default().iter().copied().chain(std::iter::repeat(""));
        let label = picture.row_labels.get(row).map_or("", String::as_str);
        text += &styled(DIM, &format!("{label:>3} "));
        cells.iter().zip(labels).for_each(|(cell, label)| text += &square(cell, label, pens));
        end_line(&mut text);
    }
    let labels = picture.column_labels.iter().map(|label| format!("{label:^3}"));
    text += &styled(DIM, format!("    {}", labels.collect::<String>()).trim_end());
    text.push('\n');
    let is_numbered = picture.column_labels.iter().all(|label| label.bytes().all(|byte| byte.is_ascii_digit()));
    let has_letters = letters == Letters::Always || picture.cells.iter().any(|cell| cell.hole);
    if is_numbered && picture.columns <= 26 && has_letters {
        let letters = ('a'..='z').take(picture.columns).map(|letter| format!(" {letter} "));
        text += &styled(DIM, format!("    {}", letters.collect::<String>()).trim_end());
        text.push('\n');
    }
    text
}

/// One cell, three characters wide: `[X]` is the last move, `(X)` belongs to the winning line.
fn square(cell: &Cell, label: &str, pens: &Pens) -> String {
    let Some(owner) = cell.owner else {
        return match (cell.hole, cell.legal) {
            _ if !label.is_empty() => labelled(label),
            (true, _) => styled(DIM, &pens.hole.repeat(3)),
            (false, true) => format!(" {} ", styled(LEGAL, pens.legal)),
            (false, false) => format!(" {} ", styled(DIM, pens.empty)),
        };
    };
    let style = if cell.winning { side_style(owner).invert() } else { side_style(owner) };
    let stone = pens.sides[owner.index()];
    match (cell.last, cell.winning) {
        (true, _) => styled(style, &format!("[{stone}]")),
        (false, true) => styled(style, &format!("({stone})")),
        (false, false) => format!(" {} ", styled(style, stone)),
    }
}

/// A label centred in three columns; the blanks beside it have no style, so that trailing ones are removed.
fn labelled(label: &str) -> String {
    centred(label, LABEL_WIDTH, LABEL)
}

fn centred(label: &str, width: usize, style: Style) -> String {
    format!("{label:^width$}").replace(label, &styled(style, label))
}

/// Dots have the labels: an edge is named after the dot at its left or upper end, `h1,2` or `v1,2`. With labels of edges the dots are
/// further apart.
fn paint_dots(picture: &Picture, edges: &[Edge], labels: &Labels<'_>, pens: &Pens) -> String {
    let (rows, columns) = (picture.rows, picture.columns);
    let n_horizontal = (rows + 1) * columns;
    let upright = if labels.edges.is_empty() { 1 } else { LABEL_WIDTH };
    let pitch = upright + LABEL_WIDTH;
    let (flat_pens, upright_pens) =
        (pens.horizontal.map(|pen| pen.repeat(pitch - 1)), pens.vertical.map(str::to_owned));
    let edge = |at: usize, pens, width| line(edges[at], pens, labels.edges.get(at).copied().unwrap_or_default(), width);
    let numbers = (0..=columns).map(|column| format!("{column:<pitch$}"));
    let mut text = styled(DIM, format!("    {}", numbers.collect::<String>()).trim_end()) + "\n";
    for row in 0..=rows {
        text += &styled(DIM, &format!("{row:>3} "));
        for at in row * columns..(row + 1) * columns {
            text += pens.dot;
            text += &edge(at, &flat_pens, pitch - 1);
        }
        text += pens.dot;
        text.push('\n');
        if row < rows {
            // The middle of an upright edge stands below its dot.
            text += &" ".repeat(4 - upright / 2);
            for column in 0..=columns {
                text += &edge(n_horizontal + row * (columns + 1) + column, &upright_pens, upright);
                text += &inside(picture, row, column, &labels.cells, pens);
            }
            end_line(&mut text);
        }
    }
    text
}

/// The inside of a box, with the mark of its owner or its label; blank to the right of the last column.
fn inside(picture: &Picture, row: usize, column: usize, labels: &[&str], pens: &Pens) -> String {
    let at = (column < picture.columns).then_some(row * picture.columns + column);
    let owner = at.and_then(|at| picture.cells[at].owner);
    let label = at.and_then(|at| labels.get(at)).filter(|label| !label.is_empty());
    match (owner, label) {
        (Some(side), _) => format!(" {} ", styled(side_style(side), pens.sides[side.index()])),
        (None, Some(label)) => labelled(label),
        (None, None) => "   ".to_owned(),
    }
}

/// An edge, or its label, in the middle of `width` characters.
fn line(edge: Edge, pens: &[String; 2], label: &str, width: usize) -> String {
    match (edge.drawn, edge.last) {
        (false, _) if label.is_empty() => " ".repeat(width),
        (false, _) => centred(label, width, LEGAL),
        (true, false) => centred(&pens[0], width, Style::new()),
        (true, true) => centred(&pens[1], width, LAST),
    }
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}
