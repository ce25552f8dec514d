//! The surface of two settings, and its optimum.

use super::super::interval::Interval;
use super::super::quantile::t95;
use super::PointMeans;
use super::scale::Scale;

/// Steps of the grid on which optima are looked for, along each of the two settings.
const SURFACE_STEPS: usize = 100;

/// The 95 % quantile of chi-squared with two degrees of freedom: -2 ln 0.05.
const CHI2_2: f64 = 5.991_464_547_107_98;

/// A quadratic surface, fitted to the means of pairs of values of two settings (Box and Wilson 1951).
///
/// The 95 % interval of a coordinate of the optimum are the positions at which, for some value of the other, the gradient does not
/// differ from 0: Fieller's (1954) set for ratios, with more than one ratio.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The optimum within the range of the values, each coordinate with its 95 % interval.
    pub optimum: [Interval; 2],
    /// The fitted result at the optimum.
    pub top: f64,
    /// Whether the interval of both coordinates covers the whole range.
    pub is_undetermined: bool,
    scales: [Scale; 2],
    weights: [f64; TERMS],
    covariance: [[f64; TERMS]; TERMS],
}

const TERMS: usize = 6;

fn terms([x, y]: [f64; 2]) -> [f64; TERMS] {
    [1.0, x, y, x * x, x * y, y * y]
}

/// The terms of both derivatives.
fn slopes([x, y]: [f64; 2]) -> [[f64; TERMS]; 2] {
    [[0.0, 1.0, 0.0, 2.0 * x, y, 0.0], [0.0, 0.0, 1.0, 0.0, x, 2.0 * y]]
}

