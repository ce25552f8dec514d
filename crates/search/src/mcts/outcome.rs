//! What a search answers: the final move, the moves in order, the expected line.

use std::time::Duration;

use banyan_core::cpu::{LANES, Portable};
use banyan_core::{Game, Margin, MoveStat, Report, Rng, Side};

use super::bounds::Packed;
use super::choices::FinalMove;
use super::explore::final_bounds;
use super::graph::{Edge, NodeId, Tally};
use super::search::Search;
use super::select::exploration;
use super::task::{Rules, Task};
use super::ties::{Ties, pick};
use crate::budget::Standing;

/// What the search knows about one move of a node.
#[derive(Clone, Copy)]
struct Known {
    edge: Edge,
    tally: Tally,
    /// Proven reward, seen by the mover, at least and at most; and the margins themselves.
    rewards: (f32, f32),
    margins: (i16, i16),
    closed: bool,
}

impl<G: Game> Search<G> {
    /// The answer as things stand.
    pub(super) fn report(&self, task: &Task<'_, G>, reused: f64, elapsed: Duration) -> Report<G::Move> {
        let moves = self.ranked_moves(task);
        let root_proof = task.rules.proves().then(|| self.graph.bounds(task.root));
        let offset = task.rules.offset(task.game, task.state);
        Report {
            best: moves[0].mv,
            value: moves[0].value,
            proof: root_proof.and_then(|bounds| final_bounds(task, bounds, offset)),
            pv: moves[0].pv.clone(),
            moves,
            playouts: self.playouts,
            nodes: self.graph.held(),
            reused,
            memory_bytes: self.graph.bytes() as u64,
            elapsed,
        }
    }

    /// Every move, the chosen one first, then by visits and value.
    fn ranked_moves(&self, task: &Task<'_, G>) -> Vec<MoveStat<G::Move>> {
        let Task { game, rules, root, state, .. } = *task;
        let mover = game.to_move(state);
        let best = self.best_edge(task, root, mover);
        let offset = rules.offset(game, state);
        let mut edges: Vec<Edge> = self.graph.edges(root).collect();
        let value = |edge| self.edge_value(task, edge, offset).map_or(0.0, |value| value * f64::from(mover.sign()));
        edges.sort_by(|&a, &b| {
            let key = |edge: Edge| (edge == best, self.graph.tally(edge).visits);
            key(b).cmp(&key(a)).then_with(|| value(b).total_cmp(&value(a)))
        });
        let stat = |edge: Edge| MoveStat {
            mv: self.graph.mv(edge),
            visits: u64::from(self.graph.tally(edge).visits),
            value: value(edge),
            proof: rules
                .proves()
                .then(|| self.graph.edge_bounds(edge))
                .and_then(|bounds| final_bounds(task, bounds, offset)),
            pv: self.line(task, edge),
        };
        edges.into_iter().map(stat).collect()
    }

    /// Expected result after an edge's move for the first side, -1 .. 1; `None` where nothing is known. `offset` are the
    /// points from which its node's values count.
    pub(super) fn edge_value(&self, task: &Task<'_, G>, edge: Edge, offset: i16) -> Option<f64> {
        let rules = task.rules;
        let tally = self.graph.tally(edge);
        let bounds = rules.proves().then(|| self.graph.edge_bounds(edge));
        let settled = bounds.filter(|bounds| bounds.settles(rules.reward));
        let mean = match (settled, bounds) {
            (Some(bounds), _) => bounds.clamp(0.0, rules.reward),
            (None, _) if tally.visits == 0 => return None,
            (None, Some(bounds)) => bounds.clamp(tally.mean, rules.reward),
            (None, None) => tally.mean,
        };
        Some(rules.reward.normalised(mean + f32::from(offset), task.game.margin_range()))
    }

