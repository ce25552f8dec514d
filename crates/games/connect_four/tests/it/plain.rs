//! Connect Four on a plain array, as a reference for the bitboards. It shares no code with them.

use std::collections::HashMap;

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stone {
    None,
    Hole,
    Of(u8),
}

/// A game in progress: `board[column][row]`, rows from the bottom; sides 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plain {
    pub board: Vec<Vec<Stone>>,
    pub turn: u8,
    pub winner: Option<u8>,
}

impl Plain {
    /// The empty board written `5x6,hole=a1,hole=c3`.
    pub fn new(spec: &str) -> Plain {
        let mut parts = spec.split(',');
        let (rows, columns) = parts.next().unwrap().split_once('x').unwrap();
        let (rows, columns): (usize, usize) = (rows.parse().unwrap(), columns.parse().unwrap());
        let mut board = vec![vec![Stone::None; rows]; columns];
        for part in parts {
            let cell = part.strip_prefix("hole=").unwrap();
            let column = cell.as_bytes()[0] - b'a';
            board[column as usize][cell[1..].parse::<usize>().unwrap() - 1] = Stone::Hole;
        }
        Plain { board, turn: 0, winner: None }
    }

    pub fn landing_row(&self, column: usize) -> Option<usize> {
        self.board[column].iter().position(|&stone| stone == Stone::None)
    }

    pub fn legal(&self) -> Vec<usize> {
        if self.winner.is_some() {
            return Vec::new();
        }
        (0..self.board.len()).filter(|&column| self.landing_row(column).is_some()).collect()
    }

    pub fn play(&mut self, column: usize) {
        let row = self.landing_row(column).expect("the column has room");
        self.board[column][row] = Stone::Of(self.turn);
        let in_a_row = |(dx, dy)| 1 + self.run(column, row, dx, dy) + self.run(column, row, -dx, -dy);
        if [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|direction| in_a_row(direction) >= 4) {
            self.winner = Some(self.turn);
        }
        self.turn = 1 - self.turn;
    }

    pub fn after(&self, column: usize) -> Plain {
        let mut next = self.clone();
        next.play(column);
        next
    }

    /// Number of stones of the same side as the one at (column, row) in one direction from it.
    fn run(&self, column: usize, row: usize, dx: i32, dy: i32) -> usize {
        let stone = self.board[column][row];
        let at = |i: i32| {
            let (x, y) = (column as i32 + i * dx, row as i32 + i * dy);
            if x < 0 || y < 0 { None } else { self.board.get(x as usize)?.get(y as usize).copied() }
        };
        (1..).take_while(|&i| at(i) == Some(stone)).count()
    }

    pub fn free(&self) -> usize {
        self.board.iter().flatten().filter(|&&stone| stone == Stone::None).count()
    }

    /// Margin for the side that began, once the game is over.
    pub fn margin(&self) -> Option<i16> {
        match self.winner {
            Some(0) => Some(1 + self.free() as i16 / 2),
            Some(_) => Some(-1 - self.free() as i16 / 2),
            None => (self.free() == 0).then_some(0),
        }
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.legal().into_iter().map(|column| self.after(column).perft(depth - 1)).sum()
    }

    /// The margin under best play, seen by the side to move, by full search.
    pub fn value(&self, known: &mut HashMap<Plain, i16>) -> i16 {
        if let Some(margin) = self.margin() {
            return if self.turn == 0 { margin } else { -margin };
        }
        if let Some(&value) = known.get(self) {
            return value;
        }
        let value = self.legal().into_iter().map(|column| -self.after(column).value(known)).max().unwrap();
        known.insert(self.clone(), value);
        value
    }
}
