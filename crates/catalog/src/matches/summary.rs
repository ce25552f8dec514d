//! What a match has shown: `summary.json`, the last event of `match --json`, and what every table and export prints.

use std::collections::BTreeMap;

use banyan_arena::stats::{Anchor, EloScale, Estimate, Meeting, Ratings, Sprt, Tally, Wdl};
use banyan_core::Side;
use serde::{Deserialize, Serialize};

use super::evidence::Evidence;
use super::spending::{Spending, Spent};
use super::warnings::{self, Warning};
use super::{GameLine, MatchConfig, MatchFormat};
use crate::strength::{Span, SprtView, Strength, round, span};
use crate::view::VERSION;

/// Points of a curve that are kept; enough for a page.
const TRAIL_POINTS: u64 = 150;

/// A match, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// [`VERSION`].
    pub v: u32,
    /// The game, or range of games, of the match.
    pub game: String,
    /// Games played, those that count only once included.
    pub games: u64,
    /// Complete pairs, likewise.
    pub pairs: u64,
    /// The players, in the order of their numbers.
    pub players: Vec<PlayerSummary>,
    /// Who met whom, in the order of the schedule; those who have not met yet are left out.
    pub pairings: Vec<PairingSummary>,
    /// What a reader should know before believing it.
    pub warnings: Vec<Warning>,
}

/// One player against all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// What it is called.
    pub name: String,
    /// What it may spend.
    pub budget: String,
    /// Games won, drawn, lost that count.
    pub wdl: [u64; 3],
    /// Bradley-Terry rating; `None` where there are only two players. 0 is the mean, in a gauntlet the first player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Span>,
    /// What it spent and did wrong, in all games.
    pub spending: Spending,
}

/// Two players against each other, seen by the one who is named first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairingSummary {
    /// Numbers of the players.
    pub players: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// Pairs that count.
    pub pairs: u64,
    /// Games won, drawn, lost.
    pub wdl: [u64; 3],
    /// Those of them in which the player moved first.
    pub as_first: [u64; 3],
    /// Those of them in which it moved second.
    pub as_second: [u64; 3],
    /// Pairs by points made: LL, LD, WL or DD, WD, WW.
    pub pentanomial: [u64; 5],
    /// What that says.
    #[serde(flatten)]
    pub strength: Strength,
    /// The sequential test of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtView>,
    /// Pairs after which the test was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_after: Option<u64>,
    /// Pairs that repeat earlier ones move by move, which count once.
    pub repeated_pairs: u64,
    /// Pairs of which one game is missing, or was broken off: they are in none of the pairs above.
    pub incomplete_pairs: Vec<u64>,
    /// How it came about, thinned out; not written.
    #[serde(skip)]
    pub trail: Vec<TrailPoint>,
}

/// How a pairing stood after so many pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailPoint {
    /// Pairs.
    pub pairs: u64,
    /// Elo with its interval.
    pub elo: Span,
    /// Log-likelihood ratio, if there is a test.
    pub llr: Option<f64>,
}

/// The last event of `match --json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DoneEvent {
    /// [`VERSION`].
    pub v: u32,
    /// `done`.
    pub event: String,
    /// Names of the players.
    pub players: Vec<String>,
    /// Complete pairs of the match.
    pub pairs: u64,
    /// Games of the match.
    pub games: u64,
    /// Games won, drawn, lost by the first player.
    pub wdl: [u64; 3],
    /// Elo of the first player: over the other one, or with more than two players its rating.
    pub elo: Span,
    /// All pairings in full.
    pub pairings: Vec<PairingSummary>,
    /// Ratings of all players, where there are more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<Span>,
    /// What a reader should know before believing it.
    pub warnings: Vec<Warning>,
}

impl Summary {
    /// What `games` show, in whatever order they come. Of several records of one game the first counts; records of
    /// players that the match does not have are left out, which a warning says; so are games beyond the decision of a
    /// test, so that the result does not depend on how many were under way when it fell.
    pub fn of(config: &MatchConfig, games: &[GameLine]) -> Summary {
        let n_players = config.players.len();
        let mut known: BTreeMap<(u64, u8), &GameLine> = BTreeMap::new();
        let fits = |game: &&GameLine| game.seats.iter().all(|&seat| seat < n_players) && game.seats[0] != game.seats[1];
        for game in games.iter().filter(fits) {
            known.entry(game.id()).or_insert(game);
        }
        if let Some(last) = decided_at(config, &known) {
            known.retain(|&(pair, _), _| pair <= last);
        }
        let meetings = Met::all(&known);
        let pairings: Vec<(PairingSummary, Tally)> = meetings.values().map(|met| met.summary(config)).collect();
        let (spent, seconds) = spending(n_players, known.values().copied());
        let mut summary = Summary {
            v: VERSION,
            game: config.game.clone(),
            games: known.len() as u64,
            pairs: meetings.values().map(|met| met.pairs.len() as u64).sum(),
            players: players(config, spent, &pairings),
            pairings: pairings.into_iter().map(|(pairing, _)| pairing).collect(),
            warnings: Vec::new(),
        };
        let foreign = games.iter().filter(|game| !fits(game)).count();
        summary.warnings = warnings::all(config, &summary, games, seconds, foreign);
        summary
    }

    /// The event that ends a match.
    pub fn done(&self) -> DoneEvent {
        let first = self.players.first();
        let ratings: Vec<Span> = self.players.iter().filter_map(|player| player.rating).collect();
        let met = self.pairings.first().map(|pairing| pairing.strength.elo);
        DoneEvent {
            v: VERSION,
            event: "done".to_owned(),
            players: self.players.iter().map(|player| player.name.clone()).collect(),
            pairs: self.pairs,
            games: self.games,
            wdl: first.map_or([0; 3], |player| player.wdl),
            elo: ratings.first().copied().or(met).unwrap_or_default(),
            pairings: self.pairings.clone(),
            ratings,
            warnings: self.warnings.clone(),
        }
    }
}

