//! The solver as a prover of statements about final margins.

use std::sync::Arc;

use banyan_core::bits::Bits;
use banyan_core::{Bounds, BoundsTable, Game, Poll, Prover, TableAccess};

use super::search::{Board, Search};
use crate::{DotsAndBoxes, State};

/// Positions between two reports to the table, which may then grow.
const GROW_EVERY: u64 = 512;

/// Proves values of Dots and Boxes positions by null-window search of quiet positions.
#[derive(Debug)]
pub struct ExactEndings<B> {
    table: Arc<BoundsTable>,
    thread: u32,
    nodes: u64,
    /// The tables of the board searched last.
    board: Option<Board<B>>,
}

impl<B: Bits> ExactEndings<B> {
    /// A prover whose table has at most so many bytes, at least 1024.
    pub fn new(table_bytes: u64) -> ExactEndings<B> {
        ExactEndings { table: Arc::new(BoundsTable::new(table_bytes)), thread: 0, nodes: 0, board: None }
    }
}

impl<B: Bits> Prover<DotsAndBoxes<B>> for ExactEndings<B> {
    fn reaches(&mut self, game: &DotsAndBoxes<B>, state: &State<B>, points: i16, poll: Poll<'_>) -> Option<Bounds> {
        if self.board.as_ref().is_none_or(|board| board.shape() != game.shape()) {
            if self.board.is_some() {
                // Keys mean other positions on another board.
                self.table = Arc::new(BoundsTable::new(self.table.most_bytes()));
            }
            self.board = Some(Board::new(&game.layout, &game.grid, self.thread));
        }
        let board = self.board.as_ref().expect("it was just made");
        let mover = game.to_move(state);
        let score = i32::from(game.score(state).seen_by(mover));
        let open = i32::from(state.open);
        // The least value of at least `points` that the parity of the open boxes allows.
        let wanted = i32::from(points) - score;
        let wanted = wanted + (wanted + open).rem_euclid(2);
        let mut search = Search { board, table: TableAccess::new(&self.table, self.nodes, GROW_EVERY, poll)? };
        let reaches = search.reaches(game.undrawn(state), wanted);
        self.nodes = search.table.nodes;
        drop(search);
        let reaches = reaches?;
        let (lower, upper) = if reaches { (wanted.max(-open), open) } else { (-open, (wanted - 2).min(open)) };
        Some(Bounds::won_by(mover, (score + lower) as i16, (score + upper) as i16))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget(&mut self) {
        self.table.clear();
    }

    fn fork(&self, thread: u32) -> Box<dyn Prover<DotsAndBoxes<B>>> {
        Box::new(ExactEndings { table: Arc::clone(&self.table), thread, nodes: 0, board: None })
    }

    fn memory_bytes(&self) -> u64 {
        self.table.bytes()
    }
}
