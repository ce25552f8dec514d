//! What one search among others passes on of its copies, and what it takes over.

use banyan_core::Game;

use super::among::Among;
use super::mirror::COUNTDOWN;
use crate::mcts::bounds::Packed;
use crate::mcts::common::Change;
use crate::mcts::graph::{Edge, NodeId};
use crate::mcts::layout::{self, CLOSED, NARROWED, SETTLED, SLOT, head};
use crate::mcts::search::Search;
use crate::mcts::task::Rules;

/// A copy that stays is merged once in 2^-3 of its visits. Tuned by simulations/s of two threads, November 2026: between 2
/// and 4 all are alike.
const PART: u32 = 3;

impl<G: Game> Among<'_, G> {
    /// A copy that stays is passed: merges it when it is time.
    #[inline(always)]
    pub(super) fn keep_up(&mut self, search: &mut Search<G>, rules: &Rules, copy: NodeId) {
        let left = &mut self.mirror.was[copy.0 as usize * SLOT + COUNTDOWN];
        if *left > 1 {
            *left -= 1;
        } else {
            self.merge(search, rules, copy);
        }
    }

    /// Sets how many visits a copy may have before it is merged.
    pub(super) fn count_down(&mut self, search: &mut Search<G>, copy: NodeId) {
        let visits = search.graph.total_visits(copy);
        self.mirror.was[copy.0 as usize * SLOT + COUNTDOWN] = (visits as u32 >> PART).max(2);
        if copy == self.mirror.first() {
            search.root_visits = visits as u32;
        }
    }

    /// Whether something was proven at an edge, or of its node, that the node itself may not say.
    #[inline(always)]
    pub(super) fn has_proved(&self, search: &Search<G>, edge: Edge) -> bool {
        if !self.mirror.is_bounded(edge.node) {
            return false;
        }
        let (graph, was) = (&search.graph, &self.mirror.was);
        let differs = |at: usize| graph.words[at] ^ was[at];
        let (of_node, of_edge) = (graph.base(edge.node) + head::BOUNDS, graph.at(edge, layout::BOUNDS));
        differs(of_node) != 0 || differs(of_edge) != 0 || differs(graph.at(edge, layout::VISITS)) & CLOSED != 0
    }

    /// Passes on what was counted at an edge.
    #[inline(always)]
    pub(super) fn pass_on(&mut self, search: &mut Search<G>, rules: &Rules, edge: Edge) -> (u32, f32) {
        let tally = search.graph.tally(edge);
        let [at, mean] = [layout::VISITS, layout::MEANS].map(|array| search.graph.at(edge, array));
        let (place, words) = (self.place(edge), &self.common.words);
        let was = &mut self.mirror.was;
        let before = (was[at] & !CLOSED, f32::from_bits(was[mean]));
        let after = (tally.visits, tally.mean);
        let there = self
            .common
            .words
            .add(place, Change { before, after }, |mean| Packed(words.edge_bounds(place)).clamp(mean, rules.reward));
        was[at] = was[at] & CLOSED | after.0;
        was[mean] = after.1.to_bits();
        there
    }

    /// Passes on what was learnt at a copy, and takes over what others learnt.
    pub(super) fn merge(&mut self, search: &mut Search<G>, rules: &Rules, copy: NodeId) {
        self.expect_home(search, copy);
        let base = self.base(copy);
        for edge in search.graph.edges(copy) {
            let (visits, mean) = self.pass_on(search, rules, edge);
            let [at, at_mean] = [layout::VISITS, layout::MEANS].map(|array| search.graph.at(edge, array));
            search.graph.words[at] = search.graph.words[at] & CLOSED | visits;
            search.graph.words[at_mean] = mean.to_bits();
            self.mirror.was[at] = self.mirror.was[at] & CLOSED | visits;
            self.mirror.was[at_mean] = mean.to_bits();
        }
        search.graph.count_as_tried(copy, self.common.words.children(base));
        if rules.shared {
            let at = search.graph.base(copy) + head::VISITS;
            let new = search.graph.words[at] - self.mirror.was[at];
            let visits = self.common.words.add_visits(base, new);
            search.note_visits(rules, copy, visits);
            self.mirror.was[at] = visits;
            let exploration = search.graph.head(copy, head::EXPLORATION);
            self.common.words.set_head(base, head::EXPLORATION, exploration);
        }
        self.common.words.set_head(base, head::STAMP, self.common.stamp());
        if rules.proves() {
            self.share_proofs(search, rules, copy);
        }
        self.count_down(search, copy);
    }

    /// Passes on what was proven at a copy, takes over what others proved, and draws conclusions from both.
    pub(super) fn share_proofs(&mut self, search: &mut Search<G>, rules: &Rules, copy: NodeId) {
        let words = &self.common.words;
        let base = self.base(copy);
        let meet = |own: Packed| move |there: u32| Packed(there).and(own).0;
        for edge in search.graph.edges(copy) {
            words.narrow_edge(self.place(edge), meet(search.graph.edge_bounds(edge)));
        }
        // Only now, so that of two who prove something of two edges one sees both.
        let mut is_news = false;
        for edge in search.graph.edges(copy) {
            let both = search.graph.edge_bounds(edge).and(Packed(words.edge_bounds(self.place(edge))));
            is_news |= both != search.graph.edge_bounds(edge);
            search.graph.set_edge_bounds(edge, both);
        }
        let old = search.graph.bounds(copy);
        let both = Packed(words.narrow_node(base, meet(old)));
        if both != old {
            search.graph.narrow(copy, both, both.settles(rules.reward));
        }
        if is_news || both != old {
            search.draw_conclusions(rules, copy, self.mirror.mover(copy));
            words.narrow_node(base, meet(search.graph.bounds(copy)));
        }
        if search.graph.count_as_tried(copy, words.children(base)) {
            search.draw_conclusions(rules, copy, self.mirror.mover(copy));
        }
        let flags = search.graph.head(copy, head::CHILDREN) & (SETTLED | NARROWED);
        if flags != 0 {
            words.flag(base, flags);
        }
        let at = search.graph.base(copy) + head::BOUNDS;
        self.mirror.was[at] = search.graph.words[at];
        for edge in search.graph.edges(copy) {
            let [visits, bounds] = [layout::VISITS, layout::BOUNDS].map(|array| search.graph.at(edge, array));
            self.mirror.was[bounds] = search.graph.words[bounds];
            if search.graph.is_closed(edge) {
                words.close(self.place(edge));
                self.mirror.was[visits] |= CLOSED;
            }
        }
    }

    /// Merges all copies that stay and have so many visits.
    pub(super) fn merge_all(&mut self, search: &mut Search<G>, rules: &Rules, least: u64) {
        for copy in self.mirror.lasting(&search.graph) {
            if search.graph.total_visits(copy) >= least {
                self.merge(search, rules, copy);
            }
        }
    }
}
