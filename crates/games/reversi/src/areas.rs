//! The parts of a board that the static evaluation distinguishes.

use banyan_bits::Bits;

use super::lines::stride;
use super::squares::{area, row_and_column, square_at};

/// The value of a disc by its distance from the nearer edges, row and column: the table of Norvig (1992, Paradigms of
/// Artificial Intelligence Programming, section 18.3) for 8x8. Squares farther inside have the innermost value.
pub(super) const TABLE: [[i16; 4]; 4] = [[120, -20, 20, 5], [-20, -40, -5, -5], [20, -5, 15, 3], [5, -5, 3, 3]];

/// The parts of a board that the evaluation uses.
#[derive(Clone, Debug)]
pub(super) struct Areas<B> {
    /// The squares of each value in the [`TABLE`].
    pub(super) classes: Vec<(B, i32)>,
    /// `[square]`: the value in the [`TABLE`].
    pub(super) square_values: Vec<i16>,
    corners: B,
    /// Each corner with its neighbours, which are bad while it is empty.
    pub(super) corner_neighbours: [(B, CornerNeighbours<B>); 4],
    edges: B,
    /// All squares except the first column, and except the last: the targets of steps to the right and to the left.
    past_first_column: B,
    before_last_column: B,
}

/// The neighbours of a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct CornerNeighbours<B> {
    /// Across.
    pub(super) diagonal: B,
    /// Along the edges.
    pub(super) beside: B,
}

impl<B: Bits> Areas<B> {
    pub(super) fn new(rows: u32, columns: u32) -> Areas<B> {
        let board: B = area(0..rows, 0..columns);
        let from_edge = |at: u32, size: u32| at.min(size - 1 - at).min(3) as usize;
        let table_value = |square: u32| {
            let (row, column) = row_and_column::<B>(square);
            TABLE[from_edge(row, rows)][from_edge(column, columns)]
        };
        let square_values: Vec<i16> =
            (0..B::WIDTH).map(|square| if board.has(square) { table_value(square) } else { 0 }).collect();
        let mut classes: Vec<(B, i32)> = Vec::new();
        for square in board.ones() {
            let (single, value) = (B::single(square), i32::from(square_values[square as usize]));
            match classes.iter_mut().find(|(_, known)| *known == value) {
                Some((squares, _)) => *squares = squares.or(single),
                None => classes.push((single, value)),
            }
        }
        let corner_neighbours =
            [(0, 0), (0, columns - 1), (rows - 1, 0), (rows - 1, columns - 1)].map(|(row, column)| {
                let corner = B::single(square_at::<B>(row, column));
                let (inner_row, inner_column) = (row.clamp(1, rows - 2), column.clamp(1, columns - 2));
                let diagonal = B::single(square_at::<B>(inner_row, inner_column));
                let along = |row, column| B::single(square_at::<B>(row, column));
                (corner, CornerNeighbours { diagonal, beside: along(row, inner_column).or(along(inner_row, column)) })
            });
        Areas {
            classes,
            square_values,
            corners: corner_neighbours.iter().fold(B::EMPTY, |set, &(corner, _)| set.or(corner)),
            corner_neighbours,
            edges: board.and_not(area(1..rows - 1, 1..columns - 1)),
            past_first_column: area(0..rows, 1..columns),
            before_last_column: area(0..rows, 0..columns - 1),
        }
    }

    /// The corners of the board.
    pub(super) fn corners(&self) -> B {
        self.corners
    }

    /// The neighbours of a corner; those of no corner for another square.
    pub(super) fn neighbours_of(&self, corner: u32) -> CornerNeighbours<B> {
        let found = self.corner_neighbours.iter().find(|(square, _)| square.has(corner));
        found.map_or(CornerNeighbours { diagonal: B::EMPTY, beside: B::EMPTY }, |&(_, neighbours)| neighbours)
    }

    /// The squares of `set` and those left and right of them.
    #[inline(always)]
    fn widened(&self, set: B) -> B {
        set.or(set.up(1).and(self.past_first_column)).or(set.down(1).and(self.before_last_column))
    }

    /// The squares of `set` and their neighbours, possibly with bits beyond the last row.
    #[inline(always)]
    pub(super) fn around(&self, set: B) -> B {
        let row = self.widened(set);
        row.or(row.up(stride::<B>())).or(row.down(stride::<B>()))
    }

    /// The discs connected to an own corner along an edge without a gap.
    #[inline(always)]
    pub(super) fn anchored(&self, discs: B) -> B {
        let on_edge = discs.and(self.edges);
        let mut run = on_edge.and(self.corners);
        loop {
            let beside = self.widened(run).or(run.up(stride::<B>())).or(run.down(stride::<B>()));
            let longer = beside.and(on_edge);
            if longer == run {
                return run;
            }
            run = longer;
        }
    }
}
