//! The report of a rating: the ratings, and on the page a chart, a cross table and residuals.

use std::fmt::Display;

use banyan_arena::stats::score_of_elo;
use banyan_catalog::strength::{Span, signed};
use banyan_texts::Language;

use super::chart::Form;
use super::dots::{Dot, dots, shortened};
use super::report::{Cell, Part, Report, Section, Sheet, ShortNames};
use super::sheets::percent;
use crate::config::MatchConfig;
use crate::rating::{NOT_DISTINGUISHABLE, RatedPairing, RatedPlayer, RatingSummary, StopReason};

/// Characters of a name in the first column of a square table.
const LONGEST_NAME: usize = 26;

/// The report of a rating.
pub(super) fn rating_report(config: &MatchConfig, rating: &RatingSummary, language: Language) -> Report {
    let text = |key: &str| language.say(key, &[]);
    let n = rating.players.len();
    let legend = rating.players.iter().map(|player| [player.rank.to_string(), player.name.clone()]).collect();
    let key = if rating.finished { "rating.counts" } else { "rating.counts-unfinished" };
    let counts = language.say(key, &[("games", &rating.games), ("pairs", &rating.pairs), ("of", &rating.of)]);
    let named = |key: &str| language.say(key, &[("game", &rating.game), ("n", &n)]);
    let section = |title: &str, note: &str, part: Part| Section {
        title: text(title),
        parts: vec![Part::Small(text(note)), part],
    };
    let dot = |player: &RatedPlayer| Dot::of(&format!("{}. {}", player.rank, player.name), player.rating);
    let chart = dots(rating.players.iter().map(dot).collect(), Form::Number, &text("rating.chart"));
    Report {
        title: named("rating.title"),
        facts: vec![counts],
        notes: rating_notes(rating, language),
        warnings: rating.warnings.clone(),
        sheets: vec![rating_sheet(rating, str::to_owned, language)],
        short: Some(ShortNames { legend, sheets: vec![rating_sheet(rating, without_settings, language)] }),
        picture: chart.clone().into_iter().collect(),
        sections: vec![
            Section::of(
                text("rating.chart-title"),
                chart.map_or_else(|| Part::Text(text("rating.no-games")), Part::Figure),
            ),
            section("rating.cross", "rating.cross-note", Part::Sheet(square(rating, cross_cell, language))),
            section("rating.residuals", "rating.residuals-note", Part::Sheet(square(rating, residual_cell, language))),
        ],
        ..Report::new(named("rating.heading"), config, language)
    }
}

fn without_settings(name: &str) -> String {
    name.split([':', '@']).next().unwrap_or_default().to_owned()
}

fn rating_sheet(rating: &RatingSummary, name: impl Fn(&str) -> String, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let row = |player: &RatedPlayer| {
        let [wins, draws, losses] = player.wdl;
        let next = match (player.next.as_str(), player.more_pairs) {
            ("open", Some(n)) => language.say("rating.open-more", &[("n", &n)]),
            ("open", None) => text("rating.next-open"),
            ("settled", _) => text("rating.next-settled"),
            (NOT_DISTINGUISHABLE, _) => text("rating.next-equal"),
            ("last", _) => String::new(),
            (word, _) => word.to_owned(),
        };
        vec![
            player.rank.to_string(),
            name(&player.name),
            signed(player.rating),
            (wins + draws + losses).to_string(),
            format!("{wins}-{draws}-{losses}"),
            percent(player.score, 1),
            player.los_next.map_or(String::new(), |los| percent(Some(los), 1)),
            next,
        ]
    };
    let headings = [
        number("table.rank"),
        text("table.player"),
        number("table.elo"),
        number("table.games"),
        number("table.wdl"),
        number("table.score"),
        number("rating.los-next"),
        text("rating.order-next"),
    ];
    let title = language.say("rating.sheet", &[("game", &rating.game)]);
    Sheet { n_keys: 2, ..Sheet::new(title, &headings, rating.players.iter().map(row)) }
}

/// The result, one sentence each.
fn rating_notes(rating: &RatingSummary, language: Language) -> Vec<String> {
    let mut notes = vec![first_move(rating.first_move, language)];
    let n_neighbours = rating.players.len().saturating_sub(1);
    let is = |word: &'static str| move |player: &&RatedPlayer| player.next == word;
    let n_settled = rating.players.iter().filter(is("settled")).count();
    let limit = format!("{:.4}", 100.0 * rating.superiority);
    let limit = limit.trim_end_matches('0').trim_end_matches('.');
    notes.push(match n_settled == n_neighbours {
        true => language.say("rating.settled", &[("percent", &limit)]),
        false => {
            let params: [(&str, &dyn Display); 3] = [("n", &n_settled), ("of", &n_neighbours), ("percent", &limit)];
            language.say("rating.settled-part", &params)
        }
    });
    let separator = language.say("join.parts", &[]);
    let equal = rating.players.iter().filter(is(NOT_DISTINGUISHABLE));
    let equal: Vec<String> = equal
        .map(|player| language.say("rating.and", &[("one", &player.rank), ("other", &(player.rank + 1))]))
        .collect();
    if !equal.is_empty() {
        notes.push(language.say("rating.equal", &[("n", &rating.of), ("players", &equal.join(&separator))]));
    }
    notes.extend(rating.error.map(|error| precision(rating, error, language)));
    notes.extend(rating.stopped.and_then(|reason| stop_reason(rating, reason, language)));
    let notable: Vec<&RatedPairing> = rating.pairings.iter().filter(|pairing| pairing.notable).collect();
    if !notable.is_empty() {
        let n = rating.pairings.len();
        notes.push(language.say("rating.notable", &[("n", &notable.len()), ("of", &n)]));
    }
    notes
}

