//! Virtual losses (Chaslot, Winands and van den Herik 2008, Parallel Monte-Carlo Tree Search, section 3.3): until the value of
//! a pending leaf is known, its visit counts at every edge of its path as one that the side to move lost.
//!
//! The losses are a column beside the statistics, which only selection reads: `((n - k) mean + k worst) / n` for an edge
//! with `n` visits, `k` of them pending, where `worst` is the lowest reward of the side to move. So means are those of
//! `pending=unobserved` for the same paths, and nothing has to be undone but the count. (In the paper the loss is
//! written into the mean and taken out again, which is the same to a thread that selects; parents' means are not lowered here.)

use banyan_bits::cpu::F32x8;

use super::columns::Column;
use super::lanes::numbers;
use super::search_tree::Tree;

/// The virtual losses of a node's children.
#[derive(Clone, Copy)]
pub(crate) struct Losses<'a> {
    /// Bits of the number of pending visits of each child, padded.
    pub(super) pending: &'a [u32],
    /// The reward of a loss of the side to move, seen by the first side.
    pub(super) worst: f32,
}

impl Losses<'_> {
    /// The mean rewards of eight children with `n` visits, the first `inside` of which belong to the node, with their
    /// pending visits as losses.
    #[inline(always)]
    pub(super) fn included(self, n: F32x8, mean: F32x8, from: usize, inside: usize) -> F32x8 {
        let [zero, minus] = [0.0, -1.0].map(F32x8::splat);
        // Another thread may have counted its visit without its loss, or the loss first.
        let lost = numbers(self.pending, from, inside);
        let observed = (n + minus * lost).max(zero);
        let all = (observed + lost).max(F32x8::splat(f32::MIN_POSITIVE));
        let lowered = (observed * mean + lost * F32x8::splat(self.worst)) / all;
        // The mean itself where nothing is pending, to the last bit.
        lowered.unless_negative(lost + F32x8::splat(-0.5), mean)
    }
}

impl Tree {
    /// Counts the path's visit as a loss, if the settings do.
    pub(super) fn add_losses(&mut self) {
        self.change_losses(1.0);
    }

    /// Takes the path's losses back.
    pub(super) fn remove_losses(&mut self) {
        self.change_losses(-1.0);
    }

    fn change_losses(&mut self, by: f32) {
        if !self.graph.keeps().columns.has(Column::Losses) {
            return;
        }
        for i in 0..self.path.len() {
            let edge = self.path[i].edge;
            let lost = self.graph.number(edge, Column::Losses).unwrap_or(0.0);
            self.graph.set_number(edge, Column::Losses, lost + by);
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Bounds, Margin, Side};

    use super::*;
    use crate::mcts::tree::path::PathStep;
    use crate::mcts::tree::{Edge, EdgeStats, Exclusive, Expansion, Packed, Params};
    use crate::options::Config;

    #[test]
    fn pending_visits_lower_the_mean_as_losses_would() {
        let bits = |numbers: [f32; 8]| numbers.map(f32::to_bits);
        let means = F32x8::from_bits(&bits([0.75, 0.75, 0.5, 0.0, 0.25, 0.0, 0.0, 0.0]));
        let n = F32x8::from_counts(&[4, 4, 1, 0, 2, 0, 0, 0]);
        let seen = |worst| {
            let pending = bits([1.0, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0, 0.0]);
            let pending = [&pending[..], &[0; 8]].concat();
            Losses { pending: &pending, worst }.included(n, means, 0, 5).to_array()
        };
        // Three visits of 0.75 and a loss; a child with pending visits alone counts as lost.
        assert_eq!(seen(0.0)[..5], [0.5625, 0.75, 0.0, 0.0, 0.0]);
        assert_eq!(seen(1.0)[..5], [0.8125, 0.75, 1.0, 0.0, 1.0]);
    }

    /// A tree with a root of three moves, of which the first two have visits, and a path along the first.
    fn tree(pending: &str) -> (Tree, Edge) {
        let config: Config = format!("proof=off,batch=8,pending={pending}").parse().expect("valid");
        let mut tree = Tree::new(&config, false);
        let range = Bounds::new(Margin(-9), Margin(9));
        tree.params = Params::new(&config, range, 1, (false, false));
        tree.codes = vec![5, 6, 7];
        let bounds = Packed::of(range);
        let new = Expansion { key: 1, own: EdgeStats::default(), bounds, mover: Side::First, offset: 0, awaits: false };
        tree.root = tree.add_node(&new).expect("there is room");
        let edge = tree.graph.edges(tree.root).next().expect("a move");
        tree.graph.count_tried(tree.root, 2);
        tree.graph.set_stats(edge, EdgeStats { visits: 3, mean: 0.75, square: 0.0 });
        tree.graph.set_stats(Edge { index: 1, ..edge }, EdgeStats { visits: 1, mean: 0.5, square: 0.0 });
        let (weight, sum) = (1.0, 0.5);
        tree.path.push(PathStep { edge, mover: Side::First, gain: 0, visits: 4, weight, sum });
        (tree, edge)
    }

    #[test]
    fn statistics_are_those_of_unobserved_visits_and_losses_are_undone() {
        let ((mut with, edge), (mut without, _)) = (tree("loss"), tree("unobserved"));
        for tree in [&mut with, &mut without] {
            for _ in 0..2 {
                tree.count_unobserved(&mut Exclusive, None);
                tree.add_pending(0, None, 1);
            }
        }
        assert_eq!(with.graph.number(edge, Column::Losses), Some(2.0));
        assert_eq!(without.graph.number(edge, Column::Losses), None);
        for i in 0..2 {
            assert_eq!((with.graph.visits_of(edge), with.graph.mean_of(edge)), (5, 0.75));
            with.restore_path(i);
            assert_eq!(with.graph.number(edge, Column::Losses), Some(1.0 - i as f32));
        }
        let stats = |tree: &Tree| {
            let of = |edge| (tree.graph.visits_of(edge), tree.graph.mean_of(edge));
            tree.graph.edges(tree.root).map(of).collect::<Vec<(u32, f32)>>()
        };
        assert_eq!(stats(&with), stats(&without));
        assert_eq!(stats(&with), [(5, 0.75), (1, 0.5), (0, 0.0)]);
    }
}
