//! The solver as a prover of statements about final margins.

use banyan_core::{Bounds, Game, Poll, Prover};
use banyan_exact::{BoardTable, TableAccess};

use super::search::{Begun, Child, Search};
use crate::{ConnectFour, Grid, Shape, State};

/// Positions between two reports to the table, which may then grow.
const GROW_EVERY: u64 = 1 << 14;

/// Proves values of Connect Four positions by null-window search.
#[derive(Debug)]
pub struct ExactValues<B> {
    /// Shared with forks.
    table: BoardTable<Shape>,
    thread: u32,
    nodes: u64,
    /// An empty list, kept for its memory.
    children: Vec<Child<B>>,
    /// The board searched last.
    board: Option<Shape>,
}

impl<B: Grid> ExactValues<B> {
    /// A prover whose table has at most `table_bytes` bytes, at least 1024.
    pub fn new(table_bytes: u64) -> ExactValues<B> {
        ExactValues { table: BoardTable::new(table_bytes), thread: 0, nodes: 0, children: Vec::new(), board: None }
    }

    /// Prepares the table for the board of this game.
    fn prepare(&mut self, game: &ConnectFour<B>) {
        if self.board.as_ref() != Some(game.shape()) {
            self.table.assign_board(game.shape().clone());
            self.board = Some(game.shape().clone());
        }
    }
}

impl<B: Grid> Prover<ConnectFour<B>> for ExactValues<B> {
    fn reaches(&mut self, game: &ConnectFour<B>, state: &State<B>, points: i16, poll: Poll<'_>) -> Option<Bounds> {
        self.prepare(game);
        let table = TableAccess::new(&self.table, self.nodes, GROW_EVERY, poll)?;
        let (is_symmetric, children) = (game.shape().is_symmetric(), &mut self.children);
        let mut search = Search { game, is_symmetric, thread: self.thread, table, children };
        let (free, wanted) = (u32::from(game.cells - state.ply), i32::from(points));
        let bounds = match search.begin(state.own, game.others(state), free) {
            Begun::Decided(value) => Some((value, value)),
            Begun::Open(node) => {
                let value = search.value(&node, free, wanted - 1);
                value.map(|value| if value >= wanted { (value, i32::MAX) } else { (i32::MIN, value) })
            }
        };
        self.nodes = search.table.nodes;
        drop(search);
        let (lower, upper) = bounds?;
        let mover = game.to_move(state);
        let (least, most) = game.bounds(state).seen_by(mover);
        Some(Bounds::won_by(mover, lower.max(least.into()) as i16, upper.min(most.into()) as i16))
    }

    /// None, but the windows of the search depend on the board.
    fn guess(&mut self, game: &ConnectFour<B>, _state: &State<B>) -> Option<i16> {
        self.prepare(game);
        None
    }

    /// While the bounds are far apart, towards 0 by halves, after Pascal Pons: early wins are cheap to prove and to refute. Then the winner
    /// and the middle, since most tests near 0 are as dear as that of the winner. (With the winner first, 100 easy positions take nine times
    /// as many nodes; with halves to the end, the empty board takes 1.3 times as many. A quarter of the cells: 100 easy positions take a quarter
    /// of the nodes that they take with a half, and the empty board 1.06 times as many.)
    fn window(&self, lower: i16, upper: i16) -> Option<i16> {
        let cells = self.board.as_ref().map_or(0, Shape::cells);
        if u32::from(upper.abs_diff(lower)) <= cells / 4 {
            return None;
        }
        let middle = lower + (upper - lower) / 2;
        let middle = if middle <= 0 { middle.min(lower / 2) } else { middle.max(upper / 2) };
        Some((middle + 1).clamp(lower + 1, upper))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget(&mut self) {
        self.table.clear();
    }

    fn fork(&self, thread: u32) -> Box<dyn Prover<ConnectFour<B>>> {
        let (table, board) = (self.table.clone(), self.board.clone());
        Box::new(ExactValues { table, thread, nodes: 0, children: Vec::new(), board })
    }

    fn prepare_for_long_searches(&mut self) {
        self.table.use_huge_pages();
    }

    fn memory_bytes(&self) -> u64 {
        self.table.bytes()
    }
}
