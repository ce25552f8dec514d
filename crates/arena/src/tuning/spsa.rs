//! Simultaneous perturbation stochastic approximation (SPSA; Spall 1992), on the schedule of fishtest and OpenBench: the settings moved
//! one way play the settings moved the other way, and the winner pulls.

use banyan_core::{Rng, mix};

/// Exponents of the gains (Spall 1998).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// Share of the trials by which the first steps are shortened (Spall 1998).
const STABILITY: f64 = 0.1;

/// The schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaConfig {
    /// Number of coordinates.
    pub n_axes: usize,
    /// Pairs of games in all.
    pub pairs: u64,
    /// Perturbation at the end, in units of half the range.
    pub c_end: f64,
    /// Step of a won pair at the end, in units of the perturbation.
    pub r_end: f64,
    /// Seed of all choices.
    pub seed: u64,
}

impl SpsaConfig {
    /// A perturbation of 15 % of the range and a step of 3 % of that for half a point. Of five pairs of values tried on the landscapes of
    /// `tests/it/tuning.rs` the one with the smallest losses in more than one dimension.
    pub fn usual(n_axes: usize, pairs: u64, seed: u64) -> SpsaConfig {
        SpsaConfig { n_axes, pairs, c_end: 0.3, r_end: 0.03, seed }
    }
}

/// The settings on their way.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    config: SpsaConfig,
    x: Vec<f64>,
    /// Pairs counted.
    counted: u64,
    /// Mean of the settings over the last quarter of the pairs.
    late: Vec<f64>,
    n_late: f64,
}

impl Spsa {
    /// Begins at `x`.
    pub fn new(config: SpsaConfig, x: Vec<f64>) -> Spsa {
        let late = vec![0.0; x.len()];
        Spsa { config, x, counted: 0, late, n_late: 0.0 }
    }

    /// Pair number `number` from here: the settings moved one way and the other. The direction follows from the number alone.
    pub fn trial(&self, number: u64) -> [Vec<f64>; 2] {
        let c = self.perturbation(number);
        let moved = |sign: f64| {
            let moved = |(x, way): (&f64, f64)| (x + sign * c * way).clamp(-1.0, 1.0);
            self.x.iter().zip(self.directions(number)).map(moved).collect()
        };
        [moved(1.0), moved(-1.0)]
    }

    /// Counts the mean score, 0 .. 1, of the first of the two settings in the pair of this number. `played` are the settings that the
    /// two sides had: those of [`trial`](Spsa::trial), as they were rounded. A coordinate on which both are equal is not moved.
    pub fn count(&mut self, number: u64, played: [&[f64]; 2], score: f64) {
        let gain = self.gain(number);
        for ((x, up), down) in self.x.iter_mut().zip(played[0]).zip(played[1]) {
            let perturbation = (up - down) / 2.0;
            if perturbation != 0.0 {
                // From -2 to 2, the points of a pair ahead.
                *x = (*x + gain / perturbation * (4.0 * score - 2.0)).clamp(-1.0, 1.0);
            }
        }
        self.counted += 1;
        if 4 * self.counted > 3 * self.config.pairs {
            self.n_late += 1.0;
            let n = self.n_late;
            self.late.iter_mut().zip(&self.x).for_each(|(mean, x)| *mean += (x - *mean) / n);
        }
    }

    /// The settings now.
    pub fn now(&self) -> &[f64] {
        &self.x
    }

    /// The recommended settings: the mean over the last quarter of the planned pairs, in which single results cancel out (Polyak and
    /// Juditsky 1992), or before that the settings now.
    pub fn optimum(&self) -> &[f64] {
        if self.n_late > 0.0 { &self.late } else { &self.x }
    }

    fn directions(&self, number: u64) -> impl Iterator<Item = f64> + use<> {
        let mut rng = Rng::new(mix(self.config.seed ^ mix(number)));
        let mut bits = 0;
        (0..self.config.n_axes).map(move |axis| {
            if axis % 64 == 0 {
                bits = rng.next_u64();
            }
            if bits >> (axis % 64) & 1 == 1 { 1.0 } else { -1.0 }
        })
    }

    /// The perturbation falls to its last value with the power of the number.
    fn perturbation(&self, number: u64) -> f64 {
        let n = self.config.pairs.max(1) as f64;
        self.config.c_end * (n / (number as f64 + 1.0)).powf(GAMMA)
    }

    /// The step of a half point ahead, times the perturbation: it ends at `r_end` perturbations.
    fn gain(&self, number: u64) -> f64 {
        let n = self.config.pairs.max(1) as f64;
        let a = STABILITY * n;
        self.config.r_end * self.config.c_end.powi(2) * ((n + a) / (number as f64 + 1.0 + a)).powf(ALPHA)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SPSA distinguishes settings only by signs that differ from pair to pair.
    #[test]
    fn every_two_of_many_settings_move_independently() {
        const AXES: usize = 200;
        const TRIALS: u64 = 400;
        let spsa = Spsa::new(SpsaConfig::usual(AXES, TRIALS, 7), vec![0.0; AXES]);
        let mut agreements = vec![[0u64; AXES]; AXES];
        for number in 0..TRIALS {
            let ways: Vec<f64> = spsa.directions(number).collect();
            for (one, row) in agreements.iter_mut().enumerate() {
                row.iter_mut().zip(&ways).for_each(|(n, way)| *n += u64::from(*way == ways[one]));
            }
        }
        // Half of the trials agree, give or take six of the standard errors of 10.
        for (one, row) in agreements.iter().enumerate() {
            for (other, n) in row.iter().enumerate().filter(|(other, _)| *other != one) {
                assert!((140..=260).contains(n), "settings {one} and {other} agree in {n} of {TRIALS}");
            }
        }
    }
}
