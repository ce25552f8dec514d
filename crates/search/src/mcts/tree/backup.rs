//! Backup: every node on the path gets the value that follows from its children.
//!
//! Values are recomputed, never incremented: for shared nodes that is what makes graph search sound (KataGo,
//! GraphSearch), and single precision stays exact enough for any number of visits. Pruned children, whose outcome is
//! proven or cannot matter, are excluded; the proven bounds of the node limit its value instead.

use banyan_core::Side;

use super::access::Access;
use super::bounds::Packed;
use super::columns::Column;
use super::graph::{Edge, EdgeStats, NodeId};
use super::params::LeafValue;
use super::path::PathStep;
use super::search_tree::Tree;
use super::select::{exploration, weighted_sum};
use crate::options::{ExpansionWidth, NodeInit};

/// The result of a descent, as the statistics of the last edge of the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackupUpdate {
    pub(crate) stats: EdgeStats,
    /// Bounds from the position on that the edge leads to.
    pub(crate) bounds: Option<Packed>,
    /// Visits made, which are added to every edge above.
    pub(crate) made: u32,
}

/// The value of a node as its parent reads it.
#[derive(Clone, Copy)]
struct Child {
    mean: f32,
    square: f32,
    /// Bounds that may have been tightened.
    bounds: Option<Packed>,
}

impl Child {
    #[inline(always)]
    fn stats(self, visits: u32) -> EdgeStats {
        EdgeStats { visits, mean: self.mean, square: self.square }
    }
}

impl Tree {
    /// The update by a leaf at the end of the path: one playout.
    #[inline]
    pub(crate) fn update_of_leaf(&self, leaf: LeafValue) -> BackupUpdate {
        let step = self.last();
        let stats = self.graph.stats(step.edge).with(leaf.value + f32::from(step.gain));
        BackupUpdate { stats, bounds: leaf.bounds, made: 1 }
    }

    /// The update by a solved node at the end of the path.
    pub(crate) fn update_of_solved(&self, node: NodeId) -> BackupUpdate {
        let step = self.last();
        let bounds = self.graph.bounds(node);
        let mean = bounds.clamp(0.0, self.params.reward);
        let child = Child { mean, square: mean * mean, bounds: Some(bounds) };
        let visits = self.graph.visits_of(step.edge);
        BackupUpdate { stats: child.stats(visits).after(step.gain), bounds: Some(bounds), made: 0 }
    }

    /// Publishes the node at the end of the path, all of whose children have just been evaluated; returns the update by
    /// it. `node_value` is the value of the node evaluation: a reward relative to a draw from this node on. `counted`
    /// visits were added to the path before.
    pub(crate) fn complete(
        &mut self,
        access: &mut impl Access,
        node: NodeId,
        mover: Side,
        (node_value, counted): (Option<f32>, u32),
    ) -> BackupUpdate {
        let update = self.update_of_children(node, node_value, counted);
        let Some(other) = access.publish_node(self, self.last().edge, node, mover) else { return update };
        // The values are dropped; the visits stay with the edge.
        let stats = self.stats_now(other, update.stats.visits).after(self.last().gain);
        let bounds = self.graph.is_tightened(other).then(|| self.graph.bounds(other));
        BackupUpdate { stats, bounds, ..update }
    }

    /// The update by the node at the end of the path, all of whose children have just been evaluated.
    fn update_of_children(&mut self, node: NodeId, node_value: Option<f32>, counted: u32) -> BackupUpdate {
        let step = *self.last();
        let playouts = self.graph.len(node) as u32;
        let made = if self.params.expand == ExpansionWidth::EvalChildren { 1 } else { playouts } - counted;
        // The backup counts one for each visit.
        self.playouts += u64::from(playouts - made);
        let visits = self.graph.visits_of(step.edge) + made;
        let child = self.initial_value(node, node_value, visits);
        BackupUpdate { stats: child.stats(visits).after(step.gain), bounds: child.bounds, made }
    }

    /// The update by a node at the end of the path that was evaluated once more; its visit is already counted.
    pub(crate) fn update_of_node(&mut self, node: NodeId, mover: Side, leaf: LeafValue) -> BackupUpdate {
        let step = *self.last();
        self.graph.set_own(node, self.graph.own(node).with(leaf.value));
        let old = self.graph.bounds(node);
        let new = leaf.bounds.map_or(old, |bounds| old.and(bounds));
        if new != old {
            self.graph.tighten(node, new, new.decides(self.params.reward));
            self.propagate_bounds(node, mover);
        }
        let shared_visits = if self.params.shared { self.graph.shared_visits(node).0 } else { 0 };
        let child = self.mean_of_edges(node, shared_visits);
        self.graph.touch(node);
        let visits = self.graph.visits_of(step.edge);
        BackupUpdate { stats: child.stats(visits).after(step.gain), bounds: child.bounds, made: 0 }
    }

