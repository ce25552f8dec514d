//! Leaves collected by several descents and evaluated together; a new node all of whose children are to be tried is a leaf
//! too, of as many playouts.
//!
//! While a leaf waits, its path counts a visit more on every edge ("unobserved" visits: Liu et al. 2020, WU-UCT), so that
//! the next descent looks elsewhere. Its value stays out until it is known; a child never seen before counts as its
//! siblings' mean meanwhile.

mod answers;

use std::ops::Range;

use banyan_core::{Bounds, Game};

use super::bounds::Packed;
use super::choices::{ExpansionWidth, Lazily};
use super::company::Company;
use super::descend::Found;
use super::graph::{Below, NodeId, Tally};
use super::search::{News, Search, Step, Worth};
use super::task::Task;

/// The leaves that wait.
pub(super) struct Batch<G: Game> {
    states: Vec<G::State>,
    offsets: Vec<i16>,
    /// The nodes whose children are to be tried; none for a leaf that is one position.
    nodes: Vec<Option<NodeId>>,
    /// Playouts that all will take.
    playouts: u64,
    /// Their paths, one after another, and where each ends.
    steps: Vec<Step>,
    ends: Vec<usize>,
    /// Their moves, where an evaluator gives policies, and what the moves prove.
    moves: Vec<G::Move>,
    move_ends: Vec<usize>,
    proven: Vec<Packed>,
    values: Vec<f32>,
    bounds: Vec<Option<Bounds>>,
    policies: Vec<f32>,
    /// Priors of the node to be made next.
    pub(super) priors: Vec<f32>,
    /// Whether a descent met a leaf that waits.
    blocked: bool,
}

impl<G: Game> Default for Batch<G> {
    fn default() -> Batch<G> {
        Batch {
            states: Vec::new(),
            offsets: Vec::new(),
            nodes: Vec::new(),
            playouts: 0,
            steps: Vec::new(),
            ends: Vec::new(),
            moves: Vec::new(),
            move_ends: Vec::new(),
            proven: Vec::new(),
            values: Vec::new(),
            bounds: Vec::new(),
            policies: Vec::new(),
            priors: Vec::new(),
            blocked: false,
        }
    }
}

impl<G: Game> Batch<G> {
    /// Whether something that waits needs a node to stay.
    pub(super) fn needs(&self, node: NodeId) -> bool {
        self.steps.iter().any(|step| step.edge.node == node) || self.awaits_children(node)
    }

    /// Whether a node waits for its children to be tried.
    pub(super) fn awaits_children(&self, node: NodeId) -> bool {
        self.nodes.contains(&Some(node))
    }

    /// Priors of the node to be made next; none where none are kept.
    pub(super) fn priors(&self) -> &[f32] {
        &self.priors
    }

    /// How many leaves wait.
    pub(super) fn waiting(&self) -> u64 {
        self.states.len() as u64
    }

    /// How many playouts they will take.
    pub(super) fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Has a root wait alone, with its moves and what they prove.
    pub(super) fn hold_root(&mut self, state: G::State, offset: i16, moves: &[G::Move], proven: Packed) {
        self.clear();
        self.push(state, offset, None, 1);
        self.proven.push(proven);
        self.moves.extend_from_slice(moves);
        self.move_ends.push(moves.len());
    }

    /// Has a position wait, or a node of it all of whose children are to be tried.
    fn push(&mut self, state: G::State, offset: i16, node: Option<NodeId>, playouts: u64) {
        self.states.push(state);
        self.offsets.push(offset);
        self.nodes.push(node);
        self.playouts += playouts;
    }

    /// Forgets what waits.
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.offsets.clear();
        self.nodes.clear();
        self.playouts = 0;
        self.steps.clear();
        self.ends.clear();
        self.moves.clear();
        self.move_ends.clear();
        self.proven.clear();
        self.blocked = false;
    }

    /// The leaf that began to wait last, and from where its values count.
    pub(super) fn last(&self) -> (G::State, i16) {
        let last = self.states.len() - 1;
        (self.states[last], self.offsets[last])
    }

    /// Whether the last descent met a leaf that waits.
    pub(super) fn take_blocked(&mut self) -> bool {
        std::mem::take(&mut self.blocked)
    }

    /// Leaf `i`: its position, and its node if all its children are to be tried.
    pub(super) fn leaf(&self, i: usize) -> (G::State, Option<NodeId>) {
        (self.states[i], self.nodes[i])
    }

    /// Forgets leaf `i`, which is one position that no policy belongs to.
    pub(super) fn remove(&mut self, i: usize) {
        let steps = Self::range(&self.ends, i);
        self.ends.iter_mut().skip(i).for_each(|end| *end -= steps.len());
        self.steps.drain(steps);
        self.ends.remove(i);
        self.move_ends.remove(i);
        self.states.remove(i);
        self.offsets.remove(i);
        self.nodes.remove(i);
        self.playouts -= 1;
        self.blocked = false;
    }

    fn range(ends: &[usize], i: usize) -> Range<usize> {
        let begin = if i == 0 { 0 } else { ends[i - 1] };
        begin..ends[i]
    }
}

