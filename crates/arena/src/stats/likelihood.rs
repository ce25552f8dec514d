//! The distribution over the bins of a result that makes the observed shares most likely under a hypothesis on strength:
//! the two halves of a generalised likelihood ratio.
//!
//! Bins have scores at equal steps from 0 to 1, so that the same code serves pairs (5 bins) and single games (3).

/// The count given to empty bins, so that every logarithm exists; the value of fastchess and fishtest.
const EMPTY_BIN: f64 = 1e-3;

/// Rounds of the iteration for normalised Elo. Van den Bergh stops after 10, enough for nearly all counts (three or
/// four are typical); a few of 20,000 lopsided ones with bins of share 1e-10 took up to 250.
const MAX_ROUNDS: usize = 500;

/// Observed shares of bins, and the number of units.
#[derive(Clone, Copy, Debug)]
pub struct Shares<const B: usize> {
    /// Share of each bin, all above 0, together 1.
    pub share: [f64; B],
    /// Units observed.
    pub n: f64,
}

impl<const B: usize> Shares<B> {
    /// Shares of `counts`, empty bins filled in.
    pub fn of(counts: [f64; B]) -> Shares<B> {
        let filled = counts.map(|count| if count > 0.0 { count } else { EMPTY_BIN });
        let n: f64 = filled.iter().sum();
        Shares { share: filled.map(|count| count / n), n }
    }

    /// The most likely distribution whose mean score is `mean`, within 0 .. 1 (Van den Bergh,
    /// `support_MLE_multinomial.pdf`, proposition 1.1).
    pub fn given_mean(&self, mean: f64) -> [f64; B] {
        self.tilted(&std::array::from_fn(|i| score::<B>(i) - mean)).unwrap_or(self.share)
    }

    /// The most likely distribution with (mean - 0.5) / sigma = `t`, by the iteration of Van den Bergh, "Comments on
    /// Normalized Elo", section 4.1: the constraint is made linear at the last distribution and solved, until it
    /// converges.
    ///
    /// Deviation: a round that would leave the constraint without a solution ends the iteration, and from the eleventh
    /// round on steps are halved, which makes the few oscillating cases converge.
    pub fn given_ratio(&self, t: f64) -> [f64; B] {
        let mut p = [1.0 / B as f64; B];
        for round in 0..MAX_ROUNDS {
            let Some(next) = self.tilted(&ratio_constraint(&p, t)) else { break };
            let moved = p.iter().zip(next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            p = if round < 10 { next } else { std::array::from_fn(|i| (p[i] + next[i]) / 2.0) };
            if moved < 1e-9 {
                break;
            }
        }
        p
    }

    /// The distribution p = share / (1 + theta phi) with sum p phi = 0; `None` where all of `phi` has one sign.
    ///
    /// Instead of theta the distance d = 1 + theta phi_min from the pole is sought, by Newton's method in ln d with
    /// bisection behind it: with a bin of share 1e-20 the root lies so close to the pole that they are equal in theta.
    /// The mirrored problem (-phi, -theta) has the same solution, so theta > 0 may be assumed.
    fn tilted(&self, phi: &[f64; B]) -> Option<[f64; B]> {
        let at_zero: f64 = self.share.iter().zip(phi).map(|(p, f)| p * f).sum();
        let phi = if at_zero < 0.0 { phi.map(|f| -f) } else { *phi };
        let (least, most) = phi.iter().fold((0f64, 0f64), |(low, high), &f| (low.min(f), high.max(f)));
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        let pole = (0..B).find(|&i| phi[i] == least)?;
        // At the lower end the pole's term alone outweighs all others.
        let (mut low, mut high) = ((self.share[pole] * -least / most).ln().min(0.0), 0f64);
        let mut at = high;
        for _ in 0..100 {
            let (value, slope) = self.excess(&phi, least, at.exp());
            if value > 0.0 {
                high = at
            } else {
                low = at
            }
            let newton = at - value / slope;
            let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
            let moved = (next - at).abs();
            at = next;
            if moved < 1e-14 {
                break;
            }
        }
        let p: [f64; B] = std::array::from_fn(|i| self.share[i] / denominator(phi[i] / least, at.exp()));
        let sum: f64 = p.iter().sum();
        Some(p.map(|x| x / sum))
    }

    /// Sum of share phi / (1 + theta phi) at distance `d` from the pole, and its slope in ln d, which is positive.
    fn excess(&self, phi: &[f64; B], least: f64, d: f64) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        for (share, f) in self.share.iter().zip(phi) {
            let below = denominator(f / least, d);
            sums.0 += share * f / below;
            sums.1 -= d * (share / below) * (f * f / least) / below;
        }
        sums
    }
}

