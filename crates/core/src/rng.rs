//! The seeded random generator: the only source of randomness in Banyan.

use banyan_bits::Bits;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// xoshiro256++ (Blackman and Vigna 2019), seeded through splitmix64. The same seed gives the same stream everywhere.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A generator whose stream is determined by `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 uniform bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `n`, by multiply and shift (Lemire 2019, without the rejection step: the bias is at most
    /// n / 2^32). `n` must not be 0.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "random number below 0 requested");
        let high = self.next_u64() >> 32;
        ((high * u64::from(n)) >> 32) as u32
    }

    /// A uniformly random number of the set, which must not be empty.
    #[inline(always)]
    pub fn member<B: Bits>(&mut self, set: B) -> u32 {
        set.select(self.below(set.count()))
    }

    /// The set of a single uniformly random number of `set`, the one that [`member`](Rng::member) draws; `set` must not
    /// be empty.
    #[inline(always)]
    pub fn single_member<B: Bits>(&mut self, set: B) -> B {
        set.select_single(self.below(set.count()))
    }

    /// A uniform number in 0 .. 1, of 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts `items` into a uniformly random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_pinned() {
        let mut rng = Rng::new(1);
        let drawn: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        // Computed independently of this crate, by a transcription of the authors' C code into Python.
        assert_eq!(drawn, [14971601782005023387, 13781649495232077965, 1847458086238483744]);
    }

    #[test]
    fn members_are_drawn_alike_as_numbers_and_as_sets() {
        let (mut numbers, mut sets) = (Rng::new(2), Rng::new(2));
        let set = [0x8000_0000_0000_0401, 0, 0x11_u64];
        let mut drawn = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let number = numbers.member(set);
            assert_eq!(sets.single_member(set), <[u64; 3]>::single(number));
            drawn.insert(number);
        }
        assert!(drawn.into_iter().eq(set.ones()));
    }

    #[test]
    fn below_reaches_every_value_about_equally_often() {
        let mut rng = Rng::new(7);
        let mut seen = [0u32; 7];
        for _ in 0..70_000 {
            seen[rng.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (9_600..10_400).contains(&n)), "{seen:?}");
    }
}
