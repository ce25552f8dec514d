//! Many pairs on several threads.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Barrier, Mutex};

use banyan_arena::{Brake, Format, InOrder, PairPlan, Schedule, ScheduleConfig, Shard, drive};
use banyan_core::{Flow, Rng};

fn schedule(pairs: Option<u64>) -> Schedule {
    let config = ScheduleConfig { n_players: 3, format: Format::RoundRobin, pairs, seed: 1, shard: Shard::WHOLE };
    Schedule::new(config).expect("a schedule")
}

/// What is played, sorted, with so many jobs.
fn played(jobs: usize) -> Vec<(u64, [[u64; 2]; 2])> {
    let mut results = Vec::new();
    let play = |plan: &PairPlan| (plan.index, plan.game_seeds);
    drive(schedule(Some(40)).plans(&HashSet::from([7, 9])), jobs, &Brake::new(), play, |result| {
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
fn jobs_run_side_by_side() {
    // Nobody passes the barrier before both are there.
    let barrier = Barrier::new(2);
    let mut n = 0;
    drive(
        schedule(Some(2)).plans(&HashSet::new()),
        2,
        &Brake::new(),
        |_| barrier.wait(),
        |_| {
            n += 1;
            Flow::Continue
        },
    );
    assert_eq!(n, 6);
}

#[test]
fn the_first_pull_of_the_brake_finishes_what_runs_and_starts_nothing() {
    let brake = Brake::new();
    let started = AtomicU64::new(0);
    let mut arrived = Vec::new();
    let play = |plan: &PairPlan| {
        started.fetch_add(1, Ordering::Relaxed);
        if plan.index == 20 {
            brake.pull();
        }
        (plan.index, brake.is_aborting())
    };
    drive(schedule(None).plans(&HashSet::new()), 3, &brake, play, |result| {
        arrived.push(result);
        Flow::Continue
    });
    assert_eq!(arrived.len() as u64, started.load(Ordering::Relaxed), "what was started was finished");
    assert!(arrived.contains(&(20, false)) && arrived.len() < 24, "{arrived:?}");
    assert!(brake.is_finishing() && !brake.is_aborting());
}

#[test]
fn the_second_pull_of_the_brake_is_seen_by_running_games() {
    let brake = Brake::new();
    let both_run = Barrier::new(2);
    let mut arrived = Vec::new();
    let play = |plan: &PairPlan| {
        both_run.wait();
        if plan.index == 0 {
            brake.pull();
            brake.pull();
        }
        while !brake.is_aborting() {
            std::thread::yield_now();
        }
        plan.index
    };
    drive(schedule(None).plans(&HashSet::new()), 2, &brake, play, |index| {
        arrived.push(index);
        Flow::Continue
    });
    arrived.sort_unstable();
    assert_eq!(arrived, [0, 1]);
}

#[test]
fn a_sink_that_has_enough_pulls_the_brake_once() {
    let brake = Brake::new();
    let mut n = 0;
    drive(
        schedule(None).plans(&HashSet::new()),
        2,
        &brake,
        |plan| plan.index,
        |_| {
            n += 1;
            if n >= 10 { Flow::Stop } else { Flow::Continue }
        },
    );
    assert!(n >= 10 && !brake.is_aborting(), "{n}: saying it again does not break off games");
}

#[test]
fn a_panic_while_playing_comes_out_after_the_others_have_finished() {
    let finished = Mutex::new(Vec::new());
    let brake = Brake::new();
    let play = |plan: &PairPlan| {
        assert_ne!(plan.index, 5, "the pair that panics");
        plan.index
    };
    let run = AssertUnwindSafe(|| {
        drive(schedule(None).plans(&HashSet::new()), 2, &brake, play, |index| {
            finished.lock().expect("nobody panics here").push(index);
            Flow::Continue
        });
    });
    let payload = catch_unwind(run).expect_err("the panic of pair 5");
    assert!(payload.downcast_ref::<String>().is_some_and(|text| text.contains("the pair that panics")));
    let finished = finished.into_inner().expect("nobody panicked here");
    assert!((0..5).all(|index| finished.contains(&index)) && !finished.contains(&5), "{finished:?}");
}

#[test]
fn a_panic_of_the_sink_does_not_hang() {
    let run = || drive(schedule(None).plans(&HashSet::new()), 2, &Brake::new(), |plan| plan.index, |_| panic!("full"));
    assert!(catch_unwind(run).is_err());
}

/// What is handed over, and where it was decided, when the decision falls at the fifth of these indexes.
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
fn a_decision_depends_on_the_plan_and_not_on_who_was_faster() {
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
fn what_is_missing_holds_up_what_comes_after() {
    assert_eq!(decided(&[0, 2, 3, 4, 5, 6], 0..100), (vec![0], None));
    assert_eq!(decided(&[0, 2, 3, 1], 0..100), (vec![0, 1, 2, 3], None));
    assert_eq!(decided(&[1, 0, 0, 1, 2, 2], 0..3), (vec![0, 1, 2], None), "what comes twice counts once");
}
