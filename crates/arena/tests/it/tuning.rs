//! Tuning methods on synthetic landscapes with the noise of single games.

use std::io::Write;

use banyan_arena::tuning::{Clop, Spsa, SpsaConfig, Trial};
use banyan_core::{Rng, mix};

/// A landscape in Elo: the loss grows with a power of the distance from the optimum, faster on one side.
struct Landscape {
    optimum: Vec<f64>,
    /// Elo lost at a distance of the whole range (2), left and right.
    steepness: Vec<[f64; 2]>,
    exponent: f64,
    default: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    Quadratic,
    Asymmetric,
}

impl Landscape {
    /// The landscapes of the study: steepness by the loss of the default, which is within 0.3 of the range of the optimum.
    fn random(truth: Truth, n_axes: usize, rng: &mut Rng) -> Landscape {
        let optimum: Vec<f64> = (0..n_axes).map(|_| 1.2 * rng.unit() - 0.6).collect();
        let default = optimum.iter().map(|x| (x + 1.2 * rng.unit() - 0.6).clamp(-1.0, 1.0)).collect();
        let (exponent, steepness, skew) = match truth {
            Truth::Quadratic => (2.0, 450.0, 1.0),
            Truth::Asymmetric => (1.7, 305.0, 2.0f64),
        };
        let steepness = (0..n_axes).map(|_| {
            let half = skew.sqrt();
            let [left, right] = if rng.unit() < 0.5 { [half, 1.0 / half] } else { [1.0 / half, half] };
            [steepness * left, steepness * right]
        });
        Landscape { steepness: steepness.collect(), optimum, exponent, default }
    }

    fn loss(&self, x: &[f64]) -> f64 {
        let axis = |((x, at), steep): ((&f64, &f64), &[f64; 2])| {
            let distance = (x - at) / 2.0;
            steep[usize::from(distance > 0.0)] * distance.abs().powf(self.exponent)
        };
        x.iter().zip(&self.optimum).zip(&self.steepness).map(axis).sum()
    }

    /// Mean score of two games of `x` against `other`, with draws near 8 %.
    fn pair(&self, x: &[f64], other: &[f64], rng: &mut Rng) -> f64 {
        let elo = self.loss(other) - self.loss(x);
        let p = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let game = |rng: &mut Rng| {
            let u = rng.unit();
            let won = p - 0.04;
            if u < won {
                1.0
            } else if u < won + 0.08 {
                0.5
            } else {
                0.0
            }
        };
        f64::midpoint(game(rng), game(rng))
    }
}

/// Pairs of a batch of SPSA.
const SPSA_BATCH: u64 = 4;

/// Pairs of the next batch of CLOP, as in `banyan tune`.
fn batch(n: usize) -> usize {
    (n / 16).max(8)
}

fn clop(landscape: &Landscape, pairs: usize, seed: u64) -> (Clop, Vec<Trial>) {
    let clop = Clop { n_axes: landscape.optimum.len(), seed };
    let mut rng = Rng::new(mix(seed ^ 99));
    let mut trials: Vec<Trial> = Vec::new();
    while trials.len() < pairs {
        for x in clop.next(&trials, batch(trials.len()).min(pairs - trials.len())) {
            let score = landscape.pair(&x, &landscape.default, &mut rng);
            trials.push(Trial { x, score, is_played: true });
        }
    }
    (clop, trials)
}

/// Half of the range is 1. The perturbation and the step are the defaults of `banyan tune`.
fn spsa(landscape: &Landscape, pairs: u64, seed: u64) -> Vec<f64> {
    let config = SpsaConfig::usual(landscape.optimum.len(), pairs, seed);
    let mut spsa = Spsa::new(config, landscape.default.clone());
    let mut rng = Rng::new(mix(seed ^ 98));
    let mut number = 0;
    while number < pairs {
        let numbers = number..(number + SPSA_BATCH).min(pairs);
        let trials: Vec<[Vec<f64>; 2]> = numbers.clone().map(|n| spsa.trial(n)).collect();
        for (n, [up, down]) in numbers.zip(trials) {
            let score = landscape.pair(&up, &down, &mut rng);
            spsa.count(n, [&up, &down], score);
            number += 1;
        }
    }
    spsa.optimum().to_vec()
}

