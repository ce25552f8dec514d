//! The turns of the moves of the root with `root=gumbel`: those considered, the next one, and those dropped (`gumbel`).

use banyan_core::{Limits, Side};

use super::choose::AtNode;
use super::graph::Edge;
use super::gumbel::{Candidate, GumbelRoot, LEAST, gumbel_noise, natural_log, sigma};
use super::search_tree::Tree;
use super::select::{Selected, exploration, weighted_sum};

impl Tree {
    /// Begins a search whose root considers up to `n_moves` moves. The root has its priors.
    pub(crate) fn begin_gumbel(&mut self, n_moves: u32, limits: &Limits) {
        let Tree { graph, rng, root, .. } = self;
        let candidate = |edge: Edge| {
            let logit = graph.prior(edge).map_or(0.0, |prior| natural_log(prior.max(LEAST)));
            Candidate { code: graph.code(edge), base: gumbel_noise(rng.unit()) + logit, before: graph.visits_of(edge) }
        };
        // Noise is drawn for all, in the order of the edges; then those that need no search are left out.
        let all: Vec<(Edge, Candidate)> =
            graph.edges(*root).map(candidate).zip(graph.edges(*root)).map(|(c, e)| (e, c)).collect();
        let open = all.into_iter().filter(|&(edge, _)| !graph.is_pruned(edge));
        let mut rest: Vec<Candidate> = open.map(|(_, candidate)| candidate).collect();
        rest.sort_by(|a, b| a.base.total_cmp(&b.base));
        // As in the paper no more moves are considered than there are playouts.
        let most = limits.playouts.map_or(n_moves, |playouts| n_moves.min(playouts.try_into().unwrap_or(n_moves)));
        let n_kept = rest.len().min(most.max(1) as usize);
        let kept: Vec<Candidate> = rest.drain(rest.len() - n_kept..).rev().collect();
        let phases = (kept.len().max(1).next_power_of_two().ilog2()).max(1);
        let (playouts, nodes) = (limits.playouts, limits.nodes);
        self.gumbel = Some(GumbelRoot { kept, rest, phase: 0, phases, playouts, nodes, time_share: 0.0 });
    }

    /// Records the share of the time that is spent.
    pub(crate) fn note_time_share(&mut self, share: f64) {
        if let Some(gumbel) = &mut self.gumbel {
            gumbel.time_share = share;
        }
    }

    /// Whether a phase is over, so that pending leaves should be evaluated before half of the moves are dropped.
    pub(crate) fn is_halving_due(&self) -> bool {
        self.gumbel.as_ref().is_some_and(|gumbel| self.is_phase_over(gumbel))
    }

    /// Whether the budget of a phase is spent, and every move considered has been visited in this search.
    fn is_phase_over(&self, gumbel: &GumbelRoot) -> bool {
        let is_visited = |candidate: &Candidate| {
            self.root_edge(candidate.code)
                .is_none_or(|edge| self.graph.is_pruned(edge) || self.graph.visits_of(edge) > candidate.before)
        };
        gumbel.phase_at(gumbel.share(self.spent(), self.nodes)) > gumbel.phase && gumbel.kept.iter().all(is_visited)
    }

    /// The child of the root whose turn it is: a tried one, or `None` for the untried one that is now the first; the outer
    /// `None` at other nodes, with `root=tree`, and if all moves are pruned.
    #[inline]
    pub(super) fn scheduled_child(&mut self, here: AtNode, mover: Side) -> Option<Option<Selected>> {
        if self.gumbel.is_none() || here.node != self.root { None } else { self.child_in_turn(here, mover) }
    }

    #[inline(never)]
    fn child_in_turn(&mut self, here: AtNode, mover: Side) -> Option<Option<Selected>> {
        let mut gumbel = self.gumbel.take()?;
        while self.is_phase_over(&gumbel) {
            self.halve(&mut gumbel, mover);
            gumbel.phase += 1;
        }
        let next = self.next_candidate(&mut gumbel);
        self.gumbel = Some(gumbel);
        let edge = next?;
        let (len, tried) = self.graph.children(here.node);
        let index = edge.index as usize;
        if index >= tried {
            // As in the order of the other moves, those between stay as they are.
            (tried..index).rev().for_each(|i| self.graph.swap_untried(here.node, i, i + 1));
            return Some(None);
        }
        let graph = &self.graph;
        let (weight, sum) = weighted_sum(graph.visits(here.node, len), graph.means(here.node, len), tried);
        let factor = if self.params.shared { 0.0 } else { self.params.factor };
        let exploration = exploration(factor, graph.visits_of(edge).max(1));
        Some(Some(Selected { index, score: 0.0, weight, sum, exploration }))
    }

