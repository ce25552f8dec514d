//! Settings of published systems: opponent model, root bias, lazy expansion, leaf search.

use banyan_core::{
    Bounds, Explored, ExploredNode, FINE, Game, Knowledge, Limits, Margin, MoveList, Plain, Player, Report, Situation,
};
use banyan_search::{Config, Mcts, Reward, StaticEvaluator};

use crate::kits::mcts;
use crate::{choose, config, timeless};
use banyan_testkit::mesh::{Mesh, MeshKnowledge, Spot};

/// The margin that both sides reach by a search of `depth` plies with the static margin at the horizon.
fn negamax(game: &Mesh, spot: &Spot, depth: u32) -> i32 {
    if let Some(margin) = game.result(spot) {
        return i32::from(margin.0) * FINE;
    }
    if depth == 0 {
        return i32::from(MeshKnowledge.static_margin(game, spot).0) * FINE;
    }
    let sign = i32::from(game.to_move(spot).sign());
    let values = moves(game, spot).into_iter().map(|mv| negamax(game, &after(game, spot, mv), depth - 1) * sign);
    values.max().expect("the game is not over") * sign
}

/// The bounds of the final margin that a search of `depth` plies proves.
fn proven(game: &Mesh, spot: &Spot, depth: u32) -> Bounds {
    if depth == 0 || game.result(spot).is_some() {
        return game.result(spot).map_or(game.margin_range(), Bounds::exact);
    }
    let sign = game.to_move(spot).sign();
    let of_moves = moves(game, spot).into_iter().map(|mv| proven(game, &after(game, spot, mv), depth - 1));
    let best = |a: Margin, b: Margin| if a.0 * sign >= b.0 * sign { a } else { b };
    of_moves.reduce(|a, b| Bounds::new(best(a.lower, b.lower), best(a.upper, b.upper))).expect("a move")
}

fn moves(game: &Mesh, spot: &Spot) -> MoveList<u8> {
    let mut moves = MoveList::new();
    game.moves(spot, &mut moves);
    moves
}

fn after(game: &Mesh, spot: &Spot, mv: u8) -> Spot {
    let mut next = *spot;
    game.play(&mut next, mv);
    next
}

/// Searches the start of a game; returns the report and the nodes.
fn searched(game: &Mesh, settings: &Config, seed: u64, playouts: u64) -> (Report<u8>, Explored<u8>) {
    let mut player = mcts(settings.clone());
    player.new_game(seed);
    let report = choose(&mut player, game, &[], Limits::playouts(playouts));
    let start = game.start();
    let at = Situation { game, start: &start, played: &[], state: &start };
    let explored = player.explored(&at, 5000).expect("the position was just searched");
    (timeless(report), explored)
}

/// The root's moves that lead to nodes, and these nodes.
fn children(explored: &Explored<u8>) -> impl Iterator<Item = (u8, &ExploredNode<u8>)> {
    explored.nodes[0].edges.iter().filter_map(|edge| Some((edge.mv, &explored.nodes[edge.to?])))
}

/// Checks a model that searches `depth` plies, or any model if that is `None`; returns the number of predicted replies.
fn check_model(model: &str, depth: Option<u32>, more: &[(&str, &str)]) -> usize {
    let (mut expected, mut deeper) = (0, 0);
    for seed in 0..20 {
        let game = Mesh::new(seed, 30, false);
        let settings =
            [&[("opponent-model", model), ("proof", "off"), ("reuse", "none"), ("opponent-model-budget", "3")], more]
                .concat();
        let (report, explored) = searched(&game, &config(&settings), seed, 1500);
        assert_eq!(report.moves.len(), 4, "all moves of the root are searched");
        for (mv, child) in children(&explored) {
            let spot = after(&game, &game.start(), mv);
            if game.to_move(&spot) == game.to_move(&game.start()) {
                assert_eq!(child.edges.len(), moves(&game, &spot).len(), "all own moves are searched");
                continue;
            }
            assert_eq!(child.edges.len(), 1, "{settings:?}, seed {seed}");
            let sign = i32::from(game.to_move(&spot).sign());
            if let Some(depth) = depth {
                let value = |reply| negamax(&game, &after(&game, &spot, reply), depth - 1) * sign;
                let best = moves(&game, &spot).into_iter().map(value).max();
                assert_eq!(Some(value(child.edges[0].mv)), best, "{settings:?}, seed {seed}");
            }
            expected += 1;
        }
        deeper += explored.nodes.iter().filter(|node| node.edges.len() > 1).count();
    }
    assert!(deeper > 1000, "only the second level is restricted, with {model} and {more:?}");
    expected
}

