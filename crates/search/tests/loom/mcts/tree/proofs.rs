//! Two threads tighten bounds of the same node.

use super::layout::{self, head};
use super::shared::{SOLVED, SharedGraph, explore, explore_in_one_order, meanwhile, shared};

/// Bounds of a margin as `Packed` has them: in the halves of a word.
fn bounds(lower: i16, upper: i16) -> u32 {
    u32::from(lower as u16) | u32::from(upper as u16) << 16
}

fn ends(word: u32) -> (i16, i16) {
    (word as i16, (word >> 16) as i16)
}

fn both(a: u32, b: u32) -> u32 {
    let ((a, b), (c, d)) = (ends(a), ends(b));
    bounds(a.max(c), b.min(d))
}

/// The bounds of a choice of the first side.
fn best_of(a: u32, b: u32) -> u32 {
    let ((a, b), (c, d)) = (ends(a), ends(b));
    bounds(a.max(c), b.max(d))
}

/// A node with two edges without proven bounds.
fn node(graph: &SharedGraph) {
    graph.write(graph.handle(0), 1, 1);
    graph.words.set_head(graph.base(0), head::BOUNDS, bounds(-2, 2));
    for index in [0, 1] {
        graph.words.set_head(0, graph.at(index, layout::BOUNDS), bounds(-2, 2));
    }
}

/// Merges proven bounds of an edge and what follows, as `Shared::share_proofs` does.
fn share(graph: &SharedGraph, index: usize, proven: u32) {
    let (words, base) = (&graph.words, graph.base(0));
    words.tighten_edge(graph.place(0, index), |there| both(there, proven));
    let [first, second] = [0, 1].map(|index| words.edge_bounds(graph.place(0, index)));
    let tightened = words.tighten_node(base, |there| both(there, best_of(first, second)));
    let (lower, upper) = ends(tightened);
    if lower == upper {
        words.flag(base, SOLVED);
    }
}

#[test]
fn the_consequence_of_both_proofs_is_published() {
    explore_in_one_order(|| {
        let graph = shared(1, 2);
        node(&graph);
        let other = meanwhile(&graph, |graph| share(graph, 1, bounds(-1, -1)));
        share(&graph, 0, bounds(1, 1));
        other.join().expect("no panic");
        assert_eq!(ends(graph.words.bounds(graph.base(0))), (1, 1));
        assert!(graph.words.children(graph.base(0)) & SOLVED != 0);
    });
}

#[test]
fn two_proofs_of_an_edge_hold_together() {
    explore(|| {
        let graph = shared(1, 2);
        node(&graph);
        let other = meanwhile(&graph, |graph| share(graph, 0, bounds(-1, 2)));
        share(&graph, 0, bounds(-2, 1));
        other.join().expect("no panic");
        assert_eq!(ends(graph.words.edge_bounds(graph.place(0, 0))), (-1, 1));
        assert_eq!(ends(graph.words.bounds(graph.base(0))), (-1, 2));
    });
}

#[test]
fn a_thread_that_sees_a_flag_sees_its_bounds() {
    explore(|| {
        let graph = shared(1, 2);
        node(&graph);
        let reader = meanwhile(&graph, |graph| {
            // As a node is copied: first the word with the flags, then all others.
            let flags = graph.words.children(graph.base(0));
            let (lower, upper) = ends(graph.words.head(graph.base(0), head::BOUNDS));
            assert!(flags & SOLVED == 0 || lower == upper, "flagged as solved at {lower} .. {upper}");
        });
        share(&graph, 0, bounds(2, 2));
        reader.join().expect("no panic");
        assert!(graph.words.children(graph.base(0)) & SOLVED != 0);
    });
}

#[test]
fn of_a_claim_and_a_tightening_one_thread_sees_the_other() {
    explore_in_one_order(|| {
        let graph = shared(1, 2);
        node(&graph);
        let claimer = meanwhile(&graph, |graph| {
            assert!(graph.words.claim(graph.base(0), 0));
            ends(graph.words.bounds(graph.base(0))) == (2, 2)
        });
        graph.words.tighten_node(graph.base(0), |there| both(there, bounds(2, 2)));
        let sees_claim = graph.tried(0) == 1;
        let sees_bounds = claimer.join().expect("no panic");
        assert!(sees_claim || sees_bounds, "a useless child is tried and not pruned");
    });
}
