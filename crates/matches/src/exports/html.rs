//! A match as one self-contained HTML page: no network, light and dark themes. Only its games, if they are included, need a script.

use banyan_catalog::strength::{Span, signed};
use banyan_review::REPORT_STYLE;

use super::plot;
use super::sheets::{PlayerNames, Sheet, score, sheets, versus};
use crate::config::{MatchConfig, MatchFormat};
use crate::summary::Summary;
use crate::warnings::Warning;

pub(super) fn write(config: &MatchConfig, summary: &Summary) -> String {
    page(&title(config), &body(config, summary, ""))
}

/// The page with sections about its games, and a script below them.
pub(super) fn page_with_script(config: &MatchConfig, summary: &Summary, sections: &str, script: &str) -> String {
    let page = page(&title(config), &body(config, summary, sections));
    page.replacen("</main>\n", &format!("</main>\n{script}"), 1)
}

fn title(config: &MatchConfig) -> String {
    format!("{}: {}", config.game, names(config))
}

fn body(config: &MatchConfig, summary: &Summary, sections: &str) -> String {
    let parts = [
        headline(config, summary),
        warning_list(&summary.warnings),
        tables(summary),
        plots(summary),
        sections.to_owned(),
        settings(config),
    ];
    parts.concat()
}

/// A page with this title and body.
pub(super) fn page(title: &str, body: &str) -> String {
    page_in("en", title, body)
}

/// A page in the language with this tag.
pub(super) fn page_in(language: &str, title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{REPORT_STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(title)
    )
}

fn names(config: &MatchConfig) -> String {
    config.players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The title, and with two players the result in large type.
fn headline(config: &MatchConfig, summary: &Summary) -> String {
    let counts = format!("{} games in {} pairs", summary.games, summary.pairs);
    let mut text = format!("<header>\n<h1>{}</h1>\n<p class=\"sub\">{counts}</p>\n</header>\n", escape(&config.game));
    let [pairing] = &summary.pairings[..] else { return text };
    let [one, other] = pairing.names.each_ref().map(|name| escape(name));
    let elo = signed(pairing.strength.elo);
    let [wins, draws, losses] = pairing.wdl;
    let all = (wins + draws + losses).max(1) as f64;
    let width = |n: u64| 100.0 * n as f64 / all;
    text += &format!(
        "<section class=\"answer\">\n<p class=\"versus\"><b>{one}</b> against <b>{other}</b></p>\n\
         <p class=\"elo{}\">{} <small>Elo, 95 % interval</small></p>\n\
         <div class=\"bar\"><i class=\"won\" style=\"width:{:.2}%\"></i><i class=\"drawn\" style=\"width:{:.2}%\"></i>\
         <i class=\"lost\" style=\"width:{:.2}%\"></i></div>\n\
         <p class=\"sub\">{wins} won, {draws} drawn, {losses} lost; likelihood of superiority {:.1} %</p>\n</section>\n",
        verdict_class(pairing.strength.elo),
        escape(&elo),
        width(wins),
        width(draws),
        width(losses),
        100.0 * pairing.strength.los,
    );
    text
}

/// The colour of the result: that of a win if the interval lies above 0, of a loss if below, of text otherwise.
fn verdict_class([low, _, high]: Span) -> &'static str {
    match (low, high) {
        (Some(low), _) if low > 0.0 => " better",
        (_, Some(high)) if high < 0.0 => " worse",
        _ => "",
    }
}

pub(super) fn warning_list(warnings: &[Warning]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let items = warnings.iter().map(|warning| format!("<li>{}</li>\n", escape(&warning.text)));
    format!("<section class=\"warnings\">\n<h2>Warnings</h2>\n<ul>\n{}</ul>\n</section>\n", items.collect::<String>())
}

fn tables(summary: &Summary) -> String {
    let tables = sheets(summary, &PlayerNames::full(summary)).into_iter().map(|sheet| {
        let heat = sheet.title.starts_with("Cross");
        let title = escape(sheet.title);
        format!(
            "<section>\n<h2>{title}</h2>\n<div class=\"scroll\">\n{}</div>\n</section>\n",
            table(&sheet, heat, summary)
        )
    });
    tables.collect()
}