#[test]
fn only_the_reply_that_the_model_predicts_is_searched() {
    for more in [
        &[][..],
        &[("structure", "tree"), ("batch", "8")],
        &[("expand", "all"), ("forced", "never")],
        &[("select", "puct"), ("reward", "margin"), ("expand-at", "1"), ("c", "10")],
    ] {
        assert!(check_model("greedy", Some(1), more) > 20);
        assert!(check_model("pvs", Some(3), more) > 20);
        assert!(check_model("uct", None, more) > 20);
    }
}

#[test]
fn a_uct_model_uses_its_budget() {
    // With many playouts the model by UCT finds the exact reply of a short game.
    let (mut right, mut all) = (0, 0);
    for seed in 0..30 {
        let game = Mesh::new(seed, 6, false);
        let settings =
            config(&[("opponent-model", "uct"), ("proof", "off"), ("reuse", "none"), ("opponent-model-budget", "20")]);
        let (_, explored) = searched(&game, &settings, seed, 500);
        for (mv, child) in children(&explored).filter(|(_, child)| child.edges.len() == 1) {
            let spot = after(&game, &game.start(), mv);
            let best = |spot: &Spot| Margin(game.best(spot)).winner();
            all += 1;
            right += u32::from(best(&after(&game, &spot, child.edges[0].mv)) == best(&spot));
        }
    }
    assert!(all > 30 && right * 20 > all * 19, "{right} of {all}");
}

#[test]
fn the_preferred_move_is_searched_first_and_most() {
    for (seed, more) in
        (0..30).zip([&[("select", "ucb1")], &[("select", "ucb1-tuned")], &[("select", "puct")]].iter().cycle())
    {
        let game = Mesh::new(seed, 30, false);
        let start = game.start();
        let sign = i32::from(game.to_move(&start).sign());
        let value = |mv| negamax(&game, &after(&game, &start, mv), 3) * sign;
        let best = moves(&game, &start).into_iter().map(value).max().expect("a move");
        for structure in ["tree", "graph"] {
            let settings = [
                &[("root-bias-depth", "4"), ("root-bias", "1000"), ("proof", "off"), ("structure", structure)],
                &more[..],
            ];
            let settings = config(&settings.concat());
            let (report, _) = searched(&game, &settings, seed, 1);
            assert_eq!(value(report.moves[0].mv), best, "first of all, seed {seed}");
            let (report, _) = searched(&game, &settings, seed, 300);
            let visits: Vec<u64> = report.moves.iter().map(|stat| stat.visits).collect();
            assert_eq!((value(report.moves[0].mv), &visits[..]), (best, &[297, 1, 1, 1][..]), "seed {seed}");
            assert!(report.moves.iter().all(|stat| stat.value.abs() <= 1.0), "a bonus is not part of the value");
        }
    }
}

#[test]
fn the_bonus_shrinks_with_visits_and_ends() {
    let visits = |bonus: &str, until: &str, prior: &str| {
        let game = Mesh::new(4, 200, false);
        let settings = [
            ("root-bias-depth", prior),
            ("root-bias", bonus),
            ("root-bias-until", until),
            ("proof", "off"),
            ("c", "5"),
        ];
        searched(&game, &config(&settings), 1, 20_000).0
    };
    let [none, small, large] = ["0", "100", "1000"].map(|bonus| {
        let report = visits(bonus, "1", "4");
        let preferred = visits("1000", "1", "4").moves[0].mv;
        report.moves.iter().find(|stat| stat.mv == preferred).expect("a move").visits
    });
    assert!(none < small && small < large && large < 20_000 - 3, "{none} {small} {large}");
    assert_eq!(visits("1000", "0", "4"), visits("15", "0.4", "0"), "no bonus after root-bias-until");
}

