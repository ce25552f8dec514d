//! A quadratic surface fitted to the logarithm of the odds: logistic regression by Newton's method.

use super::Trial;

/// Variance of the normal distribution that holds every coefficient near 0: without games, or where all are won, it keeps them finite.
/// On positions from -1 to 1, a coefficient of 10 is 1700 Elo. Guess, untuned.
const PRIOR_VARIANCE: f64 = 100.0;

/// Newton steps; the fit has converged after five to eight.
const MOST_STEPS: usize = 30;

/// Games of a trial.
const GAMES: f64 = 2.0;

/// `log(p / (1 - p))` of the expected score: a constant, a gradient and products of any two coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quadratic {
    n_axes: usize,
    coefficients: Vec<f64>,
    /// Lower triangular factor of the inverse of their covariance, if the games were independent.
    factor: Vec<Vec<f64>>,
}

impl Quadratic {
    /// The most likely surface for trials that count with these weights.
    pub(super) fn fit(n_axes: usize, trials: &[Trial], weights: &[f64]) -> Quadratic {
        let rows: Vec<Vec<f64>> = trials.iter().map(|trial| terms(&trial.x)).collect();
        let n_terms = terms(&vec![0.0; n_axes]).len();
        let mut coefficients = vec![0.0; n_terms];
        let mut factor = Vec::new();
        for _ in 0..MOST_STEPS {
            let mut gradient: Vec<f64> = coefficients.iter().map(|c| -c / PRIOR_VARIANCE).collect();
            let mut information = vec![vec![0.0; n_terms]; n_terms];
            (0..n_terms).for_each(|i| information[i][i] = 1.0 / PRIOR_VARIANCE);
            for ((row, trial), weight) in rows.iter().zip(trials).zip(weights) {
                let p = logistic(dot(&coefficients, row));
                let (pull, spread) = (GAMES * weight * (trial.score - p), GAMES * weight * p * (1.0 - p));
                for (i, term) in row.iter().enumerate() {
                    gradient[i] += pull * term;
                    let scaled = spread * term;
                    for (cell, other) in information[i].iter_mut().zip(row).take(i + 1) {
                        *cell += scaled * other;
                    }
                }
            }
            factor = cholesky(&information);
            let step = solve(&factor, &gradient);
            // A long step would leave the region in which the second derivative holds.
            let longest = step.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let scale = (4.0 / longest.max(1e-300)).min(1.0);
            coefficients.iter_mut().zip(&step).for_each(|(c, x)| *c += scale * x);
            if longest < 1e-7 {
                break;
            }
        }
        Quadratic { n_axes, coefficients, factor }
    }

    /// The logarithm of the odds at `x`.
    pub(super) fn log_odds(&self, x: &[f64]) -> f64 {
        dot(&self.coefficients, &terms(x))
    }

    /// The expected score at `x`.
    pub(super) fn score(&self, x: &[f64]) -> f64 {
        logistic(self.log_odds(x))
    }

    /// This surface with coefficients moved by `errors` standard errors in independent directions, one for each coefficient.
    pub(super) fn moved(&self, errors: &[f64]) -> Quadratic {
        let step = backward(&self.factor, errors);
        let coefficients = self.coefficients.iter().zip(step).map(|(c, x)| c + x).collect();
        Quadratic { coefficients, ..self.clone() }
    }

    /// Number of coefficients.
    pub(super) fn n_terms(&self) -> usize {
        self.coefficients.len()
    }

    /// The place of the largest value in the box from -1 to 1: coordinate by coordinate, from each of `starts`.
    pub(super) fn peak<'a>(&self, starts: impl Iterator<Item = &'a [f64]>) -> Vec<f64> {
        let climbed = starts.map(|start| self.climb(start.to_vec()));
        let best = climbed.max_by(|a, b| self.log_odds(a).total_cmp(&self.log_odds(b)));
        best.unwrap_or_else(|| vec![0.0; self.n_axes])
    }

    fn climb(&self, mut x: Vec<f64>) -> Vec<f64> {
        for _ in 0..60 {
            let mut moved = 0.0f64;
            for axis in 0..self.n_axes {
                let best = self.best_on(axis, &mut x);
                moved = moved.max((best - x[axis]).abs());
                x[axis] = best;
            }
            if moved < 1e-6 {
                break;
            }
        }
        x
    }

    /// The best position of one coordinate, the others held.
    fn best_on(&self, axis: usize, x: &mut [f64]) -> f64 {
        let kept = x[axis];
        let [low, mid, high] = [-1.0, 0.0, 1.0].map(|at| {
            x[axis] = at;
            self.log_odds(x)
        });
        x[axis] = kept;
        let (slope, bend) = ((high - low) / 2.0, (high + low) / 2.0 - mid);
        if bend < -1e-12 {
            return (-slope / (2.0 * bend)).clamp(-1.0, 1.0);
        }
        if high >= low { 1.0 } else { -1.0 }
    }
}

