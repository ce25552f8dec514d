//! Simulated matches of known strength: coverage of the intervals and error rates of the sequential tests.

use banyan_arena::stats::{Decision, EloScale, Interval, MatchCounts, MorePairs, Pentanomial, Sprt, elo_of_score};
use banyan_core::Rng;

/// Shares of LL, LD, WL or DD, WD, WW, which sum to 1.
type Shares = [f64; 5];

/// Few draws and an advantage of the first mover, as in Connect Four.
const EVEN: Shares = [0.12, 0.08, 0.6, 0.08, 0.12];
const BETTER: Shares = [0.1, 0.1, 0.35, 0.2, 0.25];
/// Against a weak opponent.
const LOPSIDED: Shares = [0.01, 0.02, 0.1, 0.12, 0.75];

fn moments(shares: &Shares) -> (f64, f64) {
    let mean: f64 = shares.iter().zip(0..).map(|(p, i)| p * f64::from(i) / 4.0).sum();
    let variance: f64 = shares.iter().zip(0..).map(|(p, i)| p * (f64::from(i) / 4.0 - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

fn draw_pair(shares: &Shares, rng: &mut Rng, counts: &mut [u64; 5]) {
    let mut left = rng.unit();
    let bin = shares.iter().position(|p| {
        left -= p;
        left < 0.0
    });
    counts[bin.unwrap_or(4)] += 1;
}

fn covers(interval: Interval, true_value: f64) -> bool {
    interval != Interval::UNKNOWN && !interval.excludes(true_value)
}

fn check_coverage(shares: Shares, pairs: usize) {
    let (mean, sigma) = moments(&shares);
    let truths =
        [elo_of_score(mean).expect("a score between 0 and 1"), (mean - 0.5) / sigma * 800.0 / 10f64.ln() / 2f64.sqrt()];
    let (mut hits, runs) = ([0; 2], 4000);
    let mut rng = Rng::new(11);
    for _ in 0..runs {
        let mut counts = [0; 5];
        (0..pairs).for_each(|_| draw_pair(&shares, &mut rng, &mut counts));
        let estimate = Pentanomial { counts }.estimate();
        hits[0] += usize::from(covers(estimate.elo, truths[0]));
        hits[1] += usize::from(covers(estimate.nelo, truths[1]));
    }
    for (name, hits) in ["Elo", "nElo"].iter().zip(hits) {
        let share = hits as f64 / f64::from(runs);
        // Skewness and kurtosis of 20 pairs are inaccurate themselves, and the normalised scale divides by the standard
        // deviation.
        let least = if pairs < 50 { 0.92 } else { 0.93 };
        assert!((least..=0.97).contains(&share), "{name} of {shares:?} after {pairs} pairs: {share}");
    }
}

#[test]
fn intervals_have_a_coverage_of_95_percent() {
    for pairs in [20, 100, 400] {
        check_coverage(EVEN, pairs);
        check_coverage(BETTER, pairs);
    }
    for pairs in [50, 100, 400] {
        check_coverage(LOPSIDED, pairs);
    }
}

/// `shares`, shifted towards won pairs until the normalised Elo is `nelo`.
fn of_strength(shares: Shares, nelo: f64) -> Shares {
    let tilted = |x: f64| {
        let weights: Shares = std::array::from_fn(|i| shares[i] * (x * i as f64).exp());
        let sum: f64 = weights.iter().sum();
        weights.map(|w| w / sum)
    };
    let (mut low, mut high) = (-2.0, 2.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let (mean, sigma) = moments(&tilted(middle));
        if (mean - 0.5) / sigma * 800.0 / 10f64.ln() / 2f64.sqrt() < nelo { low = middle } else { high = middle }
    }
    tilted(low)
}

/// Share of matches with the decision `wrong`, and mean length.
fn run_tests(sprt: &Sprt, shares: Shares, wrong: Decision, runs: u64) -> (f64, f64) {
    let mut rng = Rng::new(17);
    let (mut errors, mut length) = (0u64, 0u64);
    for _ in 0..runs {
        let mut counts = MatchCounts::default();
        let decision = loop {
            draw_pair(&shares, &mut rng, &mut counts.pairs.counts);
            length += 1;
            let decision = sprt.test(&counts).decision;
            if decision != Decision::Continue {
                break decision;
            }
        };
        errors += u64::from(decision == wrong);
    }
    (errors as f64 / runs as f64, length as f64 / runs as f64)
}

#[test]
fn sequential_tests_keep_their_error_rates() {
    let sprt = Sprt::new(EloScale::Normalized, 0.0, 50.0, 0.05, 0.1).expect("valid bounds");
    for shares in [EVEN, BETTER] {
        let (alpha, _) = run_tests(&sprt, of_strength(shares, 0.0), Decision::AcceptH1, 1500);
        let (beta, _) = run_tests(&sprt, of_strength(shares, 50.0), Decision::AcceptH0, 1500);
        assert!((0.02..0.065).contains(&alpha), "accepted at strength 0: {alpha}, nominal .05");
        assert!((0.05..0.125).contains(&beta), "refused at strength 50: {beta}, nominal .1");
    }
}

#[test]
fn expected_length_of_a_test_is_about_right() {
    let sprt = Sprt::new(EloScale::Normalized, 0.0, 25.0, 0.05, 0.05).expect("valid bounds");
    let shares = of_strength(EVEN, 25.0);
    let (_, mean) = run_tests(&sprt, shares, Decision::AcceptH0, 400);
    // Extrapolated after 200 pairs of a match whose results equal their expectation; the whole match takes about 520.
    let played = 200.0;
    let counts = shares.map(|p| (p * played).round() as u64);
    let counts = MatchCounts::from(Pentanomial { counts });
    let MorePairs::About(more) = sprt.test(&counts).more_pairs else { panic!("{:?}", sprt.test(&counts)) };
    let predicted = played + more as f64;
    assert!((0.85..1.15).contains(&(predicted / mean)), "expected {predicted}, took {mean}");
}
