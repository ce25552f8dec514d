//! Two threads come to positions at the same time.

use super::common::{Common, Filed, explore, meanwhile, shared};
use super::layout::head;

/// Keys of one bucket, two of them with the same tag.
const KEY: u64 = 0x0123_4567_89ab_cdef;
const SAME_TAG: u64 = 0x7654_3210_89ab_cdef;
const OTHER_TAG: u64 = 0x0123_4567_89ab_0001;

/// Writes node number `node` of a position and files it; the handle by which the position is known then.
fn insert(common: &Common, node: usize, key: u64) -> u32 {
    let handle = common.handle(node);
    common.write(handle, key, handle);
    let known = match common.file(key, handle) {
        Filed::Before(other) => other,
        Filed::New | Filed::Instead => handle,
    };
    assert_eq!(common.read(known), known);
    known
}

#[test]
fn who_file_the_same_position_agree_on_its_node() {
    explore(|| {
        let common = shared(2, 1);
        let other = meanwhile(&common, |common| insert(common, 1, KEY));
        let ours = insert(&common, 0, KEY);
        let theirs = other.join().expect("no panic");
        assert_eq!(ours, theirs);
        assert_eq!(common.find(KEY), Some(ours));
        let filed = [0, 1].map(|node| common.times_filed(common.handle(node)));
        assert_eq!(filed.iter().sum::<usize>(), 1, "{filed:?}");
    });
}

#[test]
fn who_file_different_positions_in_a_bucket_lose_neither() {
    fn check<const OTHER: u64>() {
        explore(|| {
            let common = shared(2, 1);
            let other = meanwhile(&common, |common| insert(common, 1, OTHER));
            assert_eq!(insert(&common, 0, KEY), common.handle(0));
            assert_eq!(common.find(KEY), Some(common.handle(0)));
            assert_eq!(other.join().expect("no panic"), common.handle(1));
            assert_eq!((common.find(KEY), common.find(OTHER)), (Some(common.handle(0)), Some(common.handle(1))));
        });
    }
    check::<SAME_TAG>();
    check::<OTHER_TAG>();
}

#[test]
fn who_finds_a_node_sees_all_of_it() {
    explore(|| {
        let common = shared(2, 1);
        let look = |common: &Common| {
            let found = common.find(KEY);
            found.inspect(|&handle| assert_eq!(common.read(handle), handle))
        };
        let (finder, other) = (meanwhile(&common, look), meanwhile(&common, |common| insert(common, 1, KEY)));
        let known = insert(&common, 0, KEY);
        let found = finder.join().expect("no panic");
        assert!(found.is_none_or(|found| found == known));
        assert_eq!(other.join().expect("no panic"), known);
    });
}

#[test]
fn in_a_full_bucket_the_least_visited_makes_way() {
    explore(|| {
        let common = shared(10, 1);
        for node in 0..8 {
            let key = (node as u64 + 1) << 32;
            common.words.set_head(common.base(node), head::VISITS, 9 - node as u32);
            insert(&common, node, key);
        }
        let other = meanwhile(&common, |common| insert(common, 9, OTHER_TAG));
        insert(&common, 8, KEY);
        other.join().expect("no panic");
        let found = [common.find(KEY), common.find(OTHER_TAG)];
        assert!(found.iter().any(Option::is_some), "both are lost");
        assert!(found[0].is_none_or(|handle| handle == common.handle(8)));
        assert!(found[1].is_none_or(|handle| handle == common.handle(9)));
        assert!((0..7).all(|node| common.times_filed(common.handle(node)) == 1), "one of the others is lost");
        assert_eq!(common.times_filed(common.handle(7)), 0);
    });
}