/// Results of many runs of both methods on random landscapes.
struct Study {
    /// Elo lost by the default.
    default: Losses,
    clop: Losses,
    spsa: Losses,
    /// Share of the intervals of CLOP that hold the true coordinate of the optimum.
    coverage: f64,
    /// Mean width of these intervals, as a share of the range.
    width: f64,
}

/// Mean and 90th percentile.
struct Losses(f64, f64);

impl Losses {
    fn of(mut losses: Vec<f64>) -> Losses {
        losses.sort_by(f64::total_cmp);
        Losses(losses.iter().sum::<f64>() / losses.len() as f64, losses[losses.len() * 9 / 10])
    }
}

impl std::fmt::Display for Losses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} / {:.1}", self.0, self.1)
    }
}

fn study(truth: Truth, n_axes: usize, pairs: usize, runs: u64) -> Study {
    let [mut default, mut of_clop, mut of_spsa] = [Vec::new(), Vec::new(), Vec::new()];
    let (mut hits, mut width, mut n) = (0u32, 0.0, 0u32);
    for run in 0..runs {
        let landscape = Landscape::random(truth, n_axes, &mut Rng::new(mix(run)));
        default.push(landscape.loss(&landscape.default));
        let (clop, trials) = clop(&landscape, pairs, mix(run + 1000));
        let fit = clop.fit(&trials).expect("enough trials");
        of_clop.push(landscape.loss(&fit.optimum));
        for (interval, at) in fit.intervals.iter().zip(&landscape.optimum) {
            hits += u32::from(!interval.excludes(*at));
            width += interval.high.zip(interval.low).map_or(2.0, |(high, low)| high - low) / 2.0;
            n += 1;
        }
        of_spsa.push(landscape.loss(&spsa(&landscape, pairs as u64, mix(run + 1000))));
    }
    let [default, clop, spsa] = [default, of_clop, of_spsa].map(Losses::of);
    Study { default, clop, spsa, coverage: f64::from(hits) / f64::from(n), width: width / f64::from(n) }
}

/// The table of docs/tune.md.
#[test]
#[ignore = "takes minutes: RUNS=500 cargo test --release -p banyan-arena --test it tuning -- --ignored --nocapture"]
fn losses_and_coverage_over_many_runs() {
    let runs: u64 = std::env::var("RUNS").map_or(60, |n| n.parse().expect("a number"));
    for (truth, n_axes, pairs) in [
        (Truth::Quadratic, 1, 500),
        (Truth::Asymmetric, 1, 500),
        (Truth::Quadratic, 2, 500),
        (Truth::Asymmetric, 2, 500),
        (Truth::Quadratic, 4, 500),
        (Truth::Asymmetric, 4, 500),
        (Truth::Quadratic, 1, 2000),
        (Truth::Asymmetric, 1, 2500),
        (Truth::Asymmetric, 2, 2500),
    ] {
        let Study { default, clop, spsa, coverage, width } = study(truth, n_axes, pairs, runs);
        let line = format!(
            "{truth:?} {n_axes} {pairs}: default {default}, CLOP {clop}, SPSA {spsa}, coverage {:.1} % width {:.0} %",
            100.0 * coverage,
            100.0 * width
        );
        writeln!(std::io::stderr(), "{line}").expect("stderr");
    }
}

#[test]
fn both_methods_beat_the_default_with_few_games() {
    for (truth, n_axes, runs) in [(Truth::Quadratic, 1, 12), (Truth::Asymmetric, 1, 12), (Truth::Asymmetric, 2, 8)] {
        let Study { default, clop, spsa, coverage, .. } = study(truth, n_axes, 200, runs);
        assert!(clop.0 < 0.6 * default.0 && spsa.0 < 0.6 * default.0, "{default} {clop} {spsa}");
        assert!(coverage > 0.8, "{coverage}");
    }
}

