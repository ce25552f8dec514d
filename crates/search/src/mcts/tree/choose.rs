//! The choice of an edge at a node: an untried one, or the one that selection prefers.

use banyan_bits::cpu::LANES;
use banyan_core::Side;

use super::access::Access;
use super::columns::Column;
use super::graph::{Below, Edge, EdgeStats, Graph, NodeId};
use super::params::Params;
use super::path::PathStep;
use super::search_tree::Tree;
use super::select::{
    Children, Heuristic, LeafMeans, Selected, Selecting, Ucb1, by_formula, exploration, ucb1, values, weighted_sum,
};
use super::ties::Ties;
use super::virtual_loss::Losses;
use crate::options::{ExpansionOrder, LazyMode, Scale, Selection, UnvisitedValue};

/// The current node of a descent.
#[derive(Clone, Copy)]
pub(crate) struct AtNode {
    pub(crate) node: NodeId,
    pub(crate) visits: u32,
    /// `factor ln visits`.
    pub(crate) exploration: f32,
}

/// Data that a choice reads from the game; called rarely.
pub(crate) trait Guide {
    /// The centrality of a move.
    fn centrality(&self, code: u16) -> u8;
    /// Sets `into` to the identities of moves across positions.
    fn identities(&self, codes: &[u16], into: &mut Vec<u16>);
    /// The exploration weight at the phase of the game, if a schedule is set.
    fn scheduled_weight(&self) -> Option<f32>;
    /// The score from which values at the position are counted.
    fn offset(&self, params: &Params) -> i16;
}

/// The chosen edge, which is now the last of the path.
#[derive(Clone, Copy)]
pub(crate) struct Chosen {
    pub(crate) edge: Edge,
    /// The code of its move.
    pub(crate) code: u16,
    /// The child's own exploration term, which UCB1 computes on the side.
    pub(crate) exploration: f32,
    /// Whether the child is tried for the first time.
    pub(crate) first: bool,
    /// Whether lazy expansion evaluates the child once more, even if it is no leaf.
    pub(crate) again: bool,
}

impl Tree {
    /// Starts a descent at the root.
    #[inline]
    pub(crate) fn at_root(&self) -> AtNode {
        self.arrive(self.root, self.root_visits, None)
    }

    /// Continues a descent at a node. `known` is its exploration term if selection has computed it; a shared node
    /// stores its own.
    #[inline]
    pub(crate) fn arrive(&self, node: NodeId, visits: u32, known: Option<f32>) -> AtNode {
        let (visits, exploration) = match known {
            _ if self.params.shared => self.graph.shared_visits(node),
            Some(exploration) => (visits, exploration),
            None => (visits, exploration(self.params.factor, visits.max(1))),
        };
        AtNode { node, visits, exploration }
    }

    /// Chooses an untried child while there is one, unless first-play urgency or lazy expansion excludes it; else the
    /// child with the best score. `PLAIN` searches select by UCB1 with one weight, and try every child once before any
    /// a second time.
    #[inline(never)]
    pub(crate) fn choose<A: Access, const PLAIN: bool>(
        &mut self,
        access: &mut A,
        mut here: AtNode,
        mover: Side,
        guide: &dyn Guide,
    ) -> Chosen {
        if !PLAIN && self.amaf.is_some() {
            self.arrive_for_amaf(here);
        }
        let lazy = !PLAIN && self.is_lazy(here.node);
        if lazy
            && self.params.lazily == LazyMode::Resample
            && let Some(edge) = self.any_unpruned(here.node)
        {
            return Chosen { again: true, ..self.take(access, edge, mover, here, None) };
        }
        loop {
            let (len, tried) = self.graph.children(here.node);
            let untried = tried < len && (PLAIN || self.opens_child(here, tried));
            if !PLAIN && untried && self.amaf.is_some() {
                self.order_by_amaf(here.node, mover, guide);
            }
            let tries_all = self.params.urgency.is_none() && !lazy && self.amaf.is_none();
            // With root=gumbel: whose turn it is at the root.
            let scheduled = if PLAIN { None } else { self.scheduled_child(here, mover) };
            let selected = if let Some(turn) = scheduled {
                turn
            } else if untried && (PLAIN || tried == 0 || tries_all) {
                None
            } else if PLAIN {
                Some(self.select_plainly(here, tried, mover, guide))
            } else {
                Some(self.select(here, tried, mover, guide))
            };
            debug_assert!(selected.is_none_or(|best| best.index < tried), "child {selected:?} of {tried} tried");
            let (index, first) = match selected {
                Some(best)
                    if PLAIN
                        || !untried
                        || scheduled.is_some()
                        || !self.comes_first(here, mover, best, lazy, guide) =>
                {
                    (best.index, false)
                }
                _ => {
                    if !A::ORDERED && scheduled.is_none() {
                        self.move_next_to_front::<PLAIN>(here.node, len, tried, guide);
                    }
                    let edge = Edge { node: here.node, len: len as u32, index: tried as u32 };
                    if !access.claim(self, edge) {
                        here = self.arrive(here.node, here.visits, Some(here.exploration));
                        continue;
                    }
                    if self.prune_unvisited(access, edge, mover) {
                        continue;
                    }
                    (tried, true)
                }
            };
            let edge = Edge { node: here.node, len: len as u32, index: index as u32 };
            return Chosen { first, ..self.take(access, edge, mover, here, selected) };
        }
    }

