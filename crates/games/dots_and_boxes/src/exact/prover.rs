//! The solver as a prover of statements about final margins.

use std::sync::Arc;

use banyan_core::bits::Bits;
use banyan_core::{Bounds, BoundsTable, Game, Poll, Prover, TableAccess};

use super::search::{Board, SYMMETRIES, Search};
use crate::{DotsAndBoxes, State};

/// Positions between two reports to the table, which may then grow.
const GROW_EVERY: u64 = 512;
/// Up to so many drawn edges, positions that are the same by symmetry have one entry in the table. Further on hardly any two of a
/// search are, and each image of a key costs time. (Measured, time without symmetries to that with them: 3x4 2.2 from the empty
/// board, 0.8 after 1 and 2 edges, 0.7 after 3; 3x5 0.7 after 3 edges, 4x4 0.6 after 6, 5x5 0.8 after 20.)
const SYMMETRIC: u32 = 2;

/// Proves values of Dots and Boxes positions by null-window search of quiet positions.
#[derive(Debug)]
pub struct ExactEndings<B> {
    table: Arc<BoundsTable>,
    thread: u32,
    nodes: u64,
    /// Whether the table's keys are those of all symmetries.
    is_symmetric: bool,
    /// The tables of the board searched last.
    board: Option<Board<B>>,
}

impl<B: Bits> ExactEndings<B> {
    /// A prover whose table has at most so many bytes, at least 1024.
    pub fn new(table_bytes: u64) -> ExactEndings<B> {
        let table = Arc::new(BoundsTable::new(table_bytes));
        ExactEndings { table, thread: 0, nodes: 0, is_symmetric: false, board: None }
    }

    /// Whether the side to move wins at least `points` from here on, of the parity of the open boxes.
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
        if self.board.as_ref().is_none_or(|board| board.shape() != game.shape()) {
            if self.board.is_some() {
                // Keys mean other positions on another board.
                self.table = Arc::new(self.table.another());
                self.is_symmetric = false;
            }
            self.board = Some(Board::new(&game.layout, &game.grid, self.thread));
        }
        let mover = game.to_move(state);
        let score = i32::from(game.score(state).seen_by(mover));
        let open = i32::from(state.open);
        // The least value of at least `points` that the parity of the open boxes allows.
        let wanted = i32::from(points) - score;
        let wanted = wanted + (wanted + open).rem_euclid(2);
        let undrawn = game.undrawn(state);
        // What an almost empty board has left in the table is found again only by the same keys.
        self.is_symmetric |= undrawn.count() + SYMMETRIC >= game.shape().n_edges();
        let reaches = if self.is_symmetric {
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
        self.is_symmetric = false;
    }

    fn fork(&self, thread: u32) -> Box<dyn Prover<DotsAndBoxes<B>>> {
        Box::new(ExactEndings {
            table: Arc::clone(&self.table),
            thread,
            nodes: 0,
            is_symmetric: self.is_symmetric,
            board: None,
        })
    }

    fn prepare_for_long_searches(&mut self) {
        self.table.use_huge_pages();
    }

    fn memory_bytes(&self) -> u64 {
        self.table.bytes()
    }
}