/// `1, x1 .. xn, x1 x1, x1 x2 .. xn xn`.
fn terms(x: &[f64]) -> Vec<f64> {
    let mut terms = vec![1.0];
    terms.extend(x);
    for (i, a) in x.iter().enumerate() {
        terms.extend(x[i..].iter().map(|b| a * b));
    }
    terms
}

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The lower triangular factor of a positive matrix, of which the lower triangle is read.
fn cholesky(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut factor = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let rest = matrix[i][j] - dot(&factor[i][..j], &factor[j][..j]);
            factor[i][j] = if i == j { rest.max(1e-12).sqrt() } else { rest / factor[j][j] };
        }
    }
    factor
}

/// Solves `factor y = x`.
fn forward(factor: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    let mut y = Vec::with_capacity(x.len());
    for (i, row) in factor.iter().enumerate() {
        y.push((x[i] - dot(&row[..i], &y)) / row[i]);
    }
    y
}

/// Solves `factor' y = x`.
fn backward(factor: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|k| factor[k][i] * y[k]).sum();
        y[i] = (x[i] - rest) / factor[i][i];
    }
    y
}

fn solve(factor: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    backward(factor, &forward(factor, x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Trials on a grid whose scores are exactly those of a surface.
    fn exact(surface: impl Fn(f64, f64) -> f64) -> Vec<Trial> {
        let places = (-5..=5).flat_map(|i| (-5..=5).map(move |j| [f64::from(i) / 5.0, f64::from(j) / 5.0]));
        let trial = |[a, b]: [f64; 2]| Trial { x: vec![a, b], score: logistic(surface(a, b)), is_played: true };
        // Enough for the prior to have no weight.
        places.flat_map(|place| vec![trial(place); 50]).collect()
    }

    #[test]
    fn a_surface_without_noise_is_found_again() {
        let surface = |a: f64, b: f64| 0.3 + 0.2 * a - 0.4 * b - a * a - 0.5 * b * b + 0.3 * a * b;
        let trials = exact(surface);
        let found = Quadratic::fit(2, &trials, &vec![1.0; trials.len()]);
        for [a, b] in [[0.0, 0.0], [1.0, -1.0], [-0.3, 0.7]] {
            assert!((found.log_odds(&[a, b]) - surface(a, b)).abs() < 0.01, "{a} {b}");
        }
        // Where the gradient is 0: 2 a - 0.3 b = 0.2 and 0.3 a - b = 0.4.
        let peak = found.peak([[1.0, 1.0].as_slice()].into_iter());
        let b = (0.03 - 0.4) / (1.0 - 0.045);
        assert!((peak[0] - (0.1 + 0.15 * b)).abs() < 0.01 && (peak[1] - b).abs() < 0.02, "{peak:?}");
    }

    #[test]
    fn a_peak_beyond_the_range_is_at_its_end() {
        let trials = exact(|a, b| a - b * b);
        let found = Quadratic::fit(2, &trials, &vec![1.0; trials.len()]);
        let peak = found.peak([[0.0, 0.5].as_slice()].into_iter());
        assert!(peak[0] == 1.0 && peak[1].abs() < 0.02, "{peak:?}");
    }

    #[test]
    fn without_games_or_with_wins_only_it_stays_finite() {
        let none = Quadratic::fit(3, &[], &[]);
        assert_eq!(none.score(&[0.5, 0.5, 0.5]), 0.5);
        let won = vec![Trial { x: vec![0.5, -0.5], score: 1.0, is_played: true }; 40];
        let found = Quadratic::fit(2, &won, &[1.0; 40]);
        assert!(found.log_odds(&[0.5, -0.5]).is_finite() && found.score(&[0.5, -0.5]) > 0.9);
    }

    #[test]
    fn moves_by_standard_errors_have_the_length_of_the_errors() {
        let trials = exact(|a, b| 0.5 * a - a * a - b * b);
        let found = Quadratic::fit(2, &trials, &vec![1.0; trials.len()]);
        let errors = [1.0, -2.0, 0.5, 0.0, 1.5, -1.0];
        let moved = found.moved(&errors);
        let step: Vec<f64> = moved.coefficients.iter().zip(&found.coefficients).map(|(a, b)| a - b).collect();
        // The step's length by the information matrix, L L', is that of the errors.
        let through: Vec<f64> = (0..6).map(|j| (j..6).map(|i| found.factor[i][j] * step[i]).sum()).collect();
        assert!((dot(&through, &through) - dot(&errors, &errors)).abs() < 1e-9);
    }
}
