//! What two players' games say about them, pair by pair in the order of the schedule.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use banyan_arena::stats::{Decision, MatchCounts, Sprt, SprtState};
use banyan_core::Side;

use super::GameLine;

/// What the pairs of one pairing have shown so far, seen by the player who is named first.
///
/// **Repeated pairs count once.** A pair repeats an earlier one of its pairing if, on the same board, both of its games
/// have the same moves and the same end as that pair's games with the same seats. Players that draw on chance
/// practically never do so; players that do not would otherwise turn one game into as many as one likes. A pair of
/// which only one game repeats still counts: it has brought a new game.
///
/// **A test ends where it first crosses a bound.** Pairs added after that count for the estimates, but change the verdict
/// no more.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    counts: MatchCounts,
    repeated: u64,
    seen_pairs: HashSet<[u64; 2]>,
    seen_games: HashSet<u64>,
    test: Option<Sprt>,
    verdict: Option<(SprtState, u64)>,
}

impl Evidence {
    /// Nothing played yet, to be decided by `test` if there is one.
    pub fn new(test: Option<Sprt>) -> Evidence {
        Evidence { test, ..Evidence::default() }
    }

    /// Counts a pair: in `games[0]` the player is the first side, in `games[1]` the second. Says whether it counts.
    pub fn add_pair(&mut self, games: [&GameLine; 2]) -> bool {
        let prints = games.map(fingerprint);
        self.seen_games.extend(prints);
        if !self.seen_pairs.insert(prints) {
            self.repeated += 1;
            return false;
        }
        let [as_first, as_second] = games;
        self.counts.add_pair(as_first.outcome(Side::First), as_second.outcome(Side::Second));
        if let (Some(test), None) = (self.test, self.verdict) {
            let state = test.test(&self.counts);
            self.verdict = (state.decision != Decision::Continue).then(|| (state, self.counts.pairs.pairs()));
        }
        true
    }

    /// Counts a game whose partner is missing, in which the player is `side`; to be called after all pairs. Says whether
    /// it counts, which a game that was seen before does not.
    pub fn add_single(&mut self, side: Side, game: &GameLine) -> bool {
        let new = self.seen_games.insert(fingerprint(game));
        if new {
            self.counts.add_single(side, game.outcome(side));
        }
        new
    }

    /// All that counts.
    pub fn counts(&self) -> &MatchCounts {
        &self.counts
    }

    /// Pairs left out because they repeat earlier ones.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Where the test stands, or how it ended; `None` without a test.
    pub fn test(&self) -> Option<SprtState> {
        let test = self.test?;
        Some(self.verdict.map_or_else(|| test.test(&self.counts), |(state, _)| state))
    }

    /// After how many pairs the test ended; `None` while it has not.
    pub fn decided_after(&self) -> Option<u64> {
        self.verdict.map(|(_, pairs)| pairs)
    }
}

/// Equal for games that are the same piece of evidence; 64 bits, so that of a million games no two meet by chance.
fn fingerprint(game: &GameLine) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&game.spec, &game.moves, game.seats, game.ending, game.outcome(Side::First)).hash(&mut hasher);
    hasher.finish()
}
