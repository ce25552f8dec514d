//! Counts of a match: outcomes of games, and of pairs of games from one opening with the sides exchanged.

use std::ops::AddAssign;

use banyan_core::Side;

/// Result of a game for the player whose results are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Outcome {
    /// Half points: 0, 1 or 2.
    pub fn half_points(self) -> usize {
        self as usize
    }

    /// This result seen by the opponent.
    pub fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

/// Single games, counted by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts one more game.
    pub fn add(&mut self, outcome: Outcome) {
        let count = match outcome {
            Outcome::Win => &mut self.wins,
            Outcome::Draw => &mut self.draws,
            Outcome::Loss => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// These games seen by the opponent.
    pub fn reversed(self) -> Wdl {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Losses, draws and wins: ascending score, like the bins of a [`Pentanomial`].
    pub(super) fn bins(&self) -> [f64; 3] {
        [self.losses, self.draws, self.wins].map(|n| n as f64)
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}

/// Pairs of games, counted by the points the player made in both: LL, LD, WL or DD, WD, WW.
///
/// The two games of a pair share their opening and are correlated, so the pair, not the game, is the independent unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pentanomial {
    /// Pairs by half points made, 0 to 4.
    pub counts: [u64; 5],
}

impl Pentanomial {
    /// Counts one more pair, given the outcomes of its two games.
    pub fn add(&mut self, one: Outcome, other: Outcome) {
        let count = &mut self.counts[one.half_points() + other.half_points()];
        *count = count.saturating_add(1);
    }

    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &n| sum.saturating_add(n))
    }

    /// These pairs seen by the opponent.
    pub fn reversed(mut self) -> Pentanomial {
        self.counts.reverse();
        self
    }

    pub(super) fn bins(&self) -> [f64; 5] {
        self.counts.map(|n| n as f64)
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        for (mine, more) in self.counts.iter_mut().zip(other.counts) {
            *mine = mine.saturating_add(more);
        }
    }
}

/// Results of one player against another: complete pairs, games whose partner is missing, and all games by who moved
/// first.
///
/// ```
/// use banyan_arena::stats::{MatchCounts, Outcome, Pentanomial};
///
/// let mut counts = MatchCounts::default();
/// counts.add_pair(Outcome::Win, Outcome::Draw);
/// assert_eq!(counts.games().wins, 1);
///
/// // A hundred pairs, by half points: 5 of 0, 15 of 1, 30 of 2, 30 of 3 and 20 of 4.
/// let counts = MatchCounts::from(Pentanomial { counts: [5, 15, 30, 30, 20] });
/// assert_eq!(format!("{:+}", counts.estimate().elo), "+79.5 (+38.9 .. +120.2)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchCounts {
    /// Complete pairs.
    pub pairs: Pentanomial,
    /// Games whose partner was not played, or not scored.
    pub singles: Wdl,
    /// All games, paired or not, in which the player moved first (index 0) or second (index 1).
    pub by_side: [Wdl; 2],
}

impl MatchCounts {
    /// Counts a complete pair: the player's game as `First`, and the one as `Second`.
    pub fn add_pair(&mut self, as_first: Outcome, as_second: Outcome) {
        self.pairs.add(as_first, as_second);
        self.by_side[Side::First.index()].add(as_first);
        self.by_side[Side::Second.index()].add(as_second);
    }

    /// Counts a game whose partner is missing; `side` is the player's own.
    pub fn add_single(&mut self, side: Side, outcome: Outcome) {
        self.singles.add(outcome);
        self.by_side[side.index()].add(outcome);
    }

    /// All games, paired or not. If the sides are not known, the single games.
    pub fn games(&self) -> Wdl {
        let mut all = self.by_side[0];
        all += self.by_side[1];
        if all.games() == 0 { self.singles } else { all }
    }

    /// These games seen by the opponent.
    pub fn reversed(self) -> MatchCounts {
        let [first, second] = self.by_side;
        MatchCounts {
            pairs: self.pairs.reversed(),
            singles: self.singles.reversed(),
            by_side: [second.reversed(), first.reversed()],
        }
    }
}

/// Counts of pairs, as given to a calculator: who moved first in which game is not known.
impl From<Pentanomial> for MatchCounts {
    fn from(pairs: Pentanomial) -> MatchCounts {
        MatchCounts { pairs, ..MatchCounts::default() }
    }
}

/// Counts of games, as given to a calculator: neither pairs nor sides are known.
impl From<Wdl> for MatchCounts {
    fn from(singles: Wdl) -> MatchCounts {
        MatchCounts { singles, ..MatchCounts::default() }
    }
}

impl AddAssign for MatchCounts {
    fn add_assign(&mut self, other: MatchCounts) {
        self.pairs += other.pairs;
        self.singles += other.singles;
        self.by_side[0] += other.by_side[0];
        self.by_side[1] += other.by_side[1];
    }
}
