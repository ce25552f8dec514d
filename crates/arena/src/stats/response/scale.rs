//! Positions of values on a scale from -1 to 1.

/// Positions on a scale from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    pub(super) fn of(x: &[f64]) -> Option<Scale> {
        let (low, high) = (x.iter().copied().fold(f64::MAX, f64::min), x.iter().copied().fold(f64::MIN, f64::max));
        (low < high).then_some(Scale { low, high })
    }

    pub(super) fn unit(self, x: f64) -> f64 {
        2.0 * (x - self.low) / (self.high - self.low) - 1.0
    }

    pub(super) fn x(self, unit: f64) -> f64 {
        self.low + (unit + 1.0) / 2.0 * (self.high - self.low)
    }

    /// The points of a grid with `steps` steps.
    pub(super) fn grid(steps: usize) -> impl Iterator<Item = f64> + Clone {
        (0..=steps).map(move |step| 2.0 * step as f64 / steps as f64 - 1.0)
    }
}
