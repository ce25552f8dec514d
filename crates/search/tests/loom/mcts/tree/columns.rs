//! Two threads publish what they have added to an optional column.

use super::layout::FIXED;
use super::shared::{SharedGraph, explore, meanwhile, shared};

/// The column of an edge of node 0 at rest.
fn column(graph: &SharedGraph, index: usize) -> f32 {
    f32::from_bits(graph.words.head(0, graph.at(index, FIXED)))
}

#[test]
fn nothing_added_to_a_sum_is_lost() {
    explore(|| {
        let graph = shared(1, 2);
        let other = meanwhile(&graph, |graph| {
            let merged = graph.words.add_sum(graph.place(0, 1), FIXED, 0.0, 3.0);
            graph.words.add_sum(graph.place(0, 1), FIXED, merged, merged + 1.0)
        });
        let ours = graph.words.add_sum(graph.place(0, 1), FIXED, 0.0, 2.0);
        let theirs = other.join().expect("no panic");
        assert!([2.0, 5.0, 6.0].contains(&ours) && [4.0, 6.0].contains(&theirs), "{ours} {theirs}");
        assert_eq!((column(&graph, 0), column(&graph, 1)), (0.0, 6.0));
    });
}
