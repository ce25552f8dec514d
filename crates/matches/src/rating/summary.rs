//! The result of a rating: `rating.json`, and the data of its tables and its page.

use banyan_arena::stats::{Anchor, MatchCounts, Meeting, Pentanomial, Ratings, Wdl};
use banyan_arena::{Neighbours, Order, Pursuit, neighbours};
use banyan_catalog::strength::{Span, round, span};
use banyan_catalog::view::VERSION;
use banyan_core::TextError;
use serde::{Deserialize, Serialize};

use super::run::{adaptive_config, terms};
use crate::config::MatchConfig;
use crate::pairing_summary::PairingSummary;
use crate::summary::Summary;
use crate::warnings::Warning;

/// [`next`](RatedPlayer::next) of a player that the budget does not distinguish from the next one.
pub(crate) const NOT_DISTINGUISHABLE: &str = "not distinguishable";

/// A residual of more errors than this is marked.
const NOTABLE: f64 = 2.0;

/// A rating, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingSummary {
    /// [`VERSION`].
    pub v: u32,
    /// The game, or range of games.
    pub game: String,
    /// Pairs played, including repetitions.
    pub pairs: u64,
    /// The budget of pairs.
    pub of: u64,
    /// Games played.
    pub games: u64,
    /// Whether no further pair is to be played.
    pub finished: bool,
    /// Whether the order of all neighbours is settled.
    pub settled: bool,
    /// The reason why no further pair is to be played; absent while it is unfinished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StopReason>,
    /// Likelihood of superiority at which an order is settled, 0.5 .. 1.
    pub superiority: f64,
    /// Half-width in Elo to which the differences between neighbours are to be known (95 %), if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The player whose rating is 0; the mean of all players if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// The advantage of moving first in Elo, the same for all players.
    pub first_move: Span,
    /// The players, the strongest first.
    pub players: Vec<RatedPlayer>,
    /// The pairings that have played, in the order of the ratings: the stronger player is the first.
    pub pairings: Vec<RatedPairing>,
    /// Warnings about the validity of the result.
    pub warnings: Vec<Warning>,
}

/// The reason why a rating ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// The order of all neighbours is settled, and their differences are known as precisely as requested.
    Done,
    /// All pairs of the budget are played.
    Budget,
    /// The order or the precision that is missing would take more pairs than the whole budget.
    OutOfReach,
    /// No pairing gives new games.
    Repetitions,
}

/// A player on the scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatedPlayer {
    /// Its place, from 1.
    pub rank: usize,
    /// Its number in the list of the pool, from 0.
    pub player: usize,
    /// Its name.
    pub name: String,
    /// Its budget.
    pub budget: String,
    /// Its rating in Elo.
    pub rating: Span,
    /// Games won, drawn and lost, of those that count.
    pub wdl: [u64; 3],
    /// Points per game, 0 .. 1.
    pub score: Option<f64>,
    /// The chance that it is stronger than the next player; `None` for the last one.
    pub los_next: Option<f64>,
    /// `settled`, `open` or `not distinguishable`: the order of this player and the next one; `last` for the last one.
    pub next: String,
    /// Further pairs between the two that would settle it, roughly.
    pub more_pairs: Option<u64>,
    /// Half-width in Elo to which the difference between the two is known (95 %); `None` for the last one, and if it is unknown.
    #[serde(default)]
    pub error_next: Option<f64>,
}

/// The games of two players against what the ratings predict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatedPairing {
    /// Ranks of the players.
    pub ranks: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// Pairs that count.
    pub pairs: u64,
    /// Games won, drawn and lost by the first.
    pub wdl: [u64; 3],
    /// Its points per game, 0 .. 1.
    pub score: f64,
    /// The score that the ratings predict.
    pub expected: f64,
    /// Standard error of the score.
    pub error: f64,
    /// Whether score and prediction differ by more than two errors.
    pub notable: bool,
    /// Pairs that repeat earlier ones exactly; they count once.
    pub repeated_pairs: u64,
}

