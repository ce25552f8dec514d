//! Proof of one position by a prover, without its moves.

use banyan_core::{Bounds, Game, Poll, Prover};

use super::position::Goal;
use super::windows::between;

/// Proves the value of a position that is not over, or with [`Goal::Winner`] who wins, and no single move. `None` if `poll` stopped it.
pub fn prove<G: Game>(
    prover: &mut dyn Prover<G>,
    game: &G,
    state: &G::State,
    goal: Goal,
    poll: Poll<'_>,
) -> Option<Bounds> {
    let (mover, mut bounds) = (game.to_move(state), game.bounds(state));
    loop {
        let (lower, upper) = bounds.seen_by(mover);
        if lower == upper || goal == Goal::Winner && lower.signum() == upper.signum() {
            return Some(bounds);
        }
        let usual = || between(lower, upper);
        let points = if goal == Goal::Winner { usual() } else { prover.window(lower, upper).unwrap_or_else(usual) };
        bounds = bounds.and(prover.reaches(game, state, points, poll)?);
    }
}
