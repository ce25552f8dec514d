//! The tables of a match, the same on the terminal, in Markdown and on the page.

use banyan_catalog::strength::{Span, signed};

use banyan_texts::Language;

use super::report::{Cell, Sheet};
use crate::openings::OpeningResult;
use crate::pairing_summary::{FEWEST_PAIRS, PairingSummary};
use crate::player_summary::PlayerSummary;
use crate::summary::Summary;

/// The longest name that is printed after a number.
const SHORT_NAME: usize = 12;

/// The names of the players in the tables, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerNames {
    names: Vec<String>,
    /// Whether each begins with the number of its player.
    are_numbered: bool,
}

impl PlayerNames {
    /// The names with all settings.
    pub fn full(summary: &Summary) -> PlayerNames {
        let names = summary.players.iter().map(|player| player.name.clone()).collect();
        PlayerNames { names, are_numbered: false }
    }

    /// Numbers from 1 on, each with the name up to its settings if that is short: `3 uct`.
    pub fn numbered(summary: &Summary) -> PlayerNames {
        let name = |(i, player): (usize, &PlayerSummary)| {
            let name = player.name.split([':', '@']).next().unwrap_or_default();
            let is_short = name.chars().count() <= SHORT_NAME;
            if is_short { format!("{} {name}", i + 1) } else { (i + 1).to_string() }
        };
        PlayerNames { names: summary.players.iter().enumerate().map(name).collect(), are_numbered: true }
    }

    /// The name of each player.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn versus(&self, pairing: &PairingSummary) -> String {
        let [one, other] = pairing.players.map(|player| self.names[player].as_str());
        format!("{one} - {other}")
    }

    fn with_number(&self, player: usize) -> String {
        let name = &self.names[player];
        if self.are_numbered { name.clone() } else { format!("{}  {name}", player + 1) }
    }
}

/// All tables that are not empty.
pub fn sheets(summary: &Summary, names: &PlayerNames, language: Language) -> Vec<Sheet> {
    let tables = [ratings, cross_table, results, test, pairs, openings, spending];
    tables.iter().map(|table| table(summary, names, language)).filter(|sheet| !sheet.rows.is_empty()).collect()
}

fn results(summary: &Summary, names: &PlayerNames, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let row = |pairing: &PairingSummary| {
        let ([wins, draws, losses], strength) = (pairing.wdl, &pairing.strength);
        let more = match (strength.more_pairs, pairing.pairs) {
            (Some(0), _) => text("table.none"),
            (Some(n), _) => language.say("table.about", &[("n", &n)]),
            (None, 0..FEWEST_PAIRS) => text("table.unknown"),
            (None, _) => text("table.equal"),
        };
        vec![
            names.versus(pairing),
            pairs_and_games(pairing, language),
            format!("{wins}-{draws}-{losses}"),
            percent(strength.score[1], 1),
            signed(strength.elo),
            signed(strength.nelo),
            percent(Some(strength.los), 1),
            more,
        ]
    };
    let headings = [
        text("table.players"),
        number("table.pairs"),
        number("table.wdl"),
        number("table.score"),
        number("table.elo"),
        number("table.nelo"),
        number("table.los"),
        number("table.more-pairs"),
    ];
    Sheet::new(text("table.results"), &headings, summary.pairings.iter().map(row))
}

/// The score of the first side and of every player in each opening.
fn openings(summary: &Summary, names: &PlayerNames, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let share = |[won, drawn, lost]: [u64; 3]| {
        let games = won + drawn + lost;
        percent((games > 0).then(|| (won as f64 + 0.5 * drawn as f64) / games as f64), 1)
    };
    let row = |result: &OpeningResult| {
        let name = result.opening.clone().unwrap_or_else(|| text("table.no-name"));
        let first = [name, result.games.to_string(), share(result.sides)];
        first.into_iter().chain(result.players.iter().map(|&counts| share(counts))).collect()
    };
    let players = names.names().iter().map(|name| format!(">{name} %"));
    let headings: Vec<String> =
        [text("table.opening"), number("table.games"), number("table.first-side")].into_iter().chain(players).collect();
    Sheet::new(text("table.openings"), &headings, summary.openings.iter().map(row))
}

fn test(summary: &Summary, names: &PlayerNames, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let row = |pairing: &PairingSummary| {
        let test = pairing.sprt.as_ref()?;
        let verdict = match (test.decision.as_str(), pairing.decided_after) {
            (h @ ("H1" | "H0"), Some(n)) => language.say("table.accepted", &[("h", &h), ("n", &n)]),
            _ => match test.more_pairs {
                Some(n) => language.say("table.undecided-more", &[("n", &n)]),
                None => text("table.undecided"),
            },
        };
        let bounds = format!("{:.2} .. {:.2}", test.lower, test.upper);
        let hypotheses = language.say("table.against", &[("h0", &test.elo0), ("h1", &test.elo1)]);
        Some(vec![names.versus(pairing), hypotheses, format!("{:.2}", test.llr), bounds, verdict])
    };
    let headings =
        [text("table.players"), number("table.nelo"), ">LLR".to_owned(), number("table.bounds"), text("table.verdict")];
    Sheet::new(text("table.test"), &headings, summary.pairings.iter().filter_map(row))
}

