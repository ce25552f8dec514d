//! The patterns, their images on the board and the numbering of their contents.
//!
//! The contents of a pattern are a number to base 3 with a digit for each square, in the order of the bits: 0 empty, 1 own, 2 of
//! the other side.

use std::sync::LazyLock;

use super::Board;

/// Stages by the number of discs: four plies each, an even number, so that each has positions with odd and even numbers of empty
/// squares alike. The first also covers the four plies before it: training games begin with four random plies or more, which are not
/// learned from.
pub(super) const STAGES: usize = 14;
const STAGE_PLIES: u32 = 4;

/// A group of squares.
pub(super) struct Pattern {
    /// Its squares.
    pub(super) squares: u64,
    /// Its number of squares.
    n_squares: usize,
    /// The reflection of the board that maps it onto itself.
    reflection: Reflection,
    /// The rotations of the board that give different images: all four, or two.
    pub(super) images: usize,
}

/// A reflection of the board.
#[derive(Clone, Copy)]
enum Reflection {
    /// The first column becomes the last.
    Columns,
    /// In the diagonal from a1 to h8.
    Falling,
    /// In the diagonal from a8 to h1.
    Rising,
}

/// The first twelve are those that Edax uses (R. Delorme; the list is in the field's literature since Buro 1997, Logistello), the
/// last three are shapes of Egaroucid (T. Yamana). Learned from the same 104,665 games, all fifteen have a mean error of 3.98 discs
/// on validation positions, the first twelve 4.04.
pub(super) const PATTERNS: [Pattern; 15] = [
    // The corner.
    Pattern::new(b"a1b1c1a2b2c2a3b3c3", Reflection::Falling, 4),
    // The corner with both edges and the square diagonal to it.
    Pattern::new(b"a1b1c1d1e1a2a3a4a5b2", Reflection::Falling, 4),
    // The edge with the squares diagonal to its corners.
    Pattern::new(b"a1b1c1d1e1f1g1h1b2g2", Reflection::Columns, 4),
    // The corners of an edge, and two by four squares between.
    Pattern::new(b"a1c1d1e1f1h1c2d2e2f2", Reflection::Columns, 4),
    // Lines.
    Pattern::new(b"a2b2c2d2e2f2g2h2", Reflection::Columns, 4),
    Pattern::new(b"a3b3c3d3e3f3g3h3", Reflection::Columns, 4),
    Pattern::new(b"a4b4c4d4e4f4g4h4", Reflection::Columns, 4),
    // Diagonals.
    Pattern::new(b"a1b2c3d4e5f6g7h8", Reflection::Rising, 2),
    Pattern::new(b"b1c2d3e4f5g6h7", Reflection::Rising, 4),
    Pattern::new(b"c1d2e3f4g5h6", Reflection::Rising, 4),
    Pattern::new(b"d1e2f3g4h5", Reflection::Rising, 4),
    Pattern::new(b"e1f2g3h4", Reflection::Rising, 4),
    // The triangle of a corner.
    Pattern::new(b"a1b1c1d1a2b2c2a3b3a4", Reflection::Falling, 4),
    // The corner with the lines beside both edges.
    Pattern::new(b"a1b1a2b2c2d2e2b3b4b5", Reflection::Falling, 4),
    // Three diagonals from a corner.
    Pattern::new(b"a1b2c3d4b1c2d3a2b3c4", Reflection::Falling, 4),
];

/// `[pattern]`: the number of the first contents.
const OFFSETS: [usize; PATTERNS.len()] = {
    let (mut offsets, mut i) = ([0; PATTERNS.len()], 1);
    while i < PATTERNS.len() {
        offsets[i] = offsets[i - 1] + PATTERNS[i - 1].n_contents();
        i += 1;
    }
    offsets
};

/// The number of contents of all patterns.
pub(super) const N_CONTENTS: usize = OFFSETS[PATTERNS.len() - 1] + PATTERNS[PATTERNS.len() - 1].n_contents();

