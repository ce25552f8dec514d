//! What a search answers: the final move, the moves in order, the expected line.

use std::time::Duration;

use banyan_core::cpu::LANES;
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

/// What is known about one move of a node.
#[derive(Clone, Copy)]
struct Known {
    edge: Edge,
    tally: Tally,
    /// Proven bounds, all that is possible where nothing is proven.
    bounds: Packed,
    /// Proven reward, seen by the mover, at least and at most; and the margins themselves.
    rewards: (f32, f32),
    margins: (i16, i16),
    closed: bool,
}

impl Known {
    fn new(rules: &Rules, edge: Edge, tally: Tally, (bounds, closed): (Packed, bool), mover: Side) -> Known {
        let margins = match mover {
            Side::First => (bounds.lower(), bounds.upper()),
            Side::Second => (-bounds.upper(), -bounds.lower()),
        };
        Known { edge, tally, bounds, rewards: mover_rewards(rules, bounds, mover), margins, closed }
    }
}

/// What is known about all moves of a node, by one search or by several together. Edges are those of the first.
pub(super) struct View {
    known: Vec<Known>,
    settled: bool,
    bounds: Packed,
    visits: u64,
}

/// What a search has made and holds.
pub(super) struct Totals {
    pub(super) playouts: u64,
    pub(super) nodes: u64,
    pub(super) memory_bytes: u64,
    pub(super) reused: f64,
    pub(super) elapsed: Duration,
}

impl<G: Game> Search<G> {
    /// The answer as things stand.
    pub(super) fn report(&self, task: &Task<'_, G>, reused: f64, elapsed: Duration) -> Report<G::Move> {
        let view = self.view(&task.rules, task.root, task.game.to_move(task.state));
        let totals = Totals {
            playouts: self.playouts,
            nodes: self.graph.held(),
            memory_bytes: self.graph.bytes() as u64,
            reused,
            elapsed,
        };
        self.report_of(task, &view, &|edge| self.line(task, edge), &totals)
    }

    /// The answer to what `view` shows, each move's `line` being told from outside.
    pub(super) fn report_of(
        &self,
        task: &Task<'_, G>,
        view: &View,
        line: &dyn Fn(Edge) -> Vec<G::Move>,
        totals: &Totals,
    ) -> Report<G::Move> {
        let moves = self.ranked_moves(task, view, line);
        let root_proof = task.rules.proves().then_some(view.bounds);
        let offset = task.rules.offset(task.game, task.state);
        Report {
            best: moves[0].mv,
            value: moves[0].value,
            proof: root_proof.and_then(|bounds| final_bounds(task, bounds, offset)),
            pv: moves[0].pv.clone(),
            moves,
            playouts: totals.playouts,
            nodes: totals.nodes,
            reused: totals.reused,
            memory_bytes: totals.memory_bytes,
            elapsed: totals.elapsed,
        }
    }

    /// Every move, the chosen one first, then by visits and value.
    fn ranked_moves(
        &self,
        task: &Task<'_, G>,
        view: &View,
        line: &dyn Fn(Edge) -> Vec<G::Move>,
    ) -> Vec<MoveStat<G::Move>> {
        let Task { game, rules, state, .. } = *task;
        let mover = game.to_move(state);
        let best = self.best_edge(task, view, mover);
        let offset = rules.offset(game, state);
        let mut known: Vec<&Known> = view.known.iter().collect();
        let value = |k: &Known| {
            value_of(task, k.tally, rules.proves().then_some(k.bounds), offset)
                .map_or(0.0, |value| value * f64::from(mover.sign()))
        };
        known.sort_by(|a, b| {
            let key = |k: &Known| (k.edge == best, k.tally.visits);
            key(b).cmp(&key(a)).then_with(|| value(b).total_cmp(&value(a)))
        });
        let stat = |k: &Known| MoveStat {
            mv: self.graph.mv(k.edge),
            visits: u64::from(k.tally.visits),
            value: value(k),
            proof: rules.proves().then_some(k.bounds).and_then(|bounds| final_bounds(task, bounds, offset)),
            pv: line(k.edge),
        };
        known.into_iter().map(stat).collect()
    }

