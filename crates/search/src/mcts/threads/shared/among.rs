//! A search among others on the same graph: where its copies of nodes come from, and how what it learns is passed on.

use banyan_core::Game;

use super::mirror::{HOME, Mirror};
use crate::mcts::bounds::Packed;
use crate::mcts::common::{Common, Filed, Place};
use crate::mcts::company::Company;
use crate::mcts::graph::{Below, Edge, NodeId};
use crate::mcts::layout::{self, SLOT, head, slots_of};
use crate::mcts::search::{Expansion, Search, Step, new_node};
use crate::mcts::task::{Rules, Task};

/// Marks a handle of a copy of one's own.
const OURS: u32 = 1 << 31;
/// A node is copied to stay from so many visits a child on, and so many in all. Tuned by simulations/s of two threads,
/// November 2026: between 8 and 32 a child all are alike.
const HOT_CHILD: u32 = 16;
const HOT: u32 = 64;

/// One search among others.
pub(super) struct Among<'a, G: Game> {
    pub(super) common: &'a Common<G::Move>,
    pub(super) mirror: &'a mut Mirror,
}

impl<G: Game> Company<G> for Among<'_, G> {
    const ORDERED: bool = true;

    #[inline(always)]
    fn set_out(&mut self, search: &mut Search<G>, task: &Task<'_, G>) {
        if search.batch.waiting() == 0 {
            self.mirror.let_pass();
        }
        self.keep_up(search, &task.rules, task.root);
    }

    #[inline(always)]
    fn child(&mut self, search: &mut Search<G>, task: &Task<'_, G>, edge: Edge, state: &G::State) -> Option<NodeId> {
        if self.mirror.stays(edge.node) {
            match search.graph.below(edge) {
                Below::Waiting => return None,
                Below::Node(NodeId(handle)) if handle & OURS != 0 => {
                    let copy = NodeId(handle & !OURS);
                    self.keep_up(search, &task.rules, copy);
                    return Some(copy);
                }
                Below::Node(_) | Below::Leaf => {}
            }
        }
        let there = self.common.words.child(self.place(edge));
        let gone = || self.common.handles_age() && self.common.key(there) != search.child_key(task, edge, state);
        if there == 0 || gone() {
            // Of copies that pass, handles may not have been copied.
            search.graph.set_below(edge, Below::Leaf);
            return None;
        }
        Some(self.meet(search, task, edge, there, state))
    }

    #[inline(always)]
    fn claim(&mut self, search: &mut Search<G>, rules: &Rules, edge: Edge) -> bool {
        if self.common.words.claim(self.base(edge.node), edge.index as usize) {
            search.graph.count_tried(edge.node, 1);
            search.nodes += 1;
            self.mirror.room.tried += 1;
            // Whoever narrows the bounds of the node looks afterwards which edges are tried, and closes those in vain.
            if rules.proves() {
                let old = search.graph.bounds(edge.node);
                let both = old.and(Packed(self.common.words.bounds(self.base(edge.node))));
                if both != old {
                    search.graph.narrow(edge.node, both, both.settles(rules.reward));
                }
            }
            return true;
        }
        self.look_again(search, rules, edge.node);
        false
    }

    #[inline(always)]
    fn count_first(&mut self, _: &mut Search<G>, _: Edge) {
        // It was counted when it was claimed.
    }

    fn count_closed(&mut self, search: &mut Search<G>, edge: Edge) {
        search.nodes -= 1;
        self.common.words.close(self.place(edge));
    }

    #[inline(always)]
    fn find(
        &mut self,
        search: &mut Search<G>,
        task: &Task<'_, G>,
        edge: Edge,
        (key, state): (u64, &G::State),
    ) -> Option<NodeId> {
        let there = self.common.find(key)?;
        self.link(edge, there);
        Some(self.meet(search, task, edge, there, state))
    }

    fn add(
        &mut self,
        search: &mut Search<G>,
        task: &Task<'_, G>,
        edge: Edge,
        (new, state): (Expansion, &G::State),
    ) -> Option<NodeId> {
        let rules = &task.rules;
        let (copy, there) = self.make(search, task, &new)?;
        let other = if rules.shared {
            match self.common.file(new.key, there, &mut self.mirror.room) {
                Filed::Before(other) => Some(other),
                Filed::New | Filed::Instead => None,
            }
        } else {
            self.common.link_alone(self.place(edge), new.key, there).err()
        };
        if let Some(other) = other {
            self.common.unwrite(there, &mut self.mirror.room);
            self.mirror.unplace(&mut search.graph, copy);
            self.link(edge, other);
            return Some(self.meet(search, task, edge, other, state));
        }
        self.link(edge, there);
        search.graph.set_below(edge, Below::Node(NodeId(there)));
        Some(copy)
    }

    #[inline(always)]
    fn recall_bounds(&mut self, search: &mut Search<G>, edge: Edge, of_all: bool) {
        if self.mirror.is_bounded(edge.node) {
            return;
        }
        if of_all {
            self.mirror.copy_bounds(self.common, &mut search.graph, edge.node);
        } else {
            let at = search.graph.at(edge, layout::BOUNDS);
            search.graph.words[at] = self.common.words.edge_bounds(self.place(edge));
        }
    }

    #[inline(always)]
    fn chose(&mut self, search: &Search<G>, edge: Edge) {
        if self.mirror.stays(edge.node) {
            return;
        }
        let graph = &search.graph;
        let base = graph.base(edge.node);
        let [visits, mean, bounds] = [layout::VISITS, layout::MEANS, layout::BOUNDS].map(|array| graph.at(edge, array));
        for at in [base + head::VISITS, base + head::BOUNDS, visits, mean, bounds] {
            self.mirror.was[at] = graph.words[at];
        }
    }

    #[inline(always)]
    fn wrote(&mut self, search: &mut Search<G>, rules: &Rules, step: Step) {
        let edge = step.edge;
        let is_proof = rules.proves() && self.has_proved(search, edge);
        if self.mirror.stays(edge.node) {
            if is_proof {
                self.merge(search, rules, edge.node);
            }
            return;
        }
        self.expect_home(search, edge.node);
        self.pass_on(search, rules, edge);
        let base = self.base(edge.node);
        if rules.shared {
            let at = search.graph.base(edge.node) + head::VISITS;
            let (visits, exploration) = search.graph.shared_visits(edge.node);
            if visits != self.mirror.was[at] {
                self.common.words.add_visits(base, visits - self.mirror.was[at]);
                self.mirror.was[at] = visits;
            }
            self.common.words.set_head(base, head::EXPLORATION, exploration.to_bits());
        }
        self.common.words.set_head(base, head::STAMP, self.common.stamp());
        if is_proof {
            self.share_proofs(search, rules, edge.node);
        }
    }
}

