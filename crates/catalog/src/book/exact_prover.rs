//! A prover that knows a book of exact values: minimax down to the last positions of the book, and the prover of the game from there.

use std::collections::HashMap;
use std::sync::Arc;

use banyan_core::{Bounds, ErasedGame, ErasedState, Game, Poll, Prover};

use super::exact::{ExactBook, children};
use crate::game_state::position_key;

/// A prover with a complete book.
pub(crate) struct BookProver {
    book: Arc<ExactBook>,
    prover: Box<dyn Prover<ErasedGame>>,
    /// Bounds proven here of positions in the book, narrower than those of the book.
    proven: HashMap<u64, Bounds>,
    nodes: u64,
}

impl BookProver {
    pub(crate) fn new(book: Arc<ExactBook>, prover: Box<dyn Prover<ErasedGame>>) -> BookProver {
        BookProver { book, prover, proven: HashMap::new(), nodes: 0 }
    }

    /// [`Prover::reaches`] for a position with this key.
    fn search(
        &mut self,
        game: &ErasedGame,
        (key, state): (u64, &ErasedState),
        points: i16,
        poll: Poll<'_>,
    ) -> Option<Bounds> {
        self.nodes += 1;
        let mover = game.to_move(state);
        let Some(known) = self.book.bounds(key) else {
            let before = self.nodes;
            return self.prover.reaches(game, state, points, &mut |nodes| Some(poll(before + nodes)? - before));
        };
        let known = self.proven.get(&key).map_or(known, |proven| known.and(*proven));
        let decides = |bounds: Bounds| bounds.seen_by(mover).0 >= points || bounds.seen_by(mover).1 < points;
        if decides(known) {
            return Some(known);
        }
        // The moves that the book values most come first.
        let mut moves: Vec<(u64, ErasedState, Bounds)> = Vec::new();
        for (key, after) in children(game, state) {
            let end = game.result(&after).map(Bounds::exact);
            let bounds = end.or_else(|| self.book.bounds(key)).unwrap_or_else(|| game.bounds(&after));
            moves.push((key, after, self.proven.get(&key).map_or(bounds, |proven| bounds.and(*proven))));
        }
        moves.sort_by_key(|(.., bounds)| std::cmp::Reverse(bounds.seen_by(mover)));
        let mut best = (i16::MIN, i16::MIN);
        for (key, after, mut bounds) in moves {
            if !decides(bounds) {
                let asked = if game.to_move(&after) == mover { points } else { 1 - points };
                bounds = bounds.and(self.search(game, (key, &after), asked, poll)?);
            }
            let (lower, upper) = bounds.seen_by(mover);
            best = (best.0.max(lower), best.1.max(upper));
            if best.0 >= points {
                best.1 = known.seen_by(mover).1;
                break;
            }
        }
        let bounds = known.and(Bounds::won_by(mover, best.0, best.1.max(best.0)));
        self.proven.insert(key, bounds);
        Some(bounds)
    }
}

impl Prover<ErasedGame> for BookProver {
    fn reaches(&mut self, game: &ErasedGame, state: &ErasedState, points: i16, poll: Poll<'_>) -> Option<Bounds> {
        poll(self.nodes())?;
        self.search(game, (position_key(game, state), state), points, poll)
    }

    fn guess(&mut self, game: &ErasedGame, state: &ErasedState) -> Option<i16> {
        self.prover.guess(game, state)
    }

    fn window(&self, lower: i16, upper: i16) -> Option<i16> {
        self.prover.window(lower, upper)
    }

    fn nodes(&self) -> u64 {
        self.nodes + self.prover.nodes()
    }

    fn forget(&mut self) {
        self.proven.clear();
        self.prover.forget();
    }

    fn fork(&self, thread: u32) -> Box<dyn Prover<ErasedGame>> {
        Box::new(BookProver::new(Arc::clone(&self.book), self.prover.fork(thread)))
    }

    fn prepare_for_long_searches(&mut self) {
        self.prover.prepare_for_long_searches();
    }

    fn memory_bytes(&self) -> u64 {
        self.prover.memory_bytes()
    }
}
