//! A board as a self-contained SVG picture.
//!
//! The sides differ in shape as well as in colour: `First` has filled discs, `Second` has rings. The colours are blue
//! and vermilion of a palette for all forms of colour blindness (Okabe and Ito 2008).

use std::fmt::Write;

use banyan_core::{Cell, Fill, Part, Picture, Side, Structure};

/// Side of one cell, in SVG units.
const CELL: usize = 48;
/// Space around the board, for the labels.
const BORDER: usize = 36;

/// Every rule is of boards only: in a notebook or a page the styles of all pictures are one sheet.
const STYLE: &str = "\
.board .ground{fill:#f6f4ee}.board .cell{fill:#fff;stroke:#cfc9ba}.board .hole{fill:url(#hatch);stroke:#8a8474}\
.board .first{fill:#0072b2;stroke:#00507d;stroke-width:2}.board .second{fill:#fff;stroke:#d55e00;stroke-width:8}\
.board .won{fill:none;stroke:#111;stroke-width:3}.board .last-first{fill:#fff}.board .last-second{fill:#d55e00}\
.board .legal{fill:#b9b3a3}.board .line{stroke:#222;stroke-width:6;stroke-linecap:round}\
.board .last-line{stroke:#d55e00;stroke-width:8;stroke-linecap:round}\
.board .open{stroke:#ddd7c8;stroke-width:2;stroke-dasharray:3 5}.board .dot{fill:#222}\
.board text{font:15px system-ui,sans-serif;fill:#444;text-anchor:middle;dominant-baseline:central}";

/// Height of one line of the legend.
const LEGEND_LINE: usize = 26;
/// Least width of a picture with a legend.
const LEGEND_WIDTH: usize = 200;
/// Height of one line of the caption.
const CAPTION_LINE: usize = 18;
/// Most width of a character of the caption: at 13px, 0.6 em in the usual monospaced fonts.
const CAPTION_CHAR: usize = 8;
/// Least width of a picture with a caption.
const CAPTION_WIDTH: usize = 300;

const STRUCTURE_STYLE: &str = "\
.board .plain{fill:#cfe6f5}.board .hatched{fill:url(#hatched)}.board .dotted{fill:url(#dotted)}\
.board .striped{fill:url(#striped)}.board .crossed{fill:url(#crossed)}\
.board .marked{stroke:#009e73;stroke-width:5;stroke-linecap:round}\
.board .mark{fill:#fff;stroke:#009e73;stroke-width:3}.board .halo{fill:#fff;fill-opacity:0.88}\
.board .framed{fill:none;stroke:#111;stroke-width:4;stroke-dasharray:9 4}\
.board .label{font-weight:bold;fill:#111}.board .legend{text-anchor:start}\
.board .caption{font:13px ui-monospace,monospace;text-anchor:start}";

/// The patterns behind the classes of [`STRUCTURE_STYLE`]: blue lines, orange dots, purple stripes and grey crosses.
const FILLS: &str = r##"<defs>
<pattern id="hatched" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="9" height="9" fill="#e6f3fb"/><rect width="4" height="9" fill="#56b4e9"/></pattern>
<pattern id="dotted" width="12" height="12" patternUnits="userSpaceOnUse">
<rect width="12" height="12" fill="#fdf0d5"/><circle cx="6" cy="6" r="3.5" fill="#e69f00"/></pattern>
<pattern id="striped" width="8" height="8" patternUnits="userSpaceOnUse">
<rect width="8" height="8" fill="#f9e8f1"/><rect width="8" height="3" fill="#cc79a7"/></pattern>
<pattern id="crossed" width="10" height="10" patternUnits="userSpaceOnUse">
<rect width="10" height="10" fill="#eee"/><path d="M0 5H10M5 0V10" stroke="#777" stroke-width="1.5"/></pattern>
</defs>
"##;

/// The picture as an SVG document; `title` is read out by screen readers and shown by browsers.
pub fn svg(picture: &Picture, title: &str) -> String {
    drawing(picture, None, &[], title)
}

