//! A player that proves its moves as soon as the budget allows: first the whole position, which is cheap if it succeeds, but gives no
//! result if it does not; then move by move, in the order of another player's search, which may prove a winning move sooner and refutes
//! others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use banyan_core::{
    Bounds, Fault, Flow, Game, Limits, MoveStat, Player, Prover, Report, SearchObserver, Side, Situation, sort_by_order,
};

use super::config::{Lost, SolverConfig};
use super::line::UpTo;
use super::position::{Goal, Position, ProofMonitor, ProvenMove, Way};
use super::proving_solver::{Monitored, nodes_of, with_forks};
use crate::alpha_beta::SearchMonitor;
use crate::budget::TimeForMove;
use crate::panicked;

/// The part of the rest that proofs of the largest margin get in a lost or drawn position, before replies are counted. Guess, untuned.
const MARGIN_PART: f64 = 0.8;
/// The part of the share of proofs after which the moves are proven one by one, in the order of the opening player's search. Guess,
/// untuned.
const QUICK_PART: f64 = 0.4;
/// The part of the rest that proofs of single moves get: a tenth is left for the principal variation.
const REST_PART: f64 = 0.9;

/// Proves the value of the position and a best move, and moves by another player before that is possible.
pub struct SolverPlayer<G: Game> {
    config: SolverConfig,
    opening: Box<dyn Player<G>>,
    provers: Vec<Box<dyn Prover<G>>>,
}

impl<G: Game> SolverPlayer<G> {
    /// A player that moves like `opening` until `prover` proves the outcome.
    pub fn new(config: SolverConfig, opening: Box<dyn Player<G>>, prover: Box<dyn Prover<G>>) -> SolverPlayer<G> {
        let provers = with_forks(prover, config.threads);
        SolverPlayer { config, opening, provers }
    }

    fn search(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let plies_left = at.game.plies_left(at.state).max(1);
        let limits = &on_clock(limits, plies_left, self.config.from);
        if u32::from(plies_left) > first_proof(&self.config, limits, plies_left) {
            return self.opening.choose(at, limits, observer);
        }
        let started = limits.timer.now();
        let (before, before_first) = (nodes_of(&self.provers), self.provers[0].nodes());
        let mut position = Position::new(at.game, at.state);
        let share = f64::from(self.config.share);
        // A forced move needs no more than the first proof.
        let limits = if position.moves.len() > 1 { *limits } else { part_of(limits, plies_left, share * QUICK_PART) };
        let mut parts = Parts { observer, limits, plies_left, started, nodes: 0, playouts: 0 };
        let quick = for_proof(&limits, plies_left, share * QUICK_PART);
        let mut is_proven = self.prove_outcome(&mut position, at, &quick, None, &mut parts);
        parts.nodes = nodes_of(&self.provers) - before;
        let mut found = None;
        if !is_proven && position.moves.len() > 1 {
            let limits_of_opening = part_of(&limits, plies_left, 1.0 - share);
            let report = self.opening.choose(at, &limits_of_opening, &mut parts)?;
            parts.nodes += report.nodes;
            parts.playouts = report.playouts;
            let (rest, before) = (parts.rest(REST_PART), nodes_of(&self.provers));
            is_proven = self.prove_outcome(&mut position, at, &rest, Some(&report), &mut parts);
            parts.nodes += nodes_of(&self.provers) - before;
            found = Some(report);
        }
        let best = match found {
            _ if is_proven => self.largest_margin(&mut position, at, &mut parts),
            Some(found) => {
                let (nodes, elapsed) = (parts.nodes, parts.elapsed());
                return Ok(Report { nodes, elapsed, ..without_refuted(found, &position) });
            }
            None => position.moves[0].mv,
        };
        let (nodes, playouts) = (parts.nodes, parts.playouts);
        let visited = self.provers[0].nodes() - before_first;
        let mut up_to = UpTo::after(self.provers[0].nodes(), visited, &limits, started);
        let pv = position.line(best, Goal::Value, &mut self.provers[0], &mut up_to);
        let elapsed = parts.elapsed();
        let depth = position.outcome().map(|_| plies_left.into());
        Ok(Report { nodes, playouts, depth, memory_bytes: self.memory(), elapsed, ..report(&position, pv) })
    }

