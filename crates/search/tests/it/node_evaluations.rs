//! Node evaluations: nodes that start with the game's node evaluation in addition to their children's values.

use banyan_core::{Explored, Game, Knowledge, Limits, Player, Report, Situation};
use banyan_search::Config;

use crate::kits::mcts;
use crate::{choose, config, timeless};
use banyan_testkit::mesh::{Mesh, MeshKnowledge, MeshNodeEvaluator, Spot};
use banyan_testkit::rounds;

/// All children at once with their values on the edges, so that the initial value of a node can be computed from them.
const OPEN: &[(&str, &str)] = &[
    ("structure", "tree"),
    ("expand", "all"),
    ("node-init", "children"),
    ("expand-at", "1"),
    ("reward", "wdl"),
    ("proof", "off"),
    ("reuse", "none"),
];

fn searched(game: &Mesh, settings: &Config, n: u64) -> Explored<u8> {
    let mut player = mcts(settings.clone());
    choose(&mut player, game, &[], Limits::playouts(n));
    let start = game.start();
    let at = Situation { game, start: &start, played: &[], state: &start };
    player.explored(&at, 10_000).expect("the position was just searched")
}

/// Positions by the index of their node; `None` for nodes that no path reaches.
fn spots(game: &Mesh, explored: &Explored<u8>) -> Vec<Option<Spot>> {
    let mut spots = vec![None; explored.nodes.len()];
    spots[0] = Some(game.start());
    for (i, node) in explored.nodes.iter().enumerate() {
        for edge in &node.edges {
            let (Some(mut spot), Some(to)) = (spots[i], edge.to) else { continue };
            game.play(&mut spot, edge.mv);
            spots[to] = Some(spot);
        }
    }
    spots
}

#[test]
fn a_node_starts_with_its_node_evaluation() {
    let (mut seen, mut evaluated) = (0, 0);
    for (more, share) in [
        (&[][..], "0"),
        (&[], "0.2"),
        (&[], "0.5"),
        (&[("reward", "win")], "0.2"),
        (&[("batch", "8")], "0.2"),
        (&[("eval", "tactical")], "0.2"),
    ] {
        for seed in 0..rounds(3, 8) {
            let game = Mesh::new(seed, 1000, false);
            let settings = config(&[OPEN, more, &[("node-eval", share)]].concat());
            let explored = searched(&game, &settings, 1500);
            for (node, spot) in explored.nodes.iter().zip(spots(&game, &explored)) {
                let (Some(spot), n) = (spot, node.edges.len() as f64) else { continue };
                if node.edges.iter().any(|edge| edge.visits != 1 || edge.to.is_some()) {
                    continue;
                }
                let mean = node.edges.iter().map(|edge| edge.value).sum::<f64>() / n;
                let evaluation = (f64::from(MeshNodeEvaluator::points(&game, &spot))
                    / f64::from(MeshKnowledge.eval_scale(&game)))
                .tanh();
                let begun = (mean + share.parse::<f64>().expect("a number") * evaluation).clamp(-1.0, 1.0);
                let expected = (mean * n + begun) / (n + 1.0);
                assert!((node.value - expected).abs() < 1e-3, "{more:?} {share}: {} for {expected}", node.value);
                seen += 1;
                evaluated += usize::from((begun - mean).abs() > 0.02);
            }
        }
    }
    assert!(seen > 1000 && evaluated > 500, "{seen} nodes, {evaluated} of them changed by the evaluation");
}

#[test]
fn node_evaluations_reach_eval_children_and_batches() {
    let game = Mesh::new(2, 1000, false);
    for more in [&[("batch", "1")], &[("batch", "8")]] {
        let values = |share| -> Report<u8> {
            let scouting = [
                ("expand", "eval-children"),
                ("select", "puct"),
                ("expand-at", "1"),
                ("proof", "off"),
                ("node-eval", share),
            ];
            let settings = config(&[&scouting[..], more].concat());
            timeless(choose(&mut mcts(settings), &game, &[], Limits::playouts(3000)))
        };
        assert_eq!(values("0"), values("0"));
        assert_ne!(values("0"), values("0.5"), "{more:?}");
    }
}
