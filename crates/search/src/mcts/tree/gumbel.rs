//! The choice among the moves of the root by Gumbel noise and sequential halving (Danihelka, Guez, Schrittwieser and Silver
//! 2022, Policy improvement by planning with Gumbel, algorithm 2).
//!
//! Every move gets `g + logit`, where `g` is Gumbel noise and the logit the logarithm of its prior, 0 without priors. The `m`
//! moves with the largest sums are considered. In each of `ceil(log2 m)` phases, which share the budget evenly, every move
//! considered gets as many visits as any other, at least one; then the better half (rounded up) by `g + logit + sigma(q)` is
//! kept. With `N` visits of the most visited move and `q` in 0 .. 1, `sigma(q) = (50 + N) q` (equation 8).
//!
//! Additions to the paper: moves that proofs prune are considered no longer, and the next best sum takes the place
//! of the last one; visits that tree reuse brings count for `q` and `N`, but not for the phases.

use banyan_bits::cpu::F32x8;

use super::lanes::natural_logs;

/// `c_visit` and `c_scale` of the paper, for board games.
const C_VISIT: f32 = 50.0;
const C_SCALE: f32 = 1.0;
/// Priors and random numbers are at least this large, so that their logarithms are finite.
pub(super) const LEAST: f32 = 1e-7;

/// A move of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) code: u16,
    /// `g + logit`.
    pub(super) base: f32,
    /// Visits before this search.
    pub(super) before: u32,
}

/// The moves that are considered at the root, and the part of the budget that is spent.
#[derive(Debug)]
pub(crate) struct GumbelRoot {
    /// The moves that are considered, the best first as of the last phase.
    pub(super) kept: Vec<Candidate>,
    /// Those that were not considered, the largest `g + logit` last, and behind them those that were dropped, the best last.
    pub(super) rest: Vec<Candidate>,
    /// The current phase, from 0, and the number of phases.
    pub(super) phase: u32,
    pub(super) phases: u32,
    pub(super) playouts: Option<u64>,
    pub(super) nodes: Option<u64>,
    /// The share of the time that was spent at the last reading of the clock.
    pub(super) time_share: f64,
}

impl GumbelRoot {
    /// The share of the budget that is spent: that of the limit that is nearest.
    pub(super) fn share(&self, playouts: u64, nodes: u64) -> f64 {
        let of = |spent: u64, limit: Option<u64>| limit.map_or(0.0, |limit| spent as f64 / limit.max(1) as f64);
        self.time_share.max(of(playouts, self.playouts)).max(of(nodes, self.nodes))
    }

    /// The phase at a share of the budget.
    pub(super) fn phase_at(&self, share: f64) -> u32 {
        ((share * f64::from(self.phases)) as u32).min(self.phases - 1)
    }
}

/// `-ln(-ln u)` for `u` uniform between 0 and 1.
pub(super) fn gumbel_noise(u: f64) -> f32 {
    -natural_log(-natural_log((u as f32).clamp(LEAST, 1.0 - LEAST)))
}

pub(super) fn natural_log(number: f32) -> f32 {
    natural_logs(F32x8::splat(number)).lane(0)
}

/// `sigma(q)` with `most` visits of the most visited move.
pub(super) fn sigma(q: f32, most: u32) -> f32 {
    (C_VISIT + most as f32) * C_SCALE * q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_has_the_mean_and_the_variance_of_the_gumbel_distribution() {
        let n = 100_000;
        let all: Vec<f64> = (0..n).map(|i| f64::from(gumbel_noise((f64::from(i) + 0.5) / f64::from(n)))).collect();
        let mean = all.iter().sum::<f64>() / f64::from(n);
        let variance = all.iter().map(|g| (g - mean) * (g - mean)).sum::<f64>() / f64::from(n);
        // Euler's constant and pi^2 / 6.
        assert!((mean - 0.5772).abs() < 1e-3 && (variance - 1.6449).abs() < 0.01, "{mean}, {variance}");
    }
}