    /// Writes the update to the last edge of the path, and recomputes every node above.
    #[inline(never)]
    pub(crate) fn back_up(&mut self, access: &mut impl Access, update: BackupUpdate) {
        let BackupUpdate { mut stats, mut bounds, made } = update;
        for depth in (0..self.path.len()).rev() {
            let step = self.path[depth];
            if bounds.is_some() {
                access.fetch_bounds(self, step.edge, true);
            }
            let child = self.update(&step, stats, bounds, made);
            access.wrote(self, &step);
            if depth == 0 {
                break;
            }
            let above = self.path[depth - 1];
            let visits = self.graph.visits_of(above.edge) + made;
            stats = child.stats(visits).after(above.gain);
            bounds = child.bounds;
        }
        self.playouts += u64::from(made);
        self.root_visits += made;
        if self.params.implicit > 0.0 {
            self.back_up_minimax();
        }
    }

    /// Writes one edge and recomputes its node.
    #[inline(always)]
    fn update(&mut self, step: &PathStep, stats: EdgeStats, bounds: Option<Packed>, made: u32) -> Child {
        let edge = step.edge;
        let node = edge.node;
        self.graph.set_stats(edge, stats);
        let mut n = stats.visits as f32;
        let PathStep { mut weight, mut sum, .. } = *step;
        let tightened = bounds.is_some_and(|bounds| self.tighten_edge(step, bounds.shifted(step.gain)));
        let pruned = self.params.proves() && self.graph.is_pruned(edge);
        if tightened || pruned {
            // Other edges may have been pruned; and if most of the weight is removed, the difference is mostly rounding
            // error.
            (weight, sum) = self.without_edge_by_scan(edge);
        }
        if pruned {
            n = 0.0;
        }
        weight += n;
        let edge_mean = if weight > 0.0 { (sum + n * stats.mean) / weight } else { stats.mean };
        let child = self.store_value(node, edge_mean, step.visits + made);
        self.graph.touch(node);
        child
    }

    /// A node's value within its proven bounds, where its edges have the mean `edge_mean`; stores the parts that the node's head keeps.
    #[inline(always)]
    fn store_value(&mut self, node: NodeId, edge_mean: f32, visits: u32) -> Child {
        let tightened = self.params.proves() && self.graph.is_tightened(node);
        let bounds = tightened.then(|| self.graph.bounds(node));
        let mean = bounds.map_or(edge_mean, |bounds| bounds.clamp(edge_mean, self.params.reward));
        let keeps_squares = self.graph.keeps().columns.has(Column::Square);
        let square = if keeps_squares { self.mean_square(node) } else { 0.0 };
        if self.params.shared {
            self.note_visits(node, visits);
        }
        if keeps_squares {
            self.graph.set_value(node, edge_mean, square);
        }
        Child { mean, square, bounds }
    }

    /// A node's mean square, from its own evaluations and its children that are not pruned.
    fn mean_square(&self, node: NodeId) -> f32 {
        let own = self.graph.own(node);
        let (mut n, mut sum) = (own.visits as f32, own.visits as f32 * own.square);
        for edge in self.graph.edges(node).filter(|&edge| !self.graph.is_pruned(edge)) {
            let stats = self.graph.stats(edge);
            n += stats.visits as f32;
            sum += stats.visits as f32 * stats.square;
        }
        if n > 0.0 { sum / n } else { 0.0 }
    }

    /// Tightens the bounds of an edge and, as a consequence, of its node. Returns whether anything may have changed.
    fn tighten_edge(&mut self, step: &PathStep, bounds: Packed) -> bool {
        let old = self.graph.edge_bounds(step.edge);
        let new = old.and(bounds);
        // Two threads may have tightened bounds at once without either having propagated both, so pruned edges
        // propagate again.
        if new != old || self.graph.is_pruned(step.edge) {
            self.graph.set_edge_bounds(step.edge, new);
            self.propagate_bounds(step.edge.node, step.mover);
            return true;
        }
        if new.is_no_better_than(self.graph.bounds(step.edge.node), step.mover, self.params.reward) {
            self.graph.prune(step.edge);
        }
        false
    }

    /// Tightens a node's bounds to those that follow from its children, and prunes children that need no more search:
    /// their reward is certain, or cannot be better than the one another child assures.
    pub(crate) fn propagate_bounds(&mut self, node: NodeId, mover: Side) {
        let of_children = self.graph.edges(node).map(|edge| self.graph.edge_bounds(edge));
        let best = of_children.reduce(|a, b| a.best_of(b, mover)).expect("a node has children");
        let old = self.graph.bounds(node);
        let new = old.and(best);
        let solved = new.decides(self.params.reward);
        if new != old || solved && !self.graph.is_solved(node) {
            self.graph.tighten(node, new, solved);
        }
        let tried = self.graph.children(node).1;
        for edge in self.graph.edges(node).take(tried) {
            if self.graph.edge_bounds(edge).is_no_better_than(new, mover, self.params.reward) {
                self.graph.prune(edge);
            }
        }
    }