    /// The considered move with the fewest visits of this search, the first of equals.
    fn next_candidate(&self, gumbel: &mut GumbelRoot) -> Option<Edge> {
        let visits = |candidate: &Candidate| {
            let edge = self.root_edge(candidate.code).filter(|&edge| !self.graph.is_pruned(edge))?;
            Some((self.graph.visits_of(edge).saturating_sub(candidate.before), edge))
        };
        loop {
            let next = gumbel.kept.iter().filter_map(visits).min_by_key(|&(n, _)| n);
            if let Some((_, edge)) = next {
                return Some(edge);
            }
            gumbel.kept.clear();
            gumbel.kept.push(gumbel.rest.pop()?);
        }
    }

    /// Keeps the better half of the moves considered.
    fn halve(&self, gumbel: &mut GumbelRoot, mover: Side) {
        gumbel.kept.retain(|candidate| self.root_edge(candidate.code).is_some_and(|edge| !self.graph.is_pruned(edge)));
        let scored = |candidate: &Candidate| {
            self.root_edge(candidate.code).map(|edge| self.value_at_root(candidate, edge, mover))
        };
        let score = |candidate: &Candidate| scored(candidate).unwrap_or(f32::NEG_INFINITY);
        // Stable: the larger g + logit comes first among equals.
        gumbel.kept.sort_by(|a, b| score(b).total_cmp(&score(a)));
        // Dropped moves come back, the best first, if proofs leave none of the others.
        let dropped = gumbel.kept.split_off(gumbel.kept.len().div_ceil(2));
        gumbel.rest.extend(dropped.into_iter().rev());
    }

    /// `g + logit + sigma(q)` of a move of the root, if it is still considered, or the one that would be next if proofs leave none of those. A move
    /// without a visit has the mean of the root.
    pub(crate) fn gumbel_score(&self, edge: Edge, mover: Side) -> Option<f32> {
        let code = self.graph.code(edge);
        let gumbel = self.gumbel.as_ref()?;
        let is_open =
            |candidate: &&Candidate| self.root_edge(candidate.code).is_some_and(|edge| !self.graph.is_pruned(edge));
        let next =
            if gumbel.kept.iter().any(|kept| is_open(&kept)) { None } else { gumbel.rest.iter().rev().find(is_open) };
        let candidate = gumbel.kept.iter().chain(next).find(|candidate| candidate.code == code)?;
        Some(self.value_at_root(candidate, edge, mover))
    }

    fn value_at_root(&self, candidate: &Candidate, edge: Edge, mover: Side) -> f32 {
        let visits = self.graph.visits_of(edge);
        let mean = if visits > 0 { self.graph.mean_of(edge) } else { self.mean_now(self.root) };
        let sign = f32::from(mover.sign());
        let worst = self.params.worst_reward(mover, self.root_offset);
        let q = (sign * (mean - worst) / self.params.reward_range).clamp(0.0, 1.0);
        let most = self.graph.edges(self.root).map(|edge| self.graph.visits_of(edge)).max().unwrap_or(0);
        candidate.base + sigma(q, most)
    }

    fn root_edge(&self, code: u16) -> Option<Edge> {
        let codes = self.graph.codes(self.root);
        let index = codes.iter().position(|&other| other == code)?;
        Some(Edge { node: self.root, len: codes.len() as u32, index: index as u32 })
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Bounds, Margin};

    use super::*;
    use crate::mcts::tree::{EdgeStats, Expansion, Packed, Params};
    use crate::options::Config;

    /// A root with `n` moves that is about to be searched.
    fn root(n: u16, limits: &Limits, settings: &str) -> Tree {
        let config: Config = settings.parse().expect("valid");
        let mut tree = Tree::new(&config, false);
        let range = Bounds::new(Margin(-1), Margin(1));
        tree.params = Params::new(&config, range, 1, (false, false));
        tree.codes = (0..n).collect();
        let bounds = Packed::of(range);
        let new = Expansion { key: 1, own: EdgeStats::default(), bounds, mover: Side::First, offset: 0, awaits: false };
        tree.root = tree.add_node(&new).expect("there is room");
        tree.begin_gumbel(config.root_moves, limits);
        tree
    }

