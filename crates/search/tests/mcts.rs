//! UCT on small games whose truth is known by exhaustive search.

mod chain;
#[path = "chain/exact.rs"]
mod exact;

use std::time::{Duration, Instant};

use banyan_core::{Flow, Game, Limits, Player, Report, Silent, Situation, Watch};
use banyan_search::{Config, Greedy, Mcts, Random, TUNABLES};
use chain::Chain;
use exact::exact_value;

fn config(settings: &[(&str, &str)]) -> Config {
    let mut config = Config::default();
    for (name, value) in settings {
        config.set(name, value).expect("a valid setting");
    }
    config
}

fn choose<G: Game>(player: &mut impl Player<G>, game: &G, played: &[G::Move], limits: Limits) -> Report<G::Move> {
    let start = game.start();
    let mut state = start;
    for &mv in played {
        game.play(&mut state, mv);
    }
    let at = Situation { game, start: &start, played, state: &state };
    player.choose(&at, &limits, &mut Silent).expect("a built-in search does not fail")
}

/// Every choice of every tunable that has words, one at a time.
fn every_choice() -> Vec<Config> {
    let mut all = Vec::new();
    for row in TUNABLES {
        if let banyan_search::Range::Choice(words) = row.range {
            all.extend(words.iter().map(|word| config(&[(row.name, word)])));
        }
    }
    all
}

#[test]
fn every_configuration_finds_the_winning_move() {
    let game = Chain { tokens: 15, extra_turn_at: Some(7) };
    for mut settings in every_choice() {
        if settings.get("reward").as_deref() == Some("margin") {
            settings.set("c", "4").expect("in range");
        }
        let mut uct = Mcts::new(settings.clone());
        let mut state = game.start();
        let mut played = Vec::new();
        while game.result(&state).is_none() {
            let report = choose(&mut uct, &game, &played, Limits::playouts(20_000));
            let mut next = state;
            game.play(&mut next, report.best);
            let (before, after) = (exact_value(&game, &state), exact_value(&game, &next));
            assert_eq!(before.signum(), after.signum(), "{settings:?} plays {} in {state:?}", report.best);
            (state, played) = (next, [played, vec![report.best]].concat());
        }
    }
}

#[test]
fn visits_and_nodes_add_up() {
    let game = Chain { tokens: 30, extra_turn_at: Some(11) };
    for settings in every_choice() {
        let report = choose(&mut Mcts::new(settings.clone()), &game, &[], Limits::playouts(5000));
        assert_eq!(report.playouts, 5000, "{settings:?}");
        assert_eq!(report.moves.iter().map(|stat| stat.visits).sum::<u64>(), 5000, "{settings:?}");
        assert!(report.nodes > 100 && report.nodes <= 5001, "{} nodes with {settings:?}", report.nodes);
        assert_eq!(report.moves[0].mv, report.best);
        assert!(report.moves.iter().all(|stat| stat.value.abs() <= 1.0 && stat.pv[0] == stat.mv));
    }
}

#[test]
fn a_limit_on_nodes_is_kept() {
    let game = Chain { tokens: 60, extra_turn_at: None };
    for expand in ["one", "all"] {
        let limits = Limits { nodes: Some(777), playouts: Some(100_000), ..Limits::default() };
        let report = choose(&mut Mcts::new(config(&[("expand", expand)])), &game, &[], limits);
        // The root was there already.
        assert!((776..=778).contains(&report.nodes), "{} nodes", report.nodes);
    }
}

#[test]
fn the_same_seed_gives_the_same_report_and_another_seed_another() {
    let game = Chain { tokens: 40, extra_turn_at: Some(9) };
    for settings in every_choice() {
        let run = |seed| {
            let mut uct = Mcts::new(settings.clone());
            Player::<Chain>::new_game(&mut uct, seed);
            let first = choose(&mut uct, &game, &[], Limits::playouts(3000));
            let second = choose(&mut uct, &game, &[first.best], Limits::playouts(3000));
            [first, second].map(|report| Report { elapsed: Duration::ZERO, ..report })
        };
        assert_eq!(run(1), run(1), "{settings:?}");
        assert_ne!(run(1), run(2), "{settings:?}");
    }
}

#[test]
fn progress_reports_do_not_change_the_search() {
    struct Slow;
    impl Watch<u8> for Slow {
        fn progress(&mut self, report: &Report<u8>) -> Flow {
            assert!(!report.moves.is_empty());
            Flow::Continue
        }
    }
    let game = Chain { tokens: 200, extra_turn_at: Some(50) };
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let limits = Limits::playouts(300_000);
    let silent = Mcts::new(config(&[])).choose(&at, &limits, &mut Silent).expect("no fault");
    let watched = Mcts::new(config(&[])).choose(&at, &limits, &mut Slow).expect("no fault");
    let timeless = |report| Report { elapsed: Duration::ZERO, ..report };
    assert_eq!(timeless(silent), timeless(watched));
}