    /// The initial value of a node all of whose children have just been evaluated.
    fn initial_value(&mut self, node: NodeId, node_value: Option<f32>, visits: u32) -> Child {
        let mut own = self.graph.own(node);
        let evaluates_children = self.params.expand == ExpansionWidth::EvalChildren;
        if evaluates_children || self.params.start == NodeInit::Children {
            let len = self.graph.len(node) as f32;
            let all = || self.graph.edges(node).map(|edge| self.graph.stats(edge));
            let mut mean = all().map(|stats| stats.mean).sum::<f32>() / len;
            let mut square = all().map(|stats| stats.square).sum::<f32>() / len;
            if let Some(node_value) = node_value {
                let raised = mean + self.params.node_eval * node_value;
                let raised = self.graph.bounds(node).clamp(raised, self.params.reward);
                // The variance is unchanged.
                square += raised * raised - mean * mean;
                mean = raised;
            }
            // A node recycled and made again has own evaluations that outweigh one playout per child.
            if own.visits <= self.params.expand_at {
                own = EdgeStats { visits: own.visits, mean, square };
            }
            if evaluates_children {
                own = EdgeStats { visits: 1, mean, square }.and(own);
            }
            self.graph.set_own(node, own);
        }
        self.mean_of_edges(node, visits)
    }

    /// The value of a node from all its edges and its own evaluations.
    fn mean_of_edges(&mut self, node: NodeId, visits: u32) -> Child {
        let (len, tried) = self.graph.children(node);
        let own = self.graph.own(node);
        let (weight, sum) = weighted_sum(self.graph.visits(node, len), self.graph.means(node, len), tried);
        let n = own.visits as f32;
        let edge_mean = (sum + n * own.mean) / (weight + n);
        self.store_value(node, edge_mean, visits)
    }

    /// Stores the visits of a shared node.
    #[inline(always)]
    pub(crate) fn note_visits(&mut self, node: NodeId, visits: u32) {
        self.graph.set_shared_visits(node, visits, exploration(self.params.factor, visits.max(1)));
    }

    /// Recomputes the sums beside the path's edges, which other descents may have changed.
    pub(crate) fn refresh_path(&mut self) {
        for i in 0..self.path.len() {
            let edge = self.path[i].edge;
            (self.path[i].weight, self.path[i].sum) = self.without_edge(edge);
            if self.graph.keeps().shared {
                self.path[i].visits = self.graph.shared_visits(edge.node).0;
            }
        }
    }

    /// The rewards of an edge's node without those of the edge: their number and sum.
    #[inline(always)]
    fn without_edge(&self, edge: Edge) -> (f32, f32) {
        let graph = &self.graph;
        let (len, tried) = graph.children(edge.node);
        let (visits, means) = (graph.visits(edge.node, len), graph.means(edge.node, len));
        let (weight, sum) = weighted_sum(visits, means, tried);
        let own = graph.own(edge.node);
        let n = if graph.is_pruned(edge) { 0.0 } else { graph.visits_of(edge) as f32 };
        (own.visits as f32 + weight - n, own.visits as f32 * own.mean + sum - n * graph.mean_of(edge))
    }

    /// The rewards of an edge's node without those of the edge, by a scan over all edges, for rare cases.
    #[cold]
    fn without_edge_by_scan(&self, edge: Edge) -> (f32, f32) {
        let graph = &self.graph;
        let own = graph.own(edge.node);
        let others = graph.edges(edge.node).filter(|&other| other != edge && !graph.is_pruned(other));
        let all = others.map(|other| graph.stats(other)).chain([own]);
        all.fold((0.0, 0.0), |(weight, sum), stats| {
            let n = stats.visits as f32;
            (weight + n, sum + n * stats.mean)
        })
    }

    /// The statistics of an edge with `visits` visits that leads to a node, recomputed from the node's edges.
    pub(crate) fn stats_now(&self, node: NodeId, visits: u32) -> EdgeStats {
        let keeps_squares = self.graph.keeps().columns.has(Column::Square);
        let square = if keeps_squares { self.mean_square(node) } else { 0.0 };
        EdgeStats { visits, mean: self.mean_now(node), square }
    }

    /// A node's current value, recomputed from its edges, for reports.
    pub(crate) fn mean_now(&self, node: NodeId) -> f32 {
        let own = self.graph.own(node);
        let open = self.graph.edges(node).filter(|&edge| !self.graph.is_pruned(edge));
        let all = open.map(|edge| self.graph.stats(edge)).chain([own]);
        let (n, sum) = all.fold((0.0, 0.0), |(n, sum), stats| {
            let visits = f64::from(stats.visits);
            (n + visits, sum + visits * f64::from(stats.mean))
        });
        let mean = if n > 0.0 { (sum / n) as f32 } else { 0.0 };
        if self.params.proves() { self.graph.bounds(node).clamp(mean, self.params.reward) } else { mean }
    }
}
