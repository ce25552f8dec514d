//! The children of a position, in the order of their ranks.

use banyan_core::{Game, MoveList};

use super::coordination::Coordination;

/// The position after a move.
pub(super) struct Child<G: Game> {
    pub(super) mv: G::Move,
    pub(super) state: G::State,
    /// The key of its entry.
    pub(super) key: u64,
    /// Points that the move scores for the mover, in units of the search.
    pub(super) gain: i32,
    /// Whether the other side moves next.
    pub(super) turned: bool,
    pub(super) rank: i32,
}

impl<G: Game> Child<G> {
    /// A child without a rank, whose key is not known yet.
    pub(super) fn new(mv: G::Move, state: G::State, gain: i32, turned: bool) -> Child<G> {
        Child { mv, state, key: 0, gain, turned, rank: 0 }
    }

    /// The child's score, seen by the mover of its parent.
    #[inline(always)]
    pub(super) fn for_parent(&self, score: i32) -> i32 {
        self.gain + if self.turned { -score } else { score }
    }
}

/// The buffers of one ply of the path, kept from one position to the next.
pub(super) struct Ply<G: Game> {
    pub(super) moves: MoveList<G::Move>,
    pub(super) children: Vec<Child<G>>,
    /// The children; those requested so far are in the order of their ranks.
    pub(super) order: Vec<u16>,
    /// The last two moves that refuted a position of this ply.
    pub(super) killers: [Option<G::Move>; 2],
}

impl<G: Game> Default for Ply<G> {
    fn default() -> Ply<G> {
        Ply { moves: Vec::new(), children: Vec::new(), order: Vec::new(), killers: [None; 2] }
    }
}

impl<G: Game> Ply<G> {
    /// Clears the killer moves.
    pub(super) fn forget(&mut self) {
        self.killers = [None; 2];
    }

    /// The `i`-th child by rank; those before it must have been requested.
    #[inline(always)]
    pub(super) fn next(&mut self, i: usize) -> &Child<G> {
        let rank = |&number: &u16| self.children[usize::from(number)].rank;
        let (mut best, mut best_rank) = (i, rank(&self.order[i]));
        for (j, number) in self.order.iter().enumerate().skip(i + 1) {
            if rank(number) > best_rank {
                (best, best_rank) = (j, rank(number));
            }
        }
        // Rotation keeps the order of equals.
        self.order[i..=best].rotate_right(1);
        &self.children[usize::from(self.order[i])]
    }

    /// The `i`-th child by rank, except that children which another thread searches to this depth come last.
    #[inline(never)]
    pub(super) fn next_free(&mut self, i: usize, coordination: &Coordination, depth: u32) -> &Child<G> {
        for j in i..self.order.len() {
            let key = self.next(j).key;
            if !coordination.is_searched(key, depth) {
                self.order[i..=j].rotate_right(1);
                break;
            }
        }
        &self.children[usize::from(self.order[i])]
    }
}
