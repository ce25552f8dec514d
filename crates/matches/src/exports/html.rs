//! A report as one self-contained HTML page: no network, light and dark themes. Only the boards of games, if it has some, need a
//! script.

use banyan_catalog::escape;
use banyan_review::REPORT_STYLE;
use banyan_texts::Language;

use super::chart;
use super::report::{Cell, Column, Figure, Part, Report, Section, Sheet};

const SCRIPT: &str = include_str!("games.js");

/// The page.
pub fn html(report: &Report) -> String {
    let sheet = |sheet: &Sheet| titled(report, &sheet.title, &table(sheet));
    let body = [
        header(report),
        warning_list(report),
        report.sheets.iter().map(sheet).collect(),
        report
            .sections
            .iter()
            .map(|Section { title, parts }| titled(report, title, &all(parts, report.language)))
            .collect(),
        sheet(&report.configuration),
    ];
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{REPORT_STYLE}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n{}</body>\n</html>\n",
        report.language.tag(),
        escape(&report.title),
        chart::STYLE,
        body.concat(),
        report.boards.as_deref().map_or_else(String::new, script)
    )
}

fn header(report: &Report) -> String {
    let facts: String = report.facts.iter().map(|fact| paragraph(" class=\"sub\"", fact)).collect();
    let notes: String = report.notes.iter().map(|note| paragraph("", note)).collect();
    let header = format!("<header>\n<h1>{}</h1>\n{facts}</header>\n", escape(&report.heading));
    match notes + &all(&report.answer, report.language) {
        answer if answer.is_empty() => header,
        answer => format!("{header}<section class=\"answer\">\n{answer}</section>\n"),
    }
}

fn warning_list(report: &Report) -> String {
    let warnings = &report.warnings;
    if warnings.is_empty() {
        return String::new();
    }
    let items = warnings.iter().map(|warning| format!("<li>{}</li>\n", escape(&warning.text)));
    let title = report.language.say("report.warnings", &[]);
    format!("<section class=\"warnings\">\n<h2>{title}</h2>\n<ul>\n{}</ul>\n</section>\n", items.collect::<String>())
}

/// A section; the heading of the page is not repeated.
fn titled(report: &Report, title: &str, body: &str) -> String {
    let is_new = !title.is_empty() && title != report.heading;
    let title = if is_new { format!("<h2>{}</h2>\n", escape(title)) } else { String::new() };
    format!("<section>\n{title}{body}</section>\n")
}

fn all(parts: &[Part], language: Language) -> String {
    parts.iter().map(|part| self::part(part, language)).collect()
}

fn part(part: &Part, language: Language) -> String {
    match part {
        Part::Text(text) => paragraph("", text),
        Part::Small(text) => paragraph(" class=\"sub\"", text),
        Part::Large(text) => paragraph(" class=\"versus\"", text),
        Part::Number { text, name, is_better } => {
            let class = is_better.map_or("", |is_better| if is_better { " better" } else { " worse" });
            format!("<p class=\"elo{class}\">{} <small>{}</small></p>\n", escape(text), escape(name))
        }
        Part::Bar(shares) => bar(shares),
        Part::Sheet(sheet) => table(sheet),
        Part::Figure(figure) => self::figure(figure),
        Part::Links(links) => {
            format!("<p class=\"links\">\n{}</p>\n", links.iter().map(content).collect::<String>())
        }
        Part::Folded(title, parts) => {
            format!("<details>\n<summary>{}</summary>\n{}</details>\n", escape(title), all(parts, language))
        }
        Part::Stage => stage(language),
    }
}

/// A figure without a width takes that of the page.
fn figure(Figure { caption, width, height, elements }: &Figure) -> String {
    let caption = escape(caption);
    let size = match width {
        Some(width) => format!("class=\"plot wide\" viewBox=\"0 0 {width} {height}\""),
        None => format!("class=\"plot\" width=\"100%\" height=\"{height}\""),
    };
    format!(
        "<figure>\n<figcaption>{caption}</figcaption>\n<svg {size} role=\"img\" aria-label=\"{caption}\">\n\
         {elements}</svg>\n</figure>\n"
    )
}

fn paragraph(class: &str, text: &str) -> String {
    format!("<p{class}>{}</p>\n", escape(text))
}

/// Shares of a whole: won, drawn and lost.
fn bar(shares: &[f64]) -> String {
    let share =
        |(class, share): (&str, &f64)| format!("<i class=\"{class}\" style=\"width:{:.2}%\"></i>", 100.0 * share);
    format!(
        "<div class=\"bar\">{}</div>\n",
        ["won", "drawn", "lost"].into_iter().zip(shares).map(share).collect::<String>()
    )
}