    /// Proves the outcome within the limits: of the whole position, or move by move in the order of the search `found`.
    fn prove_outcome(
        &mut self,
        position: &mut Position<'_, G>,
        at: &Situation<'_, G>,
        limits: &Limits,
        found: Option<&Report<G::Move>>,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> bool {
        let first = found.map_or_else(|| Report::bare(position.moves[0].mv, Duration::ZERO), Report::clone);
        let order = found.map(|found| position.order_of(found.moves.iter().map(|stat| stat.mv)));
        let way = order.as_deref().map_or(Way::Whole(Goal::Winner), Way::ByMoves);
        let mut monitor = self.monitor(at, limits, first, observer);
        position.prove(&mut self.provers, way, &mut monitor).is_some()
    }

    /// A move that keeps the proven outcome, with the largest margin that can be proven in the rest of the limits. In a lost or drawn
    /// position, with [`Lost::Replies`], the move with the fewest replies that keep the outcome.
    fn largest_margin(
        &mut self,
        position: &mut Position<'_, G>,
        at: &Situation<'_, G>,
        parts: &mut Parts<'_, G::Move>,
    ) -> G::Move {
        let kept = position.best_proven().expect("there are moves").mv;
        let seeks_hardest = self.config.lost == Lost::Replies && position.outcome().is_some_and(|outcome| outcome < 1);
        let (goal, part) = if seeks_hardest { (Goal::BestMoves, MARGIN_PART) } else { (Goal::Value, 1.0) };
        let first = Report { proof: position.proof(), ..Report::bare(kept, Duration::ZERO) };
        let (limits, before) = (parts.rest(part * REST_PART), nodes_of(&self.provers));
        let mut monitor = self.monitor(at, &limits, first.clone(), parts);
        // A larger margin is optional: the proof may be stopped.
        let _ = position.prove(&mut self.provers, Way::Whole(goal), &mut monitor);
        parts.nodes += nodes_of(&self.provers) - before;
        let best = position.best_proven().expect("there are moves").mv;
        if !seeks_hardest {
            return best;
        }
        let (limits, before) = (parts.rest(REST_PART), nodes_of(&self.provers));
        let mut monitor = self.monitor(at, &limits, Report { best, proof: position.proof(), ..first }, parts);
        let hardest = self.hardest(position, at.game, &mut monitor);
        parts.nodes += nodes_of(&self.provers) - before;
        hardest.unwrap_or(best)
    }

    fn monitor<'a>(
        &self,
        at: &Situation<'_, G>,
        limits: &Limits,
        first: Report<G::Move>,
        observer: &'a mut dyn SearchObserver<G::Move>,
    ) -> Monitored<'a, G::Move> {
        let plies_left = at.game.plies_left(at.state).max(1);
        Monitored {
            monitor: SearchMonitor::start(limits, TimeForMove::of(limits, plies_left), observer, first),
            before: self.provers[0].nodes(),
        }
    }

    /// Of the moves of a lost or drawn position for which the largest margin is proven: the one with the fewest replies that keep the
    /// outcome, among those counted before the monitor stops; an opponent that cannot prove its replies is most likely to err there.
    fn hardest(
        &mut self,
        position: &Position<'_, G>,
        game: &G,
        monitor: &mut Monitored<'_, G::Move>,
    ) -> Option<G::Move> {
        let is_lost = position.outcome()? < 0;
        let side = position.mover;
        // The value that the other side must reach to keep the outcome.
        let kept = i16::from(is_lost);
        let mut moves: Vec<&ProvenMove<G>> = position.undominated().collect();
        let margin = position.best_proven()?.seen_by(side).0;
        moves.retain(|mv| mv.seen_by(side).0 >= margin);
        sort_by_order(&mut moves, |a, b| a.seen_by(side) > b.seen_by(side));
        let mut best: Option<(usize, G::Move)> = None;
        for mv in moves {
            let state = position.after(mv.mv).expect("a move of the position");
            if game.result(state).is_some() || game.to_move(state) == side {
                continue;
            }
            let most = best.map_or(usize::MAX, |(n, _)| n.saturating_sub(1));
            let mut next = Position::new(game, state);
            let counted = next.count_reaching(kept, most, &mut *self.provers[0], &mut Unseen(monitor));
            match counted {
                Some(n) => best = Some((n, mv.mv)),
                None if monitor.is_stopped() => break,
                None => {}
            }
        }
        best.map(|(_, mv)| mv)
    }

    fn memory(&self) -> u64 {
        self.provers[0].memory_bytes()
    }

    fn forget(&mut self) {
        self.provers[0].forget();
    }
}

