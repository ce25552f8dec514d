//! Printing, parsing and validation of positions.

use banyan_core::{Game, Side, TextError};

use super::shape::number;
use super::{ConnectFour, Grid, Place, State};

/// The content of one cell in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Free,
    Hole,
    Stone(Side),
}

impl Mark {
    fn name(self) -> &'static str {
        match self {
            Mark::Free => "a free cell",
            Mark::Hole => "a hole",
            Mark::Stone(side) => sign(side),
        }
    }
}

fn sign(side: Side) -> &'static str {
    match side {
        Side::First => "x",
        Side::Second => "o",
    }
}

impl<B: Grid> ConnectFour<B> {
    pub(super) fn position_text(&self, state: &State<B>) -> String {
        let row_text = |row| {
            let mut text = String::new();
            let mut free = 0;
            for column in 0..self.shape.columns() {
                let place = Place { column, row };
                let mark = match self.owner(state, place) {
                    Some(side) => sign(side),
                    None if self.shape.is_hole(place) => "-",
                    None => {
                        free += 1;
                        continue;
                    }
                };
                push_run(&mut text, &mut free);
                text.push_str(mark);
            }
            push_run(&mut text, &mut free);
            text
        };
        let rows: Vec<String> = (0..self.shape.rows()).rev().map(row_text).collect();
        format!("{} {}", rows.join("/"), sign(self.to_move(state)))
    }

