//! Progressive widening, called progressive unpruning by Chaslot, Winands, van den Herik, Uiterwijk and Bouzy 2008
//! (Progressive Strategies for Monte-Carlo Tree Search): a node searches `K` children at first, and the next
//! one when its visits reach `A B^(k - K)`, where `k` children are open.
//!
//! The order is that in which children are tried. The paper opens all children until the node has `T` visits; here the
//! first `K` are opened from the beginning. Pruned children, which are never searched again, do not count as open, so that there is
//! always an open child unless the node is solved. Children that are not open keep their bounds: nothing is proven
//! without them.

use super::choose::AtNode;
use super::layout::PRUNED;
use super::search_tree::Tree;

/// `A` and `B` of the paper.
const FIRST_AT: f64 = 50.0;
const GROWTH: f64 = 1.3;
/// Thresholds that fit the count of visits; further children are never opened.
const LEN: usize = 67;

/// `[k - K]`: the visits of a node at which one more child is opened than `k`, rounded up.
const THRESHOLDS: [u32; LEN] = {
    let (mut all, mut at, mut i) = ([0; LEN], FIRST_AT, 0);
    while i < LEN {
        let below = at as u32;
        all[i] = if below as f64 == at { below } else { below + 1 };
        at *= GROWTH;
        i += 1;
    }
    all
};

/// Whether a node with `visits` visits and `open` open children, which began with `first`, opens one more.
fn is_due(visits: u32, open: usize, first: usize) -> bool {
    open < first || THRESHOLDS.get(open - first).is_some_and(|&least| visits >= least)
}

impl Tree {
    /// Whether a node with `tried` children may open one more.
    #[inline]
    pub(super) fn opens_child(&self, here: AtNode, tried: usize) -> bool {
        let first = self.params.widening;
        first == 0 || tried < first || is_due(here.visits, tried - self.n_pruned(here, tried), first)
    }

    fn n_pruned(&self, here: AtNode, tried: usize) -> usize {
        let visits = self.graph.visits(here.node, self.graph.len(here.node));
        visits[..tried].iter().filter(|&&visits| visits & PRUNED != 0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_opened_at_the_visits_of_the_paper() {
        // 50, 65, 84.5, 109.85 ...
        assert_eq!(THRESHOLDS[..4], [50, 65, 85, 110]);
        assert!(THRESHOLDS.is_sorted() && f64::from(THRESHOLDS[LEN - 1]) > f64::from(1u32 << 31) / 1.3);
        let open_after = |visits| (0..1000).find(|&open| !is_due(visits, open, 3)).expect("a limit");
        let found = [0, 1, 49, 50, 64, 65, 84, 85, 10_000].map(open_after);
        // ln(10,000 / 50) / ln 1.3 = 20.2: the thresholds 0 to 20.
        assert_eq!(found, [3, 3, 3, 4, 4, 5, 5, 6, 24]);
        assert!(!is_due(u32::MAX >> 1, 3 + LEN, 3));
    }
}
