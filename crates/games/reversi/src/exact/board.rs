//! The solver's tables of a board: lines, neighbours, quadrants, stable discs.

use std::array::from_fn;

use banyan_bits::cpu::gather_bits;

use crate::lines::Lines;
use crate::squares::{area, row_and_column};
use crate::{Counting, Shape};

/// No move was found; less than any margin.
pub(super) const NONE: i32 = i32::MIN;

/// Squares of a word.
const WORD: usize = u64::BITS as usize;
/// Shift of one step along each axis: row, rising diagonal, column, falling diagonal.
const STEPS: [u32; 4] = [1, 7, 8, 9];

/// A board of at most eight rows and columns.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) shape: Shape,
    /// Every square.
    pub(super) all: u64,
    /// Their number.
    pub(super) n_squares: i32,
    lines: Lines<u64>,
    /// `[square]`: per axis its line, the square included.
    through: Box<[[u64; 4]; WORD]>,
    /// `[square]`: per axis its place in its line.
    places: Box<[[u8; 4]; WORD]>,
    /// `[place in a line][discs of the line]`: the number of discs that a disc there turns, if all other squares are the opponent's.
    turned_alone: Box<[[u8; 256]; 8]>,
    /// Per axis the squares at the end of a line.
    ends: [u64; 4],
    /// `[square]`: the squares around it.
    pub(super) neighbours: [u64; WORD],
    /// `[square]`: the bit of its quarter of the board.
    pub(super) quadrant: [u8; WORD],
    /// The squares of each quarter.
    quadrants: [u64; 4],
    pub(super) corners: u64,
    /// `[square]`: the value of a disc there for move ordering; larger is better.
    pub(super) value: [i8; WORD],
}

impl Board {
    pub(super) fn new(shape: Shape) -> Board {
        let (rows, columns) = (shape.rows(), shape.columns());
        let all: u64 = area(0..rows, 0..columns);
        let lines = Lines::new(all, area(0..rows, 1..columns - 1));
        let through: Box<[[u64; 4]; WORD]> = Box::new(from_fn(|square| lines.through(square as u32)));
        let squares = || (0..WORD as u32).filter(move |&square| all >> square & 1 == 1);
        let ends = from_fn(|axis| {
            let is_end = |&square: &u32| {
                let line = through[square as usize][axis];
                line.trailing_zeros() == square || line.ilog2() == square
            };
            squares().filter(is_end).fold(0, |set, square| set | 1 << square)
        });
        let quarter = |square: u32| {
            let (row, column) = row_and_column::<u64>(square);
            usize::from(row >= rows / 2) * 2 + usize::from(column >= columns / 2)
        };
        let quadrants =
            from_fn(|i| squares().filter(|&square| quarter(square) == i).fold(0, |set, square| set | 1 << square));
        let value = from_fn(|square| {
            let (row, column) = row_and_column::<u64>(square as u32);
            let inside = |at: u32, size: u32| at.min((size - 1).saturating_sub(at)).min(3) as usize;
            VALUES[inside(row, rows)][inside(column, columns)]
        });
        Board {
            shape,
            all,
            n_squares: all.count_ones() as i32,
            lines,
            places: Box::new(from_fn(|square| through[square].map(|line| place_in(line, square)))),
            through,
            turned_alone: Box::new(from_fn(|place| from_fn(|discs| turned_in_line(place, discs)))),
            ends,
            neighbours: from_fn(|square| around(1 << square) & all),
            quadrant: from_fn(|square| 1 << quarter(square as u32)),
            quadrants,
            corners: ends.iter().fold(all, |set, ends| set & ends),
            value,
        }
    }

    /// The squares where `own` may place a disc.
    #[inline(always)]
    pub(super) fn placements(&self, own: u64, other: u64) -> u64 {
        self.lines.opponent_runs(own, other).placements(self.all & !(own | other))
    }

    /// The discs of `other` that a disc of `own` on the empty `square` turns.
    #[inline(always)]
    pub(super) fn turned(&self, own: u64, other: u64, square: u32) -> u64 {
        self.lines.turned_by(own, other, square)
    }

    /// The number of discs of the other side that a disc of `own` on `square`, the only empty one, turns.
    #[inline(always)]
    pub(super) fn n_turned_last(&self, own: u64, square: u32) -> u32 {
        let square = square as usize & (WORD - 1);
        let (lines, places) = (&self.through[square], &self.places[square]);
        let along = |axis: usize| {
            let discs = gather_bits(own, lines[axis]) as usize & 255;
            u32::from(self.turned_alone[usize::from(places[axis] & 7)][discs])
        };
        along(0) + along(1) + along(2) + along(3)
    }

    /// The quarters with an odd number of empty squares.
    #[inline(always)]
    pub(super) fn odd_quadrants(&self, empty: u64) -> u64 {
        let odd = |quadrant: u64| if (empty & quadrant).count_ones() % 2 == 1 { quadrant } else { 0 };
        self.quadrants.iter().fold(0, |set, &quadrant| set | odd(quadrant))
    }

    /// The empty squares beside a disc of `discs`.
    #[inline(always)]
    pub(super) fn beside(&self, discs: u64, empty: u64) -> u64 {
        around(discs) & empty
    }