    /// Makes playouts, each of which gives a move the reward that it always has.
    fn play(tree: &mut Tree, playouts: u64, rewards: &[f32]) {
        for _ in 0..playouts {
            let here = tree.at_root();
            let turn = tree.scheduled_child(here, Side::First).expect("a move is open");
            let (len, tried) = tree.graph.children(tree.root);
            let index = turn.map_or(tried, |selected| selected.index);
            if turn.is_none() {
                tree.graph.count_tried(tree.root, 1);
            }
            let edge = Edge { node: tree.root, len: len as u32, index: index as u32 };
            let reward = rewards[usize::from(tree.graph.code(edge))];
            let stats = tree.graph.stats(edge).with(reward);
            tree.graph.set_stats(edge, stats);
            tree.playouts += 1;
        }
    }

    /// Visits of the moves, most first.
    fn visits(tree: &Tree) -> Vec<u32> {
        let mut visits: Vec<u32> = tree.graph.edges(tree.root).map(|edge| tree.graph.visits_of(edge)).collect();
        visits.sort_by(|a, b| b.cmp(a));
        visits
    }

    #[test]
    fn each_phase_gives_every_move_left_as_many_visits() {
        // Two phases of 32 playouts: 4 moves of 8 visits, then 2 of 16.
        let mut tree = root(8, &Limits::playouts(64), "root=gumbel,root-moves=4");
        play(&mut tree, 32, &[0.5; 8]);
        assert_eq!(visits(&tree), [8, 8, 8, 8, 0, 0, 0, 0]);
        play(&mut tree, 32, &[0.5; 8]);
        assert_eq!(visits(&tree), [24, 24, 8, 8, 0, 0, 0, 0]);
        // Sixteen moves, four phases of 128 playouts: 8 + 16 + 32 + 64 visits for the last two.
        let mut tree = root(20, &Limits::playouts(512), "root=gumbel");
        play(&mut tree, 512, &[0.5; 20]);
        assert_eq!(visits(&tree)[..17], [120, 120, 56, 56, 24, 24, 24, 24, 8, 8, 8, 8, 8, 8, 8, 8, 0]);
        // No more moves than playouts.
        let mut tree = root(20, &Limits::playouts(3), "root=gumbel");
        play(&mut tree, 3, &[0.5; 20]);
        assert_eq!(visits(&tree)[..4], [1, 1, 1, 0]);
    }

    #[test]
    fn equal_values_leave_the_order_to_the_noise_and_large_differences_decide() {
        let mut tree = root(8, &Limits::playouts(64), "root=gumbel,root-moves=4");
        let first: Vec<u16> = tree.gumbel.as_ref().expect("begun").kept.iter().map(|move_| move_.code).collect();
        play(&mut tree, 64, &[0.5; 8]);
        let kept = |tree: &Tree| tree.gumbel.as_ref().expect("begun").kept.iter().map(|k| k.code).collect::<Vec<u16>>();
        assert_eq!(kept(&tree), first[..2]);
        // The last of the four wins always: sigma(1) - sigma(0) is 58 after 8 visits, more than any noise.
        let mut tree = root(8, &Limits::playouts(64), "root=gumbel,root-moves=4");
        let mut rewards = [0.0; 8];
        rewards[usize::from(first[3])] = 1.0;
        play(&mut tree, 64, &rewards);
        assert_eq!(kept(&tree), [first[3], first[0]]);
        let edge = tree.root_edge(first[3]).expect("a move");
        let base = tree.gumbel.as_ref().expect("begun").kept[0].base;
        assert_eq!(tree.gumbel_score(edge, Side::First), Some(base + 50.0 + 24.0));
        // Dropped moves have no score.
        assert_eq!(tree.gumbel_score(tree.root_edge(first[1]).expect("a move"), Side::First), None);
    }

    #[test]
    fn pruned_moves_are_replaced_and_time_ends_phases() {
        let mut tree = root(3, &Limits::default(), "root=gumbel,root-moves=2");
        play(&mut tree, 6, &[0.5; 3]);
        assert_eq!(visits(&tree), [3, 3, 0]);
        tree.graph.edges(tree.root).take(2).for_each(|edge| tree.graph.prune(edge));
        play(&mut tree, 4, &[0.5; 3]);
        assert_eq!(visits(&tree), [4, 3, 3]);
        let mut tree = root(4, &Limits::default(), "root=gumbel");
        play(&mut tree, 8, &[0.5; 4]);
        assert!(!tree.is_halving_due());
        tree.note_time_share(0.5);
        assert!(tree.is_halving_due());
        play(&mut tree, 8, &[0.5; 4]);
        assert_eq!(visits(&tree), [6, 6, 2, 2]);
    }
}
