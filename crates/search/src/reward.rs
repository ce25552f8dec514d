//! The reward of a margin, known or expected.

use banyan_core::{Bounds, FINE, Margin, tanh};

use crate::options::{Reward, WIN_OF_FIFTY};

impl Reward {
    /// The reward of an expected final margin: `points` in units of 1 / [`FINE`] of a point, where
    /// [`Knowledge::eval_scale`](banyan_core::Knowledge::eval_scale) points count as 0.76 of a win. If points are the
    /// reward, the margin itself.
    pub(crate) fn expected_reward(self, points: i32, scale: i32, range: Bounds) -> f32 {
        let expected = || tanh(points as f32 / scale as f32);
        match self {
            Reward::Win | Reward::WinMargin => (expected() + 1.0) / 2.0,
            Reward::Wdl => expected(),
            Reward::Margin => expected_margin(points, range),
            Reward::FiftyMargin => WIN_OF_FIFTY * expected() + expected_margin(points, range),
        }
    }
}

/// An expected final margin in points, at most the largest.
fn expected_margin(points: i32, range: Bounds) -> f32 {
    (points as f32 / FINE as f32).clamp(f32::from(range.lower.0), f32::from(range.upper.0))
}

/// The reward of an expected final margin, for use outside of a tree search.
pub(crate) fn expected_reward(reward: Reward, points: i32, scale: i32, range: Bounds) -> f32 {
    reward.expected_reward(points, scale, range)
}

/// The rewards of a search: those of the setting `reward`, with the score bonus of `score-bonus`.
///
/// The bonus is `W margin / largest margin`. Shibahara and Kotani 2008 (Combining Final Score with Winning Percentage by
/// Sigmoid Function in Monte-Carlo Simulations) combine both by a sigmoid of the score instead; a sum keeps a win better than
/// any loss whatever `W` is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScoredReward {
    kind: Reward,
    /// Half the difference that the winner makes, the reward of a point, and that of a draw.
    win: f32,
    point: f32,
    draw: f32,
    /// The part of `point` that is the score bonus.
    bonus: f32,
    /// Whether proofs distinguish margins.
    proves_margins: bool,
}

impl ScoredReward {
    /// The rewards of a game with margins in `range`; `bonus` is that of the largest margin.
    pub(crate) fn new(kind: Reward, bonus: f32, range: Bounds) -> ScoredReward {
        let largest = i32::from(range.lower.0).abs().max(i32::from(range.upper.0).abs()).max(1);
        let [win, point, draw] = kind.amounts();
        let bonus = bonus / largest as f32;
        ScoredReward {
            kind,
            win,
            point: point + bonus,
            draw,
            bonus,
            proves_margins: kind.proves_margins() || bonus > 0.0,
        }
    }

    /// The setting `reward`.
    #[cfg(test)]
    pub(crate) fn kind(self) -> Reward {
        self.kind
    }

    /// The reward of `margin`.
    #[inline(always)]
    pub(crate) fn of(self, margin: Margin) -> f32 {
        self.win * f32::from(margin.0.signum()) + self.draw + self.point * f32::from(margin.0)
    }

    /// The margin, or only its sign if proofs do not distinguish margins: ordered like the rewards, except that
    /// `win+margin` proves the winner only.
    #[inline(always)]
    pub(crate) fn proven(self, margin: i16) -> i16 {
        if self.proves_margins { margin } else { margin.signum() }
    }

