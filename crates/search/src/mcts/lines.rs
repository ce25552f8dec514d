//! Playouts as the game guides them, from many positions at once: games may play them side by side in vector lanes.

use banyan_core::{Bounds, Game, Guided, Margin, MoveList, Rng};

use super::choices::ExpansionWidth;
use super::graph::{Edge, NodeId, Tally};
use super::search::{Search, Worth};
use super::task::{Rules, Task};

/// How positions ended that were played out together.
#[derive(Default)]
pub(super) struct Lines(Vec<Guided>);

impl Lines {
    /// Plays out all of `states`.
    #[inline(never)]
    fn play_out<G: Game>(
        &mut self,
        states: &[G::State],
        task: &Task<'_, G>,
        rng: &mut Rng,
        scratch: &mut MoveList<G::Move>,
    ) {
        self.0.resize(states.len(), Guided::new(Margin::DRAW, Bounds::exact(Margin::DRAW)));
        let (game, rules) = (task.game, task.config.playout_rules);
        game.guided_playouts(states, rules, rng, scratch, &mut self.0);
    }
}

/// What a line is worth, and what it proves if it `may`.
#[inline(always)]
pub(super) fn worth_of_line(rules: &Rules, line: Guided, offset: i16, may: bool) -> Worth {
    let bounds = (may && rules.proves()).then(|| rules.to_go(line.proven, offset));
    let value = rules.reward_to_go(line.margin, offset);
    Worth { value: bounds.map_or(value, |bounds| bounds.clamp(value, rules.reward)), bounds }
}

impl<G: Game> Search<G> {
    /// Lists all leaves that wait, and of nodes that wait all children.
    pub(super) fn list_waiting(&mut self, game: &G) {
        self.children.clear();
        for i in 0..self.batch.waiting() as usize {
            let (state, node) = self.batch.leaf(i);
            match node {
                Some(node) => self.list_children(game, node, &state),
                None => self.children.push(state),
            }
        }
    }

    /// Plays out what is listed, where that is all there is to a leaf; what is over has its result for a line.
    pub(super) fn play_out_children(&mut self, task: &Task<'_, G>) {
        let Search { children, lines, rng, scratch, .. } = self;
        lines.play_out(children, task, rng, scratch);
    }

    /// What the position is worth that was played out as number `line`.
    #[inline(always)]
    pub(super) fn worth_played_out(&self, task: &Task<'_, G>, line: usize, offset: i16) -> Worth {
        worth_of_line(&task.rules, self.lines.0[line], offset, true)
    }

    /// Appends the positions after every move of a node.
    fn list_children(&mut self, game: &G, node: NodeId, state: &G::State) {
        let Search { graph, children, .. } = self;
        children.extend(graph.moves(node).iter().map(|&mv| {
            let mut next = *state;
            game.play(&mut next, mv);
            next
        }));
    }

    /// Gives every child of a new node one playout, now.
    pub(super) fn try_all_children(&mut self, task: &Task<'_, G>, node: NodeId, state: &G::State, offset: i16) {
        self.children.clear();
        self.list_children(task.game, node, state);
        if task.rules.together {
            self.play_out_children(task);
        }
        self.take_in_children(task, node, state, offset, 0);
    }

    /// Gives every child of a new node what its playout is worth: the children are listed from number `from` on, and played
    /// out if playouts are made together.
    pub(super) fn take_in_children(
        &mut self,
        task: &Task<'_, G>,
        node: NodeId,
        state: &G::State,
        offset: i16,
        from: usize,
    ) {
        let Task { game, rules, .. } = *task;
        let len = self.graph.len(node);
        // Scouts are worth one visit together.
        let visits = if task.config.expand == ExpansionWidth::Scout { 0 } else { 1 };
        for index in 0..len {
            let edge = Edge { node, len: len as u32, index: index as u32 };
            let next = self.children[from + index];
            let below = rules.offset(game, &next);
            let gain = below - offset;
            let worth = match game.result(&next) {
                Some(margin) => Worth {
                    value: rules.reward_to_go(margin, below),
                    bounds: rules.proves().then(|| rules.to_go(Bounds::exact(margin), below)),
                },
                None if rules.together => self.worth_played_out(task, from + index, below),
                None => self.evaluate(task, next, below, 0),
            };
            let tally = Tally::default().with(worth.value + f32::from(gain));
            self.graph.set_tally(edge, Tally { visits, ..tally });
            if let Some(bounds) = worth.bounds {
                let bounds = self.graph.edge_bounds(edge).and(bounds.shifted(gain));
                self.graph.set_edge_bounds(edge, bounds);
            }
        }
        self.graph.count_tried(node, len);
        self.nodes += len as u64;
        if rules.proves() {
            self.draw_conclusions(&rules, node, game.to_move(state));
        }
    }
}