#[test]
fn what_is_kept_of_the_tree_serves_again() {
    let game = Chain { tokens: 40, extra_turn_at: None };
    let mut uct = Mcts::new(config(&[]));
    let first = choose(&mut uct, &game, &[], Limits::playouts(10_000));
    assert_eq!(first.reused, 0.0);
    let reply = first.pv[1];
    let second = choose(&mut uct, &game, &[first.best, reply], Limits::playouts(1000));
    assert!(second.reused > 0.1 && second.reused < 1.0, "{} reused", second.reused);
    let kept = second.moves.iter().map(|stat| stat.visits).sum::<u64>() - 1000;
    // The root's own first playouts belong to no child.
    let share = kept as f64 / 10_000.0;
    assert!((share - second.reused).abs() < 1e-3, "{share} and {}", second.reused);

    let mut forgetful = Mcts::new(config(&[("reuse", "none")]));
    choose(&mut forgetful, &game, &[], Limits::playouts(10_000));
    assert_eq!(choose(&mut forgetful, &game, &[first.best, reply], Limits::playouts(1000)).reused, 0.0);
    // A game that took another course shares nothing.
    let other = if first.best == 1 { 2 } else { 1 };
    assert_eq!(choose(&mut uct, &game, &[other], Limits::playouts(1000)).reused, 0.0);
}

#[test]
fn the_memory_cap_holds_and_the_search_goes_on() {
    let game = Chain { tokens: 2000, extra_turn_at: None };
    let report = choose(&mut Mcts::new(config(&[("memory", "1")])), &game, &[], Limits::playouts(150_000));
    assert_eq!(report.playouts, 150_000);
    assert!(report.memory_bytes <= 1 << 20 && report.memory_bytes > 900_000, "{} bytes", report.memory_bytes);
}

#[test]
fn a_tree_is_cleared_of_what_can_no_longer_be_reached() {
    let game = Chain { tokens: 2000, extra_turn_at: None };
    let mut uct = Mcts::new(config(&[("memory", "1")]));
    let first = choose(&mut uct, &game, &[], Limits::playouts(150_000));
    let second = choose(&mut uct, &game, &[first.best, first.pv[1]], Limits::playouts(1));
    assert!(second.reused > 0.0 && second.memory_bytes < first.memory_bytes * 3 / 4, "{second:?}");
    assert!(second.moves.iter().map(|stat| stat.visits).sum::<u64>() > 1000);
}

#[test]
fn a_watch_that_stops_while_room_is_made_gets_what_is_known() {
    struct StopAtOnce;
    impl Watch<u8> for StopAtOnce {
        fn stopped(&mut self) -> bool {
            true
        }
    }
    let game = Chain { tokens: 2000, extra_turn_at: None };
    let mut uct = Mcts::new(config(&[("memory", "1")]));
    let first = choose(&mut uct, &game, &[], Limits::playouts(150_000));
    let played = [first.best];
    let start = game.start();
    let mut state = start;
    game.play(&mut state, first.best);
    let at = Situation { game: &game, start: &start, played: &played, state: &state };
    let report = uct.choose(&at, &Limits::default(), &mut StopAtOnce).expect("no fault");
    assert_eq!((report.best, report.playouts), (first.pv[1], 0));
    // The search recovers afterwards, from nothing.
    assert_eq!(choose(&mut uct, &game, &played, Limits::playouts(100)).playouts, 100);
}

#[test]
fn a_watch_stops_the_search_at_once() {
    struct StopAt(Instant, u32);
    impl Watch<u8> for StopAt {
        fn stopped(&mut self) -> bool {
            self.1 += 1;
            Instant::now() >= self.0
        }
    }
    let game = Chain { tokens: 300, extra_turn_at: None };
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let stop = Instant::now() + Duration::from_millis(30);
    let mut watch = StopAt(stop, 0);
    // No limit at all: only the watch ends it, so that this test ends shows that it is asked.
    Mcts::new(config(&[])).choose(&at, &Limits::default(), &mut watch).expect("no fault");
    assert!(watch.1 > 5, "asked {} times in 30 ms", watch.1);
    // 50 ms are promised; a busy test machine gets ten times as much.
    assert!(stop.elapsed() < Duration::from_millis(500), "stopped {:?} late", stop.elapsed());
}

#[test]
fn progress_is_told_at_least_ten_times_a_second() {
    struct Count(u128);
    impl Watch<u8> for Count {
        fn progress(&mut self, _: &Report<u8>) -> Flow {
            self.0 += 1;
            Flow::Continue
        }
    }
    let game = Chain { tokens: 300, extra_turn_at: None };
    let start = game.start();
    let at = Situation { game: &game, start: &start, played: &[], state: &start };
    let mut watch = Count(0);
    let report = Mcts::new(config(&[])).choose(&at, &Limits::time(Duration::from_millis(400)), &mut watch);
    let hundred_ms = report.expect("no fault").elapsed.as_millis() / 100;
    assert!(watch.0 >= hundred_ms, "told {} times in {hundred_ms}00 ms", watch.0);
}

#[test]
fn one_legal_move_is_searched_like_any_other_position() {
    let game = Chain { tokens: 1, extra_turn_at: None };
    for settings in every_choice() {
        let report = choose(&mut Mcts::new(settings), &game, &[], Limits::playouts(100));
        assert_eq!((report.best, report.playouts, report.value), (1, 100, 1.0));
    }
}

#[test]
fn a_budget_of_one_playout_gives_a_move() {
    let game = Chain { tokens: 20, extra_turn_at: None };
    for settings in every_choice() {
        assert_eq!(choose(&mut Mcts::new(settings), &game, &[], Limits::playouts(1)).playouts, 1);
    }
}

#[test]
fn greedy_takes_a_win_and_random_takes_everything() {
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
