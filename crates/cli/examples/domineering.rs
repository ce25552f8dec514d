//! Domineering as a new game with the whole `banyan` command: the rules and their text, then a `main` of five lines.
//!
//! `cargo run --release -p banyan-cli --example domineering -- play domineering:4x4`

use std::process::ExitCode;

use banyan::{Bounds, Cell, Game, Margin, MoveList, Notation, Picture, Side, TextError, mix};

/// The sides place dominoes on free cells in turn, the first vertically, the second horizontally. A side that cannot
/// move loses.
pub struct Domineering {
    rows: u8,
    columns: u8,
}

/// The cells under the vertical and under the horizontal dominoes; bit 0 is the bottom left cell, rows of eight bits follow.
type Board = [u64; 2];

impl Domineering {
    /// Distance in bits of the other half of a domino from its left or lower half.
    fn step(side: Side) -> u8 {
        [8, 1][side.index()]
    }

    fn name(cell: u8) -> String {
        format!("{}{}", char::from(b'a' + cell % 8), cell / 8 + 1)
    }

    /// All cells, top row first as in the text of a position.
    fn cells(&self) -> impl Iterator<Item = u8> {
        let columns = self.columns;
        (0..self.rows).rev().flat_map(move |row| (0..columns).map(move |column| 8 * row + column))
    }

    /// The left or lower halves of the dominoes that `side` can place.
    fn places(&self, board: &Board, side: Side) -> impl Iterator<Item = u8> {
        let all = self.cells().fold(0, |set, cell| set | 1u64 << cell);
        let free = all & !(board[0] | board[1]);
        // A horizontal domino cannot lie across the right edge of eight columns.
        let inside = [u64::MAX, 0x7f7f_7f7f_7f7f_7f7f][side.index()];
        let places = free & free >> Domineering::step(side) & inside;
        (0..64).filter(move |cell| places >> cell & 1 == 1)
    }
}

impl Game for Domineering {
    type State = Board;
    type Move = u8; // The left or lower half.

    fn start(&self) -> Board {
        [0, 0]
    }
    fn to_move(&self, board: &Board) -> Side {
        Side::BOTH[usize::from(self.ply(board) % 2)]
    }
    fn result(&self, board: &Board) -> Option<Margin> {
        let side = self.to_move(board);
        self.places(board, side).next().is_none().then_some(Margin::won_by(!side, 1))
    }
    fn moves(&self, board: &Board, out: &mut MoveList<u8>) {
        out.extend(self.places(board, self.to_move(board)));
    }
    fn play(&self, board: &mut Board, cell: u8) {
        let side = self.to_move(board);
        board[side.index()] |= 1 << cell | 1 << (cell + Domineering::step(side));
    }
    fn ply(&self, board: &Board) -> u16 {
        (board[0] | board[1]).count_ones() as u16 / 2
    }
    fn max_plies(&self) -> u16 {
        u16::from(self.rows) * u16::from(self.columns) / 2
    }
    fn key(&self, board: &Board) -> u64 {
        // The covered cells determine the side to move. Which side covered them does not affect the rest of the game.
        mix(board[0] | board[1])
    }
    fn margin_range(&self) -> Bounds {
        Bounds::new(Margin(-1), Margin(1))
    }
}

impl Notation for Domineering {
    const NAME: &'static str = "domineering";
    const SUMMARY: &'static str = "dominoes, vertical against horizontal; options: RxC from 2x2 to 8x8 (default 6x6)";

    fn from_options(options: &str) -> Result<Domineering, TextError> {
        let (rows, columns) = if options.is_empty() { "6x6" } else { options }.split_once('x').unwrap_or_default();
        match (rows.parse(), columns.parse()) {
            (Ok(rows @ 2..=8), Ok(columns @ 2..=8)) => Ok(Domineering { rows, columns }),
            _ => Err(TextError::new(options, "expected rows x columns from 2x2 to 8x8", "try 6x6")),
        }
    }
    fn options(&self) -> String {
        if (self.rows, self.columns) == (6, 6) { String::new() } else { format!("{}x{}", self.rows, self.columns) }
    }
    fn print_move(&self, _: &Board, cell: u8) -> String {
        Domineering::name(cell)
    }
    fn print_position(&self, board: &Board) -> String {
        let sign = |cell: u8| {
            ['.', 'v', 'h'][usize::from(board[0] >> cell & 1 == 1) + 2 * usize::from(board[1] >> cell & 1 == 1)]
        };
        let text: Vec<char> = self.cells().map(sign).collect();
        text.chunks(usize::from(self.columns)).map(String::from_iter).collect::<Vec<_>>().join("/")
    }
    fn parse_position(&self, text: &str) -> Result<Board, TextError> {
        let signs = || text.chars().filter(|&sign| sign != '/');
        let set = |wanted| {
            self.cells().zip(signs()).filter(|&(_, sign)| sign == wanted).fold(0, |set, (cell, _)| set | 1u64 << cell)
        };
        let board = [set('v'), set('h')];
        let [first, second] = board.map(u64::count_ones);
        let is_turn = first % 2 == 0 && second % 2 == 0 && (first == second || first == second + 2);
        let wrong = || {
            TextError::new(
                text,
                "expected rows of v, h and . with as many dominoes of both, or one more of v",
                "try the start",
            )
        };
        (is_turn && self.print_position(&board) == text).then_some(board).ok_or_else(wrong)
    }
    fn picture(&self, board: &Board, last: Option<u8>) -> Option<Picture> {
        let cell = |cell: u8| {
            let owner = Side::BOTH.into_iter().find(|side| board[side.index()] >> cell & 1 == 1);
            let is_last = |last: u8| owner.is_some_and(|side| cell == last || cell == last + Domineering::step(side));
            Cell { owner, last: last.is_some_and(is_last), ..Cell::default() }
        };
        Some(Picture {
            rows: usize::from(self.rows),
            columns: usize::from(self.columns),
            cells: self.cells().map(cell).collect(),
            edges: None,
            column_labels: ('a'..='h').take(usize::from(self.columns)).map(String::from).collect(),
            row_labels: (1..=self.rows).rev().map(|row| row.to_string()).collect(),
        })
    }
    fn side_name(&self, side: Side) -> &'static str {
        ["vertical", "horizontal"][side.index()]
    }
}

/// The command, with this game.
pub fn main() -> ExitCode {
    banyan_cli::run(|| {
        let mut catalog = banyan::catalog::Catalog::empty(); // or `banyan::builtin()`, to keep the built-in games
        catalog.register::<Domineering>(&[])?;
        Ok(catalog)
    })
}
