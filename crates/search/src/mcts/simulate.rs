//! One simulation: select, expand, play out, back up (Kocsis and Szepesvari 2006).

use banyan_core::cpu::{Isa, Kernel, LANES};
use banyan_core::{Game, MoveList, Rng};

use super::config::{Config, ExpansionOrder, ExpansionWidth, ForcedMoves};
use super::select::{Selection, Ties, exploration, ucb1, weighted_sum};
use super::tree::{Edge, NodeId, Tally, Tree};

/// An edge of the current descent, with what the backup needs to know of its node.
#[derive(Clone, Copy)]
struct Step {
    edge: Edge,
    /// Visits of the node before this simulation.
    visits: u32,
    /// Sum of all rewards at the node that did not come through the edge.
    others: f32,
}

/// Where a descent stands.
#[derive(Clone, Copy)]
struct Here {
    node: NodeId,
    visits: u32,
    /// `2 c^2 ln visits`.
    exploration: f32,
}

/// A tree and everything a simulation works with.
pub(crate) struct Search<G: Game> {
    pub(crate) tree: Tree<G::Move>,
    pub(crate) rng: Rng,
    /// Playouts made in this search.
    pub(crate) playouts: u64,
    /// Never to be exceeded by `playouts`.
    most_playouts: u64,
    /// Positions with statistics of their own: the root and every edge that was tried.
    pub(crate) nodes: u64,
    path: Vec<Step>,
    moves: MoveList<G::Move>,
    scratch: MoveList<G::Move>,
    scores: Vec<[f32; LANES]>,
}

/// What is searched, and how.
pub(crate) struct Task<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) config: &'a Config,
    pub(crate) root: NodeId,
    /// The position of the root.
    pub(crate) state: &'a G::State,
}

/// A stretch of simulations from one root.
pub(crate) struct Stretch<'a, G: Game> {
    pub(crate) search: &'a mut Search<G>,
    pub(crate) task: Task<'a, G>,
    /// Playouts to make; a few more where a node tries all its children.
    pub(crate) playouts: u64,
    /// Playouts that must not be exceeded in any case.
    pub(crate) most_playouts: u64,
}

impl<G: Game> Kernel for Stretch<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Stretch { search, task, playouts, most_playouts } = self;
        let target = search.playouts + playouts;
        search.most_playouts = search.playouts.saturating_add(most_playouts);
        let mut visits = search.tree.total(task.root).visits;
        while search.playouts < target {
            visits += search.simulate(&task, isa, visits);
        }
    }
}

impl<G: Game> Search<G> {
    /// A search that knows nothing.
    pub(crate) fn new(memory_mib: u32, rng: Rng) -> Search<G> {
        Search {
            tree: Tree::new(memory_mib),
            rng,
            playouts: 0,
            most_playouts: 0,
            nodes: 0,
            path: Vec::new(),
            moves: MoveList::new(),
            scratch: MoveList::new(),
            scores: Vec::new(),
        }
    }

    /// Makes the node of `state`, which is not over, with no playouts of its own unless `own` says so.
    #[inline(always)]
    pub(crate) fn expand(&mut self, game: &G, config: &Config, state: &G::State, own: Tally) -> Option<NodeId> {
        self.moves.clear();
        match config.forced {
            ForcedMoves::Never => game.moves(state, &mut self.moves),
            ForcedMoves::Expansion | ForcedMoves::Always => _ = game.tactics(state, &mut self.moves),
        }
        self.tree.add(&self.moves, own)
    }

    /// Runs one simulation from the root, which has had `visits` so far, and returns how many playouts it made.
    #[inline(always)]
    fn simulate<I: Isa>(&mut self, task: &Task<'_, G>, isa: I, mut visits: u32) -> u32 {
        let Task { game, config, root: mut node, .. } = *task;
        let mut state = *task.state;
        let mut exploration = exploration(isa, config.c, visits.max(1));
        self.path.clear();
        let (leaf, made) = loop {
            let (step, below) = self.choose_edge(isa, task, &state, Here { node, visits, exploration });
            self.path.push(step);
            exploration = below;
            game.play(&mut state, self.tree.mv(step.edge));
            let tally = self.tree.tally(step.edge);
            if let Some(child) = self.tree.child(step.edge) {
                (node, visits) = (child, tally.visits);
                continue;
            }
            if tally.visits == 0 {
                self.tree.count_tried(node, 1);
                self.nodes += 1;
            }
            if let Some(margin) = game.result(&state) {
                break (tally.with(config.reward.of(margin)), 1);
            }
            if tally.visits >= config.after
                && let Some(child) = self.expand(game, config, &state, tally)
            {
                self.tree.set_child(step.edge, child);
                let width = self.tree.len(child) as u64;
                if config.expand == ExpansionWidth::All && self.playouts + width <= self.most_playouts {
                    break self.try_all_children(task, isa, child, &state);
                }
                (node, visits) = (child, tally.visits);
                continue;
            }
            break (tally.with(self.playout(task, isa, state)), 1);
        };
        self.playouts += u64::from(made);
        self.back_up(leaf, made);
        made
    }

