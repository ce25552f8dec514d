//! Two small games: one with extra turns, one with symmetries.

use banyan_core::{Bounds, Game, Margin, MoveList, Side, Symmetry, mix};

/// A heap of counters; a move takes one to three. A player who leaves a multiple of four, 0 included, scores a point
/// and moves again.
pub struct Heap {
    pub counters: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HeapState {
    left: u8,
    ply: u8,
    mover: Side,
    points: Margin,
}

impl Game for Heap {
    type State = HeapState;
    type Move = u8;

    fn start(&self) -> HeapState {
        HeapState { left: self.counters, ply: 0, mover: Side::First, points: Margin::DRAW }
    }
    fn to_move(&self, state: &HeapState) -> Side {
        state.mover
    }
    fn result(&self, state: &HeapState) -> Option<Margin> {
        (state.left == 0).then_some(state.points)
    }
    fn moves(&self, state: &HeapState, out: &mut MoveList<u8>) {
        out.extend(1..=state.left.min(3));
    }
    fn play(&self, state: &mut HeapState, mv: u8) {
        state.left -= mv;
        state.ply += 1;
        if state.left.is_multiple_of(4) {
            state.points = state.points + Margin::won_by(state.mover, 1);
        } else {
            state.mover = !state.mover;
        }
    }
    fn ply(&self, state: &HeapState) -> u16 {
        state.ply.into()
    }
    fn max_plies(&self) -> u16 {
        self.counters.into()
    }
    fn key(&self, state: &HeapState) -> u64 {
        mix(u64::from(state.left) << 1 | state.mover.index() as u64)
    }
    fn score(&self, state: &HeapState) -> Margin {
        state.points
    }
    fn margin_range(&self) -> Bounds {
        let most = Margin(i16::from(self.counters / 4 + 1));
        Bounds::new(-most, most)
    }
}

/// Three in a row; bit 0 is the top left cell, bit 8 the bottom right one.
pub struct Noughts;

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game for Noughts {
    type State = [u16; 2];
    type Move = u8;

    fn start(&self) -> [u16; 2] {
        [0, 0]
    }
    fn to_move(&self, board: &[u16; 2]) -> Side {
        Side::BOTH[usize::from(self.ply(board) % 2)]
    }
    fn result(&self, board: &[u16; 2]) -> Option<Margin> {
        let winner = Side::BOTH.into_iter().find(|side| LINES.iter().any(|line| board[side.index()] & line == *line));
        winner.map(|side| Margin::won_by(side, 1)).or((self.ply(board) == 9).then_some(Margin::DRAW))
    }
    fn moves(&self, board: &[u16; 2], out: &mut MoveList<u8>) {
        let over = self.result(board).is_some();
        out.extend((0..9).filter(|cell| !over && (board[0] | board[1]) >> cell & 1 == 0));
    }
    fn play(&self, board: &mut [u16; 2], cell: u8) {
        board[self.to_move(board).index()] |= 1 << cell;
    }
    fn ply(&self, board: &[u16; 2]) -> u16 {
        (board[0] | board[1]).count_ones() as u16
    }
    fn max_plies(&self) -> u16 {
        9
    }
    fn key(&self, board: &[u16; 2]) -> u64 {
        mix(u64::from(board[0]) << 16 | u64::from(board[1]))
    }
    fn margin_range(&self) -> Bounds {
        Bounds::new(Margin(-1), Margin(1))
    }
    fn symmetries(&self) -> u8 {
        8
    }
    fn transform(&self, board: &[u16; 2], symmetry: Symmetry) -> [u16; 2] {
        board.map(|cells| {
            (0..9).filter(|cell| cells >> cell & 1 == 1).fold(0, |set, cell| set | 1 << turned(cell, symmetry))
        })
    }
    fn transform_move(&self, cell: u8, symmetry: Symmetry) -> u8 {
        turned(cell, symmetry)
    }
}

fn turned(cell: u8, symmetry: Symmetry) -> u8 {
    let (mut row, mut column) = (cell / 3, cell % 3);
    if symmetry.0 & 1 != 0 {
        row = 2 - row;
    }
    if symmetry.0 & 2 != 0 {
        column = 2 - column;
    }
    if symmetry.0 & 4 != 0 { column * 3 + row } else { row * 3 + column }
}
