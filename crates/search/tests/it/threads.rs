//! Parallel search.

use std::collections::HashSet;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use banyan_core::threads::with_at_most;
use banyan_core::{
    Evaluator, Fault, Flow, Game, Leaves, Limits, Margin, Plain, Player, Report, Rng, SearchObserver, Silent, Situation,
};
use banyan_search::{Config, Mcts};

use crate::agreement::{check, check_next, draw_others, every_combination, random_position};
use crate::kits::mcts;
use crate::{choose, config, timeless};
use banyan_testkit::mesh::Mesh;
use banyan_testkit::{Exact, rounds};

const PARALLEL: [&str; 3] = ["tree", "root", "mutex"];

/// Settings for `threads` threads.
fn with_threads(parallel: &str, threads: u32, settings: &[(&str, &str)]) -> Config {
    let mut config = config(settings);
    for (name, value) in [("parallel", parallel), ("threads", &threads.to_string())] {
        config.set(name, value).expect("in range");
    }
    config.check().expect("settings without conflicts");
    config
}

#[test]
fn proofs_are_true_with_any_number_of_threads() {
    let (mut rng, mut decided) = (Rng::new(11), 0);
    let combinations: Vec<Config> = every_combination().into_iter().filter(|config| config.batch == 1).collect();
    for (i, settings) in combinations.iter().enumerate() {
        for parallel in PARALLEL {
            let mut settings = settings.clone();
            settings.threads = [1, 2, 4, 8][i % 4];
            settings.set("parallel", parallel).expect("a kind");
            draw_others(&mut settings, &mut rng);
            if settings.check().is_err() {
                continue;
            }
            let game = Mesh::new(i as u64, 9, i % 3 == 0);
            let position = random_position(&game, rng.below(4), &mut rng);
            let (_, was_decided) = check((&game, &position), (&settings, 1), 4000, &mut Exact::new(&game));
            decided += u32::from(was_decided);
        }
    }
    assert!(decided > 100, "only {decided} were decided");
}

#[test]
fn playouts_are_neither_lost_nor_counted_twice() {
    let game = Mesh::new(3, 200, false);
    for parallel in PARALLEL {
        for threads in [1, 2, 4, 8] {
            for playouts in [1, 2, 5, 9, 3001] {
                let settings = with_threads(parallel, threads, &[("proof", "off")]);
                let report = choose(&mut mcts(settings), &game, &[], Limits::playouts(playouts));
                let visits: u64 = report.moves.iter().map(|stat| stat.visits).sum();
                assert_eq!((report.playouts, visits), (playouts, playouts), "{parallel} with {threads}");
            }
            // With much exploration: once most playouts end at a win that was found, 100,000 of them may make no node,
            // and then the search ends before its limit on nodes.
            let settings = with_threads(parallel, threads, &[("proof", "off"), ("c", "4")]);
            let limits = Limits { nodes: Some(2003), ..Limits::default() };
            let report = choose(&mut mcts(settings), &game, &[], limits);
            // Every thread has its own root, which is not counted.
            assert!((2003..=2003 + u64::from(threads)).contains(&report.nodes), "{} nodes, {parallel}", report.nodes);
        }
    }
}

