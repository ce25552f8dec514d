//! The moves of a node as seen by reports, and the choice of the final move.

use banyan_bits::cpu::LANES;
use banyan_core::{Bounds, Margin, Rng, Side};

use crate::budget::RootStatus;
use crate::mcts::tree::{Edge, EdgeStats, Guide, NodeId, Packed, Params, Ties, Tree, exploration, pick};
use crate::options::{Config, FinalMove};

/// Statistics and bounds of one move of a node.
#[derive(Clone, Copy)]
pub(super) struct MoveView {
    pub(super) edge: Edge,
    pub(super) stats: EdgeStats,
    /// Proven bounds; the game's range if nothing is proven.
    pub(super) bounds: Packed,
    /// Lower and upper bound of the reward, seen by the mover, and of the margin.
    rewards: (f32, f32),
    margins: (i16, i16),
    pruned: bool,
}

impl MoveView {
    fn new(params: &Params, edge: Edge, stats: EdgeStats, (bounds, pruned): (Packed, bool), mover: Side) -> MoveView {
        let margins = match mover {
            Side::First => (bounds.lower(), bounds.upper()),
            Side::Second => (-bounds.upper(), -bounds.lower()),
        };
        MoveView { edge, stats, bounds, rewards: mover_rewards(params, bounds, mover), margins, pruned }
    }

    fn of(tree: &Tree, edge: Edge, mover: Side) -> MoveView {
        let bounds = if tree.params.proves() { tree.graph.edge_bounds(edge) } else { tree.params.unknown(0) };
        MoveView::new(&tree.params, edge, tree.graph.stats(edge), (bounds, tree.graph.is_pruned(edge)), mover)
    }
}

/// The moves of a node in one search, or merged over several. Edges are those of the first.
pub(crate) struct TreeView {
    pub(super) known: Vec<MoveView>,
    solved: bool,
    pub(super) bounds: Packed,
    visits: u64,
}

impl TreeView {
    /// The moves of a node in one tree.
    pub(crate) fn of(tree: &Tree, node: NodeId, mover: Side) -> TreeView {
        TreeView {
            known: tree.graph.edges(node).map(|edge| MoveView::of(tree, edge, mover)).collect(),
            solved: tree.graph.is_solved(node),
            bounds: tree.graph.bounds(node),
            visits: tree.graph.total_visits(node),
        }
    }

    /// Merges the moves of the root of `other`, which has the position of the root of `first`: visits are summed and
    /// means weighted by them; bounds are intersected.
    pub(crate) fn add(&mut self, first: &Tree, other: &Tree, mover: Side) {
        for known in &mut self.known {
            let code = first.graph.code(known.edge);
            let edges = &mut other.graph.edges(other.root);
            let Some(edge) = edges.find(|&edge| other.graph.code(edge) == code) else { continue };
            let theirs = MoveView::of(other, edge, mover);
            let (stats, bounds) = (known.stats.and(theirs.stats), known.bounds.and(theirs.bounds));
            *known = MoveView::new(&first.params, known.edge, stats, (bounds, known.pruned || theirs.pruned), mover);
        }
        self.bounds = self.bounds.and(other.graph.bounds(other.root));
        self.solved = self.solved || other.graph.is_solved(other.root);
        self.visits += other.graph.total_visits(other.root);
    }
}

/// A node as the rule of the final move reads it beside each move.
struct Node {
    /// Visits of the most visited move that is still open.
    most: u32,
    /// With `final=ucb`: the value of each edge as selection counts it, and `2 c^2 ln N`.
    values: Vec<f32>,
    exploration: f32,
}

/// Inputs of the choice of the final move.
pub(crate) struct FinalMoveSelector<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) config: &'a Config,
    pub(crate) mover: Side,
    /// The score from which the node's values count.
    pub(crate) offset: i16,
    pub(crate) guide: &'a dyn Guide,
}

