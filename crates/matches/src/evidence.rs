//! The evidence of one pairing, pair by pair in the order of the schedule.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use banyan_arena::stats::{Decision, MatchCounts, Sprt, SprtState};
use banyan_catalog::pairs::GameLine;
use banyan_core::Side;

/// The results of one pairing so far, from the viewpoint of its first player.
///
/// **Repeated pairs count once.** A pair repeats an earlier one of its pairing if, on the same board, both of its games
/// have the same moves and the same end as that pair's games with the same seats. With randomised
/// players this practically never happens; deterministic players would otherwise turn one game into any number of games.
/// A pair of which only one game repeats still counts.
///
/// **A test ends where it first crosses a bound.** Pairs added later count for the estimates, but do not change the
/// verdict.
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
    /// No games yet; decided by `test`, if any.
    pub fn new(test: Option<Sprt>) -> Evidence {
        Evidence { test, ..Evidence::default() }
    }

    /// Counts a pair: in `games[0]` the player is the first side, in `games[1]` the second. Returns whether it counts.
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

    /// Counts a game without a partner, in which the player is `side`; call it after all pairs. Returns whether it counts: a
    /// repeated game does not.
    pub fn add_single(&mut self, side: Side, game: &GameLine) -> bool {
        let new = self.seen_games.insert(fingerprint(game));
        if new {
            self.counts.add_single(side, game.outcome(side));
        }
        new
    }

    /// The counts.
    pub fn counts(&self) -> &MatchCounts {
        &self.counts
    }

    /// Pairs excluded because they repeat earlier ones.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The current or final state of the test; `None` without a test.
    pub fn test(&self) -> Option<SprtState> {
        let test = self.test?;
        Some(self.verdict.map_or_else(|| test.test(&self.counts), |(state, _)| state))
    }

    /// Number of pairs after which the test ended; `None` while it is undecided.
    pub fn decided_after(&self) -> Option<u64> {
        self.verdict.map(|(_, pairs)| pairs)
    }
}

/// Equal for repeated games. 64 bits make a collision among a million games unlikely.
pub(crate) fn fingerprint(game: &GameLine) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&game.spec, &game.moves, game.seats, game.ending, game.outcome(Side::First)).hash(&mut hasher);
    hasher.finish()
}
