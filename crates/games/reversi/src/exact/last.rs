//! The last four empty squares: no lists, no table.

use super::board::NONE;
use super::search::Search;

impl Search<'_> {
    /// The margin for `own` with four empty squares, by a null window above `alpha`: a lower bound if it is more than
    /// `alpha`, otherwise an upper bound.
    pub(super) fn last_four(&mut self, own: u64, other: u64, alpha: i32, empty: u64) -> i32 {
        let mut squares = [0u32; 4];
        let mut rest = empty;
        for square in &mut squares {
            *square = rest.trailing_zeros();
            rest &= rest - 1;
        }
        // Squares alone in their quarter first, or the odd three.
        let quadrant = squares.map(|square| self.board.quadrant[square as usize]);
        let odd = quadrant[0] ^ quadrant[1] ^ quadrant[2] ^ quadrant[3];
        let mut order = [0u32; 4];
        let mut n = 0;
        for is_odd in [true, false] {
            for i in 0..4 {
                if (quadrant[i] & odd != 0) == is_odd {
                    order[n] = squares[i];
                    n += 1;
                }
            }
        }
        self.four(own, other, alpha, order, false)
    }

    fn four(&mut self, own: u64, other: u64, alpha: i32, squares: [u32; 4], passed: bool) -> i32 {
        self.table.nodes += 1;
        let [a, b, c, d] = squares;
        let mut best = NONE;
        for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            if let Some((own, other)) = self.placed(own, other, square) {
                let value = -self.three(own, other, !alpha, rest, false);
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
        }
        match best {
            NONE if passed => self.board.final_margin(own, other),
            NONE => -self.four(other, own, !alpha, squares, true),
            best => best,
        }
    }

    fn three(&mut self, own: u64, other: u64, alpha: i32, squares: [u32; 3], passed: bool) -> i32 {
        self.table.nodes += 1;
        // The square alone in its quarter first.
        let [a, b, c] = squares;
        let quadrant = |square: u32| self.board.quadrant[square as usize & 63];
        let [a, b, c] = if quadrant(b) == quadrant(c) {
            [a, b, c]
        } else if quadrant(a) == quadrant(c) {
            [b, a, c]
        } else if quadrant(a) == quadrant(b) {
            [c, a, b]
        } else {
            [a, b, c]
        };
        let mut best = NONE;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if let Some((own, other)) = self.placed(own, other, square) {
                let value = -self.two(own, other, !alpha, rest, false);
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
        }
        match best {
            NONE if passed => self.board.final_margin(own, other),
            NONE => -self.three(other, own, !alpha, squares, true),
            best => best,
        }
    }

    fn two(&mut self, own: u64, other: u64, alpha: i32, squares: [u32; 2], passed: bool) -> i32 {
        self.table.nodes += 1;
        let [a, b] = squares;
        let mut best = NONE;
        for (square, rest) in [(a, b), (b, a)] {
            if let Some((own, other)) = self.placed(own, other, square) {
                let value = -self.one(own, other, rest);
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
        }
        match best {
            NONE if passed => self.board.final_margin(own, other),
            NONE => -self.two(other, own, !alpha, squares, true),
            best => best,
        }
    }

    #[inline(always)]
    fn one(&mut self, own: u64, other: u64, square: u32) -> i32 {
        self.table.nodes += 1;
        let discs = own.count_ones() as i32;
        let turned = self.board.n_turned_last(own, square) as i32;
        if turned > 0 {
            return 2 * (discs + turned + 1) - self.board.n_squares;
        }
        let turned = self.board.n_turned_last(other, square) as i32;
        if turned > 0 {
            return 2 * (discs - turned) - self.board.n_squares;
        }
        self.board.final_margin(own, other)
    }

    /// The discs of the other side and of the mover after a disc on `square`; `None` if it turns none.
    #[inline(always)]
    fn placed(&self, own: u64, other: u64, square: u32) -> Option<(u64, u64)> {
        if self.board.neighbours[square as usize & 63] & other == 0 {
            return None;
        }
        let turned = self.board.turned(own, other, square);
        (turned != 0).then_some((other ^ turned, own | turned | 1 << square))
    }
}
