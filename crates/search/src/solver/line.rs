//! The principal variation of a proven position.

use std::time::Duration;

use banyan_core::{Bounds, Game, Limits, Prover};

use super::position::{Goal, Position, ProofMonitor, ProvenMove, Way};
use super::threads::CHECK_EVERY;

/// Positions visited for the principal variation: a tenth of those of the proof before it, and some more, for which a millisecond is
/// enough. Guess, untuned. Without a bound for the whole variation this took longer than the search for the move.
pub(super) const PV_PART: u64 = 10;
pub(super) const PV_NODES: u64 = 500;
/// Positions visited for the line of a solution, and its time under a limit on time, if a tenth of the proof is less: a book may have decided
/// it at once. Guess: people wait for a second.
pub(super) const SOLUTION_NODES: u64 = 4_000_000;
pub(super) const SOLUTION_TIME: Duration = Duration::from_secs(1);

/// Stops after a number of positions, and when the time of the move is up.
pub(super) struct UpTo<'a> {
    nodes: u64,
    limits: &'a Limits,
    started: Duration,
}

impl<'a> UpTo<'a> {
    /// For the line after a proof that visited `visited` positions and began at `started`, when the prover has visited `nodes` in all.
    pub(super) fn after(nodes: u64, visited: u64, limits: &'a Limits, started: Duration) -> UpTo<'a> {
        UpTo { nodes: nodes + visited / PV_PART + PV_NODES, limits, started }
    }
}

impl<G: Game> ProofMonitor<G> for UpTo<'_> {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        let in_time = self.limits.time.is_none_or(|time| self.limits.timer.since(self.started) < time);
        (in_time && nodes < self.nodes).then_some(self.nodes.min(nodes + CHECK_EVERY))
    }

    fn note(&mut self, _position: &Position<'_, G>) {}
}

impl<G: Game> Position<'_, G> {
    /// The line from `best` on that keeps what `goal` requires, the value or only the winner, up to the first position of which the prover
    /// finds no such move in time; of a position in which that is not known, `best` alone.
    pub(super) fn line(
        &self,
        best: G::Move,
        goal: Goal,
        prover: &mut Box<dyn Prover<G>>,
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Vec<G::Move> {
        let mut line = vec![best];
        let is_known = if goal == Goal::Winner { self.outcome().is_some() } else { self.is_solved() };
        let mut next = self.with_bounds_after(best);
        while let Some((state, bounds)) = next
            && self.game.result(&state).is_none()
            && is_known
        {
            let mut position = Position::new(self.game, &state);
            // What is known of the position before it is not proven again: only a move that keeps it.
            position.bounds = position.bounds.and(bounds);
            if position.prove(std::slice::from_mut(prover), Way::Whole(goal), monitor).is_none() {
                break;
            }
            let Some(mv) = position.best_for(goal).map(|mv| mv.mv) else { break };
            line.push(mv);
            next = position.with_bounds_after(mv);
        }
        line
    }

    /// The best proven move; with [`Goal::Winner`] in a lost position, whose moves are all alike, one after which the game does not end at
    /// once, if there is one.
    pub(super) fn best_for(&self, goal: Goal) -> Option<&ProvenMove<G>> {
        let ends_soon = |mv: &ProvenMove<G>| {
            let is_over = |state: &G::State| self.game.result(state).is_some();
            is_over(&mv.state) || Position::new(self.game, &mv.state).moves.iter().any(|reply| is_over(&reply.state))
        };
        let is_lost = goal == Goal::Winner && self.outcome() == Some(i16::MIN);
        let later = is_lost.then(|| self.moves.iter().find(|mv| !ends_soon(mv))).flatten();
        later.or_else(|| self.best_proven())
    }

    /// The position after a move with its bounds; `None` if the move is not legal.
    fn with_bounds_after(&self, mv: G::Move) -> Option<(G::State, Bounds)> {
        let proven = self.moves.iter().find(|proven| proven.mv == mv)?;
        Some((proven.state.clone(), self.bounds_after(proven)))
    }
}
