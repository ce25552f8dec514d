//! Board words for Connect Four: lines of four and column access, in addition to [`Bits`].

use banyan_bits::Bits;

/// The distances, in bits, between neighbours along the four directions of a line: up a column, and along a row
/// falling, level and rising.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps(pub(super) [u64; 4]);

impl Steps {
    /// The steps of a board whose columns lie `stride` bits apart.
    pub fn of_stride(stride: u32) -> Steps {
        let stride = u64::from(stride);
        Steps([1, stride - 1, stride, stride + 1])
    }
}

/// A board word that Connect Four can be played on.
pub trait Grid: Bits {
    /// Whether the set has four numbers in arithmetic progression with one of `steps`.
    ///
    /// The loops run over the four directions, innermost, so that one vector of four lanes holds them all where the
    /// processor has such shifts.
    fn has_four(self, steps: &Steps) -> bool;

    /// The numbers that complete four in arithmetic progression with one of `steps`. May contain numbers of the set and
    /// of spare bits.
    ///
    /// Next to such a number lies one of the set whose other neighbour is in the set too, and so is one of the two
    /// numbers two steps from it: each direction takes four shifts of the set and two of the intermediate results.
    fn completions(self, steps: &Steps) -> Self;

    /// The 64 bits from `start` on, as a word; 0 beyond the end.
    fn slice(self, start: u32) -> u64;

    /// The set of the numbers of `slice`, each raised by `start`; numbers out of range are dropped.
    fn from_slice(slice: u64, start: u32) -> Self;
}

impl Grid for u64 {
    #[inline(always)]
    fn has_four(self, steps: &Steps) -> bool {
        let pairs = steps.0.map(|step| self & (self >> step));
        let fours: [u64; 4] = std::array::from_fn(|i| pairs[i] & (pairs[i] >> (2 * steps.0[i])));
        fours.iter().fold(0, |any, four| any | four) != 0
    }

    #[inline(always)]
    fn completions(self, steps: &Steps) -> u64 {
        let found = steps.0.map(|step| {
            let ends = self & (self << (2 * step) | self >> (2 * step));
            (ends & self << step) << step | (ends & self >> step) >> step
        });
        found.iter().fold(0, |all, lane| all | lane)
    }

    #[inline(always)]
    fn slice(self, start: u32) -> u64 {
        self.checked_shr(start).unwrap_or(0)
    }

    #[inline(always)]
    fn from_slice(slice: u64, start: u32) -> u64 {
        slice.checked_shl(start).unwrap_or(0)
    }
}

impl Grid for u128 {
    #[inline(always)]
    fn has_four(self, steps: &Steps) -> bool {
        [self as u64, (self >> 64) as u64].has_four(steps)
    }

    #[inline(always)]
    fn completions(self, steps: &Steps) -> u128 {
        let [low, high] = [self as u64, (self >> 64) as u64].completions(steps);
        u128::from(high) << 64 | u128::from(low)
    }

    #[inline(always)]
    fn slice(self, start: u32) -> u64 {
        self.checked_shr(start).unwrap_or(0) as u64
    }

    #[inline(always)]
    fn from_slice(slice: u64, start: u32) -> u128 {
        u128::from(slice).checked_shl(start).unwrap_or(0)
    }
}

impl<const N: usize> Grid for [u64; N] {
    #[inline(always)]
    fn has_four(self, steps: &Steps) -> bool {
        let mut pairs = [[0; 4]; N];
        for i in 0..N {
            let above = if i + 1 < N { self[i + 1] } else { 0 };
            pairs[i] = steps.0.map(|step| self[i] & (self[i] >> step | above << (64 - step)));
        }
        let mut any = [0; 4];
        for i in 0..N {
            let above = if i + 1 < N { pairs[i + 1] } else { [0; 4] };
            for lane in 0..4 {
                let step = 2 * steps.0[lane];
                any[lane] |= pairs[i][lane] & (pairs[i][lane] >> step | above[lane] << (64 - step));
            }
        }
        any.iter().fold(0, |all, lane| all | lane) != 0
    }

    #[inline(always)]
    fn completions(self, steps: &Steps) -> Self {
        let (mut upper, mut lower) = ([[0; 4]; N], [[0; 4]; N]);
        for i in 0..N {
            let under = if i > 0 { self[i - 1] } else { 0 };
            let over = if i + 1 < N { self[i + 1] } else { 0 };
            for lane in 0..4 {
                let step = steps.0[lane];
                let below = self[i] << step | under >> (64 - step);
                let above = self[i] >> step | over << (64 - step);
                let two_below = self[i] << (2 * step) | under >> (64 - 2 * step);
                let two_above = self[i] >> (2 * step) | over << (64 - 2 * step);
                let ends = self[i] & (two_below | two_above);
                upper[i][lane] = ends & below;
                lower[i][lane] = ends & above;
            }
        }
        let mut cells = [0; N];
        for i in 0..N {
            let under = if i > 0 { upper[i - 1] } else { [0; 4] };
            let over = if i + 1 < N { lower[i + 1] } else { [0; 4] };
            let mut found = [0; 4];
            for lane in 0..4 {
                let step = steps.0[lane];
                found[lane] = upper[i][lane] << step
                    | under[lane] >> (64 - step)
                    | lower[i][lane] >> step
                    | over[lane] << (64 - step);
            }
            cells[i] = found.iter().fold(0, |all, lane| all | lane);
        }
        cells
    }

    #[inline(always)]
    fn slice(self, start: u32) -> u64 {
        let (i, shift) = ((start / 64) as usize, start % 64);
        let word = |i: usize| self.get(i).copied().unwrap_or(0);
        // The two-step shift keeps shift = 0 in range.
        word(i) >> shift | word(i + 1) << 1 << (63 - shift)
    }

    #[inline(always)]
    fn from_slice(slice: u64, start: u32) -> Self {
        let (at, shift) = ((start / 64) as usize, start % 64);
        std::array::from_fn(|i| match i {
            i if i == at => slice << shift,
            i if i == at + 1 => slice >> 1 >> (63 - shift),
            _ => 0,
        })
    }
}
