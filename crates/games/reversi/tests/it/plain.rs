//! Reversi on a plain array, as a reference for the bitboards. It shares no code with them.

/// A board of `+1` (black), `-1` (white) and 0, and the side to move.
#[derive(Clone)]
pub struct PlainReversi {
    rows: i32,
    columns: i32,
    cells: Vec<i32>,
    pub mover: i32,
}

/// Row and column of a placement, or `None` for a pass.
pub type PlainMove = Option<(i32, i32)>;

impl PlainReversi {
    pub fn new(rows: i32, columns: i32) -> PlainReversi {
        let mut plain = PlainReversi { rows, columns, cells: vec![0; (rows * columns) as usize], mover: 1 };
        let (row, column) = (rows / 2 - 1, columns / 2 - 1);
        for (r, c, disc) in [(0, 0, -1), (0, 1, 1), (1, 0, 1), (1, 1, -1)] {
            *plain.cell(row + r, column + c) = disc;
        }
        plain
    }

    fn cell(&mut self, row: i32, column: i32) -> &mut i32 {
        &mut self.cells[(row * self.columns + column) as usize]
    }

    /// The disc there; off the board there is none.
    pub fn disc(&self, row: i32, column: i32) -> i32 {
        let on_board = row >= 0 && row < self.rows && column >= 0 && column < self.columns;
        if on_board { self.cells[(row * self.columns + column) as usize] } else { 0 }
    }

    fn turned(&self, row: i32, column: i32, side: i32) -> Vec<(i32, i32)> {
        let mut all = Vec::new();
        for (dr, dc) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
            let mut line = Vec::new();
            let (mut r, mut c) = (row + dr, column + dc);
            while self.disc(r, c) == -side {
                line.push((r, c));
                r += dr;
                c += dc;
            }
            if self.disc(r, c) == side {
                all.extend(line);
            }
        }
        all
    }

    fn placements(&self, side: i32) -> Vec<PlainMove> {
        let mut found = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                if self.disc(row, column) == 0 && !self.turned(row, column, side).is_empty() {
                    found.push(Some((row, column)));
                }
            }
        }
        found
    }

    /// Row by row from the top left; a pass if only the other side can place; nothing when the game is over.
    pub fn moves(&self) -> Vec<PlainMove> {
        let own = self.placements(self.mover);
        if own.is_empty() && !self.placements(-self.mover).is_empty() { vec![None] } else { own }
    }

    pub fn play(&mut self, mv: PlainMove) {
        let mover = self.mover;
        if let Some((row, column)) = mv {
            for (r, c) in self.turned(row, column, mover) {
                *self.cell(r, c) = mover;
            }
            *self.cell(row, column) = mover;
        }
        self.mover = -mover;
    }

    /// Black's discs, white's discs, empty squares.
    pub fn counts(&self) -> (i32, i32, i32) {
        let count = |disc| self.cells.iter().filter(|&&cell| cell == disc).count() as i32;
        (count(1), count(-1), count(0))
    }

    /// Sequences of exactly `depth` moves, where a finished game may be followed by one more pass.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.moves().is_empty() {
            return u64::from(depth == 1);
        }
        let after = |mv| {
            let mut next = self.clone();
            next.play(mv);
            next
        };
        self.moves().into_iter().map(|mv| after(mv).perft(depth - 1)).sum()
    }
}

/// `f5` or `pass`.
pub fn text(mv: PlainMove) -> String {
    match mv {
        None => "pass".to_owned(),
        Some((row, column)) => format!("{}{}", "abcdefghij".as_bytes()[column as usize] as char, row + 1),
    }
}