/// The picture with the structure of the position: parts filled and labelled, edges marked, and a legend below the board.
pub fn svg_with_structure(picture: &Picture, structure: &Structure, title: &str) -> String {
    drawing(picture, Some(structure), &[], title)
}

/// The picture with the structure of the position, and below the legend a caption of these paragraphs, broken into lines between words.
pub fn svg_with_caption(picture: &Picture, structure: &Structure, caption: &[String], title: &str) -> String {
    drawing(picture, Some(structure), caption, title)
}

fn drawing(picture: &Picture, structure: Option<&Structure>, caption: &[String], title: &str) -> String {
    let kinds = structure.map_or(Vec::new(), first_of_each_kind);
    let board = (picture.columns * CELL + 2 * BORDER, picture.rows * CELL + 2 * BORDER);
    let legend_width = if kinds.is_empty() { 0 } else { LEGEND_WIDTH };
    let width = board.0.max(legend_width).max(if caption.is_empty() { 0 } else { CAPTION_WIDTH });
    let caption_top = board.1 + kinds.len() * LEGEND_LINE;
    let lines: Vec<String> = caption.iter().flat_map(|text| lines_of(text, (width - BORDER) / CAPTION_CHAR)).collect();
    let height = caption_top + if lines.is_empty() { 0 } else { lines.len() * CAPTION_LINE + BORDER / 2 };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n{}",
        escape(title),
        backdrop(width, height)
    );
    let drawn = draw(&mut out, picture, structure.map_or(&[], |structure| &structure.parts), &kinds, board.1);
    drawn.and_then(|()| captions(&mut out, &lines, caption_top)).expect("text can always be written to a string");
    out.push_str("</svg>\n");
    out
}

/// The style of a board, the pattern of holes, and the ground below it.
fn backdrop(width: usize, height: usize) -> String {
    format!(
        "<style>{STYLE}</style>\n\
         <defs><pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect width=\"8\" height=\"8\" fill=\"#e4dfd2\"/>\
         <rect width=\"3\" height=\"8\" fill=\"#8a8474\"/></pattern></defs>\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\" rx=\"10\"/>\n"
    )
}

/// A board in pieces, for a page that shows many boards of one game: most pieces of two boards are the same.
pub struct BoardPieces {
    /// In SVG units.
    pub width: usize,
    /// In SVG units.
    pub height: usize,
    /// The style and the ground below the pieces.
    pub backdrop: String,
    /// One element each, in the order in which they are drawn.
    pub elements: Vec<String>,
}

/// The pieces of a picture, of which [`svg`] makes a document.
pub fn pieces(picture: &Picture) -> BoardPieces {
    let (width, height) = (picture.columns * CELL + 2 * BORDER, picture.rows * CELL + 2 * BORDER);
    let mut out = String::new();
    draw(&mut out, picture, &[], &[], height).expect("text can always be written to a string");
    let elements = out.lines().map(str::to_owned).collect();
    BoardPieces { width, height, backdrop: backdrop(width, height), elements }
}

/// One part of each kind, in their order.
fn first_of_each_kind(structure: &Structure) -> Vec<&Part> {
    let mut firsts: Vec<&Part> = Vec::new();
    for part in &structure.parts {
        if firsts.iter().all(|first| first.kind != part.kind) {
            firsts.push(part);
        }
    }
    firsts
}

fn draw(out: &mut String, picture: &Picture, parts: &[Part], kinds: &[&Part], legend: usize) -> std::fmt::Result {
    if !parts.is_empty() {
        write!(out, "<style>{STRUCTURE_STYLE}</style>\n{FILLS}")?;
    }
    if picture.edges.is_some() {
        fills(out, picture, parts)?;
        dots(out, picture)?;
    } else {
        squares(out, picture)?;
        fills(out, picture, parts)?;
    }
    for part in parts {
        labels(out, picture, part)?;
    }
    for (i, part) in kinds.iter().enumerate() {
        in_legend(out, part, legend + i * LEGEND_LINE)?;
    }
    Ok(())
}