fn table(sheet: &Sheet) -> String {
    let class = if sheet.class.is_empty() { String::new() } else { format!(" class=\"{}\"", sheet.class) };
    let is_bar = |column: usize| sheet.rows.iter().any(|row| row[column].bar.is_some());
    let heading = |(i, Column { heading, is_number }): (usize, &Column)| {
        let class = if *is_number { " class=\"n\"" } else { "" };
        (!is_bar(i)).then(|| format!("<th{class}>{}</th>", escape(heading)))
    };
    let headings: String = sheet.columns.iter().enumerate().filter_map(heading).collect();
    let head = if headings.is_empty() { headings } else { format!("<thead><tr>{headings}</tr></thead>\n") };
    let rows: String = sheet.rows.iter().map(|row| table_row(sheet, row)).collect();
    format!("<div class=\"scroll\">\n<table{class}>\n{head}<tbody>\n{rows}</tbody>\n</table>\n</div>\n")
}

fn table_row(sheet: &Sheet, row: &[Cell]) -> String {
    let (mut cells, mut bars) = (String::new(), String::new());
    for (i, cell) in row.iter().enumerate() {
        match (cell.bar, sheet.columns.get(i)) {
            (Some(share), _) => {
                bars += &format!("<tr class=\"chart\"><td colspan=\"{i}\">{}</td></tr>\n", bar(&[share]))
            }
            (None, None) if i == 0 => cells += &format!("<th>{}</th>", content(cell)),
            (None, column) => cells += &data_cell(cell, column.is_some_and(|column| column.is_number)),
        }
    }
    format!("<tr>{cells}</tr>\n{bars}")
}

fn data_cell(cell: &Cell, is_number: bool) -> String {
    let classes = [(is_number, "n"), (cell.heat.is_some(), "heat"), (cell.is_framed, "notable")];
    let classes: Vec<&str> = classes.into_iter().filter(|(has_it, _)| *has_it).map(|(_, class)| class).collect();
    let mut attributes = String::new();
    if !classes.is_empty() {
        attributes += &format!(" class=\"{}\"", classes.join(" "));
    }
    if let Some(share) = cell.heat {
        attributes += &format!(" style=\"{}\"", heat_style(share));
    }
    if cell.opens.is_none() {
        attributes += &title(&cell.hint);
    }
    format!("<td{attributes}>{}</td>", content(cell))
}

/// The content of a cell: a button if it opens a game.
fn content(cell: &Cell) -> String {
    let text = escape(&cell.text);
    let small = if cell.small.is_empty() { String::new() } else { format!("<small>{}</small>", escape(&cell.small)) };
    let Some((game, ply)) = cell.opens else { return text + &small };
    let ply = ply.map_or_else(String::new, |ply| format!(" data-ply=\"{ply}\""));
    format!(
        "<button type=\"button\" class=\"go\" data-game=\"{game}\"{ply}{}>{text}</button>{small}",
        title(&cell.hint)
    )
}

fn title(hint: &str) -> String {
    if hint.is_empty() { String::new() } else { format!(" title=\"{}\"", escape(hint)) }
}

/// From red at 0 to transparent at one half to green at 1; translucent, so that it suits both themes.
fn heat_style(share: f64) -> String {
    let colour = if share < 0.5 { "213,94,0" } else { "0,158,115" };
    format!("background:rgba({colour},{:.2})", 1.4 * (share - 0.5).abs())
}

/// The board of a game with buttons that step through it.
fn stage(language: Language) -> String {
    let step = |(id, sign, key): (&str, &str, &str)| {
        let what = language.say(key, &[]);
        format!("<button type=\"button\" id=\"{id}\" title=\"{what}\" aria-label=\"{what}\">{sign}</button>\n")
    };
    let steps = [
        ("first", "|&lt;", "review.to-first"),
        ("previous", "&lt;", "review.to-previous"),
        ("next", "&gt;", "review.to-next"),
        ("last", "&gt;|", "review.to-last"),
    ];
    format!(
        "<div id=\"stage\" hidden>\n<h2 id=\"title\"></h2>\n<div id=\"board\"></div>\n<div class=\"buttons\">\n{}</div>\n\
         <p id=\"note\" aria-live=\"polite\"></p>\n</div>\n",
        steps.map(step).concat()
    )
}

fn script(boards: &str) -> String {
    format!(
        "<script type=\"application/json\" id=\"games\">{}</script>\n<script>\n{SCRIPT}</script>\n",
        boards.replace('<', "\\u003c")
    )
}
