//! The surface of two settings, and its optimum.

use super::super::interval::Interval;
use super::super::quantile::{chi_squared_quantile, t95};
use super::PointMeans;
use super::scale::Scale;

/// Steps of the grid on which optima are looked for, along each of the two settings.
const SURFACE_STEPS: usize = 100;

/// The 95 % quantile of chi-squared with five degrees of freedom, for comparisons with a place that the data chose (Scheffé 1953).
const CHI2_5: f64 = 11.070_497_693_516_35;

/// A surface does not fit where its deviance is above this quantile of chi-squared.
const MISFIT: f64 = 0.95;

/// The 95 % quantile of the normal distribution: a surface that curves upwards by more standard errors in some direction has no maximum.
const UPWARDS: f64 = 1.644_853_626_951_472;

/// The 95 % quantile of chi-squared with two degrees of freedom: -2 ln 0.05.
const CHI2_2: f64 = 5.991_464_547_107_98;

/// A quadratic surface, fitted to the means of pairs of values of two settings (Box and Wilson 1951).
///
/// The 95 % interval of a coordinate of the optimum are the positions at which, for some value of the other, the gradient does not
/// differ from 0: Fieller's (1954) set for ratios, with more than one ratio. At an edge of the range a rise towards the outside does not
/// count (Karush, Kuhn and Tucker): the optimum within the range may be there. What is certainly lower than the highest place is left out:
/// a surface that curves upwards rises towards edges that are far below others.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The optimum within the range of the values, each coordinate with its 95 % interval.
    pub optimum: [Interval; 2],
    /// The fitted result at the optimum.
    pub top: f64,
    /// Whether the interval of both coordinates covers the whole range.
    pub is_undetermined: bool,
    /// The kind of optimum.
    pub shape: Shape,
    /// The place of the optimum on the scales.
    best: [f64; 2],
    scales: [Scale; 2],
    weights: [f64; TERMS],
    covariance: [[f64; TERMS]; TERMS],
}