    /// The edge to play at a node: when the best reward is proven, the fastest win or slowest loss, as far as margins
    /// tell; else the best open edge, unless a proven one is as good.
    fn best_edge(&self, task: &Task<'_, G>, node: NodeId, mover: Side) -> Edge {
        let known: Vec<Known> = self.graph.edges(node).map(|edge| self.known(&task.rules, edge, mover)).collect();
        let proven = |k: &&Known| (k.margins.0, k.margins.1, k.tally.visits);
        // `rev` because `max_by_key` keeps the last of several.
        let closed = known.iter().rev().filter(|k| k.closed).max_by_key(proven);
        if self.graph.is_settled(node) {
            let (low, high) = mover_rewards(&task.rules, self.graph.bounds(node), mover);
            debug_assert_eq!(low, high);
            // Every move of a lost position attains its value: then the least that each assures decides.
            let best = known.iter().rev().filter(|k| k.rewards.0 >= low).max_by_key(proven);
            return best.or(closed).unwrap_or(&known[0]).edge;
        }
        let open: Vec<&Known> = known.iter().filter(|k| !k.closed && k.tally.visits > 0).collect();
        let worst = mover_rewards(&task.rules, task.rules.unknown(0), mover).0;
        let assured = closed.filter(|k| k.rewards.0 > worst);
        let Some(best) = self.best_open(task, node, &open, mover) else {
            let untried = known.iter().find(|k| !k.closed);
            return assured.or(untried).or(closed).unwrap_or(&known[0]).edge;
        };
        let mean = best.tally.mean * f32::from(mover.sign());
        assured.filter(|k| k.rewards.0 >= mean).unwrap_or(best).edge
    }

    fn known(&self, rules: &Rules, edge: Edge, mover: Side) -> Known {
        let bounds = if rules.proves() { self.graph.edge_bounds(edge) } else { rules.unknown(0) };
        let margins = match mover {
            Side::First => (bounds.lower(), bounds.upper()),
            Side::Second => (-bounds.upper(), -bounds.lower()),
        };
        let rewards = mover_rewards(rules, bounds, mover);
        Known { edge, tally: self.graph.tally(edge), rewards, margins, closed: self.graph.is_closed(edge) }
    }

