//! The contents of all images of all patterns at once, as sums over the rows of the board.

use std::sync::LazyLock;

use banyan_bits::cpu::{SHORTS, U16x16};

use super::Board;
use super::shapes::{FIRST, IMAGES, digit};

/// Vectors for the images of all patterns.
const VECTORS: usize = IMAGES.div_ceil(SHORTS);

/// A number for each image.
type PerImage = [[u16; SHORTS]; VECTORS];

/// `[row][discs]`: what the discs of one side in a row add to the contents of each image, if a disc is the digit 1.
static DIGITS: LazyLock<Box<[[PerImage; 256]; 8]>> = LazyLock::new(|| {
    let per_row = (0..8).flat_map(|row| (0..256).map(move |discs| of_row(row, discs)));
    let rows: Vec<PerImage> = per_row.collect();
    let (rows, _) = rows.as_chunks::<256>();
    rows.to_vec().into_boxed_slice().try_into().expect("eight rows")
});

fn of_row(row: u32, discs: u32) -> PerImage {
    let squares = (0..8).filter(|column| discs >> column & 1 == 1).map(|column| 8 * row + column);
    let mut sums = PerImage::default();
    for square in squares {
        for (image, sum) in sums.as_flattened_mut()[..IMAGES].iter_mut().enumerate() {
            *sum += digit(image, square);
        }
    }
    sums
}

/// Calls `count` with the number of the contents of each image of each pattern. Measured against bits gathered
/// image by image (PEXT): 1.13 times as many positions/s of `pvs`; 1.4 times in WebAssembly.
#[inline(always)]
pub(super) fn contents(board: Board, mut count: impl FnMut(usize)) {
    let digits = &**DIGITS;
    let rows = |discs: u64| {
        let bytes = discs.to_le_bytes();
        std::array::from_fn::<&PerImage, 8, _>(|row| &digits[row][usize::from(bytes[row])])
    };
    let (own, other) = (rows(board.own), rows(board.other));
    for vector in 0..VECTORS {
        let sum = |rows: &[&PerImage; 8]| {
            let [a, b, c, d, e, f, g, h] = rows.map(|row| U16x16::from_array(&row[vector]));
            ((a + b) + (c + d)) + ((e + f) + (g + h))
        };
        let (ones, twos) = (sum(&own), sum(&other));
        let contents = (ones + twos + twos).to_array();
        let first = &FIRST[vector * SHORTS..];
        contents.iter().zip(first).for_each(|(&number, first)| count(first + usize::from(number)));
    }
}
