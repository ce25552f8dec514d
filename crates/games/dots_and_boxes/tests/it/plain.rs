//! Dots and Boxes in plain arrays, as a reference for the bitboards. It shares no code with them.

/// A board with a flag per line and an owner per box; players are 0 and 1.
#[derive(Clone)]
pub struct Plain {
    pub rows: usize,
    pub columns: usize,
    horizontal: Vec<Vec<bool>>,
    vertical: Vec<Vec<bool>>,
    pub owners: Vec<Vec<Option<usize>>>,
    pub mover: usize,
}

impl Plain {
    pub fn new(rows: usize, columns: usize) -> Plain {
        Plain {
            rows,
            columns,
            horizontal: vec![vec![false; columns]; rows + 1],
            vertical: vec![vec![false; columns + 1]; rows],
            owners: vec![vec![None; columns]; rows],
            mover: 0,
        }
    }

    /// The flag of line `number`: horizontal ones row by row, then vertical ones.
    fn line(&mut self, number: usize) -> &mut bool {
        let lines = self.horizontal.iter_mut().chain(self.vertical.iter_mut());
        lines.flatten().nth(number).expect("the board has that line")
    }

    pub fn legal(&self) -> Vec<usize> {
        let lines = self.horizontal.iter().chain(self.vertical.iter()).flatten();
        lines.enumerate().filter(|(_, drawn)| !**drawn).map(|(number, _)| number).collect()
    }

    pub fn play(&mut self, number: usize) {
        let line = self.line(number);
        assert!(!*line, "line {number} is drawn twice");
        *line = true;
        let mut again = false;
        for row in 0..self.rows {
            for column in 0..self.columns {
                let closed = self.horizontal[row][column]
                    && self.horizontal[row + 1][column]
                    && self.vertical[row][column]
                    && self.vertical[row][column + 1];
                if closed && self.owners[row][column].is_none() {
                    self.owners[row][column] = Some(self.mover);
                    again = true;
                }
            }
        }
        if !again {
            self.mover = 1 - self.mover;
        }
    }

    /// The number of drawn sides of each box, row by row.
    pub fn sides(&self) -> Vec<usize> {
        let box_sides = |row: usize, column: usize| {
            let (above, below) = (self.horizontal[row][column], self.horizontal[row + 1][column]);
            let (left, right) = (self.vertical[row][column], self.vertical[row][column + 1]);
            [above, below, left, right].into_iter().filter(|&drawn| drawn).count()
        };
        let places = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)));
        places.map(|(row, column)| box_sides(row, column)).collect()
    }

    /// Boxes of player 0 minus those of player 1.
    pub fn margin(&self) -> i16 {
        self.owners.iter().flatten().flatten().map(|&owner| 1 - 2 * owner as i16).sum()
    }
}

/// For every set of drawn lines, as bits in the same order, the points of the mover under best play from there on,
/// computed backwards from the full board.
pub fn values(rows: usize, columns: usize) -> Vec<i8> {
    let n_lines = rows * (columns + 1) + columns * (rows + 1);
    let first_vertical = (rows + 1) * columns;
    let boxes: Vec<u32> = (0..rows * columns)
        .map(|i| {
            let (row, column) = (i / columns, i % columns);
            let left = first_vertical + row * (columns + 1) + column;
            1 << i | 1 << (i + columns) | 1 << left | 1 << (left + 1)
        })
        .collect();
    let mut values = vec![0i8; 1 << n_lines];
    for mask in (0..(1u32 << n_lines) - 1).rev() {
        let moves = (0..n_lines).filter(|line| mask >> line & 1 == 0).map(|line| {
            let next = mask | 1 << line;
            let gained = boxes.iter().filter(|&&sides| next & sides == sides && mask & sides != sides).count() as i8;
            let rest = values[next as usize];
            if gained > 0 { gained + rest } else { -rest }
        });
        values[mask as usize] = moves.max().expect("a line is left");
    }
    values
}
