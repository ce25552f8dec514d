//! A review as one HTML file: boards to step through, the curve of the value, the moves and a summary. No network.

use std::collections::HashMap;

use banyan_catalog::view::side_word;
use banyan_catalog::{BoardPieces, escape, pieces};
use banyan_core::{Picture, Side};
use banyan_texts::Language;
use serde::Serialize;

use crate::curve::{Course, class};
use crate::reasons::{first_moves, reasons_in_words, side_names};
use crate::view::{Review, ReviewUnit, ReviewedMove, ReviewedSide};
use crate::words::{loss_in_words, value_in_words};

/// The style of all reports, including the colour settings.
pub const REPORT_STYLE: &str = include_str!("report.css");
const OWN_STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Nothing is loaded, regardless of the names in a record.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The least loss of the expected result that is shown, in percent.
const LEAST_PERCENT: f64 = 0.5;

/// The page. `pictures` are the boards of all positions of the game, the first one too; without them there is no board. `about` are
/// further facts about the game, by name.
pub fn page(review: &Review, pictures: &[Picture], about: &[(&str, String)], language: Language) -> String {
    let words = Words { review, language, sides: side_names(review, language) };
    let title = language.say("review.of", &[("game", &review.game)]);
    let boards = Boards::of(pictures);
    let body = [
        words.headline(about),
        format!(
            "<div class=\"review\">\n{}<div>\n{}{}</div>\n</div>\n",
            board(&boards, first_shown(review), language),
            words.curve(),
            words.sides()
        ),
        words.table(),
    ];
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{REPORT_STYLE}{OWN_STYLE}</style>\n</head>\n<body>\n<main>\n{}</main>\n\
         <script type=\"application/json\" id=\"review\">{}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        language.tag(),
        escape(&title),
        body.concat(),
        in_script(&Data::of(&words, &boards)),
    )
}

/// The position shown first: after the first marked move, or else the last one reviewed.
fn first_shown(review: &Review) -> usize {
    let marked = review.moves.iter().find(|mv| mv.mark.is_some());
    marked.or(review.moves.last()).map_or(0, |mv| mv.ply)
}

/// The data that the script reads.
#[derive(Serialize)]
struct Data<'a> {
    /// The elements of all boards.
    pieces: &'a [String],
    /// `[positions]`: indices of its elements, in the order in which they are drawn.
    boards: &'a [Vec<usize>],
    /// `[positions]`: the move that leads to the position and what is known about it.
    notes: Vec<String>,
    /// Plies of marked moves.
    marked: Vec<usize>,
    /// The position shown first.
    ply: usize,
    /// Shown for a position that is not reviewed, and where no marked move follows or precedes.
    texts: [String; 3],
}

impl Data<'_> {
    fn of<'a>(words: &Words<'_>, boards: &'a Boards) -> Data<'a> {
        let review = words.review;
        let mut notes = vec![String::new(); review.plies + 1];
        notes[0] = words.text("review.start-of-game");
        for mv in &review.moves {
            notes[mv.ply] = words.note(mv);
        }
        let marked = review.moves.iter().filter(|mv| mv.mark.is_some()).map(|mv| mv.ply).collect();
        let texts = ["review.not-reviewed", "review.at-last", "review.at-first"].map(|key| words.text(key));
        Data { pieces: &boards.pieces, boards: &boards.boards, notes, marked, ply: first_shown(review), texts }
    }
}

/// JSON that cannot end the script it stands in.
fn in_script(data: &impl Serialize) -> String {
    banyan_catalog::view::json_line(data).replace('<', "\\u003c")
}

/// A review in a language.
struct Words<'r> {
    review: &'r Review,
    language: Language,
    sides: [String; 2],
}

