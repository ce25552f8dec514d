//! Several threads find the values that one finds, in any interleaving.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use banyan_core::threads::with_at_most;
use banyan_core::{
    Bounds, Fault, Flow, Game, Knowledge, Limits, Plain, Player, Report, Rng, SearchObserver, Silent, Situation, Solver,
};
use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig, AlphaBetaProver, ProvingSolver};

use crate::alpha_beta::{after, check};
use banyan_testkit::rounds;
use banyan_testkit::web::{Hashed, Place, Web};

const THREADS: [u32; 4] = [1, 2, 4, 8];

fn config(algorithm: Algorithm, threads: u32, table_mib: u32) -> AlphaBetaConfig {
    AlphaBetaConfig { threads, table_mib: Some(table_mib), ..AlphaBetaConfig::new(algorithm) }
}

/// A web in which a search to the end visits enough positions to start helpers: no two paths lead to one key.
fn tangle(rng: &mut Rng) -> Web {
    let mut game = Web::new(45 + rng.below(20), rng);
    game.apart = true;
    game
}

#[test]
fn with_any_number_of_threads_players_prove_the_same() {
    let mut rng = Rng::new(21);
    let mut proven = 0;
    for i in 0..60 {
        let game = tangle(&mut rng);
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let algorithm = [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf][i % 3];
        for threads in THREADS {
            let hashed = Hashed { salt: rng.next_u64(), most: 400 };
            let mut player = AlphaBeta::with_knowledge(config(algorithm, threads, 1), hashed);
            let limits = Limits { nodes: Some(60_000), ..Limits::default() };
            let report = player.choose(&at, &limits, &mut Silent).expect("it does not fail");
            check(&game, &start, &report, &format!("web {i}, {algorithm:?} on {threads} threads"));
            // Every thread checks every 256 positions, and may be in the middle of such an interval.
            assert!(report.nodes < 60_000 + 600 * u64::from(threads), "{} on {threads} threads", report.nodes);
            proven += u32::from(report.proof.is_some_and(Bounds::is_exact));
        }
    }
    assert!(proven > 100, "{proven}");
}

#[test]
fn one_lock_for_all_updates_changes_no_proof() {
    let mut rng = Rng::new(23);
    let mut proven = 0;
    for i in 0..10 {
        let game = tangle(&mut rng);
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let mut config = config(Algorithm::Pvs, 4, 1);
        config.set("lock", "updates").expect("a row");
        let mut player = AlphaBeta::with_knowledge(config, Hashed { salt: rng.next_u64(), most: 400 });
        let limits = Limits { nodes: Some(60_000), ..Limits::default() };
        let report = player.choose(&at, &limits, &mut Silent).expect("it does not fail");
        check(&game, &start, &report, &format!("web {i}"));
        proven += u32::from(report.proof.is_some_and(Bounds::is_exact));
    }
    assert!(proven > 3, "{proven}");
}

fn solver(threads: u32) -> ProvingSolver<Web> {
    ProvingSolver::new(Box::new(AlphaBetaProver::new(1, Plain)), threads)
}

#[test]
fn with_any_number_of_threads_the_solver_finds_the_same() {
    let mut rng = Rng::new(22);
    let webs = rounds(20, 60);
    let mut called = 0;
    for i in 0..webs {
        let game = tangle(&mut rng);
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        for threads in THREADS {
            let solution = solver(threads).solve(&at, &Limits::default(), &mut Silent);
            assert_eq!(solution.bounds, Bounds::exact(game.value(&start)), "web {i} on {threads} threads");
            for &(mv, bounds) in &solution.moves {
                let truth = game.value(&after(&game, &start, mv));
                assert_eq!(bounds, Bounds::exact(truth), "web {i}, move {mv} on {threads} threads");
            }
            called += u32::from(solution.nodes > 10_000);
        }
    }
    assert!(called > webs, "{called}");
}