    /// Whether the current node is about to select by priors that have not been requested yet.
    #[inline]
    pub(crate) fn lacks_priors(&self, here: AtNode) -> bool {
        if !self.graph.lacks_priors(here.node) {
            return false;
        }
        let (len, tried) = self.graph.children(here.node);
        tried == len || tried > 0 && self.params.urgency.is_some()
    }

    /// Appends the step along an edge to the path. The sums over all children are those of the selection, if one was
    /// made.
    #[inline(always)]
    fn take<A: Access>(
        &mut self,
        access: &mut A,
        edge: Edge,
        mover: Side,
        here: AtNode,
        selected: Option<Selected>,
    ) -> Chosen {
        let graph = &self.graph;
        let (len, tried) = graph.children(edge.node);
        let (weight, sum) = match selected {
            Some(selected) => (selected.weight, selected.sum),
            None => weighted_sum(graph.visits(edge.node, len), graph.means(edge.node, len), tried),
        };
        let (own, n) = (graph.own(edge.node), graph.visits_of(edge) as f32);
        let weight = own.visits as f32 + weight - n;
        let sum = own.visits as f32 * own.mean + sum - n * graph.mean_of(edge);
        access.chose(self, edge);
        self.path.push(PathStep { edge, mover, gain: 0, visits: here.visits, weight, sum });
        let exploration = selected.map_or(0.0, |selected| selected.exploration);
        Chosen { edge, code: self.graph.code(edge), exploration, first: false, again: false }
    }

    /// Prunes an untried edge whose bounds are no better than what the mover is assured of. Returns whether it did.
    #[inline(always)]
    fn prune_unvisited(&mut self, access: &mut impl Access, edge: Edge, mover: Side) -> bool {
        if !self.params.proves() {
            return false;
        }
        access.fetch_bounds(self, edge, false);
        let assured = self.graph.bounds(edge.node);
        let prunes = self.graph.edge_bounds(edge).is_no_better_than(assured, mover, self.params.reward);
        if prunes {
            self.graph.prune(edge);
            access.count_pruned(self, edge);
        }
        prunes
    }

    /// Whether lazy expansion skips the untried children of a node, of which one at least has been tried.
    fn is_lazy(&mut self, node: NodeId) -> bool {
        let (len, tried) = self.graph.children(node);
        self.params.lazy > 0.0 && (1..len).contains(&tried) && self.rng.unit() < f64::from(self.params.lazy)
    }

    /// A random child among those tried and not pruned.
    fn any_unpruned(&mut self, node: NodeId) -> Option<Edge> {
        let Tree { graph, rng, .. } = self;
        let tried = graph.children(node).1;
        let open = || graph.edges(node).take(tried).filter(|&edge| !graph.is_pruned(edge));
        let n = open().count() as u32;
        if n == 0 { None } else { open().nth(rng.below(n) as usize) }
    }

