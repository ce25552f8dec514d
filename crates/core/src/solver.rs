//! Exact values: the interface of solvers and their result.

use std::time::Duration;

use crate::{Bounds, Game, Limits, SearchObserver, Side, Situation};

/// Proven bounds of a position and of each of its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<M> {
    /// Bounds of the final margin under best play, score so far included.
    pub bounds: Bounds,
    /// Every legal move with the bounds of the final margin after it, best first.
    pub moves: Vec<(M, Bounds)>,
    /// The principal variation: best play from the position, up to the first move that was not proven; empty unless requested.
    pub pv: Vec<M>,
    /// Positions visited.
    pub nodes: u64,
    /// Time spent, by the [`Timer`](crate::Timer) of the limits.
    pub elapsed: Duration,
    /// Memory held at the end.
    pub memory_bytes: u64,
}

impl<M: Copy> Solution<M> {
    /// Whether the value is exact and each move is proven to reach it or to fall short of it, for the side to move
    /// `mover`.
    pub fn is_complete(&self, mover: Side) -> bool {
        let (value, _) = self.bounds.seen_by(mover);
        let decided = |bounds: Bounds| bounds.is_exact() || bounds.seen_by(mover).1 < value;
        self.bounds.is_exact() && self.moves.iter().all(|&(_, bounds)| decided(bounds))
    }

    /// The best moves: all that are proven to reach the exact value for the side to move `mover`; empty while the value
    /// is not exact.
    pub fn best(&self, mover: Side) -> Vec<M> {
        let (value, _) = self.bounds.seen_by(mover);
        let reaches = |bounds: Bounds| self.bounds.is_exact() && bounds.seen_by(mover).0 >= value;
        self.moves.iter().filter(|&&(_, bounds)| reaches(bounds)).map(|&(mv, _)| mv).collect()
    }
}

/// Finds exact values.
pub trait Solver<G: Game>: Send {
    /// Proves the value of a position that is not over and of all its moves, or the best bounds found before a limit or
    /// the observer stops the search.
    fn solve(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Solution<G::Move>;
}
