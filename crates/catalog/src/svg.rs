//! A board as a self-contained SVG picture.
//!
//! The sides differ in shape as well as in colour: `First` has filled discs, `Second` has rings. The colours are blue
//! and vermilion of a palette for all forms of colour blindness (Okabe and Ito 2008).

use std::fmt::Write;

use banyan_core::{Cell, Picture, Side};

/// Side of one cell, in SVG units.
const CELL: usize = 48;
/// Space around the board, for the labels.
const BORDER: usize = 36;

const STYLE: &str = "\
.ground{fill:#f6f4ee}.cell{fill:#fff;stroke:#cfc9ba}.hole{fill:url(#hatch);stroke:#8a8474}\
.first{fill:#0072b2;stroke:#00507d;stroke-width:2}.second{fill:#fff;stroke:#d55e00;stroke-width:8}\
.won{fill:none;stroke:#111;stroke-width:3}.last-first{fill:#fff}.last-second{fill:#d55e00}.legal{fill:#b9b3a3}\
.line{stroke:#222;stroke-width:6;stroke-linecap:round}.last-line{stroke:#d55e00;stroke-width:8;stroke-linecap:round}\
.open{stroke:#ddd7c8;stroke-width:2;stroke-dasharray:3 5}.dot{fill:#222}\
text{font:15px system-ui,sans-serif;fill:#444;text-anchor:middle;dominant-baseline:central}";

/// The picture as an SVG document; `title` is read out by screen readers and shown by browsers.
pub fn svg(picture: &Picture, title: &str) -> String {
    let (width, height) = (picture.columns * CELL + 2 * BORDER, picture.rows * CELL + 2 * BORDER);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         <defs><pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect width=\"8\" height=\"8\" fill=\"#e4dfd2\"/>\
         <rect width=\"3\" height=\"8\" fill=\"#8a8474\"/></pattern></defs>\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\" rx=\"10\"/>\n",
        escape(title)
    );
    let drawn = if picture.edges.is_some() { dots(&mut out, picture) } else { squares(&mut out, picture) };
    drawn.expect("text can always be written to a string");
    out.push_str("</svg>\n");
    out
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
    let n_horizontal = (picture.rows + 1) * picture.columns;
    for (i, edge) in edges.iter().enumerate() {
        let class = match (edge.drawn, edge.last) {
            (false, _) => "open",
            (true, false) => "line",
            (true, true) => "last-line",
        };
        let ((x, y), (dx, dy)) = if i < n_horizontal {
            (corner(i / picture.columns, i % picture.columns), (CELL, 0))
        } else {
            let (i, per_row) = (i - n_horizontal, picture.columns + 1);
            (corner(i / per_row, i % per_row), (0, CELL))
        };
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

fn corner(row: usize, column: usize) -> (usize, usize) {
    (BORDER + column * CELL, BORDER + row * CELL)
}

fn circle(out: &mut String, class: &str, x: usize, y: usize, radius: usize) -> std::fmt::Result {
    writeln!(out, r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#)
}

fn text(out: &mut String, x: usize, y: usize, label: &str) -> std::fmt::Result {
    writeln!(out, r#"<text x="{x}" y="{y}">{}</text>"#, escape(label))
}

pub(crate) fn escape(text: &str) -> String {
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
        let svg = svg(&picture, "");
        assert_eq!((count(&svg, "class=\"dot\""), count(&svg, "class=\"open\"")), (6, 5));
        assert!(svg.contains(r#"<line class="line" x1="84" y1="36" x2="132" y2="36"/>"#), "{svg}");
        assert!(svg.contains(r#"<line class="last-line" x1="132" y1="36" x2="132" y2="84"/>"#), "{svg}");
    }
}
