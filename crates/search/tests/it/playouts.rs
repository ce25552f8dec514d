//! The move probabilities of playouts.

use banyan_core::{Bounds, Game, Limits, Margin, MoveList, Side};

use crate::{choose, config};
use banyan_search::Mcts;

/// One move without effect, then one of two: the central one wins for the first side, the other loses.
struct Fork;

impl Game for Fork {
    /// The moves played.
    type State = (u8, u8);
    type Move = u8;

    fn start(&self) -> (u8, u8) {
        (0, 0)
    }

    fn to_move(&self, &(ply, _): &(u8, u8)) -> Side {
        Side::BOTH[usize::from(ply % 2)]
    }

    fn result(&self, &(ply, last): &(u8, u8)) -> Option<Margin> {
        (ply == 2).then(|| Margin::won_by(if last == 1 { Side::First } else { Side::Second }, 1))
    }

    fn moves(&self, &(ply, _): &(u8, u8), out: &mut MoveList<u8>) {
        out.extend(0..=ply);
    }

    fn play(&self, (ply, last): &mut (u8, u8), mv: u8) {
        (*ply, *last) = (*ply + 1, mv);
    }

    fn ply(&self, &(ply, _): &(u8, u8)) -> u16 {
        ply.into()
    }

    fn max_plies(&self) -> u16 {
        2
    }

    fn key(&self, &(ply, last): &(u8, u8)) -> u64 {
        u64::from(ply) * 2 + u64::from(last)
    }

    fn margin_range(&self) -> Bounds {
        Bounds::new(Margin(-1), Margin(1))
    }

    fn centrality(&self, mv: u8) -> u8 {
        12 * mv
    }
}

#[test]
fn playouts_prefer_moves_by_their_policy() {
    // With the root as the only node every simulation is a playout of the second move.
    let value = |evaluation| {
        let settings = [("eval", evaluation), ("proof", "off"), ("forced", "never"), ("expand-at", "100000")];
        choose(
            &mut Mcts::new(config(&settings)).expect("settings without conflicts"),
            &Fork,
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