impl FinalMoveSelector<'_> {
    /// The edge to play at a node: when the best reward is proven, the fastest win or slowest loss, if margins
    /// distinguish them; else the best edge that is not pruned, unless a solved one is as good.
    pub(super) fn best_edge(&self, view: &TreeView) -> Edge {
        let (known, params) = (&view.known, &self.tree.params);
        let proven = |k: &&MoveView| (k.margins.0, k.margins.1, k.stats.visits);
        // `rev` because `max_by_key` keeps the last of several.
        let pruned = known.iter().rev().filter(|k| k.pruned).max_by_key(proven);
        if view.solved {
            let (low, high) = mover_rewards(params, view.bounds, self.mover);
            debug_assert_eq!(low, high);
            // Every move of a lost position has the same reward: then the best lower bound of the margin decides.
            let best = known.iter().rev().filter(|k| k.rewards.0 >= low).max_by_key(proven);
            return best.or(pruned).unwrap_or(&known[0]).edge;
        }
        let open: Vec<&MoveView> = known.iter().filter(|k| !k.pruned && k.stats.visits > 0).collect();
        let worst = mover_rewards(params, params.unknown(0), self.mover).0;
        let assured = pruned.filter(|k| k.rewards.0 > worst);
        let Some(best) = self.best_open(view, &open) else {
            let untried = known.iter().find(|k| !k.pruned);
            return assured.or(untried).or(pruned).unwrap_or(&known[0]).edge;
        };
        let mean = best.stats.mean * f32::from(self.mover.sign());
        assured.filter(|k| k.rewards.0 >= mean).unwrap_or(best).edge
    }

    /// The best of the edges that are not pruned, by the rule of the final move.
    fn best_open<'a>(&self, view: &TreeView, open: &[&'a MoveView]) -> Option<&'a MoveView> {
        if open.is_empty() {
            return None;
        }
        let heavy = self.of_weight(open);
        let open = heavy.as_deref().unwrap_or(open);
        let most = open.iter().map(|k| k.stats.visits).max().unwrap_or(0);
        let node = self.node(view, most);
        let mut scores = vec![[f32::NEG_INFINITY; LANES]; open.len().div_ceil(LANES)];
        for (score, k) in scores.as_flattened_mut().iter_mut().zip(open) {
            *score = self.final_score(k, &node);
        }
        let best = scores.as_flattened().iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // Progress reports must not advance the search's random numbers, so a tie is broken by a copy.
        let mut rng: Rng = self.tree.rng.clone();
        let centrality = |i: usize| self.guide.centrality(self.tree.graph.code(open[i].edge));
        let best = open[pick(&scores, best, Ties { by: self.config.tie, centrality: &centrality, rng: &mut rng })];
        Some(self.heaviest_near(best, open, &node).unwrap_or(best))
    }

    /// A node whose most visited open move has `most` visits. What is stored beside visits and means is that of the first tree.
    fn node(&self, view: &TreeView, most: u32) -> Node {
        let tree = self.tree;
        if self.config.final_move != FinalMove::Ucb {
            return Node { most, values: Vec::new(), exploration: 0.0 };
        }
        let node = view.known[0].edge.node;
        let values = tree.selection_values(node, view.known.iter().map(|k| k.stats), self.mover, self.guide);
        let c = tree.weight_at(node, self.guide);
        Node { most, values, exploration: exploration(2.0 * c * c, (view.visits as u32).max(1)) }
    }

    fn weight(&self, k: &MoveView) -> Option<i16> {
        self.config.square_weights.of(self.tree.graph.code(k.edge))
    }

    /// The moves that are played for their weight alone (`take-weight`), if there are any.
    fn of_weight<'a>(&self, open: &[&'a MoveView]) -> Option<Vec<&'a MoveView>> {
        let least = i64::from(self.config.take_weight);
        if least == 0 {
            return None;
        }
        let heavy = |k: &&&MoveView| self.weight(k).is_some_and(|weight| i64::from(weight) >= least);
        let taken: Vec<&MoveView> = open.iter().filter(heavy).copied().collect();
        (!taken.is_empty()).then_some(taken)
    }

    /// The move of the heaviest square among those that are nearly as good as `best` (`near-tie`), the better one among equals: by
    /// the UCB where that decides the final move, else by the mean.
    fn heaviest_near<'a>(&self, best: &MoveView, open: &[&'a MoveView], node: &Node) -> Option<&'a MoveView> {
        if self.config.near_tie == 0.0 {
            return None;
        }
        let by_ucb = self.config.final_move == FinalMove::Ucb;
        let score = |k: &MoveView| if by_ucb { self.final_score(k, node) } else { self.mean(k) };
        let least = score(best) - self.config.near_tie * self.tree.params.reward_range;
        let near = open.iter().copied().filter(|k| score(k) >= least && self.weight(k).is_some());
        near.max_by(|a, b| self.weight(a).cmp(&self.weight(b)).then(score(a).total_cmp(&score(b))))
    }

    /// The mean reward of a move, seen by the mover, with the root bias that it got.
    fn mean(&self, k: &MoveView) -> f32 {
        let tree = self.tree;
        let biased = k.edge.node == tree.root && tree.preferred == Some(tree.graph.code(k.edge));
        let bonus = if biased { tree.params.root_bias / (1.0 + k.stats.visits as f32) } else { 0.0 };
        k.stats.mean * f32::from(self.mover.sign()) + bonus
    }

    /// The score of a move under the rule of the final move.
    fn final_score(&self, k: &MoveView, node: &Node) -> f32 {
        let (config, stats) = (self.config, k.stats);
        if self.tree.gumbel.is_some() && k.edge.node == self.tree.root {
            return self.tree.gumbel_score(k.edge, self.mover).unwrap_or(f32::NEG_INFINITY);
        }
        let mean = self.mean(k);
        match config.final_move {
            FinalMove::Max => mean,
            FinalMove::MaxQuarter if u64::from(stats.visits) * 4 < u64::from(node.most) => f32::NEG_INFINITY,
            FinalMove::MaxQuarter => mean,
            // The mean decides between equal visits: mapped to an interval shorter than 1, it never outweighs a visit
            // (up to 2^23 visits, where single precision ends and equal scores are left to the tie-break).
            FinalMove::Robust => stats.visits as f32 + (0.5 + 0.49 * mean / (1.0 + mean.abs())),
            FinalMove::Ucb => node.values[k.edge.index as usize] + (node.exploration / stats.visits as f32).sqrt(),
            FinalMove::Secure => {
                let mean = stats.mean + f32::from(self.offset);
                let share = f64::from(self.tree.params.share_of_result(mean));
                let share = if self.mover == Side::First { share } else { 1.0 - share };
                lower_end(share, f64::from(stats.visits)) as f32
            }
        }
    }

    /// The next edge of a principal variation: the best if the node is solved, else the most visited.
    pub(super) fn expected(&self, node: NodeId) -> Edge {
        if self.tree.graph.is_solved(node) {
            return self.best_edge(&TreeView::of(self.tree, node, self.mover));
        }
        let worst = mover_rewards(&self.tree.params, self.tree.params.unknown(0), self.mover).0;
        let lost = |edge: Edge| {
            self.tree.graph.is_pruned(edge) && MoveView::of(self.tree, edge, self.mover).rewards.1 <= worst
        };
        let key = |edge: &Edge| (!lost(*edge), self.tree.graph.visits_of(*edge));
        self.tree.graph.edges(node).rev().max_by_key(key).expect("a node has children")
    }

    /// The status of the root's moves for stop conditions.
    pub(crate) fn root_status(&self, view: &TreeView) -> RootStatus {
        if self.tree.gumbel.is_some() {
            // Sequential halving ends with its budget, which no further search changes.
            return RootStatus { most_visited: 0, visits: u64::MAX, second: 0, agreed: true };
        }
        let sign = f32::from(self.mover.sign());
        let (mut first, mut second, mut best) = ((0, 0), 0, (0, f32::NEG_INFINITY));
        for k in view.known.iter().filter(|k| !k.pruned) {
            let index = k.edge.index as usize;
            if k.stats.visits > first.1 {
                second = first.1;
                first = (index, k.stats.visits);
            } else {
                second = second.max(k.stats.visits);
            }
            if k.stats.visits > 0 && k.stats.mean * sign > best.1 {
                best = (index, k.stats.mean * sign);
            }
        }
        let (most_visited, visits) = first;
        let worst = mover_rewards(&self.tree.params, self.tree.params.unknown(0), self.mover).0;
        if view.known.iter().any(|k| k.pruned && k.rewards.0 > worst) {
            // A solved move is compared by its value, whatever its visits.
            return RootStatus { most_visited, visits: visits.into(), second: visits.into(), agreed: false };
        }
        if view.known.len() == 1 {
            return RootStatus { most_visited, visits: u64::MAX, second: 0, agreed: true };
        }
        let agreed = most_visited == best.0;
        if self.config.final_move != FinalMove::Robust && !agreed {
            // Under another rule the move with fewer visits may be played.
            return RootStatus { most_visited, visits: visits.into(), second: visits.into(), agreed };
        }
        RootStatus { most_visited, visits: visits.into(), second: second.into(), agreed }
    }
}

