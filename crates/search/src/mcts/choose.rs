//! The edge a descent takes at a node: an untried one, or what selection prefers.

use banyan_core::{Game, Side};

use super::choices::{ExpansionOrder, Lazily, LeafValue, Scale, Selection};
use super::company::Company;
use super::descend::Here;
use super::graph::{Edge, NodeId};
use super::search::{Search, Step};
use super::select::{Children, LeafMeans, Puct, Selected, Tuned, Ucb1, puct, tuned, ucb1, weighted_sum};
use super::task::Task;
use super::ties::Ties;

/// An edge, and what is known by the way.
pub(super) struct Chosen {
    pub(super) step: Step,
    /// The child's own exploration term, where UCB1 has it by the way.
    pub(super) exploration: f32,
    /// Whether the child is to be valued once more, even if it is no leaf.
    pub(super) again: bool,
}

impl<G: Game> Search<G> {
    /// An untried child while there is one, unless first-play urgency or laziness says otherwise; else the one that
    /// selection prefers.
    #[inline(always)]
    pub(super) fn choose_edge<C: Company<G>, const PLAIN: bool>(
        &mut self,
        task: &Task<'_, G>,
        company: &mut C,
        state: &G::State,
        mut here: Here,
    ) -> Chosen {
        let mover = task.game.to_move(state);
        let lazy = !PLAIN && self.is_lazy(task, here.node);
        if lazy
            && task.config.lazily == Lazily::Resample
            && let Some(edge) = self.any_open(here.node)
        {
            return Chosen { step: self.step(edge, mover, here, None), exploration: 0.0, again: true };
        }
        loop {
            let (len, tried) = self.graph.children(here.node);
            let untried = tried < len;
            let selected = if untried && (PLAIN || tried == 0 || task.config.urgency.is_none() && !lazy) {
                None
            } else if PLAIN {
                Some(self.select_plainly(task, here, tried, mover))
            } else {
                Some(self.select(task, state, here, tried, mover))
            };
            debug_assert!(selected.is_none_or(|best| best.index < tried), "child {selected:?} of {tried} tried");
            let index = match selected {
                Some(best) if PLAIN || !untried || !self.comes_first(task, state, here, mover, best, lazy) => {
                    best.index
                }
                _ => {
                    if !C::ORDERED {
                        self.bring_up_next::<PLAIN>(task, here.node, len, tried);
                    }
                    let edge = Edge { node: here.node, len: len as u32, index: tried as u32 };
                    if !company.claim(self, &task.rules, edge) {
                        here = self.arrive(task, here.node, here.visits, here.offset, Some(here.exploration));
                        continue;
                    }
                    if self.closes_unseen(task, company, edge, mover) {
                        continue;
                    }
                    tried
                }
            };
            let edge = Edge { node: here.node, len: len as u32, index: index as u32 };
            let exploration = selected.map_or(0.0, |selected| selected.exploration);
            return Chosen { step: self.step(edge, mover, here, selected), exploration, again: false };
        }
    }

    /// Closes an untried edge that is known to be no better than what the mover is assured of; whether it did.
    #[inline(always)]
    fn closes_unseen(&mut self, task: &Task<'_, G>, company: &mut impl Company<G>, edge: Edge, mover: Side) -> bool {
        let rules = task.rules;
        if rules.proves() {
            company.recall_bounds(self, edge, false);
        }
        let known =
            || self.graph.edge_bounds(edge).is_no_better_than(self.graph.bounds(edge.node), mover, rules.reward);
        let closes = rules.proves() && known();
        if closes {
            self.graph.close(edge);
            company.count_closed(self, edge);
        }
        closes
    }

    /// The step along an edge. The sums over all children are those of the selection, if there was one.
    #[inline(always)]
    fn step(&self, edge: Edge, mover: Side, here: Here, selected: Option<Selected>) -> Step {
        let graph = &self.graph;
        let (len, tried) = graph.children(edge.node);
        let (weight, sum) = match selected {
            Some(selected) => (selected.weight, selected.sum),
            None => weighted_sum(graph.visits(edge.node, len), graph.means(edge.node, len), tried),
        };
        let (own, through) = (graph.own(edge.node), graph.tally(edge));
        let weight = own.visits as f32 + weight - through.visits as f32;
        let sum = own.visits as f32 * own.mean + sum - through.visits as f32 * through.mean;
        Step { edge, mover, gain: 0, visits: here.visits, weight, sum }
    }

    /// Whether a node tries no child although one is untried and one is tried already.
    fn is_lazy(&mut self, task: &Task<'_, G>, node: NodeId) -> bool {
        let (len, tried) = self.graph.children(node);
        task.config.lazy > 0.0 && (1..len).contains(&tried) && self.rng.unit() < f64::from(task.config.lazy)
    }

    /// One of the open children tried so far, at random.
    fn any_open(&mut self, node: NodeId) -> Option<Edge> {
        let Search { graph, rng, .. } = self;
        let tried = graph.children(node).1;
        let open = || graph.edges(node).take(tried).filter(|&edge| !graph.is_closed(edge));
        let n = open().count() as u32;
        if n == 0 { None } else { open().nth(rng.below(n) as usize) }
    }