fn pairs(summary: &Summary, names: &PlayerNames, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let row = |pairing: &PairingSummary| {
        let bins = pairing.pentanomial.map(|n| n.to_string());
        let dashed = |[wins, draws, losses]: [u64; 3]| format!("{wins}-{draws}-{losses}");
        let mut cells = vec![names.versus(pairing)];
        cells.extend(bins);
        cells.extend([dashed(pairing.as_first), dashed(pairing.as_second), pairing.repeated_pairs.to_string()]);
        cells.push(pairing.incomplete_pairs.len().to_string());
        cells
    };
    let headings = [
        text("table.players"),
        ">LL".to_owned(),
        ">LD".to_owned(),
        number("table.even"),
        ">WD".to_owned(),
        ">WW".to_owned(),
        number("table.moving-first"),
        number("table.moving-second"),
        number("table.repeated"),
        number("table.incomplete"),
    ];
    Sheet::new(text("table.pairs-and-sides"), &headings, summary.pairings.iter().map(row))
}

fn ratings(summary: &Summary, names: &PlayerNames, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let players = summary.players.iter().zip(names.names());
    let mut rated: Vec<_> = players.filter_map(|(player, name)| Some((player, name, player.rating?))).collect();
    // A player that won every game ranks first, one that lost every game last.
    let strength = |elo: Span| elo[1].or(elo[0]).or(elo[2]).unwrap_or(f64::NEG_INFINITY);
    rated.sort_by(|(.., a), (.., b)| strength(*b).total_cmp(&strength(*a)));
    let row = |(rank, (player, name, elo)): (usize, (&PlayerSummary, &String, Span))| {
        let [wins, draws, losses] = player.wdl;
        let games = wins + draws + losses;
        let score = (games > 0).then(|| (wins as f64 + 0.5 * draws as f64) / games as f64);
        let wdl = format!("{wins}-{draws}-{losses}");
        vec![(rank + 1).to_string(), name.clone(), signed(elo), games.to_string(), wdl, percent(score, 1)]
    };
    let headings = [
        number("table.rank"),
        text("table.player"),
        number("table.elo"),
        number("table.games"),
        number("table.wdl"),
        number("table.score"),
    ];
    Sheet { n_keys: 2, ..Sheet::new(text("table.ratings"), &headings, rated.into_iter().enumerate().map(row)) }
}

/// Scores in percent, row against column; only for more than two players.
fn cross_table(summary: &Summary, names: &PlayerNames, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let n = if summary.players.len() > 2 { summary.players.len() } else { 0 };
    let headings: Vec<String> = [text("table.player")].into_iter().chain((1..=n).map(|i| format!(">{i}"))).collect();
    let row = |i: usize| {
        let cell = |j: usize| match score(summary, i, j) {
            _ if i == j => Cell::default(),
            score => Cell { heat: score, ..percent(score, 0).into() },
        };
        [names.with_number(i).into()].into_iter().chain((0..n).map(cell)).collect()
    };
    Sheet::new(text("table.cross"), &headings, (0..n).map(row))
}

/// Points per game of player `i` against `j`, if they met.
fn score(summary: &Summary, i: usize, j: usize) -> Option<f64> {
    let met = |a, b| summary.pairings.iter().find(|pairing| pairing.players == [a, b]);
    let mid = |pairing: &PairingSummary| pairing.strength.score[1];
    met(i, j).and_then(mid).or_else(|| met(j, i).and_then(mid).map(|score| 1.0 - score))
}

fn spending(summary: &Summary, names: &PlayerNames, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let row = |(player, name): (&PlayerSummary, &String)| {
        let spending = &player.spending;
        let figure = |x: Option<f64>, digits: usize| x.map_or("-".to_owned(), |x| format!("{x:.digits$}"));
        let faults = if spending.n_faults() == 0 { text("table.none") } else { spending.faults_text() };
        let overruns = match spending.overruns {
            0 => text("table.none"),
            n => {
                let worst = format!("{:.1}", spending.worst_overrun_ms);
                language.say("table.overruns-are", &[("n", &n), ("ms", &worst)])
            }
        };
        vec![
            name.clone(),
            player.budget.clone(),
            spending.moves.to_string(),
            figure(spending.playouts, 0),
            figure(spending.nodes, 0),
            figure(spending.time_ms, 3),
            percent(spending.reused, 1),
            spending.memory_bytes.map_or("-".to_owned(), mebibytes),
            faults,
            overruns,
        ]
    };
    let headings = [
        text("table.player"),
        text("table.budget"),
        number("table.moves"),
        number("table.playouts"),
        number("table.nodes"),
        number("table.ms"),
        number("table.reused"),
        number("table.memory"),
        number("table.faults"),
        number("table.overruns"),
    ];
    Sheet::new(text("table.resources"), &headings, summary.players.iter().zip(names.names()).map(row))
}

/// `3`, or `3 + 1 game` if a pair lacks a game: that game counts among those won, drawn and lost.
fn pairs_and_games(pairing: &PairingSummary, language: Language) -> String {
    match (pairing.pairs, pairing.incomplete_pairs.len()) {
        (pairs, 0) => pairs.to_string(),
        (pairs, n) => language.say("table.and-games", &[("pairs", &pairs), ("n", &n)]),
    }
}

pub(super) fn versus(pairing: &PairingSummary) -> String {
    let [one, other] = &pairing.names;
    format!("{one} - {other}")
}

/// Bytes in MiB, to a tenth.
pub(super) fn mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}

pub(super) fn percent(share: Option<f64>, digits: usize) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.digits$}", 100.0 * share))
}
