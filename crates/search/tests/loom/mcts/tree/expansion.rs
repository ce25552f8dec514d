//! Two threads try the children of a node, and make nodes below it.

use super::shared::{SOLVED, SharedGraph, explore, meanwhile, shared};

/// Claims up to `most` children of node 0, reading again where the other was first.
fn claim(graph: &SharedGraph, most: usize) -> Vec<usize> {
    let mut claimed = Vec::new();
    while claimed.len() < most {
        let tried = graph.tried(0);
        if tried == 3 {
            break;
        }
        if graph.words.claim(graph.base(0), tried) {
            claimed.push(tried);
        }
    }
    claimed
}

#[test]
fn every_child_is_claimed_once() {
    explore(|| {
        let graph = shared(1, 3);
        graph.write(graph.handle(0), 1, 1);
        let other = meanwhile(&graph, |graph| claim(graph, 2));
        let mut claimed = claim(&graph, 2);
        claimed.extend(other.join().expect("no panic"));
        claimed.sort();
        assert_eq!(claimed, [0, 1, 2]);
        assert_eq!(graph.tried(0), 3);
    });
}

#[test]
fn flags_and_claims_do_not_undo_each_other() {
    explore(|| {
        let graph = shared(1, 3);
        graph.write(graph.handle(0), 1, 1);
        let other = meanwhile(&graph, |graph| {
            graph.words.flag(graph.base(0), SOLVED);
            claim(graph, 1)
        });
        let mut claimed = claim(&graph, 1);
        claimed.extend(other.join().expect("no panic"));
        claimed.sort();
        assert_eq!(claimed, [0, 1]);
        assert_eq!(graph.words.children(graph.base(0)), SOLVED | 2 << 14 | 3);
    });
}

/// Makes a node below the only edge of node 0; returns the one that the edge is linked to.
fn link(graph: &SharedGraph, node: usize) -> u32 {
    let (handle, place) = (graph.handle(node), graph.place(0, 0));
    graph.write(handle, 7, handle);
    let known = match graph.words.link_unless(place, handle, |old| graph.key(old) == 7) {
        Ok(()) => handle,
        Err(other) => other,
    };
    assert_eq!((graph.read(known), graph.key(known)), (known, 7));
    known
}

#[test]
fn of_two_threads_that_link_an_edge_one_takes_the_other_s_node() {
    explore(|| {
        let graph = shared(3, 1);
        graph.write(graph.handle(0), 1, 1);
        let other = meanwhile(&graph, |graph| link(graph, 1));
        let ours = link(&graph, 2);
        assert_eq!(other.join().expect("no panic"), ours);
        assert_eq!(graph.words.child(graph.place(0, 0)), ours);
    });
}

#[test]
fn a_thread_that_follows_an_edge_sees_the_whole_node() {
    explore(|| {
        let graph = shared(3, 1);
        graph.write(graph.handle(0), 1, 1);
        let other = meanwhile(&graph, |graph| link(graph, 1));
        let child = graph.words.child(graph.place(0, 0));
        if child != 0 {
            assert_eq!(graph.read(child), child);
        }
        other.join().expect("no panic");
    });
}
