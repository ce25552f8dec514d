//! The position to be searched: its node, and a look at what is one ply away.

use banyan_core::{Bounds, Game, Side};

use super::graph::{Edge, NodeId, Tally};
use super::search::{Expansion, Search};
use super::task::{Rules, Task};

impl<G: Game> Search<G> {
    /// Makes a root, which the evaluator gives its priors if there is one.
    pub(super) fn add_root(&mut self, task: &Task<'_, G>, key: u64) -> Option<NodeId> {
        let Task { game, rules, state, .. } = *task;
        let offset = rules.offset(game, state);
        self.path.clear();
        let bounds = self.list_moves(task, state, offset);
        // Which move attains what is assured at a glance is not known: a root believes its moves only.
        let bounds = bounds.unassured(game.to_move(state), rules.unknown(offset));
        if !self.has_policy() {
            self.guess_before_expansion(task, state);
            let expansion = Expansion { key, own: Tally::default(), bounds, mover: game.to_move(state), offset };
            let node = self.add_node(task, expansion)?;
            if rules.shared {
                self.note_visits(&rules, node, 0);
            }
            return Some(node);
        }
        self.batch.hold_root(*state, offset, &self.moves, bounds);
        self.ask_evaluator(game);
        let worth = self.worth_of(task, 0, offset);
        let node = self.node_with_policy(task, 0, Tally::default().with(worth.value), key);
        self.batch.clear();
        node
    }

    /// Looks one ply ahead at every move of a root: wins and losses in sight need no search.
    pub(super) fn look_around(&mut self, task: &Task<'_, G>) {
        let Task { game, rules, root, state, .. } = *task;
        let offset = rules.offset(game, state);
        let mover = game.to_move(state);
        for edge in self.graph.edges(root) {
            let mut next = *state;
            game.play(&mut next, self.graph.mv(edge));
            let below = rules.offset(game, &next);
            let seen = match game.result(&next) {
                Some(margin) => rules.to_go(Bounds::exact(margin), below),
                None => self.list_moves(task, &next, below),
            };
            let bounds = self.graph.edge_bounds(edge).and(seen.shifted(below - offset));
            self.graph.set_edge_bounds(edge, bounds);
        }
        let bounds = self.graph.bounds(root).unassured(mover, rules.unknown(offset));
        self.graph.set_bounds(root, bounds);
        self.reopen(&rules, root, mover);
        self.draw_conclusions(&rules, root, mover);
        let (len, tried) = self.graph.children(root);
        let mut next = tried;
        for index in tried..len {
            let edge = Edge { node: root, len: len as u32, index: index as u32 };
            if self.graph.edge_bounds(edge).is_no_better_than(self.graph.bounds(root), mover, rules.reward) {
                // Step by step, so that the others keep their order.
                (next..index).rev().for_each(|i| self.graph.swap_untried(root, i, i + 1));
                self.graph.close(Edge { index: next as u32, ..edge });
                self.graph.count_tried(root, 1);
                next += 1;
            }
        }
    }

    /// Opens the edges of a root that are closed only because its own bounds promised as much.
    fn reopen(&mut self, rules: &Rules, root: NodeId, mover: Side) {
        let of_children = self.graph.edges(root).map(|edge| self.graph.edge_bounds(edge));
        let assured = of_children.reduce(|a, b| a.best_of(b, mover)).expect("a root has moves");
        for edge in self.graph.edges(root) {
            let bounds = self.graph.edge_bounds(edge);
            if !self.graph.is_closed(edge) || bounds.is_no_better_than(assured, mover, rules.reward) {
                continue;
            }
            self.graph.open(edge);
            let tally = self.graph.tally(edge);
            if tally.visits == 0 {
                // Every open edge that has been tried has a visit.
                let value = bounds.clamp(self.graph.own(root).mean, rules.reward);
                self.graph.set_tally(edge, Tally::default().with(value));
                let (visits, exploration) = self.graph.shared_visits(root);
                self.graph.set_shared_visits(root, visits + 1, exploration);
            }
        }
    }
}
