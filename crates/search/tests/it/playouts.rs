//! The move probabilities of playouts.

use banyan_core::Limits;

use crate::{choose, config};
use banyan_search::Mcts;
use banyan_testkit::toy::Toy;

/// One move without effect, then one of two: the central one wins for the first side, the other loses.
const FORK: Toy = Toy {
    plies: 2,
    n_moves: |ply| ply + 1,
    after: |_, mv| mv.into(),
    margin: |last| if last == 1 { 1 } else { -1 },
    centrality: |mv| 12 * mv as u8,
    ..Toy::PLAIN
};

#[test]
fn playouts_prefer_moves_by_their_policy() {
    // With the root as the only node every simulation is a playout of the second move.
    let value = |evaluation| {
        let settings = [("eval", evaluation), ("proof", "off"), ("forced", "never"), ("expand-at", "100000")];
        choose(
            &mut Mcts::new(config(&settings)).expect("settings without conflicts"),
            &FORK,
            &[],
            Limits::playouts(4000),
        )
        .value
    };
    assert_eq!(value("central"), 1.0);
    // Six standard deviations are at most 0.1. Weights are 6 and 6 + 12.
    for (evaluation, expected) in [("uniform", 0.0), ("weighted", 0.5)] {
        let found = value(evaluation);
        assert!((found - expected).abs() < 0.1, "{evaluation}: {found} for {expected}");
    }
}
