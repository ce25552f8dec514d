//! Nodes are taken away while all rest; handles of them stay where they were.

use super::shared::{Insertion, Shared, SharedGraph, explore, meanwhile, shared};

/// Two positions with the same tag.
const OLD: u64 = 0x0123_4567_89ab_cdef;
const NEW: u64 = 0x7654_3210_89ab_cdef;

/// A first leg, in which a node comes to be below the only edge of node 0 and is found by another thread, and a rest, in
/// which it is taken away. What it said is 1.
fn after_a_phase() -> Shared {
    let graph = shared(3, 1);
    graph.write(graph.handle(0), 1, 1);
    let other = meanwhile(&graph, |graph| {
        let handle = graph.handle(1);
        graph.write(handle, OLD, 1);
        assert_eq!(graph.insert(OLD, handle), Insertion::New);
        graph.words.link(graph.place(0, 0), 0, handle).expect("nobody else links");
    });
    assert!(follow(&graph).is_none_or(|content| content == 1));
    other.join().expect("no panic");
    assert_eq!(follow(&graph), Some(1));
    graph.remove(graph.handle(1));
    assert_eq!((follow(&graph), graph.find(OLD)), (None, None));
    graph
}

/// What the node of the old position says, as whoever comes down the edge of node 0 sees it.
fn follow(graph: &SharedGraph) -> Option<u32> {
    let there = graph.words.child(graph.place(0, 0));
    (there != 0 && graph.key(there) == OLD).then(|| graph.read(there))
}

#[test]
fn a_stale_handle_is_known_by_the_key() {
    explore(|| {
        let graph = after_a_phase();
        let other = meanwhile(&graph, |graph| {
            graph.write(graph.handle(1), NEW, 2);
            assert_eq!(graph.insert(NEW, graph.handle(1)), Insertion::New);
        });
        assert_eq!((follow(&graph), graph.find(OLD)), (None, None));
        other.join().expect("no panic");
        assert_eq!((follow(&graph), graph.find(NEW)), (None, Some(graph.handle(1))));
    });
}

#[test]
fn a_stale_handle_gives_way_to_a_new_one() {
    explore(|| {
        let graph = after_a_phase();
        let other = meanwhile(&graph, |graph| graph.write(graph.handle(1), NEW, 2));
        graph.write(graph.handle(2), OLD, 3);
        let is_it = |handle| graph.key(handle) == OLD;
        assert_eq!(graph.words.link_unless(graph.place(0, 0), graph.handle(2), is_it), Ok(()));
        assert_eq!(follow(&graph), Some(3));
        other.join().expect("no panic");
    });
}

#[test]
fn a_position_made_again_at_its_old_place_is_not_taken_for_another_s() {
    explore(|| {
        let graph = after_a_phase();
        let other = meanwhile(&graph, |graph| {
            graph.write(graph.handle(1), OLD, 2);
            let is_it = |handle| graph.key(handle) == OLD;
            graph.words.link_unless(graph.place(0, 0), graph.handle(1), is_it)
        });
        assert!(follow(&graph).is_none_or(|content| content == 2));
        assert_eq!(other.join().expect("no panic"), Ok(()));
        assert_eq!(follow(&graph), Some(2));
    });
}

#[test]
fn a_position_made_again_at_its_old_place_is_whole_when_it_is_seen() {
    explore(|| {
        let graph = after_a_phase();
        let other = meanwhile(&graph, |graph| {
            graph.write(graph.handle(1), OLD, 2);
            assert_eq!(graph.insert(OLD, graph.handle(1)), Insertion::New);
        });
        assert!(follow(&graph).is_none_or(|content| content == 2));
        other.join().expect("no panic");
        assert_eq!(follow(&graph), Some(2));
    });
}
