//! Nodes are recycled between phases; handles to them remain.

use super::shared::{Insertion, Shared, SharedGraph, explore, meanwhile, shared};

/// Two positions with the same tag.
const OLD: u64 = 0x0123_4567_89ab_cdef;
const NEW: u64 = 0x7654_3210_89ab_cdef;

/// A first phase, in which a node is made below the only edge of node 0 and found by another thread, then its
/// recycling. The node's content is 1.
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

/// The content of the old position's node, as a thread reads it that follows the edge of node 0.
fn follow(graph: &SharedGraph) -> Option<u32> {
    let there = graph.words.child(graph.place(0, 0));
    (there != 0 && graph.key(there) == OLD).then(|| graph.read(there))
}

#[test]
fn a_stale_handle_is_recognised_by_the_key() {
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
fn a_stale_handle_is_replaced_by_a_new_one() {
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
fn a_node_made_again_in_its_old_slots_is_not_taken_for_the_other_thread_s() {
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
fn a_node_made_again_in_its_old_slots_is_whole_when_it_is_seen() {
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
