//! What all threads together have learnt about the nodes passed most.

use std::collections::HashSet;

use banyan_core::Game;

use crate::mcts::graph::{NodeId, Tally};
use crate::mcts::search::Search;
use crate::mcts::task::Task;

impl<G: Game> Search<G> {
    /// Works out anew what follows for the root, for its edges and all others with so many visits, from what lies below
    /// them: each thread wrote what followed from its own copies. Nodes `done` are left as they are.
    pub(super) fn agree(
        &mut self,
        task: &Task<'_, G>,
        (node, state): (NodeId, &G::State),
        least: u32,
        done: &mut HashSet<u32>,
    ) {
        if !done.insert(node.0) {
            return;
        }
        let Task { game, rules, .. } = *task;
        for edge in self.graph.edges(node) {
            let tally = self.graph.tally(edge);
            if tally.visits < least && node != task.root {
                continue;
            }
            let mut below = *state;
            game.play(&mut below, self.graph.mv(edge));
            let Some(child) = self.child(task, edge, &below) else { continue };
            if tally.visits >= least {
                self.agree(task, (child, &below), least, done);
            }
            let gain = rules.offset(game, &below) - rules.offset(game, state);
            let mean = self.mean_now(&rules, child) + f32::from(gain);
            self.graph.set_tally(edge, Tally { mean, ..tally });
            let bounds = self.graph.edge_bounds(edge);
            let both = bounds.and(self.graph.bounds(child).shifted(gain));
            if rules.proves() && both != bounds {
                self.graph.set_edge_bounds(edge, both);
                self.draw_conclusions(&rules, node, game.to_move(state));
            }
        }
    }
}
