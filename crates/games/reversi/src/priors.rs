//! Priors for PUCT on the 8x8 board: the probability that each move is the best, from the effects of its disc.
//!
//! The features of a move are the contents of the four lines through its square, seen by the side to move; the learned evaluation
//! after the move, compared with that after the best one; the placements of either side then; the discs that it turns; the empty
//! squares beside the own discs; whether the empty squares are odd; and the square itself. They are the rows of a small
//! [network](MoveNetwork), fitted to the visits of searches by `banyan train reversi priors` (experiments/reversi-priors).

use banyan_bits::Bits;
use banyan_bits::cpu::gather_bits;
use banyan_core::{Evaluator, FINE, Leaves, Priors, Rng, Side};
use banyan_inference::{MoveFeatures, MoveNetwork, NETWORK_LANES, WeightFile, network_bytes, network_units};

use super::knowledge::ReversiKnowledge;
use super::patterns::{Board, PatternWeights, TERNARY};
use super::{Place, Reversi, State};

/// The file of the fitted network.
pub(crate) static WEIGHTS: WeightFile =
    WeightFile::new("reversi-priors.weights", network_bytes(FEATURE_ROWS), 0x64f9_b332_4acf_8f20, EMBEDDED);

#[cfg(feature = "embedded-weights")]
const EMBEDDED: Option<&[u8]> = Some(include_bytes!("priors.bin"));
#[cfg(not(feature = "embedded-weights"))]
const EMBEDDED: Option<&[u8]> = None;

/// The fitted network.
fn fitted() -> MoveNetwork<{ network_bytes(FEATURE_ROWS) }> {
    MoveNetwork(WEIGHTS.bytes().try_into().expect("as many bytes as were loaded"))
}

/// Contents of the seven other squares of a line of eight.
const SEVEN: usize = 3usize.pow(7);
/// First rows of lines of eight, parallel to an edge: `[distance from the edge][distance from its end][contents]`, distances up to 3.
const STRAIGHT: usize = 0;
/// First rows of diagonals of three to eight squares: `[length][distance from the end][contents]`.
const DIAGONALS: [usize; 9] = {
    let (mut first, mut length) = ([STRAIGHT + 16 * SEVEN; 9], 4);
    while length < 9 {
        first[length] = first[length - 1] + (length / 2) * 3usize.pow(length as u32 - 2);
        length += 1;
    }
    first
};
/// First rows of the other features: no line, as a diagonal of two squares or one has no room to turn a disc; the square and the
/// phase in sixteenths; the placements of the other side and of the own, the evaluation, the discs turned, parities of empty squares and
/// the empty squares beside the discs of the side that moved, each with the phase in quarters.
const NO_LINE: usize = DIAGONALS[8] + 4 * SEVEN;
const SQUARE: usize = NO_LINE + 1;
const REPLIES: usize = SQUARE + 10 * 16;
const MOVES: usize = REPLIES + PHASES * 32;
const EVAL: usize = MOVES + PHASES * 32;
const TURNED: usize = EVAL + PHASES * LOSSES.len();
const PARITY: usize = TURNED + PHASES * 16;
const FRONTIER: usize = PARITY + PHASES * 4;
const FEATURE_ROWS: usize = FRONTIER + PHASES * 32;

/// Phases of the game that most features distinguish.
const PHASES: usize = 4;
/// Ends of the ranges of the loss of a move against the best one by the learned evaluation, in quarters of a disc.
const LOSSES: [i32; 24] =
    [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 38, 44, 52, 60, 72, 88, 112, i32::MAX];

/// Number of features of a move.
const FEATURES: usize = 11;
/// Largest number of moves of a position with priors: 33 is the largest known from games.
const MOST_MOVES: usize = 40;

/// A line through a square, without the square itself.
#[derive(Clone, Copy)]
struct Line {
    squares: u64,
    /// The row of its first contents.
    first: usize,
    /// Whether the square is nearer to the upper end of the line than to the lower, whose contents are read backwards.
    is_reversed: bool,
    /// Whether it is in the middle, and contents are the same backwards.
    is_central: bool,
}

/// `[square]`: the lines through it.
static LINES: [[Line; 4]; 64] = {
    let (mut lines, mut square) =
        ([[Line { squares: 0, first: NO_LINE, is_reversed: false, is_central: false }; 4]; 64], 0);
    while square < 64 {
        let (row, column) = (square as i32 / 8, square as i32 % 8);
        lines[square] = [
            Line::through(row, column, 0, 1),
            Line::through(row, column, 1, 0),
            Line::through(row, column, 1, 1),
            Line::through(row, column, 1, -1),
        ];
        square += 1;
    }
    lines
};