impl Words<'_> {
    fn note(&self, mv: &ReviewedMove) -> String {
        let mark = mv.mark.map_or("", |mark| mark.glyph());
        let mut parts = vec![format!("{}. {} {}{mark}", mv.ply, self.side_name(mv), mv.mv)];
        let loss = loss_in_words(mv.loss, mv.exact);
        if !loss.is_empty() {
            let key = if mv.exact { "review.loses-exactly" } else { "review.loses" };
            parts.push(self.language.say(key, &[("loss", &loss.trim_start_matches('=')), ("unit", &self.unit_word())]));
        }
        if self.review.unit == ReviewUnit::Points && mv.loss_percent >= LEAST_PERCENT {
            parts.push(self.language.say("review.loses-percent", &[("percent", &format!("{:.0}", mv.loss_percent))]));
        }
        let mut sentences = vec![parts.join(&self.text("join.parts"))];
        if mv.loses() {
            sentences.extend(reasons_in_words(self.review, mv, self.language));
            sentences.push(self.language.say("review.better-line", &[("line", &first_moves(&mv.pv))]));
        }
        sentences.join(&self.text("join.sentences"))
    }

    fn unit_word(&self) -> String {
        match self.review.unit {
            ReviewUnit::Points => self.text("review.points"),
            ReviewUnit::Percent => "%".to_owned(),
        }
    }

    /// A text without parameters.
    fn text(&self, key: &str) -> String {
        self.language.say(key, &[])
    }

    fn side_name(&self, mv: &ReviewedMove) -> &str {
        &self.sides[usize::from(mv.to_move == side_word(Side::Second))]
    }

    fn headline(&self, about: &[(&str, String)]) -> String {
        let mut facts: Vec<String> = Vec::new();
        if let Some(players) = &self.review.players {
            let named = players.iter().zip(&self.sides).map(|(player, side)| format!("{player} ({side})"));
            facts.push(named.collect::<Vec<_>>().join(" - "));
        }
        facts.extend(about.iter().map(|(name, fact)| {
            let name = self.language.of_data(&format!("about.{name}"), name);
            self.language.say("review.fact", &[("name", &name), ("fact", fact)])
        }));
        let n = &self.review.plies;
        facts.push(match self.review.result {
            None => self.language.say("review.unfinished", &[("n", n)]),
            Some(0) => self.language.say("review.drawn", &[("n", n)]),
            Some(margin) => {
                self.language.say("review.won", &[("n", n), ("side", &self.sides[usize::from(margin < 0)])])
            }
        });
        let mut by = self
            .language
            .say("review.reviewed-by", &[("player", &self.review.reviewer), ("budget", &self.review.budget)]);
        if !self.review.complete {
            by += &format!(" {}", self.language.say("review.only", &[("n", &self.review.moves.len())]));
        }
        let facts: String = facts.iter().map(|fact| format!("<p class=\"sub\">{}</p>\n", escape(fact))).collect();
        format!(
            "<header>\n<h1>{}</h1>\n{facts}<p class=\"sub\">{}</p>\n</header>\n",
            escape(&self.review.game),
            escape(&by)
        )
    }

    fn curve(&self) -> String {
        let course = Course::of(self.review, self.language);
        let (heights, ends) = (&course.heights, &course.ends);
        let width = self.review.plies.max(1);
        let at = |ply: usize| 100.0 * ply as f64 / width as f64;
        let points: Vec<String> = heights.iter().map(|(ply, y)| format!("{ply},{y:.2}")).collect();
        let (from, to) = (heights.first().map_or(0, |first| first.0), heights.last().map_or(0, |last| last.0));
        let mut marks = String::new();
        for mv in self.review.moves.iter() {
            let Some(mark) = mv.mark else { continue };
            let y = course.height(mv.ply);
            marks += &format!(
                "<i class=\"at {}\" style=\"left:{:.2}%;top:{y:.2}%\">{}</i>\n",
                class(mark),
                at(mv.ply),
                mark.glyph()
            );
        }
        format!(
            "<section>\n<h2>{}</h2>\n<p class=\"sub end\">{}</p>\n<div class=\"curve\" id=\"curve\" \
         data-plies=\"{width}\">\n<svg viewBox=\"0 0 {width} 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\n\
         <polygon class=\"area\" points=\"{from},50 {} {to},50\"/>\n<path class=\"even\" d=\"M0 50H{width}\"/>\n\
         <polyline class=\"trace\" points=\"{}\"/>\n</svg>\n{marks}<i class=\"cursor\" id=\"cursor\"></i>\n</div>\n\
         <p class=\"sub end\">{}</p>\n</section>\n",
            self.text("review.values"),
            escape(&ends[0]),
            points.join(" "),
            points.join(" "),
            escape(&ends[1]),
        )
    }

    fn sides(&self) -> String {
        let column = |side: &ReviewedSide| {
            let worst = side.worst.and_then(|ply| self.review.moves.iter().find(|mv| mv.ply == ply));
            let worst = worst.map_or_else(String::new, |mv| {
                format!(
                    "<button type=\"button\" class=\"go\" data-ply=\"{0}\">{0}. {1}</button>",
                    mv.ply,
                    escape(&mv.mv)
                )
            });
            [
                side.moves.to_string(),
                side.mean_loss.map_or_else(String::new, |loss| format!("{loss:.2}")),
                side.accuracy.map_or_else(String::new, |accuracy| format!("{accuracy:.0} %")),
                share(side),
                side.inaccuracies.to_string(),
                side.mistakes.to_string(),
                side.blunders.to_string(),
                worst,
            ]
        };
        let columns = self.review.summary.each_ref().map(column);
        let names = [
            self.text("review.column-moves"),
            self.language.say("review.column-mean", &[("unit", &self.unit_word())]),
            self.text("review.column-accuracy"),
            self.text("review.column-best"),
            "?!".to_owned(),
            "?".to_owned(),
            "??".to_owned(),
            self.text("review.column-worst"),
        ];
        let row = |(i, name): (usize, &String)| {
            format!(
                "<tr><th>{name}</th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                columns[0][i], columns[1][i]
            )
        };
        let rows: String = names.iter().enumerate().map(row).collect();
        let [first, second] = self.sides.each_ref().map(|side| escape(side));
        format!(
            "<section>\n<h2>{}</h2>\n<table class=\"summary\">\n<thead><tr><th></th><th class=\"n\">{first}</th>\
         <th class=\"n\">{second}</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</section>\n",
            self.text("review.summary"),
        )
    }

    fn table(&self) -> String {
        let has_points = self.review.unit == ReviewUnit::Points;
        // In percent, the loss is that of the expected result already.
        let of_result = |cell: &str, name: &str| {
            if has_points { format!("<{name} class=\"n\">{cell}</{name}>") } else { String::new() }
        };
        let row = |mv: &ReviewedMove| {
            let mark =
                mv.mark.map_or_else(String::new, |mark| format!(" <b class=\"{}\">{}</b>", class(mark), mark.glyph()));
            let better = if mv.loses() { escape(&first_moves(&mv.pv)) } else { String::new() };
            let percent =
                if mv.loss_percent < LEAST_PERCENT { String::new() } else { format!("{:.0}", mv.loss_percent) };
            format!(
                "<tr data-ply=\"{0}\"><td class=\"n\">{0}</td><td>{1}</td><td><button type=\"button\" class=\"go\" \
             data-ply=\"{0}\">{2}</button>{mark}</td><td class=\"n\">{3}</td><td class=\"n\">{4}</td>{5}\
             <td class=\"pv\">{better}</td></tr>\n",
                mv.ply,
                escape(self.side_name(mv)),
                escape(&mv.mv),
                value_in_words(&mv.before, self.review.unit, self.language),
                loss_in_words(mv.loss, mv.exact),
                of_result(&percent, "td"),
            )
        };
        let rows: String = self.review.moves.iter().map(row).collect();
        let percent = of_result("%", "th");
        let explained = self.text(if has_points { "review.columns-of-points" } else { "review.columns" });
        let [ply, side, mv, value, loss, better] = [
            "review.column-ply",
            "review.column-side",
            "review.column-move",
            "review.column-value",
            "review.column-loss",
            "review.column-better",
        ]
        .map(|key| self.text(key));
        format!(
            "<section>\n<h2>{}</h2>\n<p class=\"sub\">{explained}</p>\n<div class=\"scroll\">\n<table class=\"moves\">\n\
         <thead><tr><th class=\"n\">{ply}</th><th>{side}</th><th>{mv}</th><th class=\"n\">{value}</th>\
         <th class=\"n\">{loss}</th>{percent}<th>{better}</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n\
         </section>\n",
            self.text("review.moves"),
        )
    }
}