    /// Expected result after an edge's move for the first side, -1 .. 1; `None` where nothing is known. `offset` are the
    /// points from which its node's values count.
    pub(super) fn edge_value(&self, task: &Task<'_, G>, edge: Edge, offset: i16) -> Option<f64> {
        let bounds = task.rules.proves().then(|| self.graph.edge_bounds(edge));
        value_of(task, self.graph.tally(edge), bounds, offset)
    }

    /// What this search knows about a node's moves.
    pub(super) fn view(&self, rules: &Rules, node: NodeId, mover: Side) -> View {
        View {
            known: self.graph.edges(node).map(|edge| self.known(rules, edge, mover)).collect(),
            settled: self.graph.is_settled(node),
            bounds: self.graph.bounds(node),
            visits: self.graph.total_visits(node),
        }
    }

    /// Adds what `other` knows about the moves of the same position, which it keeps at `node`: visits are summed and
    /// means weighted by them; a proof of either holds for both.
    pub(super) fn add_to_view(&self, view: &mut View, other: &Search<G>, node: NodeId, (rules, mover): (&Rules, Side)) {
        for known in &mut view.known {
            let mv = self.graph.mv(known.edge);
            let Some(edge) = other.graph.edges(node).find(|&edge| other.graph.mv(edge) == mv) else { continue };
            let theirs = other.known(rules, edge, mover);
            let (tally, bounds) = (known.tally.and(theirs.tally), known.bounds.and(theirs.bounds));
            *known = Known::new(rules, known.edge, tally, (bounds, known.closed || theirs.closed), mover);
        }
        view.bounds = view.bounds.and(other.graph.bounds(node));
        view.settled = view.settled || other.graph.is_settled(node);
        view.visits += other.graph.total_visits(node);
    }

    /// The edge to play at a node: when the best reward is proven, the fastest win or slowest loss, as far as margins
    /// tell; else the best open edge, unless a proven one is as good.
    fn best_edge(&self, task: &Task<'_, G>, view: &View, mover: Side) -> Edge {
        let known = &view.known;
        let proven = |k: &&Known| (k.margins.0, k.margins.1, k.tally.visits);
        // `rev` because `max_by_key` keeps the last of several.
        let closed = known.iter().rev().filter(|k| k.closed).max_by_key(proven);
        if view.settled {
            let (low, high) = mover_rewards(&task.rules, view.bounds, mover);
            debug_assert_eq!(low, high);
            // Every move of a lost position attains its value: then the least that each assures decides.
            let best = known.iter().rev().filter(|k| k.rewards.0 >= low).max_by_key(proven);
            return best.or(closed).unwrap_or(&known[0]).edge;
        }
        let open: Vec<&Known> = known.iter().filter(|k| !k.closed && k.tally.visits > 0).collect();
        let worst = mover_rewards(&task.rules, task.rules.unknown(0), mover).0;
        let assured = closed.filter(|k| k.rewards.0 > worst);
        let Some(best) = self.best_open(task, view.visits, &open, mover) else {
            let untried = known.iter().find(|k| !k.closed);
            return assured.or(untried).or(closed).unwrap_or(&known[0]).edge;
        };
        let mean = best.tally.mean * f32::from(mover.sign());
        assured.filter(|k| k.rewards.0 >= mean).unwrap_or(best).edge
    }

    fn known(&self, rules: &Rules, edge: Edge, mover: Side) -> Known {
        let bounds = if rules.proves() { self.graph.edge_bounds(edge) } else { rules.unknown(0) };
        Known::new(rules, edge, self.graph.tally(edge), (bounds, self.graph.is_closed(edge)), mover)
    }

