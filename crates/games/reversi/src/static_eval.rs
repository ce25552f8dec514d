//! Static evaluation: squares, mobility and stable discs.

use banyan_bits::Bits;
use banyan_core::FINE;

use super::lines::stride;
use super::symmetry::{area, row_and_column, square_at};
use super::{Place, Reversi, State};

/// The value of a disc by its distance from the nearer edges, row and column: the table of Norvig (1992, Paradigms of
/// Artificial Intelligence Programming, section 18.3) for 8x8. Squares farther inside have the innermost value.
const TABLE: [[i16; 4]; 4] = [[120, -20, 20, 5], [-20, -40, -5, -5], [20, -5, 15, 3], [5, -5, 3, 3]];

/// A weight in 1 / [`FINE`] discs: its value at the start of the game, and its linear increase to the end.
///
/// Tuned by linear regression on the final margins of 39 000 positions of self-play between Monte Carlo searches of 500
/// playouts on 8x8. The regression has -29 + 89 for mobility; the value below was the best of three variants tried,
/// with 65 % of 120 games against the regression in searches of depth 4 (standard error 4 %, and biased upwards by the
/// choice). The other weights are those of the regression, rounded. Other sizes use the same numbers (guess, untuned).
struct Weight(i32, i32);

/// Per point of the [`TABLE`].
const SQUARES: Weight = Weight(5, -5);
/// Per move that the mover has more than the other side.
const MOBILITY: Weight = Weight(13, 51);
/// Per empty square beside an enemy disc, which may become a move. Contrary to the literature, more of them are worse,
/// both in the regression and in games of depth 3 (67 % of 120 for -0.5 discs each against 0, 80 % against +0.5); the
/// reason is not known.
const OUTSIDE: Weight = Weight(-29, -14);
/// Per disc along an edge that is connected to an own corner without a gap, and so is stable.
const ANCHORED: Weight = Weight(95, -40);
/// For the right to move.
const TEMPO: Weight = Weight(-92, 103);
/// Per disc, from three quarters of the game on.
const DISCS: Weight = Weight(0, 39);

/// See [`Knowledge::eval_scale`](banyan_core::Knowledge::eval_scale): 13 discs of 64, by logistic regression of the results
/// of the same positions.
const SCALE: i32 = 13 * FINE / 64;

/// Steps into which the game is divided for the weights.
const PHASES: i32 = 64;

impl Weight {
    #[inline(always)]
    fn at(&self, phase: i32) -> i32 {
        PHASES * self.0 + phase * self.1
    }
}

/// The parts of a board that the evaluation uses.
#[derive(Clone, Debug)]
pub(super) struct Areas<B> {
    /// The squares of each value in the [`TABLE`].
    classes: Vec<(B, i32)>,
    /// `[square]`: the value in the [`TABLE`].
    square_values: Vec<i16>,
    corners: B,
    /// Each corner with its neighbours, which are bad while it is empty.
    corner_neighbours: [(B, CornerNeighbours<B>); 4],
    edges: B,
    /// All squares except the first column, and except the last: the targets of steps to the right and to the left.
    past_first_column: B,
    before_last_column: B,
}

/// The neighbours of a corner.
#[derive(Clone, Copy, Debug)]
struct CornerNeighbours<B> {
    /// Across.
    diagonal: B,
    /// Along the edges.
    beside: B,
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

    /// The squares of `set` and those left and right of them.
    #[inline(always)]
    fn widened(&self, set: B) -> B {
        set.or(set.up(1).and(self.past_first_column)).or(set.down(1).and(self.before_last_column))
    }

    /// The squares of `set` and their neighbours, possibly with bits beyond the last row.
    #[inline(always)]
    fn around(&self, set: B) -> B {
        let row = self.widened(set);
        row.or(row.up(stride::<B>())).or(row.down(stride::<B>()))
    }

    /// The discs connected to an own corner along an edge without a gap.
    #[inline(always)]
    fn anchored(&self, discs: B) -> B {
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

impl<B: Bits> Reversi<B> {
    /// The static evaluation for the side to move, in 1 / [`FINE`] discs of final margin.
    pub(super) fn static_points(&self, state: &State<B>) -> i32 {
        let (own, other) = (state.own, state.other);
        let empty = self.empty(own, other);
        let difference = |a: B, b: B| a.count() as i32 - b.count() as i32;
        let areas = &self.areas;
        let squares = self.shape.squares() as i32;
        let placed = (squares - 4 - empty.count() as i32).max(0);
        let phase = PHASES * placed / (squares - 4);
        let outside = difference(areas.around(other).and(empty), areas.around(own).and(empty));
        let sum = SQUARES.at(phase) * self.table_points(own, other)
            + MOBILITY.at(phase) * difference(state.placements, self.placements(other, own))
            + OUTSIDE.at(phase) * outside
            + ANCHORED.at(phase) * difference(areas.anchored(own), areas.anchored(other))
            + TEMPO.at(phase)
            + DISCS.at((4 * phase - 3 * PHASES).max(0)) * difference(own, other);
        (sum / PHASES).clamp(-squares * FINE, squares * FINE)
    }

    /// The table values of the mover's discs minus those of the other side's; neighbours of an occupied corner count 0.
    #[inline(always)]
    fn table_points(&self, own: B, other: B) -> i32 {
        let difference = |area: B| own.and(area).count() as i32 - other.and(area).count() as i32;
        let points: i32 = self.areas.classes.iter().map(|&(area, value)| value * difference(area)).sum();
        let [[_, beside, ..], [_, diagonal, ..], ..] = TABLE;
        let taken = self.areas.corner_neighbours.iter().filter(|(corner, _)| !own.or(other).and(*corner).is_empty());
        let corrections = taken.map(|(_, near)| {
            i32::from(diagonal) * difference(near.diagonal) + i32::from(beside) * difference(near.beside)
        });
        points - corrections.sum::<i32>()
    }

    /// Ordering score: few replies first, as solvers order moves (fastest first), then by the table.
    pub(super) fn order_score(&self, mv: Place, after: &State<B>) -> i32 {
        if mv == Place::PASS {
            return 0;
        }
        // A corner outweighs eight replies (guess, untuned).
        i32::from(self.areas.square_values[usize::from(mv.0)]) - 16 * after.placements.count() as i32
    }

    pub(super) fn eval_scale(&self) -> i32 {
        SCALE * self.shape.squares() as i32
    }
}