/// The budget below which proofs begin later. The time is tuned by matches at 10 ms to 0.1 s a move with `later=1` (`experiments/best`);
/// the nodes are its equivalent at the 1.5 million a second of those matches.
const WHOLE_TIME: Duration = Duration::from_secs(10);
const WHOLE_NODES: u64 = 15_000_000;

/// The number of plies left from which on a proof is tried within the limits, which have no clock.
fn first_proof(config: &SolverConfig, limits: &Limits, plies_left: u16) -> u32 {
    let halvings = |whole: u128, limit: u128| (whole / limit.max(1)).checked_ilog2().unwrap_or(0);
    let time = TimeForMove::of(limits, plies_left).map(|time| halvings(WHOLE_TIME.as_nanos(), time.base.as_nanos()));
    let nodes = limits.nodes.into_iter().chain(limits.playouts).map(|n| halvings(WHOLE_NODES.into(), n.into()));
    let most = time.into_iter().chain(nodes).max().unwrap_or(0);
    config.from.saturating_sub(config.later * most)
}

/// Plies before and after the first proof between which most of a game clock is spent. Guess, untuned.
const CRITICAL: (u32, u32) = (2, 8);
/// The part of the usual time that is spent before these plies, and the divisor that gives the part of the clock spent on each move within
/// them. Guess, untuned.
const BEFORE: f64 = 0.4;
const PART_OF_CLOCK: u32 = 6;

/// A game clock as a limit on the time of this move: little in the opening, which is too far from the end for proofs; most when a proof is
/// almost possible; and after that the usual time of searches, which proofs seldom need.
fn on_clock(limits: &Limits, plies_left: u16, from: u32) -> Limits {
    let (Some(clock), Some(usual)) = (limits.clock, TimeForMove::of(limits, plies_left)) else { return *limits };
    let plies_left = u32::from(plies_left);
    let time = if plies_left > from + CRITICAL.0 {
        usual.base.mul_f64(BEFORE)
    } else if plies_left + CRITICAL.1 >= from {
        usual.base.max(clock.own / PART_OF_CLOCK)
    } else {
        usual.base
    };
    Limits { time: Some(limits.time.map_or(time, |most| most.min(time))), clock: None, ..*limits }
}

/// A search in parts: each has a part of the limits and reports the total spent by all parts so far.
struct Parts<'a, M> {
    observer: &'a mut dyn SearchObserver<M>,
    limits: Limits,
    plies_left: u16,
    started: Duration,
    /// Positions and playouts of the parts before.
    nodes: u64,
    playouts: u64,
}

impl<M> Parts<'_, M> {
    fn elapsed(&self) -> Duration {
        self.limits.timer.since(self.started)
    }

    /// A part of the remaining limits, for a proof.
    fn rest(&self, part: f64) -> Limits {
        for_proof(&remaining(&self.limits, self.elapsed(), self.nodes), self.plies_left, part)
    }
}

