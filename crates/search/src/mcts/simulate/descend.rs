//! Selection: the descent from the root to a leaf, and the simulation loop of the plain configuration.

use banyan_core::{Game, LastMoves, MoveCode, SimulatedMove};

use super::context::Context;
use super::search::Search;
use crate::mcts::tree::{Access, AtNode, Chosen, Expansion, LeafValue, NodeId};
use crate::options::ExpansionWidth;

/// The end of a descent, to which the last step of the path leads.
pub(crate) enum Descent<G: Game> {
    /// At a position whose value is known without an evaluation.
    Known(LeafValue),
    /// At a solved node.
    Solved(NodeId),
    /// At a position to be evaluated.
    Leaf { state: G::State, offset: i16 },
    /// At a new node; all its children are to be evaluated.
    Expanded { node: NodeId, state: G::State, offset: i16 },
    /// At a pending leaf.
    Pending,
}

/// The result of entering a position without a node below its edge.
enum Entered {
    /// An existing node, reached by another path or made by another thread.
    Node(NodeId),
    /// A new node.
    New(NodeId),
    /// A new node, all of whose children are to be evaluated at once.
    Awaiting(NodeId),
    /// A value that needs no evaluation.
    Known(LeafValue),
    /// A leaf to be evaluated.
    Leaf,
}

impl<G: Game> Search<G> {
    /// Simulates leaf by leaf until `playouts` more playouts are made or the root is solved.
    #[inline(never)]
    pub(crate) fn simulate_plainly<A: Access>(
        &mut self,
        context: &Context<'_, G>,
        access: &mut A,
        playouts: u64,
        most_playouts: u64,
    ) {
        self.tree.begin_stretch(playouts, most_playouts);
        while self.tree.playouts < self.tree.stretch_end && !self.tree.is_solved() {
            let update = match self.descend::<A, true>(context, access) {
                Descent::Leaf { state, offset } => {
                    let visits = self.tree.graph.visits_of(self.tree.last().edge);
                    let leaf = self.evaluate_one(context, &state, offset, visits);
                    self.tree.update_of_leaf(leaf)
                }
                Descent::Known(leaf) => self.tree.update_of_leaf(leaf),
                Descent::Solved(node) => self.tree.update_of_solved(node),
                Descent::Expanded { .. } | Descent::Pending => unreachable!("a plain search evaluates leaf by leaf"),
            };
            self.tree.back_up(access, update);
        }
    }

