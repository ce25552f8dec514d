//! Batches of random playouts on boards of one word: one game in each 64-bit number of a vector.

use std::array::from_fn;

use banyan_core::bits::Bits;
use banyan_core::cpu::{has_avx512, select_single_bit};
use banyan_core::{Playout, Rng, Side};

use super::lines::{double_steps, steps};
use super::{Reversi, State};

/// Games side by side: a register of AVX-512, two of AVX2.
const GAMES: usize = 8;
/// Fewest states that are played out in lanes. Guess: with fewer most lanes stay empty.
pub(super) const MIN_BATCH: usize = 4;
/// One number for each game.
type Words = [u64; GAMES];

/// Whether boards in words of this type are played in lanes.
pub(super) const fn has_lanes<B: Bits>() -> bool {
    B::WIDTH == u64::BITS
}

impl<B: Bits> Reversi<B> {
    /// One [`tactical_playout`](Reversi::tactical_playout) from each of `states`; the results are written to `out`:
    /// `[states.len()]`. The playouts are independent and distributed like single ones, but may draw different numbers.
    pub fn tactical_playouts(&self, states: &[State<B>], rng: &mut Rng, out: &mut [Playout]) {
        debug_assert_eq!(states.len(), out.len(), "one result for each state");
        if has_lanes::<B>() && states.len() >= MIN_BATCH {
            return Queue { game: self, states, rng, out }.play_out();
        }
        for (&state, playout) in states.iter().zip(out) {
            *playout = self.tactical_playout(state, rng);
        }
    }
}

/// States to be played out.
struct Queue<'a, B: Bits> {
    game: &'a Reversi<B>,
    states: &'a [State<B>],
    rng: &'a mut Rng,
    /// `[states.len()]`
    out: &'a mut [Playout],
}

/// Plays out all states, compiled for AVX-512. (Measured in batches of 64 from the 8x8 start, on an AMD EPYC
/// of the Zen 5 family: 1.82 M playouts/s, against 0.85 M one by one.)
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2")]
fn play_out_wide<B: Bits>(queue: Queue<'_, B>) {
    queue.play_out_inlined();
}

impl<B: Bits> Queue<'_, B> {
    fn play_out(self) {
        #[cfg(target_arch = "x86_64")]
        if has_avx512() {
            // SAFETY: `has_avx512` has detected every feature that the function is compiled for.
            return unsafe { play_out_wide(self) };
        }
        self.play_out_inlined();
    }

    #[inline(always)]
    fn play_out_inlined(self) {
        let Queue { game, states, rng, out } = self;
        let (board, turnable) = (game.board.low_word(), game.lines.turnable().map(B::low_word));
        let mut waiting = states.iter().enumerate();
        let mut lanes = Lanes::EMPTY;
        let mut indices = [0; GAMES];
        // A local copy, so that the generator stays in registers.
        let mut draws = rng.clone();
        for (lane, (index, state)) in waiting.by_ref().take(GAMES).enumerate() {
            indices[lane] = index;
            lanes.load(lane, state);
        }
        while lanes.playing != 0 {
            let ended = lanes.step(board, &turnable, &mut draws);
            for lane in bits(ended) {
                out[indices[lane]] = lanes.playout(game, lane);
                match waiting.next() {
                    Some((index, state)) => {
                        indices[lane] = index;
                        lanes.load(lane, state);
                    }
                    None => lanes.vacate(lane),
                }
            }
        }
        *rng = draws;
    }
}

/// The games in progress. Their sides are exchanged after every step, a pass included.
struct Lanes {
    own: Words,
    other: Words,
    /// 0 or 1, in turn.
    turn: usize,
    /// Lanes where the side to move at turn 0 is the second one.
    is_second: u8,
    /// By turn, lanes where the side to move then has ever had two moves or more.
    chose: [u8; 2],
    /// Lanes where the last move was a pass.
    passed: u8,
    /// Lanes with a game. The others have boards without discs.
    playing: u8,
}

impl Lanes {
    const EMPTY: Lanes =
        Lanes { own: [0; GAMES], other: [0; GAMES], turn: 0, is_second: 0, chose: [0; 2], passed: 0, playing: 0 };