/// The boards of a game; an element of several boards is stored once.
#[derive(Default)]
struct Boards {
    pieces: Vec<String>,
    boards: Vec<Vec<usize>>,
    /// Width, height and the background of the board.
    frame: Option<(usize, usize, String)>,
}

impl Boards {
    fn of(pictures: &[Picture]) -> Boards {
        let (mut boards, mut known) = (Boards::default(), HashMap::new());
        for picture in pictures {
            let BoardPieces { width, height, backdrop, elements } = pieces(picture);
            let index = |element: String| {
                *known.entry(element).or_insert_with_key(|element| {
                    boards.pieces.push(element.clone());
                    boards.pieces.len() - 1
                })
            };
            boards.boards.push(elements.into_iter().map(index).collect());
            boards.frame = Some((width, height, backdrop));
        }
        boards
    }
}

/// The board with its buttons.
fn board(boards: &Boards, shown: usize, language: Language) -> String {
    let text = |key: &str| language.say(key, &[]);
    let svg = boards.frame.as_ref().map_or_else(String::new, |(width, height, backdrop)| {
        let elements: String = boards.boards[shown].iter().map(|&idx| boards.pieces[idx].as_str()).collect();
        format!(
            "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n{backdrop}\
             <g id=\"pieces\">{elements}</g>\n</svg>\n",
            text("play.board")
        )
    });
    let button = |id: &str, sign: &str, key: &str| {
        let what = text(key);
        format!("<button type=\"button\" id=\"{id}\" title=\"{what}\" aria-label=\"{what}\">{sign}</button>\n")
    };
    let buttons = [
        button("first", "|&lt;", "review.to-first"),
        button("previous", "&lt;", "review.to-previous"),
        button("next", "&gt;", "review.to-next"),
        button("last", "&gt;|", "review.to-last"),
        button("mistake-before", "&lt; ?", "review.to-marked-before"),
        button("mistake", "? &gt;", "review.to-marked"),
    ];
    format!(
        "<section class=\"stage\">\n{svg}<div class=\"buttons\">\n{}</div>\n<p id=\"note\" aria-live=\"polite\"></p>\n\
         <p id=\"end\" role=\"status\"></p>\n\
         </section>\n",
        buttons.concat()
    )
}

/// Share of the best moves among those with a choice.
fn share(side: &ReviewedSide) -> String {
    match side.choices {
        0 => String::new(),
        choices => format!("{:.0} %", 100.0 * side.best as f64 / choices as f64),
    }
}