impl Line {
    const fn through(row: i32, column: i32, down: i32, right: i32) -> Line {
        let (mut squares, mut before, mut behind) = (0, 0, 0);
        let mut step = -7;
        while step < 8 {
            let (row, column) = (row + step * down, column + step * right);
            if step != 0 && row >= 0 && row < 8 && column >= 0 && column < 8 {
                squares |= 1 << (row * 8 + column);
                if step < 0 { before += 1 } else { behind += 1 }
            }
            step += 1;
        }
        let (length, place) = (before + behind + 1, if before < behind { before } else { behind });
        let first = if down == 0 || right == 0 {
            let off = if down == 0 { row } else { column };
            let off = if off < 4 { off } else { 7 - off };
            STRAIGHT + (4 * off as usize + place) * SEVEN
        } else if length < 3 {
            NO_LINE
        } else {
            DIAGONALS[length] + place * 3usize.pow(length as u32 - 1)
        };
        let squares = if first == NO_LINE { 0 } else { squares };
        Line { squares, first, is_reversed: before > behind, is_central: before == behind }
    }

    /// The row of its contents.
    #[inline(always)]
    fn row(&self, own: u64, other: u64) -> usize {
        let [own, other] = [own, other].map(|discs| gather_bits(discs, self.squares) as usize & 0x7f);
        let forward = || TERNARY[own] + 2 * TERNARY[other];
        let backward = || {
            let turned = |bits| usize::from(BACKWARD[self.squares.count_ones() as usize][bits]);
            TERNARY[turned(own)] + 2 * TERNARY[turned(other)]
        };
        let contents = match (self.is_central, self.is_reversed) {
            (true, _) => forward().min(backward()),
            (_, true) => backward(),
            _ => forward(),
        };
        self.first + usize::from(contents)
    }
}

/// `[number of bits][bits]`: the bits in reverse order.
static BACKWARD: [[u8; 1 << 7]; 8] = {
    let (mut all, mut n) = ([[0; 1 << 7]; 8], 1);
    while n < 8 {
        let mut bits = 0;
        while bits < 1 << n {
            all[n][bits] = (bits as u8).reverse_bits() >> (8 - n);
            bits += 1;
        }
        n += 1;
    }
    all
};

/// `[square]`: its number among the ten that differ under the symmetries of the board.
static CLASS: [u8; 64] = {
    let (mut classes, mut square) = ([0; 64], 0);
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let (row, column) = (if row < 4 { row } else { 7 - row }, if column < 4 { column } else { 7 - column });
        let (low, high) = if row < column { (row, column) } else { (column, row) };
        classes[square] = (high * (high + 1) / 2 + low) as u8;
        square += 1;
    }
    classes
};

/// The position after a move, before any is compared with the others.
#[derive(Clone, Copy, Default)]
struct AfterMove {
    square: usize,
    replies: usize,
    moves: usize,
    turned: usize,
    frontier: usize,
    /// Its value for the side that moved, in 1 / [`FINE`] discs.
    value: i32,
}

/// A position whose moves have features.
struct FeatureView {
    own: u64,
    other: u64,
    empty: usize,
    after: [AfterMove; MOST_MOVES],
    best: i32,
}

impl FeatureView {
    /// `None` if the only move is a pass, or if there are more moves than [`MOST_MOVES`].
    #[inline(always)]
    fn at<B: Bits>(
        game: &Reversi<B>,
        weights: &PatternWeights,
        state: &State<B>,
        moves: &[Place],
    ) -> Option<FeatureView> {
        if moves.len() > MOST_MOVES || moves.contains(&Place::PASS) {
            return None;
        }
        let (own, other) = (state.own.low_word(), state.other.low_word());
        let empty = 64 - (own | other).count_ones() as usize;
        let mut view = FeatureView { own, other, empty, after: [AfterMove::default(); MOST_MOVES], best: i32::MIN };
        for (after, &mv) in view.after.iter_mut().zip(moves) {
            let (after_own, after_other) = game.place(state.own, state.other, mv.0.into());
            let replies = game.placements(after_other, after_own).count();
            let further = game.placements(after_own, after_other).count();
            let (placed, rest) = (after_own.low_word(), after_other.low_word());
            let value = if replies + further == 0 {
                FINE * i32::from(game.final_margin(after_own, after_other, Side::First).0)
            } else {
                -weights.eval(Board { own: rest, other: placed, mobility: [replies, further] })
            };
            *after = AfterMove {
                square: usize::from(mv.0),
                replies: replies as usize,
                moves: further as usize,
                turned: (other & !rest).count_ones() as usize,
                frontier: (around(placed) & !(placed | rest)).count_ones() as usize,
                value,
            };
            view.best = view.best.max(value);
        }
        Some(view)
    }

