//! A graph and everything a simulation works with; one simulation, phase by phase: select, expand, value, back up.

use banyan_core::cpu::LANES;
use banyan_core::{Evaluator, Game, MoveList, Rng, Side};

use super::Config;
use super::batch::Batch;
use super::bounds::Packed;
use super::choices::{ExpansionWidth, ForcedMoves};
use super::company::{Alone, Company};
use super::descend::Found;
use super::graph::{Below, Edge, Graph, NewNode, NodeId, Tally};
use super::layout::Keeps;
use super::lines::Lines;
use super::scouts::Scouts;
use super::task::{Rules, Task};

/// An edge of a descent, with what the backup needs to know of its node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) edge: Edge,
    pub(super) mover: Side,
    /// Points banked by the edge's move, where values are counted to go.
    pub(super) gain: i16,
    /// Visits of the node before this simulation.
    pub(super) visits: u32,
    /// What came not through this edge: the number of rewards that count, and their sum.
    pub(super) weight: f32,
    pub(super) sum: f32,
}

/// What a leaf turned out to be worth, on the scale of its own position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub(super) value: f32,
    pub(super) bounds: Option<Packed>,
}

/// A graph and everything a simulation works with.
pub(super) struct Search<G: Game> {
    pub(super) graph: Graph<G::Move>,
    pub(super) rng: Rng,
    /// Playouts, or evaluated leaves, of this search.
    pub(super) playouts: u64,
    /// Never to be exceeded by `playouts`.
    pub(super) most_playouts: u64,
    /// Edges tried for the first time in this search.
    pub(super) nodes: u64,
    /// Visits of the root, where nodes do not keep their own.
    pub(super) root_visits: u32,
    pub(super) path: Vec<Step>,
    pub(super) moves: MoveList<G::Move>,
    pub(super) scratch: MoveList<G::Move>,
    pub(super) scores: Vec<[f32; LANES]>,
    pub(super) batch: Batch<G>,
    pub(super) lines: Lines,
    /// The children of a node that are tried at once.
    pub(super) children: Vec<G::State>,
    pub(super) evaluator: Option<Box<dyn Evaluator<G>>>,
    pub(super) scouts: Scouts<G>,
}

impl<G: Game> Search<G> {
    /// A search that knows nothing.
    pub(super) fn new(config: &Config, keeps: Keeps, evaluator: Option<Box<dyn Evaluator<G>>>) -> Search<G> {
        Search {
            graph: Graph::new(config.memory_mib, keeps),
            rng: Rng::new(0),
            playouts: 0,
            most_playouts: 0,
            nodes: 0,
            root_visits: 0,
            path: Vec::new(),
            moves: MoveList::new(),
            scratch: MoveList::new(),
            scores: Vec::new(),
            batch: Batch::default(),
            lines: Lines::default(),
            children: Vec::new(),
            evaluator,
            scouts: Scouts::new(config),
        }
    }

    /// Whether the usual loop will do.
    pub(super) fn is_plain(&self, config: &Config) -> bool {
        Rules::are_plain(config) && self.evaluator.is_none() && self.scouts.favoured().is_none()
    }

    /// Runs one stretch.
    pub(super) fn run(&mut self, task: Task<'_, G>, playouts: u64, most_playouts: u64, plain: bool) {
        self.run_among(&mut Alone, task, playouts, most_playouts, plain);
    }

    /// The same in company.
    pub(super) fn run_among(
        &mut self,
        company: &mut impl Company<G>,
        task: Task<'_, G>,
        playouts: u64,
        most_playouts: u64,
        plain: bool,
    ) {
        if plain {
            self.run_plainly(company, &task, playouts, most_playouts);
        } else {
            let target = self.begin_stretch(&task, playouts, most_playouts);
            self.simulate_in_batches(&task, company, target, false);
        }
    }

    /// A stretch of the usual search ([`Rules::are_plain`]), which values each leaf as it is found. With all options in one
    /// loop too little fits the registers, and simulations take about a quarter longer in a tree, a fifth in a graph.
    #[inline(never)]
    fn run_plainly(&mut self, company: &mut impl Company<G>, task: &Task<'_, G>, playouts: u64, most_playouts: u64) {
        let target = self.begin_stretch(task, playouts, most_playouts);
        while self.playouts < target && !self.graph.is_settled(task.root) {
            self.simulate(task, company);
        }
    }

    /// Evaluates what still waits.
    pub(super) fn finish(&mut self, task: Task<'_, G>) {
        self.finish_among(&mut Alone, task);
    }

    /// The same in company.
    pub(super) fn finish_among(&mut self, company: &mut impl Company<G>, task: Task<'_, G>) {
        if self.batch.waiting() > 0 {
            let target = self.begin_stretch(&task, 0, 0);
            self.simulate_in_batches(&task, company, target, true);
        }
    }

    /// Playouts made or under way.
    pub(super) fn spent(&self) -> u64 {
        self.playouts + self.batch.playouts()
    }