impl<M: Clone> SearchObserver<M> for Parts<'_, M> {
    fn stopped(&mut self) -> bool {
        self.observer.stopped()
    }

    fn progress(&mut self, report: &Report<M>) -> Flow {
        let (nodes, playouts) = (self.nodes + report.nodes, self.playouts + report.playouts);
        self.observer.progress(&Report { nodes, playouts, elapsed: self.elapsed(), ..report.clone() })
    }
}

/// The monitor of a position during proofs of another position, whose bounds are not reported to it.
struct Unseen<'a, 'b, M>(&'a mut Monitored<'b, M>);

impl<G: Game> ProofMonitor<G> for Unseen<'_, '_, G::Move> {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        ProofMonitor::<G>::next_check(self.0, nodes)
    }

    fn most_nodes(&self) -> u64 {
        ProofMonitor::<G>::most_nodes(self.0)
    }

    fn used(&self, nodes: u64) -> f64 {
        ProofMonitor::<G>::used(self.0, nodes)
    }

    fn note(&mut self, _position: &Position<'_, G>) {}
}

/// A part of the limits.
fn part_of(limits: &Limits, plies_left: u16, share: f64) -> Limits {
    let part = |n: u64| ((n as f64 * share) as u64).max(1);
    Limits {
        time: TimeForMove::of(limits, plies_left).map(|time| time.base.mul_f64(share)),
        clock: None,
        playouts: limits.playouts.map(part),
        nodes: limits.nodes.map(part),
        ..*limits
    }
}

/// A part of the limits for a proof, which counts positions only and has no depth.
fn for_proof(limits: &Limits, plies_left: u16, share: f64) -> Limits {
    let part = part_of(limits, plies_left, share);
    Limits { nodes: part.nodes.into_iter().chain(part.playouts).min(), playouts: None, depth: None, ..part }
}

/// The rest of the limits, which have no clock.
fn remaining(limits: &Limits, elapsed: Duration, nodes: u64) -> Limits {
    let left = |limit: Option<u64>| limit.map(|limit| limit.saturating_sub(nodes).max(1));
    Limits {
        time: limits.time.map(|time| time.saturating_sub(elapsed)),
        playouts: left(limits.playouts),
        nodes: left(limits.nodes),
        ..*limits
    }
}

/// The report of a proof; the principal variation begins with the best move.
fn report<G: Game>(position: &Position<'_, G>, pv: Vec<G::Move>) -> Report<G::Move> {
    let side = position.mover;
    let stat = |mv: &ProvenMove<G>| MoveStat {
        mv: mv.mv,
        visits: 0,
        value: value(position.bounds_after(mv), side),
        margin: margin(position.game, position.bounds_after(mv), side),
        is_bound: false,
        proof: position.proof_after(mv),
        pv: if mv.mv == pv[0] { pv.clone() } else { vec![mv.mv] },
    };
    let mut moves: Vec<&ProvenMove<G>> = position.moves.iter().collect();
    sort_by_order(&mut moves, |a, b| (a.mv == pv[0], a.seen_by(side)) > (b.mv == pv[0], b.seen_by(side)));
    let moves = moves.into_iter().map(stat).collect();
    let (value, margin) = (value(position.bounds, side), margin(position.game, position.bounds, side));
    let bare = Report::bare(pv[0], Duration::ZERO);
    Report { value, margin, proof: position.proof(), moves, pv, ..bare }
}

/// A proven final margin for `side`; `None` in a game that is only won, drawn or lost.
fn margin<G: Game>(game: &G, bounds: Bounds, side: Side) -> Option<f64> {
    let Bounds { lower: least, upper: most } = game.margin_range();
    let counts = least.0 < -1 || most.0 > 1;
    (counts && bounds.is_exact()).then(|| f64::from(bounds.seen_by(side).0))
}

/// A proven outcome as an expected result for `side`; 0 if the winner is unknown.
fn value(bounds: Bounds, side: Side) -> f64 {
    match bounds.seen_by(side) {
        (1.., _) => 1.0,
        (_, ..=-1) => -1.0,
        _ => 0.0,
    }
}