    /// The rows of move number `i`.
    #[inline(always)]
    fn features(&self, i: usize) -> [u16; FEATURES] {
        let AfterMove { square, replies, moves, turned, frontier, value } = self.after[i];
        let placed = 60usize.saturating_sub(self.empty);
        let phase = (placed / 15).min(PHASES - 1);
        let [a, b, c, d] = &LINES[square];
        let loss = (self.best - value) * 4 / FINE;
        let range = LOSSES.partition_point(|&end| end < loss);
        // The quarter of the board around the square.
        let quarter = 0x0f0f_0f0f << (square & 32) << (square & 4);
        let odd_quarter = (quarter & !(self.own | self.other)).count_ones() as usize % 2;
        let rows = [
            a.row(self.own, self.other),
            b.row(self.own, self.other),
            c.row(self.own, self.other),
            d.row(self.own, self.other),
            SQUARE + usize::from(CLASS[square]) * 16 + placed / 4,
            REPLIES + phase * 32 + replies.min(31),
            MOVES + phase * 32 + moves.min(31),
            EVAL + phase * LOSSES.len() + range,
            TURNED + phase * 16 + turned.min(15),
            PARITY + phase * 4 + 2 * odd_quarter + self.empty % 2,
            FRONTIER + phase * 32 + frontier.min(31),
        ];
        rows.map(|row| row as u16)
    }
}

/// The squares beside any of these, and these.
#[inline(always)]
fn around(squares: u64) -> u64 {
    const NOT_FIRST: u64 = 0xfefe_fefe_fefe_fefe;
    let wide = squares | squares << 1 & NOT_FIRST | (squares & NOT_FIRST) >> 1;
    wide | wide << 8 | wide >> 8
}

/// The features of moves of the 8x8 board of which the rows of weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriorFeatures(());

impl PriorFeatures {
    /// The features on this board; `None` if it is not 8x8, in a word of 64 bits.
    pub fn of<B: Bits>(game: &Reversi<B>) -> Option<PriorFeatures> {
        game.has_patterns().then_some(PriorFeatures(()))
    }
}

impl<B: Bits> MoveFeatures<Reversi<B>> for PriorFeatures {
    fn layout(&self) -> String {
        "reversi-priors-2".to_owned()
    }

    fn n_features(&self) -> usize {
        FEATURE_ROWS
    }

    fn per_move(&self) -> usize {
        FEATURES
    }

    fn lanes(&self) -> usize {
        NETWORK_LANES
    }

    fn append(&self, game: &Reversi<B>, state: &State<B>, moves: &[Place], out: &mut Vec<u32>) {
        match FeatureView::at(game, PatternWeights::fitted(), state, moves) {
            Some(view) => out.extend((0..moves.len()).flat_map(|i| view.features(i)).map(u32::from)),
            None => out.extend(std::iter::repeat_n(NO_LINE as u32, moves.len() * FEATURES)),
        }
    }
}

/// Factor of the final scores, as exploration flattens the visits (guess, untuned).
const SHARPER: f32 = 1.0;

/// The units of weight number `weight` that make 1, where scores are logits.
pub fn prior_units(weight: usize) -> f32 {
    network_units(weight, FEATURE_ROWS, SHARPER)
}

/// Priors from the lines through a move's square and the learned evaluation after it. Gives priors on request, if the board has learned
/// weights, and no values.
#[derive(Clone, Debug, Default)]
pub struct PolicyPriors {
    knowledge: ReversiKnowledge,
}

impl PolicyPriors {
    /// With the learned evaluation of this knowledge.
    pub fn new(knowledge: ReversiKnowledge) -> PolicyPriors {
        PolicyPriors { knowledge }
    }
}

impl<B: Bits> Evaluator<Reversi<B>> for PolicyPriors {
    fn evaluate(&mut self, _game: &Reversi<B>, _leaves: &mut Leaves<'_, Reversi<B>>, _rng: &mut Rng) {}

    fn gives_priors(&self) -> Priors {
        Priors::OnRequest
    }

    fn priors(&mut self, game: &Reversi<B>, state: &State<B>, moves: &[Place], out: &mut Vec<f32>) {
        let weights = self.knowledge.patterns(game);
        if let Some(view) = weights.and_then(|weights| FeatureView::at(game, weights, state, moves)) {
            fitted().probabilities::<MOST_MOVES, FEATURES>(moves.len(), |i| view.features(i), out);
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Reversi<B>>> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests;