    /// Sets the limits of a stretch and returns the number of playouts at which it ends.
    pub(super) fn begin_stretch(&mut self, task: &Task<'_, G>, playouts: u64, most_playouts: u64) -> u64 {
        let spent = self.spent();
        self.most_playouts = spent.saturating_add(most_playouts);
        self.root_visits = self.graph.total_visits(task.root) as u32;
        spent + playouts
    }

    /// One simulation: a leaf is reached, valued and backed up before the next begins.
    #[inline(always)]
    fn simulate<C: Company<G>>(&mut self, task: &Task<'_, G>, company: &mut C) {
        let news = match self.descend::<C, true>(task, company) {
            Found::Leaf { state, offset } => {
                let worth = self.evaluate_here(task, state, offset);
                self.news_of_leaf(worth)
            }
            Found::Proven(worth) => self.news_of_leaf(worth),
            Found::Settled(node) => self.news_of_settled(&task.rules, node),
            Found::Expanded { .. } | Found::Waiting => unreachable!("a plain search values leaf by leaf"),
        };
        self.back_up(task, company, news);
    }

    /// Lists the moves of a position that is not over, and what can be proven about it.
    #[inline(never)]
    pub(super) fn list_moves(&mut self, task: &Task<'_, G>, state: &G::State, offset: i16) -> Packed {
        let Task { game, config, rules, .. } = *task;
        self.moves.clear();
        let proven = match config.forced {
            ForcedMoves::Never => {
                game.moves(state, &mut self.moves);
                None
            }
            ForcedMoves::Expansion | ForcedMoves::Always => game.tactics(state, &mut self.moves),
        };
        if !rules.proves() {
            return rules.unknown(offset);
        }
        let bounds = rules.to_go(game.bounds(state), offset);
        proven.map_or(bounds, |proven| bounds.and(rules.to_go(proven, offset)))
    }

    /// Makes the node of a position whose moves have just been listed.
    #[inline(never)]
    pub(super) fn add_node(&mut self, task: &Task<'_, G>, new: Expansion) -> Option<NodeId> {
        let Search { graph, moves, path, batch, .. } = self;
        let node = new_node(&task.rules, &new, moves, batch.priors());
        let id = graph.add(&node, |id| path.iter().any(|step| step.edge.node == id) || batch.needs(id))?;
        self.note_what_is_proven(&task.rules, id, &new);
        Some(id)
    }

    /// Marks the bounds of a new node if they say more than the game's range.
    #[inline(always)]
    pub(super) fn note_what_is_proven(&mut self, rules: &Rules, id: NodeId, new: &Expansion) {
        if rules.proves() && new.bounds.say_more_than(rules.unknown(new.offset), rules.reward) {
            self.graph.narrow(id, new.bounds, new.bounds.settles(rules.reward));
        }
    }

    /// Whether a new node tries all its children at once.
    #[inline(always)]
    pub(super) fn tries_all(&self, task: &Task<'_, G>, len: usize) -> bool {
        task.config.expand != ExpansionWidth::One
            && self.evaluator.is_none()
            && self.spent() + len as u64 <= self.most_playouts
    }

    /// The node an edge leads to, if it is still there.
    #[inline(always)]
    pub(super) fn child(&self, task: &Task<'_, G>, edge: Edge, state: &G::State) -> Option<NodeId> {
        let Below::Node(child) = self.graph.below(edge) else { return None };
        if self.graph.handles_age() && self.graph.key(child) != self.child_key(task, edge, state) {
            return None;
        }
        Some(child)
    }

    /// The key of the position `state` an edge leads to.
    #[inline(always)]
    pub(super) fn child_key(&self, task: &Task<'_, G>, edge: Edge, state: &G::State) -> u64 {
        if task.rules.shared {
            task.rules.key(task.game, state)
        } else {
            Rules::key_below(self.graph.key(edge.node), edge.index)
        }
    }
}

/// What a descent found out, as the last edge of the path keeps it.
#[derive(Clone, Copy, Debug)]
pub(super) struct News {
    pub(super) tally: Tally,
    /// On the scale of the position the edge leads to.
    pub(super) bounds: Option<Packed>,
    /// Visits made, which every edge above counts.
    pub(super) made: u32,
}

/// A node to be made of the moves last listed.
pub(super) struct Expansion {
    pub(super) key: u64,
    pub(super) own: Tally,
    pub(super) bounds: Packed,
    pub(super) mover: Side,
    pub(super) offset: i16,
}

/// The node to be made of `moves`.
#[inline(always)]
pub(super) fn new_node<'a, M>(rules: &Rules, new: &Expansion, moves: &'a [M], priors: &'a [f32]) -> NewNode<'a, M> {
    let unknown = rules.unknown(new.offset);
    let child_bounds = match new.mover {
        Side::First => Packed::new(unknown.lower(), new.bounds.upper()),
        Side::Second => Packed::new(new.bounds.lower(), unknown.upper()),
    };
    NewNode { key: new.key, moves, priors, own: new.own, bounds: new.bounds, child_bounds }
}