    #[inline(always)]
    fn load<B: Bits>(&mut self, lane: usize, state: &State<B>) {
        (self.own[lane], self.other[lane]) = (state.own.low_word(), state.other.low_word());
        let bit = 1 << lane;
        self.playing |= bit;
        self.passed &= !bit;
        self.chose = self.chose.map(|lanes| lanes & !bit);
        let is_second = (state.to_move.index() ^ self.turn) as u8;
        self.is_second = self.is_second & !bit | is_second << lane;
    }

    #[inline(always)]
    fn vacate(&mut self, lane: usize) {
        (self.own[lane], self.other[lane]) = (0, 0);
        self.playing &= !(1 << lane);
    }

    /// The result of a game that is over.
    #[inline(always)]
    fn playout<B: Bits>(&self, game: &Reversi<B>, lane: usize) -> Playout {
        let flip = usize::from(self.is_second >> lane & 1);
        let to_move = Side::BOTH[self.turn ^ flip];
        let word = B::from_low_word;
        let margin = game.final_margin(word(self.own[lane]), word(self.other[lane]), to_move);
        game.bounded(margin, from_fn(|side| self.chose[side ^ flip] >> lane & 1 == 1))
    }

    /// A random move in every lane. Returns the lanes whose game is over.
    #[inline(always)]
    fn step(&mut self, board: u64, turnable: &[u64; 4], draws: &mut Rng) -> u8 {
        let (own, other) = (self.own, self.other);
        let mut runs = [[[0; GAMES]; 2]; 4];
        let mut reached = [0; GAMES];
        for axis in 0..4 {
            let through = other.map(|other| other & turnable[axis]);
            let step = steps::<u64>()[axis];
            runs[axis] = [flood_up(own, through, step), flood_down(own, through, step)];
            let [up, down] = runs[axis];
            reached = from_fn(|i| reached[i] | up[i] << step | down[i] >> step);
        }
        let placements: Words = from_fn(|i| reached[i] & board & !(own[i] | other[i]));
        let mut placed = [0; GAMES];
        let (mut several, mut none) = (0, 0);
        let numbers: [u64; GAMES / 2] = from_fn(|_| draws.next_u64());
        for i in 0..GAMES {
            let n = placements[i].count_ones();
            several |= u8::from(n > 1) << i;
            none |= u8::from(n == 0) << i;
            // No bit is set where there is no placement.
            placed[i] = select_single_bit(placements[i], below(n.max(1), numbers[i / 2] >> (32 * (i % 2))));
        }
        let mut turned = [0; GAMES];
        for (&[up, down], step) in runs.iter().zip(steps::<u64>()) {
            // A run that ends next to the square has an own disc at its other end.
            let (above, below) = (flood_up(placed, down, step), flood_down(placed, up, step));
            turned = from_fn(|i| turned[i] | above[i] | below[i]);
        }
        self.own = from_fn(|i| other[i] ^ turned[i]);
        self.other = from_fn(|i| own[i] | turned[i] | placed[i]);
        self.chose[self.turn] |= several;
        self.turn ^= 1;
        let ended = none & self.passed & self.playing;
        self.passed = none;
        ended
    }
}

/// A number below `n` from the low 32 bits of `uniform`, as [`Rng::below`] makes it from the high ones.
#[inline(always)]
fn below(n: u32, uniform: u64) -> u32 {
    ((u64::from(uniform as u32) * u64::from(n)) >> 32) as u32
}

/// In each game the unbroken runs of `through` that begin one step above a square of `from`.
#[inline(always)]
fn flood_up(from: Words, through: Words, step: u32) -> Words {
    let first: Words = from_fn(|i| from[i] << step & through[i]);
    let mut flood: Words = from_fn(|i| first[i] | first[i] << step & through[i]);
    let pairs: Words = from_fn(|i| through[i] & through[i] << step);
    for _ in 0..double_steps::<u64>() {
        flood = from_fn(|i| flood[i] | flood[i] << (2 * step) & pairs[i]);
    }
    flood
}

/// The same below.
#[inline(always)]
fn flood_down(from: Words, through: Words, step: u32) -> Words {
    let first: Words = from_fn(|i| from[i] >> step & through[i]);
    let mut flood: Words = from_fn(|i| first[i] | first[i] >> step & through[i]);
    let pairs: Words = from_fn(|i| through[i] & through[i] >> step);
    for _ in 0..double_steps::<u64>() {
        flood = from_fn(|i| flood[i] | flood[i] >> (2 * step) & pairs[i]);
    }
    flood
}

/// The bits that are set.
fn bits(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}
