//! Many pairs on several threads.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Barrier, Mutex};

use banyan_arena::{Format, InOrder, PairPlan, Schedule, ScheduleConfig, Shard, StopSignal, drive};
use banyan_core::threads::with_at_most;
use banyan_core::{Flow, Rng};

fn schedule(pairs: Option<u64>) -> Schedule {
    let config = ScheduleConfig { n_players: 3, format: Format::RoundRobin, pairs, seed: 1, shard: Shard::WHOLE };
    Schedule::new(config).expect("a schedule")
}

/// The pairs played with this many jobs, sorted.
fn played(jobs: usize) -> Vec<(u64, [[u64; 2]; 2])> {
    let mut results = Vec::new();
    let play = |plan: &PairPlan| (plan.index, plan.game_seeds);
    drive(schedule(Some(40)).plans(&HashSet::from([7, 9])), jobs, &StopSignal::new(), play, |result| {
        results.push(result);
        Flow::Continue
    });
    results.sort_unstable();
    results
}

#[test]
fn the_number_of_jobs_changes_nothing_that_is_played() {
    let alone = played(1);
    assert_eq!(alone.len(), 118);
    assert_eq!(alone, played(4));
    assert_eq!(alone, played(0), "no jobs are one job");
}

#[test]
fn refused_threads_leave_their_pairs_to_the_others() {
    for allowed in [0, 1, 2, 5] {
        assert_eq!(with_at_most(allowed, || played(4)), played(1), "{allowed} threads");
    }
    let panic = |_: &PairPlan| panic!("as meant");
    let run = || {
        drive(schedule(Some(1)).plans(&HashSet::new()), 3, &StopSignal::new(), panic, |()| Flow::Continue);
    };
    assert!(with_at_most(0, || catch_unwind(AssertUnwindSafe(run))).is_err());
    // The sink stops the calling thread too.
    let mut n = 0;
    let play = |plan: &PairPlan| plan.index;
    let count = |_| {
        n += 1;
        if n == 3 { Flow::Stop } else { Flow::Continue }
    };
    with_at_most(0, || drive(schedule(None).plans(&HashSet::new()), 2, &StopSignal::new(), play, count));
    assert_eq!(n, 3);
}

#[test]
fn jobs_run_side_by_side() {
    // The barrier opens only when both jobs have reached it.
    let barrier = Barrier::new(2);
    let mut n = 0;
    drive(
        schedule(Some(2)).plans(&HashSet::new()),
        2,
        &StopSignal::new(),
        |_| barrier.wait(),
        |_| {
            n += 1;
            Flow::Continue
        },
    );
    assert_eq!(n, 6);
}

#[test]
fn the_first_stop_request_finishes_running_pairs_and_starts_none() {
    let stop_signal = StopSignal::new();
    let started = AtomicU64::new(0);
    let mut arrived = Vec::new();
    let play = |plan: &PairPlan| {
        started.fetch_add(1, Ordering::Relaxed);
        if plan.index == 20 {
            stop_signal.request();
        }
        (plan.index, stop_signal.is_aborting())
    };
    drive(schedule(None).plans(&HashSet::new()), 3, &stop_signal, play, |result| {
        arrived.push(result);
        Flow::Continue
    });
    assert_eq!(arrived.len() as u64, started.load(Ordering::Relaxed), "what was started was finished");
    assert!(arrived.contains(&(20, false)) && arrived.len() < 24, "{arrived:?}");
    assert!(stop_signal.is_finishing() && !stop_signal.is_aborting());
}

#[test]
fn the_second_stop_request_interrupts_running_games() {
    let stop_signal = StopSignal::new();
    let both_run = Barrier::new(2);
    let mut arrived = Vec::new();
    let play = |plan: &PairPlan| {
        both_run.wait();
        if plan.index == 0 {
            stop_signal.request();
            stop_signal.request();
        }
        while !stop_signal.is_aborting() {
            std::thread::yield_now();
        }
        plan.index
    };
    drive(schedule(None).plans(&HashSet::new()), 2, &stop_signal, play, |index| {
        arrived.push(index);
        Flow::Continue
    });
    arrived.sort_unstable();
    assert_eq!(arrived, [0, 1]);
}

#[test]
fn a_sink_that_returns_stop_does_not_interrupt_running_games() {
    let stop_signal = StopSignal::new();
    let mut n = 0;
    drive(
        schedule(None).plans(&HashSet::new()),
        2,
        &stop_signal,
        |plan| plan.index,
        |_| {
            n += 1;
            if n >= 10 { Flow::Stop } else { Flow::Continue }
        },
    );
    assert!(n >= 10 && !stop_signal.is_aborting(), "{n}: repeated requests of the sink do not interrupt games");
}

#[test]
fn a_panic_while_playing_propagates_after_the_others_have_finished() {
    let finished = Mutex::new(Vec::new());
    let stop_signal = StopSignal::new();
    let play = |plan: &PairPlan| {
        assert_ne!(plan.index, 5, "the pair that panics");
        plan.index
    };
    let run = AssertUnwindSafe(|| {
        drive(schedule(None).plans(&HashSet::new()), 2, &stop_signal, play, |index| {
            finished.lock().expect("no panic under the lock").push(index);
            Flow::Continue
        });
    });
    let payload = catch_unwind(run).expect_err("the panic of pair 5");
    assert!(payload.downcast_ref::<String>().is_some_and(|text| text.contains("the pair that panics")));
    let finished = finished.into_inner().expect("no panic under the lock");
    assert!((0..5).all(|index| finished.contains(&index)) && !finished.contains(&5), "{finished:?}");
}

#[test]
fn a_panic_of_the_sink_does_not_hang() {
    let run =
        || drive(schedule(None).plans(&HashSet::new()), 2, &StopSignal::new(), |plan| plan.index, |_| panic!("full"));
    assert!(catch_unwind(run).is_err());
}

/// The results delivered and the index of the decision, which is made at the fifth of the expected indexes.
fn decided(arrivals: &[u64], expected: impl Iterator<Item = u64>) -> (Vec<u64>, Option<u64>) {
    let mut in_order = InOrder::new(expected);
    let mut seen = Vec::new();
    for &index in arrivals {
        in_order.arrive(index, index * 10, |index, result| {
            assert_eq!(result, index * 10);
            seen.push(index);
            if seen.len() == 5 { Flow::Stop } else { Flow::Continue }
        });
    }
    if seen.len() == 5 {
        assert_eq!(in_order.n_waiting(), 0);
    }
    (seen, in_order.decided_at())
}

#[test]
fn a_decision_depends_on_the_schedule_and_not_on_timing() {
    // Every second index, as in a shard.
    let expected = || (1..40).step_by(2);
    let mut arrivals: Vec<u64> = expected().collect();
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        rng.shuffle(&mut arrivals);
        assert_eq!(decided(&arrivals, expected()), (vec![1, 3, 5, 7, 9], Some(9)), "{arrivals:?}");
    }
}

#[test]
fn a_missing_result_delays_later_ones() {
    assert_eq!(decided(&[0, 2, 3, 4, 5, 6], 0..100), (vec![0], None));
    assert_eq!(decided(&[0, 2, 3, 1], 0..100), (vec![0, 1, 2, 3], None));
    assert_eq!(decided(&[1, 0, 0, 1, 2, 2], 0..3), (vec![0, 1, 2], None), "duplicates count once");
}
