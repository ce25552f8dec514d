//! Confident local optimization (CLOP; Coulom 2011): logistic regression on a quadratic surface, in which trials lose weight the further
//! their fitted strength is below the mean. As games come in, the weights contract around the optimum.

use banyan_core::{Rng, mix};

use super::Trial;
use super::quadratic::Quadratic;
use crate::stats::Interval;

/// Standard errors below the mean strength at which a trial's weight has fallen to 1/e; the paper's H.
const WIDTH: f64 = 3.0;

/// The width for the surface from which the interval of the optimum follows. A narrow one does not determine the curvature, a wide one is
/// biased where the landscape is skewed. Tuned by the coverage in `tests/it/tuning.rs`.
const WIDTH_OF_INTERVAL: f64 = 10.0;

/// The weights have converged when their sum changes by less than this share.
const CONVERGED: f64 = 0.01;

/// Most rounds of fit and weights.
const MOST_ROUNDS: usize = 40;

/// Trials for each coefficient that are drawn evenly before any weight counts.
const FIRST_PER_TERM: usize = 4;

/// Sweeps over all coordinates for a new trial, and places on each: Gibbs sampling of the weight function, as in the paper.
const SWEEPS: usize = 3;
const PLACES: u32 = 40;

/// Surfaces drawn for the interval of the optimum.
const DRAWS: usize = 400;

/// Chooses trials, and finds the optimum among them.
#[derive(Clone, Copy, Debug)]
pub struct Clop {
    /// Number of coordinates.
    pub n_axes: usize,
    /// Seed of all choices.
    pub seed: u64,
}

/// Optimum and its interval, from the trials.
#[derive(Clone, Debug)]
pub struct ClopFit {
    /// The optimum: the mean of the trials by their weights. In the study of `tests/it/tuning.rs` the peak of the surface loses two to four
    /// times as much, as the surface is nearly level where the weights have contracted.
    pub optimum: Vec<f64>,
    /// The 95 % interval of each coordinate, within the range: the peaks of surfaces drawn by the covariance of the coefficients.
    pub intervals: Vec<Interval>,
    /// Sum of the weights: how many trials the fit rests on.
    pub effective: f64,
    surface: Quadratic,
    weighting: Weighting,
}

/// The weight of a place: the least of all rounds.
#[derive(Clone, Debug, Default)]
struct Weighting(Vec<Round>);

#[derive(Clone, Debug)]
struct Round {
    surface: Quadratic,
    /// Log odds of the mean strength, and the unit of the fall.
    mean: f64,
    unit: f64,
}

impl Weighting {
    fn at(&self, x: &[f64]) -> f64 {
        self.0.iter().map(|round| round.at(x)).fold(1.0, f64::min)
    }
}

impl Round {
    fn at(&self, x: &[f64]) -> f64 {
        ((self.surface.log_odds(x) - self.mean) / self.unit).exp().min(1.0)
    }
}

impl Clop {
    /// Trials that are drawn evenly at first.
    pub fn n_first(&self) -> usize {
        FIRST_PER_TERM * (self.n_axes + 1) * (self.n_axes + 2) / 2
    }

    /// Places of the `n` trials after `trials`.
    pub fn next(&self, trials: &[Trial], n: usize) -> Vec<Vec<f64>> {
        if trials.len() < self.n_first() {
            return (trials.len()..trials.len() + n).map(|number| self.even(number)).collect();
        }
        let (_, weighting, weights) = self.weighted(trials, WIDTH);
        (trials.len()..trials.len() + n).map(|number| self.drawn(number, trials, &weights, &weighting)).collect()
    }

    /// Place of a trial among those that cover the range evenly: an additive recurrence with the roots of x^(n+1) = x + 1 (Roberts 2018).
    fn even(&self, number: usize) -> Vec<f64> {
        let order = self.n_axes as f64 + 1.0;
        let mut root = 2.0f64;
        for _ in 0..40 {
            root = (1.0 + root).powf(1.0 / order);
        }
        let offset = |axis: usize| Rng::new(mix(self.seed ^ mix(axis as u64))).unit();
        let unit = |axis: usize| (offset(axis) + (number + 1) as f64 / root.powi(axis as i32 + 1)).fract();
        (0..self.n_axes).map(|axis| 2.0 * unit(axis) - 1.0).collect()
    }

    /// A place drawn by the weight of places.
    fn drawn(&self, number: usize, trials: &[Trial], weights: &[f64], weighting: &Weighting) -> Vec<f64> {
        let mut rng = Rng::new(mix(self.seed ^ mix(1 + number as u64)));
        let mut x = trials[choose(&mut rng, weights)].x.clone();
        for _ in 0..SWEEPS {
            for axis in 0..self.n_axes {
                let places: Vec<f64> =
                    (0..PLACES).map(|i| 2.0 * (f64::from(i) + rng.unit()) / f64::from(PLACES) - 1.0).collect();
                let heights: Vec<f64> = places
                    .iter()
                    .map(|&place| {
                        x[axis] = place;
                        weighting.at(&x)
                    })
                    .collect();
                x[axis] = places[choose(&mut rng, &heights)];
            }
        }
        x
    }