#[test]
fn refused_threads_change_no_count_and_no_proof() {
    let game = Mesh::new(3, 200, false);
    let run = |parallel: &str, allowed: usize, limits: Limits| {
        with_at_most(allowed, || choose(&mut mcts(with_threads(parallel, 4, &[("proof", "off")])), &game, &[], limits))
    };
    for parallel in PARALLEL {
        for allowed in 0..3 {
            for playouts in [1, 9, 20_001] {
                let report = run(parallel, allowed, Limits::playouts(playouts));
                let visits: u64 = report.moves.iter().map(|stat| stat.visits).sum();
                assert_eq!((report.playouts, visits), (playouts, playouts), "{parallel} with {allowed} more threads");
            }
            let report = run(parallel, allowed, Limits::time(Duration::from_millis(20)));
            assert!(report.playouts > 0 && report.moves.len() > 1, "{report:?} with {parallel}");
        }
    }
    // Searches with separate roots give the same report, whichever threads make their playouts.
    let [none, all] = [0, 3].map(|allowed| timeless(run("root", allowed, Limits::playouts(20_001))));
    assert_eq!(none, all);
    let mut solved = 0;
    for i in 0..30 {
        let game = Mesh::new(i, 9, i % 3 == 0);
        for parallel in PARALLEL {
            let settings = with_threads(parallel, 4, &[]);
            let position = random_position(&game, 0, &mut Rng::new(1));
            let run = || check((&game, &position), (&settings, 1), 4000, &mut Exact::new(&game));
            solved += u32::from(with_at_most((i % 3) as usize, run).1);
        }
    }
    assert!(solved > 30, "only {solved} were decided");
}

#[test]
fn a_limit_of_no_playouts_still_gives_a_move() {
    let game = Mesh::new(3, 200, false);
    for parallel in PARALLEL {
        for limits in [Limits::playouts(0), Limits::time(Duration::ZERO)] {
            let report = choose(&mut mcts(with_threads(parallel, 4, &[])), &game, &[], limits);
            // With a time limit, other threads continue until the first has made its playout.
            let enough = report.playouts == 1 || limits.time.is_some() && report.playouts > 0;
            assert!(enough && report.moves.len() > 1, "{report:?} with {parallel}");
        }
    }
}

#[test]
fn root_parallel_search_repeats_with_the_same_seed() {
    for (threads, settings) in [
        (2, &[][..]),
        (3, &[("structure", "tree"), ("reward", "margin"), ("c", "4")]),
        (4, &[("batch", "8"), ("early", "always")]),
        (8, &[("expand", "all"), ("memory-mib", "8"), ("top", "900")]),
    ] {
        let game = Mesh::wide(5, 60, 400, false);
        let run = |seed, observer: &mut dyn SearchObserver<u8>| {
            let mut player = mcts(with_threads("root", threads, settings));
            player.new_game(seed);
            [vec![], vec![1]].map(|played| {
                let start = game.start();
                let mut state = start;
                played.iter().for_each(|&mv| game.play(&mut state, mv));
                let at = Situation { game: &game, start: &start, played: &played, state: &state };
                timeless(player.choose(&at, &Limits::playouts(rounds(25_000, 60_000)), observer).expect("no fault"))
            })
        };
        assert_eq!(run(1, &mut Silent), run(1, &mut Silent), "{threads} threads with {settings:?}");
        assert_ne!(run(1, &mut Silent), run(2, &mut Silent), "{threads} threads with {settings:?}");
    }
}

#[test]
fn an_observer_does_not_change_the_search() {
    struct Counter(u32);
    impl SearchObserver<u8> for Counter {
        fn progress(&mut self, report: &Report<u8>) -> Flow {
            self.0 += 1;
            let visits: u64 = report.moves.iter().map(|stat| stat.visits).sum();
            assert_eq!(visits, report.playouts);
            Flow::Continue
        }
    }
    let game = Mesh::new(4, 200, false);
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let settings = with_threads("root", 3, &[("proof", "off")]);
    let mut counter = Counter(0);
    let limits = Limits::playouts(rounds(150_000, 400_000));
    let silent = mcts(settings.clone()).choose(&at, &limits, &mut Silent).expect("no fault");
    let watched = mcts(settings).choose(&at, &limits, &mut counter).expect("no fault");
    assert_eq!(timeless(silent), timeless(watched));
    assert!(counter.0 > 0, "no progress was reported");
}