impl RatingSummary {
    /// Rates the players of `summary`, which is that of `config`.
    ///
    /// # Errors
    /// The configuration is not that of a rating.
    pub fn of(config: &MatchConfig, summary: &Summary, finished: bool) -> Result<RatingSummary, TextError> {
        let terms = terms(config)?;
        let meetings: Vec<Meeting> = summary.pairings.iter().map(meeting).collect();
        let anchor = terms.anchor.as_ref().and_then(|name| config.players.iter().position(|p| p.name == *name));
        let ratings =
            Ratings::fit_with_order(config.players.len(), &meetings, anchor.map_or(Anchor::Mean, Anchor::Player));
        let neighbours = neighbours(&ratings, adaptive_config(&terms), summary.pairs);
        let ranking = ratings.ranking();
        let player = |(i, &number): (usize, &usize)| rated(i, number, &ratings, summary, neighbours.get(i));
        let players = ranking.iter().enumerate().map(player).collect();
        let mut rank = vec![0; ranking.len()];
        ranking.iter().zip(1..).for_each(|(&player, place)| rank[player] = place);
        let met = summary.pairings.iter().zip(&meetings);
        let mut pairings: Vec<RatedPairing> =
            met.filter_map(|(pairing, meeting)| predicted(pairing, meeting, &ratings, &rank)).collect();
        pairings.sort_by_key(|pairing| pairing.ranks);
        Ok(RatingSummary {
            v: VERSION,
            game: config.game.clone(),
            pairs: summary.pairs,
            of: terms.pairs,
            games: summary.games,
            finished,
            settled: neighbours.iter().all(|found| found.order == Order::Settled),
            stopped: finished.then(|| StopReason::of(&neighbours, summary.pairs, terms.pairs)),
            superiority: terms.superiority,
            error: terms.error,
            anchor: terms.anchor,
            first_move: span(ratings.first_move, 3),
            players,
            pairings,
            warnings: summary.warnings.clone(),
        })
    }
}

impl StopReason {
    fn of(neighbours: &[Neighbours], played: u64, budget: u64) -> StopReason {
        let is = |pursuit: Pursuit| move |found: &Neighbours| found.pursuit == pursuit;
        if neighbours.iter().all(is(Pursuit::Finished)) {
            StopReason::Done
        } else if played >= budget {
            StopReason::Budget
        } else if neighbours.iter().any(is(Pursuit::Continued)) {
            StopReason::Repetitions
        } else {
            StopReason::OutOfReach
        }
    }
}

/// The counts of complete pairs, and single games by side.
fn meeting(pairing: &PairingSummary) -> Meeting {
    let [player, opponent] = pairing.players;
    let wdl = |[wins, draws, losses]: [u64; 3]| Wdl { wins, draws, losses };
    let by_side = [pairing.as_first, pairing.as_second].map(wdl);
    let counts = MatchCounts { pairs: Pentanomial { counts: pairing.pentanomial }, singles: Wdl::default(), by_side };
    Meeting { player, opponent, counts }
}

fn rated(place: usize, number: usize, ratings: &Ratings, summary: &Summary, next: Option<&Neighbours>) -> RatedPlayer {
    let player = &summary.players[number];
    let [wins, draws, losses] = player.wdl;
    let games = wins + draws + losses;
    let (word, more_pairs) = match next.map(|next| next.order) {
        None => ("last", None),
        Some(Order::Settled) => ("settled", Some(0)),
        Some(Order::Open(more)) => ("open", more),
        Some(Order::NotDistinguishable) => (NOT_DISTINGUISHABLE, None),
    };
    RatedPlayer {
        rank: place + 1,
        player: number,
        name: player.name.clone(),
        budget: player.budget.clone(),
        rating: span(ratings.elo[number], 3),
        wdl: player.wdl,
        score: if games == 0 { None } else { round((wins as f64 + 0.5 * draws as f64) / games as f64, 6) },
        los_next: next.and_then(|next| round(next.superiority, 6)),
        next: word.to_owned(),
        more_pairs,
        error_next: next.filter(|next| next.half_width.is_finite()).and_then(|next| round(next.half_width, 3)),
    }
}

fn predicted(pairing: &PairingSummary, meeting: &Meeting, ratings: &Ratings, rank: &[usize]) -> Option<RatedPairing> {
    let found = ratings.residual(meeting)?;
    let [a, b] = pairing.players;
    let swaps = rank[a] > rank[b];
    let share = |share: f64| round(if swaps { 1.0 - share } else { share }, 6);
    let [wins, draws, losses] = pairing.wdl;
    let [one, other] = pairing.names.clone();
    Some(RatedPairing {
        ranks: [rank[a].min(rank[b]), rank[a].max(rank[b])],
        names: if swaps { [other, one] } else { [one, other] },
        pairs: pairing.pairs,
        wdl: if swaps { [losses, draws, wins] } else { [wins, draws, losses] },
        score: share(found.score)?,
        expected: share(found.expected)?,
        error: round(found.error, 6)?,
        notable: (found.score - found.expected).abs() > NOTABLE * found.error,
        repeated_pairs: pairing.repeated_pairs,
    })
}
