//! The budget under a simulated search with a fake timer and a given root status.

use std::cell::Cell;

use banyan_core::{Clock, Timer};

use super::*;

const NEVER: EarlyEnd = EarlyEnd::NEVER;
const ON_CLOCK: EarlyEnd = EarlyEnd { overtaken: EarlyStop::Clock, on_top: 0 };
const ALWAYS: EarlyEnd = EarlyEnd { overtaken: EarlyStop::Always, on_top: 0 };

thread_local!(static NOW: Cell<Duration> = const { Cell::new(Duration::from_secs(7)) });

fn timer() -> Timer {
    Timer::new("fake", || NOW.get())
}

fn pass(time: Duration) {
    NOW.set(NOW.get() + time);
}

fn us(n: u64) -> Duration {
    Duration::from_micros(n)
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Two moves with these shares of the simulations, in hundredths.
fn shared(first: u64, second: u64, agreed: bool) -> impl Fn(u64) -> RootStatus {
    move |playouts| RootStatus {
        most_visited: 0,
        visits: playouts * first / 100,
        second: playouts * second / 100,
        agreed,
    }
}

/// A move that gets every simulation.
fn clear() -> impl Fn(u64) -> RootStatus {
    shared(90, 5, true)
}

/// Two moves with nearly equal visits.
fn unclear() -> impl Fn(u64) -> RootStatus {
    shared(50, 49, false)
}

fn no_matter() -> RootStatus {
    panic!("the root status must not be read")
}

fn on_clock(own: Duration, increment: Duration) -> Limits {
    Limits { clock: Some(Clock { own, other: own, increment }), timer: timer(), ..Limits::default() }
}

fn timed(time: Duration) -> Limits {
    Limits { timer: timer(), ..Limits::time(time) }
}

/// Time and playouts of a search whose simulations take `cost` each, every second one making a node.
fn search(
    limits: &Limits,
    plies_left: u16,
    early: EarlyEnd,
    cost: Duration,
    root_status: impl Fn(u64) -> RootStatus,
) -> (Duration, u64) {
    let mut budget = Budget::start(limits, plies_left, early);
    let (mut playouts, mut stretch) = (0, 1);
    loop {
        pass(cost * stretch as u32);
        playouts += stretch;
        match budget.next_stretch(playouts, playouts / 2, &|| root_status(playouts)) {
            Some(next) => stretch = next,
            None => return (budget.elapsed(), playouts),
        }
    }
}

#[test]
fn a_limit_on_playouts_is_never_exceeded() {
    for early in [NEVER, ON_CLOCK] {
        let (_, playouts) = search(&Limits::playouts(1000), 42, early, us(0), |_| no_matter());
        assert_eq!(playouts, 1000);
    }
}

#[test]
fn the_tighter_of_two_limits_ends_the_search() {
    let limits = Limits { nodes: Some(10), ..Limits::playouts(1000) };
    let mut budget = Budget::start(&limits, 42, NEVER);
    assert_eq!(budget.next_stretch(500, 10, &no_matter), None);
    assert!(budget.next_stretch(500, 9, &no_matter).is_some());
    assert_eq!(budget.next_stretch(1000, 9, &no_matter), None);
}

#[test]
fn time_is_read_from_the_timer() {
    assert_eq!(search(&timed(ms(20)), 42, NEVER, ms(2), |_| no_matter()), (ms(20), 10));
}

#[test]
fn a_limit_on_nodes_that_cannot_be_reached_ends_the_search() {
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    let mut budget = Budget::start(&limits, 42, NEVER);
    let mut playouts = 0;
    while let Some(stretch) = budget.next_stretch(playouts, playouts.min(500), &no_matter) {
        playouts += stretch;
    }
    assert!((MAX_PLAYOUTS_WITHOUT_NODE..MAX_PLAYOUTS_WITHOUT_NODE + 3000).contains(&playouts), "{playouts} playouts");
}

#[test]
fn slow_simulations_overrun_little() {
    for (cost, most) in [(ms(2), us(500)), (us(300), us(300)), (us(7), us(7)), (ms(33), us(500))] {
        for time in [10, 21, 50, 99, 100, 1000].map(ms) {
            let (took, playouts) = search(&timed(time), 42, ON_CLOCK, cost, |_| no_matter());
            // Two simulations come before their cost is known.
            let allowed = if playouts > 2 { time + most } else { time + cost };
            assert!(took <= allowed, "{took:?} of {time:?} at {cost:?} each");
            assert!(took + cost.saturating_sub(us(500)) >= time, "only {took:?} of {time:?} at {cost:?} each");
        }
    }
    let overrun = search(&on_clock(ms(3000), ms(0)), 42, ON_CLOCK, ms(20), unclear()).0;
    let TimeForMove { most, .. } = TimeForMove::of(&on_clock(ms(3000), ms(0)), 42).expect("there is a clock");
    assert!(overrun <= most + us(500) && overrun + ms(20) >= most, "{overrun:?} of {most:?}");
}

#[test]
fn the_clock_is_read_every_millisecond_once_the_rate_is_known() {
    for cost in [1, 3, 10, 40, 90, 200, 450] {
        let mut budget = Budget::start(&timed(ms(200)), 42, NEVER);
        let (mut playouts, mut stretches) = (1, Vec::new());
        while let Some(stretch) = budget.next_stretch(playouts, 0, &no_matter) {
            pass(us(cost) * stretch as u32);
            playouts += stretch;
            stretches.push(stretch);
        }
        assert_eq!(stretches[0], 1);
        assert!(stretches.iter().all(|&n| n <= 256 && cost * n <= 1000), "{cost} us each: {stretches:?}");
    }
}

#[test]
fn unclear_choices_get_more_time_than_clear_ones() {
    let limits = on_clock(ms(60_000), ms(0));
    let TimeForMove { base, most } = TimeForMove::of(&limits, 42).expect("there is a clock");
    let time = |early, root_status: &dyn Fn(u64) -> RootStatus| search(&limits, 42, early, us(50), root_status).0;
    let is_about = |time: Duration, expected: Duration| time.abs_diff(expected) <= ms(2);
    for root_status in [shared(50, 49, true), shared(80, 10, false)] {
        let took = time(NEVER, &root_status);
        assert!(is_about(took, most), "{took:?} of {most:?}");
        // Once fewer simulations are left than the difference in visits, the first move cannot be overtaken, even if
        // unclear.
        let difference = root_status(100).visits - root_status(100).second;
        let expected = most.div_f64(1.0 + difference as f64 / 100.0);
        let took = time(ON_CLOCK, &root_status);
        assert!(is_about(took, expected), "{took:?}, not {expected:?}");
    }
    let took = time(NEVER, &clear());
    assert!(is_about(took, base), "{took:?}, not {base:?}");
    // At 0.8 and 0.1 of n simulations, the second would have 0.56 n at the end of the base time if it got all that are
    // left: the choice is certain to stay clear once n is 1 / 1.46 of all.
    let took = time(ON_CLOCK, &shared(80, 10, true));
    assert!(is_about(took, base.div_f64(1.46)), "{took:?} of {base:?}");
}

#[test]
fn a_clear_choice_ends_with_the_simulation_that_spends_its_base() {
    for own in [50, 110, 200, 1_000, 5_000].map(ms) {
        let limits = on_clock(own, ms(0));
        let TimeForMove { base, .. } = TimeForMove::of(&limits, 42).expect("there is a clock");
        for cost in [2, 7, 90].map(us) {
            // One search that checks only then, one that checks all the time.
            for early in [NEVER, EarlyEnd { on_top: u64::MAX, ..NEVER }] {
                let took = search(&limits, 42, early, cost, clear()).0;
                assert!(took >= base && took <= base + cost, "{took:?} of {base:?} at {cost:?} each");
            }
        }
    }
}

#[test]
fn a_search_stops_when_the_choice_becomes_clear() {
    let limits = on_clock(ms(60_000), ms(0));
    let TimeForMove { base, most } = TimeForMove::of(&limits, 42).expect("there is a clock");
    let after = base.mul_f64(1.5).as_micros() as u64 / 50;
    let root_status = |playouts| if playouts < after { unclear()(playouts) } else { shared(50, 30, true)(playouts) };
    let took = search(&limits, 42, ON_CLOCK, us(50), root_status).0;
    assert!(took.abs_diff(base.mul_f64(1.5)) <= ms(2) && took < most, "{took:?} of {base:?} to {most:?}");
}

/// Plays a game with this `root_status` at every move and `overhead` beside each search. Returns the time left at the
/// end, or the number of the move that came too late.
fn game(
    [time, increment]: [Duration; 2],
    plies: u16,
    own_every: usize,
    overhead: Duration,
    root_status: impl Fn(u64) -> RootStatus,
) -> Result<Duration, u16> {
    let mut own = time;
    for plies_left in (1..=plies).rev().step_by(own_every) {
        let (took, _) = search(&on_clock(own, increment), plies_left, ON_CLOCK, us(20), &root_status);
        own = own.checked_sub(took + overhead).ok_or(plies_left)? + increment;
    }
    Ok(own)
}

#[test]
fn a_game_clock_lasts_for_the_whole_game() {
    for time in [60_000, 1_000, 100].map(ms) {
        for increment in [0, 5, 100, 2_000].map(ms) {
            for plies in [30, 31, 42, 60, 144] {
                // 72 moves with an overhead of 3 ms each need more than 0.1 s.
                let fits = increment > ms(0) || ms(3) * u32::from(plies).div_ceil(2) < time * 2 / 3;
                let overhead = if fits { ms(3) } else { us(500) };
                let shown = format!("{plies} plies in {time:?} + {increment:?}");
                let after_unclear = game([time, increment], plies, 2, overhead, unclear());
                let after_clear = game([time, increment], plies, 2, overhead, clear());
                assert!(after_unclear.is_ok(), "{shown}: late, {after_unclear:?}");
                assert!(after_clear > after_unclear, "{shown}: {after_clear:?} left, {after_unclear:?} if unclear");
            }
        }
    }
}

#[test]
fn a_game_clock_lasts_when_all_moves_are_ours() {
    for (time, plies, overhead) in [
        (ms(60_000), 144, ms(1)),
        (ms(1_000), 144, ms(1)),
        (ms(100), 144, us(100)),
        (ms(60_000), 42, ms(3)),
        (ms(100), 42, us(500)),
    ] {
        let left = game([time, ms(0)], plies, 1, overhead, unclear());
        assert!(left.is_ok(), "{time:?} for {plies} plies: late, {left:?}");
    }
}

#[test]
fn a_move_that_cannot_be_overtaken_is_played() {
    let playouts = |limits: &Limits, early| search(limits, 42, early, us(10), shared(80, 20, true)).1;
    let by_count = Limits { timer: timer(), ..Limits::playouts(16_000) };
    for (early, expected) in [(NEVER, 16_000), (ON_CLOCK, 16_000), (ALWAYS, 10_000)] {
        // A difference of 0.6 n exceeds the simulations left when n is 10,000; checks are 6 % apart.
        let n = playouts(&by_count, early);
        assert!(n >= expected && n <= expected * 107 / 100, "{early:?}: {n}");
        let n = playouts(&timed(ms(160)), early);
        assert!(n >= expected && n <= expected + 300, "{early:?}: {n}");
    }
    // Every second playout makes a node.
    let by_nodes = Limits { playouts: None, nodes: Some(8_000), ..by_count };
    let n = playouts(&by_nodes, ALWAYS);
    assert!((10_000..10_700).contains(&n), "{n}");
    let both = Limits { playouts: Some(16_000), ..on_clock(ms(60_000), ms(0)) };
    let n = playouts(&both, ON_CLOCK);
    assert!((10_000..10_300).contains(&n), "{n}");
    // Without limits no move is ever certain.
    let mut endless = Budget::start(&Limits { playouts: None, ..by_count }, 42, ALWAYS);
    for n in (0..1_000_000).step_by(1000) {
        assert!(endless.next_stretch(n, n, &|| RootStatus { visits: n, ..clear()(n) }).is_some());
    }
}

#[test]
fn reused_visits_count_once_the_rate_is_known() {
    let root_status = |playouts: u64| RootStatus { visits: 1_000_000 + playouts, ..clear()(playouts) };
    let limits = on_clock(ms(60_000), ms(0));
    let TimeForMove { base, .. } = TimeForMove::of(&limits, 42).expect("there is a clock");
    let took = search(&limits, 42, ON_CLOCK, us(50), root_status).0;
    assert!(took.abs_diff(base / WARM_UP) < ms(2), "{took:?} of {base:?}");
    assert!(search(&Limits { playouts: Some(1000), ..limits }, 42, ALWAYS, us(50), root_status).0 < ms(3));
}

#[test]
fn a_move_most_visited_for_long_enough_is_played() {
    // Another move has the most visits from 5000 playouts on.
    let root_status = |n: u64| RootStatus { most_visited: usize::from(n >= 5_000), ..unclear()(n) };
    let early = |on_top| EarlyEnd { on_top, ..NEVER };
    for limits in
        [Limits { timer: timer(), ..Limits::playouts(100_000) }, timed(ms(1_000)), on_clock(ms(60_000), ms(0))]
    {
        let playouts = |on_top| search(&limits, 42, early(on_top), us(10), root_status).1;
        assert!((4_000..4_500).contains(&playouts(4_000)), "{}", playouts(4_000));
        assert!((11_000..12_500).contains(&playouts(6_000)), "{}", playouts(6_000));
        assert!(playouts(0) >= 100_000);
    }
}

#[test]
fn without_a_time_limit_only_counts_decide() {
    let limits = |playouts, nodes| Limits { playouts, nodes, timer: timer(), ..Limits::default() };
    let by_top = EarlyEnd { on_top: 7_777, ..ALWAYS };
    for limits in [limits(Some(50_000), None), limits(None, Some(20_000)), limits(Some(30_000), Some(20_000))] {
        for early in [ALWAYS, by_top] {
            // The most visited move alternates, so that the moment of a check matters.
            let wavering = |n: u64| RootStatus {
                most_visited: n as usize / 5_000 % 2,
                visits: n * 3 / 4,
                second: n / 4,
                agreed: true,
            };
            let checks = |cost: Duration| {
                let seen = std::cell::RefCell::new(Vec::new());
                let (_, playouts) = search(&limits, 42, early, cost, |n| {
                    seen.borrow_mut().push(n);
                    wavering(n)
                });
                (playouts, seen.into_inner())
            };
            let expected = checks(us(0));
            for cost in [us(1), us(17), us(333), ms(5), ms(1000)] {
                assert_eq!(checks(cost), expected, "at {cost:?} each");
            }
        }
    }
}

#[test]
fn a_complete_tree_ends_the_search_at_the_same_count_at_any_rate() {
    let limits = Limits { nodes: Some(1000), timer: timer(), ..Limits::default() };
    let playouts = |cost: Duration| {
        let mut budget = Budget::start(&limits, 42, NEVER);
        let mut playouts = 0;
        while let Some(stretch) = budget.next_stretch(playouts, (playouts / 3).min(500), &no_matter) {
            pass(cost * stretch as u32);
            playouts += stretch;
        }
        playouts
    };
    for cost in [1, 17, 333, 5_000].map(us) {
        assert_eq!(playouts(cost), playouts(us(0)), "at {cost:?} each");
    }
}

#[test]
fn checks_are_at_least_a_millisecond_apart() {
    for (limits, early) in [(timed(ms(50)), ALWAYS), (on_clock(ms(1_000), ms(0)), ON_CLOCK)] {
        let checks = Cell::new(0);
        let (took, _) = search(&limits, 42, early, us(3), |n| {
            checks.set(checks.get() + 1);
            unclear()(n)
        });
        let most = took.as_millis() as u32 + 2;
        assert!(checks.get() > most / 2 && checks.get() <= most, "{} checks in {took:?}", checks.get());
    }
}
