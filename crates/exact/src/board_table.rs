//! A table of bounds that belongs to one board.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::BoundsTable;

/// A [`BoundsTable`] of the positions of one board, whose copies share it: keys mean other positions on another board.
#[derive(Debug)]
pub struct BoardTable<S> {
    shared: Arc<Shared<S>>,
}

#[derive(Debug)]
struct Shared<S> {
    table: BoundsTable,
    /// The board that its keys belong to, once there is one.
    board: OnceLock<S>,
}

impl<S: Clone + PartialEq> BoardTable<S> {
    /// A table of no board yet, of at most `bytes` bytes, at least 1024.
    pub fn new(bytes: u64) -> BoardTable<S> {
        BoardTable { shared: Arc::new(Shared { table: BoundsTable::new(bytes), board: OnceLock::new() }) }
    }

    /// Makes this the table of a board. If it is that of another one, an empty table of the same size takes its place here, but not in
    /// copies; returns whether it did.
    pub fn assign_board(&mut self, board: S) -> bool {
        if *self.shared.board.get_or_init(|| board.clone()) == board {
            return false;
        }
        let table = self.shared.table.another();
        self.shared = Arc::new(Shared { table, board: OnceLock::from(board) });
        true
    }
}

impl<S> Clone for BoardTable<S> {
    fn clone(&self) -> BoardTable<S> {
        BoardTable { shared: Arc::clone(&self.shared) }
    }
}

impl<S> Deref for BoardTable<S> {
    type Target = BoundsTable;

    fn deref(&self) -> &BoundsTable {
        &self.shared.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableAccess;

    fn put(table: &BoardTable<u8>) {
        let mut never = |_| Some(u64::MAX);
        TableAccess::new(table, 0, 1, &mut never).expect("not stopped").put(7, (1, 2), 0, 0);
    }

    fn knows(table: &BoardTable<u8>) -> bool {
        let mut never = |_| Some(u64::MAX);
        TableAccess::new(table, 0, 1, &mut never).expect("not stopped").get(7).is_some()
    }

    #[test]
    fn a_table_of_another_board_is_replaced_and_copies_keep_theirs() {
        let mut table = BoardTable::new(1 << 16);
        let mut copy = table.clone();
        assert!(!table.assign_board(1));
        put(&table);
        assert!(!copy.assign_board(1) && knows(&copy), "a copy shares the table");
        assert!(copy.assign_board(2) && !knows(&copy) && knows(&table), "of another board it has its own");
        assert!(!copy.assign_board(2) && !table.assign_board(1) && knows(&table));
        assert_eq!(copy.most_bytes(), table.most_bytes());
    }
}
