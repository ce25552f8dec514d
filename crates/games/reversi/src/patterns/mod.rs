//! The pattern evaluation of the 8x8 board: a sum of learned weights, one for the contents of each of 58 groups of squares.
//!
//! A group is an image of one of fifteen patterns; images share their weights, reflected ones included. Contents are seen by
//! the side to move. The game is divided into stages by the number of discs, and each stage has separate weights.

mod features;
mod rows;
mod shapes;

use std::sync::OnceLock;

use banyan_core::FINE;
use banyan_inference::WeightFile;

pub use features::PatternFeatures;
use rows::contents;
pub(crate) use shapes::TERNARY;
use shapes::{N_CONTENTS, PACKED, PACKED_EXTRAS, STAGE_WEIGHTS, STAGES, extras, stage};

/// The weights of the game, as `banyan train reversi` writes them; docs/training.md describes how they were trained.
static FITTED: PatternWeights =
    PatternWeights { numbers: Numbers::Fitted, stages: [const { OnceLock::new() }; STAGES] };

/// Their file.
pub(crate) static WEIGHTS: WeightFile =
    WeightFile::new("reversi-patterns.weights", 2 * STAGES * STAGE_WEIGHTS, 0x54b8_e34e_7c0e_2b5d, EMBEDDED);

#[cfg(feature = "embedded-weights")]
const EMBEDDED: Option<&[u8]> = Some(include_bytes!("patterns.bin"));
#[cfg(not(feature = "embedded-weights"))]
const EMBEDDED: Option<&[u8]> = None;

/// Units of a weight in a disc.
pub const PATTERN_UNIT: i32 = 256;
/// Units of a weight in 1 / [`FINE`] disc.
const UNITS_PER_FINE: i32 = PATTERN_UNIT / FINE;
/// Largest evaluation: every disc of the board.
const MOST: i32 = 64 * FINE;

/// A position of the 8x8 board, as the evaluation sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// Discs of the side to move and of the other side; bit `8 * row + column`.
    pub(super) own: u64,
    pub(super) other: u64,
    /// The numbers of squares on which either side could place a disc if it were to move.
    pub(super) mobility: [u32; 2],
}

/// Weights of the pattern evaluation.
#[derive(Clone)]
pub struct PatternWeights {
    numbers: Numbers,
    /// Laid out for speed, 0.8 megabytes each: `[number of contents]`, where images and reflections have copies of the same weight.
    /// Made when a position of the stage is first evaluated, because a search meets only a few stages.
    stages: [OnceLock<Box<[i16; STAGE]>>; STAGES],
}

/// Weights in the order of [`PatternFeatures`].
#[derive(Clone)]
enum Numbers {
    /// Those of the game: 16 bits each, little-endian.
    Fitted,
    Own(Vec<i16>),
}

impl Numbers {
    /// The weights of a stage.
    fn of_stage(&self, stage: usize) -> Vec<i16> {
        match self {
            Numbers::Fitted => {
                let (numbers, _) = WEIGHTS.bytes().as_chunks();
                numbers[stage * STAGE_WEIGHTS..][..STAGE_WEIGHTS].iter().copied().map(i16::from_le_bytes).collect()
            }
            Numbers::Own(numbers) => numbers[stage * STAGE_WEIGHTS..][..STAGE_WEIGHTS].to_vec(),
        }
    }
}

/// The laid out weights of a stage: of all contents, and of the other features.
const STAGE: usize = N_CONTENTS + STAGE_WEIGHTS - PACKED_EXTRAS;

impl PatternWeights {
    /// Those of the game.
    #[inline]
    pub(super) fn fitted() -> &'static PatternWeights {
        &FITTED
    }

    /// Weights in the order of [`PatternFeatures`], in 1 / [`PATTERN_UNIT`] disc; `None` if the number of weights is wrong.
    pub fn new(weights: &[i16]) -> Option<PatternWeights> {
        let is_complete = weights.len() == STAGES * STAGE_WEIGHTS;
        is_complete.then(|| PatternWeights { numbers: Numbers::Own(weights.to_vec()), stages: Default::default() })
    }

    #[cold]
    #[inline(never)]
    fn laid_out(&self, stage: usize) -> Box<[i16; STAGE]> {
        let packed = self.numbers.of_stage(stage);
        let contents = PACKED.iter().map(|&number| packed[number as usize]);
        contents
            .chain(packed[PACKED_EXTRAS..].iter().copied())
            .collect::<Box<[i16]>>()
            .try_into()
            .expect("as many as there are")
    }

    /// The expected final margin of the side to move, in 1 / [`FINE`] discs.
    #[inline]
    pub(super) fn eval(&self, board: Board) -> i32 {
        let (stage, ply) = stage(board);
        let weights = self.stages[stage].get_or_init(|| self.laid_out(stage));
        let mut sum = 0;
        contents(board, |number| sum += i32::from(weights[number]));
        extras(board, ply, |number| sum += i32::from(weights[N_CONTENTS + number]));
        (sum / UNITS_PER_FINE).clamp(-MOST, MOST)
    }
}

impl std::fmt::Debug for PatternWeights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whose = match self.numbers {
            Numbers::Fitted => "of the game",
            Numbers::Own(_) => "own",
        };
        write!(f, "PatternWeights({} weights, {whose})", STAGES * STAGE_WEIGHTS)
    }
}

#[cfg(test)]
mod tests;