impl<G: Game> Among<'_, G> {
    /// Where the words of the node begin of which this is a copy.
    #[inline(always)]
    pub(super) fn base(&self, copy: NodeId) -> usize {
        self.mirror.home(copy) as usize * SLOT
    }

    /// Where an edge of a copy lies.
    #[inline(always)]
    pub(super) fn place(&self, edge: Edge) -> Place {
        self.common.place(self.mirror.home(edge.node), edge.len, edge.index)
    }

    /// A copy's node is still there: nothing is taken away, or written elsewhere than planned, while there are copies.
    #[inline(always)]
    pub(super) fn expect_home(&self, search: &Search<G>, copy: NodeId) {
        if cfg!(debug_assertions) {
            let (is, was) = (self.common.key(self.mirror.home(copy)), search.graph.key(copy));
            assert_eq!(is, was, "another node is in its place");
        }
    }

    /// Has an edge lead to a node.
    #[inline(always)]
    fn link(&self, edge: Edge, there: u32) {
        let place = self.place(edge);
        let old = self.common.words.child(place);
        if old != there {
            // Where another was faster, it leads to the same position.
            _ = self.common.words.link(place, old, there);
        }
    }

    /// The copy of a node that an edge leads to.
    #[inline(always)]
    fn meet(&mut self, search: &mut Search<G>, task: &Task<'_, G>, edge: Edge, there: u32, state: &G::State) -> NodeId {
        let shared = task.rules.shared;
        let visits = if shared {
            self.common.words.head(there as usize * SLOT, head::VISITS)
        } else {
            search.graph.tally(edge).visits
        };
        let above_stays = self.mirror.stays(edge.node);
        // Where nodes are not shared, a copy that stays is found through the one above alone.
        let is_hot = visits >= HOT && visits >= HOT_CHILD * self.common.len(there) as u32;
        if is_hot && (shared || above_stays) {
            let copy = self.hot(search, task, there, state);
            if above_stays {
                search.graph.set_below(edge, Below::Node(NodeId(copy.0 | OURS)));
            }
            return copy;
        }
        let copy = self.mirror.copy(self.common, search, there, false);
        self.mirror.note_mover(copy, task.game.to_move(state));
        copy
    }

    /// The copy that stays of a node.
    fn hot(&mut self, search: &mut Search<G>, task: &Task<'_, G>, there: u32, state: &G::State) -> NodeId {
        let key = self.common.key(there);
        if task.rules.shared
            && let Some(copy) = search.graph.find(key)
        {
            self.keep_up(search, &task.rules, copy);
            return copy;
        }
        let copy = self.mirror.copy(self.common, search, there, true);
        self.mirror.note_mover(copy, task.game.to_move(state));
        self.count_down(search, copy);
        if task.rules.shared {
            search.graph.table.insert(key as u32, copy.0, true, |_| 0);
        }
        copy
    }

    /// Writes a new node of the moves last listed, which nobody else knows of yet.
    #[inline(always)]
    fn make(&mut self, search: &mut Search<G>, task: &Task<'_, G>, new: &Expansion) -> Option<(NodeId, u32)> {
        let len = search.moves.len();
        search.put_moves_in_order(task);
        let copy = self.mirror.place(&mut search.graph, len, 0, false);
        search.graph.write(copy, &new_node(&task.rules, new, &search.moves, &[]));
        search.note_what_is_proven(&task.rules, copy, new);
        if task.rules.shared {
            search.note_visits(&task.rules, copy, new.own.visits);
        }
        let (slot, graph) = (copy.0 as usize, &search.graph);
        let words = &graph.words[slot * SLOT..(slot + slots_of(len)) * SLOT];
        let there = self.common.write(words, &graph.moves[slot..slot + len], &mut self.mirror.room);
        let Some(there) = there else {
            self.mirror.unplace(&mut search.graph, copy);
            return None;
        };
        self.mirror.was[slot * SLOT + HOME] = there;
        self.mirror.note_mover(copy, new.mover);
        Some((copy, there))
    }

    /// Others have changed a node: looks at it anew.
    #[cold]
    fn look_again(&mut self, search: &mut Search<G>, rules: &Rules, copy: NodeId) {
        if self.mirror.stays(copy) {
            self.merge(search, rules, copy);
        } else {
            self.mirror.refresh(self.common, search, copy, search.graph.len(copy));
        }
    }
}