/// The kind of optimum of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A maximum within the range of the values.
    Maximum,
    /// The surface is highest at an edge of the range: there may be better values beyond it.
    Edge,
    /// The surface curves upwards in some direction, at a level of 5 %: a saddle or a bowl, which has no maximum.
    NoMaximum,
    /// The means are further from the surface than their errors allow, at a level of 5 %: its optimum means nothing.
    Misfit,
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
    /// Fits the surface; `at` are the positions of the values. `None` if they do not determine it, or if a corner of their range was not
    /// played, so that a part of it would be beyond all values.
    pub fn fit(at: &[[f64; 2]], points: &PointMeans) -> Option<Surface> {
        let axis = |axis: usize| Scale::of(&at.iter().map(|at| at[axis]).collect::<Vec<_>>());
        let scales = [axis(0)?, axis(1)?];
        let units: Vec<[f64; 2]> = at.iter().map(|at| [0, 1].map(|axis| scales[axis].unit(at[axis]))).collect();
        let is_played = |corner: [f64; 2]| units.iter().any(|unit| dot_2(*unit, corner) >= 2.0 - 1e-9);
        let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
        if points.variances.iter().any(|&variance| variance <= 0.0) || !corners.into_iter().all(is_played) {
            return None;
        }
        let (mut squares, mut products) = ([[0.0; TERMS]; TERMS], [0.0; TERMS]);
        for ((unit, y), variance) in units.iter().zip(&points.means).zip(&points.variances) {
            let terms = terms(*unit);
            for (i, row) in squares.iter_mut().enumerate() {
                row.iter_mut().zip(&terms).for_each(|(sum, term)| *sum += terms[i] * term / variance);
                products[i] += terms[i] * y / variance;
            }
        }
        let covariance = inverse(squares)?;
        let weights = covariance.map(|row| dot(&row, &products));
        let rows = units.iter().zip(&points.means).zip(&points.variances);
        let deviance: f64 =
            rows.map(|((unit, y), variance)| (y - dot(&weights, &terms(*unit))).powi(2) / variance).sum();
        let mut surface = Surface {
            optimum: [Interval::UNKNOWN; 2],
            top: 0.0,
            is_undetermined: false,
            shape: Shape::Maximum,
            best: [0.0; 2],
            scales,
            weights,
            covariance,
        };
        surface.find_optimum(t95(points.freedom).powi(2));
        surface.shape = match at.len().saturating_sub(TERMS) {
            freedom @ 1.. if deviance > chi_squared_quantile(MISFIT, freedom as f64) => Shape::Misfit,
            _ if surface.curves_upwards() => Shape::NoMaximum,
            _ if surface.best.iter().any(|x| x.abs() >= 1.0) => Shape::Edge,
            _ => Shape::Maximum,
        };
        Some(surface)
    }

    fn find_optimum(&mut self, accepted: f64) {
        let grid = || Scale::grid(SURFACE_STEPS);
        let places = || grid().flat_map(|x| grid().map(move |y| [x, y]));
        let height = |place: &[f64; 2]| dot(&self.weights, &terms(*place));
        let best = places().max_by(|a, b| height(a).total_cmp(&height(b))).expect("a grid");
        self.best = best;
        let inside: Vec<[f64; 2]> =
            places().filter(|place| *place == best || self.is_accepted(*place, accepted)).collect();
        let ends = [0, 1].map(|axis| {
            let all = || inside.iter().map(|place| place[axis]);
            (all().fold(1.0, f64::min), all().fold(-1.0, f64::max))
        });
        self.top = dot(&self.weights, &terms(best));
        self.is_undetermined = ends.iter().all(|&(low, high)| low <= -1.0 && high >= 1.0);
        self.optimum = [0, 1].map(|axis| {
            let x = |unit: f64| Some(self.scales[axis].x(unit));
            Interval { low: x(ends[axis].0), mid: x(best[axis]), high: x(ends[axis].1) }
        });
    }

    /// Whether the optimum may be at `place`.
    fn is_accepted(&self, place: [f64; 2], accepted: f64) -> bool {
        let (best, here) = (terms(self.best), terms(place));
        let difference: [f64; TERMS] = std::array::from_fn(|i| best[i] - here[i]);
        let variance = dot(&difference, &self.covariance.map(|row| dot(&row, &difference)));
        let is_lower = dot(&self.weights, &difference).powi(2) > CHI2_5 * variance;
        !is_lower && self.gradient_test(place) <= accepted
    }

    /// Whether the curvature in the direction in which it is largest is above 0 by more than chance.
    fn curves_upwards(&self) -> bool {
        let [.., xx, xy, yy] = self.weights;
        // The larger eigenvalue of [[2 xx, xy], [xy, 2 yy]], and its direction.
        let angle = 0.5 * xy.atan2(xx - yy);
        let (sin, cos) = angle.sin_cos();
        let second_derivative = [0.0, 0.0, 0.0, 2.0 * cos * cos, 2.0 * sin * cos, 2.0 * sin * sin];
        let curvature = dot(&self.weights, &second_derivative);
        let variance = dot(&second_derivative, &self.covariance.map(|row| dot(&row, &second_derivative)));
        curvature > UPWARDS * variance.sqrt()
    }

    /// Wald's statistic of the gradient, chi-squared with two degrees of freedom at the true optimum, and with one where the most
    /// favourable value of one coordinate is taken. At an edge the gradient is compared with the most favourable one that points outwards.
    fn gradient_test(&self, place: [f64; 2]) -> f64 {
        let slopes = slopes(place);
        let [a, b] = [0, 1].map(|i| dot(&self.weights, &slopes[i]));
        let covariance = |i: usize, j: usize| dot(&slopes[i], &self.covariance.map(|row| dot(&row, &slopes[j])));
        let (aa, ab, bb) = (covariance(0, 0), covariance(0, 1), covariance(1, 1));
        let points_outwards = |axis: usize, slope: f64| place[axis].abs() >= 1.0 && slope * place[axis] >= 0.0;
        if points_outwards(0, a) && points_outwards(1, b) {
            return 0.0;
        }
        // The likeliest slope along one axis when that along the other is 0.
        let along_x = points_outwards(0, a - b * ab / bb).then_some(b * b / bb);
        let along_y = points_outwards(1, b - a * ab / aa).then_some(a * a / aa);
        let level = (a * a * bb - 2.0 * a * b * ab + b * b * aa) / (aa * bb - ab * ab);
        [along_x, along_y].into_iter().flatten().fold(level, f64::min)
    }

    /// The fitted result at a place.
    pub fn y(&self, at: [f64; 2]) -> f64 {
        dot(&self.weights, &terms(self.unit(at)))
    }

    /// Whether the optimum may be at this place of the range, at a level of 5 %.
    pub fn may_be_optimum(&self, at: [f64; 2]) -> bool {
        self.is_undetermined || self.is_accepted(self.unit(at), CHI2_2)
    }

    fn unit(&self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| self.scales[axis].unit(at[axis]))
    }
}