    /// The best tried child by UCB1 with a constant weight.
    #[inline(always)]
    fn select_plainly(&mut self, here: AtNode, tried: usize, mover: Side, guide: &dyn Guide) -> Selected {
        let Tree { graph, rng, scores, params, .. } = self;
        let AtNode { node, exploration, .. } = here;
        let (visits, means) = (graph.visits(node, tried), graph.means(node, tried));
        let children = Children::of(visits, means, tried, mover);
        let centrality = |index: usize| guide.centrality(graph.codes(node)[index]);
        let ties = Ties { by: params.tie, centrality: &centrality, rng };
        let factor = if params.shared { 0.0 } else { params.factor };
        ucb1(&children, Ucb1 { exploration, factor }, ties, scores)
    }

    /// The best tried child by the formula of the settings.
    fn select(&mut self, here: AtNode, tried: usize, mover: Side, guide: &dyn Guide) -> Selected {
        let bonus = self.bonus(here.node, tried);
        let c = if self.params.varied { self.weight_at(here.node, guide) } else { self.params.c };
        let Tree { graph, rng, scores, params, amaf, identities, .. } = self;
        let AtNode { node, visits, exploration } = here;
        let len = graph.len(node);
        let amaf = amaf.as_mut().map(|amaf| {
            guide.identities(&graph.codes(node)[..tried], identities);
            amaf.prepare(mover, identities, graph.visits(node, len))
        });
        // Only some formulas and techniques need it.
        let worst = if params.reads_worst() { params.worst_reward(mover, guide.offset(params)) } else { 0.0 };
        let lowest = worst * f32::from(mover.sign());
        let selecting = Selecting { params, graph, node, visits, exploration, c, lowest };
        let counted = Children::of(graph.visits(node, len), graph.means(node, len), tried, mover);
        let children = Children { bonus, amaf, ..with_columns(params, graph, node, counted, worst) };
        let centrality = |index: usize| guide.centrality(graph.codes(node)[index]);
        let ties = Ties { by: params.tie, centrality: &centrality, rng };
        by_formula(&selecting, &children, ties, scores)
    }

    /// The value of each child as selection counts it, before it adds its exploration term: the mean mixed with what the settings mix it
    /// with, and every bonus, seen by the mover. `stats` are those of all children; all moves as first are not counted.
    pub(crate) fn selection_values(
        &self,
        node: NodeId,
        stats: impl Iterator<Item = EdgeStats> + Clone,
        mover: Side,
        guide: &dyn Guide,
    ) -> Vec<f32> {
        let Tree { graph, params, .. } = self;
        let padded = |words: &mut dyn Iterator<Item = u32>| words.chain([0; LANES]).collect::<Vec<u32>>();
        let visits = padded(&mut stats.clone().map(|stats| stats.visits));
        let means = padded(&mut stats.map(|stats| stats.mean.to_bits()));
        let len = visits.len() - LANES;
        let worst = params.worst_reward(mover, guide.offset(params));
        let counted = Children::of(&visits, &means, len, mover);
        let bonus = self.bonus(node, len);
        values(&Children { bonus, ..with_columns(params, graph, node, counted, worst) })
    }

    /// The root's preferred child, and the bonus on its score before it has a visit.
    #[inline(always)]
    fn bonus(&self, node: NodeId, tried: usize) -> Option<(usize, f32)> {
        let preferred = self.preferred.filter(|_| node == self.root)?;
        let index = self.graph.codes(node)[..tried].iter().position(|&code| code == preferred)?;
        Some((index, self.params.root_bias))
    }

    /// The exploration weight at a node, for searches in which it varies between nodes.
    pub(crate) fn weight_at(&self, node: NodeId, guide: &dyn Guide) -> f32 {
        let c = guide.scheduled_weight().unwrap_or(self.params.c);
        match (self.params.scale, self.graph.value_if_kept(node)) {
            (Scale::Spread, Some((mean, square))) => {
                let deviation = (square - mean * mean).max(0.0).sqrt();
                c * 2.0 * deviation / self.params.reward_range
            }
            _ => c,
        }
    }

    /// Whether the next untried child is chosen before the best tried one, if there are both.
    fn comes_first(&mut self, here: AtNode, mover: Side, best: Selected, lazy: bool, guide: &dyn Guide) -> bool {
        if lazy {
            best.score == f32::NEG_INFINITY
        } else if self.amaf.is_some() {
            self.prefers_untried_by_amaf(here, mover, best, guide)
        } else {
            self.prefers_untried(here, mover, best, guide)
        }
    }