/// Expected result of a move for the first side, -1 .. 1, from its statistics and bounds, both counted from `offset`;
/// `None` if it has neither.
pub(super) fn value_of(params: &Params, stats: EdgeStats, bounds: Option<Packed>, offset: i16) -> Option<f64> {
    let reward = params.reward;
    let decided = bounds.filter(|bounds| bounds.decides(reward));
    let mean = match (decided, bounds) {
        (Some(bounds), _) => bounds.clamp(0.0, reward),
        (None, _) if stats.visits == 0 => return None,
        (None, Some(bounds)) => bounds.clamp(stats.mean, reward),
        (None, None) => stats.mean,
    };
    Some(reward.normalised(mean + f32::from(offset), params.range()))
}

/// Bounds of the final margin, counted from `offset`, if they are tighter than the game's range.
pub(super) fn final_bounds(params: &Params, bounds: Packed, offset: i16) -> Option<Bounds> {
    let range = params.range();
    let known = bounds.unpacked(offset);
    let bounds = Bounds::new(known.lower.max(range.lower), known.upper.min(range.upper));
    (bounds != range).then_some(bounds)
}

/// Lower and upper bound of the reward, seen by `mover`.
fn mover_rewards(params: &Params, bounds: Packed, mover: Side) -> (f32, f32) {
    let reward = |points| params.reward.of(Margin(params.reward.proven(points)));
    let (low, high) = (reward(bounds.lower()), reward(bounds.upper()));
    match mover {
        Side::First => (low, high),
        Side::Second => (-high, -low),
    }
}

/// Lower end of the 95 % confidence interval of a proportion `p` of `n` trials (Wilson 1927).
fn lower_end(p: f64, n: f64) -> f64 {
    let z = 1.96f64;
    let middle = p + z * z / (2.0 * n);
    let width = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (middle - width) / (1.0 + z * z / n)
}