    pub(super) fn read_position(&self, text: &str) -> Result<State<B>, TextError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[board, mover] = words.as_slice() else {
            let found = format!("position of {} words", words.len());
            return Err(TextError::new(
                found,
                "expected rows and the side to move",
                format!("try {:?}", self.example()),
            ));
        };
        let stones = self.read_stones(board)?;
        self.check_side(&stones, mover)?;
        self.check_floating(&stones)?;
        self.check_lines(&stones)?;
        let side = side_to_move(&stones);
        Ok(self.with_stones(stones[side.index()], stones[(!side).index()]))
    }

    fn example(&self) -> String {
        self.position_text(&self.start())
    }

    /// The stones of both sides, by side.
    fn read_stones(&self, board: &str) -> Result<[B; 2], TextError> {
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != self.shape.rows() as usize {
            let found = format!("position of {} rows", rows.len());
            let expected = format!("expected {} rows separated by /", self.shape.rows());
            return Err(TextError::new(found, expected, format!("try {:?}", self.example())));
        }
        let mut stones = [B::EMPTY; 2];
        for (row, text) in (0..self.shape.rows()).rev().zip(rows) {
            for (column, mark) in (0..).zip(self.read_row(row, text)?) {
                let place = Place { column, row };
                self.check_hole(place, mark)?;
                if let Mark::Stone(side) = mark {
                    stones[side.index()] = stones[side.index()].or(B::single(self.shape.bit(place)));
                }
            }
        }
        Ok(stones)
    }

    fn read_row(&self, row: u32, text: &str) -> Result<Vec<Mark>, TextError> {
        let columns = self.shape.columns() as usize;
        let mut marks = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (mark, n, length) = match first {
                'x' | 'X' => (Mark::Stone(Side::First), 1, 1),
                'o' | 'O' => (Mark::Stone(Side::Second), 1, 1),
                '-' => (Mark::Hole, 1, 1),
                '1'..='9' => (Mark::Free, number(&rest[..digits]).map_or(0, |n| n as usize), digits),
                _ => {
                    let found = format!("{first:?} in row {}", row + 1);
                    let remedy = "write x, o, - for a hole, or how many cells are free";
                    return Err(TextError::new(found, "expected stones, holes and numbers of free cells", remedy));
                }
            };
            // One cell too many is enough to detect a row that is too long.
            marks.extend(std::iter::repeat_n(mark, n.min(columns + 1)));
            rest = &rest[length..];
        }
        if marks.len() == columns {
            return Ok(marks);
        }
        let amount = if marks.len() < columns { marks.len().to_string() } else { format!("more than {columns}") };
        let found = format!("row {} of {amount} cells", row + 1);
        Err(TextError::new(found, format!("expected {columns} cells in every row"), "check the row"))
    }

    fn check_hole(&self, place: Place, mark: Mark) -> Result<(), TextError> {
        let name = place.name();
        match (self.shape.is_hole(place), mark == Mark::Hole) {
            (true, false) => {
                let found = format!("{} on {name}", mark.name());
                Err(TextError::new(
                    found,
                    "expected - there, as this board has a hole on it",
                    "check the row or the holes",
                ))
            }
            (false, true) => {
                let remedy = format!("add hole={name} to the options of the game or check the row");
                Err(TextError::new(format!("a hole on {name}"), "expected holes only where the board has them", remedy))
            }
            _ => Ok(()),
        }
    }

    fn check_side(&self, stones: &[B; 2], mover: &str) -> Result<(), TextError> {
        let [n_x, n_o] = stones.map(B::count);
        if n_x != n_o && n_x != n_o + 1 {
            let found = format!("{n_x} x and {n_o} o");
            return Err(TextError::new(found, "expected as many x as o or one more", "check the stones"));
        }
        let side = sign(side_to_move(stones));
        if mover.eq_ignore_ascii_case(side) {
            return Ok(());
        }
        let found = format!("side to move {mover:?}");
        Err(TextError::new(found, format!("expected {side:?} after {n_x} x and {n_o} o"), format!("write {side}")))
    }

    fn check_floating(&self, stones: &[B; 2]) -> Result<(), TextError> {
        let filled = stones[0].or(stones[1]).or(self.holes);
        let landing = self.landing(filled);
        for place in self.shape.places() {
            let below = |row| landing.has(self.shape.bit(Place { row, ..place }));
            let is_stone = filled.and(self.valid).has(self.shape.bit(place));
            if let Some(row) = (0..place.row).find(|&row| is_stone && below(row)) {
                let free = Place { row, ..place }.name();
                let found = format!("stone on {} above free {free}", place.name());
                return Err(TextError::new(found, "expected stones that have fallen", "check the column"));
            }
        }
        Ok(())
    }

    /// Only the last stone may have completed a four.
    fn check_lines(&self, stones: &[B; 2]) -> Result<(), TextError> {
        let winners: Vec<Side> =
            Side::BOTH.into_iter().filter(|side| !self.lines(stones[side.index()]).is_empty()).collect();
        let &[winner] = winners.as_slice() else {
            let both =
                || TextError::new("four x and four o in a line", "expected at most one winner", "check the stones");
            return if winners.is_empty() { Ok(()) } else { Err(both()) };
        };
        let found = format!("four {} in a line", sign(winner));
        if winner == side_to_move(stones) {
            let expected = format!("expected no move after the win, but {0} is to move", sign(winner));
            return Err(TextError::new(found, expected, "check the stones"));
        }
        let own = stones[winner.index()];
        if self.tops(stones).and(own).ones().any(|bit| self.lines(own.and_not(B::single(bit))).is_empty()) {
            return Ok(());
        }
        Err(TextError::new(found, "expected a win by the last stone, on top of its column", "check the stones"))
    }

    /// The highest stone of every column.
    fn tops(&self, stones: &[B; 2]) -> B {
        let all = stones[0].or(stones[1]);
        let top = |&column: &B| all.and(column).ones().last().map_or(B::EMPTY, B::single);
        self.columns.iter().map(top).fold(B::EMPTY, B::or)
    }
}

fn push_run(text: &mut String, free: &mut u32) {
    if *free > 0 {
        text.push_str(&free.to_string());
        *free = 0;
    }
}

fn side_to_move<B: Grid>(stones: &[B; 2]) -> Side {
    if stones[0].count() == stones[1].count() { Side::First } else { Side::Second }
}
