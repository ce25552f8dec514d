//! The results of a match while it runs, as an event.

use banyan_arena::stats::MatchCounts;
use banyan_catalog::strength::{Span, Strength};
use banyan_catalog::view::VERSION;
use serde::Serialize;

use crate::standing::Standing;

/// Intermediate results; the event `stats` of `match --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatsEvent {
    /// [`VERSION`].
    pub v: u32,
    /// `stats`.
    pub event: &'static str,
    /// Finished pairs.
    pub pairs: u64,
    /// Pairs to be played.
    pub of: u64,
    /// Games won, drawn and lost by the first of two players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u64; 3]>,
    /// Elo of the first of two players over the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<Span>,
    /// With more than two players, those that have finished a pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairings: Option<Vec<PairingStanding>>,
    /// Log-likelihood ratio of a sequential test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
    /// Games lost by a fault.
    pub faults: u64,
}

/// The results of two of several players against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingStanding {
    /// Numbers of the players.
    pub players: [usize; 2],
    /// Finished pairs, without repeated ones.
    pub pairs: u64,
    /// Games won, drawn and lost by the first of them.
    pub wdl: [u64; 3],
    /// Elo of the first of them over the second.
    pub elo: Span,
}

impl PairingStanding {
    fn of((players, counts): ([usize; 2], &MatchCounts)) -> PairingStanding {
        let elo = Strength::of(&counts.estimate()).elo;
        PairingStanding { players, pairs: counts.pairs.pairs(), wdl: wdl(counts), elo }
    }
}

impl StatsEvent {
    /// The results of a match of `n_players` players.
    pub fn of(standing: &Standing, n_players: usize) -> StatsEvent {
        let (counts, is_duel) = (standing.counts(0), n_players <= 2);
        StatsEvent {
            v: VERSION,
            event: "stats",
            pairs: standing.pairs,
            of: standing.of,
            wdl: is_duel.then(|| wdl(&counts)),
            elo: is_duel.then(|| Strength::of(&counts.estimate()).elo),
            pairings: (!is_duel).then(|| standing.pairings().map(PairingStanding::of).collect()),
            llr: standing.sprt().map(|state| state.llr),
            faults: standing.faults,
        }
    }
}

fn wdl(counts: &MatchCounts) -> [u64; 3] {
    let games = counts.games();
    [games.wins, games.draws, games.losses]
}