fn dot_2(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
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

    /// The places of a grid of `n_values` values of each setting, from 0.
    fn grid(n_values: u32) -> Vec<[f64; 2]> {
        (0..n_values).flat_map(|x| (0..n_values).map(move |y| [f64::from(x), f64::from(y)])).collect()
    }

    /// The surface through means with small errors.
    fn exact(at: &[[f64; 2]], y: impl Fn([f64; 2]) -> f64) -> Surface {
        let means: Vec<f64> = at.iter().map(|at| y(*at)).collect();
        let variances = vec![1e-6; means.len()];
        let points = PointMeans { means, variances, pair_variance: 1e-4, freedom: 99.0 };
        Surface::fit(at, &points).expect("a grid")
    }

    #[test]
    fn the_shape_of_a_surface_is_recognised() {
        let hill = |x: f64, y: f64| move |at: [f64; 2]| 0.6 - 0.01 * ((at[0] - x).powi(2) + (at[1] - y).powi(2));
        let at = grid(5);
        assert_eq!(exact(&at, hill(1.0, 3.0)).shape, Shape::Maximum);
        assert_eq!(exact(&at, hill(1.0, 5.0)).shape, Shape::Edge);
        assert_eq!(exact(&at, hill(-1.0, 6.0)).shape, Shape::Edge);
        let saddle = |[x, y]: [f64; 2]| 0.5 - 0.01 * (x - 2.0).powi(2) + 0.01 * (y - 2.0).powi(2);
        assert_eq!(exact(&at, saddle).shape, Shape::NoMaximum);
        let turned = |[x, y]: [f64; 2]| 0.5 + 0.01 * (x - 2.0) * (y - 2.0);
        assert_eq!(exact(&at, turned).shape, Shape::NoMaximum);
        let cliff = |[x, y]: [f64; 2]| if x + y < 2.5 { 0.6 } else { 0.3 };
        assert_eq!(exact(&at, cliff).shape, Shape::Misfit);
    }

    /// The true optimum is beyond the upper end of the second setting: the best of the range is at (2, 4).
    #[test]
    fn an_optimum_at_an_edge_has_an_interval_that_holds_it() {
        const RUNS: u32 = 300;
        let at = grid(5);
        let elo: Vec<f64> = at.iter().map(|[x, y]| -12.0 * (x - 2.0).powi(2) - 6.0 * (y - 5.0).powi(2)).collect();
        let mut rng = Rng::new(5);
        let (mut n_covered, mut n_edges, mut n_inside) = ([0; 2], 0, 0);
        for _ in 0..RUNS {
            let points = sweep(&mut rng, &elo, 200).point_means().expect("complete rounds");
            let surface = Surface::fit(&at, &points).expect("25 places");
            for (axis, truth) in [(0, 2.0), (1, 4.0)] {
                n_covered[axis] += u32::from(!surface.optimum[axis].excludes(truth));
            }
            n_edges += u32::from(surface.shape == Shape::Edge);
            n_inside += u32::from(surface.may_be_optimum([2.0, 4.0]) && !surface.may_be_optimum([2.0, 1.0]));
        }
        // The interval of the setting with its optimum beyond the edge holds the edge nearly always.
        assert!(n_covered[0] >= RUNS * 91 / 100 && n_covered[1] >= RUNS * 95 / 100, "{n_covered:?}");
        assert!(n_edges >= RUNS * 75 / 100, "{n_edges}");
        assert!(n_inside >= RUNS * 90 / 100, "{n_inside}");
    }

    #[test]
    fn quadratic_surfaces_are_rejected_in_5_percent_and_others_nearly_always() {
        const RUNS: u32 = 300;
        let at = grid(5);
        let quadratic: Vec<f64> = at.iter().map(|[x, y]| -6.0 * (x - 2.0).powi(2) - 6.0 * (y - 2.0).powi(2)).collect();
        // Level but for a steep fall at the first two values of the first setting.
        let cliff: Vec<f64> = at.iter().map(|[x, _]| if *x < 1.5 { -150.0 } else { 0.0 }).collect();
        let mut rng = Rng::new(6);
        let mut n_rejected = |elo: &[f64]| {
            let misfits = (0..RUNS).filter(|_| {
                let points = sweep(&mut rng, elo, 200).point_means().expect("complete rounds");
                Surface::fit(&at, &points).expect("25 places").shape == Shape::Misfit
            });
            misfits.count()
        };
        let (quadratic, cliff) = (n_rejected(&quadratic), n_rejected(&cliff));
        assert!((3..=RUNS as usize * 9 / 100).contains(&quadratic), "{quadratic}");
        assert!(cliff >= RUNS as usize * 95 / 100, "{cliff}");
    }

    #[test]
    fn no_optimum_is_stated_where_nothing_was_played() {
        let mut at = grid(4);
        at.retain(|place| *place != [3.0, 3.0]);
        let n = at.len();
        let means = at.iter().map(|[x, y]| 0.3 + 0.01 * (x + y)).collect();
        let points = PointMeans { means, variances: vec![1e-6; n], pair_variance: 1e-4, freedom: 99.0 };
        assert_eq!(Surface::fit(&at, &points), None);
    }

    /// The results fall with the first setting and level off, as those of many exploration weights do, so that the surface curves upwards.
    #[test]
    fn an_edge_far_below_another_is_no_optimum() {
        let at = grid(4);
        let surface = exact(&at, |[x, y]| 0.4 + 0.01 * (3.0 - x).powi(2) - 0.001 * (y - 1.0).powi(2));
        assert_eq!(surface.shape, Shape::NoMaximum);
        assert!(surface.optimum[0].excludes(3.0) && !surface.optimum[0].excludes(0.0), "{:?}", surface.optimum);
        assert!(!surface.may_be_optimum([3.0, 1.0]) && surface.may_be_optimum([0.0, 1.0]));
    }
}
