//! Whether a search works on its graph alone or together with others, as its phases see it.

use banyan_core::Game;

use super::graph::{Below, Edge, NodeId};
use super::search::{Expansion, Search, Step};
use super::task::{Rules, Task};

/// What a search does where others may work on the same graph.
///
/// Each of several threads searches in copies of its own of the nodes it needs. So the phases of a simulation are the same
/// for one thread and for many, and only what is told here differs: where nodes come from, and what has to be passed on.
pub(super) trait Company<G: Game> {
    /// Whether children stand in the order they are tried in from the beginning.
    const ORDERED: bool;

    /// A descent begins.
    fn set_out(&mut self, search: &mut Search<G>, task: &Task<'_, G>);

    /// The node an edge leads to, if it is still there. `state` is its position.
    fn child(&mut self, search: &mut Search<G>, task: &Task<'_, G>, edge: Edge, state: &G::State) -> Option<NodeId>;

    /// Whether the next untried child is this search's to try; if not, its node has to be looked at again.
    fn claim(&mut self, search: &mut Search<G>, rules: &Rules, edge: Edge) -> bool;

    /// The child of a new edge has its first visit before it.
    fn count_first(&mut self, search: &mut Search<G>, edge: Edge);

    /// An untried child has been closed, unseen.
    fn count_closed(&mut self, search: &mut Search<G>, edge: Edge);

    /// The node of the position with this key, if there is one, where positions share nodes; the edge leads to it
    /// from now on.
    fn find(
        &mut self,
        search: &mut Search<G>,
        task: &Task<'_, G>,
        edge: Edge,
        position: (u64, &G::State),
    ) -> Option<NodeId>;

    /// Makes the node of a position whose moves have just been listed; the edge leads to it from now on.
    fn add(
        &mut self,
        search: &mut Search<G>,
        task: &Task<'_, G>,
        edge: Edge,
        new: (Expansion, &G::State),
    ) -> Option<NodeId>;

    /// The bounds of an edge, or of all edges of its node, are about to be looked at.
    fn recall_bounds(&mut self, search: &mut Search<G>, edge: Edge, of_all: bool);

    /// A step was chosen; nothing has been written yet. Its node will be read soon.
    fn chose(&mut self, search: &Search<G>, edge: Edge);

    /// A step's edge and its node have been written.
    fn wrote(&mut self, search: &mut Search<G>, rules: &Rules, step: Step);
}

/// Nobody else: the graph is the search's own.
pub(super) struct Alone;

impl<G: Game> Company<G> for Alone {
    const ORDERED: bool = false;

    #[inline(always)]
    fn set_out(&mut self, _: &mut Search<G>, _: &Task<'_, G>) {}

    #[inline(always)]
    fn child(&mut self, search: &mut Search<G>, task: &Task<'_, G>, edge: Edge, state: &G::State) -> Option<NodeId> {
        search.child(task, edge, state)
    }

    #[inline(always)]
    fn claim(&mut self, _: &mut Search<G>, _: &Rules, _: Edge) -> bool {
        true
    }

    #[inline(always)]
    fn count_first(&mut self, search: &mut Search<G>, edge: Edge) {
        search.graph.count_tried(edge.node, 1);
        search.nodes += 1;
    }

    #[inline(always)]
    fn count_closed(&mut self, search: &mut Search<G>, edge: Edge) {
        search.graph.count_tried(edge.node, 1);
    }

    #[inline(always)]
    fn find(
        &mut self,
        search: &mut Search<G>,
        _: &Task<'_, G>,
        edge: Edge,
        (key, _): (u64, &G::State),
    ) -> Option<NodeId> {
        let node = search.graph.find(key)?;
        search.graph.set_below(edge, Below::Node(node));
        Some(node)
    }

    #[inline(always)]
    fn add(
        &mut self,
        search: &mut Search<G>,
        task: &Task<'_, G>,
        edge: Edge,
        (new, _): (Expansion, &G::State),
    ) -> Option<NodeId> {
        let visits = new.own.visits;
        let node = search.add_node(task, new)?;
        search.graph.set_below(edge, Below::Node(node));
        if task.rules.shared {
            search.note_visits(&task.rules, node, visits);
        }
        Some(node)
    }

    #[inline(always)]
    fn recall_bounds(&mut self, _: &mut Search<G>, _: Edge, _: bool) {}

    #[inline(always)]
    fn chose(&mut self, search: &Search<G>, edge: Edge) {
        search.graph.prefetch_child(edge);
    }

    #[inline(always)]
    fn wrote(&mut self, _: &mut Search<G>, _: &Rules, _: Step) {}
}