    /// Converts a mean reward to an expected result for the first side, -1 .. 1. With a score bonus the scale is that of the reward without
    /// it, so that a win by two points is 1; the bonus of an expected margin stays in the result, up to the ends of the scale.
    pub(crate) fn normalised(self, mean: f32, range: Bounds) -> f64 {
        let reward_of = |side: f32, margin: Margin| match self.bonus > 0.0 {
            true => self.win * side + self.draw,
            false => self.of(margin),
        };
        let (low, high) = (f64::from(reward_of(-1.0, range.lower)), f64::from(reward_of(1.0, range.upper)));
        if high > low { ((2.0 * f64::from(mean) - low - high) / (high - low)).clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// The reward of an expected final margin, see [`Reward::expected_reward`].
    pub(crate) fn expected_reward(self, points: i32, scale: i32, range: Bounds) -> f32 {
        let expected = self.kind.expected_reward(points, scale, range);
        if self.bonus > 0.0 { expected + self.bonus * expected_margin(points, range) } else { expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_margins_become_rewards() {
        let range = Bounds::new(Margin(-20), Margin(20));
        let expected_reward = |reward: Reward, points| reward.expected_reward(points, 5 * FINE, range);
        assert!((expected_reward(Reward::Wdl, 5 * FINE) - 0.7616).abs() < 1e-3);
        assert!((expected_reward(Reward::Win, -5 * FINE) - 0.1192).abs() < 1e-3);
        assert_eq!(expected_reward(Reward::Win, 0), 0.5);
        assert_eq!(expected_reward(Reward::Margin, 3 * FINE / 2), 1.5);
        assert_eq!(expected_reward(Reward::Margin, -99 * FINE), -20.0);
        assert_eq!(expected_reward(Reward::FiftyMargin, 99 * FINE), 70.0);
    }

    const REWARDS: [Reward; 5] = [Reward::Win, Reward::WinMargin, Reward::Wdl, Reward::Margin, Reward::FiftyMargin];

    #[test]
    fn rewards_of_a_margin_and_its_opposite_add_up_to_the_ends() {
        let range = Bounds::new(Margin(-7), Margin(7));
        for kind in REWARDS {
            let reward = ScoredReward::new(kind, 0.0, range);
            let ends = reward.of(range.lower) + reward.of(range.upper);
            for points in -7..=7 {
                assert_eq!(reward.of(Margin(points)), kind.of(Margin(points)));
                assert_eq!(reward.of(Margin(points)) + reward.of(Margin(-points)), ends);
            }
            assert_eq!(reward.normalised(reward.of(Margin(7)), range), 1.0);
            assert_eq!(reward.normalised(reward.of(Margin(0)), range), 0.0);
        }
    }

    #[test]
    fn a_score_bonus_adds_the_share_of_the_largest_margin() {
        let range = Bounds::new(Margin(-8), Margin(4));
        let wdl = ScoredReward::new(Reward::Wdl, 0.5, range);
        assert_eq!([-8, -1, 0, 2, 4].map(|points| wdl.of(Margin(points))), [-1.5, -1.0625, 0.0, 1.125, 1.25]);
        let win = ScoredReward::new(Reward::Win, 2.0, range);
        assert_eq!([-8, 0, 4].map(|points| win.of(Margin(points))), [-2.0, 0.5, 2.0]);
        // A point more is always better, so proofs must distinguish margins.
        assert_eq!((win.proven(3), ScoredReward::new(Reward::Win, 0.0, range).proven(3)), (3, 1));
        assert!((-8..4).all(|points| win.of(Margin(points)) < win.of(Margin(points + 1))));
        // Expected margins count the same: a draw on the scale of 5 points, and 4 points for certain.
        assert_eq!(win.expected_reward(0, 5 * FINE, range), 0.5);
        assert_eq!(win.expected_reward(4 * FINE, 1, range), 2.0);
        assert_eq!(wdl.expected_reward(-99 * FINE, 1, range), -1.5);
        // The scale of results is that without the bonus.
        let reported = |points| wdl.normalised(wdl.of(Margin(points)), range);
        assert_eq!([-8, -1, 0, 2, 4].map(reported), [-1.0, -1.0, 0.0, 1.0, 1.0]);
        assert_eq!([-8, 0, 4].map(|points| win.normalised(win.of(Margin(points)), range)), [-1.0, 0.0, 1.0]);
        assert_eq!(wdl.normalised(0.5, range), 0.5);
    }
}