fn table(sheet: &Sheet, heat: bool, summary: &Summary) -> String {
    let is_number = |column: usize| sheet.headings[column].starts_with('>');
    let class = |column: usize| if is_number(column) { " class=\"n\"" } else { "" };
    let heading =
        |(i, heading): (usize, &String)| format!("<th{}>{}</th>", class(i), escape(heading.trim_start_matches('>')));
    let headings: String = sheet.headings.iter().enumerate().map(heading).collect();
    let row = |(i, cells): (usize, &Vec<String>)| {
        let cell = |(j, cell): (usize, &String)| {
            let share = if heat && j > 0 { score(summary, i, j - 1) } else { None };
            match share {
                Some(share) => format!("<td class=\"n heat\" style=\"{}\">{}</td>", heat_style(share), escape(cell)),
                None => format!("<td{}>{}</td>", class(j), escape(cell)),
            }
        };
        format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>())
    };
    let rows: String = sheet.rows.iter().enumerate().map(row).collect();
    format!("<table>\n<thead><tr>{headings}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
}

/// From red at 0 to transparent at one half to green at 1; translucent, so that it suits both themes.
pub(super) fn heat_style(share: f64) -> String {
    let colour = if share < 0.5 { "213,94,0" } else { "0,158,115" };
    format!("background:rgba({colour},{:.2})", 1.4 * (share - 0.5).abs())
}

fn plots(summary: &Summary) -> String {
    let figures = summary.pairings.iter().flat_map(|pairing| {
        let who = escape(&versus(pairing));
        let figure =
            |title: &str, svg: String| format!("<figure>\n<figcaption>{who}: {title}</figcaption>\n{svg}</figure>\n");
        let elo = plot::elo(pairing).map(|svg| figure("Elo with 95 % interval over the number of pairs", svg));
        let llr = plot::llr(pairing).map(|svg| figure("log-likelihood ratio (LLR) of the sequential test", svg));
        [elo, llr].into_iter().flatten()
    });
    let figures: String = figures.collect();
    match summary.pairings.len() {
        _ if figures.is_empty() => figures,
        1 => format!("<section>\n<h2>Progress of the match</h2>\n{figures}</section>\n"),
        n => format!(
            "<section>\n<details>\n<summary>Progress of the {n} pairings</summary>\n{figures}</details>\n</section>\n"
        ),
    }
}

pub(super) fn settings(config: &MatchConfig) -> String {
    let format = match config.format {
        MatchFormat::RoundRobin => "round robin",
        MatchFormat::Gauntlet => "gauntlet",
        MatchFormat::Sweep => "sweep",
    };
    let mut rows = vec![
        ("game", config.game.clone()),
        ("format", format.to_owned()),
        ("openings", config.openings.clone()),
        ("seed", config.seed.to_string()),
        ("clock", format!("{:?} time, {} ms margin", config.clock, config.margin_ms).to_lowercase()),
    ];
    match &config.rating {
        None => rows.push(("pairs per pairing", config.pairs.to_string())),
        Some(rating) => {
            let anchor = rating.anchor.as_deref().unwrap_or("the mean of all players");
            rows.push(("pairs in all", format!("at most {}, chosen by what they tell", rating.pairs)));
            rows.push(("rating 0", anchor.to_owned()));
        }
    }
    rows.extend(config.sprt.map(|test| {
        let text =
            format!("{} against {} normalised Elo, error rates {} and {}", test.elo0, test.elo1, test.alpha, test.beta);
        ("sequential test", text)
    }));
    rows.extend(config.shard.clone().map(|shard| ("shard", shard)));
    for player in &config.players {
        rows.push(("player", format!("{}: {}, budget {}", player.name, player.player, player.budget)));
    }
    let made = &config.made_by;
    rows.push(("played by", format!("Banyan {} on {}, {} cores", made.version, made.system, made.cores)));
    let rows = rows.iter().map(|(name, value)| format!("<tr><th>{name}</th><td>{}</td></tr>\n", escape(value)));
    format!(
        "<section>\n<h2>Configuration</h2>\n<div class=\"scroll\">\n<table class=\"settings\">\n<tbody>\n{}</tbody>\n\
         </table>\n</div>\n</section>\n",
        rows.collect::<String>()
    )
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