/// Nodes with an untried child and a grandchild below another, and edges tried again that lead to no node although the
/// game continues there.
fn lazy_traces(game: &Mesh, settings: &[(&str, &str)]) -> (usize, usize) {
    let base = [("proof", "off"), ("expand-at", "1"), ("structure", "tree"), ("forced", "never")];
    let settings = config(&[&base, settings].concat());
    let (_, explored) = searched(game, &settings, 3, 2000);
    let early = |node: &&ExploredNode<u8>| {
        node.edges.iter().any(|edge| edge.visits == 0) && node.edges.iter().any(|edge| edge.visits > 1)
    };
    // Positions end in the last layer; 60 layers are not reached.
    let again = |node: &ExploredNode<u8>| node.edges.iter().filter(|edge| edge.visits > 1 && edge.to.is_none()).count();
    (explored.nodes.iter().filter(early).count(), explored.nodes.iter().map(again).sum())
}

#[test]
fn lazy_expansion_leaves_children_untried() {
    let game = Mesh::wide(5, 400, 2000, false);
    let (early, again) = lazy_traces(&game, &[]);
    assert_eq!(early, 0, "without lazy expansion all are tried first");
    let (early_descent, again_descent) = lazy_traces(&game, &[("lazy-expansion", "0.5")]);
    assert!(early_descent > 20, "{early_descent}");
    assert!(again_descent <= again + 5, "{again_descent} for {again}");
    for batch in ["1", "8"] {
        let (early, resampled) =
            lazy_traces(&game, &[("lazy-expansion", "0.5"), ("lazy-mode", "resample"), ("batch", batch)]);
        assert!(early > 5 && resampled > again + 10, "{early} {resampled} for {again}");
    }
    let report = |more: &[(&str, &str)]| searched(&game, &config(more), 3, 2000).0;
    assert_eq!(report(&[("lazy-expansion", "0"), ("lazy-mode", "resample")]), report(&[]));
}

/// The expected result of an expected margin, -1 .. 1, for the side to move at the start.
fn expected_value(game: &Mesh, reward: Reward, points: i32) -> f64 {
    let share = match reward {
        Reward::Win | Reward::WinMargin | Reward::Wdl => {
            (f64::from(points) / f64::from(MeshKnowledge.eval_scale(game))).tanh()
        }
        Reward::Margin => f64::from(points) / f64::from(FINE) / f64::from(game.margin_range().upper.0),
        Reward::FiftyMargin => unreachable!("it is not among the rewards"),
    };
    share * f64::from(game.to_move(&game.start()).sign())
}

/// Without `50+margin`, for which an exact leaf search counts a whole win.
const REWARDS: [(&str, Reward); 3] = [("win", Reward::Win), ("wdl", Reward::Wdl), ("margin", Reward::Margin)];

#[test]
fn leaf_searches_and_static_evaluations_count_by_their_value() {
    for (seed, (word, reward)) in (0..30).zip(REWARDS.iter().cycle()) {
        let game = Mesh::new(seed, 40, false);
        for (how, depth) in
            [(&[("eval", "static")][..], 0), (&[("leaf-search-depth", "3")], 3), (&[("leaf-search-depth", "5")], 5)]
        {
            for batch in ["1", "4"] {
                let settings = [&[("reward", *word), ("proof", "off"), ("batch", batch)], how].concat();
                let (report, _) = searched(&game, &config(&settings), seed, 4);
                for stat in &report.moves {
                    let spot = after(&game, &game.start(), stat.mv);
                    let expected = expected_value(&game, *reward, negamax(&game, &spot, depth));
                    let right = (stat.value - expected).abs() < 2e-4;
                    // A proof of the winner limits the expected margin.
                    let known = proven(&game, &spot, depth);
                    let decided = known.lower.winner() == known.upper.winner() && *reward != Reward::Margin;
                    let surely = f64::from(known.lower.seen_by(game.to_move(&game.start())).signum());
                    let shown = || format!("{stat:?} for {expected} with {settings:?}, seed {seed}");
                    assert!(right || decided && stat.value == surely, "{}", shown());
                }
            }
        }
    }
}