    /// Selects edges from the root down to a leaf.
    #[inline(always)]
    pub(crate) fn descend<A: Access, const PLAIN: bool>(
        &mut self,
        context: &Context<'_, G>,
        access: &mut A,
    ) -> Descent<G> {
        access.begin_descent(&mut self.tree);
        let game = context.game;
        let mut state = context.state.clone();
        let mut offset = context.offset(&self.tree.params, &state);
        let mut mover = game.to_move(&state);
        let mut here = self.tree.at_root();
        self.tree.path.clear();
        if !PLAIN {
            self.simulated.last_moves = LastMoves::default();
        }
        loop {
            if !PLAIN && self.tree.lacks_priors(here) {
                self.fetch_priors(context, access, &state, here.node);
            }
            let Chosen { edge, code, exploration, first, again } =
                self.tree.choose::<A, PLAIN>(access, here, mover, &context.guide_by(&state, &*self.knowledge));
            if !PLAIN && self.needs_last_moves {
                let mv = SimulatedMove::of(game, &*self.knowledge, &state, G::Move::from_code(code));
                self.simulated.last_moves = self.simulated.last_moves.then(mv);
            }
            game.play(&mut state, G::Move::from_code(code));
            mover = game.to_move(&state);
            let scored = context.offset(&self.tree.params, &state);
            let at = self.tree.path.len() - 1;
            self.tree.path[at].gain = scored - offset;
            offset = scored;
            let tree = &mut self.tree;
            let stats = tree.graph.stats(edge);
            let beyond = !PLAIN && (again || tree.params.horizon > 0 && tree.path.len() >= tree.params.horizon);
            if !beyond {
                let key = if access.compares_keys(tree) { context.key(&tree.params, &state) } else { 0 };
                if let Some(node) = access.child(tree, edge, key, mover) {
                    if tree.graph.is_solved(node) {
                        return Descent::Solved(node);
                    }
                    if !PLAIN && tree.awaits_children(node) {
                        return Descent::Pending;
                    }
                    here = tree.arrive(node, stats.visits, Some(exploration));
                    continue;
                }
            }
            if !PLAIN && tree.is_pending(edge) {
                return Descent::Pending;
            }
            // A child evaluated at the expansion of its parent has a value without a visit.
            let evaluated = !PLAIN && tree.params.expand == ExpansionWidth::EvalChildren && !first;
            if stats.visits == 0 && !evaluated {
                access.count_first(tree, edge);
            }
            let visits = stats.visits + u32::from(stats.visits == 0 && evaluated);
            if let Some(margin) = game.result(&state) {
                let ended = tree.params.ended(margin, offset);
                return Descent::Known(if PLAIN { ended } else { self.with_bonus(context, &state, ended) });
            }
            match self.enter::<A, PLAIN>(context, access, &state, offset, visits, beyond) {
                Entered::Node(node) if self.tree.graph.is_solved(node) => return Descent::Solved(node),
                Entered::Node(node) if !PLAIN && self.tree.awaits_children(node) => return Descent::Pending,
                Entered::Node(node) => here = self.arrive_late(node, self.tree.graph.visits_of(edge)),
                Entered::Awaiting(node) => return Descent::Expanded { node, state, offset },
                Entered::New(node) => here = self.arrive_late(node, stats.visits),
                Entered::Known(leaf) => return Descent::Known(leaf),
                Entered::Leaf => return Descent::Leaf { state, offset },
            }
        }
    }

    fn arrive_late(&self, node: NodeId, visits: u32) -> AtNode {
        self.tree.arrive(node, visits, None)
    }

    /// Handles a position that has no node below its edge and is not terminal: expands it, finds its node, or returns
    /// it as a leaf.
    #[inline(always)]
    fn enter<A: Access, const PLAIN: bool>(
        &mut self,
        context: &Context<'_, G>,
        access: &mut A,
        state: &G::State,
        offset: i16,
        visits: u32,
        beyond: bool,
    ) -> Entered {
        let game = context.game;
        let grows = visits >= self.tree.params.expand_at && !beyond && (PLAIN || !self.priors_with_values);
        if !grows {
            if self.tree.params.proves() {
                let params = &self.tree.params;
                let at_sight = params.solved(params.packed(game.bounds(state), offset));
                return at_sight.map_or(Entered::Leaf, Entered::Known);
            }
            return Entered::Leaf;
        }
        let edge = self.tree.last().edge;
        let mover = game.to_move(state);
        let mut key = 0;
        if self.tree.params.shared {
            key = context.key(&self.tree.params, state);
            if let Some(node) = access.find(&mut self.tree, edge, key, mover) {
                return Entered::Node(node);
            }
        }
        let key = self.tree.child_key(edge, key);
        if !PLAIN && let Some(node) = access.awaiting(&self.tree, key) {
            return Entered::Node(node);
        }
        let bounds = self.list_moves(context, state, offset);
        if !PLAIN {
            self.expect_reply(context, state);
        }
        if let Some(leaf) = self.tree.params.solved(bounds) {
            return Entered::Known(leaf);
        }
        let one_by_one = self.tree.params.expand == ExpansionWidth::One;
        self.encode_moves(context, state, one_by_one, A::ORDERED);
        let own = self.tree.graph.stats(edge).before(self.tree.last().gain);
        let awaits = !PLAIN && self.evaluates_children(self.tree.codes.len());
        let new = Expansion { key, own, bounds, mover, offset, awaits };
        let Some(node) = access.add(&mut self.tree, edge, &new) else { return Entered::Leaf };
        if !PLAIN && self.tree.params.has_heuristics && !(awaits && self.tree.params.heuristics_are_values) {
            self.add_heuristics(context, state, node, offset);
        }
        if awaits { Entered::Awaiting(node) } else { Entered::New(node) }
    }
}
