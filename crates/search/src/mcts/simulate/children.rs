//! Batch evaluation of pending leaves and of all children of new nodes.

use banyan_core::{Answer, Game, LastMoves, Leaves, MoveCode, MoveList, SimulatedMove};

use super::context::Context;
use super::search::Search;
use crate::mcts::tree::NodeId;

impl<G: Game> Search<G> {
    /// Begins a new group.
    pub(crate) fn begin_group(&mut self) {
        self.group.clear();
        self.simulated.last_of_group.clear();
    }

    /// Adds pending leaf `i`, which is not terminal and has `visits` visits.
    pub(crate) fn add_leaf(&mut self, context: &Context<'_, G>, i: usize, visits: u32) {
        let (state, offset) = (&self.states[i], self.tree.pending.leaf(i).0);
        if self.needs_last_moves {
            self.simulated.last_of_group.push(self.simulated.last_of_pending[i]);
        }
        self.group.states.push(state.clone());
        self.group.visits.push(visits);
        self.group.positions.push((offset, None));
        if self.tree.params.has_bonus {
            self.group.bonuses.push(self.evaluator.bonus(context.game, state));
        }
    }

    /// Adds all children of a node, and the node itself if nodes are evaluated. The moves before the node are given if evaluations need
    /// them.
    pub(crate) fn add_children(
        &mut self,
        context: &Context<'_, G>,
        (node, last_moves): (NodeId, LastMoves),
        state: &G::State,
        offset: i16,
    ) {
        let Search { tree, group, evaluator, node_evaluator, knowledge, simulated, needs_last_moves, .. } = self;
        for &code in tree.graph.codes(node) {
            let (mut next, mv) = (state.clone(), G::Move::from_code(code));
            context.game.play(&mut next, mv);
            let result = context.game.result(&next);
            if result.is_none() {
                if *needs_last_moves {
                    simulated.last_of_group.push(last_moves.then(SimulatedMove::of(
                        context.game,
                        &**knowledge,
                        state,
                        mv,
                    )));
                }
                group.states.push(next.clone());
                group.visits.push(0);
            }
            group.positions.push((context.offset(&tree.params, &next), result));
            if tree.params.has_bonus {
                group.bonuses.push(evaluator.bonus(context.game, &next));
            }
        }
        if node_evaluator.is_some() {
            group.nodes.push(state.clone());
            group.node_offsets.push(offset);
        }
    }

    /// Evaluates the group: one call for all positions that are not terminal, one for all nodes.
    #[inline(never)]
    pub(crate) fn evaluate_group(&mut self, context: &Context<'_, G>) {
        let Search { tree, group, evaluator, node_evaluator, simulated, learns, needs_last_moves, .. } = self;
        group.answers.clear();
        group.answers.resize(group.states.len(), Answer::default());
        if !group.states.is_empty() {
            let mut leaves = Leaves::new(&group.states, &group.visits, &mut group.answers);
            if *learns {
                let n = group.states.len();
                simulated.played.resize_with(n.max(simulated.played.len()), MoveList::new);
                leaves = leaves.with_played(&mut simulated.played[..n]);
            }
            if *needs_last_moves {
                leaves = leaves.with_last_moves(&simulated.last_of_group);
            }
            evaluator.evaluate(context.game, &mut leaves, &mut tree.rng);
        }
        let mut answers = group.answers.iter();
        group.values.clear();
        group.values.extend(group.positions.iter().map(|&(offset, result)| {
            let value = match result {
                Some(margin) => tree.params.ended(margin, offset),
                None => tree.params.leaf_value(*answers.next().expect("an answer for each"), offset),
            };
            (offset, value)
        }));
        // Few evaluators have bonuses.
        group.values.iter_mut().zip(&group.bonuses).for_each(|((_, leaf), bonus)| leaf.value += bonus);
        if let Some(evaluator) = node_evaluator
            && !group.nodes.is_empty()
        {
            group.node_visits.resize(group.nodes.len(), 0);
            group.node_answers.clear();
            group.node_answers.resize(group.nodes.len(), Answer::default());
            let visits = &group.node_visits[..group.nodes.len()];
            let mut leaves = Leaves::new(&group.nodes, visits, &mut group.node_answers);
            evaluator.evaluate(context.game, &mut leaves, &mut tree.rng);
        }
    }

    /// Evaluates the group; if `at_horizon`, by the evaluator of positions at the horizon.
    pub(crate) fn evaluate_group_at(&mut self, context: &Context<'_, G>, at_horizon: bool) {
        if !at_horizon {
            return self.evaluate_group(context);
        }
        self.swap_evaluators();
        self.evaluate_group(context);
        self.swap_evaluators();
    }

    /// The value of the node evaluation of node `i` of the group: a reward relative to a draw from that node on.
    pub(crate) fn node_value(&self, i: usize) -> Option<f32> {
        let answer = self.group.node_answers.get(i).filter(|_| i < self.group.nodes.len())?;
        Some(self.tree.params.node_value(*answer, self.group.node_offsets[i]))
    }

    /// Evaluates all children of the new node at the end of the path at once.
    pub(crate) fn evaluate_children(&mut self, context: &Context<'_, G>, node: NodeId, state: &G::State, offset: i16) {
        self.begin_group();
        self.add_children(context, (node, self.simulated.last_moves), state, offset);
        self.evaluate_group_at(context, self.is_at_horizon(1));
        let Search { tree, group, .. } = self;
        tree.store_children(node, context.game.to_move(state), offset, &group.values);
        if self.learns {
            self.learn_from_group(context, (0, 0), Some(node));
        }
    }
}
