//! The result of a ladder: `ladder.json`, and the data of its table and its page.

use banyan_arena::stats::{Interval, score_of_elo};
use banyan_catalog::GameTables;
use banyan_catalog::strength::{Span, round, span};
use banyan_catalog::view::VERSION;
use serde::{Deserialize, Serialize};

use crate::config::MatchConfig;
use crate::pairing_summary::PairingSummary;
use crate::summary::Summary;

/// Ratings are searched this far beyond the first and the last rung.
const BEYOND: f64 = 1500.0;

/// A player on the ladder of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LadderResult {
    /// [`VERSION`].
    pub v: u32,
    /// The game.
    pub game: String,
    /// The player.
    pub player: String,
    /// Games played.
    pub games: u64,
    /// Its rating, that of `random` being 0, from the games against the levels; `null` before the first.
    pub rating: Span,
    /// The number of the level below it; `null` if it is below the first.
    pub above: Option<usize>,
    /// The number of the level above it; `null` if it is above the last.
    pub below: Option<usize>,
    /// Numbers of levels that are below the lower and below the upper end of the interval of its rating; `null` before the first
    /// game.
    #[serde(default)]
    pub passed: Option<[usize; 2]>,
    /// Points with 2 for a win, 1 for a draw, and those of a win in every game.
    pub points: [u64; 2],
    /// The levels, the weakest first, and then other opponents.
    pub rungs: Vec<Rung>,
}

/// An opponent on the ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// Its name.
    pub name: String,
    /// The number of the level; `null` for other opponents.
    pub level: Option<usize>,
    /// Its recorded rating; `null` for other opponents.
    pub elo: Option<i32>,
    /// Games won, drawn and lost by the player.
    pub wdl: [u64; 3],
    /// Points per game, 0 .. 1, with the 95 % interval; nulls without games.
    pub score: Span,
    /// The score that the rating predicts.
    pub expected: Option<f64>,
    /// Points with 2 for a win, 1 for a draw.
    pub points: u64,
}

impl LadderResult {
    /// The place of the first player of a match among the levels, which are its next players.
    pub fn of(config: &MatchConfig, tables: &GameTables, summary: &Summary) -> LadderResult {
        let met = |seat: usize| summary.pairings.iter().find(|pairing| pairing.players == [0, seat]);
        let levels: Vec<(f64, &PairingSummary)> = tables
            .levels
            .iter()
            .enumerate()
            .filter_map(|(i, level)| Some((f64::from(level.elo), met(i + 1)?)))
            .collect();
        let rating = rating(&levels, tables);
        let rungs = config.players.iter().enumerate().skip(1).map(|(seat, entrant)| {
            let level = tables.levels.get(seat - 1);
            let wdl = met(seat).map_or([0; 3], |pairing| pairing.wdl);
            let expected =
                rating.mid.zip(level).and_then(|(mid, level)| round(score_of_elo(mid - f64::from(level.elo)), 6));
            Rung {
                name: entrant.name.clone(),
                level: level.map(|_| seat),
                elo: level.map(|level| level.elo),
                wdl,
                score: met(seat).map_or([None; 3], |pairing| pairing.strength.score),
                expected,
                points: 2 * wdl[0] + wdl[1],
            }
        });
        let rungs: Vec<Rung> = rungs.collect();
        let games: u64 = rungs.iter().map(|rung| rung.wdl.iter().sum::<u64>()).sum();
        let n_below = |elo: f64| tables.levels.iter().filter(|level| f64::from(level.elo) <= elo).count();
        let passed = rating.mid.map(n_below);
        LadderResult {
            v: VERSION,
            game: config.game.clone(),
            player: config.players[0].name.clone(),
            games,
            rating: span(rating, 1),
            above: passed.filter(|&n| n > 0),
            below: passed.map(|n| n + 1).filter(|&n| n <= tables.levels.len()),
            passed: rating.low.zip(rating.high).map(|(low, high)| [low, high].map(n_below)),
            points: [rungs.iter().map(|rung| rung.points).sum(), 2 * games],
            rungs,
        }
    }
}

impl LadderResult {
    /// The levels next to it that the 95 % interval of its rating allows: the highest one that is certainly below it, the lowest one
    /// that is certainly above it; `None` if the interval extends beyond the first or the last level.
    pub(super) fn certain_neighbours(&self) -> [Option<usize>; 2] {
        let n_levels = self.rungs.iter().filter_map(|rung| rung.level).max().unwrap_or(0);
        let [low, high] = self.passed.unwrap_or([0, n_levels]);
        [Some(low).filter(|&n| n > 0), Some(high + 1).filter(|&n| n <= n_levels)]
    }
}

/// The most likely rating against opponents whose ratings are known. One imaginary drawn game against the middle of the ladder keeps it
/// finite; the error has the spread between pairs, as the two games of a pair are not independent.
fn rating(met: &[(f64, &PairingSummary)], tables: &GameTables) -> Interval {
    let ends = || tables.levels.iter().map(|level| f64::from(level.elo));
    let (low, high) = (ends().fold(f64::MAX, f64::min), ends().fold(f64::MIN, f64::max));
    let middle = f64::midpoint(low, high);
    let games = |pairing: &PairingSummary| pairing.wdl.iter().sum::<u64>() as f64;
    let points = |pairing: &PairingSummary| pairing.wdl[0] as f64 + 0.5 * pairing.wdl[1] as f64;
    if met.iter().all(|(_, pairing)| games(pairing) == 0.0) {
        return Interval::UNKNOWN;
    }
    let excess = |r: f64| {
        let of = |(elo, pairing): &(f64, &PairingSummary)| games(pairing) * score_of_elo(r - elo) - points(pairing);
        met.iter().map(of).sum::<f64>() + score_of_elo(r - middle) - 0.5
    };
    let (mut from, mut to) = (low - BEYOND, high + BEYOND);
    for _ in 0..60 {
        let mid = f64::midpoint(from, to);
        if excess(mid) < 0.0 { from = mid } else { to = mid }
    }
    let r = f64::midpoint(from, to);
    let variance = |elo: f64| score_of_elo(r - elo) * (1.0 - score_of_elo(r - elo));
    let information: f64 =
        met.iter().map(|(elo, pairing)| games(pairing) * variance(*elo)).sum::<f64>() + variance(middle);
    let error = spread(met, r).sqrt() / information.sqrt() * 400.0 / std::f64::consts::LN_10;
    Interval { low: Some(r - 1.96 * error), mid: Some(r), high: Some(r + 1.96 * error) }
}

/// Variance of the scores of pairs in units of that of two independent games, at least a half.
fn spread(met: &[(f64, &PairingSummary)], r: f64) -> f64 {
    let (mut seen, mut expected, mut n) = (0.0, 0.0, 0u64);
    for (elo, pairing) in met {
        let p = score_of_elo(r - elo);
        for (half_points, count) in (0..).zip(pairing.pentanomial) {
            seen += count as f64 * (f64::from(half_points) / 2.0 - 2.0 * p).powi(2);
            expected += count as f64 * 2.0 * p * (1.0 - p);
            n += count;
        }
    }
    // Prior: four pairs with the spread of independent games.
    if n == 0 {
        1.0
    } else {
        ((seen + 4.0 * expected / n as f64) / (expected * (1.0 + 4.0 / n as f64)).max(1e-9)).max(0.5)
    }
}