    /// Lets values come from the statistics of a node, or with GRAVE from those of one above.
    #[cold]
    fn arrive_for_amaf(&mut self, here: AtNode) {
        let (key, first) = (self.graph.key(here.node), self.path.is_empty());
        self.amaf.iter_mut().for_each(|amaf| amaf.arrive(here.node, key, first));
    }

    /// Moves an untried child without simulations that play its move later to the front of the untried ones, or the one with the best mean
    /// of those; at random among equals. With priors the order stays that of the priors.
    #[cold]
    fn order_by_amaf(&mut self, node: NodeId, mover: Side, guide: &dyn Guide) {
        let keeps_priors = self.keeps_priors();
        let Tree { graph, rng, amaf, identities, .. } = self;
        let Some(amaf) = amaf.as_ref().filter(|_| !keeps_priors) else { return };
        let tried = graph.children(node).1;
        guide.identities(&graph.codes(node)[tried..], identities);
        let sign = f32::from(mover.sign());
        let (mut best, mut next, mut equals) = (f32::NEG_INFINITY, tried, 0);
        for (i, mean) in (tried..).zip(amaf.values(mover, identities)) {
            let value = mean.map_or(f32::INFINITY, |mean| sign * mean);
            equals = if value > best { 1 } else { equals + u32::from(value == best) };
            if value > best || value == best && rng.below(equals) == 0 {
                (best, next) = (value, i);
            }
        }
        graph.swap_untried(node, tried, next);
    }

    /// Whether the next untried child comes before the best tried one: if the mean of the simulations that play its move later, with the bonus
    /// by UCB1 of a child with one visit (by PUCT of one without), is no lower than the score of the tried one. Without such simulations
    /// first-play urgency decides, and if there is none the child comes first.
    fn prefers_untried_by_amaf(&mut self, here: AtNode, mover: Side, best: Selected, guide: &dyn Guide) -> bool {
        let (len, tried) = self.graph.children(here.node);
        let edge = Edge { node: here.node, len: len as u32, index: tried as u32 };
        guide.identities(&[self.graph.code(edge)], &mut self.identities);
        let amaf = self.amaf.as_ref().and_then(|amaf| amaf.values(mover, &self.identities).next().flatten());
        if best.score == f32::NEG_INFINITY {
            return true;
        }
        let Some(mean) = amaf else {
            return self.params.urgency.is_none() || self.prefers_untried(here, mover, best, guide);
        };
        let c = if self.params.varied { self.weight_at(here.node, guide) } else { self.params.c };
        let bonus = match self.params.selection {
            Selection::Puct => c * self.graph.prior(edge).unwrap_or(1.0 / len as f32) * (here.visits as f32).sqrt(),
            _ => c * (2.0 * exploration(1.0, here.visits.max(1))).sqrt(),
        };
        mean * f32::from(mover.sign()) + bonus + self.untried_bonus(here.node, mover, guide) >= best.score
    }

    /// Whether first-play urgency (Gelly and Wang 2006), relative to the parent's mean, puts the next untried child
    /// before the best tried one.
    fn prefers_untried(&self, here: AtNode, mover: Side, best: Selected, guide: &dyn Guide) -> bool {
        let own = self.graph.own(here.node);
        let weight = own.visits as f32 + best.weight;
        if weight == 0.0 || best.score == f32::NEG_INFINITY {
            return true;
        }
        let mean = (own.visits as f32 * own.mean + best.sum) / weight * f32::from(mover.sign());
        let mut urgency = mean - self.params.urgency.unwrap_or(0.0);
        if self.params.selection == Selection::Puct {
            let (len, tried) = self.graph.children(here.node);
            let edge = Edge { node: here.node, len: len as u32, index: tried as u32 };
            let prior = self.graph.prior(edge).unwrap_or(1.0 / len as f32);
            urgency += self.weight_at(here.node, guide) * prior * (here.visits as f32).sqrt();
        }
        urgency + self.untried_bonus(here.node, mover, guide) >= best.score
    }