/// The differences between neighbours that are not known to ±`error` Elo.
fn precision(rating: &RatingSummary, error: f64, language: Language) -> String {
    let is_wide = |player: &&RatedPlayer| player.next != "last" && player.error_next.is_none_or(|found| found > error);
    let wide = rating.players.iter().filter(is_wide).map(|player| {
        let unknown = || language.say("rating.unknown", &[]);
        let known = player.error_next.map_or_else(unknown, |found| format!("±{found:.1}"));
        let params: [(&str, &dyn Display); 3] =
            [("one", &player.rank), ("other", &(player.rank + 1)), ("known", &known)];
        language.say("rating.and-known", &params)
    });
    let wide: Vec<String> = wide.collect();
    match wide.is_empty() {
        true => language.say("rating.precise", &[("error", &error)]),
        false => {
            let players = wide.join(&language.say("join.parts", &[]));
            language.say("rating.imprecise", &[("error", &error), ("players", &players)])
        }
    }
}

/// The reason why it ended, unless the order and the precision are those requested.
fn stop_reason(rating: &RatingSummary, reason: StopReason, language: Language) -> Option<String> {
    let of = rating.of;
    match reason {
        StopReason::Done => None,
        StopReason::Budget => Some(language.say("rating.stop-budget", &[("n", &of)])),
        StopReason::OutOfReach => Some(language.say("rating.stop-reach", &[("n", &of)])),
        StopReason::Repetitions => Some(language.say("rating.stop-repeats", &[])),
    }
}

fn first_move(elo: Span, language: Language) -> String {
    match elo[1] {
        None => language.say("rating.first-unknown", &[]),
        Some(mid) => {
            let percent = format!("{:.1}", 100.0 * score_of_elo(mid));
            language.say("rating.first", &[("elo", &signed(elo)), ("percent", &percent)])
        }
    }
}

/// A square table of the players in the order of their ranks; `cell` makes the cell of a pairing seen by the row's player.
fn square(rating: &RatingSummary, cell: impl Fn(&RatedPairing, bool, Language) -> Cell, language: Language) -> Sheet {
    let players = &rating.players;
    let met = |a: usize, b: usize| rating.pairings.iter().find(|pairing| pairing.ranks == [a.min(b), a.max(b)]);
    let row = |player: &RatedPlayer| {
        let place = format!("{}. {}", player.rank, shortened(&player.name, LONGEST_NAME));
        let name = Cell { hint: player.name.clone(), ..place.into() };
        let cells = players.iter().map(|other| {
            met(player.rank, other.rank)
                .map_or_else(Cell::default, |pairing| cell(pairing, player.rank > other.rank, language))
        });
        [name].into_iter().chain(cells).collect()
    };
    let numbers = players.iter().map(|player| format!(">{}", player.rank));
    let headings: Vec<String> = [language.say("table.player", &[])].into_iter().chain(numbers).collect();
    Sheet { class: "square", ..Sheet::new("", &headings, players.iter().map(row)) }
}

fn seen_by(pairing: &RatedPairing, swapped: bool) -> (f64, f64, [u64; 3]) {
    let [wins, draws, losses] = pairing.wdl;
    match swapped {
        true => (1.0 - pairing.score, 1.0 - pairing.expected, [losses, draws, wins]),
        false => (pairing.score, pairing.expected, [wins, draws, losses]),
    }
}

fn cross_cell(pairing: &RatedPairing, swapped: bool, language: Language) -> Cell {
    let (score, _, [wins, draws, losses]) = seen_by(pairing, swapped);
    let games = wins + draws + losses;
    let params: [(&str, &dyn Display); 4] = [("n", &games), ("w", &wins), ("d", &draws), ("l", &losses)];
    let hint = language.say("rating.hint-games", &params);
    Cell { hint, heat: Some(score), small: games.to_string(), ..format!("{:.0}", 100.0 * score).into() }
}

fn residual_cell(pairing: &RatedPairing, swapped: bool, language: Language) -> Cell {
    let (score, expected, _) = seen_by(pairing, swapped);
    let residual = 100.0 * (score - expected);
    let [observed, expected, error] = [score, expected, pairing.error].map(|share| format!("{:.1} %", 100.0 * share));
    let params: [(&str, &dyn Display); 3] = [("observed", &observed), ("expected", &expected), ("error", &error)];
    let hint = language.say("rating.hint-residual", &params);
    let text = if residual.abs() < 0.5 { "0".to_owned() } else { format!("{residual:+.0}") };
    Cell { hint, is_framed: pairing.notable, ..text.into() }
}