/// The report of another player with the proven bounds. A best move that is proven to be worse than another, or to lose while another may
/// not, is replaced.
fn without_refuted<G: Game>(mut found: Report<G::Move>, position: &Position<'_, G>) -> Report<G::Move> {
    let loses = |mv: &ProvenMove<G>| mv.seen_by(position.mover).1 < 0;
    let lost = position.undominated().all(loses);
    let allowed: Vec<G::Move> = position.undominated().filter(|mv| lost || !loses(mv)).map(|mv| mv.mv).collect();
    for stat in &mut found.moves {
        let proven = position.moves.iter().find(|mv| mv.mv == stat.mv).and_then(|mv| position.proof_after(mv));
        stat.proof = match (stat.proof, proven) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
    }
    if !allowed.contains(&found.best) {
        let next = found.moves.iter().find(|stat| allowed.contains(&stat.mv));
        let (best, pv, value) = match next {
            Some(stat) => (stat.mv, stat.pv.clone(), stat.value),
            None => (allowed[0], vec![allowed[0]], 0.0),
        };
        (found.best, found.pv, found.value) = (best, pv, value);
        sort_by_order(&mut found.moves, |a, b| a.mv == best && b.mv != best);
    }
    found
}

impl<G: Game> Player<G> for SolverPlayer<G> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.search(at, limits, observer)));
        outcome.unwrap_or_else(|panic| {
            // The panic may have left a table half written.
            self.forget();
            Err(panicked::fault(&*panic))
        })
    }

    fn new_game(&mut self, seed: u64) {
        self.forget();
        self.opening.new_game(seed);
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Clock;

    use super::*;

    #[test]
    fn proofs_begin_later_where_the_budget_is_small() {
        let first = |settings: &str, limits: Limits| {
            first_proof(&settings.parse().expect("settings of the solver"), &limits, 60)
        };
        let ms = |n| Limits::time(Duration::from_millis(n));
        assert_eq!(first("", ms(1)), 46);
        assert_eq!(first("later=1", ms(10_000)), 46);
        assert_eq!(first("later=1", ms(60_000)), 46);
        assert_eq!(first("later=1", ms(5_000)), 45);
        // 2^9 = 512 times 10 ms are below 10 s, 2^10 are not.
        assert_eq!(first("later=1", ms(10)), 37);
        assert_eq!(first("later=2", ms(10)), 28);
        assert_eq!(first("later=1", Limits::playouts(3_750_000)), 44);
        assert_eq!(first("later=1", Limits { nodes: Some(5_000_000), ..ms(10) }), 37, "the shorter limit counts");
        assert_eq!(first("later=1", Limits::default()), 46);
        assert_eq!(first("later=5", ms(1)), 0);
        assert_eq!(first("later=1", ms(0)), 13, "as with a nanosecond");
    }

    #[test]
    fn most_of_a_clock_is_spent_where_a_proof_is_almost_within_reach() {
        let whole = Duration::from_secs(900);
        let (mut own, mut critical) = (whole, Duration::ZERO);
        for plies_left in (1..=60u16).rev().step_by(2) {
            let clock = Some(Clock { own, other: own, increment: Duration::ZERO });
            let limits = on_clock(&Limits { clock, ..Limits::default() }, plies_left, 46);
            let time = limits.time.expect("the clock became a time");
            assert!(limits.clock.is_none() && time < own / 3, "{time:?} of {own:?} with {plies_left} plies left");
            own -= time;
            if (38..=48).contains(&plies_left) {
                critical += time;
            }
        }
        assert!(critical > whole / 2 && own > Duration::ZERO, "{critical:?} spent there, {own:?} left");
        let per_move = Limits::time(Duration::from_secs(1));
        assert_eq!(on_clock(&per_move, 46, 46), per_move, "without a clock nothing changes");
        let both = Limits { clock: Some(Clock { own: whole, other: whole, increment: Duration::ZERO }), ..per_move };
        assert_eq!(on_clock(&both, 46, 46).time, Some(Duration::from_secs(1)), "the shorter limit counts");
    }
}