/// The pair that decided the test of the match: the first at which the pairs from the beginning, none missing, cross a
/// bound.
fn decided_at(config: &MatchConfig, known: &BTreeMap<(u64, u8), &GameLine>) -> Option<u64> {
    let mut evidence = Evidence::new(Some(config.test().ok()??));
    for pair in 0.. {
        evidence.add_pair([*known.get(&(pair, 0))?, *known.get(&(pair, 1))?]);
        if evidence.decided_after().is_some() {
            return Some(pair);
        }
    }
    None
}

/// The games of two players, `players[0]` having the lower number.
struct Met<'a> {
    players: [usize; 2],
    /// Complete pairs in the order of the schedule, the game in which `players[0]` moved first in front.
    pairs: Vec<[&'a GameLine; 2]>,
    /// Games whose partner is missing.
    singles: Vec<&'a GameLine>,
}

impl<'a> Met<'a> {
    fn all(known: &BTreeMap<(u64, u8), &'a GameLine>) -> BTreeMap<[usize; 2], Met<'a>> {
        let mut met: BTreeMap<[usize; 2], Met> = BTreeMap::new();
        for (&(pair, game_idx), &game) in known {
            let mut players = game.seats;
            players.sort_unstable();
            let met = met.entry(players).or_insert_with(|| Met { players, pairs: Vec::new(), singles: Vec::new() });
            let partner =
                known.get(&(pair, 1 - game_idx)).filter(|other| other.seats == [game.seats[1], game.seats[0]]);
            match partner {
                None => met.singles.push(game),
                // The pair is taken where its first game comes by.
                Some(other) if game_idx == 0 && game.seats == players => met.pairs.push([game, other]),
                Some(other) if game_idx == 0 => met.pairs.push([other, game]),
                Some(_) => {}
            }
        }
        met
    }

    fn summary(&self, config: &MatchConfig) -> (PairingSummary, Tally) {
        let test = config
            .sprt
            .and_then(|sprt| Sprt::new(EloScale::Normalized, sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta).ok());
        let mut evidence = Evidence::new(test);
        let mut trail = Vec::new();
        let step = (self.pairs.len() as u64).div_ceil(TRAIL_POINTS).max(1);
        for (i, &games) in (1..).zip(&self.pairs) {
            evidence.add_pair(games);
            if i % step == 0 || i == self.pairs.len() as u64 {
                trail.push(point(&evidence));
            }
        }
        trail.dedup_by_key(|point| point.pairs);
        for game in &self.singles {
            let side = if game.seats[0] == self.players[0] { Side::First } else { Side::Second };
            evidence.add_single(side, game);
        }
        let tally = *evidence.tally();
        let sprt = test.zip(evidence.test());
        let pairing = PairingSummary {
            players: self.players,
            names: self.players.map(|player| config.players[player].name.clone()),
            pairs: tally.pairs.pairs(),
            wdl: wdl(tally.games()),
            as_first: wdl(tally.by_side[0]),
            as_second: wdl(tally.by_side[1]),
            pentanomial: tally.pairs.counts,
            strength: Strength::of(&tally.estimate()),
            sprt: sprt.map(|(test, state)| SprtView::of(EloScale::Normalized, &test, &state)),
            decided_after: evidence.decided_after(),
            repeated_pairs: evidence.repeated(),
            incomplete_pairs: self.singles.iter().map(|game| game.pair).collect(),
            trail,
        };
        (pairing, tally)
    }
}

fn point(evidence: &Evidence) -> TrailPoint {
    let Estimate { elo, .. } = evidence.tally().estimate();
    let llr = evidence.test().and_then(|state| round(state.llr, 4));
    TrailPoint { pairs: evidence.tally().pairs.pairs(), elo: span(elo, 3), llr }
}

fn wdl(wdl: Wdl) -> [u64; 3] {
    [wdl.wins, wdl.draws, wdl.losses]
}

/// What each player spent, and the seconds all of them thought together.
fn spending<'a>(n_players: usize, games: impl Iterator<Item = &'a GameLine>) -> (Vec<Spending>, f64) {
    let mut spent = vec![Spent::default(); n_players];
    for game in games {
        for side in Side::BOTH {
            spent[game.seats[side.index()]].add(game, side);
        }
    }
    let seconds = spent.iter().map(Spent::seconds).sum();
    (spent.into_iter().map(Spent::spending).collect(), seconds)
}

fn players(config: &MatchConfig, spent: Vec<Spending>, pairings: &[(PairingSummary, Tally)]) -> Vec<PlayerSummary> {
    let n_players = config.players.len();
    let mut totals = vec![Wdl::default(); n_players];
    let mut meetings = Vec::new();
    for (pairing, tally) in pairings {
        let [player, opponent] = pairing.players;
        totals[player] += tally.games();
        totals[opponent] += tally.games().reversed();
        meetings.push(Meeting { player, opponent, tally: *tally });
    }
    let anchor = if config.format == MatchFormat::Gauntlet { Anchor::Player(0) } else { Anchor::Mean };
    let ratings = (n_players > 2).then(|| Ratings::fit(n_players, &meetings, anchor));
    let player = |(i, spending): (usize, Spending)| PlayerSummary {
        name: config.players[i].name.clone(),
        budget: config.players[i].budget.clone(),
        wdl: wdl(totals[i]),
        rating: ratings.as_ref().map(|ratings| span(ratings.elo[i], 3)),
        spending,
    };
    spent.into_iter().enumerate().map(player).collect()
}
