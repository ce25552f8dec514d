//! Search observers.

use std::time::{Duration, Instant};

use banyan_core::{Flow, Game, Limits, Player, Report, SearchObserver, Silent, Situation};
use banyan_search::{Greedy, Random};

use crate::kits::mcts;
use crate::{choose, config, timeless};
use banyan_testkit::chain::Chain;
use banyan_testkit::mesh::Mesh;
use banyan_testkit::rounds;

#[test]
fn progress_reports_do_not_change_the_search() {
    #[derive(Default)]
    struct Counter(u32);
    impl SearchObserver<u8> for Counter {
        fn progress(&mut self, report: &Report<u8>) -> Flow {
            self.0 += 1;
            assert!(!report.moves.is_empty());
            Flow::Continue
        }
    }
    let game = Mesh::new(4, 200, false);
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let limits = Limits::playouts(rounds(40_000, 100_000));
    for settings in [vec![], vec![("structure", "tree")], vec![("batch", "8")]] {
        let settings = [settings, vec![("proof", "off")]].concat();
        let mut counter = Counter::default();
        let silent = mcts(config(&settings)).choose(&at, &limits, &mut Silent).expect("no fault");
        let watched = mcts(config(&settings)).choose(&at, &limits, &mut counter).expect("no fault");
        assert_eq!(timeless(silent), timeless(watched));
        assert!(counter.0 > 0, "no progress was reported");
    }
}

#[test]
fn an_observer_that_stops_at_once_gets_a_report() {
    struct StopAtOnce;
    impl SearchObserver<u8> for StopAtOnce {
        fn stopped(&mut self) -> bool {
            true
        }
    }
    let game = Mesh::new(5, 200, false);
    let mut player = mcts(config(&[("memory-mib", "1"), ("proof", "off")]));
    let first = choose(&mut player, &game, &[], Limits::playouts(50_000));
    let played = [first.best];
    let start = game.start();
    let mut state = start;
    game.play(&mut state, first.best);
    let at = Situation { game: &game, start: &start, played: &played, state: &state };
    let report = player.choose(&at, &Limits::default(), &mut StopAtOnce).expect("no fault");
    assert_eq!((report.best, report.playouts), (first.pv[1], 1));
    assert_eq!(choose(&mut player, &game, &played, Limits::playouts(100)).playouts, 100);
}

/// Pauses a search at every check.
struct Pause;

impl SearchObserver<u8> for Pause {
    fn stopped(&mut self) -> bool {
        true
    }

    fn paused(&mut self) -> bool {
        true
    }
}

#[test]
fn a_paused_search_continues_as_without_the_pause() {
    let game = Mesh::new(4, 200, false);
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    for settings in ["", "structure=tree", "batch=8", "batch=8,structure=tree,proof=off", "early=always", "top=500"] {
        for limits in [Limits::playouts(3000), Limits { nodes: Some(100), ..Limits::default() }] {
            let player = || mcts(settings.parse().expect("settings"));
            let whole = player().choose(&at, &limits, &mut Silent).expect("no fault");
            let mut paused = player();
            let first = paused.choose(&at, &limits, &mut Pause).expect("no fault");
            let parts = std::iter::from_fn(|| paused.resume(&at, &mut Pause)).map(|report| report.expect("no fault"));
            let parts: Vec<Report<u8>> = parts.collect();
            assert!(parts.len() > 5 && first.playouts < 3, "{settings}: {} parts", parts.len());
            assert_eq!(timeless(parts[parts.len() - 1].clone()), timeless(whole), "{settings} {limits:?}");
        }
    }
}

#[test]
fn a_paused_search_may_be_replaced() {
    let game = Mesh::new(4, 200, false);
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    for settings in ["batch=8", "batch=8,reuse=none", "batch=8,structure=tree"] {
        let mut player = mcts(settings.parse().expect("settings"));
        let limits = Limits::playouts(3000);
        player.choose(&at, &limits, &mut Pause).expect("no fault");
        (0..6).for_each(|_| drop(player.resume(&at, &mut Pause)));
        let report = player.choose(&at, &limits, &mut Silent).expect("no fault");
        assert!(report.playouts == 3000 || report.proof.is_some(), "{settings}: {report:?}");
        assert!(player.resume(&at, &mut Silent).is_none(), "it has ended");
        player.choose(&at, &limits, &mut Pause).expect("no fault");
        player.new_game(1);
        assert!(player.resume(&at, &mut Silent).is_none(), "another game");
    }
}

#[test]
fn an_observer_stops_the_search_at_once() {
    /// Stops 30 ms after the first call; counts the calls.
    struct Stop(Option<Instant>, u32);
    impl SearchObserver<u8> for Stop {
        fn stopped(&mut self) -> bool {
            self.1 += 1;
            Instant::now() >= *self.0.get_or_insert_with(|| Instant::now() + Duration::from_millis(30))
        }
    }
    let game = Mesh::new(6, 300, false);
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let mut tries = (0..5).map(|_| {
        let mut observer = Stop(None, 0);
        // Only the observer ends the search.
        mcts(config(&[("proof", "off")])).choose(&at, &Limits::default(), &mut observer).expect("no fault");
        let stop = observer.0.expect("it was called");
        assert!(Instant::now() >= stop, "the search ended by itself");
        (observer.1, stop.elapsed())
    });
    // The documented limit is 50 ms. A busy test machine may hold up a search, but not all five.
    let is_prompt = |(calls, late)| calls > 5 && late < Duration::from_millis(100);
    assert!(tries.any(is_prompt), "rarely called, or late, in five searches");
}

#[test]
fn progress_is_reported_at_least_ten_times_a_second() {
    struct Count(u128);
    impl SearchObserver<u8> for Count {
        fn progress(&mut self, _: &Report<u8>) -> Flow {
            self.0 += 1;
            Flow::Continue
        }
    }
    let game = Mesh::new(6, 300, false);
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let mut counts = (0..5).map(|_| {
        let mut observer = Count(0);
        let mut player = mcts(config(&[("proof", "off")]));
        let report = player.choose(&at, &Limits::time(Duration::from_millis(400)), &mut observer);
        let hundred_ms = report.expect("no fault").elapsed.as_millis() / 100;
        assert!(hundred_ms >= 4, "the search ended by itself");
        (observer.0, hundred_ms)
    });
    // A busy test machine may hold up a search for longer than that, but not all five.
    assert!(counts.any(|(times, hundred_ms)| times >= hundred_ms), "reported less often in five searches");
}

#[test]
fn greedy_plays_a_win_and_random_plays_every_move() {
    let game = Chain { tokens: 3, extra_turn_at: None };
    for seed in 0..20 {
        let report = choose(&mut Greedy::new(seed), &game, &[], Limits::default());
        assert_eq!((report.best, report.value), (3, 1.0));
    }
    let mut random = Random::new(4);
    let mut seen = [0; 4];
    for _ in 0..300 {
        seen[choose(&mut random, &game, &[], Limits::default()).best as usize] += 1;
    }
    assert!(seen[1..].iter().all(|&n| n > 60), "{seen:?}");
}
