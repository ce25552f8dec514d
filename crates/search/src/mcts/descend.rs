//! The way down: from the root to a position that is to be valued.

use banyan_core::cpu::Isa;
use banyan_core::{Bounds, Game, Side};

use super::choices::{ExpansionOrder, LeafValue, Scale, Selection};
use super::graph::{Below, Edge, NodeId, Tally};
use super::search::{Expansion, Search, Step, Worth};
use super::select::{Children, LeafMeans, Puct, Selected, Tuned, Ucb1, leaf_means, puct, tuned, ucb1, weighted_sum};
use super::task::Task;
use super::ties::Ties;

/// Where a descent stands.
#[derive(Clone, Copy)]
struct Here {
    node: NodeId,
    visits: u32,
    /// `factor ln visits`.
    exploration: f32,
    /// The points from which values are counted.
    offset: i16,
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
    pub(super) fn descend<I: Isa, const PLAIN: bool>(&mut self, task: &Task<'_, G>, isa: I) -> Found<G> {
        let Task { game, config, rules, root, .. } = *task;
        let mut state = *task.state;
        let offset = rules.offset(game, &state);
        let mut here = self.arrive(task, isa, root, self.root_visits, offset, None);
        self.path.clear();
        loop {
            let (mut step, below_exploration) = self.choose_edge::<I, PLAIN>(task, isa, &state, here);
            game.play(&mut state, self.graph.mv(step.edge));
            let offset = rules.offset(game, &state);
            step.gain = offset - here.offset;
            let edge = step.edge;
            self.path.push(step);
            let tally = self.graph.tally(edge);
            let beyond = !PLAIN && config.horizon > 0 && self.path.len() >= config.horizon as usize;
            if !beyond && let Some(node) = self.child(task, edge, &state) {
                if self.graph.is_settled(node) {
                    return Found::Settled(node);
                }
                here = self.arrive(task, isa, node, tally.visits, offset, Some(below_exploration));
                continue;
            }
            if !PLAIN && self.graph.below(edge) == Below::Waiting {
                return Found::Waiting;
            }
            if tally.visits == 0 {
                self.graph.count_tried(here.node, 1);
                self.nodes += 1;
            }
            if let Some(margin) = game.result(&state) {
                let bounds = rules.proves().then(|| rules.to_go(Bounds::exact(margin), offset));
                return Found::Proven(Worth { value: rules.reward_to_go(margin, offset), bounds });
            }
            match self.enter::<I, PLAIN>(task, isa, &state, offset, tally, beyond) {
                Entered::Node(node) if self.graph.is_settled(node) => return Found::Settled(node),
                Entered::Node(node) => here = self.arrive(task, isa, node, self.graph.tally(edge).visits, offset, None),
                Entered::New(node) if !PLAIN && self.tries_all(task, self.graph.len(node)) => {
                    return Found::Expanded { node, state, offset };
                }
                Entered::New(node) => here = self.arrive(task, isa, node, tally.visits, offset, None),
                Entered::Proven(worth) => return Found::Proven(worth),
                Entered::Leaf => return Found::Leaf { state, offset },
            }
        }
    }

