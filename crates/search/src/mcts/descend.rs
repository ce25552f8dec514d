//! The way down: from the root to a position that is to be valued.

use banyan_core::{Bounds, Game};

use super::choices::ExpansionWidth;
use super::choose::Chosen;
use super::company::Company;
use super::graph::{Below, NodeId, Tally};
use super::search::{Expansion, Search, Worth};
use super::select::exploration;
use super::task::Task;

/// Where a descent stands.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub(super) node: NodeId,
    pub(super) visits: u32,
    /// `factor ln visits`.
    pub(super) exploration: f32,
    /// The points from which values are counted.
    pub(super) offset: i16,
}

/// Where a descent ended. The last step of the path leads there.
pub(super) enum Found<G: Game> {
    /// At a position whose value is known without a playout.
    Proven(Worth),
    /// At a node about which more is proven than its parent knew.
    Settled(NodeId),
    /// At a position to be evaluated.
    Leaf { state: G::State, offset: i16 },
    /// At a new node all of whose children are to be evaluated.
    Expanded { node: NodeId, state: G::State, offset: i16 },
    /// At a position that waits for its evaluation already.
    Waiting,
}

impl<G: Game> Search<G> {
    /// Selects children from the root down until something has to be valued.
    #[inline(always)]
    pub(super) fn descend<C: Company<G>, const PLAIN: bool>(
        &mut self,
        task: &Task<'_, G>,
        company: &mut C,
    ) -> Found<G> {
        company.set_out(self, task);
        let Task { game, config, rules, root, .. } = *task;
        let mut state = *task.state;
        let offset = rules.offset(game, &state);
        let mut here = self.arrive(task, root, self.root_visits, offset, None);
        self.path.clear();
        loop {
            let Chosen { mut step, exploration, again } = self.choose_edge::<C, PLAIN>(task, company, &state, here);
            company.chose(self, step.edge);
            game.play(&mut state, self.graph.mv(step.edge));
            let offset = rules.offset(game, &state);
            step.gain = offset - here.offset;
            let edge = step.edge;
            self.path.push(step);
            let tally = self.graph.tally(edge);
            let beyond = !PLAIN && (again || config.horizon > 0 && self.path.len() >= config.horizon as usize);
            if !beyond && let Some(node) = company.child(self, task, edge, &state) {
                if self.graph.is_settled(node) {
                    return Found::Settled(node);
                }
                if !PLAIN && self.awaits_children(node) {
                    return Found::Waiting;
                }
                here = self.arrive(task, node, tally.visits, offset, Some(exploration));
                continue;
            }
            if !PLAIN && self.graph.below(edge) == Below::Waiting {
                return Found::Waiting;
            }
            let is_scouted = !PLAIN
                && config.expand == ExpansionWidth::Scout
                && (edge.index as usize) < self.graph.children(edge.node).1;
            if tally.visits == 0 && !is_scouted {
                company.count_first(self, edge);
            }
            let seen = tally.visits + u32::from(tally.visits == 0 && is_scouted);
            if let Some(margin) = game.result(&state) {
                let bounds = rules.proves().then(|| rules.to_go(Bounds::exact(margin), offset));
                return Found::Proven(Worth { value: rules.reward_to_go(margin, offset), bounds });
            }
            match self.enter::<C, PLAIN>(task, company, &state, offset, (tally, seen), beyond) {
                Entered::Node(node) if self.graph.is_settled(node) => return Found::Settled(node),
                Entered::Node(node) if !PLAIN && self.awaits_children(node) => return Found::Waiting,
                Entered::Node(node) => here = self.arrive(task, node, self.graph.tally(edge).visits, offset, None),
                Entered::New(node) if !PLAIN && self.tries_all(task, self.graph.len(node)) => {
                    return Found::Expanded { node, state, offset };
                }
                Entered::New(node) => here = self.arrive(task, node, tally.visits, offset, None),
                Entered::Proven(worth) => return Found::Proven(worth),
                Entered::Leaf => return Found::Leaf { state, offset },
            }
        }
    }

    /// At a position that has no node below its edge yet and is not over.
    #[inline(always)]
    fn enter<C: Company<G>, const PLAIN: bool>(
        &mut self,
        task: &Task<'_, G>,
        company: &mut C,
        state: &G::State,
        offset: i16,
        (tally, seen): (Tally, u32),
        beyond: bool,
    ) -> Entered {
        let Task { game, config, rules, .. } = *task;
        let edge = self.path[self.path.len() - 1].edge;
        let grows = seen >= config.after && !beyond && (PLAIN || !self.has_policy());
        if rules.shared
            && grows
            && let Some(node) = company.find(self, task, edge, (rules.key(game, state), state))
        {
            return Entered::Node(node);
        }
        if !grows {
            if rules.proves() {
                let at_sight = rules.settled(rules.to_go(game.bounds(state), offset));
                return at_sight.map_or(Entered::Leaf, Entered::Proven);
            }
            return Entered::Leaf;
        }
        let bounds = self.list_moves(task, state, offset);
        if !PLAIN {
            self.expect_reply(task, state);
            self.guess_before_expansion(task, state);
        }
        if let Some(worth) = rules.settled(bounds) {
            return Entered::Proven(worth);
        }
        let own = tally.before(self.path[self.path.len() - 1].gain);
        let key = self.child_key(task, edge, state);
        let new = Expansion { key, own, bounds, mover: game.to_move(state), offset };
        company.add(self, task, edge, (new, state)).map_or(Entered::Leaf, Entered::New)
    }

    /// Begins at a node, whose exploration term may be known to the selection that led here. A shared one keeps its own.
    #[inline(always)]
    pub(super) fn arrive(
        &self,
        task: &Task<'_, G>,
        node: NodeId,
        visits: u32,
        offset: i16,
        known: Option<f32>,
    ) -> Here {
        let (visits, exploration) = match known {
            _ if task.rules.shared => self.graph.shared_visits(node),
            Some(exploration) => (visits, exploration),
            None => (visits, exploration(task.rules.factor, visits.max(1))),
        };
        Here { node, visits, exploration, offset }
    }
}

/// What stands at a position that had no node below its edge.
enum Entered {
    /// A node that others had made.
    Node(NodeId),
    /// A node just made.
    New(NodeId),
    /// Nothing that has to be evaluated.
    Proven(Worth),
    /// Nothing yet.
    Leaf,
}
