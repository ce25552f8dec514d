//! Intermediate results of a match.

use std::collections::BTreeMap;
use std::sync::Arc;

use banyan_arena::stats::{Anchor, Interval, MatchCounts, Meeting, Ratings, Sprt, SprtState};
use banyan_catalog::pairs::GameLine;

use crate::evidence::Evidence;

/// The results so far, of complete pairs only.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Finished pairs, including those before a resume.
    pub pairs: u64,
    /// Pairs finished in this process.
    pub new_pairs: u64,
    /// Total pairs of this shard; with a sequential test the maximum.
    pub of: u64,
    /// Games lost by a fault.
    pub faults: u64,
    test: Option<Sprt>,
    /// Per pairing, from the viewpoint of its first player.
    pairings: BTreeMap<[usize; 2], Evidence>,
}

impl Standing {
    pub(super) fn new(of: u64, test: Option<Sprt>) -> Standing {
        Standing { of, test, ..Standing::default() }
    }

    /// The counts of `player` against all others.
    pub fn counts(&self, player: usize) -> MatchCounts {
        let mut all = MatchCounts::default();
        for (&[a, b], evidence) in &self.pairings {
            if a == player {
                all += *evidence.counts();
            } else if b == player {
                all += evidence.counts().reversed();
            }
        }
        all
    }

    /// The counts of each pairing that has finished a pair, from the viewpoint of its first player, with the numbers of the players.
    pub fn pairings(&self) -> impl Iterator<Item = ([usize; 2], &MatchCounts)> {
        self.pairings.iter().map(|(&players, evidence)| (players, evidence.counts()))
    }

    /// The player with the highest rating of `n_players`, the next one, and the difference between them; `None` before both
    /// have played, and while the games connect not all players that have, whose ratings then cannot be compared.
    pub fn leader(&self, n_players: usize) -> Option<Leader> {
        let meeting = |(&[player, opponent], evidence): (&[usize; 2], &Evidence)| Meeting {
            player,
            opponent,
            counts: *evidence.counts(),
        };
        let meetings: Vec<Meeting> = self.pairings.iter().map(meeting).collect();
        let ratings = Ratings::fit(n_players, &meetings, Anchor::Mean);
        let elo = |player: usize| {
            let Interval { low, mid, high } = ratings.elo.get(player).copied()?;
            mid.or(low).or(high)
        };
        let mut ranking: Vec<(usize, f64)> = (0..n_players).filter_map(|player| Some((player, elo(player)?))).collect();
        ranking.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let &[(player, _), (next, _), ..] = &*ranking else { return None };
        if ranking.iter().any(|&(other, _)| ratings.group[other] != ratings.group[player]) {
            return None;
        }
        Some(Leader { player, next, gap: ratings.difference(player, next) })
    }

    /// The current or final state of the sequential test.
    pub fn sprt(&self) -> Option<SprtState> {
        self.pairings.values().find_map(Evidence::test)
    }

    /// Whether the test is decided.
    pub fn is_decided(&self) -> bool {
        self.pairings.values().any(|evidence| evidence.decided_after().is_some())
    }

    pub(super) fn add(&mut self, PairDone([one, other]): &PairDone) {
        self.pairs += 1;
        self.faults += [one, other].iter().filter(|game| game.fault_by.is_some()).count() as u64;
        let evidence = self.pairings.entry(one.seats).or_insert_with(|| Evidence::new(self.test));
        evidence.add_pair([one, other]);
    }
}

/// The leader of a match between more than two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leader {
    /// Its number.
    pub player: usize,
    /// The number of the second.
    pub next: usize,
    /// The lead over the second, in Elo.
    pub gap: Interval,
}

/// The two games of a pair; in the first game the pairing's first player moved first.
#[derive(Clone, Debug)]
pub(super) struct PairDone(pub(super) [Arc<GameLine>; 2]);