    /// The best of the open edges by the final rule.
    fn best_open<'a>(&self, task: &Task<'_, G>, visits: u64, open: &[&'a Known], mover: Side) -> Option<&'a Known> {
        let most = open.iter().map(|k| k.tally.visits).max()?;
        let total = visits as u32;
        let mut scores = vec![[f32::NEG_INFINITY; LANES]; open.len().div_ceil(LANES)];
        for (score, k) in scores.as_flattened_mut().iter_mut().zip(open) {
            *score = final_score(task, k.tally, mover, total, most);
        }
        let best = scores.as_flattened().iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // Progress reports must not move the search's own random numbers on, so a tie is broken by a copy.
        let mut rng: Rng = self.rng.clone();
        let centrality = |i: usize| task.game.centrality(self.graph.mv(open[i].edge));
        Some(open[pick(&scores, best, Ties { by: task.config.tie, centrality, rng: &mut rng })])
    }

    /// The line that begins with `edge`: proven moves where all is proven, else the most visited ones.
    pub(super) fn line(&self, task: &Task<'_, G>, mut edge: Edge) -> Vec<G::Move> {
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
            return self.best_edge(task, &self.view(&task.rules, node, mover), mover);
        }
        let worst = mover_rewards(&task.rules, task.rules.unknown(0), mover).0;
        let lost = |edge: Edge| self.graph.is_closed(edge) && self.known(&task.rules, edge, mover).rewards.1 <= worst;
        let key = |edge: &Edge| (!lost(*edge), self.graph.tally(*edge).visits);
        self.graph.edges(node).rev().max_by_key(key).expect("a node has children")
    }

    /// How the moves of the root stand, by visits.
    pub(super) fn standing(&self, task: &Task<'_, G>) -> Standing {
        let mover = task.game.to_move(task.state);
        standing_of(task, &self.view(&task.rules, task.root, mover), mover)
    }
}

/// How the moves of the root stand, by visits, in what is known by all.
pub(super) fn standing_of<G: Game>(task: &Task<'_, G>, view: &View, mover: Side) -> Standing {
    let sign = f32::from(mover.sign());
    let (mut first, mut second, mut best) = ((0, 0), 0, (0, f32::NEG_INFINITY));
    for k in view.known.iter().filter(|k| !k.closed) {
        let index = k.edge.index as usize;
        if k.tally.visits > first.1 {
            second = first.1;
            first = (index, k.tally.visits);
        } else {
            second = second.max(k.tally.visits);
        }
        if k.tally.visits > 0 && k.tally.mean * sign > best.1 {
            best = (index, k.tally.mean * sign);
        }
    }
    let (leader, visits) = first;
    let worst = mover_rewards(&task.rules, task.rules.unknown(0), mover).0;
    if view.known.iter().any(|k| k.closed && k.rewards.0 > worst) {
        // A proven move competes by its value, whatever its visits.
        return Standing { leader, visits: visits.into(), second: visits.into(), agreed: false };
    }
    if view.known.len() == 1 {
        return Standing { leader, visits: u64::MAX, second: 0, agreed: true };
    }
    let agreed = leader == best.0;
    if task.config.final_move != FinalMove::Visits && !agreed {
        // By another rule the move behind in visits may be played.
        return Standing { leader, visits: visits.into(), second: visits.into(), agreed };
    }
    Standing { leader, visits: visits.into(), second: second.into(), agreed }
}

/// Expected result of a move for the first side, -1 .. 1, from its visits and what is proven if anything can be; `None`
/// where nothing is known. Both count from `offset`.
fn value_of<G: Game>(task: &Task<'_, G>, tally: Tally, bounds: Option<Packed>, offset: i16) -> Option<f64> {
    let reward = task.rules.reward;
    let settled = bounds.filter(|bounds| bounds.settles(reward));
    let mean = match (settled, bounds) {
        (Some(bounds), _) => bounds.clamp(0.0, reward),
        (None, _) if tally.visits == 0 => return None,
        (None, Some(bounds)) => bounds.clamp(tally.mean, reward),
        (None, None) => tally.mean,
    };
    Some(reward.normalised(mean + f32::from(offset), task.game.margin_range()))
}

/// Rewards that bounds allow, seen by `mover`: at least, at most.
fn mover_rewards(rules: &Rules, bounds: Packed, mover: Side) -> (f32, f32) {
    let reward = |points| rules.reward.of(Margin(rules.reward.proven(points)));
    let (low, high) = (reward(bounds.lower()), reward(bounds.upper()));
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
        FinalMove::Ucb => mean + (exploration(2.0 * config.c * config.c, total.max(1)) / tally.visits as f32).sqrt(),
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
