//! Time management: the time for one move.

use std::time::Duration;

use banyan_core::{Clock, Limits};

/// Factor on the time of an unclear choice. Guess, untuned: Baier and Winands 2016 (Time Management for Monte Carlo
/// Tree Search) let a search continue if the best two moves are close or the most visited move does not have the best
/// value.
const UNCLEAR_TIMES: f64 = 2.5;
/// Reserve of a game clock that is never planned: at least this, or a hundredth if that is more, for pauses of a busy
/// machine.
const RESERVE: Duration = Duration::from_millis(20);
/// Reserve for every remaining ply: communication and tree reuse take time beside the search. With alternating turns
/// that is 4 ms for every own move, and half as much if extra turns make all plies own ones. Guess, untuned.
const OVERHEAD_PER_PLY: Duration = Duration::from_millis(2);

/// Time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeForMove {
    /// Time for a clear choice.
    pub(crate) base: Duration,
    /// Time for an unclear choice; `base` unless there is a game clock.
    pub(crate) most: Duration,
}

impl TimeForMove {
    /// The shorter of the time limit per move and the move's share of the game clock; `None` without either.
    /// `plies_left` bounds the rest of the game.
    pub(crate) fn of(limits: &Limits, plies_left: u16) -> Option<TimeForMove> {
        TimeForMove::until_solved(limits, plies_left, u16::MAX)
    }

    /// The time for a move, like [`of`](Self::of), if searches will need little time once `plies_to_solve` more plies are played, because
    /// they reach the end of the game from there.
    pub(crate) fn until_solved(limits: &Limits, plies_left: u16, plies_to_solve: u16) -> Option<TimeForMove> {
        let of_move = limits.time.map(|time| TimeForMove { base: time, most: time });
        let of_game = limits.clock.map(|clock| TimeForMove::of_clock(&clock, plies_left, plies_to_solve));
        match (of_move, of_game) {
            (Some(a), Some(b)) => Some(TimeForMove { base: a.base.min(b.base), most: a.most.min(b.most) }),
            (a, b) => a.or(b),
        }
    }

    /// The spendable time divided by two more than some 60 % of the own moves that could still come, because games
    /// seldom reach their greatest length, or than the own moves within `plies_to_solve` if these are fewer; plus most
    /// of the increment; never more than a third of the spendable time, so that the last moves always have time. Guess,
    /// untuned.
    fn of_clock(clock: &Clock, plies_left: u16, plies_to_solve: u16) -> TimeForMove {
        let left = spendable(clock.own, plies_left);
        let own_moves = |plies: u16| f64::from(plies.div_ceil(2));
        let moves = (own_moves(plies_left) * 0.6).min(own_moves(plies_to_solve)) + 2.0;
        let base = left.div_f64(moves) + clock.increment.mul_f64(0.8);
        TimeForMove { base: base.min(left / 3), most: base.mul_f64(UNCLEAR_TIMES).min(left / 3) }
    }
}

/// `own` without the reserves, and at least a tenth of it. With a quarter, simulated games of 144 plies in a second
/// with 3 ms of overhead per move are lost on time.
fn spendable(own: Duration, plies_left: u16) -> Duration {
    let kept = RESERVE.max(own / 100) + OVERHEAD_PER_PLY * u32::from(plies_left);
    own.saturating_sub(kept).max(own / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn limits(own: Duration, increment: Duration) -> Limits {
        Limits { clock: Some(Clock { own, other: own, increment }), ..Limits::default() }
    }

    fn on_clock(own: Duration, increment: Duration, plies_left: u16) -> TimeForMove {
        TimeForMove::of(&limits(own, increment), plies_left).expect("there is a clock")
    }

    #[test]
    fn at_most_a_third_is_spent_and_the_reserve_is_kept() {
        for own in [0, 1, 15, 40, 79, 80, 100, 500, 1_000, 60_000, 3_600_000].map(ms) {
            for plies_left in [0, 1, 2, 30, 144, u16::MAX] {
                for (increment, to_solve) in [(0, 0), (0, u16::MAX), (10, 1), (1_000, 10), (100_000, u16::MAX)] {
                    let limits = limits(own, ms(increment));
                    let time = TimeForMove::until_solved(&limits, plies_left, to_solve).expect("there is a clock");
                    let shown = format!("{time:?} of {own:?} + {increment} ms, {to_solve} of {plies_left} plies left");
                    assert!(time.base <= time.most && time.most <= own / 3, "{shown}");
                    if own >= ms(23) {
                        assert!(time.most * 3 + ms(20).max(own / 100) <= own, "{shown}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_nearly_empty_clock_still_gives_time() {
        let TimeForMove { base, most } = on_clock(ms(15), Duration::ZERO, 42);
        assert!(base > ms(15) / 200 && most > base && most < ms(15) / 6, "{base:?} to {most:?}");
    }

    #[test]
    fn an_unclear_choice_may_take_more_time() {
        let TimeForMove { base, most } = on_clock(ms(60_000), Duration::ZERO, 42);
        assert!(most > base * 2 && most < base * 3, "{base:?} to {most:?}");
        // 60 s without the hundredth and 42 times 2 ms, over 14.6 moves.
        assert!((base.as_secs_f64() - 59.316 / 14.6).abs() < 0.001, "{base:?}");
        let with_increment = on_clock(ms(60_000), ms(1_000), 42);
        assert_eq!(with_increment.base - base, ms(800));
    }

    #[test]
    fn no_time_is_kept_for_moves_after_the_game_is_solved() {
        let limits = limits(ms(60_000), ms(0));
        let base = |to_solve| TimeForMove::until_solved(&limits, 42, to_solve).expect("there is a clock").base;
        let usual = TimeForMove::of(&limits, 42).expect("there is a clock").base;
        assert_eq!(base(42), usual);
        // 60 s without the hundredth and 42 times 2 ms, over 10 / 2 + 2 moves; and at most a third of it.
        assert!((base(10).as_secs_f64() - 59.316 / 7.0).abs() < 0.001, "{:?}", base(10));
        assert!((base(0).as_secs_f64() - 59.316 / 3.0).abs() < 0.001, "{:?}", base(0));
    }

    #[test]
    fn the_tighter_of_two_time_limits_counts() {
        let clock = Some(Clock { own: ms(60_000), other: Duration::ZERO, increment: Duration::ZERO });
        let of = |time| TimeForMove::of(&Limits { time, clock, ..Limits::default() }, 42);
        let free = of(None).expect("there is a clock");
        assert_eq!(of(Some(ms(5))), Some(TimeForMove { base: ms(5), most: ms(5) }));
        assert_eq!(of(Some(ms(100_000))), Some(free));
        let between = free.base + ms(1);
        assert_eq!(of(Some(between)), Some(TimeForMove { base: free.base, most: between }));
        assert_eq!(TimeForMove::of(&Limits::playouts(10), 42), None);
    }
}