    /// Discs of `own` that can never be turned: along each axis they are in a full line, at its end, or beside a stable disc of the
    /// same side. Others may be stable too.
    #[inline]
    pub(super) fn stable(&self, own: u64, other: u64) -> u64 {
        let mut unfilled = [0u64; 4];
        let mut empty = self.all & !(own | other);
        while empty != 0 {
            let lines = &self.through[empty.trailing_zeros() as usize];
            unfilled = from_fn(|axis| unfilled[axis] | lines[axis]);
            empty &= empty - 1;
        }
        let safe: [u64; 4] = from_fn(|axis| self.ends[axis] | !unfilled[axis]);
        let mut stable = own & safe[0] & safe[1] & safe[2] & safe[3];
        loop {
            // A bit that a shift carries into another row lands on the end of a line there.
            let beside: [u64; 4] = from_fn(|axis| safe[axis] | stable << STEPS[axis] | stable >> STEPS[axis]);
            let more = own & beside[0] & beside[1] & beside[2] & beside[3];
            if more == stable {
                return stable;
            }
            stable = more;
        }
    }

    /// The margin of a finished game for `own`.
    #[inline(always)]
    pub(super) fn final_margin(&self, own: u64, other: u64) -> i32 {
        let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
        let difference = own - other;
        match self.shape.counting() {
            Counting::Discs => difference,
            Counting::WinnerTakesEmpties => difference + difference.signum() * (self.n_squares - own - other),
        }
    }
}

/// The place of a square in its line.
fn place_in(line: u64, square: usize) -> u8 {
    (line & ((1 << square) - 1)).count_ones() as u8
}

/// The squares of a set and those around them, possibly beyond the board.
#[inline(always)]
fn around(set: u64) -> u64 {
    // Neighbours across the border of a word's rows are no neighbours.
    let row = set | (set & !FIRST_COLUMN) >> 1 | (set & !LAST_COLUMN) << 1;
    row | row << 8 | row >> 8
}

/// See [`Board::turned_alone`]; of the discs of a shorter line the last bits are missing.
fn turned_in_line(place: usize, discs: usize) -> u8 {
    let discs = discs & !(1 << place);
    let after = discs >> place >> 1;
    let ahead = if after == 0 { 0 } else { after.trailing_zeros() };
    let before = discs & ((1 << place) - 1);
    let behind = if before == 0 { 0 } else { place as u32 - 1 - before.ilog2() };
    (ahead + behind) as u8
}

/// The squares that share an edge with one of the set, possibly beyond the board.
#[inline(always)]
pub(super) fn next_to(set: u64) -> u64 {
    (set & !FIRST_COLUMN) >> 1 | (set & !LAST_COLUMN) << 1 | set << 8 | set >> 8
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

/// By the distances from the nearer edges: corners first, squares beside them last. Guess.
const VALUES: [[i8; 4]; 4] = [[9, 2, 8, 6], [2, 0, 3, 4], [8, 3, 7, 5], [6, 4, 5, 0]];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reversi;
    use banyan_core::{Game, Rng, random_move};

    /// Positions of random games on several boards, with the board.
    fn positions() -> Vec<(Reversi<u64>, Board, Vec<crate::State<u64>>)> {
        let mut rng = Rng::new(5);
        ["8x8", "6x6", "4x8", "8x6"]
            .map(|options| {
                let shape = Shape::parse(options).expect("a board");
                let game = Reversi::<u64>::new(shape);
                let (mut states, mut state) = (Vec::new(), game.start());
                while states.len() < 600 {
                    if game.result(&state).is_some() {
                        state = game.start();
                    }
                    states.push(state);
                    let mv = random_move(&game, &state, &mut rng, &mut Vec::new());
                    game.play(&mut state, mv);
                }
                (game, Board::new(shape), states)
            })
            .into()
    }

    #[test]
    fn turned_discs_are_those_of_the_rules() {
        for (game, board, states) in positions() {
            for state in states {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves);
                assert_eq!(board.placements(state.own, state.other), state.placements);
                for mv in moves.into_iter().filter(|&mv| mv != crate::Place::PASS) {
                    let mut next = state;
                    game.play(&mut next, mv);
                    let turned = board.turned(state.own, state.other, mv.0.into());
                    assert_eq!(state.other ^ turned, next.own);
                    assert!(board.neighbours[usize::from(mv.0)] & state.other != 0);
                }
            }
        }
    }

    #[test]
    fn the_last_disc_turns_as_many_as_the_rules_say() {
        let mut rng = Rng::new(9);
        for (_, board, _) in positions() {
            for _ in 0..2000 {
                let square = rng.below(64);
                if board.all >> square & 1 == 0 {
                    continue;
                }
                let own = rng.next_u64() & board.all & !(1 << square);
                let other = board.all & !own & !(1 << square);
                assert_eq!(board.n_turned_last(own, square), board.turned(own, other, square).count_ones());
            }
        }
    }

    #[test]
    fn stable_discs_are_never_turned() {
        let mut rng = Rng::new(13);
        let mut n_stable = 0;
        for (game, board, states) in positions() {
            for state in states {
                let stable = board.stable(state.own, state.other);
                assert!(stable & !state.own == 0);
                n_stable += stable.count_ones();
                let mover = state.to_move;
                for _ in 0..4 {
                    let mut next = state;
                    while game.result(&next).is_none() {
                        let mv = random_move(&game, &next, &mut rng, &mut Vec::new());
                        game.play(&mut next, mv);
                        let own = if next.to_move == mover { next.own } else { next.other };
                        assert!(stable & !own == 0, "a stable disc was turned");
                    }
                }
            }
        }
        assert!(n_stable > 1000, "{n_stable}: hardly any disc was found stable");
    }
}
