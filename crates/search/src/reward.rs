//! The reward of an expected margin.

use banyan_core::{Bounds, FINE, tanh};

use crate::options::{Reward, WIN_OF_FIFTY};

impl Reward {
    /// The reward of an expected final margin: `points` in units of 1 / [`FINE`] of a point, where
    /// [`Knowledge::eval_scale`](banyan_core::Knowledge::eval_scale) points count as 0.76 of a win. If points are the
    /// reward, the margin itself.
    pub(crate) fn expected_reward(self, points: i32, scale: i32, range: Bounds) -> f32 {
        let expected = || tanh(points as f32 / scale as f32);
        let margin = || (points as f32 / FINE as f32).clamp(f32::from(range.lower.0), f32::from(range.upper.0));
        match self {
            Reward::Win | Reward::WinMargin => (expected() + 1.0) / 2.0,
            Reward::Wdl => expected(),
            Reward::Margin => margin(),
            Reward::FiftyMargin => WIN_OF_FIFTY * expected() + margin(),
        }
    }
}

/// The reward of an expected final margin, for use outside of a tree search.
pub(crate) fn expected_reward(reward: Reward, points: i32, scale: i32, range: Bounds) -> f32 {
    reward.expected_reward(points, scale, range)
}

#[cfg(test)]
mod tests {
    use banyan_core::Margin;

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
}
