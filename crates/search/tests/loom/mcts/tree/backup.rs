//! Two threads publish updates of the same node.

use super::layout::{self, head};
use super::shared::{Change, PRUNED, SharedGraph, explore, meanwhile, shared};

/// Visits, flag included, and mean of an edge of node 0 at rest.
fn edge(graph: &SharedGraph, index: usize) -> (u32, f32) {
    let word = |array| graph.words.head(0, graph.at(index, array));
    (word(layout::VISITS), f32::from_bits(word(layout::MEANS)))
}

/// Adds to an edge and its node; rewards are between 0 and 1. Returns the resulting mean.
fn add(graph: &SharedGraph, index: usize, before: (u32, f32), after: (u32, f32)) -> f32 {
    let within = |mean: f32| mean.clamp(0.0, 1.0);
    let (visits, mean) = graph.words.add(graph.place(0, index), Change { before, after }, within);
    assert!(visits >= after.0 - before.0);
    graph.words.add_visits(graph.base(0), after.0 - before.0);
    mean
}

#[test]
fn no_visit_is_lost_and_a_leaf_has_a_possible_mean() {
    explore(|| {
        let graph = shared(1, 2);
        graph.words.add_visits(graph.base(0), 1);
        let other = meanwhile(&graph, |graph| {
            add(graph, 0, (0, 0.0), (1, 1.0));
            // An error larger than rounding makes failures visible.
            add(graph, 0, (1, 1.0), (2, 1.25));
            add(graph, 1, (0, 0.0), (3, 0.5));
        });
        add(&graph, 0, (0, 0.0), (2, 1.0));
        other.join().expect("no panic");
        let edges = [edge(&graph, 0), edge(&graph, 1)];
        assert_eq!(edges[1], (3, 0.5));
        assert_eq!(edges[0].0, 4);
        assert!(edges[0].1 == 1.25 || (0.0..=1.0).contains(&edges[0].1), "{edges:?}");
        assert_eq!(graph.words.head(graph.base(0), head::VISITS), 1 + 4 + 3);
    });
}

#[test]
fn the_same_update_from_two_threads_is_not_counted_twice() {
    explore(|| {
        let graph = shared(1, 1);
        let place = graph.place(0, 0);
        add(&graph, 0, (0, 0.0), (10, 0.4));
        graph.words.link(place, 0, graph.handle(0)).expect("nothing was there");
        let other = meanwhile(&graph, |graph| add(graph, 0, (10, 0.4), (11, 0.2)));
        let ours = add(&graph, 0, (10, 0.4), (12, 0.25));
        let theirs = other.join().expect("no panic");
        let (visits, mean) = edge(&graph, 0);
        assert_eq!(visits, 13);
        for mean in [mean, ours, theirs] {
            assert!((0.2..=0.4).contains(&mean), "{mean}");
        }
    });
}

#[test]
fn a_pruned_edge_stays_pruned_and_counts_visits() {
    explore(|| {
        let graph = shared(1, 1);
        let other = meanwhile(&graph, |graph| graph.words.prune(graph.place(0, 0)));
        let mean = add(&graph, 0, (0, 0.0), (1, 0.5));
        other.join().expect("no panic");
        assert_eq!((edge(&graph, 0), mean), ((PRUNED | 1, 0.5), 0.5));
    });
}
