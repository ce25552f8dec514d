//! How much time one move gets.

use std::time::Duration;

use banyan_core::{Clock, Limits};

/// An unclear choice may take so many times the time of a clear one. Guess, untuned: Baier and Winands 2016 (Time
/// Management for Monte Carlo Tree Search) let a search go on where the best two moves are close or the most visited one
/// has not the best value.
const UNCLEAR_TIMES: f64 = 2.5;
/// Of a game clock this much, or a hundredth if that is more, is not planned with: it is for a machine that is suddenly
/// busy.
const RESERVE: Duration = Duration::from_millis(20);
/// Kept for every ply to come: a move costs more than its search, for answers travel and trees are tidied. With turns
/// taken in turn that is 4 ms for every own move, and half as much where extra turns make all plies ours. Guess.
const OVERHEAD_PER_PLY: Duration = Duration::from_millis(2);

/// Time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeForMove {
    /// What a clear choice may take.
    pub(crate) base: Duration,
    /// What an unclear choice may take; `base` unless there is a game clock.
    pub(crate) most: Duration,
}

impl TimeForMove {
    /// The tighter of the time for this move and its time of the game clock; `None` without either. `plies_left` bounds
    /// the length of the rest of the game.
    pub(crate) fn of(limits: &Limits, plies_left: u16) -> Option<TimeForMove> {
        let of_move = limits.time.map(|time| TimeForMove { base: time, most: time });
        let of_game = limits.clock.map(|clock| TimeForMove::of_clock(&clock, plies_left));
        match (of_move, of_game) {
            (Some(a), Some(b)) => Some(TimeForMove { base: a.base.min(b.base), most: a.most.min(b.most) }),
            (a, b) => a.or(b),
        }
    }

    /// What can be planned with over some 60 % of the own moves that could still come, for games seldom last to the
    /// end, plus most of the increment; never more than a third, so that the last moves have something too, whatever
    /// happens. Guess, untuned.
    fn of_clock(clock: &Clock, plies_left: u16) -> TimeForMove {
        let left = spendable(clock.own, plies_left);
        let own_moves = plies_left.div_ceil(2);
        let base = left.div_f64(f64::from(own_moves) * 0.6 + 2.0) + clock.increment.mul_f64(0.8);
        TimeForMove { base: base.min(left / 3), most: base.mul_f64(UNCLEAR_TIMES).min(left / 3) }
    }
}

/// What is left of `own` beyond what is kept back; a tenth of it where that would be all. With a quarter, simulated
/// games of 144 plies in a second that waste 3 ms on every move are lost on time.
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

    fn on_clock(own: Duration, increment: Duration, plies_left: u16) -> TimeForMove {
        let clock = Some(Clock { own, other: own, increment });
        TimeForMove::of(&Limits { clock, ..Limits::default() }, plies_left).expect("there is a clock")
    }

    #[test]
    fn at_most_a_third_is_spent_and_the_margin_is_kept() {
        for own in [0, 1, 15, 40, 79, 80, 100, 500, 1_000, 60_000, 3_600_000].map(ms) {
            for plies_left in [0, 1, 2, 30, 144, u16::MAX] {
                for increment in [0, 10, 1_000, 100_000].map(ms) {
                    let TimeForMove { base, most } = on_clock(own, increment, plies_left);
                    let shown = format!("{base:?} to {most:?} of {own:?} + {increment:?}, {plies_left} plies left");
                    assert!(base <= most && most <= own / 3, "{shown}");
                    if own >= ms(23) {
                        assert!(most * 3 + ms(20).max(own / 100) <= own, "{shown}");
                    }
                }
            }
        }
    }

    #[test]
    fn next_to_nothing_is_still_used() {
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
    fn the_tighter_of_two_limits_in_time_counts() {
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