fn class(fill: Fill) -> &'static str {
    match fill {
        Fill::Plain => "plain",
        Fill::Hatched => "hatched",
        Fill::Dotted => "dotted",
        Fill::Striped => "striped",
        Fill::Crossed => "crossed",
        Fill::Framed => "framed",
    }
}

fn fills(out: &mut String, picture: &Picture, parts: &[Part]) -> std::fmt::Result {
    for part in parts {
        for cell in &part.cells {
            let (x, y) = corner(cell / picture.columns, cell % picture.columns);
            let inset = if part.fill == Fill::Framed { 3 } else { 0 };
            let (x, y, side, class) = (x + inset, y + inset, CELL - 2 * inset, class(part.fill));
            writeln!(out, r#"<rect class="{class}" x="{x}" y="{y}" width="{side}" height="{side}"/>"#)?;
        }
    }
    Ok(())
}

/// The labels in the cells of a part, and the marks on its edges.
fn labels(out: &mut String, picture: &Picture, part: &Part) -> std::fmt::Result {
    for cell in part.cells.iter().filter(|_| !part.label.is_empty()) {
        let (x, y) = corner(cell / picture.columns, cell % picture.columns);
        let (x, y) = (x + CELL / 2, y + CELL / 2);
        circle(out, "halo", x, y, 14)?;
        writeln!(out, r#"<text class="label" x="{x}" y="{y}">{}</text>"#, escape(&part.label))?;
    }
    for &edge in &part.edges {
        let ((x, y), (dx, dy)) = line_of(picture, edge);
        mark(out, (x + dx / 4, y + dy / 4), (x + dx * 3 / 4, y + dy * 3 / 4))?;
    }
    Ok(())
}

/// A marked line with a ring in its middle.
fn mark(out: &mut String, (x, y): (usize, usize), (to_x, to_y): (usize, usize)) -> std::fmt::Result {
    writeln!(out, r#"<line class="marked" x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}"/>"#)?;
    circle(out, "mark", (x + to_x) / 2, (y + to_y) / 2, 5)
}

fn in_legend(out: &mut String, part: &Part, top: usize) -> std::fmt::Result {
    let (left, middle) = (BORDER / 2, top + LEGEND_LINE / 2 - 6);
    if part.cells.is_empty() {
        mark(out, (left, middle), (left + CELL / 2, middle))?;
    } else {
        let (class, y, width) = (class(part.fill), middle - 9, CELL / 2);
        writeln!(out, r#"<rect class="{class}" x="{left}" y="{y}" width="{width}" height="18"/>"#)?;
    }
    let name = part.kind.replace('-', " ");
    writeln!(out, r#"<text class="legend" x="{}" y="{middle}">{}</text>"#, left + CELL * 3 / 4, escape(&name))
}

fn captions(out: &mut String, lines: &[String], top: usize) -> std::fmt::Result {
    lines.iter().enumerate().try_for_each(|(i, line)| {
        let (x, y) = (BORDER / 2, top + i * CAPTION_LINE + CAPTION_LINE / 2);
        writeln!(out, r#"<text class="caption" x="{x}" y="{y}">{}</text>"#, escape(line))
    })
}

/// The text in lines of at most `most` characters that end between words.
fn lines_of(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn squares(out: &mut String, picture: &Picture) -> std::fmt::Result {
    for (i, cell) in picture.cells.iter().enumerate() {
        let (x, y) = corner(i / picture.columns, i % picture.columns);
        let class = if cell.hole { "hole" } else { "cell" };
        writeln!(out, r#"<rect class="{class}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>"#)?;
        stone(out, cell, x + CELL / 2, y + CELL / 2)?;
    }
    for (column, label) in picture.column_labels.iter().enumerate() {
        let (x, bottom) = corner(picture.rows, column);
        text(out, x + CELL / 2, bottom + BORDER / 2, label)?;
    }
    for (row, label) in picture.row_labels.iter().enumerate() {
        text(out, BORDER / 2, corner(row, 0).1 + CELL / 2, label)?;
    }
    Ok(())
}

fn stone(out: &mut String, cell: &Cell, x: usize, y: usize) -> std::fmt::Result {
    let Some(owner) = cell.owner else {
        return if cell.legal { circle(out, "legal", x, y, CELL / 12) } else { Ok(()) };
    };
    match owner {
        Side::First => circle(out, "first", x, y, CELL * 5 / 12)?,
        Side::Second => circle(out, "second", x, y, CELL / 3)?,
    }
    if cell.winning {
        circle(out, "won", x, y, CELL * 11 / 24)?;
    }
    match owner {
        _ if !cell.last => Ok(()),
        Side::First => circle(out, "last-first", x, y, CELL / 9),
        Side::Second => circle(out, "last-second", x, y, CELL / 9),
    }
}

/// Dots, the lines between them and the owners of the boxes. An edge is named after the dot at its left or upper end, so
/// the dots carry the labels.
fn dots(out: &mut String, picture: &Picture) -> std::fmt::Result {
    for (i, cell) in picture.cells.iter().enumerate() {
        let (x, y) = corner(i / picture.columns, i % picture.columns);
        stone(out, &Cell { legal: false, last: false, ..*cell }, x + CELL / 2, y + CELL / 2)?;
    }
    let edges = picture.edges.as_deref().unwrap_or_default();
    for (i, edge) in edges.iter().enumerate() {
        let class = match (edge.drawn, edge.last) {
            (false, _) => "open",
            (true, false) => "line",
            (true, true) => "last-line",
        };
        let ((x, y), (dx, dy)) = line_of(picture, i);
        writeln!(out, r#"<line class="{class}" x1="{x}" y1="{y}" x2="{}" y2="{}"/>"#, x + dx, y + dy)?;
    }
    for row in 0..=picture.rows {
        for column in 0..=picture.columns {
            let (x, y) = corner(row, column);
            circle(out, "dot", x, y, 5)?;
        }
        text(out, BORDER / 3, corner(row, 0).1, &row.to_string())?;
    }
    (0..=picture.columns).try_for_each(|column| text(out, corner(0, column).0, BORDER / 3, &column.to_string()))
}

/// The left or upper end of an edge, and the way to the other end.
fn line_of(picture: &Picture, edge: usize) -> ((usize, usize), (usize, usize)) {
    match edge.checked_sub((picture.rows + 1) * picture.columns) {
        None => (corner(edge / picture.columns, edge % picture.columns), (CELL, 0)),
        Some(vertical) => {
            let per_row = picture.columns + 1;
            (corner(vertical / per_row, vertical % per_row), (0, CELL))
        }
    }
}

fn corner(row: usize, column: usize) -> (usize, usize) {
    (BORDER + column * CELL, BORDER + row * CELL)
}

fn circle(out: &mut String, class: &str, x: usize, y: usize, radius: usize) -> std::fmt::Result {
    writeln!(out, r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#)
}

fn text(out: &mut String, x: usize, y: usize, label: &str) -> std::fmt::Result {
    writeln!(out, r#"<text x="{x}" y="{y}">{}</text>"#, escape(label))
}

/// The text with the special characters of XML as entities.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use banyan_core::Edge;

    use super::*;

    fn count(svg: &str, part: &str) -> usize {
        svg.matches(part).count()
    }

    #[test]
    fn every_mark_of_a_board_is_drawn_once() {
        let empty = Cell::default();
        let cells = vec![
            Cell { owner: Some(Side::First), last: true, winning: true, ..empty },
            Cell { owner: Some(Side::Second), ..empty },
            Cell { hole: true, ..empty },
            Cell { legal: true, ..empty },
        ];
        let picture = Picture {
            rows: 2,
            columns: 2,
            cells,
            edges: None,
            column_labels: vec!["a".into(), "<&".into()],
            row_labels: vec!["2".into(), "1".into()],
        };
        let svg = svg(&picture, "a \"title\"");
        for class in ["first", "second", "won", "last-first", "legal", "hole"] {
            assert_eq!(count(&svg, &format!("class=\"{class}\"")), 1, "{class} in {svg}");
        }
        assert_eq!(count(&svg, "class=\"last-second\""), 0);
        assert!(svg.contains(">&lt;&amp;</text>") && svg.contains("<title>a &quot;title&quot;</title>"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn dots_and_lines_are_drawn_where_the_edges_are() {
        let mut edges = vec![Edge::default(); 7];
        edges[1] = Edge { drawn: true, last: false }; // horizontal, upper right
        edges[6] = Edge { drawn: true, last: true }; // vertical, rightmost
        let picture = Picture {
            rows: 1,
            columns: 2,
            cells: vec![Cell::default(); 2],
            edges: Some(edges),
            column_labels: vec![],
            row_labels: vec![],
        };
        let chain = Part {
            kind: "long-chain",
            label: "C1".into(),
            note: "",
            fill: Fill::Hatched,
            cells: vec![1],
            edges: vec![],
            moves: vec![],
        };
        let safe = Part { kind: "safe-edge", label: String::new(), cells: vec![], edges: vec![6], ..chain.clone() };
        let structure = Structure { facts: vec![], parts: vec![chain.clone(), chain, safe] };
        let marked = svg_with_structure(&picture, &structure, "");
        let rect = r#"<rect class="hatched" x="84" y="36" width="48" height="48"/>"#;
        assert_eq!((count(&marked, rect), count(&marked, ">C1</text>")), (2, 2), "{marked}");
        assert!(marked.contains(r#"<line class="marked" x1="132" y1="48" x2="132" y2="72"/>"#), "{marked}");
        // Each kind is named once in the legend.
        assert_eq!((count(&marked, ">long chain</text>"), count(&marked, ">safe edge</text>")), (1, 1), "{marked}");
        let framed =
            Part { kind: "below-threat", label: String::new(), fill: Fill::Framed, ..structure.parts[0].clone() };
        let structure = Structure { parts: vec![structure.parts[0].clone(), framed], ..structure };
        let caption =
            ["a <line> that is longer than the picture is wide: ".to_owned() + &"h0,0 ".repeat(30), "end".into()];
        let captioned = svg_with_caption(&picture, &structure, &caption, "");
        let frame = r#"<rect class="framed" x="87" y="39" width="42" height="42"/>"#;
        assert_eq!((count(&captioned, frame), count(&captioned, ">C1</text>")), (1, 1), "{captioned}");
        assert!(captioned.contains(r#"viewBox="0 0 300 334" width="300" height="334""#), "{captioned}");
        let of_caption =
            |line: &str| Some(line.strip_prefix("<text class=\"caption\"")?.strip_suffix("</text>")?.to_owned());
        let lines: Vec<String> = captioned.lines().filter_map(of_caption).collect();
        assert_eq!(lines[0], r#" x="18" y="181">a &lt;line&gt; that is longer than the"#);
        assert_eq!(lines[lines.len() - 1], r#" x="18" y="307">end"#);
        assert!(lines.iter().all(|line| line.split_once('>').expect("a text").1.len() <= 33 + 6), "{lines:?}");
        let svg = svg(&picture, "");
        assert!(!svg.contains("legend") && !svg.contains("hatched"), "{svg}");
        assert_eq!((count(&svg, "class=\"dot\""), count(&svg, "class=\"open\"")), (6, 5));
        assert!(svg.contains(r#"<line class="line" x1="84" y1="36" x2="132" y2="36"/>"#), "{svg}");
        assert!(svg.contains(r#"<line class="last-line" x1="132" y1="36" x2="132" y2="84"/>"#), "{svg}");
    }
}
