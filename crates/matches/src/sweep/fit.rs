//! The fit of the results of a sweep, and the recommendation that follows from it.

use banyan_arena::stats::{Curve, Interval, Shape, Surface};
use banyan_catalog::strength::Span;
use serde::{Deserialize, Serialize};

use super::counted::{PairResult, responses};
use super::rounding::digits;
use crate::sweep_config::Varied;

/// Steps of the fitted curve in the result.
const CURVE_STEPS: u32 = 60;

/// The recommendation that follows from a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There are too few pairs for a fit.
    TooFewGames,
    /// The interval of the optimum covers the whole range.
    Undetermined,
    /// The default may be the optimum.
    NotDistinguishable,
    /// The default is not the optimum.
    Better,
    /// There is an optimum, and no default in the range to compare it with.
    Optimum,
    /// The surface of two settings is highest at an edge of the range, where the default is not.
    Edge,
    /// The surface of two settings has no maximum.
    NoMaximum,
    /// No quadratic surface follows the results of two settings.
    Misfit,
}

/// The fit over one setting or two.
pub(super) enum Fit {
    Curve(Curve, bool),
    Surface(Box<Surface>, [bool; 2]),
}

impl Fit {
    pub(super) fn of(places: &[Vec<f64>], vary: &[Varied], rounds: &[Vec<Option<PairResult>>]) -> Option<Fit> {
        let points = responses(rounds).point_means()?;
        match vary {
            [row] => {
                let x: Vec<f64> = places.iter().map(|place| position(place[0], row.log)).collect();
                Some(Fit::Curve(Curve::fit(&x, &points)?, row.log))
            }
            [one, other] => {
                let logs = [one.log, other.log];
                let at: Vec<[f64; 2]> =
                    places.iter().map(|place| [0, 1].map(|axis| position(place[axis], logs[axis]))).collect();
                Some(Fit::Surface(Box::new(Surface::fit(&at, &points)?), logs))
            }
            _ => None,
        }
    }

    /// The fitted result; `None` beyond the values that a curve is fitted to.
    pub(super) fn y(&self, place: &[f64]) -> Option<f64> {
        match self {
            Fit::Curve(curve, log) => curve.y(position(place[0], *log)),
            Fit::Surface(surface, logs) => Some(surface.y([0, 1].map(|axis| position(place[axis], logs[axis])))),
        }
    }

    /// The curve from one value to another; empty for a surface.
    pub(super) fn samples(&self, [low, high]: [f64; 2]) -> Vec<[f64; 2]> {
        let Fit::Curve(_, log) = self else { return Vec::new() };
        let value = |step: u32| {
            let part = f64::from(step) / f64::from(CURVE_STEPS);
            if *log { low * (high / low).powf(part) } else { low + (high - low) * part }
        };
        (0..=CURVE_STEPS).map(value).filter_map(|value| Some([digits(value), digits(self.y(&[value])?)])).collect()
    }

    pub(super) fn top(&self) -> f64 {
        match self {
            Fit::Curve(curve, _) => curve.top,
            Fit::Surface(surface, _) => surface.top,
        }
    }

    pub(super) fn is_misfit(&self) -> bool {
        matches!(self, Fit::Surface(surface, _) if surface.shape == Shape::Misfit)
    }

    /// A coordinate of the optimum, as a value of the setting; `None` if the fit is rejected.
    pub(super) fn span(&self, axis: usize) -> Option<Span> {
        if self.is_misfit() {
            return None;
        }
        let (Interval { low, mid, high }, log) = match self {
            Fit::Curve(curve, log) => (curve.optimum, *log),
            Fit::Surface(surface, logs) => (surface.optimum[axis], logs[axis]),
        };
        Some([low, mid, high].map(|x| x.map(|x| digits(if log { x.exp() } else { x }))))
    }

    pub(super) fn verdict(fit: Option<&Fit>, default: Option<&[f64]>) -> Verdict {
        let Some(fit) = fit else { return Verdict::TooFewGames };
        let (is_undetermined, may_be_default, shape) = match fit {
            Fit::Curve(curve, log) => {
                let is_inside = |at: &[f64]| curve.may_be_optimum(position(at[0], *log));
                (curve.is_undetermined, default.map(is_inside), Shape::Maximum)
            }
            Fit::Surface(surface, logs) => {
                let is_inside = |at: &[f64]| surface.may_be_optimum([0, 1].map(|axis| position(at[axis], logs[axis])));
                (surface.is_undetermined, default.map(is_inside), surface.shape)
            }
        };
        match (shape, may_be_default) {
            (Shape::Misfit, _) => Verdict::Misfit,
            _ if is_undetermined => Verdict::Undetermined,
            (_, Some(true)) => Verdict::NotDistinguishable,
            (Shape::Edge, _) => Verdict::Edge,
            (Shape::NoMaximum, _) => Verdict::NoMaximum,
            (Shape::Maximum, Some(false)) => Verdict::Better,
            (Shape::Maximum, None) => Verdict::Optimum,
        }
    }
}

fn position(value: f64, log: bool) -> f64 {
    if log { value.ln() } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::plan::places;

    const VARY: [&str; 2] = ["c", "fpu"];

    fn vary() -> Vec<Varied> {
        let row = |name: &str| Varied {
            name: name.to_owned(),
            values: vec![0.0, 1.0, 2.0, 3.0],
            log: false,
            whole: false,
            default: Some(0.0),
        };
        VARY.map(row).to_vec()
    }

    /// The fit of results with a little noise that cancels out.
    fn fit(y: impl Fn(f64, f64) -> f64) -> Fit {
        let places: Vec<Vec<f64>> = places(&vary());
        let pair = |round: usize, value: usize| {
            let noise = if (round + value).is_multiple_of(2) { 0.01 } else { -0.01 };
            let mean = y(places[value][0], places[value][1]) + noise;
            Some(PairResult { sides: [mean, mean] })
        };
        let rounds: Vec<Vec<Option<PairResult>>> =
            (0..40).map(|round| (0..places.len()).map(|value| pair(round, value)).collect()).collect();
        Fit::of(&places, &vary(), &rounds).expect("a fit")
    }

    #[test]
    fn only_a_maximum_of_two_settings_is_recommended() {
        let hill = |x: f64, y: f64| move |c: f64, fpu: f64| 0.5 - 0.02 * ((c - x).powi(2) + (fpu - y).powi(2));
        let verdict = |fit: &Fit| Fit::verdict(Some(fit), Some(&[0.0, 0.0]));
        assert_eq!(verdict(&fit(hill(2.0, 2.0))), Verdict::Better);
        assert_eq!(verdict(&fit(hill(0.0, 0.0))), Verdict::NotDistinguishable);
        assert_eq!(verdict(&fit(hill(1.5, 6.0))), Verdict::Edge);
        assert_eq!(verdict(&fit(|c, fpu| 0.5 + 0.02 * ((c - 1.0).powi(2) - (fpu - 2.0).powi(2)))), Verdict::NoMaximum);
        let cliff = fit(|c, _| if c < 0.5 { 0.2 } else { 0.5 });
        assert_eq!((verdict(&cliff), cliff.span(0)), (Verdict::Misfit, None));
    }
}