/// The number of contents where reflections count as one.
pub(super) const PACKED_EXTRAS: usize = {
    let (mut n, mut i) = (0, 0);
    while i < PATTERNS.len() {
        // A reflection keeps the contents whose squares are equal in each pair that it exchanges.
        n += (PATTERNS[i].n_contents() + 3usize.pow(PATTERNS[i].n_orbits())) / 2;
        i += 1;
    }
    n
};

/// Numbers of placements that have separate weights; larger numbers share the weight of the largest.
pub(super) const MOBILITIES: usize = 32;

/// The weights of a stage: of contents, of the mobility of either side, and of the plies modulo four.
pub(super) const STAGE_WEIGHTS: usize = PACKED_EXTRAS + 2 * MOBILITIES + STAGE_PLIES as usize;

/// `[number of contents]`: its number where reflections count as one.
pub(super) static PACKED: LazyLock<Box<[u32]>> = LazyLock::new(|| {
    let mut packed = Vec::with_capacity(N_CONTENTS);
    let mut n = 0;
    for pattern in &PATTERNS {
        let first = packed.len();
        let reflection = pattern.reflection();
        for contents in 0..pattern.n_contents() {
            let reflected = reflection(contents);
            if reflected < contents {
                packed.push(packed[first + reflected]);
            } else {
                packed.push(n);
                n += 1;
            }
        }
    }
    packed.into()
});

/// `[bits]`: the number to base 3 with the same digits.
pub(crate) static TERNARY: [u16; 1 << 10] = {
    let (mut numbers, mut bits) = ([0; 1 << 10], 1);
    while bits < numbers.len() {
        numbers[bits] = 3 * numbers[bits / 2] + (bits % 2) as u16;
        bits += 1;
    }
    numbers
};

impl Pattern {
    const fn new(squares: &[u8], reflection: Reflection, images: usize) -> Pattern {
        let (mut set, mut i) = (0, 0);
        while i < squares.len() {
            set |= 1 << ((squares[i + 1] - b'1') * 8 + squares[i] - b'a');
            i += 2;
        }
        Pattern { squares: set, n_squares: squares.len() / 2, reflection, images }
    }

    const fn n_contents(&self) -> usize {
        3usize.pow(self.n_squares as u32)
    }

    /// Squares of which none is the reflection of another.
    const fn n_orbits(&self) -> u32 {
        let (mut n, mut square) = (0, 0);
        while square < 64 {
            if self.squares >> square & 1 == 1 && self.reflection.of(square) >= square {
                n += 1;
            }
            square += 1;
        }
        n
    }

    /// Reflects contents.
    fn reflection(&self) -> impl Fn(usize) -> usize {
        let squares = (0..64).filter(|&square| self.squares >> square & 1 == 1);
        let place = |square: u32| (self.squares & ((1 << square) - 1)).count_ones();
        let powers: Vec<usize> = squares.map(|square| 3usize.pow(place(self.reflection.of(square)))).collect();
        move |contents| powers.iter().fold((0, contents), |(sum, rest), power| (sum + rest % 3 * power, rest / 3)).0
    }
}

impl Reflection {
    const fn of(self, square: u32) -> u32 {
        let (row, column) = (square / 8, square % 8);
        match self {
            Reflection::Columns => row * 8 + 7 - column,
            Reflection::Falling => column * 8 + row,
            Reflection::Rising => (7 - column) * 8 + 7 - row,
        }
    }
}

/// The stage, and the plies modulo four.
#[inline(always)]
pub(super) fn stage(board: Board) -> (usize, usize) {
    // Four discs are there from the start; a full board is not evaluated.
    let placed = (board.own | board.other).count_ones().saturating_sub(4).min((STAGES as u32 + 1) * STAGE_PLIES - 1);
    ((placed / STAGE_PLIES).saturating_sub(1) as usize, (placed % STAGE_PLIES) as usize)
}

