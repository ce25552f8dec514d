//! The solver as a prover of statements about final margins.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use banyan_bits::Bits;
use banyan_core::{Bounds, Game, Poll, Prover};
use banyan_exact::{BoardTable, TableAccess};

use super::search::{Board, SYMMETRIES, Search};
use crate::{DotsAndBoxes, Shape, State};

/// Positions between two reports to the table, which may then grow.
const GROW_EVERY: u64 = 512;
/// In searches that begin with at most this many drawn edges, symmetric positions share an entry of the table. In searches that begin
/// later, few positions are symmetric to each other, and each image of a key costs time. (Measured, time and positions without symmetries
/// to those with them: 3x4 2.2 and 3.0 from the empty board, 0.8 and 1.5 after 1 edge, 0.8 and 1.2 after 2, 0.7 and 1.2 after 3; time of
/// 3x5 0.7 after 3 edges, 4x4 0.6 after 6, 5x5 0.8 after 20. After 1 and 2 edges symmetries are used all the same, because large boards
/// fill the table.)
const SYMMETRIC: u32 = 2;

/// Proves values of Dots and Boxes positions by null-window search of quiet positions.
#[derive(Debug)]
pub struct ExactEndings<B> {
    /// Shared with forks, as `is_symmetric` is.
    table: BoardTable<Shape>,
    /// Whether positions are looked up by the least of their images. Keys of both kinds may be in one table, for either names a
    /// position of the same value.
    is_symmetric: Arc<AtomicBool>,
    thread: u32,
    nodes: u64,
    /// The tables of the board searched last.
    board: Option<Board<B>>,
}

impl<B: Bits> ExactEndings<B> {
    /// A prover whose table has at most `table_bytes` bytes, at least 1024.
    pub fn new(table_bytes: u64) -> ExactEndings<B> {
        let (table, is_symmetric) = (BoardTable::new(table_bytes), Arc::default());
        ExactEndings { table, is_symmetric, thread: 0, nodes: 0, board: None }
    }

    /// Whether the side to move wins at least `points` from here on; `points` has the parity of the number of open boxes.
    fn search<const N: usize>(&mut self, undrawn: B, points: i32, poll: Poll<'_>) -> Option<bool> {
        let board = self.board.as_ref().expect("it was made for this game");
        let mut search = Search::<B, N>::new(board, TableAccess::new(&self.table, self.nodes, GROW_EVERY, poll)?);
        let reaches = search.reaches(undrawn, points);
        self.nodes = search.table.nodes;
        reaches
    }
}

impl<B: Bits> Prover<DotsAndBoxes<B>> for ExactEndings<B> {
    fn reaches(&mut self, game: &DotsAndBoxes<B>, state: &State<B>, points: i16, poll: Poll<'_>) -> Option<Bounds> {
        if self.table.assign_board(game.shape()) {
            self.is_symmetric = Arc::default();
        }
        if self.board.as_ref().is_none_or(|board| board.shape() != game.shape()) {
            self.board = Some(Board::new(&game.layout, &game.grid, self.thread));
        }
        let mover = game.to_move(state);
        let score = i32::from(game.score(state).seen_by(mover));
        let open = i32::from(state.open);
        // The least value of at least `points` that the parity of the open boxes allows.
        let wanted = i32::from(points) - score;
        let wanted = wanted + (wanted + open).rem_euclid(2);
        let undrawn = game.undrawn(state);
        // Entries from a search of an almost empty board are found again only by the same kind of key.
        if undrawn.count() + SYMMETRIC >= game.shape().n_edges() {
            self.is_symmetric.store(true, Relaxed);
        }
        let reaches = if self.is_symmetric.load(Relaxed) {
            self.search::<SYMMETRIES>(undrawn, wanted, poll)?
        } else {
            self.search::<1>(undrawn, wanted, poll)?
        };
        let (lower, upper) = if reaches { (wanted.max(-open), open) } else { (-open, (wanted - 2).min(open)) };
        Some(Bounds::won_by(mover, (score + lower) as i16, (score + upper) as i16))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget(&mut self) {
        self.table.clear();
        self.is_symmetric.store(false, Relaxed);
    }

    fn fork(&self, thread: u32) -> Box<dyn Prover<DotsAndBoxes<B>>> {
        let (table, is_symmetric) = (self.table.clone(), Arc::clone(&self.is_symmetric));
        Box::new(ExactEndings { table, is_symmetric, thread, nodes: 0, board: None })
    }

    fn prepare_for_long_searches(&mut self) {
        self.table.use_huge_pages();
    }

    fn memory_bytes(&self) -> u64 {
        self.table.bytes()
    }
}