fn dot(a: &[f64; TERMS], b: &[f64; TERMS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Surface {
    /// Fits the surface; `at` are the positions of the values. `None` if they do not determine it.
    pub fn fit(at: &[[f64; 2]], points: &PointMeans) -> Option<Surface> {
        let axis = |axis: usize| Scale::of(&at.iter().map(|at| at[axis]).collect::<Vec<_>>());
        let scales = [axis(0)?, axis(1)?];
        if points.variances.iter().any(|&variance| variance <= 0.0) {
            return None;
        }
        let (mut squares, mut products) = ([[0.0; TERMS]; TERMS], [0.0; TERMS]);
        for ((at, y), variance) in at.iter().zip(&points.means).zip(&points.variances) {
            let terms = terms([0, 1].map(|axis| scales[axis].unit(at[axis])));
            for (i, row) in squares.iter_mut().enumerate() {
                row.iter_mut().zip(&terms).for_each(|(sum, term)| *sum += terms[i] * term / variance);
                products[i] += terms[i] * y / variance;
            }
        }
        let covariance = inverse(squares)?;
        let weights = covariance.map(|row| dot(&row, &products));
        let mut surface =
            Surface { optimum: [Interval::UNKNOWN; 2], top: 0.0, is_undetermined: false, scales, weights, covariance };
        surface.find_optimum(t95(points.freedom).powi(2));
        Some(surface)
    }

    fn find_optimum(&mut self, accepted: f64) {
        let grid = || Scale::grid(SURFACE_STEPS);
        let places = || grid().flat_map(|x| grid().map(move |y| [x, y]));
        let height = |place: &[f64; 2]| dot(&self.weights, &terms(*place));
        let best = places().max_by(|a, b| height(a).total_cmp(&height(b))).expect("a grid");
        let inside: Vec<[f64; 2]> =
            places().filter(|place| *place == best || self.gradient_test(*place) <= accepted).collect();
        let ends = [0, 1].map(|axis| {
            let all = || inside.iter().map(|place| place[axis]);
            (all().fold(1.0, f64::min), all().fold(-1.0, f64::max))
        });
        self.top = height(&best);
        self.is_undetermined = ends.iter().all(|&(low, high)| low <= -1.0 && high >= 1.0);
        self.optimum = [0, 1].map(|axis| {
            let x = |unit: f64| Some(self.scales[axis].x(unit));
            Interval { low: x(ends[axis].0), mid: x(best[axis]), high: x(ends[axis].1) }
        });
    }

    /// Wald's statistic of the gradient, chi-squared with two degrees of freedom at the true optimum, and with one where the most
    /// favourable value of one coordinate is taken.
    fn gradient_test(&self, place: [f64; 2]) -> f64 {
        let slopes = slopes(place);
        let [a, b] = [0, 1].map(|i| dot(&self.weights, &slopes[i]));
        let covariance = |i: usize, j: usize| dot(&slopes[i], &self.covariance.map(|row| dot(&row, &slopes[j])));
        let (aa, ab, bb) = (covariance(0, 0), covariance(0, 1), covariance(1, 1));
        (a * a * bb - 2.0 * a * b * ab + b * b * aa) / (aa * bb - ab * ab)
    }

    /// The fitted result at a place.
    pub fn y(&self, at: [f64; 2]) -> f64 {
        dot(&self.weights, &terms(self.unit(at)))
    }

    /// Whether the optimum may be at this place of the range, at a level of 5 %.
    pub fn may_be_optimum(&self, at: [f64; 2]) -> bool {
        self.is_undetermined || self.gradient_test(self.unit(at)) <= CHI2_2
    }

    fn unit(&self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| self.scales[axis].unit(at[axis]))
    }
}

/// The inverse by Gauss and Jordan with row pivots; `None` of a singular matrix.
fn inverse(mut rows: [[f64; TERMS]; TERMS]) -> Option<[[f64; TERMS]; TERMS]> {
    let mut inverse: [[f64; TERMS]; TERMS] =
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }));
    let size = rows.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    for column in 0..TERMS {
        let pivot = (column..TERMS).max_by(|&i, &j| rows[i][column].abs().total_cmp(&rows[j][column].abs()))?;
        rows.swap(column, pivot);
        inverse.swap(column, pivot);
        let factor = rows[column][column];
        if factor.abs() <= 1e-12 * size {
            return None;
        }
        rows[column] = rows[column].map(|x| x / factor);
        inverse[column] = inverse[column].map(|x| x / factor);
        let (row, inverse_row) = (rows[column], inverse[column]);
        for i in (0..TERMS).filter(|&i| i != column) {
            let factor = rows[i][column];
            for j in 0..TERMS {
                rows[i][j] -= factor * row[j];
                inverse[i][j] -= factor * inverse_row[j];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;

    use super::super::simulated::sweep;
    use super::*;

    /// The surface has its optimum at (2, 3): coefficients and optimum follow from the definition, covered by simulation.
    #[test]
    fn the_intervals_of_a_surface_hold_its_optimum() {
        const RUNS: u32 = 300;
        let at: Vec<[f64; 2]> = (0..5).flat_map(|x| (0..5).map(move |y| [f64::from(x), f64::from(y)])).collect();
        let elo: Vec<f64> = at
            .iter()
            .map(|[x, y]| {
                let (x, y) = (x - 2.0, y - 3.0);
                -12.0 * x * x - 14.0 * y * y - 8.0 * x * y
            })
            .collect();
        let mut rng = Rng::new(3);
        let (mut n_covered, mut n_places) = ([0; 2], 0);
        for _ in 0..RUNS {
            let points = sweep(&mut rng, &elo, 100).point_means().expect("complete rounds");
            let surface = Surface::fit(&at, &points).expect("25 places");
            for (axis, truth) in [(0, 2.0), (1, 3.0)] {
                n_covered[axis] += u32::from(!surface.optimum[axis].excludes(truth));
            }
            n_places += u32::from(surface.may_be_optimum([2.0, 3.0]));
        }
        for n in [n_covered[0], n_covered[1], n_places] {
            let share = f64::from(n) / f64::from(RUNS);
            assert!((0.91..=0.985).contains(&share), "{n} of {RUNS}; {n_covered:?}, {n_places}");
        }
    }
}
