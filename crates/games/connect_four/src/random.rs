//! Random numbers for sixteen games at once.

use banyan_core::Rng;

use super::lanes::PerGame;

/// Four streams of xoshiro256++ (Blackman and Vigna 2019) side by side; each serves four games with 16 bits of its
/// numbers, which are independent of one another.
pub(super) struct Streams([[u64; 4]; 4]);

impl Streams {
    /// Streams that begin at points drawn from `rng`.
    #[inline(always)]
    pub(super) fn new(rng: &mut Rng) -> Streams {
        // A zero state, from which the stream is all zeros, has probability 2^-254.
        Streams(std::array::from_fn(|_| std::array::from_fn(|_| rng.next_u64())))
    }

    /// 16 uniform bits for each game.
    #[inline(always)]
    pub(super) fn next(&mut self) -> PerGame {
        let [s0, s1, s2, s3] = self.0;
        let each = |of: &dyn Fn(usize) -> u64| -> [u64; 4] { std::array::from_fn(of) };
        let numbers = each(&|i| s0[i].wrapping_add(s3[i]).rotate_left(23).wrapping_add(s0[i]));
        let (mixed2, mixed3) = (each(&|i| s2[i] ^ s0[i]), each(&|i| s3[i] ^ s1[i]));
        self.0 = [
            each(&|i| s0[i] ^ mixed3[i]),
            each(&|i| s1[i] ^ mixed2[i]),
            each(&|i| mixed2[i] ^ s1[i] << 17),
            each(&|i| mixed3[i].rotate_left(45)),
        ];
        PerGame(std::array::from_fn(|game| (numbers[game / 4] >> (16 * (game % 4))) as u16))
    }
}