impl<G: Game> Search<G> {
    /// Whether an evaluator gives priors, so that positions get their nodes when they are evaluated.
    #[inline(always)]
    pub(super) fn has_policy(&self) -> bool {
        self.graph.keeps().priors && self.evaluator.is_some()
    }

    /// Simulates until there are `target` playouts, those counted that wait, or the root is decided. What waits goes on
    /// waiting unless this is the `last` stretch: how a search is cut into stretches must not matter.
    #[inline(never)]
    pub(super) fn simulate_in_batches<C: Company<G>>(
        &mut self,
        task: &Task<'_, G>,
        company: &mut C,
        target: u64,
        last: bool,
    ) {
        loop {
            let done = self.spent() >= target || self.graph.is_settled(task.root);
            if last && done || self.batch.waiting() >= u64::from(task.config.batch) || self.batch.blocked {
                self.flush(task, company);
            }
            // What was evaluated may have settled the root.
            if done || self.graph.is_settled(task.root) {
                return;
            }
            self.advance(task, company);
        }
    }

    /// One descent, backed up unless its leaf waits now or it met one that does.
    #[inline(always)]
    pub(super) fn advance<C: Company<G>>(&mut self, task: &Task<'_, G>, company: &mut C) {
        let news = match self.descend::<C, false>(task, company) {
            Found::Proven(worth) => Some(self.news_of_leaf(worth)),
            Found::Settled(node) => Some(self.news_of_settled(&task.rules, node)),
            Found::Leaf { state, offset } => self.queue(task, company, state, offset),
            Found::Expanded { node, state, offset } if task.config.batch > 1 => {
                self.queue_children(task, company, node, state, offset)
            }
            Found::Expanded { node, state, offset } => {
                self.try_all_children(task, node, &state, offset);
                Some(self.news_of_children(task, node, &state, 0))
            }
            Found::Waiting => {
                self.batch.blocked = true;
                None
            }
        };
        if let Some(news) = news {
            self.back_up(task, company, news);
        }
    }

    /// Lets the leaf at the end of the path wait, unless its moves prove what it is worth.
    #[inline(always)]
    fn queue(
        &mut self,
        task: &Task<'_, G>,
        company: &mut impl Company<G>,
        state: G::State,
        offset: i16,
    ) -> Option<News> {
        let again = self.resampled(task, &state);
        if again.is_some() && self.batch.states.contains(&state) {
            self.batch.blocked = true;
            return None;
        }
        if self.has_policy() {
            let proven = self.list_moves(task, &state, offset);
            self.expect_reply(task, &state);
            if let Some(worth) = task.rules.settled(proven) {
                return Some(self.news_of_leaf(worth));
            }
            self.batch.moves.extend_from_slice(&self.moves);
            self.batch.proven.push(proven);
        }
        self.count_unobserved(task, company, again);
        if again.is_none() {
            self.graph.set_below(self.path[self.path.len() - 1].edge, Below::Waiting);
        }
        self.hold(state, offset, None, 1);
        None
    }

    /// Whether a node waits for all its children to be tried. Most have tried some, so the batch is seldom looked through.
    #[inline(always)]
    pub(super) fn awaits_children(&self, node: NodeId) -> bool {
        self.graph.children(node).1 == 0 && self.batch.awaits_children(node)
    }

    /// Lets the new node at the end of the path wait for all its children to be tried.
    #[inline(always)]
    fn queue_children(
        &mut self,
        task: &Task<'_, G>,
        company: &mut impl Company<G>,
        node: NodeId,
        state: G::State,
        offset: i16,
    ) -> Option<News> {
        self.count_unobserved(task, company, None);
        self.hold(state, offset, Some(node), self.graph.len(node) as u64);
        None
    }

