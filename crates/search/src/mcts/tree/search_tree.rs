//! A graph with everything that a simulation works with and that does not depend on the game.

use banyan_bits::cpu::LANES;
use banyan_core::{Bounds, Margin, Rng, Side};

use super::amaf::AmafTable;
use super::bounds::Packed;
use super::columns::Column;
use super::graph::{EdgeStats, Graph, NewNode, NodeId};
use super::gumbel::GumbelRoot;
use super::params::Params;
use super::path::PathStep;
use super::pending::Pending;
use crate::options::Config;

/// A node to be made from the moves listed last.
pub(crate) struct Expansion {
    pub(crate) key: u64,
    pub(crate) own: EdgeStats,
    pub(crate) bounds: Packed,
    pub(crate) mover: Side,
    pub(crate) offset: i16,
    /// Whether all its children are evaluated at once.
    pub(crate) awaits: bool,
}

/// A graph with everything that a simulation works with and that does not depend on the game.
pub(crate) struct Tree {
    pub(crate) graph: Graph,
    pub(crate) params: Params,
    pub(crate) rng: Rng,
    /// The root of the search.
    pub(crate) root: NodeId,
    /// Playouts, or evaluated leaves, of this search.
    pub(crate) playouts: u64,
    /// Upper limit of `playouts`.
    pub(crate) most_playouts: u64,
    /// Playouts, pending ones included, at which the stretch of simulations ends.
    pub(crate) stretch_end: u64,
    /// New edges tried in this search.
    pub(crate) nodes: u64,
    /// Upper limit of `nodes`; a batch search ends with the flush that reaches it.
    pub(crate) most_nodes: u64,
    /// Visits of the root, if nodes do not store their visits.
    pub(crate) root_visits: u32,
    pub(crate) path: Vec<PathStep>,
    /// Codes of the moves listed last, and their priors if known.
    pub(crate) codes: Vec<u16>,
    pub(crate) priors: Vec<f32>,
    pub(crate) pending: Pending,
    /// The root move that gets the root bias.
    pub(crate) preferred: Option<u16>,
    /// All moves as first, if the settings use them.
    pub(crate) amaf: Option<Box<AmafTable>>,
    /// The moves considered at the root (`root=gumbel`).
    pub(crate) gumbel: Option<GumbelRoot>,
    /// The score from which the values of the root count, with `root=gumbel`.
    pub(crate) root_offset: i16,
    /// A buffer of the identities of moves.
    pub(super) identities: Vec<u16>,
    pub(super) scores: Vec<[f32; LANES]>,
}

impl Tree {
    /// An empty tree, which keeps priors or not.
    pub(crate) fn new(config: &Config, priors: bool) -> Tree {
        Tree {
            graph: Graph::new(config.memory_mib, Params::keeps(config, priors)),
            // Replaced by the game's parameters when a search begins.
            params: Params::new(config, Bounds::exact(Margin::DRAW), 1, (false, false)),
            rng: Rng::new(0),
            root: NodeId::NONE,
            playouts: 0,
            most_playouts: 0,
            stretch_end: 0,
            nodes: 0,
            most_nodes: u64::MAX,
            root_visits: 0,
            path: Vec::new(),
            codes: Vec::new(),
            priors: Vec::new(),
            pending: Pending::default(),
            preferred: None,
            amaf: AmafTable::new(config),
            gumbel: None,
            root_offset: 0,
            identities: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// Removes every node, and what was learnt of it.
    pub(crate) fn clear(&mut self) {
        self.graph.clear();
        self.amaf.iter_mut().for_each(|amaf| amaf.clear());
    }

    /// Memory taken by nodes and what is learnt of them, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.graph.bytes() + self.amaf.as_ref().map_or(0, |amaf| amaf.bytes())
    }

    /// Removes every node and pending leaf.
    pub(crate) fn forget(&mut self) {
        self.clear();
        self.pending.clear();
        self.preferred = None;
        self.gumbel = None;
    }

    /// Playouts made or pending.
    pub(crate) fn spent(&self) -> u64 {
        self.playouts + self.pending.playouts()
    }

    /// Sets the limit on nodes of this search, in which at least one is made.
    pub(crate) fn limit_nodes(&mut self, most: Option<u64>) {
        self.most_nodes = most.unwrap_or(u64::MAX).max(1);
    }

    /// Whether a limit on nodes is reached, the children of pending leaves not counted.
    #[inline]
    pub(crate) fn has_all_nodes(&self) -> bool {
        self.nodes >= self.most_nodes
    }

    /// Whether the root is solved.
    #[inline]
    pub(crate) fn is_solved(&self) -> bool {
        self.graph.is_solved(self.root)
    }

    /// Sets the limits of a stretch of simulations.
    pub(crate) fn begin_stretch(&mut self, playouts: u64, most_playouts: u64) {
        let spent = self.spent();
        self.most_playouts = spent.saturating_add(most_playouts);
        self.root_visits = self.graph.total_visits(self.root) as u32;
        self.stretch_end = spent + playouts;
    }

    /// Ends the stretch after the simulation under way.
    pub(crate) fn end_stretch(&mut self) {
        self.stretch_end = 0;
    }

    /// Makes the node of a position from the moves just listed.
    #[inline(never)]
    pub(crate) fn add_node(&mut self, new: &Expansion) -> Option<NodeId> {
        let Tree { graph, params, codes, priors, path, pending, .. } = self;
        let node = new_node(params, new, codes, priors);
        let id = graph.add(&node, |id| path.iter().any(|step| step.edge.node == id) || pending.needs(id))?;
        self.mark_if_tightened(id, new);
        Some(id)
    }

    /// Flags a new node as tightened or solved if its bounds are tighter than the game's range.
    #[inline]
    pub(super) fn mark_if_tightened(&mut self, id: NodeId, new: &Expansion) {
        let Tree { graph, params, .. } = self;
        if params.proves() && new.bounds.are_tighter_than(params.unknown(new.offset), params.reward) {
            graph.tighten(id, new.bounds, new.bounds.decides(params.reward));
        }
    }

    /// Whether nodes keep priors.
    pub(crate) fn keeps_priors(&self) -> bool {
        self.graph.keeps().columns.has(Column::Prior)
    }

    /// The last step of the path.
    #[inline]
    pub(crate) fn last(&self) -> &PathStep {
        &self.path[self.path.len() - 1]
    }
}

/// The node to be made from moves with these `codes`.
#[inline]
pub(super) fn new_node<'a>(params: &Params, new: &Expansion, codes: &'a [u16], priors: &'a [f32]) -> NewNode<'a> {
    let unknown = params.unknown(new.offset);
    let child_bounds = match new.mover {
        Side::First => Packed::new(unknown.lower(), new.bounds.upper()),
        Side::Second => Packed::new(new.bounds.lower(), unknown.upper()),
    };
    NewNode { key: new.key, moves: codes, priors, own: new.own, bounds: new.bounds, child_bounds }
}
