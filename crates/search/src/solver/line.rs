//! The principal variation of a proven position.

use std::time::Duration;

use banyan_core::{Game, Limits, Prover};

use super::position::{Goal, Position, ProofMonitor, Way};
use super::threads::CHECK_EVERY;

/// Positions visited for the principal variation: a tenth of those of the proof before it, and some more, for which a millisecond is
/// enough. Guess, untuned. Without a bound for the whole variation this took longer than the search for the move.
pub(super) const PV_PART: u64 = 10;
pub(super) const PV_NODES: u64 = 500;

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
    /// The principal variation from `best` on, up to the first position whose value the prover does not find in time; of a position whose
    /// value is not known, `best` alone.
    pub(super) fn line(
        &self,
        best: G::Move,
        prover: &mut Box<dyn Prover<G>>,
        monitor: &mut dyn ProofMonitor<G>,
    ) -> Vec<G::Move> {
        let mut line = vec![best];
        let mut next = self.after(best).cloned();
        while let Some(state) = next
            && self.game.result(&state).is_none()
            && self.is_solved()
        {
            let mut position = Position::new(self.game, &state);
            if position.prove(std::slice::from_mut(prover), Way::Whole(Goal::Value), monitor).is_none() {
                break;
            }
            let Some(mv) = position.best_proven().map(|mv| mv.mv) else { break };
            line.push(mv);
            next = position.after(mv).cloned();
        }
        line
    }
}