#[test]
fn only_little_visited_leaves_are_searched() {
    let game = Mesh::new(2, 40, false);
    let settings = config(&[
        ("eval", "static"),
        ("leaf-search-depth", "4"),
        ("leaf-search-below", "3"),
        ("horizon", "1"),
        ("reward", "margin"),
        ("proof", "off"),
    ]);
    let (report, _) = searched(&game, &settings, 1, 100);
    for stat in &report.moves {
        let spot = after(&game, &game.start(), stat.mv);
        let (searched_value, static_value) = (negamax(&game, &spot, 4), negamax(&game, &spot, 0));
        let n_searched = stat.visits.min(3) as f64;
        let [searched_value, static_value] =
            [searched_value, static_value].map(|points| expected_value(&game, Reward::Margin, points));
        let mean =
            (n_searched * searched_value + (stat.visits as f64 - n_searched) * static_value) / stat.visits as f64;
        assert!((stat.value - mean).abs() < 1e-4, "{stat:?} for {mean}");
    }
}

#[test]
fn proofs_of_a_leaf_search_count() {
    for seed in 0..30 {
        let game = Mesh::new(seed, 8, false);
        for (batch, structure) in [("1", "tree"), ("8", "graph")] {
            let settings =
                [("leaf-search-depth", "8"), ("reward", "margin"), ("batch", batch), ("structure", structure)];
            let (report, _) = searched(&game, &config(&settings), seed, 1000);
            assert_eq!(report.proof, Some(Bounds::exact(Margin(game.best(&game.start())))), "seed {seed}");
            assert!(report.playouts <= 8, "{} playouts for four moves", report.playouts);
        }
    }
}

#[test]
fn leaves_near_the_end_are_exact() {
    for seed in 0..30 {
        let game = Mesh::new(seed, 8, false);
        let best = Some(Bounds::exact(Margin(game.best(&game.start()))));
        for (batch, structure) in [("1", "tree"), ("8", "graph")] {
            let settings = [("reward", "margin"), ("batch", batch), ("structure", structure), ("c", "1")];
            let after = |exact_leaves, playouts| {
                let config = config(&[&settings[..], &[("exact-leaves", exact_leaves)]].concat());
                searched(&game, &config, seed, playouts).0
            };
            // All replies are leaves; so are all moves after two plies, of which there are at most 16.
            let proven = after("8", 1000);
            assert_eq!(proven.proof, best, "seed {seed}");
            assert!(proven.playouts <= 8, "{} playouts for four moves", proven.playouts);
            let proven = after("6", 1000);
            assert_eq!(proven.proof, best, "seed {seed}");
            assert!(proven.playouts <= 40, "{} playouts for 16 leaves", proven.playouts);
            // None is near the end.
            assert_eq!(timeless(after("2", 8)), timeless(after("0", 8)), "seed {seed}");
        }
    }
}

#[test]
fn the_static_evaluation_is_an_evaluator() {
    for (seed, (word, _)) in (0..12).zip(REWARDS.iter().cycle()) {
        let game = Mesh::new(seed, 40, seed % 2 == 0);
        for batch in ["1", "8"] {
            let settings = config(&[("reward", word), ("batch", batch), ("c", "1")]);
            let evaluator = Box::new(StaticEvaluator(Plain));
            let mut with = Mcts::with_evaluator(settings.clone(), evaluator, &Plain).expect("one thread");
            let mut own = Mcts::new(Config { evaluator: "static".to_owned(), ..settings }).expect("one thread");
            let [with, own] = [&mut with, &mut own].map(|player| {
                player.new_game(seed);
                timeless(choose(player, &game, &[], Limits::playouts(2000)))
            });
            assert_eq!(with, own, "{word}, seed {seed}");
        }
    }
}
