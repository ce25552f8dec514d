//! Proven bounds of a margin in one word, and the rewards they allow.

use banyan_core::{Bounds, Margin, Side};

use crate::reward::ScoredReward;

/// Lower and upper bound of a margin, seen by the first side, in the halves of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed(pub(crate) u32);

impl Packed {
    #[inline(always)]
    pub(crate) fn new(lower: i16, upper: i16) -> Packed {
        Packed(u32::from(lower as u16) | u32::from(upper as u16) << 16)
    }

    #[inline(always)]
    pub(crate) fn of(bounds: Bounds) -> Packed {
        Packed::new(bounds.lower.0, bounds.upper.0)
    }

    #[inline(always)]
    pub(crate) fn lower(self) -> i16 {
        self.0 as i16
    }

    #[inline(always)]
    pub(crate) fn upper(self) -> i16 {
        (self.0 >> 16) as i16
    }

    /// The bounds shifted by `gain`.
    #[inline(always)]
    pub(crate) fn shifted(self, gain: i16) -> Packed {
        Packed::new(self.lower() + gain, self.upper() + gain)
    }

    /// The intersection of both bounds. If they contradict each other, the game or an evaluator is wrong; then the
    /// first are kept.
    #[inline(always)]
    pub(crate) fn and(self, other: Packed) -> Packed {
        let (lower, upper) = (self.lower().max(other.lower()), self.upper().min(other.upper()));
        debug_assert!(lower <= upper, "proofs contradict each other: {self:?} and {other:?}");
        if lower <= upper { Packed::new(lower, upper) } else { self }
    }

    /// Whether the bounds intersect.
    pub(crate) fn meets(self, other: Packed) -> bool {
        self.lower().max(other.lower()) <= self.upper().min(other.upper())
    }

    /// The bounds of a choice of `mover` between both.
    #[inline(always)]
    pub(crate) fn best_of(self, other: Packed, mover: Side) -> Packed {
        match mover {
            Side::First => Packed::new(self.lower().max(other.lower()), self.upper().max(other.upper())),
            Side::Second => Packed::new(self.lower().min(other.lower()), self.upper().min(other.upper())),
        }
    }

    /// The bounds without the end that assures `mover` of a margin.
    pub(crate) fn unassured(self, mover: Side, unknown: Packed) -> Packed {
        match mover {
            Side::First => Packed::new(unknown.lower(), self.upper()),
            Side::Second => Packed::new(self.lower(), unknown.upper()),
        }
    }

    /// The bounds with the points `scored` so far added.
    pub(crate) fn unpacked(self, scored: i16) -> Bounds {
        Bounds::new(Margin(self.lower() + scored), Margin(self.upper() + scored))
    }

    /// Whether the bounds leave a single reward.
    #[inline(always)]
    pub(crate) fn decides(self, reward: ScoredReward) -> bool {
        reward.proven(self.lower()) == reward.proven(self.upper())
    }

    /// Whether these bounds exclude rewards that `wider` ones allow.
    #[inline(always)]
    pub(crate) fn are_tighter_than(self, wider: Packed, reward: ScoredReward) -> bool {
        let ends = |bounds: Packed| (reward.proven(bounds.lower()), reward.proven(bounds.upper()));
        ends(self) != ends(wider)
    }

    /// The rewards of both bounds.
    #[inline(always)]
    pub(crate) fn rewards(self, reward: ScoredReward) -> [f32; 2] {
        [self.lower(), self.upper()].map(|points| reward.of(Margin(points)))
    }

    /// `mean` clamped to the rewards that the bounds allow.
    #[inline(always)]
    pub(crate) fn clamp(self, mean: f32, reward: ScoredReward) -> f32 {
        let [least, most] = self.rewards(reward);
        mean.max(least).min(most)
    }

    /// Whether a move with these bounds cannot bring `mover` a better reward than `assured`.
    #[inline(always)]
    pub(crate) fn is_no_better_than(self, assured: Packed, mover: Side, reward: ScoredReward) -> bool {
        match mover {
            Side::First => reward.proven(self.upper()) <= reward.proven(assured.lower()),
            Side::Second => reward.proven(self.lower()) >= reward.proven(assured.upper()),
        }
    }

    /// The bounds reduced to what they prove about the winner.
    #[inline(always)]
    pub(crate) fn winner_only(self, range: Bounds) -> Packed {
        let (low, high) = (range.lower.0, range.upper.0);
        let lower = if self.lower() > 0 {
            1
        } else if self.lower() == 0 {
            0
        } else {
            low
        };
        let upper = if self.upper() < 0 {
            -1
        } else if self.upper() == 0 {
            0
        } else {
            high
        };
        Packed::new(lower, upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Reward;

    /// A reward without a score bonus.
    fn plain(kind: Reward) -> ScoredReward {
        ScoredReward::new(kind, 0.0, Bounds::new(Margin(-20), Margin(20)))
    }

    #[test]
    fn bounds_survive_packing() {
        for (lower, upper) in [(0, 0), (-1, 1), (-64, -3), (i16::MIN, i16::MAX)] {
            let packed = Packed::new(lower, upper);
            assert_eq!((packed.lower(), packed.upper()), (lower, upper));
            assert_eq!(packed.unpacked(0), Bounds::new(Margin(lower), Margin(upper)));
        }
        assert_eq!(Packed::new(-3, 2).shifted(-4), Packed::new(-7, -2));
    }

    #[test]
    fn a_choice_takes_the_better_of_both_bounds() {
        let (a, b) = (Packed::new(-5, 2), Packed::new(-1, 1));
        assert_eq!(a.best_of(b, Side::First), Packed::new(-1, 2));
        assert_eq!(a.best_of(b, Side::Second), Packed::new(-5, 1));
        assert_eq!(a.and(b), b);
    }

    #[test]
    fn whether_bounds_decide_depends_on_the_reward() {
        let won = Packed::new(1, 9);
        assert!(won.decides(plain(Reward::Win)) && !won.decides(plain(Reward::Margin)));
        assert!(!Packed::new(0, 9).decides(plain(Reward::Wdl)));
        assert_eq!(Packed::new(0, 9).clamp(0.3, plain(Reward::Win)), 0.5);
        assert!(won.is_no_better_than(Packed::new(2, 5), Side::First, plain(Reward::Win)));
        assert!(!won.is_no_better_than(Packed::new(2, 5), Side::First, plain(Reward::Margin)));
        assert!(Packed::new(-9, 9).is_no_better_than(Packed::new(-9, -9), Side::Second, plain(Reward::Margin)));
        let range = Bounds::new(Margin(-20), Margin(20));
        assert_eq!(Packed::new(3, 7).winner_only(range), Packed::new(1, 20));
        assert_eq!(Packed::new(0, 0).winner_only(range), Packed::new(0, 0));
        assert_eq!(Packed::new(-7, -3).winner_only(range), Packed::new(-20, -1));
    }
}
