//! Static evaluations of children: an order of new children, a bonus that fades (progressive bias), and implicit minimax backups (Lanctot et
//! al. 2014), in which every edge keeps the minimax value of the static evaluations below it beside its mean.

use banyan_core::Side;

use super::columns::Column;
use super::graph::{Edge, NodeId};
use super::path::PathStep;
use super::search_tree::Tree;
use crate::options::ExpansionOrder;

impl Tree {
    /// Writes the static evaluations of the children of a new node at the end of the path, as rewards from the node on, and with
    /// `order=static` sorts the children by them.
    pub(crate) fn set_heuristics(&mut self, node: NodeId, mover: Side, value: impl Fn(usize) -> f32) {
        for (index, edge) in self.graph.edges(node).enumerate() {
            let value = value(index);
            self.graph.set_number(edge, Column::Heuristic, value);
            self.graph.set_number(edge, Column::Minimax, value);
        }
        if self.params.implicit > 0.0
            && let Some(&PathStep { edge, gain, .. }) = self.path.last()
        {
            let value = self.minimax_of(node, mover);
            self.graph.set_number(edge, Column::Minimax, value + f32::from(gain));
        }
        if self.params.order == ExpansionOrder::Static {
            let (sign, len) = (f32::from(mover.sign()), self.graph.len(node));
            let value = |tree: &Tree, index: usize| {
                let edge = Edge { node, len: len as u32, index: index as u32 };
                sign * tree.graph.number(edge, Column::Heuristic).expect("kept with this order")
            };
            for next in 0..len {
                // The negative index prefers the first of equals.
                let best = (next..len).max_by(|&a, &b| value(self, a).total_cmp(&value(self, b)).then(b.cmp(&a)));
                self.graph.swap_untried(node, next, best.expect("there is one"));
            }
        }
    }

    /// Gives every edge of the path but the last the minimax value of the node below it.
    #[cold]
    pub(crate) fn back_up_minimax(&mut self) {
        for depth in (1..self.path.len()).rev() {
            let below = self.path[depth];
            let value = self.minimax_of(below.edge.node, below.mover);
            let above = self.path[depth - 1];
            self.graph.set_number(above.edge, Column::Minimax, value + f32::from(above.gain));
        }
    }

    /// The minimax value of a node's edges, within their proven bounds.
    fn minimax_of(&self, node: NodeId, mover: Side) -> f32 {
        let value = |edge: Edge| {
            let value = self.graph.number(edge, Column::Minimax).expect("kept with these backups");
            let bounds = self.graph.edge_bounds(edge);
            if self.params.proves() { bounds.clamp(value, self.params.reward) } else { value }
        };
        let values = self.graph.edges(node).map(value);
        let best = match mover {
            Side::First => values.reduce(f32::max),
            Side::Second => values.reduce(f32::min),
        };
        best.expect("a node has children")
    }
}
