//! What an evaluator says about the leaves that wait, and the nodes that get its priors.

use banyan_core::{Game, Leaves};

use super::Batch;
use crate::mcts::choices::Reward;
use crate::mcts::graph::{Below, NodeId, Tally};
use crate::mcts::priors::sort_by_prior;
use crate::mcts::search::{Expansion, Search, Step, Worth};
use crate::mcts::task::Task;

impl<G: Game> Search<G> {
    /// Has the evaluator value all leaves that wait; `false` if there is none.
    pub(in crate::mcts) fn ask_evaluator(&mut self, game: &G) -> bool {
        let Some(evaluator) = &mut self.evaluator else { return false };
        let batch = &mut self.batch;
        let n = batch.states.len();
        for list in [&mut batch.values, &mut batch.policies] {
            list.clear();
        }
        batch.values.resize(n, 0.0);
        batch.bounds.clear();
        batch.bounds.resize(n, None);
        batch.policies.resize(batch.moves.len(), 1.0);
        let answers = (&mut batch.values[..], &mut batch.bounds[..], &mut batch.policies[..]);
        evaluator.evaluate(game, &mut Leaves::new(&batch.states, (&batch.moves, &batch.move_ends), answers));
        true
    }

    /// What the evaluator said about leaf `i`.
    pub(in crate::mcts) fn worth_of(&self, task: &Task<'_, G>, i: usize, offset: i16) -> Worth {
        let rules = task.rules;
        let value = self.batch.values[i] - if rules.reward == Reward::Margin { f32::from(offset) } else { 0.0 };
        let possible = rules.unknown(offset);
        let bounds = self.batch.bounds[i].filter(|_| rules.proves()).map(|bounds| rules.to_go(bounds, offset));
        let bounds = bounds.filter(|&bounds| bounds.meets(possible));
        Worth { value: bounds.unwrap_or(possible).clamp(value, rules.reward), bounds }
    }

    /// Makes the node of leaf `i`, whose path is the current one, with the priors of the evaluator.
    pub(super) fn add_with_policy(&mut self, task: &Task<'_, G>, i: usize, tally: Tally, worth: Worth) {
        let Step { edge, gain, .. } = self.path[self.path.len() - 1];
        let state = self.batch.states[i];
        if let Some(bounds) = worth.bounds {
            self.batch.proven[i] = self.batch.proven[i].and(bounds);
        }
        let node = self.node_with_policy(task, i, tally.before(gain), self.child_key(task, edge, &state));
        if let Some(node) = node {
            self.graph.set_below(edge, Below::Node(node));
        }
    }

    /// The node of leaf `i`, made if it is not there, with `own` evaluations.
    pub(in crate::mcts) fn node_with_policy(
        &mut self,
        task: &Task<'_, G>,
        i: usize,
        own: Tally,
        key: u64,
    ) -> Option<NodeId> {
        if let Some(node) = task.rules.shared.then(|| self.graph.find(key)).flatten() {
            return Some(node);
        }
        let range = Batch::<G>::range(&self.batch.move_ends, i);
        let sane = |p: f32| if p.is_finite() { f64::from(p.max(0.0)) } else { 0.0 };
        let sum: f64 = self.batch.policies[range.clone()].iter().map(|&p| sane(p)).sum();
        let even = 1.0 / range.len() as f32;
        let prior = |p: f32| if sum > 0.0 { (sane(p) / sum) as f32 } else { even };
        self.moves.clear();
        self.moves.extend_from_slice(&self.batch.moves[range.clone()]);
        self.batch.priors.clear();
        self.batch.priors.extend(range.map(|at| prior(self.batch.policies[at])));
        sort_by_prior(&mut self.moves, &mut self.batch.priors);
        let state = self.batch.states[i];
        let (bounds, offset) = (self.batch.proven[i], self.batch.offsets[i]);
        let mover = task.game.to_move(&state);
        let node = self.add_node(task, Expansion { key, own, bounds, mover, offset });
        if let Some(node) = node.filter(|_| task.rules.shared) {
            self.note_visits(&task.rules, node, own.visits);
        }
        self.batch.priors.clear();
        node
    }
}