    /// The best of the children that have been tried, by UCB1 with a constant weight.
    #[inline(always)]
    fn select_plainly(&mut self, task: &Task<'_, G>, here: Here, tried: usize, mover: Side) -> Selected {
        let Search { graph, rng, scores, .. } = self;
        let Here { node, exploration, .. } = here;
        let (visits, means) = (graph.visits(node, tried), graph.means(node, tried));
        let children = Children { visits, means, len: tried, mover, bonus: None, leaves: None };
        let centrality = |index| task.game.centrality(graph.moves(node)[index]);
        let ties = Ties { by: task.config.tie, centrality, rng };
        let factor = if task.rules.shared { 0.0 } else { task.rules.factor };
        ucb1(&children, Ucb1 { exploration, factor }, ties, scores)
    }

    /// The best of the children that have been tried.
    #[inline(always)]
    fn select(&mut self, task: &Task<'_, G>, state: &G::State, here: Here, tried: usize, mover: Side) -> Selected {
        let Task { config, rules, .. } = *task;
        let node = here.node;
        let len = self.graph.len(node);
        let mut selected = self.select_by_formula(task, state, here, tried, mover);
        if config.selection == Selection::Tuned && !rules.shared {
            let n = self.graph.tally(Edge { node, len: len as u32, index: selected.index as u32 }).visits;
            selected.exploration = super::select::exploration(rules.factor, n.max(1));
        }
        selected
    }

    #[inline(always)]
    fn select_by_formula(
        &mut self,
        task: &Task<'_, G>,
        state: &G::State,
        here: Here,
        tried: usize,
        mover: Side,
    ) -> Selected {
        let Task { game, config, rules, .. } = *task;
        if config.selection == Selection::Puct {
            self.guess_before_selection(task, state, here.node);
        }
        let bonus = self.bonus(task, here.node, tried);
        let Search { graph, rng, scores, .. } = self;
        let Here { node, visits, exploration, .. } = here;
        let len = graph.len(node);
        let (visits_of, means) = (graph.visits(node, len), graph.means(node, len));
        let by_parent = config.leaf_value == LeafValue::Parent;
        let leaves = by_parent.then(|| LeafMeans { handles: graph.handles(node, len), start: graph.own(node).mean });
        let children = Children { visits: visits_of, means, len: tried, mover, bonus, leaves };
        let centrality = |index| game.centrality(graph.moves(node)[index]);
        let ties = Ties { by: config.tie, centrality, rng };
        let c = || if rules.varied { weight_here(task, graph.value_if_kept(node), state) } else { config.c };
        match config.selection {
            Selection::Ucb1 => {
                let exploration = if rules.varied { exploration * c() * c() } else { exploration };
                ucb1(&children, Ucb1 { exploration, factor: rules.factor }, ties, scores)
            }
            Selection::Tuned => {
                let squares = graph.squares(node, len);
                // Heads keep 2 ln N.
                let rule = Tuned { squares, c: c(), log: exploration / 2.0, range: rules.reward_range };
                tuned(&children, &rule, ties, scores)
            }
            Selection::Puct => {
                let priors = graph.keeps().priors.then(|| graph.priors(node, len));
                let exploration = c() * (visits as f32).sqrt();
                puct(&children, &Puct { priors, uniform: 1.0 / len as f32, exploration }, ties, scores)
            }
        }
    }

    /// The child of the root that a look ahead prefers, and what its score is raised by before it has a visit.
    #[inline(always)]
    fn bonus(&self, task: &Task<'_, G>, node: NodeId, tried: usize) -> Option<(usize, f32)> {
        let favoured = self.scouts.favoured().filter(|_| node == task.root)?;
        let index = self.graph.moves(node)[..tried].iter().position(|&mv| mv == favoured)?;
        Some((index, task.config.bonus))
    }

    /// Whether the next untried child comes before the best of those tried, where there are both.
    fn comes_first(
        &self,
        task: &Task<'_, G>,
        state: &G::State,
        here: Here,
        mover: Side,
        best: Selected,
        lazy: bool,
    ) -> bool {
        if lazy { best.score == f32::NEG_INFINITY } else { self.prefers_untried(task, state, here, mover, best) }
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
    fn bring_up_next<const PLAIN: bool>(&mut self, task: &Task<'_, G>, node: NodeId, len: usize, tried: usize) {
        let game = task.game;
        if !PLAIN && (self.graph.keeps().priors || self.bring_up_favoured(task, node, tried)) {
            return;
        }
        match task.config.order {
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

    /// Has a node's untried children stand in the order they are tried in, once and for all.
    pub(super) fn put_in_order(&mut self, task: &Task<'_, G>, node: NodeId) {
        let (len, tried) = self.graph.children(node);
        (tried..len).for_each(|next| self.bring_up_next::<false>(task, node, len, next));
    }

    /// The same for a list of moves, all of which are untried.
    pub(super) fn put_moves_in_order(&mut self, task: &Task<'_, G>) {
        let Search { moves, rng, .. } = self;
        match task.config.order {
            ExpansionOrder::Listed => {}
            ExpansionOrder::Random => {
                let len = moves.len();
                (0..len).for_each(|next| moves.swap(next, next + rng.below((len - next) as u32) as usize));
            }
            ExpansionOrder::Central => moves.sort_by_key(|&mv| std::cmp::Reverse(task.game.centrality(mv))),
        }
    }

    /// The same for the root's move that gets a bonus, if it is untried.
    fn bring_up_favoured(&mut self, task: &Task<'_, G>, node: NodeId, tried: usize) -> bool {
        let favoured = self.scouts.favoured().filter(|_| node == task.root);
        let untried = &self.graph.moves(node)[tried..];
        let Some(next) = favoured.and_then(|favoured| untried.iter().position(|&mv| mv == favoured)) else {
            return false;
        };
        (0..next).rev().for_each(|i| self.graph.swap_untried(node, tried + i, tried + i + 1));
        true
    }
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