    /// Has the leaf at the end of the path wait.
    fn hold(&mut self, state: G::State, offset: i16, node: Option<NodeId>, playouts: u64) {
        let Search { batch, path, .. } = self;
        batch.push(state, offset, node, playouts);
        batch.move_ends.push(batch.moves.len());
        batch.steps.extend_from_slice(path);
        batch.ends.push(batch.steps.len());
    }

    /// The node at the end of the path, if that is to be valued once more although it is no leaf.
    #[inline(always)]
    fn resampled(&self, task: &Task<'_, G>, state: &G::State) -> Option<NodeId> {
        let may_be = task.config.lazy > 0.0 && task.config.lazily == Lazily::Resample;
        may_be.then(|| self.child(task, self.path[self.path.len() - 1].edge, state)).flatten()
    }

    /// Counts a visit more on every edge of the path, and of the node at its end if there is one.
    #[inline(always)]
    fn count_unobserved(&mut self, task: &Task<'_, G>, company: &mut impl Company<G>, again: Option<NodeId>) {
        for i in 0..self.path.len() {
            let step = self.path[i];
            let mut tally = self.graph.tally(step.edge);
            if tally.visits == 0 && step.weight > 0.0 {
                tally.mean = step.sum / step.weight;
            }
            self.graph.set_tally(step.edge, Tally { visits: tally.visits + 1, ..tally });
            if task.rules.shared {
                self.note_visits(&task.rules, step.edge.node, step.visits + 1);
            }
            company.wrote(self, &task.rules, step);
        }
        self.root_visits += 1;
        if let Some(node) = again.filter(|_| task.rules.shared) {
            let visits = self.graph.shared_visits(node).0;
            self.note_visits(&task.rules, node, visits + 1);
        }
    }

    /// Evaluates all leaves that wait and backs them up in the order they were found in.
    #[inline(always)]
    fn flush(&mut self, task: &Task<'_, G>, company: &mut impl Company<G>) {
        let n = self.batch.states.len();
        if n == 0 {
            return;
        }
        let by_evaluator = self.ask_evaluator(task.game);
        let by_lines = !by_evaluator && task.rules.together;
        if by_lines || task.config.expand != ExpansionWidth::One {
            self.list_waiting(task.game);
        }
        if by_lines {
            self.play_out_children(task);
        }
        let mut line = 0;
        for i in 0..n {
            let (state, offset) = (self.batch.states[i], self.batch.offsets[i]);
            self.take_up(i);
            if let Some(node) = self.batch.nodes[i] {
                self.take_in_children(task, node, &state, offset, line);
                line += self.graph.len(node);
                // One visit has been counted when it began to wait.
                let news = self.news_of_children(task, node, &state, 1);
                self.refresh_path();
                self.back_up(task, company, news);
                continue;
            }
            line += 1;
            let worth = if by_evaluator {
                self.worth_of(task, i, offset)
            } else if by_lines {
                self.worth_played_out(task, line - 1, offset)
            } else {
                // The visits have been counted when it began to wait.
                let visits = self.graph.tally(self.path[self.path.len() - 1].edge).visits - 1;
                self.evaluate(task, state, offset, visits)
            };
            self.settle(task, company, i, worth);
        }
        self.batch.clear();
    }

    /// Makes the path of leaf `i` the current one.
    #[inline(always)]
    pub(super) fn take_up(&mut self, i: usize) {
        self.path.clear();
        self.path.extend_from_slice(&self.batch.steps[Batch::<G>::range(&self.batch.ends, i)]);
    }

    /// Backs up what leaf `i` is worth, whose path is the current one.
    #[inline(always)]
    pub(super) fn settle(&mut self, task: &Task<'_, G>, company: &mut impl Company<G>, i: usize, worth: Worth) {
        let state = self.batch.states[i];
        let Step { edge, gain, .. } = self.path[self.path.len() - 1];
        self.playouts += 1;
        let news = if let Some(node) = self.resampled(task, &state) {
            self.news_of_node(&task.rules, node, task.game.to_move(&state), worth)
        } else {
            self.graph.set_below(edge, Below::Leaf);
            let counted = self.graph.tally(edge);
            let tally = Tally { visits: counted.visits - 1, ..counted }.with(worth.value + f32::from(gain));
            if self.has_policy() {
                self.add_with_policy(task, i, tally, worth);
            }
            News { tally, bounds: worth.bounds, made: 0 }
        };
        self.refresh_path();
        self.back_up(task, company, news);
    }
}
