//! The time for a move that follows from `time_settings` and `time_left`.

use std::time::Duration;

use banyan_core::{Clock, Limits, Side};

use crate::server::duration_from_seconds;

/// Reserved for the delay through pipes and the controller. Guess, untuned.
const ON_THE_WAY: Duration = Duration::from_millis(20);

/// A main time, then byo-yomi: the time `extra` for every `stones` moves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    main: Duration,
    extra: Duration,
    stones: u32,
}

/// Remaining time of a side: main time if `stones` is 0, else byo-yomi time for that many stones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Left {
    time: Duration,
    stones: u32,
}

/// The clocks of both sides as set by the controller; without settings, the server's own budget applies.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clocks {
    settings: Option<Settings>,
    left: [Left; 2],
}

impl Clocks {
    /// `time_settings MAIN EXTRA STONES`, in seconds. Byo-yomi time for no stones means no limit.
    pub(super) fn set(&mut self, main: f64, extra: f64, stones: u32) {
        let settings = Settings { main: duration_from_seconds(main), extra: duration_from_seconds(extra), stones };
        self.settings = (settings.extra.is_zero() || stones > 0).then_some(settings);
        self.refill();
    }

    /// Resets both clocks for a new game.
    pub(super) fn refill(&mut self) {
        if let Some(settings) = self.settings {
            let left = Left { time: settings.main, stones: 0 };
            self.left = [left.or_extra(settings); 2];
        }
    }

    /// `time_left COLOR TIME STONES`. Without `time_settings` it means a clock for the game.
    pub(super) fn set_left(&mut self, side: Side, time: f64, stones: u32) {
        let left = Left { time: duration_from_seconds(time), stones };
        if self.settings.is_none() {
            self.settings = Some(Settings { main: left.time, extra: Duration::ZERO, stones: 0 });
            self.left = [left; 2];
        }
        self.left[side.index()] = left;
    }

    /// Subtracts the time of a move of `side`.
    pub(super) fn spend(&mut self, side: Side, time: Duration) {
        let Some(settings) = self.settings else { return };
        let left = &mut self.left[side.index()];
        left.time = left.time.saturating_sub(time);
        if left.stones > 0 {
            left.stones -= 1;
            if left.stones == 0 {
                *left = Left { time: settings.extra, stones: settings.stones };
            }
        } else {
            *left = left.or_extra(settings);
        }
    }

    /// `own`, with its time replaced by that of the clock of `side`.
    pub(super) fn limits(&self, side: Side, own: Limits) -> Limits {
        let Some(settings) = self.settings else { return own };
        let (left, other) = (self.left[side.index()], self.left[(!side).index()]);
        if left.stones > 0 {
            let time = share(left.time / left.stones);
            return Limits { time: Some(time), clock: None, ..own };
        }
        if settings.extra.is_zero() {
            let clock = Clock { own: left.time, other: other.time, increment: Duration::ZERO };
            return Limits { time: None, clock: Some(clock), ..own };
        }
        // Byo-yomi follows the main time and repeats, so the time is never less.
        let extra = settings.extra / settings.stones;
        let clock = Clock { own: left.time, other: other.time, increment: extra };
        Limits { time: None, clock: Some(clock), ..own }
    }
}

impl Left {
    /// Unchanged, or the byo-yomi time if no main time is left.
    fn or_extra(self, settings: Settings) -> Left {
        let is_over = self.time.is_zero() && settings.stones > 0;
        if is_over { Left { time: settings.extra, stones: settings.stones } } else { self }
    }
}

/// The part of a move's time that is used for thinking.
fn share(time: Duration) -> Duration {
    time.saturating_sub(ON_THE_WAY).max(time / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Side = Side::First;

    fn own_budget() -> Limits {
        Limits { playouts: Some(7), time: Some(Duration::from_secs(99)), ..Limits::default() }
    }

    fn time(clocks: &Clocks) -> Option<Duration> {
        clocks.limits(OWN, own_budget()).time
    }

    fn main_time(clocks: &Clocks) -> Option<Duration> {
        clocks.limits(OWN, own_budget()).clock.map(|clock| clock.own)
    }

    #[test]
    fn without_settings_the_own_budget_counts() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.limits(OWN, own_budget()), own_budget());
        clocks.set(5.0, 1.0, 0);
        assert_eq!(clocks.limits(OWN, own_budget()), own_budget(), "byo-yomi time for no stones is no limit");
    }

    #[test]
    fn a_clock_for_the_game_runs_down_and_counts_with_playouts() {
        let mut clocks = Clocks::default();
        clocks.set(60.0, 0.0, 0);
        clocks.spend(OWN, Duration::from_secs(10));
        assert_eq!(main_time(&clocks), Some(Duration::from_secs(50)));
        let limits = clocks.limits(OWN, own_budget());
        assert_eq!((limits.playouts, limits.time), (Some(7), None));
        clocks.set_left(OWN, 12.5, 0);
        assert_eq!(main_time(&clocks), Some(Duration::from_millis(12_500)));
        clocks.refill();
        assert_eq!(main_time(&clocks), Some(Duration::from_secs(60)));
        clocks.spend(OWN, Duration::from_secs(600));
        assert_eq!(main_time(&clocks), Some(Duration::ZERO));
    }

    #[test]
    fn extra_time_is_shared_among_its_stones_and_comes_again() {
        let mut clocks = Clocks::default();
        clocks.set(0.0, 10.0, 2);
        let per_move = Duration::from_secs(5) - ON_THE_WAY;
        assert_eq!(time(&clocks), Some(per_move));
        clocks.spend(OWN, Duration::from_secs(4));
        assert_eq!(time(&clocks), Some(Duration::from_secs(6) - ON_THE_WAY));
        clocks.spend(OWN, Duration::from_secs(4));
        assert_eq!(time(&clocks), Some(per_move));
        clocks.set(3.0, 10.0, 2);
        assert_eq!((main_time(&clocks), time(&clocks)), (Some(Duration::from_secs(3)), None));
        clocks.spend(OWN, Duration::from_secs(4));
        assert_eq!(time(&clocks), Some(per_move));
    }

    #[test]
    fn no_number_makes_it_panic() {
        let numbers = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-12, 1e300];
        for (main, extra) in numbers.iter().flat_map(|&main| numbers.map(|extra| (main, extra))) {
            let mut clocks = Clocks::default();
            for stones in [0, 1, u32::MAX] {
                clocks.set(main, extra, stones);
                clocks.set_left(OWN, main, stones);
                clocks.spend(OWN, Duration::MAX);
                clocks.limits(OWN, own_budget());
            }
        }
    }
}