#[test]
fn the_cap_holds_for_all_threads_together() {
    let game = Mesh::wide(1, 200, 2000, false);
    for parallel in ["root", "mutex"] {
        let settings = with_threads(parallel, 4, &[("memory-mib", "4"), ("reward", "margin"), ("c", "20")]);
        let mut player = mcts(settings);
        for searches in 1..=2 {
            let report = choose(&mut player, &game, &[], Limits::playouts(100_000));
            assert_eq!(report.playouts, 100_000, "{parallel}");
            let most = 4 << 20;
            let bytes = report.memory_bytes;
            assert!(bytes <= most && bytes > most * 7 / 10, "{bytes} bytes after {searches} searches: {parallel}");
            assert!(report.proof.is_none_or(|bounds| bounds.contains(Margin(game.best(&game.start())))), "{parallel}");
        }
    }
}

#[test]
fn the_tree_is_reused_for_the_next_move() {
    let game = Mesh::new(8, 60, false);
    for parallel in PARALLEL {
        for threads in [2, 4] {
            let mut player = mcts(with_threads(parallel, threads, &[("reward", "margin"), ("c", "4")]));
            let mut exact = Exact::new(&game);
            let mut rng = Rng::new(2);
            let mut position = random_position(&game, 0, &mut rng);
            let mut reused = 0.0f64;
            while game.result(&position.state).is_none() {
                let (report, decided) = check_next(&mut player, (&game, &position), 1000, &mut exact);
                reused = reused.max(report.reused);
                if decided {
                    break;
                }
                game.play(&mut position.state, report.best);
                position.played.push(report.best);
            }
            assert!(reused > 0.1, "{reused} was reused at most by {parallel} with {threads}");
        }
    }
}

#[test]
fn an_observer_and_the_clock_stop_all_threads() {
    /// Stops 30 ms after the first call.
    struct Stop(Option<Instant>);
    impl SearchObserver<u8> for Stop {
        fn stopped(&mut self) -> bool {
            Instant::now() >= *self.0.get_or_insert_with(|| Instant::now() + Duration::from_millis(30))
        }
    }
    let game = Mesh::new(6, 300, false);
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    // With c = 0 and no tree all threads select the same leaf.
    let one_leaf: &[(&str, &str)] = &[("proof", "off"), ("c", "0"), ("horizon", "1")];
    for parallel in PARALLEL {
        for (threads, settings) in
            [(2, &[("proof", "off")] as &[_]), (8, &[("proof", "off")]), (2, one_leaf), (8, one_leaf)]
        {
            let mut player = mcts(with_threads(parallel, threads, settings));
            let mut tries = (0..5).map(|_| {
                let mut observer = Stop(None);
                // Only the observer ends the search.
                let report = player.choose(&at, &Limits::default(), &mut observer).expect("no fault");
                let late = observer.0.expect("it was called").elapsed();
                let timed = choose(&mut player, &game, &[], Limits::time(Duration::from_millis(40)));
                assert!(timed.elapsed >= Duration::from_millis(38), "{:?} of 40 ms with {parallel}", timed.elapsed);
                (report.playouts, late, timed.elapsed)
            });
            // The documented limit is 50 ms. A busy test machine may hold up a search, but not all five.
            let soon = Duration::from_millis(500);
            let is_prompt = |(playouts, late, elapsed)| playouts > 10 && late < soon && elapsed < soon;
            assert!(tries.any(is_prompt), "few playouts, or late, in five searches with {parallel}");
        }
    }
}

#[test]
fn the_principal_variation_of_a_solved_position_leads_to_its_winner() {
    let mut followed = 0;
    for seed in 0..150 {
        let game = Mesh::new(seed, 12, false);
        let report = choose(&mut mcts(with_threads("root", 4, &[])), &game, &[], Limits::playouts(6000));
        let mut exact = Exact::new(&game);
        let truth = exact.margin(&game.start()).winner();
        let decided = report.proof.is_some_and(|proof| proof.lower.winner() == proof.upper.winner());
        if !decided {
            continue;
        }
        let mut spot = game.start();
        report.pv.iter().for_each(|&mv| game.play(&mut spot, mv));
        assert_eq!(exact.margin(&spot).winner(), truth, "mesh {seed}: {:?}", report.pv);
        followed += 1;
    }
    assert!(followed > 50, "{followed}");
}

