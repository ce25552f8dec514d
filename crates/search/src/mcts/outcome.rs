//! What a search answers: the final move, the moves in order, the expected line.

use std::time::Duration;

use banyan_core::cpu::{LANES, Portable};
use banyan_core::{Game, MoveStat, Report, Rng, Side, Situation};

use super::config::FinalMove;
use super::select::{Ties, exploration, pick};
use super::tree::{Edge, NodeId, Tally};
use super::{Config, Uct};

impl<G: Game> Uct<G> {
    /// The answer as things stand.
    pub(super) fn report(
        &mut self,
        at: &Situation<'_, G>,
        root: NodeId,
        reused: f64,
        elapsed: Duration,
    ) -> Report<G::Move> {
        let mover = at.game.to_move(at.state);
        let best = self.final_edge(at.game, root, mover);
        let moves = self.ranked_moves(at, root, mover, best);
        Report {
            best: moves[0].mv,
            value: moves[0].value,
            proof: None,
            pv: moves[0].pv.clone(),
            moves,
            playouts: self.search.playouts,
            nodes: self.search.nodes,
            reused,
            memory_bytes: self.search.tree.bytes() as u64,
            elapsed,
        }
    }

    /// The edge to play.
    fn final_edge(&mut self, game: &G, root: NodeId, mover: Side) -> usize {
        let tree = &self.search.tree;
        let visits = tree.total(root).visits;
        let mut scores = vec![[f32::NEG_INFINITY; LANES]; tree.len(root).div_ceil(LANES)];
        for edge in tree.edges(root) {
            scores.as_flattened_mut()[edge.index] = final_score(&self.config, tree.tally(edge), mover, visits);
        }
        let best = scores.as_flattened().iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // Progress reports must not move the search's own random numbers on, so a tie is broken by a copy.
        let mut rng: Rng = self.search.rng.clone();
        let centrality = |index| game.centrality(tree.moves(root)[index]);
        pick(Portable, &scores, best, Ties { by: self.config.tie, centrality, rng: &mut rng })
    }

    /// Every move tried or not, the chosen one first, then by visits and value.
    fn ranked_moves(&self, at: &Situation<'_, G>, root: NodeId, mover: Side, best: usize) -> Vec<MoveStat<G::Move>> {
        let tree = &self.search.tree;
        let range = at.game.margin_range();
        let mut edges: Vec<Edge> = tree.edges(root).collect();
        let value = |tally: Tally| match tally.visits {
            0 => 0.0,
            _ => self.config.reward.normalised(tally.mean, range) * f64::from(mover.sign()),
        };
        edges.sort_by(|&a, &b| {
            let key = |edge: Edge| (edge.index == best, tree.tally(edge).visits);
            let by_value = || value(tree.tally(b)).total_cmp(&value(tree.tally(a)));
            key(b).cmp(&key(a)).then_with(by_value)
        });
        let stat = |edge: Edge| {
            let tally = tree.tally(edge);
            MoveStat {
                mv: tree.mv(edge),
                visits: u64::from(tally.visits),
                value: value(tally),
                proof: None,
                pv: self.line(edge),
            }
        };
        edges.into_iter().map(stat).collect()
    }

    /// The most visited line that begins with `edge`.
    fn line(&self, mut edge: Edge) -> Vec<G::Move> {
        let tree = &self.search.tree;
        let mut line = vec![tree.mv(edge)];
        while let Some(child) = tree.child(edge) {
            // `rev` because `max_by_key` keeps the last of several.
            edge = tree.edges(child).rev().max_by_key(|&edge| tree.tally(edge).visits).expect("a node has children");
            if tree.tally(edge).visits == 0 {
                break;
            }
            line.push(tree.mv(edge));
        }
        line
    }
}

/// What the final move is chosen by; children never tried come last.
fn final_score(config: &Config, tally: Tally, mover: Side, visits: u32) -> f32 {
    if tally.visits == 0 {
        return f32::NEG_INFINITY;
    }
    let mean = tally.mean * f32::from(mover.sign());
    match config.final_move {
        FinalMove::Mean => mean,
        // The mean decides between equal visits: squashed below 1, it never outweighs a visit (up to 2^23 visits, where
        // single precision ends and equal scores are left to the tie-break).
        FinalMove::Visits => tally.visits as f32 + (0.5 + 0.49 * mean / (1.0 + mean.abs())),
        FinalMove::Ucb => mean + (exploration(Portable, config.c, visits.max(1)) / tally.visits as f32).sqrt(),
    }
}
