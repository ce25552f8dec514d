//! Nodes are taken away while all rest; handles of them stay where they were.

use super::common::{Common, Filed, Shared, explore, meanwhile, shared};

/// Two positions with the same tag.
const OLD: u64 = 0x0123_4567_89ab_cdef;
const NEW: u64 = 0x7654_3210_89ab_cdef;

/// A first leg, in which a node comes to be below the only edge of node 0 and is found by another thread, and a rest, in
/// which it is taken away. What it said is 1.
fn after_a_leg() -> Shared {
    let common = shared(3, 1);
    common.write(common.handle(0), 1, 1);
    let other = meanwhile(&common, |common| {
        let handle = common.handle(1);
        common.write(handle, OLD, 1);
        assert_eq!(common.file(OLD, handle), Filed::New);
        common.words.link(common.place(0, 0), 0, handle).expect("nobody else links");
    });
    assert!(follow(&common).is_none_or(|content| content == 1));
    other.join().expect("no panic");
    assert_eq!(follow(&common), Some(1));
    common.remove(common.handle(1));
    assert_eq!((follow(&common), common.find(OLD)), (None, None));
    common
}

/// What the node of the old position says, as whoever comes down the edge of node 0 sees it.
fn follow(common: &Common) -> Option<u32> {
    let there = common.words.child(common.place(0, 0));
    (there != 0 && common.key(there) == OLD).then(|| common.read(there))
}

#[test]
fn a_stale_handle_is_known_by_the_key() {
    explore(|| {
        let common = after_a_leg();
        let other = meanwhile(&common, |common| {
            common.write(common.handle(1), NEW, 2);
            assert_eq!(common.file(NEW, common.handle(1)), Filed::New);
        });
        assert_eq!((follow(&common), common.find(OLD)), (None, None));
        other.join().expect("no panic");
        assert_eq!((follow(&common), common.find(NEW)), (None, Some(common.handle(1))));
    });
}

#[test]
fn a_stale_handle_gives_way_to_a_new_one() {
    explore(|| {
        let common = after_a_leg();
        let other = meanwhile(&common, |common| common.write(common.handle(1), NEW, 2));
        common.write(common.handle(2), OLD, 3);
        let is_it = |handle| common.key(handle) == OLD;
        assert_eq!(common.words.link_unless(common.place(0, 0), common.handle(2), is_it), Ok(()));
        assert_eq!(follow(&common), Some(3));
        other.join().expect("no panic");
    });
}

#[test]
fn a_position_made_again_at_its_old_place_is_not_taken_for_another_s() {
    explore(|| {
        let common = after_a_leg();
        let other = meanwhile(&common, |common| {
            common.write(common.handle(1), OLD, 2);
            let is_it = |handle| common.key(handle) == OLD;
            common.words.link_unless(common.place(0, 0), common.handle(1), is_it)
        });
        assert!(follow(&common).is_none_or(|content| content == 2));
        assert_eq!(other.join().expect("no panic"), Ok(()));
        assert_eq!(follow(&common), Some(2));
    });
}

#[test]
fn a_position_made_again_at_its_old_place_is_whole_when_it_is_seen() {
    explore(|| {
        let common = after_a_leg();
        let other = meanwhile(&common, |common| {
            common.write(common.handle(1), OLD, 2);
            assert_eq!(common.file(OLD, common.handle(1)), Filed::New);
        });
        assert!(follow(&common).is_none_or(|content| content == 2));
        other.join().expect("no panic");
        assert_eq!(follow(&common), Some(2));
    });
}
