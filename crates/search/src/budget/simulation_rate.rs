//! The simulation rate, and the number of simulations between two readings of the clock.

use std::time::Duration;

/// The clock is read at least this often.
pub(super) const CLOCK_EVERY: Duration = Duration::from_millis(1);
/// The clock is read at least once in this number of simulations.
const MOST_BETWEEN_READINGS: u64 = 256;

/// The simulation rate of one search.
pub(super) struct SimulationRate {
    /// The first reading: the time before it includes work other than simulations, such as tree reuse.
    first: Option<Reading>,
    last: Reading,
    /// Seconds per simulation between the last two readings.
    latest: Option<f64>,
    between_readings: u64,
}

#[derive(Clone, Copy)]
struct Reading {
    at: Duration,
    playouts: u64,
}

impl SimulationRate {
    pub(super) fn new() -> SimulationRate {
        SimulationRate {
            first: None,
            last: Reading { at: Duration::ZERO, playouts: 0 },
            latest: None,
            between_readings: 1,
        }
    }

    /// Records that `playouts` were made at time `at`.
    pub(super) fn read(&mut self, at: Duration, playouts: u64) {
        let reading = Reading { at, playouts };
        self.latest = self.first.map(|_| seconds_each(self.last, reading));
        self.first.get_or_insert(reading);
        self.last = reading;
    }

    /// Mean seconds per simulation; `None` before the second reading. A pause of the machine changes it little.
    fn mean(&self) -> Option<f64> {
        self.latest.and(self.first).map(|first| seconds_each(first, self.last))
    }

    /// Simulations expected in `time`; unlimited before the second reading.
    pub(super) fn simulations_in(&self, time: Duration) -> u64 {
        self.mean().map_or(u64::MAX, |each| (time.as_secs_f64() / each) as u64)
    }

    /// Whether one simulation is expected to take longer than that.
    pub(super) fn is_slower_than(&self, time: Duration) -> bool {
        self.mean().is_some_and(|each| each > time.as_secs_f64())
    }

    /// The number of simulations before the next reading, with `left` until the next deadline. It doubles from one on,
    /// and takes well under a millisecond at the slower of the mean and the latest rate, so that slow games are checked
    /// after every simulation.
    pub(super) fn stretch(&mut self, left: Option<Duration>) -> u64 {
        let Some(each) = self.mean().zip(self.latest).map(|(mean, latest)| mean.max(latest)) else { return 1 };
        let fitting = |time: Duration| (time.as_secs_f64() / each) as u64;
        let most = MOST_BETWEEN_READINGS.min(fitting(CLOCK_EVERY * 3 / 4));
        self.between_readings = (self.between_readings * 2).min(most).max(1);
        self.between_readings.min(left.map_or(u64::MAX, fitting)).max(1)
    }
}

/// Seconds per simulation between two readings.
fn seconds_each(from: Reading, to: Reading) -> f64 {
    let playouts = to.playouts.saturating_sub(from.playouts).max(1);
    to.at.saturating_sub(from.at).as_secs_f64() / playouts as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first `n` stretches of simulations that take `cost` each, followed by one without a deadline.
    fn stretches(cost: Duration, n: usize) -> Vec<u64> {
        let (mut simulation_rate, mut now, mut playouts) = (SimulationRate::new(), Duration::ZERO, 1);
        let mut next = || {
            simulation_rate.read(now, playouts);
            let stretch = simulation_rate.stretch(None);
            now += cost * stretch as u32;
            playouts += stretch;
            stretch
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn stretches_double_and_stay_within_a_millisecond() {
        assert_eq!(stretches(Duration::from_nanos(400), 11), [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256]);
        assert_eq!(stretches(Duration::from_micros(30), 7), [1, 2, 4, 8, 16, 25, 25]);
        assert_eq!(stretches(Duration::from_micros(300), 4), [1, 2, 2, 2]);
        assert_eq!(stretches(Duration::from_millis(2), 4), [1; 4]);
    }

    #[test]
    fn work_before_the_first_reading_is_no_simulation() {
        let mut simulation_rate = SimulationRate::new();
        simulation_rate.read(Duration::from_millis(500), 1);
        assert_eq!(
            (simulation_rate.simulations_in(Duration::from_secs(1)), simulation_rate.stretch(None)),
            (u64::MAX, 1)
        );
        simulation_rate.read(Duration::from_millis(501), 2);
        assert_eq!(simulation_rate.simulations_in(Duration::from_secs(1)), 1000);
        assert!(
            !simulation_rate.is_slower_than(Duration::from_millis(1))
                && simulation_rate.is_slower_than(Duration::from_micros(999))
        );
    }

    #[test]
    fn a_pause_of_the_machine_shortens_one_stretch() {
        let mut simulation_rate = SimulationRate::new();
        for n in 0..20 {
            simulation_rate.read(Duration::from_micros(100) * n, u64::from(n) * 200);
            simulation_rate.stretch(None);
        }
        simulation_rate.read(Duration::from_micros(11_900), 4000);
        assert_eq!(simulation_rate.stretch(None), 15, "50 µs each on average");
        assert!(
            simulation_rate.simulations_in(Duration::from_micros(11_900)).abs_diff(4000) < 10,
            "the mean is over all"
        );
        simulation_rate.read(Duration::from_micros(11_901), 4015);
        assert_eq!(simulation_rate.stretch(None), 30);
    }

    #[test]
    fn a_timer_that_stands_still_is_harmless() {
        let mut simulation_rate = SimulationRate::new();
        for playouts in [1, 2, 2, 300] {
            simulation_rate.read(Duration::ZERO, playouts);
            assert!(simulation_rate.stretch(Some(Duration::ZERO)) >= 1);
        }
        assert_eq!(simulation_rate.simulations_in(Duration::from_nanos(1)), u64::MAX);
    }
}