/// The images of all patterns.
pub(super) const IMAGES: usize = {
    let (mut n, mut i) = (0, 0);
    while i < PATTERNS.len() {
        n += PATTERNS[i].images;
        i += 1;
    }
    n
};

/// `[image]`: the number of its first contents.
pub(super) const FIRST: [usize; IMAGES] = {
    let (mut first, mut pattern, mut i) = ([0; IMAGES], 0, 0);
    while pattern < PATTERNS.len() {
        let mut n = PATTERNS[pattern].images;
        while n > 0 {
            first[i] = OFFSETS[pattern];
            (i, n) = (i + 1, n - 1);
        }
        pattern += 1;
    }
    first
};

/// The value of the digit of a square in the contents of an image; 0 if the square is not in it.
pub(super) fn digit(image: usize, square: u32) -> u16 {
    let mut images = PATTERNS.iter().flat_map(|pattern| (0..pattern.images).map(move |turns| (pattern, turns)));
    let (pattern, turns) = images.nth(image).expect("an image");
    let turned = rotations(1 << square)[turns];
    if pattern.squares & turned == 0 { 0 } else { 3u16.pow((pattern.squares & (turned - 1)).count_ones()) }
}

/// Calls `count` with the numbers of the further features of a stage.
#[inline(always)]
pub(super) fn extras(board: Board, ply: usize, mut count: impl FnMut(usize)) {
    let [own, other] = board.mobility.map(|n| (n as usize).min(MOBILITIES - 1));
    count(own);
    count(MOBILITIES + other);
    count(2 * MOBILITIES + ply);
}

/// The board and its rotations: the second has the rows as columns.
pub(super) fn rotations(discs: u64) -> [u64; 4] {
    let turned = transposed(discs).swap_bytes();
    [discs, turned, discs.reverse_bits(), turned.reverse_bits()]
}

/// Reflected in the diagonal from a1 to h8 (Warren 2013, Hacker's Delight, section 7-3).
fn transposed(mut discs: u64) -> u64 {
    for (shift, mask) in [(28, 0x0000_0000_f0f0_f0f0), (14, 0x0000_cccc_0000_cccc), (7, 0x00aa_00aa_00aa_00aa)] {
        let swapped = (discs ^ (discs >> shift)) & mask;
        discs ^= swapped ^ (swapped << shift);
    }
    discs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_as_many_as_published() {
        // Edax has 114,364 a stage, one of them a constant.
        let n_images = |patterns: &[Pattern]| patterns.iter().map(|pattern| pattern.images).sum::<usize>();
        assert_eq!((n_images(&PATTERNS[..12]), PACKED[OFFSETS[12]]), (46, 114_363));
        assert_eq!(n_images(&PATTERNS), 58);
        assert_eq!(PACKED.iter().max(), Some(&(PACKED_EXTRAS as u32 - 1)));
    }

    #[test]
    fn reflections_keep_their_patterns() {
        for pattern in &PATTERNS {
            let squares = (0..64).filter(|&square| pattern.squares >> square & 1 == 1);
            assert!(squares.clone().all(|square| pattern.squares >> pattern.reflection.of(square) & 1 == 1));
            assert_eq!(squares.count(), pattern.n_squares);
            let reflection = pattern.reflection();
            for contents in 0..pattern.n_contents() {
                assert_eq!(reflection(reflection(contents)), contents);
            }
        }
    }

    #[test]
    fn rotations_turn_the_board() {
        for square in 0..64 {
            let (row, column) = (square / 8, square % 8);
            let of = |row: u32, column: u32| 1u64 << (8 * row + column);
            assert_eq!(transposed(1 << square), of(column, row));
            let turned = rotations(1 << square);
            assert_eq!(turned, [of(row, column), of(7 - column, row), of(7 - row, 7 - column), of(column, 7 - row)]);
        }
    }
}