    /// The bonus by its static evaluation of the next untried child.
    fn untried_bonus(&self, node: NodeId, mover: Side, guide: &dyn Guide) -> f32 {
        if self.params.progressive_bias == 0.0 {
            return 0.0;
        }
        let (len, tried) = self.graph.children(node);
        let edge = Edge { node, len: len as u32, index: tried as u32 };
        let value = self.graph.number(edge, Column::Heuristic).expect("kept with this bonus");
        let worst = self.params.worst_reward(mover, guide.offset(&self.params));
        self.params.progressive_bias * f32::from(mover.sign()) * (value - worst)
    }

    /// Children are stored in the order in which they are tried: moves the next one to the front of the untried ones.
    /// With priors the order is unchanged: children are sorted by prior at new roots, and if the settings try them one at a time.
    #[inline(always)]
    fn move_next_to_front<const PLAIN: bool>(&mut self, node: NodeId, len: usize, tried: usize, guide: &dyn Guide) {
        if !PLAIN && (self.keeps_priors() || self.amaf.is_some() || self.move_preferred_to_front(node, tried)) {
            return;
        }
        match self.params.order {
            // New nodes are sorted by static evaluations.
            ExpansionOrder::Listed | ExpansionOrder::Static => {}
            ExpansionOrder::Random => {
                let next = tried + self.rng.below((len - tried) as u32) as usize;
                self.graph.swap_untried(node, tried, next);
            }
            ExpansionOrder::Central => {
                let untried = &self.graph.codes(node)[tried..];
                // The negative index prefers the first of equals.
                let centrality = |&i: &usize| (guide.centrality(untried[i]), -(i as isize));
                let next = (0..untried.len()).max_by_key(centrality).expect("a child is untried");
                (0..next).rev().for_each(|i| self.graph.swap_untried(node, tried + i, tried + i + 1));
            }
        }
    }

    /// Moves the root's preferred move to the front of the untried children, if it is untried. Returns whether it was.
    fn move_preferred_to_front(&mut self, node: NodeId, tried: usize) -> bool {
        let preferred = self.preferred.filter(|_| node == self.root && self.params.root_bias > 0.0);
        let untried = &self.graph.codes(node)[tried..];
        let Some(next) = preferred.and_then(|preferred| untried.iter().position(|&code| code == preferred)) else {
            return false;
        };
        (0..next).rev().for_each(|i| self.graph.swap_untried(node, tried + i, tried + i + 1));
        true
    }

    /// Sorts all untried children of a node by the order in which they are tried.
    pub(crate) fn sort_untried(&mut self, node: NodeId, guide: &dyn Guide) {
        let (len, tried) = self.graph.children(node);
        (tried..len).for_each(|next| self.move_next_to_front::<false>(node, len, next, guide));
    }

    /// Sorts the moves just listed, all of which are untried, likewise.
    pub(crate) fn sort_codes(&mut self, guide: &dyn Guide) {
        let Tree { codes, rng, .. } = self;
        match self.params.order {
            ExpansionOrder::Listed | ExpansionOrder::Static => {}
            ExpansionOrder::Random => {
                let len = codes.len();
                (0..len).for_each(|next| codes.swap(next, next + rng.below((len - next) as u32) as usize));
            }
            ExpansionOrder::Central => codes.sort_by_key(|&code| std::cmp::Reverse(guide.centrality(code))),
        }
    }

    /// Whether an edge leads to a pending leaf.
    #[inline]
    pub(crate) fn is_pending(&self, edge: Edge) -> bool {
        self.graph.below(edge) == Below::Pending
    }
}

/// Children with what the settings count beside their means, where nodes store it. `worst`: the lowest reward of the side to move.
#[inline(always)]
fn with_columns<'a>(
    params: &Params,
    graph: &'a Graph,
    node: NodeId,
    children: Children<'a>,
    worst: f32,
) -> Children<'a> {
    let len = graph.len(node);
    let lowest = worst * f32::from(children.mover.sign());
    let column = |column| graph.column(node, len, column);
    let blends = params.unvisited == UnvisitedValue::Blend;
    Children {
        leaves: blends.then(|| LeafMeans { handles: graph.handles(node, len), start: graph.own(node).mean }),
        minimax: column(Column::Minimax).map(|values| (values, params.implicit)),
        heuristic: column(Column::Heuristic).map(|values| Heuristic {
            values,
            weight: params.progressive_bias,
            lowest,
        }),
        losses: column(Column::Losses).map(|pending| Losses { pending, worst }),
        ..children
    }
}