    /// The surface, the weight function and the weights of the trials.
    fn weighted(&self, trials: &[Trial], width: f64) -> (Quadratic, Weighting, Vec<f64>) {
        let mut weights = vec![1.0; trials.len()];
        let mut weighting = Weighting::default();
        let mut surface = Quadratic::fit(self.n_axes, trials, &weights);
        let mut sum = trials.len() as f64;
        for _ in 0..MOST_ROUNDS {
            let (mean, error) = mean_strength(trials, &weights);
            let round = Round { surface: surface.clone(), mean, unit: width * error };
            for (weight, trial) in weights.iter_mut().zip(trials) {
                *weight = weight.min(round.at(&trial.x));
            }
            weighting.0.push(round);
            surface = Quadratic::fit(self.n_axes, trials, &weights);
            let last = std::mem::replace(&mut sum, weights.iter().sum());
            if sum > (1.0 - CONVERGED) * last {
                break;
            }
        }
        (surface, weighting, weights)
    }

    /// The fit to the trials; `None` with fewer than twice as many as the surface has coefficients.
    pub fn fit(&self, trials: &[Trial]) -> Option<ClopFit> {
        let (surface, weighting, weights) = self.weighted(trials, WIDTH);
        if trials.len() < 2 * surface.n_terms() {
            return None;
        }
        let effective: f64 = weights.iter().sum();
        let mean: Vec<f64> = (0..self.n_axes)
            .map(|axis| trials.iter().zip(&weights).map(|(trial, w)| w * trial.x[axis]).sum::<f64>() / effective)
            .collect();
        let (wide, _, wide_weights) = self.weighted(trials, WIDTH_OF_INTERVAL);
        let peak = wide.peak([mean.as_slice()].into_iter());
        let spread = dispersion(trials, &wide_weights, &wide);
        let mut rng = Rng::new(mix(self.seed ^ 0x17));
        let mut peaks: Vec<Vec<f64>> = vec![Vec::with_capacity(DRAWS); self.n_axes];
        for _ in 0..DRAWS {
            let errors: Vec<f64> = (0..wide.n_terms()).map(|_| spread.sqrt() * normal(&mut rng)).collect();
            let drawn = wide.moved(&errors).peak([peak.as_slice(), mean.as_slice()].into_iter());
            peaks.iter_mut().zip(drawn).for_each(|(axis, x)| axis.push(x));
        }
        let intervals = peaks.into_iter().zip(&mean).map(|(mut drawn, &mid)| {
            drawn.sort_by(f64::total_cmp);
            let tail = DRAWS / 40;
            Interval { low: Some(drawn[tail].min(mid)), mid: Some(mid), high: Some(drawn[DRAWS - 1 - tail].max(mid)) }
        });
        Some(ClopFit { intervals: intervals.collect(), optimum: mean, effective, surface, weighting })
    }
}

impl ClopFit {
    /// The expected score at `x`.
    pub fn score(&self, x: &[f64]) -> f64 {
        self.surface.score(x)
    }

    /// The weight of a trial at `x`, 0 .. 1.
    pub fn weight(&self, x: &[f64]) -> f64 {
        self.weighting.at(x)
    }
}

/// Log odds of the mean score by weight, and its standard error.
fn mean_strength(trials: &[Trial], weights: &[f64]) -> (f64, f64) {
    let n: f64 = weights.iter().sum();
    let points: f64 = trials.iter().zip(weights).map(|(trial, w)| w * trial.score).sum();
    // Half a game won and half a game lost keep it finite.
    let p = (points + 0.25) / (n + 0.5);
    ((p / (1.0 - p)).ln(), 1.0 / (2.0 * (n + 0.5) * p * (1.0 - p)).sqrt())
}

/// Variance of the scores that were played, in units of that of independent games.
fn dispersion(trials: &[Trial], weights: &[f64], surface: &Quadratic) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0);
    for (trial, w) in trials.iter().zip(weights).filter(|(trial, _)| trial.is_played) {
        let p = surface.score(&trial.x);
        sum += w * 2.0 * (trial.score - p).powi(2) / (p * (1.0 - p)).max(1e-6);
        n += w;
    }
    (sum / f64::max(n, 1.0)).clamp(0.1, 10.0)
}

/// An index drawn by weight.
fn choose(rng: &mut Rng, weights: &[f64]) -> usize {
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    for (i, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return i;
        }
    }
    weights.len() - 1
}

/// A standard normal number (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
}
