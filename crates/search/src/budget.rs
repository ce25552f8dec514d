//! Decides when a search has spent what it may.

use std::time::Duration;

use banyan_core::{Clock, Limits};

/// The clock is read at least this often.
const CLOCK_EVERY: Duration = Duration::from_millis(1);
/// … and at least once in so many simulations.
const MOST_BETWEEN_READINGS: u64 = 256;
/// A limit on nodes is taken as reached when so many playouts in a row made none: the tree is complete, or full.
const FRUITLESS: u64 = 100_000;

/// What one search may spend, and what it has spent.
pub(crate) struct Budget {
    limits: Limits,
    started: Duration,
    deadline: Option<Duration>,
    last_reading: Duration,
    between_readings: u64,
    /// Nodes, and playouts when there were first so many.
    last_growth: (u64, u64),
}

impl Budget {
    /// Starts the clock. `plies_left` bounds the length of the rest of the game.
    pub(crate) fn start(limits: &Limits, plies_left: u16) -> Budget {
        let share = limits.clock.map(|clock| share_of(&clock, plies_left));
        let deadline = match (limits.time, share) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share),
        };
        let started = limits.timer.now();
        Budget {
            limits: *limits,
            started,
            deadline,
            last_reading: Duration::ZERO,
            between_readings: 1,
            last_growth: (0, 0),
        }
    }

    /// Time since the start, by the timer of the limits.
    pub(crate) fn elapsed(&self) -> Duration {
        self.limits.timer.since(self.started)
    }

    /// Whether the time is up.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| self.elapsed() >= deadline)
    }

    /// How many simulations to run before asking again, or `None` when the budget is spent, given the playouts and new
    /// nodes made so far. The number doubles as long as the last stretch was well inside a millisecond, so slow games
    /// are asked after every simulation.
    pub(crate) fn next_stretch(&mut self, playouts: u64, nodes: u64) -> Option<u64> {
        let now = self.elapsed();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return None;
        }
        let stretch = now - self.last_reading;
        self.last_reading = now;
        if stretch < CLOCK_EVERY / 2 {
            self.between_readings = (self.between_readings * 2).min(MOST_BETWEEN_READINGS);
        } else if stretch > CLOCK_EVERY {
            self.between_readings = (self.between_readings / 2).max(1);
        }
        if nodes > self.last_growth.0 {
            self.last_growth = (nodes, playouts);
        }
        if self.limits.nodes.is_some() && playouts - self.last_growth.1 >= FRUITLESS {
            return None;
        }
        let left = self.playouts_left(playouts, nodes);
        (left > 0).then(|| self.between_readings.min(left))
    }

    /// Playouts that may still be made, when each makes at most one node.
    pub(crate) fn playouts_left(&self, playouts: u64, nodes: u64) -> u64 {
        let left = |limit: Option<u64>, spent: u64| limit.map_or(u64::MAX, |limit| limit.saturating_sub(spent));
        left(self.limits.playouts, playouts).min(left(self.limits.nodes, nodes))
    }
}

/// Part of a game clock to spend on this move: the time left over some 60 % of the own moves that could still come, for
/// games seldom last to the end, plus most of the increment, and never more than a third of what is left. Guess,
/// untuned.
fn share_of(clock: &Clock, plies_left: u16) -> Duration {
    let own_moves = f64::from(plies_left.div_ceil(2));
    let share = clock.own.div_f64(own_moves * 0.6 + 2.0) + clock.increment.mul_f64(0.8);
    share.min(clock.own / 3)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use banyan_core::Timer;

    use super::*;

    #[test]
    fn a_limit_on_playouts_is_never_passed() {
        let mut budget = Budget::start(&Limits::playouts(1000), 42);
        let mut playouts = 0;
        while let Some(stretch) = budget.next_stretch(playouts, 0) {
            playouts += stretch;
        }
        assert_eq!(playouts, 1000);
    }

    #[test]
    fn the_tighter_of_two_limits_ends_the_search() {
        let limits = Limits { nodes: Some(10), ..Limits::playouts(1000) };
        let mut budget = Budget::start(&limits, 42);
        assert_eq!(budget.next_stretch(500, 10), None);
        assert!(budget.next_stretch(500, 9).is_some());
        assert_eq!(budget.next_stretch(1000, 9), None);
    }

    #[test]
    fn time_passes_as_the_timer_says() {
        thread_local!(static NOW: Cell<Duration> = const { Cell::new(Duration::from_secs(7)) });
        let limits = Limits { timer: Timer::new("fake", || NOW.get()), ..Limits::time(Duration::from_millis(20)) };
        let mut budget = Budget::start(&limits, 42);
        let mut stretches = 0;
        while budget.next_stretch(0, 0).is_some() {
            NOW.set(NOW.get() + Duration::from_millis(2));
            stretches += 1;
        }
        assert_eq!((stretches, budget.elapsed()), (10, Duration::from_millis(20)));
    }

    #[test]
    fn a_limit_on_nodes_that_cannot_be_reached_ends_the_search() {
        let limits = Limits { nodes: Some(1000), ..Limits::default() };
        let mut budget = Budget::start(&limits, 42);
        let mut playouts = 0;
        while let Some(stretch) = budget.next_stretch(playouts, playouts.min(500)) {
            playouts += stretch;
        }
        assert!((FRUITLESS..FRUITLESS + 1000).contains(&playouts), "{playouts} playouts");
    }

    #[test]
    fn a_game_clock_lasts_for_the_whole_game() {
        for increment in [0, 2] {
            let mut own = Duration::from_secs(60);
            for plies_left in (1..=144).rev().step_by(2) {
                let clock = Clock { own, other: own, increment: Duration::from_secs(increment) };
                let share = share_of(&clock, plies_left);
                assert!(share <= own / 3, "{share:?} of {own:?} with {plies_left} plies left");
                own = own - share + clock.increment;
            }
        }
    }
}