#[test]
fn refused_threads_change_no_proof() {
    let mut rng = Rng::new(24);
    let mut called = 0;
    for i in 0..rounds(20, 60) {
        let game = tangle(&mut rng);
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        for allowed in 0..3 {
            let what = format!("web {i} with {allowed} more threads");
            let mut player = AlphaBeta::with_knowledge(config(Algorithm::Pvs, 8, 1), Plain);
            let limits = Limits { nodes: Some(60_000), ..Limits::default() };
            let report = with_at_most(allowed, || player.choose(&at, &limits, &mut Silent)).expect("it does not fail");
            check(&game, &start, &report, &what);
            let solution = with_at_most(allowed, || solver(8).solve(&at, &Limits::default(), &mut Silent));
            assert_eq!(solution.bounds, Bounds::exact(game.value(&start)), "{what}");
            called += u32::from(solution.nodes > 10_000);
        }
    }
    assert!(called > 20, "{called}");
}

/// Stops at the first report, and records its time.
struct StopAtFirstReport(Option<Instant>);

impl SearchObserver<u8> for StopAtFirstReport {
    fn stopped(&mut self) -> bool {
        self.0.is_some()
    }

    fn progress(&mut self, _report: &Report<u8>) -> Flow {
        self.0.get_or_insert_with(Instant::now);
        Flow::Continue
    }
}

/// A web too large to be searched to the end.
fn endless(rng: &mut Rng) -> Web {
    let mut game = Web::new(250, rng);
    game.apart = true;
    game
}

#[test]
fn all_threads_stop_at_a_request() {
    let mut rng = Rng::new(23);
    let game = endless(&mut rng);
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    for threads in THREADS {
        let mut player = AlphaBeta::with_knowledge(config(Algorithm::Pvs, threads, 1), Hashed { salt: 1, most: 64 });
        let mut observer = StopAtFirstReport(None);
        player.choose(&at, &Limits::default(), &mut observer).expect("it does not fail");
        // Far more than it takes, for a busy machine.
        assert!(observer.0.expect("it received a report").elapsed() < Duration::from_secs(20), "{threads} threads");
        let mut observer = StopAtFirstReport(None);
        solver(threads).solve(&at, &Limits::default(), &mut observer);
        assert!(observer.0.expect("it received a report").elapsed() < Duration::from_secs(20), "{threads} threads");
        let limits = Limits::time(Duration::from_millis(30));
        let report = player.choose(&at, &limits, &mut Silent).expect("it does not fail");
        assert!(report.elapsed < Duration::from_secs(20), "{:?} on {threads} threads", report.elapsed);
    }
}

/// The threads that helped.
static HELPERS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Fails on a helper's thread, once it has evaluated some positions.
#[derive(Clone)]
struct Failing {
    main_thread: ThreadId,
    evals: u32,
}

impl Knowledge<Web> for Failing {
    fn static_eval(&mut self, _game: &Web, _place: &Place) -> i32 {
        let thread = thread::current().id();
        if thread != self.main_thread {
            HELPERS.lock().unwrap_or_else(PoisonError::into_inner).insert(format!("{thread:?}"));
            self.evals += 1;
            assert!(self.evals < 500, "out of evaluations");
        }
        0
    }
}

fn n_helpers() -> usize {
    HELPERS.lock().unwrap_or_else(PoisonError::into_inner).len()
}

#[test]
fn a_helper_that_fails_is_a_fault_and_the_next_search_succeeds() {
    let mut rng = Rng::new(24);
    let game = endless(&mut rng);
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let knowledge = Failing { main_thread: thread::current().id(), evals: 0 };
    let mut player = AlphaBeta::with_knowledge(config(Algorithm::Pvs, 3, 1), knowledge);
    // Without a limit only the fault ends it.
    let fault = player.choose(&at, &Limits::default(), &mut Silent).expect_err("a helper failed");
    assert_eq!(fault, Fault::Panicked("out of evaluations".to_owned()));
    let helpers = n_helpers();
    assert!((1..=2).contains(&helpers), "{helpers} of two helpers");
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    player.choose(&at, &limits, &mut Silent).expect("too short for helpers");
    assert_eq!(n_helpers(), helpers, "a short search starts no helpers");
}
