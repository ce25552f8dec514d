//! The report of a rating: the ratings, and on the page a chart, a cross table and residuals.

use banyan_arena::stats::score_of_elo;
use banyan_catalog::strength::{Span, signed};
use banyan_texts::Language;

use super::chart::Form;
use super::dots::{Dot, dots, shortened};
use super::report::{Cell, Part, Report, Section, Sheet, ShortNames};
use super::sheets::percent;
use crate::config::MatchConfig;
use crate::rating::{RatedPairing, RatedPlayer, RatingSummary, StopReason};

/// The report of a rating.
pub(super) fn rating_report(config: &MatchConfig, rating: &RatingSummary) -> Report {
    let n = rating.players.len();
    let legend = rating.players.iter().map(|player| [player.rank.to_string(), player.name.clone()]).collect();
    let state = if rating.finished { "" } else { ", unfinished" };
    let counts = format!("{} games in {} of at most {} pairs{state}", rating.games, rating.pairs, rating.of);
    let section = |title: &str, note: &str, part: Part| Section {
        title: title.to_owned(),
        parts: vec![Part::Small(note.to_owned()), part],
    };
    let dot = |player: &RatedPlayer| Dot::of(&format!("{}. {}", player.rank, player.name), player.rating);
    let chart = dots(rating.players.iter().map(dot).collect(), Form::Number, CHART);
    Report {
        title: format!("{}: ratings of {n} players", rating.game),
        facts: vec![counts],
        notes: rating_notes(rating),
        warnings: rating.warnings.clone(),
        sheets: vec![rating_sheet(rating, str::to_owned)],
        short: Some(ShortNames { legend, sheets: vec![rating_sheet(rating, without_settings)] }),
        picture: chart.clone().into_iter().collect(),
        sections: vec![
            Section::of("Chart", chart.map_or_else(|| Part::Text("no games yet".to_owned()), Part::Figure)),
            section("Cross table", CROSS_TABLE, Part::Sheet(square(rating, cross_cell))),
            section("Residuals", RESIDUALS, Part::Sheet(square(rating, residual_cell))),
        ],
        ..Report::new(format!("{}: {n} players", rating.game), config, Language::En)
    }
}

const CHART: &str = "Elo with 95 % intervals; a bar to the edge has no end on that side";
const CROSS_TABLE: &str = "Score of the row against the column in %, and below it the number of games.";
const RESIDUALS: &str = "Observed minus expected score of the row against the column, in %. Framed: more than 2 standard errors; \
                         about 5 % of the pairings are by chance. Many of them in one row: the player does not fit one scale.";

fn without_settings(name: &str) -> String {
    name.split([':', '@']).next().unwrap_or_default().to_owned()
}

