//! The solver: the exact value of a position and of all its moves, by a game's own prover.

use std::time::Duration;

use banyan_core::{Game, Limits, Prover, Report, SearchObserver, Situation, Solution, Solver, sort_by_order};

use super::line::{PV_PART, SOLUTION_NODES, SOLUTION_TIME};
use super::position::{Goal, Position, ProofMonitor, ProvenMove, Way};
use crate::alpha_beta::{SearchMonitor, StopCondition};
use crate::budget::TimeForMove;

/// Solves positions with a [`Prover`], on one or several threads that share its table.
///
/// ```
/// # use banyan_testkit::chain::Chain;
/// use banyan_core::{Bounds, Game, Limits, Margin, Plain, Silent, Situation, Solver};
/// use banyan_search::{AlphaBetaProver, ProvingSolver};
///
/// let game = Chain { tokens: 10, extra_turn_at: None };
/// let mut solver = ProvingSolver::new(Box::new(AlphaBetaProver::new(16, Plain)), 1); // 16 MiB, one thread
/// let start = game.start();
/// let solution = solver.solve(&Situation::new(&game, &start), &Limits::default(), &mut Silent);
/// assert_eq!(solution.bounds, Bounds::exact(Margin(1)));
/// assert_eq!(solution.best(game.to_move(&start)), [2]); // the only move that wins
/// ```
pub struct ProvingSolver<G: Game> {
    provers: Vec<Box<dyn Prover<G>>>,
    goal: Goal,
    has_line: bool,
}

impl<G: Game> ProvingSolver<G> {
    /// A solver on `threads` threads, at least 1. With more than one the number of positions visited varies.
    pub fn new(mut prover: Box<dyn Prover<G>>, threads: u32) -> ProvingSolver<G> {
        prover.prepare_for_long_searches();
        ProvingSolver { provers: with_forks(prover, threads), goal: Goal::Everything, has_line: false }
    }

    /// The prover of its first thread, with its table.
    pub fn into_prover(mut self) -> Box<dyn Prover<G>> {
        self.provers.swap_remove(0)
    }

    /// Makes the solver stop as soon as `goal` is proven.
    pub fn with_goal(self, goal: Goal) -> ProvingSolver<G> {
        ProvingSolver { goal, ..self }
    }

    /// Makes the solver add the principal variation once the value is proven, or with [`Goal::Winner`] alone a line that keeps the winner.
    pub fn with_principal_variation(self) -> ProvingSolver<G> {
        ProvingSolver { has_line: true, ..self }
    }
}

/// A prover and forks of it, one for each thread.
pub(super) fn with_forks<G: Game>(prover: Box<dyn Prover<G>>, threads: u32) -> Vec<Box<dyn Prover<G>>> {
    let forks: Vec<_> = (1..threads).map(|thread| prover.fork(thread)).collect();
    std::iter::once(prover).chain(forks).collect()
}

/// Positions visited by all provers together.
pub(super) fn nodes_of<G: Game>(provers: &[Box<dyn Prover<G>>]) -> u64 {
    provers.iter().map(|prover| prover.nodes()).sum()
}

impl<G: Game> ProvingSolver<G> {
    /// The line within what is left of the limits; empty unless the value is exact, or with [`Goal::Winner`] the winner known, and a move
    /// is proven to keep it.
    fn line(
        &mut self,
        position: &Position<'_, G>,
        limits: &Limits,
        monitor: &mut Monitored<'_, G::Move>,
    ) -> Vec<G::Move> {
        let (goal, wanted) = if position.is_solved() {
            (Goal::Value, Some(position.bounds.seen_by(position.mover).0))
        } else {
            (Goal::Winner, position.outcome().filter(|_| self.goal == Goal::Winner))
        };
        let reaches = |mv: &&ProvenMove<G>| wanted.is_some_and(|wanted| mv.seen_by(position.mover).0 >= wanted);
        let Some(best) = position.best_for(goal).filter(reaches) else { return Vec::new() };
        let nodes = self.provers[0].nodes();
        let most = nodes + ((nodes - monitor.before) / PV_PART).max(SOLUTION_NODES);
        let elapsed = monitor.monitor.elapsed();
        // Without a limit on time the line is the same on every machine.
        let until = limits.time.map(|_| elapsed + (elapsed / PV_PART as u32).max(SOLUTION_TIME));
        position.line(best.mv, goal, &mut self.provers[0], &mut Within { monitor, most, until })
    }
}

/// The monitor of a position while its line is searched: the same limits, a number of positions and a time.
struct Within<'a, 'b, M> {
    monitor: &'a mut Monitored<'b, M>,
    most: u64,
    until: Option<Duration>,
}

impl<G: Game> ProofMonitor<G> for Within<'_, '_, G::Move> {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        let next = ProofMonitor::<G>::next_check(self.monitor, nodes)?;
        let in_time = self.until.is_none_or(|until| self.monitor.monitor.elapsed() < until);
        (in_time && nodes < self.most).then_some(next.min(self.most))
    }

    fn note(&mut self, _position: &Position<'_, G>) {}
}

impl<G: Game> Solver<G> for ProvingSolver<G> {
    fn solve(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Solution<G::Move> {
        // Another board may have the same keys.
        self.provers[0].forget();
        let mut position = Position::new(at.game, at.state);
        let report = Report::bare(position.moves[0].mv, Duration::ZERO);
        let before = nodes_of(&self.provers);
        let time = TimeForMove::of(limits, at.game.plies_left(at.state));
        let mut monitor = Monitored {
            monitor: SearchMonitor::start(limits, time, observer, report),
            before: self.provers[0].nodes(),
        };
        // The proven bounds are kept, also if the limits end the proof.
        let _ = position.prove(&mut self.provers, Way::Whole(self.goal), &mut monitor);
        let pv = if self.has_line { self.line(&position, limits, &mut monitor) } else { Vec::new() };
        let side = position.mover;
        let mut moves: Vec<_> = position.moves.iter().map(|mv| (mv.mv, position.bounds_after(mv))).collect();
        sort_by_order(&mut moves, |(_, a), (_, b)| a.seen_by(side) > b.seen_by(side));
        Solution {
            bounds: position.bounds,
            moves,
            pv,
            nodes: nodes_of(&self.provers) - before,
            elapsed: monitor.monitor.elapsed(),
            memory_bytes: self.provers[0].memory_bytes(),
        }
    }
}

/// The limits and the observer of a search as those of a proof.
pub(super) struct Monitored<'a, M> {
    pub(super) monitor: SearchMonitor<'a, M>,
    /// Positions that the first prover had visited before.
    pub(super) before: u64,
}

impl<M: Copy> Monitored<'_, M> {
    /// Whether a limit or the observer has stopped the search.
    pub(super) fn is_stopped(&self) -> bool {
        self.monitor.is_stopped()
    }
}

impl<G: Game> ProofMonitor<G> for Monitored<'_, G::Move> {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        let next = self.monitor.next_check(nodes - self.before, 0)?;
        Some(self.before + next)
    }

    fn most_nodes(&self) -> u64 {
        self.monitor.most_nodes().saturating_add(self.before)
    }

    fn used(&self, nodes: u64) -> f64 {
        self.monitor.used(nodes - self.before)
    }

    fn note(&mut self, position: &Position<'_, G>) {
        self.monitor.report.proof = position.proof();
        if let Some(best) = position.best_proven() {
            self.monitor.report.best = best.mv;
        }
    }
}