    /// The best of the open edges by the final rule.
    fn best_open<'a>(&self, task: &Task<'_, G>, node: NodeId, open: &[&'a Known], mover: Side) -> Option<&'a Known> {
        let most = open.iter().map(|k| k.tally.visits).max()?;
        let total = self.graph.total_visits(node) as u32;
        let mut scores = vec![[f32::NEG_INFINITY; LANES]; open.len().div_ceil(LANES)];
        for (score, k) in scores.as_flattened_mut().iter_mut().zip(open) {
            *score = final_score(task, k.tally, mover, total, most);
        }
        let best = scores.as_flattened().iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // Progress reports must not move the search's own random numbers on, so a tie is broken by a copy.
        let mut rng: Rng = self.rng.clone();
        let centrality = |i: usize| task.game.centrality(self.graph.mv(open[i].edge));
        Some(open[pick(Portable, &scores, best, Ties { by: task.config.tie, centrality, rng: &mut rng })])
    }

    /// The line that begins with `edge`: proven moves where all is proven, else the most visited ones.
    fn line(&self, task: &Task<'_, G>, mut edge: Edge) -> Vec<G::Move> {
        let mut state = *task.state;
        let mut line = Vec::new();
        loop {
            let mv = self.graph.mv(edge);
            line.push(mv);
            task.game.play(&mut state, mv);
            let Some(node) = self.child(task, edge, &state) else { return line };
            edge = self.expected(task, node, task.game.to_move(&state));
            if self.graph.tally(edge).visits == 0 {
                return line;
            }
        }
    }

    /// The move expected at a node.
    fn expected(&self, task: &Task<'_, G>, node: NodeId, mover: Side) -> Edge {
        if self.graph.is_settled(node) {
            return self.best_edge(task, node, mover);
        }
        let worst = mover_rewards(&task.rules, task.rules.unknown(0), mover).0;
        let lost = |edge: Edge| self.graph.is_closed(edge) && self.known(&task.rules, edge, mover).rewards.1 <= worst;
        let key = |edge: &Edge| (!lost(*edge), self.graph.tally(*edge).visits);
        self.graph.edges(node).rev().max_by_key(key).expect("a node has children")
    }

    /// How the moves of the root stand, by visits.
    pub(super) fn standing(&self, task: &Task<'_, G>) -> Standing {
        let mover = task.game.to_move(task.state);
        let sign = f32::from(mover.sign());
        let (mut first, mut second, mut best) = ((0, 0), 0, (0, f32::NEG_INFINITY));
        for edge in self.graph.edges(task.root).filter(|&edge| !self.graph.is_closed(edge)) {
            let tally = self.graph.tally(edge);
            let index = edge.index as usize;
            if tally.visits > first.1 {
                second = first.1;
                first = (index, tally.visits);
            } else {
                second = second.max(tally.visits);
            }
            if tally.visits > 0 && tally.mean * sign > best.1 {
                best = (index, tally.mean * sign);
            }
        }
        let (leader, visits) = first;
        let worst = mover_rewards(&task.rules, task.rules.unknown(0), mover).0;
        let assured = |edge| self.graph.is_closed(edge) && self.known(&task.rules, edge, mover).rewards.0 > worst;
        if self.graph.edges(task.root).any(assured) {
            // A proven move competes by its value, whatever its visits.
            return Standing { leader, visits: visits.into(), second: visits.into(), agreed: false };
        }
        if self.graph.len(task.root) == 1 {
            return Standing { leader, visits: u64::MAX, second: 0, agreed: true };
        }
        let agreed = leader == best.0;
        if task.config.final_move != FinalMove::Visits && !agreed {
            // By another rule the move behind in visits may be played.
            return Standing { leader, visits: visits.into(), second: visits.into(), agreed };
        }
        Standing { leader, visits: visits.into(), second: second.into(), agreed }
    }
}

/// Rewards that bounds allow, seen by `mover`: at least, at most.
fn mover_rewards(rules: &Rules, bounds: Packed, mover: Side) -> (f32, f32) {
    let (low, high) = (rules.reward.of(Margin(bounds.lower())), rules.reward.of(Margin(bounds.upper())));
    match mover {
        Side::First => (low, high),
        Side::Second => (-high, -low),
    }
}

/// What the final move is chosen by.
fn final_score<G: Game>(task: &Task<'_, G>, tally: Tally, mover: Side, total: u32, most: u32) -> f32 {
    let config = task.config;
    let mean = tally.mean * f32::from(mover.sign());
    match config.final_move {
        FinalMove::Mean => mean,
        // The mean decides between equal visits: squashed below 1, it never outweighs a visit (up to 2^23 visits, where
        // single precision ends and equal scores are left to the tie-break).
        FinalMove::Visits => tally.visits as f32 + (0.5 + 0.49 * mean / (1.0 + mean.abs())),
        FinalMove::Ucb => {
            mean + (exploration(Portable, 2.0 * config.c * config.c, total.max(1)) / tally.visits as f32).sqrt()
        }
        // A tenth: guess, untuned.
        FinalMove::Well if tally.visits < most.div_ceil(10) => f32::NEG_INFINITY,
        FinalMove::Well => mean,
        FinalMove::Lcb => {
            let range = task.game.margin_range();
            let offset = f32::from(task.rules.offset(task.game, task.state));
            let share = config.reward.normalised(tally.mean + offset, range) * f64::from(mover.sign());
            lower_end((share + 1.0) / 2.0, f64::from(tally.visits)) as f32
        }
    }
}

/// Lower end of the 95 % interval of a share `p` seen `n` times (Wilson 1927).
fn lower_end(p: f64, n: f64) -> f64 {
    let z = 1.96f64;
    let middle = p + z * z / (2.0 * n);
    let width = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (middle - width) / (1.0 + z * z / n)
}