    /// An untried child while there is one, else the one with the largest UCB1 value; and the child's own exploration
    /// term, which an untried one does not need.
    #[inline(always)]
    fn choose_edge<I: Isa>(&mut self, isa: I, task: &Task<'_, G>, state: &G::State, here: Here) -> (Step, f32) {
        let Task { game, config, .. } = *task;
        let Here { node, visits, exploration } = here;
        let len = self.tree.len(node);
        let own = self.tree.own(node);
        let own_sum = own.visits as f32 * own.mean;
        let tried = self.tree.tried(node);
        if tried < len {
            self.bring_up_next(game, config.order, node, tried);
            let others = own_sum + weighted_sum(isa, self.tree.visits(node, len), self.tree.means(node, len), tried);
            return (Step { edge: Edge { node, len, index: tried }, visits, others }, 0.0);
        }
        let children = Selection {
            visits: self.tree.visits(node, len),
            means: self.tree.means(node, len),
            len,
            mover: game.to_move(state),
            c: config.c,
            exploration,
        };
        let centrality = |index| game.centrality(self.tree.moves(node)[index]);
        let ties = Ties { by: config.tie, centrality, rng: &mut self.rng };
        let selected = ucb1(isa, &children, ties, &mut self.scores);
        let edge = Edge { node, len, index: selected.index };
        let through = self.tree.tally(edge);
        let others = own_sum + selected.sum - through.visits as f32 * through.mean;
        (Step { edge, visits, others }, selected.exploration)
    }

    /// Children stand in the order they are tried in: brings the move whose turn it is to the front of the untried ones.
    #[inline(always)]
    fn bring_up_next(&mut self, game: &G, order: ExpansionOrder, node: NodeId, tried: usize) {
        let untried = &mut self.tree.moves_mut(node)[tried..];
        match order {
            ExpansionOrder::Listed => {}
            ExpansionOrder::Random => untried.swap(0, self.rng.below(untried.len() as u32) as usize),
            ExpansionOrder::Central => {
                // The negative index makes the first of several the largest.
                let centrality = |&i: &usize| (game.centrality(untried[i]), -(i as isize));
                let next = (0..untried.len()).max_by_key(centrality).expect("a child is untried");
                untried[..=next].rotate_right(1);
            }
        }
    }

    /// A playout from a leaf that is not over; its first move is a forced one if the config always asks for that.
    #[inline(always)]
    fn playout<I: Isa>(&mut self, task: &Task<'_, G>, isa: I, mut state: G::State) -> f32 {
        let Task { game, config, .. } = *task;
        if config.forced == ForcedMoves::Always {
            self.moves.clear();
            _ = game.tactics(&state, &mut self.moves);
            let mv = self.moves[self.rng.below(self.moves.len() as u32) as usize];
            game.play(&mut state, mv);
        }
        let margin = match game.result(&state) {
            Some(margin) => margin,
            None => game.playout(state, isa, &mut self.rng, &mut self.scratch),
        };
        config.reward.of(margin)
    }

    /// Gives every child of a new node one playout. Returns the node's visits and mean, and how many playouts were made.
    fn try_all_children<I: Isa>(&mut self, task: &Task<'_, G>, isa: I, node: NodeId, state: &G::State) -> (Tally, u32) {
        let Task { game, config, .. } = *task;
        let len = self.tree.len(node);
        let mut total = self.tree.own(node);
        for index in 0..len {
            let edge = Edge { node, len, index };
            let mut next = *state;
            game.play(&mut next, self.tree.mv(edge));
            let reward = match game.result(&next) {
                Some(margin) => config.reward.of(margin),
                None => self.playout(task, isa, next),
            };
            self.tree.set_tally(edge, Tally::default().with(reward));
            total = total.with(reward);
        }
        self.tree.count_tried(node, len);
        self.nodes += len as u64;
        (total, len as u32)
    }

    /// Writes the leaf's new value into the last edge of the path and recomputes the mean of every node above from its
    /// children. Recomputing, rather than adding the reward to a running mean, keeps single precision exact enough for
    /// any number of visits.
    #[inline(always)]
    fn back_up(&mut self, leaf: Tally, made: u32) {
        let mut below = leaf;
        for step in self.path.iter().rev() {
            self.tree.set_tally(step.edge, below);
            let visits = step.visits + made;
            below = Tally { visits, mean: (step.others + below.visits as f32 * below.mean) / visits as f32 };
        }
    }
}
