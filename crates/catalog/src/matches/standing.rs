//! How a match stands while it goes on.

use std::collections::BTreeMap;
use std::sync::Arc;

use banyan_arena::stats::{MatchCounts, Sprt, SprtState};

use super::evidence::Evidence;
use super::record::GameLine;

/// The results so far, of complete pairs alone.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Pairs that are over, those of an earlier part of the match included.
    pub pairs: u64,
    /// Pairs of this run of the program.
    pub new_pairs: u64,
    /// Pairs to be played by this shard altogether; with a sequential test at most.
    pub of: u64,
    /// Games lost by a fault.
    pub faults: u64,
    test: Option<Sprt>,
    /// Per pairing, seen by its first player.
    pairings: BTreeMap<[usize; 2], Evidence>,
}

impl Standing {
    pub(super) fn new(of: u64, test: Option<Sprt>) -> Standing {
        Standing { of, test, ..Standing::default() }
    }

    /// What `player` achieved against all others.
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

    /// Where the sequential test stands, or how it ended.
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

/// The two games of a pair, in their order: in the first the pairing's first player moved first.
#[derive(Clone, Debug)]
pub(super) struct PairDone(pub(super) [Arc<GameLine>; 2]);
