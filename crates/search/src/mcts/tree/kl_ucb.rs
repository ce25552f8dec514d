//! KL-UCB (Garivier and Cappé 2011, The KL-UCB Algorithm for Bounded Stochastic Bandits and Beyond, algorithm 1).
//!
//! The index of a child is the largest `q >= p` with `n kl(p, q) <= f(N)`, where `p` is the child's mean in units of the
//! range of rewards, and `kl(p, q) = p ln(p / q) + (1 - p) ln((1 - p) / (1 - q))` the divergence of two coins. The paper has
//! `f(N) = ln N + 3 ln ln N`, and advises 0 for 3 in practice. Here `f(N) = 4 c^2 ln N`: the paper's with c = 1/2, and for
//! every `c` at most the index of UCB1 with the same `c`, since `kl(p, q) >= 2 (q - p)^2` (Pinsker). Both agree near `p = 1/2`;
//! near 0 and 1 KL-UCB explores less.

use banyan_bits::cpu::F32x8;

use super::lanes::{Score, natural_logs};

/// Bisections of the interval that contains the index: its length is at most 1, so the error is at most 2^-18 of the range
/// of rewards, the order of the rounding errors of `kl` in single precision.
const BISECTIONS: u32 = 18;
/// Means and indices are at least this far from 0 and 1, where logarithms end.
const EDGE: f32 = 1e-6;

/// The rule KL-UCB.
pub(super) struct KlUcb {
    /// `4 c^2 ln N`, in units of the range of rewards.
    exploration: f32,
    /// The lowest reward, seen by the mover.
    lowest: f32,
    /// Highest minus lowest reward.
    range: f32,
}

impl KlUcb {
    /// The rule at a node with `log` = ln N; `c` is on the scale of the reward, as in UCB1.
    #[inline(always)]
    pub(super) fn new(c: f32, log: f32, lowest: f32, range: f32) -> KlUcb {
        let c = c / range;
        KlUcb { exploration: 4.0 * c * c * log, lowest, range }
    }
}

impl Score for KlUcb {
    /// A child without a visit, claimed by another thread, has the highest reward as its index.
    #[inline(always)]
    fn score(&self, n: F32x8, mean: F32x8, _from: usize, _inside: usize) -> F32x8 {
        let [zero, one, minus, half] = [0.0, 1.0, -1.0, 0.5].map(F32x8::splat);
        let [lowest, range, least] = [self.lowest, self.range, EDGE].map(F32x8::splat);
        // min(a, b) = -max(-a, -b).
        let inner = |x: F32x8| minus * (minus * x.max(least)).max(F32x8::splat(EDGE - 1.0));
        let complement = |x: F32x8| one + minus * x;
        let p = inner((mean + minus * lowest) / range);
        let allowed = F32x8::splat(self.exploration) / n.max(F32x8::splat(1e-30));
        let entropy = p * natural_logs(p) + complement(p) * natural_logs(complement(p));
        // By Pinsker the index is no larger than that of UCB1.
        let (mut low, mut high) = (p, inner(p + (allowed.max(zero) * half).sqrt()));
        for _ in 0..BISECTIONS {
            let q = half * (low + high);
            let divergence = entropy + minus * (p * natural_logs(q) + complement(p) * natural_logs(complement(q)));
            let left = allowed + minus * divergence;
            (low, high) = (q.unless_negative(left, low), high.unless_negative(left, q));
        }
        mean.max(lowest + range * low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scores of children with these visits and means.
    fn scores(rule: &KlUcb, children: &[(u32, f32)]) -> Vec<f32> {
        let (mut n, mut means) = ([0; 8], [0; 8]);
        children.iter().enumerate().for_each(|(i, &(visits, mean))| (n[i], means[i]) = (visits, mean.to_bits()));
        let scores = rule.score(F32x8::from_counts(&n), F32x8::from_bits(&means), 0, children.len());
        scores.to_array()[..children.len()].to_vec()
    }

    /// `kl(p, q)` in double precision.
    fn divergence(p: f64, q: f64) -> f64 {
        let term = |p: f64, q: f64| if p == 0.0 { 0.0 } else { p * (p / q).ln() };
        term(p, q) + term(1.0 - p, 1.0 - q)
    }

    #[test]
    fn indices_that_can_be_computed_by_hand() {
        // From p = 0: n ln(1 / (1 - q)) <= ln N, so q = 1 - N^(-1/n). With c = 1/2, N = 16: n = 1, 2, 4 give 15/16, 3/4, 1/2.
        let rule = KlUcb::new(0.5, 16f32.ln(), 0.0, 1.0);
        let found = scores(&rule, &[(1, 0.0), (2, 0.0), (4, 0.0), (4, 1.0)]);
        for (found, expected) in found.iter().zip([15.0 / 16.0, 0.75, 0.5, 1.0]) {
            assert!((found - expected).abs() < 1e-4, "{found} for {expected}");
        }
        // Rewards from -1 to 1 with twice the c: the same, stretched.
        let stretched = scores(&KlUcb::new(1.0, 16f32.ln(), -1.0, 2.0), &[(1, -1.0), (2, -1.0), (4, -1.0), (4, 1.0)]);
        for (wide, narrow) in stretched.iter().zip(&found) {
            assert!((wide - (2.0 * narrow - 1.0)).abs() < 1e-5, "{wide} for {narrow}");
        }
    }

    #[test]
    fn the_index_is_the_largest_with_the_allowed_divergence_and_at_most_that_of_ucb1() {
        for c in [0.1f64, 0.3, 0.5, 1.5] {
            for total in [2.0f64, 100.0, 1e6] {
                let rule = KlUcb::new(c as f32, total.ln() as f32, 0.0, 1.0);
                for n in [1u32, 7, 300, 50_000] {
                    for mean in [0.0, 0.01, 0.3, 0.5, 0.9, 0.999, 1.0f32] {
                        let found = f64::from(scores(&rule, &[(n, mean)])[0]);
                        let (p, allowed) = (f64::from(mean), 4.0 * c * c * total.ln() / f64::from(n));
                        let (mut low, mut high) = (p, 1.0);
                        for _ in 0..60 {
                            let q = (low + high) / 2.0;
                            if divergence(p, q) <= allowed { low = q } else { high = q }
                        }
                        let ucb1 = p + c * (2.0 * total.ln() / f64::from(n)).sqrt();
                        let shown = format!("{found} for {low}: {n} visits of {total}, mean {mean}, c {c}");
                        assert!((found - low).abs() < 2e-3 * (low - p) + 3e-5, "{shown}");
                        assert!(found >= p && found <= ucb1 + 3e-5, "{shown}");
                    }
                }
            }
        }
    }

    #[test]
    fn without_a_visit_or_exploration_indices_are_numbers() {
        let rule = KlUcb::new(0.0, 0.0, 0.0, 1.0);
        assert!(scores(&rule, &[(0, 0.0), (3, 0.25)]).iter().all(|score| score.is_finite()));
        let found = scores(&KlUcb::new(0.3, 2.0, 0.0, 1.0), &[(0, 0.0), (3, 0.25)]);
        assert!(found[0] > 0.999 && found[1] < 0.9, "{found:?}");
    }
}
