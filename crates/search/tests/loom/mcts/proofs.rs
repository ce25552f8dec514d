//! Two threads prove something of the same node.

use super::common::{Common, SETTLED, explore, explore_in_one_order, meanwhile, shared};
use super::layout::{self, head};

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

/// What holds for the first side, who may choose.
fn best_of(a: u32, b: u32) -> u32 {
    let ((a, b), (c, d)) = (ends(a), ends(b));
    bounds(a.max(c), b.max(d))
}

/// A node with two edges of which nothing is known.
fn node(common: &Common) {
    common.write(common.handle(0), 1, 1);
    common.words.set_head(common.base(0), head::BOUNDS, bounds(-2, 2));
    for index in [0, 1] {
        common.words.set_head(0, common.at(index, layout::BOUNDS), bounds(-2, 2));
    }
}

/// Passes on what was proven of an edge and what follows, as `Among::share_proofs` does.
fn share(common: &Common, index: usize, proven: u32) {
    let (words, base) = (&common.words, common.base(0));
    words.narrow_edge(common.place(0, index), |there| both(there, proven));
    let [first, second] = [0, 1].map(|index| words.edge_bounds(common.place(0, index)));
    let narrowed = words.narrow_node(base, |there| both(there, best_of(first, second)));
    let (lower, upper) = ends(narrowed);
    if lower == upper {
        words.flag(base, SETTLED);
    }
}

#[test]
fn what_follows_from_both_proofs_is_known_in_the_end() {
    explore_in_one_order(|| {
        let common = shared(1, 2);
        node(&common);
        let other = meanwhile(&common, |common| share(common, 1, bounds(-1, -1)));
        share(&common, 0, bounds(1, 1));
        other.join().expect("no panic");
        assert_eq!(ends(common.words.bounds(common.base(0))), (1, 1));
        assert!(common.words.children(common.base(0)) & SETTLED != 0);
    });
}

#[test]
fn two_proofs_of_an_edge_hold_together() {
    explore(|| {
        let common = shared(1, 2);
        node(&common);
        let other = meanwhile(&common, |common| share(common, 0, bounds(-1, 2)));
        share(&common, 0, bounds(-2, 1));
        other.join().expect("no panic");
        assert_eq!(ends(common.words.edge_bounds(common.place(0, 0))), (-1, 1));
        assert_eq!(ends(common.words.bounds(common.base(0))), (-1, 2));
    });
}

#[test]
fn who_sees_a_flag_sees_the_bounds_behind_it() {
    explore(|| {
        let common = shared(1, 2);
        node(&common);
        let reader = meanwhile(&common, |common| {
            // As a node is copied: first the word with the flags, then all others.
            let flags = common.words.children(common.base(0));
            let (lower, upper) = ends(common.words.head(common.base(0), head::BOUNDS));
            assert!(flags & SETTLED == 0 || lower == upper, "flagged as settled at {lower} .. {upper}");
        });
        share(&common, 0, bounds(2, 2));
        reader.join().expect("no panic");
        assert!(common.words.children(common.base(0)) & SETTLED != 0);
    });
}

#[test]
fn of_who_claims_and_who_narrows_one_sees_the_other() {
    explore_in_one_order(|| {
        let common = shared(1, 2);
        node(&common);
        let claimer = meanwhile(&common, |common| {
            assert!(common.words.claim(common.base(0), 0));
            ends(common.words.bounds(common.base(0))) == (2, 2)
        });
        common.words.narrow_node(common.base(0), |there| both(there, bounds(2, 2)));
        let sees_claim = common.tried(0) == 1;
        let sees_bounds = claimer.join().expect("no panic");
        assert!(sees_claim || sees_bounds, "a child is tried that nobody closes");
    });
}
