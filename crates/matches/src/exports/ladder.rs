//! A ladder as a table, and as one self-contained HTML page.

use super::html::{escape, page_in, settings, warning_list};
use super::sheets::{Sheet, percent};
use crate::config::MatchConfig;
use crate::ladder::{LadderResult, Language, Rung};
use crate::warnings::Warning;

/// Characters of a full bar.
const BAR: usize = 20;

/// The table of the opponents, the strongest first.
pub fn ladder_sheet(result: &LadderResult, language: Language) -> Sheet {
    let row = |rung: &Rung| {
        let [wins, draws, losses] = rung.wdl;
        vec![
            rung.name.clone(),
            rung.elo.map_or_else(String::new, |elo| format!("{elo:+}")),
            format!("{wins}-{draws}-{losses}"),
            percent(rung.score[1], 1),
            rung.expected.map_or_else(String::new, |score| percent(Some(score), 1)),
            format!("{}/{}", rung.points, 2 * (wins + draws + losses)),
            bar(rung.score[1]),
        ]
    };
    let rows = result.rungs.iter().rev().map(row).collect();
    Sheet { title: "Ladder", n_keys: 1, headings: language.headings().map(str::to_owned).to_vec(), rows }
}

fn bar(score: Option<f64>) -> String {
    let full = (score.unwrap_or(0.0) * BAR as f64).round() as usize;
    "█".repeat(full) + &"░".repeat(BAR - full)
}

/// The page.
pub fn ladder_page(config: &MatchConfig, result: &LadderResult, language: Language, warnings: &[Warning]) -> String {
    let notes: String = language.notes(result).iter().map(|note| format!("<p>{}</p>\n", escape(note))).collect();
    let headings: String = language.headings()[..6]
        .iter()
        .map(|heading| match heading.strip_prefix('>') {
            Some(heading) => format!("<th class=\"n\">{heading}</th>"),
            None => format!("<th>{heading}</th>"),
        })
        .collect();
    let sheet = ladder_sheet(result, language);
    let row = |(cells, rung): (&Vec<String>, &Rung)| {
        let cells: String = cells[..6]
            .iter()
            .enumerate()
            .map(|(i, cell)| format!("<td{}>{}</td>", if i > 0 { " class=\"n\"" } else { "" }, escape(cell)))
            .collect();
        let width = 100.0 * rung.score[1].unwrap_or(0.0);
        format!(
            "<tr>{cells}</tr>\n<tr class=\"chart\"><td colspan=\"6\"><div class=\"bar\"><i class=\"won\" style=\"width:{width:.1}%\"></i>\
             </div></td></tr>\n"
        )
    };
    let rows: String = sheet.rows.iter().zip(result.rungs.iter().rev()).map(row).collect();
    let title = language.title(result);
    let body = [
        format!("<header>\n<h1>{}</h1>\n</header>\n<section class=\"answer\">\n{notes}</section>\n", escape(&title)),
        warning_list(warnings),
        format!(
            "<section>\n<div class=\"scroll\">\n<table class=\"ladder\">\n<thead><tr>{headings}</tr></thead>\n<tbody>\n{rows}</tbody>\n\
             </table>\n</div>\n</section>\n"
        ),
        settings(config),
    ];
    page_in(language.tag(), &title, &body.concat())
}
