//! Three in a row as a user-defined game: the rules and their text, then the laws, a search and a match.
//!
//! `cargo run --release -p banyan --example three_in_a_row`
#![allow(clippy::print_stdout)]

use banyan::{Bounds, Config, Game, Limits, Margin, MatchConditions, Mcts, MoveList, Notation, Player, Random, Side};
use banyan::{TextError, laws, mix, play_match};

/// Rows, columns and diagonals; bit 0 is the top left cell, bit 8 the bottom right one.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The rules. There is only one board, so there are no options.
pub struct ThreeInARow;

impl Game for ThreeInARow {
    type State = [u16; 2]; // The cells of `First` and of `Second`.
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
}

impl Notation for ThreeInARow {
    const NAME: &'static str = "three-in-a-row";
    const SUMMARY: &'static str = "three in a row on 3x3 cells; no options";

    fn from_options(options: &str) -> Result<ThreeInARow, TextError> {
        options
            .is_empty()
            .then_some(ThreeInARow)
            .ok_or_else(|| TextError::new(options, "expected no options", "omit them"))
    }
    fn print_move(&self, _: &[u16; 2], cell: u8) -> String {
        format!("{}{}", ["a", "b", "c"][usize::from(cell % 3)], 3 - cell / 3)
    }
    fn print_position(&self, board: &[u16; 2]) -> String {
        let sign = |cell: usize| ['.', 'x', 'o'][usize::from((board[0] >> cell & 1) + 2 * (board[1] >> cell & 1))];
        [0, 3, 6].map(|row| (row..row + 3).map(sign).collect::<String>()).join("/")
    }
    fn parse_position(&self, text: &str) -> Result<[u16; 2], TextError> {
        let cells = |sign| text.chars().filter(|c| *c != '/').take(9).enumerate().filter(move |c| c.1 == sign);
        let board = ['x', 'o'].map(|sign| cells(sign).fold(0u16, |set, (cell, _)| set | 1 << cell));
        let ahead = board[0].count_ones().wrapping_sub(board[1].count_ones());
        let refused =
            || TextError::new(text, "expected three rows of x, o and ., x a stone ahead or none", "try x../.o./...");
        (ahead <= 1 && self.print_position(&board) == text).then_some(board).ok_or_else(refused)
    }
}

/// Checks the rules, searches a position, and plays a match.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    laws::check(&ThreeInARow, 20, 1)?;

    let (mut mcgs, limits) = (Mcts::new(Config::default())?, Limits::playouts(1000));
    let board = ThreeInARow.parse_position("xo./.x./o..")?;
    let report = mcgs.analyse(&ThreeInARow, &board, &limits)?;
    println!("xo./.x./o..: {} wins {:.0} %", ThreeInARow.print_move(&board, report.best), 100.0 * report.win_rate());

    let counts = play_match(&ThreeInARow, [&mut mcgs, &mut Random::new(1)], &MatchConditions::new(20, limits))?;
    println!("against a random mover: {} of {} games won", counts.games().wins, counts.games().games());
    println!("difference in Elo: {:+.0}", counts.estimate().elo);
    Ok(())
}