#[test]
fn a_panic_of_any_thread_is_a_fault_and_the_next_search_succeeds() {
    for parallel in PARALLEL {
        let mut messages = HashSet::new();
        for moves in [1, 300, 20_000, 20_001, 20_002, 50_003, 100_000] {
            let mut game = Mesh::new(6, 100, false);
            game.brittle = Some(AtomicU64::new(moves));
            let start = game.start();
            let at = Situation { game: &game, start: &start, played: &[], state: &start };
            let mut player = mcts(with_threads(parallel, 4, &[("proof", "off")]));
            let Err(Fault::Panicked(text)) = player.choose(&at, &Limits::playouts(1 << 40), &mut Silent) else {
                panic!("no fault with {parallel}");
            };
            messages.insert(text);
            // The evaluator fails only once.
            let report = player.choose(&at, &Limits::playouts(1000), &mut Silent).expect("no fault");
            assert_eq!(report.playouts, 1000);
        }
        assert_eq!(messages, HashSet::from(["a brittle rule".to_owned()]));
    }
}

#[test]
fn conflicting_settings_are_refused_with_a_remedy() {
    let refused = |settings: &[(&str, &str)]| config(settings).check().expect_err("excluded").to_string();
    for (settings, expected_setting, remedy) in [
        (&[("threads", "2"), ("parallel", "mutex"), ("batch", "4")][..], "parallel=mutex", "batch=1"),
        (&[("threads", "2"), ("parallel", "mutex"), ("expand", "all")], "parallel=mutex", "expand=one"),
        (
            &[("threads", "2"), ("lazy-expansion", "0.5"), ("lazy-mode", "resample")],
            "parallel=tree",
            "lazy-mode=descend",
        ),
        (&[("threads", "64"), ("memory-mib", "64")], "parallel=tree,threads=64", "memory-mib=65"),
    ] {
        let text = refused(settings);
        assert!(text.contains(expected_setting) && text.contains(remedy), "{text}");
    }
    let text = refused(&[("threads", "64"), ("parallel", "root"), ("memory-mib", "32")]);
    assert!(text.contains("threads=64") && text.contains("memory-mib=64"), "{text}");
}

/// An evaluator that takes a while in all threads but the first.
struct SlowHelpers(u32);

impl Evaluator<Mesh> for SlowHelpers {
    fn evaluate(&mut self, _game: &Mesh, leaves: &mut Leaves<'_, Mesh>, _rng: &mut Rng) {
        if self.0 > 0 {
            thread::sleep(Duration::from_millis(3));
        }
        (0..leaves.states().len()).for_each(|i| leaves.set_value(i, 0.5));
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<Mesh>> {
        Box::new(SlowHelpers(thread))
    }
}

/// The first thread waits for the leaf of the other, which from then on needs the lock all the time.
#[test]
fn the_clock_is_read_where_no_leaf_has_to_be_evaluated() {
    let settings = with_threads("mutex", 2, &[("proof", "off")]);
    for seed in 0..20 {
        let game = Mesh::wide(seed, 2, 2, false);
        let (sender, receiver) = mpsc::channel();
        let settings = settings.clone();
        thread::spawn(move || {
            let mut player = Mcts::with_evaluator(settings, Box::new(SlowHelpers(0)), &Plain).expect("two threads");
            let report = choose(&mut player, &game, &[], Limits::time(Duration::from_millis(20)));
            sender.send(report.playouts)
        });
        let playouts = receiver
            .recv_timeout(Duration::from_secs(60))
            .unwrap_or_else(|err| panic!("mesh {seed}: a search of 20 ms: {err}"));
        assert!(playouts > 0, "mesh {seed}");
    }
}
