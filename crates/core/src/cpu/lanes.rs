//! Eight single-precision numbers worked on at once, with the same results on every instruction set.
//!
//! Plain loops over arrays of eight were tried first: the compiler turned the square roots and divisions of a loop with
//! a running maximum into scalar code (UCT on Dots and Boxes: 0.83 M simulations/s, with these lanes 1.31 M).

/// How many numbers are worked on at once.
pub const LANES: usize = 8;

/// Eight numbers. They are made by an [`Isa`](super::Isa), so that whoever holds some knows the processor can use them.
pub trait Lanes: Copy {
    /// Lane by lane `self + other`.
    fn plus(self, other: Self) -> Self;
    /// Lane by lane `self * other`.
    fn times(self, other: Self) -> Self;
    /// Lane by lane `self / other`.
    fn over(self, other: Self) -> Self;
    /// Lane by lane the square root.
    fn sqrt(self) -> Self;
    /// Lane by lane the larger one; `other` where either is not a number.
    fn max(self, other: Self) -> Self;
    /// The first `n` lanes, and `other` in those behind.
    fn first(self, n: usize, other: Self) -> Self;
    /// Lane by lane `self`, and `other` where `sign` is negative.
    fn unless_negative(self, sign: Self, other: Self) -> Self;
    /// Bit i says whether lane i is the same number in both.
    fn equals(self, other: Self) -> u32;
    /// Splits positive numbers: `self = mantissa * 2^exponent` with the mantissa in [sqrt 1/2, sqrt 2). Returns
    /// `(exponent, mantissa)`.
    fn split(self) -> (Self, Self);
    /// Sum of all lanes, `((a + e) + (c + g)) + ((b + f) + (d + h))`.
    fn total(self) -> f32;
    /// The largest lane; no lane may be other than a number.
    fn highest(self) -> f32;
    /// The number in lane `i`, below [`LANES`].
    fn lane(self, i: usize) -> f32;
    /// The numbers as an array.
    fn to_array(self) -> [f32; LANES];
}

/// Bits of the largest number below the square root of 1/2, plus one: where the mantissas of `split` begin.
const SQRT_HALF: i32 = 0x3f35_04f3;
/// Bits of a mantissa.
const MANTISSA: i32 = 0x007f_ffff;

