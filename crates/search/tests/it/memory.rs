//! The memory cap, and tree reuse between moves.

use banyan_core::{Evaluator, Game, Leaves, Limits, Margin, Plain, Player, Priors, Rng, Side};
use banyan_search::{Config, Mcts, Reward};

use crate::agreement::{check, draw_others, every_combination, random_position};
use crate::kits::mcts;
use crate::{choose, config, timeless};
use banyan_testkit::chain::Chain;
use banyan_testkit::mesh::Mesh;
use banyan_testkit::toy::Toy;
use banyan_testkit::{Exact, rounds};

const MIB: u64 = 1 << 20;

/// Settings that change the size of nodes.
const KINDS: [&[(&str, &str)]; 6] = [
    &[("structure", "tree")],
    &[("structure", "graph")],
    &[("structure", "tree"), ("select", "ucb1-tuned")],
    &[("structure", "graph"), ("select", "ucb1-tuned"), ("batch", "16")],
    &[("structure", "tree"), ("expand", "all"), ("expand-at", "1")],
    &[("structure", "graph"), ("proof", "off"), ("expand-at", "1")],
];

/// Prefers even places and late moves.
struct Whim;

impl Evaluator<Mesh> for Whim {
    fn gives_priors(&self) -> Priors {
        Priors::WithValues
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Mesh>> {
        Box::new(Whim)
    }

    fn evaluate(&mut self, _game: &Mesh, leaves: &mut Leaves<'_, Mesh>, _rng: &mut Rng) {
        for i in 0..leaves.states().len() {
            leaves.set_value(i, f32::from(leaves.states()[i].place % 2));
            leaves.priors_mut(i).iter_mut().zip(1..).for_each(|(prior, index)| *prior = index as f32);
        }
    }
}

#[test]
fn the_cap_holds_and_the_search_continues() {
    let game = Mesh::wide(1, 200, 2000, false);
    let playouts = rounds(40_000, 60_000);
    let hold = |mut player: Mcts<Mesh>, what: &str| {
        for searches in 1..=2 {
            let report = choose(&mut player, &game, &[], Limits::playouts(playouts));
            assert_eq!(report.playouts, playouts, "{what}");
            let bytes = report.memory_bytes;
            assert!(bytes <= MIB && bytes > MIB * 8 / 10, "{bytes} bytes after {searches} searches: {what}");
            assert!(report.proof.is_none_or(|bounds| bounds.contains(Margin(game.best(&game.start())))), "{what}");
        }
    };
    for kind in KINDS {
        hold(
            mcts(config(&[kind, &[("memory-mib", "1"), ("reward", "margin"), ("c", "20")]].concat())),
            &format!("{kind:?}"),
        );
    }
    for structure in ["tree", "graph"] {
        let settings = config(&[
            ("structure", structure),
            ("select", "puct"),
            ("memory-mib", "1"),
            ("reward", "margin"),
            ("c", "20"),
        ]);
        hold(Mcts::with_evaluator(settings, Box::new(Whim), &Plain).expect("one thread"), structure);
    }
}

#[test]
fn proofs_hold_when_most_nodes_are_recycled() {
    let mut rng = Rng::new(40);
    for (i, mut settings) in every_combination().into_iter().enumerate().filter(|(i, _)| i % rounds(17, 7) == 0) {
        settings.set("memory-mib", "1").expect("in range");
        draw_others(&mut settings, &mut rng);
        let game = Mesh::wide(i as u64, 40, 4000, i % 3 == 0);
        let position = random_position(&game, 25, &mut rng);
        check((&game, &position), (&settings, i as u64), 50_000, &mut Exact::new(&game));
    }
}

#[test]
fn a_proof_that_needs_more_nodes_than_fit_is_found() {
    for seed in [1, 3, 8] {
        let game = Mesh::wide(seed, 20, 1000, false);
        let start = random_position(&game, 0, &mut Rng::new(0));
        let settings =
            |memory| config(&[("structure", "tree"), ("reward", "margin"), ("c", "2"), ("memory-mib", memory)]);
        let run = |memory| check((&game, &start), (&settings(memory), 1), 1_000_000, &mut Exact::new(&game));
        let ((small, proven), (large, _)) = (run("1"), run("256"));
        assert!(proven, "undecided after {} playouts", small.playouts);
        let (few, many) = (small.memory_bytes, large.memory_bytes);
        assert!(few <= MIB && 3 * many > 4 * few, "{few} and {many} bytes: nothing had to be recycled");
    }
}

#[test]
fn little_memory_costs_little_strength() {
    let mut found = [0, 0];
    for seed in 0..24 {
        let game = Mesh::wide(seed, 24, 4000, false);
        for (memory, found) in ["1", "256"].into_iter().zip(&mut found) {
            let settings = config(&[("structure", "tree"), ("memory-mib", memory), ("proof", "off")]);
            let report = choose(&mut mcts(settings), &game, &[], Limits::playouts(40_000));
            let mut exact = Exact::new(&game);
            let start = game.start();
            *found += u32::from(exact.after(&start, report.best).winner() == exact.margin(&start).winner());
        }
    }
    assert!(found[0] + 2 >= found[1] && found[1] > 12, "{found:?} good moves with 1 and 256 MiB");
}

#[test]
fn the_tree_is_reused() {
    let game = Chain { tokens: 40, extra_turn_at: None };
    for structure in ["tree", "graph"] {
        let settings = |reuse| config(&[("structure", structure), ("proof", "off"), ("reuse", reuse)]);
        let mut player = mcts(settings("keep"));
        let first = choose(&mut player, &game, &[], Limits::playouts(10_000));
        assert_eq!(first.reused, 0.0);
        let reply = first.pv[1];
        let second = choose(&mut player, &game, &[first.best, reply], Limits::playouts(1000));
        assert!(second.reused > 0.1 && second.reused <= 1.0, "{} reused", second.reused);
        let kept = second.moves.iter().map(|stat| stat.visits).sum::<u64>() - 1000;
        // The root's first own playouts belong to no child.
        let share = kept as f64 / 10_000.0;
        assert!((share - second.reused).abs() < 1e-3, "{share} and {}", second.reused);

        let mut forgetful = mcts(settings("none"));
        choose(&mut forgetful, &game, &[], Limits::playouts(10_000));
        assert_eq!(choose(&mut forgetful, &game, &[first.best, reply], Limits::playouts(1000)).reused, 0.0);
    }
}

#[test]
fn a_graph_is_reused_after_a_transposition() {
    let game = Chain { tokens: 40, extra_turn_at: None };
    for (structure, serves) in [("tree", false), ("graph", true)] {
        let settings = config(&[("structure", structure), ("proof", "off")]);
        let mut player = mcts(settings);
        choose(&mut player, &game, &[1, 2], Limits::playouts(10_000));
        // The same number of tokens is left, but by another path.
        let report = choose(&mut player, &game, &[2, 1, 1, 1, 1], Limits::playouts(1000));
        assert_eq!(report.reused > 0.0, serves, "{} reused of a {structure}", report.reused);
        // A new game reuses nothing.
        player.new_game(1);
        assert_eq!(choose(&mut player, &game, &[2, 1, 1, 1, 1], Limits::playouts(1000)).reused, 0.0);
    }
}

#[test]
fn whole_games_are_played_within_the_cap() {
    for kind in KINDS {
        let play = || {
            let game = Mesh::wide(2, 60, 4000, true);
            let mut player = mcts(config(&[kind, &[("memory-mib", "1")]].concat()));
            player.new_game(9);
            let (mut state, mut played, mut reused) = (game.start(), Vec::new(), Vec::new());
            let mut reports = Vec::new();
            while game.result(&state).is_none() {
                let report = choose(&mut player, &game, &played, Limits::playouts(15_000));
                assert!(report.memory_bytes <= MIB && (0.0..=1.0).contains(&report.reused));
                assert!(report.proof.is_none_or(|bounds| bounds.contains(Margin(game.best(&state)))), "{kind:?}");
                reused.push(report.reused);
                game.play(&mut state, report.best);
                played.push(report.best);
                reports.push(timeless(report));
            }
            // Solved positions have no nodes below.
            let served = reused.iter().filter(|&&share| share > 0.0).count();
            assert!(served > 5, "only {served} of {} searches reused nodes: {kind:?}", reused.len());
            reports
        };
        assert_eq!(play(), play(), "{kind:?}");
    }
}

#[test]
fn a_root_wider_than_the_memory_is_searched() {
    // Twice one move among many numbers; the largest is best.
    let fan = Toy {
        plies: 2,
        to_move: |_| Side::First,
        n_moves: |_| 10_000,
        after: |_, mv| mv.into(),
        margin: |value| value as i16,
        range: [0, 9999],
        ..Toy::PLAIN
    };
    for structure in ["tree", "graph"] {
        let settings = config(&[("structure", structure), ("memory-mib", "1"), ("reward", "margin")]);
        let report =
            choose(&mut Mcts::new(settings).expect("settings without conflicts"), &fan, &[], Limits::playouts(30_000));
        assert_eq!(report.moves.len(), 10_000);
        assert!(report.memory_bytes <= MIB, "{} bytes", report.memory_bytes);
    }
}

#[test]
fn the_score_is_part_of_the_key_unless_points_are_the_reward() {
    // A place with another score is another position if the winner counts, and the same if points count: then its
    // search is reused.
    let game = Mesh::new(5, 30, false);
    let mut ways: Vec<Vec<u8>> = (0..4).map(|mv| vec![mv]).collect();
    let end = |way: &[u8]| {
        let mut state = game.start();
        way.iter().for_each(|&mv| {
            if game.result(&state).is_none() {
                game.play(&mut state, mv)
            }
        });
        state
    };
    let mut pair = None;
    while pair.is_none() {
        let longer = |way: &Vec<u8>| {
            let mut moves = Vec::new();
            game.moves(&end(way), &mut moves);
            let way = way.clone();
            moves.into_iter().map(move |mv| [way.clone(), vec![mv]].concat())
        };
        ways = ways.iter().flat_map(longer).collect();
        let other = |a: &&Vec<u8>| {
            let one = end(a);
            ways.iter().find(|b| game.key(&end(b)) == game.key(&one) && end(b).score != one.score).cloned()
        };
        pair = ways.iter().find_map(|a| other(&a).map(|b| (a.clone(), b)));
    }
    let (one, other) = pair.expect("the loop ends with a pair");
    for reward in [Reward::Win, Reward::Wdl, Reward::Margin] {
        let mut player = mcts(Config { reward, ..config(&[("proof", "off")]) });
        choose(&mut player, &game, &one, Limits::playouts(2000));
        let report = choose(&mut player, &game, &other, Limits::playouts(100));
        assert_eq!(report.reused > 0.0, reward == Reward::Margin, "{} reused with {reward:?}", report.reused);
    }
}