    /// At a position that has no node below its edge yet and is not over.
    #[inline(always)]
    fn enter<I: Isa, const PLAIN: bool>(
        &mut self,
        task: &Task<'_, G>,
        isa: I,
        state: &G::State,
        offset: i16,
        tally: Tally,
        beyond: bool,
    ) -> Entered {
        let Task { game, config, rules, .. } = *task;
        let edge = self.path[self.path.len() - 1].edge;
        let grows = tally.visits >= config.after && !beyond && (PLAIN || !self.has_policy());
        if rules.shared
            && grows
            && let Some(node) = self.graph.find(rules.key(game, state))
        {
            self.graph.set_below(edge, Below::Node(node));
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
        if let Some(worth) = rules.settled(bounds) {
            return Entered::Proven(worth);
        }
        let own = tally.before(self.path[self.path.len() - 1].gain);
        let key = self.child_key(task, edge, state);
        let new = Expansion { key, own, bounds, mover: game.to_move(state), offset };
        let Some(node) = self.add_node(task, new) else { return Entered::Leaf };
        self.graph.set_below(edge, Below::Node(node));
        if rules.shared {
            self.note_visits(&rules, isa, node, tally.visits);
        }
        Entered::New(node)
    }

    /// Begins at a node, whose exploration term may be known to the selection that led here. A shared one keeps its own.
    #[inline(always)]
    fn arrive<I: Isa>(
        &self,
        task: &Task<'_, G>,
        isa: I,
        node: NodeId,
        visits: u32,
        offset: i16,
        known: Option<f32>,
    ) -> Here {
        let (visits, exploration) = match known {
            _ if task.rules.shared => self.graph.shared_visits(node),
            Some(exploration) => (visits, exploration),
            None => (visits, super::select::exploration(isa, task.rules.factor, visits.max(1))),
        };
        Here { node, visits, exploration, offset }
    }

    /// An untried child while there is one, unless first-play urgency says otherwise; else the one selection prefers. Also
    /// the child's own exploration term, where UCB1 has it by the way.
    #[inline(always)]
    fn choose_edge<I: Isa, const PLAIN: bool>(
        &mut self,
        task: &Task<'_, G>,
        isa: I,
        state: &G::State,
        here: Here,
    ) -> (Step, f32) {
        let Task { game, config, rules, .. } = *task;
        let mover = game.to_move(state);
        let node = here.node;
        loop {
            let (len, tried) = self.graph.children(node);
            let untried = tried < len;
            let selected = if untried && (PLAIN || tried == 0 || config.urgency.is_none()) {
                None
            } else if PLAIN {
                Some(self.select_plainly(task, isa, here, tried, mover))
            } else {
                Some(self.select(task, isa, state, here, tried, mover))
            };
            let index = match selected {
                Some(selected) if !untried || PLAIN || !self.prefers_untried(task, state, here, mover, selected) => {
                    selected.index
                }
                _ => {
                    self.bring_up_next::<PLAIN>(game, config.order, node, len, tried);
                    let edge = Edge { node, len: len as u32, index: tried as u32 };
                    if rules.proves()
                        && self.graph.edge_bounds(edge).is_no_better_than(self.graph.bounds(node), mover, rules.reward)
                    {
                        self.graph.close(edge);
                        self.graph.count_tried(node, 1);
                        continue;
                    }
                    tried
                }
            };
            let (weight, sum) = match selected {
                Some(selected) => (selected.weight, selected.sum),
                None => weighted_sum(isa, self.graph.visits(node, len), self.graph.means(node, len), tried),
            };
            let edge = Edge { node, len: len as u32, index: index as u32 };
            let through = self.graph.tally(edge);
            let own = self.graph.own(node);
            let weight = own.visits as f32 + weight - through.visits as f32;
            let sum = own.visits as f32 * own.mean + sum - through.visits as f32 * through.mean;
            let step = Step { edge, mover, gain: 0, visits: here.visits, weight, sum };
            return (step, selected.map_or(0.0, |selected| selected.exploration));
        }
    }

    /// The best of the children that have been tried, by UCB1 with a constant weight.
    #[inline(always)]
    fn select_plainly<I: Isa>(
        &mut self,
        task: &Task<'_, G>,
        isa: I,
        here: Here,
        tried: usize,
        mover: Side,
    ) -> Selected {
        let Search { graph, rng, scores, .. } = self;
        let Here { node, exploration, .. } = here;
        let (visits, means) = (graph.visits(node, tried), graph.means(node, tried));
        let children = Children { visits, means, len: tried, mover };
        let centrality = |index| task.game.centrality(graph.moves(node)[index]);
        let ties = Ties { by: task.config.tie, centrality, rng };
        let factor = if task.rules.shared { 0.0 } else { task.rules.factor };
        ucb1(isa, &children, Ucb1 { exploration, factor }, ties, scores)
    }

    /// The best of the children that have been tried.
    #[inline(always)]
    fn select<I: Isa>(
        &mut self,
        task: &Task<'_, G>,
        isa: I,
        state: &G::State,
        here: Here,
        tried: usize,
        mover: Side,
    ) -> Selected {
        let Task { game, config, rules, .. } = *task;
        let Search { graph, rng, scores, seen, .. } = self;
        let Here { node, visits, exploration, .. } = here;
        let len = graph.len(node);
        let means = graph.means(node, len);
        let mut children = Children { visits: graph.visits(node, len), means, len: tried, mover };
        if config.leaf_value == LeafValue::Parent {
            let leaves = LeafMeans { handles: graph.handles(node, len), start: graph.own(node).mean };
            leaf_means(means, &leaves, tried, seen);
            children.means = seen;
        }
        let centrality = |index| game.centrality(graph.moves(node)[index]);
        let ties = Ties { by: config.tie, centrality, rng };
        let c = || if rules.varied { weight_here(task, graph.value_if_kept(node), state) } else { config.c };
        let mut selected = match config.selection {
            Selection::Ucb1 => {
                let exploration = if rules.varied { exploration * c() * c() } else { exploration };
                ucb1(isa, &children, Ucb1 { exploration, factor: rules.factor }, ties, scores)
            }
            Selection::Tuned => {
                let squares = graph.squares(node, len);
                // Heads keep 2 ln N.
                let rule = Tuned { squares, c: c(), log: exploration / 2.0, range: rules.reward_range };
                tuned(isa, &children, &rule, ties, scores)
            }
            Selection::Puct => {
                let priors = graph.keeps().priors.then(|| graph.priors(node, len));
                let exploration = c() * (visits as f32).sqrt();
                puct(isa, &children, &Puct { priors, uniform: 1.0 / len as f32, exploration }, ties, scores)
            }
        };
        if rules.varied && config.selection != Selection::Ucb1 && !rules.shared {
            let n = self.graph.tally(Edge { node, len: len as u32, index: selected.index as u32 }).visits;
            selected.exploration = super::select::exploration(isa, rules.factor, n.max(1));
        }
        if config.leaf_value == LeafValue::Parent {
            (selected.weight, selected.sum) =
                weighted_sum(isa, self.graph.visits(node, len), self.graph.means(node, len), tried);
        }
        selected
    }

    /// Whether the next untried child comes before the best of those tried: first-play urgency (Gelly and Wang 2006),
    /// counted from the parent's mean.
    fn prefers_untried(&self, task: &Task<'_, G>, state: &G::State, here: Here, mover: Side, best: Selected) -> bool {
        let config = task.config;
        let own = self.graph.own(here.node);
        let weight = own.visits as f32 + best.weight;
        if weight == 0.0 || best.score == f32::NEG_INFINITY {
            return true;
        }
        let mean = (own.visits as f32 * own.mean + best.sum) / weight * f32::from(mover.sign());
        let mut urgency = mean - config.urgency.unwrap_or(0.0);
        if config.selection == Selection::Puct {
            let (len, tried) = self.graph.children(here.node);
            let edge = Edge { node: here.node, len: len as u32, index: tried as u32 };
            let c = weight_here(task, self.graph.value_if_kept(here.node), state);
            let prior = self.graph.prior(edge).unwrap_or(1.0 / len as f32);
            urgency += c * prior * (here.visits as f32).sqrt();
        }
        urgency >= best.score
    }

    /// Children stand in the order they are tried in: brings the move whose turn it is to the front of the untried ones.
    /// Where there are priors, they stand in the order of those already.
    #[inline(always)]
    fn bring_up_next<const PLAIN: bool>(
        &mut self,
        game: &G,
        order: ExpansionOrder,
        node: NodeId,
        len: usize,
        tried: usize,
    ) {
        if !PLAIN && self.graph.keeps().priors {
            return;
        }
        match order {
            ExpansionOrder::Listed => {}
            ExpansionOrder::Random => {
                let next = tried + self.rng.below((len - tried) as u32) as usize;
                self.graph.swap_untried(node, tried, next);
            }
            ExpansionOrder::Central => {
                let untried = &self.graph.moves(node)[tried..];
                // The negative index makes the first of several the largest.
                let centrality = |&i: &usize| (game.centrality(untried[i]), -(i as isize));
                let next = (0..untried.len()).max_by_key(centrality).expect("a child is untried");
                (0..next).rev().for_each(|i| self.graph.swap_untried(node, tried + i, tried + i + 1));
            }
        }
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

/// The exploration weight at a node, where it is not the same everywhere.
fn weight_here<G: Game>(task: &Task<'_, G>, value: Option<(f32, f32)>, state: &G::State) -> f32 {
    let Task { game, config, rules, .. } = *task;
    let c = if config.schedule.is_set() { config.schedule.at(game.stage(state)) } else { config.c };
    match (config.scale, value) {
        (Scale::Spread, Some((mean, square))) => {
            let deviation = (square - mean * mean).max(0.0).sqrt();
            c * 2.0 * deviation / rules.reward_range
        }
        _ => c,
    }
}
