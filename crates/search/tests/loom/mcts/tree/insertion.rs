//! Two threads insert positions at the same time.

use super::layout::head;
use super::shared::{Insertion, SharedGraph, explore, meanwhile, shared};

/// Keys of one bucket, two of them with the same tag.
const KEY: u64 = 0x0123_4567_89ab_cdef;
const SAME_TAG: u64 = 0x7654_3210_89ab_cdef;
const OTHER_TAG: u64 = 0x0123_4567_89ab_0001;

/// Writes node `node` of a position and inserts it; returns the handle in the table.
fn insert(graph: &SharedGraph, node: usize, key: u64) -> u32 {
    let handle = graph.handle(node);
    graph.write(handle, key, handle);
    let known = match graph.insert(key, handle) {
        Insertion::Exists(other) => other,
        Insertion::New | Insertion::Replaced => handle,
    };
    assert_eq!(graph.read(known), known);
    known
}

#[test]
fn threads_that_insert_the_same_position_agree_on_its_node() {
    explore(|| {
        let graph = shared(2, 1);
        let other = meanwhile(&graph, |graph| insert(graph, 1, KEY));
        let ours = insert(&graph, 0, KEY);
        let theirs = other.join().expect("no panic");
        assert_eq!(ours, theirs);
        assert_eq!(graph.find(KEY), Some(ours));
        let inserted = [0, 1].map(|node| graph.times_inserted(graph.handle(node)));
        assert_eq!(inserted.iter().sum::<usize>(), 1, "{inserted:?}");
    });
}

#[test]
fn two_positions_inserted_into_a_bucket_are_both_kept() {
    fn check<const OTHER: u64>() {
        explore(|| {
            let graph = shared(2, 1);
            let other = meanwhile(&graph, |graph| insert(graph, 1, OTHER));
            assert_eq!(insert(&graph, 0, KEY), graph.handle(0));
            assert_eq!(graph.find(KEY), Some(graph.handle(0)));
            assert_eq!(other.join().expect("no panic"), graph.handle(1));
            assert_eq!((graph.find(KEY), graph.find(OTHER)), (Some(graph.handle(0)), Some(graph.handle(1))));
        });
    }
    check::<SAME_TAG>();
    check::<OTHER_TAG>();
}

#[test]
fn a_thread_that_finds_a_node_sees_the_whole_node() {
    explore(|| {
        let graph = shared(2, 1);
        let find = |graph: &SharedGraph| {
            let found = graph.find(KEY);
            found.inspect(|&handle| assert_eq!(graph.read(handle), handle))
        };
        let (finder, other) = (meanwhile(&graph, find), meanwhile(&graph, |graph| insert(graph, 1, KEY)));
        let known = insert(&graph, 0, KEY);
        let found = finder.join().expect("no panic");
        assert!(found.is_none_or(|found| found == known));
        assert_eq!(other.join().expect("no panic"), known);
    });
}

#[test]
fn in_a_full_bucket_the_least_visited_is_replaced() {
    explore(|| {
        let graph = shared(10, 1);
        for node in 0..8 {
            let key = (node as u64 + 1) << 32;
            graph.words.set_head(graph.base(node), head::VISITS, 9 - node as u32);
            insert(&graph, node, key);
        }
        let other = meanwhile(&graph, |graph| insert(graph, 9, OTHER_TAG));
        insert(&graph, 8, KEY);
        other.join().expect("no panic");
        let found = [graph.find(KEY), graph.find(OTHER_TAG)];
        assert!(found.iter().any(Option::is_some), "both are lost");
        assert!(found[0].is_none_or(|handle| handle == graph.handle(8)));
        assert!(found[1].is_none_or(|handle| handle == graph.handle(9)));
        assert!((0..7).all(|node| graph.times_inserted(graph.handle(node)) == 1), "another node is lost");
        assert_eq!(graph.times_inserted(graph.handle(7)), 0);
    });
}