#[test]
fn trials_gather_around_the_optimum() {
    let landscape = Landscape::random(Truth::Quadratic, 1, &mut Rng::new(7));
    let (clop, trials) = clop(&landscape, 600, 3);
    let distance = |trials: &[Trial]| {
        trials.iter().map(|trial| (trial.x[0] - landscape.optimum[0]).abs()).sum::<f64>() / trials.len() as f64
    };
    let [first, last] = [distance(&trials[..100]), distance(&trials[500..])];
    assert!(last < 0.85 * first, "{first} {last}");
    let fit = clop.fit(&trials).expect("enough trials");
    assert!(fit.weight(&landscape.optimum) > fit.weight(&[-1.0]).max(fit.weight(&[1.0])));
}

#[test]
fn choices_follow_from_results_and_seed_alone() {
    let landscape = Landscape::random(Truth::Asymmetric, 2, &mut Rng::new(1));
    let (clop, trials) = clop(&landscape, 60, 5);
    assert_eq!(clop.next(&trials, 4), clop.next(&trials, 4));
    assert_eq!(clop.next(&trials, 4)[..2], clop.next(&trials, 2)[..]);
    assert_ne!(clop.next(&trials, 4), Clop { seed: 6, ..clop }.next(&trials, 4));
    assert!(clop.next(&trials, 50).iter().flatten().all(|x| (-1.0..=1.0).contains(x)));
}

#[test]
fn too_few_trials_or_equal_ones_give_no_nonsense() {
    let clop = Clop { n_axes: 2, seed: 1 };
    assert!(clop.fit(&[]).is_none());
    let x = clop.next(&[], 30);
    for score in [0.0, 0.5, 1.0] {
        let trials: Vec<Trial> = x.iter().map(|x| Trial { x: x.clone(), score, is_played: true }).collect();
        let fit = clop.fit(&trials).expect("enough trials");
        assert!(fit.optimum.iter().all(|x| x.abs() < 0.5) && fit.effective > 10.0, "{:?}", fit.optimum);
        assert!(fit.score(&fit.optimum).is_finite());
        // Nothing is known: the intervals are wide.
        assert!(fit.intervals.iter().all(|interval| interval.high.zip(interval.low).is_some_and(|(h, l)| h - l > 1.0)));
    }
}

#[test]
fn gradient_steps_stay_in_the_range() {
    let config = SpsaConfig::usual(3, 100, 1);
    let mut spsa = Spsa::new(config, vec![0.9, -0.9, 0.0]);
    for number in 0..100 {
        let [up, down] = spsa.trial(number);
        assert!(up.iter().chain(&down).all(|x| (-1.0..=1.0).contains(x)));
        spsa.count(number, [&up, &down], 1.0);
    }
    assert!(spsa.now().iter().chain(spsa.optimum()).all(|x| (-1.0..=1.0).contains(x)));
}

#[test]
fn steps_follow_from_the_settings_that_were_played() {
    let config = SpsaConfig::usual(3, 100, 1);
    let moved_by = |played: [&[f64]; 2]| {
        let mut spsa = Spsa::new(config.clone(), vec![0.0; 3]);
        spsa.count(50, played, 1.0);
        spsa.now().to_vec()
    };
    let near = moved_by([&[0.1, -0.1, 0.2], &[-0.1, 0.1, 0.2]]);
    assert!(near[0] > 0.0 && near[1] == -near[0], "{near:?}");
    assert_eq!(near[2], 0.0, "equal settings have no slope");
    // A win by settings that are further apart is a smaller slope.
    let far = moved_by([&[0.4, -0.4, 0.2], &[-0.4, 0.4, 0.2]]);
    assert!((near[0] / far[0] - 4.0).abs() < 1e-9, "{near:?} {far:?}");
}