impl Lanes for [f32; LANES] {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] + other[i])
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] * other[i])
    }
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] / other[i])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f32::sqrt)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        std::array::from_fn(|i| if self[i] > other[i] { self[i] } else { other[i] })
    }
    #[inline(always)]
    fn first(self, n: usize, other: Self) -> Self {
        std::array::from_fn(|i| if i < n { self[i] } else { other[i] })
    }
    #[inline(always)]
    fn unless_negative(self, sign: Self, other: Self) -> Self {
        std::array::from_fn(|i| if sign[i].is_sign_negative() { other[i] } else { self[i] })
    }
    #[inline(always)]
    fn equals(self, other: Self) -> u32 {
        (0..LANES).map(|i| u32::from(self[i] == other[i]) << i).sum()
    }
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let above = self.map(|x| (x.to_bits() as i32).wrapping_sub(SQRT_HALF));
        (above.map(|x| (x >> 23) as f32), above.map(|x| f32::from_bits(((x & MANTISSA) + SQRT_HALF) as u32)))
    }
    #[inline(always)]
    fn total(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
    #[inline(always)]
    fn highest(self) -> f32 {
        self.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }
    #[inline(always)]
    fn lane(self, i: usize) -> f32 {
        self[i]
    }
    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        self
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod v3 {
    //! The lanes of AVX2.

    use std::arch::x86_64::*;

    use super::{LANES, Lanes, MANTISSA, SQRT_HALF};

    /// Eight numbers in one AVX register. Only [`V3`](crate::cpu::V3) makes them, so wherever there are some, the
    /// processor has AVX2: that is why every block below is safe.
    #[derive(Clone, Copy, Debug)]
    pub struct V3Lanes(__m256);

    impl V3Lanes {
        /// The same number in every lane.
        ///
        /// # Safety
        /// The processor has AVX2.
        #[inline(always)]
        pub(crate) unsafe fn splat(x: f32) -> V3Lanes {
            // SAFETY: promised by the caller.
            V3Lanes(unsafe { _mm256_set1_ps(x) })
        }

        /// Numbers from their bits.
        ///
        /// # Safety
        /// The processor has AVX2.
        #[inline(always)]
        pub(crate) unsafe fn from_bits(bits: &[u32; LANES]) -> V3Lanes {
            // SAFETY: AVX2 is promised by the caller; the reference covers the 32 bytes read, at any alignment.
            V3Lanes(unsafe { _mm256_loadu_ps(bits.as_ptr().cast()) })
        }

        /// Whole numbers below 2^31.
        ///
        /// # Safety
        /// The processor has AVX2.
        #[inline(always)]
        pub(crate) unsafe fn from_counts(counts: &[u32; LANES]) -> V3Lanes {
            // SAFETY: AVX2 is promised by the caller; the reference covers the 32 bytes read, at any alignment.
            V3Lanes(unsafe { _mm256_cvtepi32_ps(_mm256_loadu_si256(counts.as_ptr().cast())) })
        }
    }

    impl Lanes for V3Lanes {
        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: lanes exist only where AVX2 does.
            V3Lanes(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: lanes exist only where AVX2 does.
            V3Lanes(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn over(self, other: Self) -> Self {
            // SAFETY: lanes exist only where AVX2 does.
            V3Lanes(unsafe { _mm256_div_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: lanes exist only where AVX2 does.
            V3Lanes(unsafe { _mm256_sqrt_ps(self.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: lanes exist only where AVX2 does.
            V3Lanes(unsafe { _mm256_max_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn first(self, n: usize, other: Self) -> Self {
            // SAFETY: lanes exist only where AVX2 does.
            V3Lanes(unsafe {
                let behind = _mm256_cmpgt_epi32(
                    _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8),
                    _mm256_set1_epi32(n.min(LANES) as i32),
                );
                _mm256_blendv_ps(self.0, other.0, _mm256_castsi256_ps(behind))
            })
        }
        #[inline(always)]
        fn unless_negative(self, sign: Self, other: Self) -> Self {
            // SAFETY: lanes exist only where AVX2 does.
            V3Lanes(unsafe { _mm256_blendv_ps(self.0, other.0, sign.0) })
        }
        #[inline(always)]
        fn equals(self, other: Self) -> u32 {
            // SAFETY: lanes exist only where AVX2 does.
            (unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0)) }) as u32
        }
        #[inline(always)]
        fn split(self) -> (Self, Self) {
            // SAFETY: lanes exist only where AVX2 does.
            unsafe {
                let begin = _mm256_set1_epi32(SQRT_HALF);
                let above = _mm256_sub_epi32(_mm256_castps_si256(self.0), begin);
                let exponent = _mm256_cvtepi32_ps(_mm256_srai_epi32::<23>(above));
                let mantissa = _mm256_add_epi32(_mm256_and_si256(above, _mm256_set1_epi32(MANTISSA)), begin);
                (V3Lanes(exponent), V3Lanes(_mm256_castsi256_ps(mantissa)))
            }
        }
        #[inline(always)]
        fn total(self) -> f32 {
            // SAFETY: lanes exist only where AVX2 does.
            unsafe {
                let four = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
            }
        }
        #[inline(always)]
        fn highest(self) -> f32 {
            // SAFETY: lanes exist only where AVX2 does.
            unsafe {
                let four = _mm_max_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
            }
        }
        #[inline(always)]
        fn lane(self, i: usize) -> f32 {
            // SAFETY: lanes exist only where AVX2 does.
            unsafe { _mm256_cvtss_f32(_mm256_permutevar8x32_ps(self.0, _mm256_set1_epi32(i as i32))) }
        }
        #[inline(always)]
        fn to_array(self) -> [f32; LANES] {
            let mut array = [0.0; LANES];
            // SAFETY: lanes exist only where AVX2 does; the array has room for the 32 bytes written, at any alignment.
            unsafe { _mm256_storeu_ps(array.as_mut_ptr(), self.0) };
            array
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::cpu::{Isa, Kernel, Portable, dispatch};

    /// Everything lanes can do, on given bits and counts.
    struct Everything([u32; LANES], [u32; LANES], usize);

    impl Kernel for Everything {
        type Output = (Vec<[u32; LANES]>, u32, [u32; 2]);

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            let (a, b) = (isa.lanes_from_bits(&self.0), isa.lanes_from_counts(&self.1));
            let half = isa.splat(0.5);
            let (exponent, mantissa) = b.split();
            let first = a.first(self.2, b);
            let other = b.unless_negative(a, half);
            let made = [a.plus(b), a.times(b), a.over(b), b.sqrt(), a.max(b), first, half, exponent, mantissa, other];
            let bits = made.map(|lanes| lanes.to_array().map(f32::to_bits)).to_vec();
            let lanes = std::array::from_fn::<u32, LANES, _>(|i| a.lane(i).to_bits());
            assert_eq!(lanes, a.to_array().map(f32::to_bits));
            (bits, a.max(b).equals(b), [a.total().to_bits(), a.max(b).highest().to_bits()])
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        let mut rng = Rng::new(8);
        for round in 0..3000 {
            let a = std::array::from_fn(|_| ((rng.unit() as f32 - 0.5) * 100.0).to_bits());
            let b = std::array::from_fn(|_| 1 + rng.below(50));
            let n = round % 12;
            let portable = Everything(a, b, n).run(Portable);
            assert_eq!(dispatch(Everything(a, b, n)), portable);
            let numbers = a.map(f32::from_bits);
            for (i, &whole) in b.iter().enumerate() {
                let (exponent, mantissa) = (f32::from_bits(portable.0[7][i]), f32::from_bits(portable.0[8][i]));
                assert_eq!(mantissa * exponent.exp2(), whole as f32);
                assert!((0.707..1.415).contains(&mantissa), "{mantissa} for {whole}");
            }
            let larger = |i: usize| numbers[i].max(b[i] as f32);
            assert_eq!(portable.0[5], std::array::from_fn(|i| if i < n { a[i] } else { (b[i] as f32).to_bits() }));
            let unless = |i: usize| if numbers[i] < 0.0 { 0.5f32 } else { b[i] as f32 };
            assert_eq!(portable.0[9], std::array::from_fn(|i| unless(i).to_bits()));
            assert_eq!(portable.1, (0..8).filter(|&i| larger(i) == b[i] as f32).map(|i| 1 << i).sum::<u32>());
            assert_eq!(f32::from_bits(portable.2[1]), (0..8).map(larger).fold(f32::MIN, f32::max));
        }
    }
}