fn rating_sheet(rating: &RatingSummary, name: impl Fn(&str) -> String) -> Sheet {
    let row = |player: &RatedPlayer| {
        let [wins, draws, losses] = player.wdl;
        let next = match (player.next.as_str(), player.more_pairs) {
            ("open", Some(n)) => format!("open: about {n} more pairs"),
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
        ">rank",
        "player",
        ">Elo (95 %)",
        ">games",
        ">won-drawn-lost",
        ">score %",
        ">LOS % against the next",
        "order with the next",
    ];
    let title = format!("Ratings on {}", rating.game);
    Sheet { n_keys: 2, ..Sheet::new(title, &headings, rating.players.iter().map(row)) }
}

/// The result, one sentence each.
fn rating_notes(rating: &RatingSummary) -> Vec<String> {
    let mut notes = vec![first_move(rating.first_move)];
    let n_neighbours = rating.players.len().saturating_sub(1);
    let is = |word: &'static str| move |player: &&RatedPlayer| player.next == word;
    let n_settled = rating.players.iter().filter(is("settled")).count();
    let limit = format!("{:.4}", 100.0 * rating.superiority);
    let limit = limit.trim_end_matches('0').trim_end_matches('.');
    notes.push(match n_settled == n_neighbours {
        true => format!("The order is settled: every player is stronger than the next one with at least {limit} %."),
        false => {
            format!("{n_settled} of {n_neighbours} neighbours are in a settled order (LOS of at least {limit} %).")
        }
    });
    let equal = rating.players.iter().filter(is("not distinguishable"));
    let equal: Vec<String> = equal.map(|player| format!("{} and {}", player.rank, player.rank + 1)).collect();
    if !equal.is_empty() {
        notes.push(format!("Not distinguishable with a budget of {} pairs: {}.", rating.of, equal.join(", ")));
    }
    notes.extend(rating.error.map(|error| precision(rating, error)));
    notes.extend(rating.stopped.and_then(|reason| stop_reason(rating, reason)));
    let notable: Vec<&RatedPairing> = rating.pairings.iter().filter(|pairing| pairing.notable).collect();
    if !notable.is_empty() {
        let n = rating.pairings.len();
        notes.push(format!(
            "{} of {n} pairings differ from the ratings by more than 2 standard errors; about 5 % do by chance.",
            notable.len()
        ));
    }
    notes
}

/// The differences between neighbours that are not known to ±`error` Elo.
fn precision(rating: &RatingSummary, error: f64) -> String {
    let is_wide = |player: &&RatedPlayer| player.next != "last" && player.error_next.is_none_or(|found| found > error);
    let wide = rating.players.iter().filter(is_wide).map(|player| {
        let known = player.error_next.map_or_else(|| "unknown".to_owned(), |found| format!("±{found:.1}"));
        format!("{} and {} ({known})", player.rank, player.rank + 1)
    });
    let wide: Vec<String> = wide.collect();
    match wide.is_empty() {
        true => format!("All differences between neighbours are known to ±{error} Elo (95 %)."),
        false => format!("Differences not known to ±{error} Elo (95 %): {}.", wide.join(", ")),
    }
}

/// The reason why it ended, unless the order and the precision are those requested.
fn stop_reason(rating: &RatingSummary, reason: StopReason) -> Option<String> {
    let of = rating.of;
    match reason {
        StopReason::Done => None,
        StopReason::Budget => Some(format!("Stopped after the whole budget of {of} pairs.")),
        StopReason::OutOfReach => {
            Some(format!("Stopped early: what is missing would take more pairs than the budget of {of}."))
        }
        StopReason::Repetitions => Some("Stopped early: further games would repeat earlier ones.".to_owned()),
    }
}

fn first_move(elo: Span) -> String {
    match elo[1] {
        None => "The advantage of moving first is unknown.".to_owned(),
        Some(mid) => format!(
            "Moving first is worth {} Elo: {:.1} % between equal players.",
            signed(elo),
            100.0 * score_of_elo(mid)
        ),
    }
}

/// A square table of the players in the order of their ranks; `cell` makes the cell of a pairing seen by the row's player.
fn square(rating: &RatingSummary, cell: impl Fn(&RatedPairing, bool) -> Cell) -> Sheet {
    let players = &rating.players;
    let met = |a: usize, b: usize| rating.pairings.iter().find(|pairing| pairing.ranks == [a.min(b), a.max(b)]);
    let row = |player: &RatedPlayer| {
        let place = format!("{}. {}", player.rank, shortened(&player.name));
        let name = Cell { hint: player.name.clone(), ..place.into() };
        let cells = players.iter().map(|other| {
            met(player.rank, other.rank).map_or_else(Cell::default, |pairing| cell(pairing, player.rank > other.rank))
        });
        [name].into_iter().chain(cells).collect()
    };
    let numbers = players.iter().map(|player| format!(">{}", player.rank));
    let headings: Vec<String> = ["player".to_owned()].into_iter().chain(numbers).collect();
    Sheet { class: "square", ..Sheet::new("", &headings, players.iter().map(row)) }
}

fn seen_by(pairing: &RatedPairing, swapped: bool) -> (f64, f64, [u64; 3]) {
    let [wins, draws, losses] = pairing.wdl;
    match swapped {
        true => (1.0 - pairing.score, 1.0 - pairing.expected, [losses, draws, wins]),
        false => (pairing.score, pairing.expected, [wins, draws, losses]),
    }
}

fn cross_cell(pairing: &RatedPairing, swapped: bool) -> Cell {
    let (score, _, [wins, draws, losses]) = seen_by(pairing, swapped);
    let games = wins + draws + losses;
    let hint = format!("{games} games: {wins} won, {draws} drawn, {losses} lost");
    Cell { hint, heat: Some(score), small: games.to_string(), ..format!("{:.0}", 100.0 * score).into() }
}

fn residual_cell(pairing: &RatedPairing, swapped: bool) -> Cell {
    let (score, expected, _) = seen_by(pairing, swapped);
    let residual = 100.0 * (score - expected);
    let [observed, expected, error] = [score, expected, pairing.error].map(|share| format!("{:.1} %", 100.0 * share));
    let hint = format!("observed {observed}, expected {expected}, standard error {error}");
    let text = if residual.abs() < 0.5 { "0".to_owned() } else { format!("{residual:+.0}") };
    Cell { hint, is_framed: pairing.notable, ..text.into() }
}