/// 1 + theta phi, from rho = phi / phi_min <= 1 and d = 1 + theta phi_min, as a sum of terms that do not cancel.
fn denominator(rho: f64, d: f64) -> f64 {
    if rho > 0.0 { (1.0 - rho) + d * rho } else { 1.0 + (1.0 - d) * -rho }
}

/// Score of bin `i`.
fn score<const B: usize>(i: usize) -> f64 {
    i as f64 / (B - 1) as f64
}

/// Mean and standard deviation of the score under `p`.
pub fn moments<const B: usize>(p: &[f64; B]) -> (f64, f64) {
    let mean: f64 = p.iter().enumerate().map(|(i, p)| p * score::<B>(i)).sum();
    let variance: f64 = p.iter().enumerate().map(|(i, p)| p * (score::<B>(i) - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// Derivative of (mean - 0.5) - t sigma at `p`, bin by bin, up to a constant, which sum p = 1 makes irrelevant.
fn ratio_constraint<const B: usize>(p: &[f64; B], t: f64) -> [f64; B] {
    let (mean, sigma) = moments(p);
    let sigma = sigma.max(1e-12);
    std::array::from_fn(|i| {
        let deviation = (score::<B>(i) - mean) / sigma;
        score::<B>(i) - 0.5 - t * sigma * (1.0 + deviation * deviation) / 2.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_core::Rng;

    /// Log-likelihood of the shares under `p`.
    fn likelihood(shares: &Shares<5>, p: &[f64; 5]) -> f64 {
        shares.share.iter().zip(p).map(|(share, p)| share * p.ln()).sum()
    }

    fn lopsided_shares(rng: &mut Rng) -> Shares<5> {
        Shares::of(std::array::from_fn(|_| 10f64.powf(rng.unit() * 14.0 - 2.0).floor()))
    }

    #[test]
    fn fitted_distributions_keep_their_constraint_for_any_counts() {
        let mut rng = Rng::new(3);
        for case in 0..20_000 {
            let shares = lopsided_shares(&mut rng);
            // 0.41 stands for 100 normalised Elo in pairs, the furthest hypothesis allowed.
            let t = (rng.unit() - 0.5) * 0.82;
            let p = shares.given_ratio(t);
            let (mean, sigma) = moments(&p);
            assert!(((mean - 0.5) - t * sigma).abs() < 1e-6, "case {case}: {shares:?} t {t}: {p:?}");
            let s = 0.01 + 0.98 * rng.unit();
            let (mean, _) = moments(&shares.given_mean(s));
            assert!((mean - s).abs() < 1e-9, "case {case}: {shares:?} mean {mean}, wanted {s}");
        }
    }

    #[test]
    fn no_neighbour_on_the_constraint_is_more_likely() {
        let shares = Shares::of([3.0, 20.0, 31.0, 40.0, 6.0]);
        for t in [-0.5, -0.1, 0.0, 0.02, 0.3] {
            let p = shares.given_ratio(t);
            let mut rng = Rng::new(5);
            for _ in 0..500 {
                // A random neighbour, tilted along the scores until it meets the constraint again.
                let shaken: [f64; 5] = std::array::from_fn(|i| p[i] * (1.0 + 0.05 * (rng.unit() - 0.5)));
                let tilted = |x: f64| -> [f64; 5] {
                    let q: [f64; 5] = std::array::from_fn(|i| shaken[i] * (x * score::<5>(i)).exp());
                    let sum: f64 = q.iter().sum();
                    q.map(|v| v / sum)
                };
                let (mut low, mut high) = (-5.0, 5.0);
                for _ in 0..60 {
                    let middle = (low + high) / 2.0;
                    let (mean, sigma) = moments(&tilted(middle));
                    if mean - 0.5 < t * sigma { low = middle } else { high = middle }
                }
                assert!(likelihood(&shares, &tilted(low)) <= likelihood(&shares, &p) + 1e-9, "t {t}");
            }
        }
    }
}
