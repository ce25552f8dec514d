//! Two threads try the children of a node, and make nodes below it.

use super::common::{Common, SETTLED, explore, meanwhile, shared};

/// Takes up to `most` children of node 0, looking again where another was first.
fn claim(common: &Common, most: usize) -> Vec<usize> {
    let mut claimed = Vec::new();
    while claimed.len() < most {
        let tried = common.tried(0);
        if tried == 3 {
            break;
        }
        if common.words.claim(common.base(0), tried) {
            claimed.push(tried);
        }
    }
    claimed
}

#[test]
fn every_child_is_claimed_once() {
    explore(|| {
        let common = shared(1, 3);
        common.write(common.handle(0), 1, 1);
        let other = meanwhile(&common, |common| claim(common, 2));
        let mut claimed = claim(&common, 2);
        claimed.extend(other.join().expect("no panic"));
        claimed.sort();
        assert_eq!(claimed, [0, 1, 2]);
        assert_eq!(common.tried(0), 3);
    });
}

#[test]
fn flags_and_claims_do_not_undo_each_other() {
    explore(|| {
        let common = shared(1, 3);
        common.write(common.handle(0), 1, 1);
        let other = meanwhile(&common, |common| {
            common.words.flag(common.base(0), SETTLED);
            claim(common, 1)
        });
        let mut claimed = claim(&common, 1);
        claimed.extend(other.join().expect("no panic"));
        claimed.sort();
        assert_eq!(claimed, [0, 1]);
        assert_eq!(common.words.children(common.base(0)), SETTLED | 2 << 14 | 3);
    });
}

/// Makes a node below the only edge of node 0; the one that the edge leads to then.
fn link(common: &Common, node: usize) -> u32 {
    let (handle, place) = (common.handle(node), common.place(0, 0));
    common.write(handle, 7, handle);
    let known = match common.words.link_unless(place, handle, |old| common.key(old) == 7) {
        Ok(()) => handle,
        Err(other) => other,
    };
    assert_eq!((common.read(known), common.key(known)), (known, 7));
    known
}

#[test]
fn of_two_who_link_an_edge_one_takes_the_other_s_node() {
    explore(|| {
        let common = shared(3, 1);
        common.write(common.handle(0), 1, 1);
        let other = meanwhile(&common, |common| link(common, 1));
        let ours = link(&common, 2);
        assert_eq!(other.join().expect("no panic"), ours);
        assert_eq!(common.words.child(common.place(0, 0)), ours);
    });
}

#[test]
fn who_follows_an_edge_sees_all_of_the_node() {
    explore(|| {
        let common = shared(3, 1);
        common.write(common.handle(0), 1, 1);
        let other = meanwhile(&common, |common| link(common, 1));
        let child = common.words.child(common.place(0, 0));
        if child != 0 {
            assert_eq!(common.read(child), child);
        }
        other.join().expect("no panic");
    });
}
