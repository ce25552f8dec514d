//! A vector of eight single-precision numbers, with the same results in all forms.
//!
//! Plain loops over arrays of eight were tried first: the compiler turned the square roots and divisions of a loop with
//! a running maximum into scalar code (UCT on Dots and Boxes: 0.83 M simulations/s, with these lanes 1.31 M).

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use avx2::F32x8;
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "avx2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub use portable::F32x8;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::F32x8;

/// Bits of the largest number below the square root of 1/2, plus one: where the mantissas of `split` begin.
const SQRT_HALF: i32 = 0x3f35_04f3;
/// Bits of a mantissa.
const MANTISSA: i32 = 0x007f_ffff;

/// The form that runs on any processor.
#[cfg_attr(
    any(all(target_arch = "x86_64", target_feature = "avx2"), all(target_arch = "wasm32", target_feature = "simd128")),
    cfg(test)
)]
pub mod portable {
    use std::array::from_fn;
    use std::ops::{Add, Div, Mul};

    use super::super::LANES;
    use super::{MANTISSA, SQRT_HALF};

    /// Eight numbers.
    #[derive(Clone, Copy, Debug)]
    pub struct F32x8([f32; LANES]);

    impl F32x8 {
        /// `x` in every lane.
        #[inline(always)]
        pub fn splat(x: f32) -> F32x8 {
            F32x8([x; LANES])
        }

        /// Numbers from their bits.
        #[inline(always)]
        pub fn from_bits(bits: &[u32; LANES]) -> F32x8 {
            F32x8(bits.map(f32::from_bits))
        }

        /// Whole numbers, read as signed; exact below 2^24, rounded beyond.
        #[inline(always)]
        pub fn from_counts(counts: &[u32; LANES]) -> F32x8 {
            F32x8(counts.map(|n| n as i32 as f32))
        }

        /// The square root of each lane.
        #[inline(always)]
        pub fn sqrt(self) -> F32x8 {
            F32x8(self.0.map(f32::sqrt))
        }

        /// The larger number in each lane; that of `other` where either is NaN.
        #[inline(always)]
        pub fn max(self, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] }))
        }

        /// The first `n` lanes of `self`, the remaining ones of `other`.
        #[inline(always)]
        pub fn first(self, n: usize, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| if i < n { self.0[i] } else { other.0[i] }))
        }

        /// Each lane of `self`, or of `other` where `sign` is negative.
        #[inline(always)]
        pub fn unless_negative(self, sign: F32x8, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| if sign.0[i].is_sign_negative() { other.0[i] } else { self.0[i] }))
        }

        /// Bit i is set if lane i is the same number in both.
        #[inline(always)]
        pub fn equal_lanes(self, other: F32x8) -> u32 {
            (0..LANES).map(|i| u32::from(self.0[i] == other.0[i]) << i).sum()
        }

        /// Splits positive numbers: `self = mantissa * 2^exponent` with the mantissa in [sqrt 1/2, sqrt 2). Returns
        /// `(exponent, mantissa)`.
        #[inline(always)]
        pub fn split(self) -> (F32x8, F32x8) {
            let above = self.0.map(|x| (x.to_bits() as i32).wrapping_sub(SQRT_HALF));
            let mantissa = |x: i32| f32::from_bits(((x & MANTISSA) + SQRT_HALF) as u32);
            (F32x8(above.map(|x| (x >> 23) as f32)), F32x8(above.map(mantissa)))
        }

        /// Sum of all lanes, `((a + e) + (c + g)) + ((b + f) + (d + h))`.
        #[inline(always)]
        pub fn sum(self) -> f32 {
            let [a, b, c, d, e, f, g, h] = self.0;
            ((a + e) + (c + g)) + ((b + f) + (d + h))
        }

        /// The largest lane; no lane may be NaN.
        #[inline(always)]
        pub fn largest(self) -> f32 {
            self.0.into_iter().fold(f32::NEG_INFINITY, f32::max)
        }

        /// The number in lane `i`, below [`LANES`].
        #[inline(always)]
        pub fn lane(self, i: usize) -> f32 {
            self.0[i]
        }

        /// The numbers as an array.
        #[inline(always)]
        pub fn to_array(self) -> [f32; LANES] {
            self.0
        }
    }

    impl Add for F32x8 {
        type Output = F32x8;

        #[inline(always)]
        fn add(self, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| self.0[i] + other.0[i]))
        }
    }

    impl Mul for F32x8 {
        type Output = F32x8;

        #[inline(always)]
        fn mul(self, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| self.0[i] * other.0[i]))
        }
    }

    impl Div for F32x8 {
        type Output = F32x8;

        #[inline(always)]
        fn div(self, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| self.0[i] / other.0[i]))
        }
    }
}

/// The form in one AVX register.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2 {
    use std::arch::x86_64::*;
    use std::ops::{Add, Div, Mul};

    use super::super::LANES;
    use super::{MANTISSA, SQRT_HALF};

    /// Eight numbers.
    #[derive(Clone, Copy, Debug)]
    pub struct F32x8(__m256);

    impl F32x8 {
        /// `x` in every lane.
        #[inline(always)]
        pub fn splat(x: f32) -> F32x8 {
            F32x8(here!(_mm256_set1_ps(x)))
        }

        /// Numbers from their bits.
        #[inline(always)]
        pub fn from_bits(bits: &[u32; LANES]) -> F32x8 {
            // SAFETY: the reference covers the 32 bytes read, at any alignment.
            F32x8(unsafe { _mm256_loadu_ps(bits.as_ptr().cast()) })
        }

        /// Whole numbers, read as signed; exact below 2^24, rounded beyond.
        #[inline(always)]
        pub fn from_counts(counts: &[u32; LANES]) -> F32x8 {
            // SAFETY: the reference covers the 32 bytes read, at any alignment.
            F32x8(unsafe { _mm256_cvtepi32_ps(_mm256_loadu_si256(counts.as_ptr().cast())) })
        }

        /// The square root of each lane.
        #[inline(always)]
        pub fn sqrt(self) -> F32x8 {
            F32x8(here!(_mm256_sqrt_ps(self.0)))
        }

        /// The larger number in each lane; that of `other` where either is NaN.
        #[inline(always)]
        pub fn max(self, other: F32x8) -> F32x8 {
            F32x8(here!(_mm256_max_ps(self.0, other.0)))
        }

        /// The first `n` lanes of `self`, the remaining ones of `other`.
        #[inline(always)]
        pub fn first(self, n: usize, other: F32x8) -> F32x8 {
            F32x8(here!({
                let (numbers, n) = (_mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), _mm256_set1_epi32(n.min(LANES) as i32));
                _mm256_blendv_ps(self.0, other.0, _mm256_castsi256_ps(_mm256_cmpgt_epi32(numbers, n)))
            }))
        }

        /// Each lane of `self`, or of `other` where `sign` is negative.
        #[inline(always)]
        pub fn unless_negative(self, sign: F32x8, other: F32x8) -> F32x8 {
            F32x8(here!(_mm256_blendv_ps(self.0, other.0, sign.0)))
        }

        /// Bit i is set if lane i is the same number in both.
        #[inline(always)]
        pub fn equal_lanes(self, other: F32x8) -> u32 {
            here!(_mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0))) as u32
        }

        /// Splits positive numbers: `self = mantissa * 2^exponent` with the mantissa in [sqrt 1/2, sqrt 2). Returns
        /// `(exponent, mantissa)`.
        #[inline(always)]
        pub fn split(self) -> (F32x8, F32x8) {
            here!({
                let begin = _mm256_set1_epi32(SQRT_HALF);
                let above = _mm256_sub_epi32(_mm256_castps_si256(self.0), begin);
                let exponent = _mm256_cvtepi32_ps(_mm256_srai_epi32::<23>(above));
                let mantissa = _mm256_add_epi32(_mm256_and_si256(above, _mm256_set1_epi32(MANTISSA)), begin);
                (F32x8(exponent), F32x8(_mm256_castsi256_ps(mantissa)))
            })
        }

        /// Sum of all lanes, `((a + e) + (c + g)) + ((b + f) + (d + h))`.
        #[inline(always)]
        pub fn sum(self) -> f32 {
            here!({
                let four = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
            })
        }

        /// The largest lane; no lane may be NaN.
        #[inline(always)]
        pub fn largest(self) -> f32 {
            here!({
                let four = _mm_max_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
            })
        }

        /// The number in lane `i`, below [`LANES`].
        #[inline(always)]
        pub fn lane(self, i: usize) -> f32 {
            here!(_mm256_cvtss_f32(_mm256_permutevar8x32_ps(self.0, _mm256_set1_epi32(i as i32))))
        }

        /// The numbers as an array.
        #[inline(always)]
        pub fn to_array(self) -> [f32; LANES] {
            let mut array = [0.0; LANES];
            // SAFETY: the array has room for the 32 bytes written, at any alignment.
            unsafe { _mm256_storeu_ps(array.as_mut_ptr(), self.0) };
            array
        }
    }

    impl Add for F32x8 {
        type Output = F32x8;

        #[inline(always)]
        fn add(self, other: F32x8) -> F32x8 {
            F32x8(here!(_mm256_add_ps(self.0, other.0)))
        }
    }

    impl Mul for F32x8 {
        type Output = F32x8;

        #[inline(always)]
        fn mul(self, other: F32x8) -> F32x8 {
            F32x8(here!(_mm256_mul_ps(self.0, other.0)))
        }
    }

    impl Div for F32x8 {
        type Output = F32x8;

        #[inline(always)]
        fn div(self, other: F32x8) -> F32x8 {
            F32x8(here!(_mm256_div_ps(self.0, other.0)))
        }
    }
}

/// The form in two registers of WebAssembly. The module's answers are compared with those of the AVX form (`./test --only wasm`).
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub mod simd128 {
    use std::arch::wasm32::*;
    use std::array::from_fn;
    use std::ops::{Add, Div, Mul};

    use super::super::LANES;
    use super::{MANTISSA, SQRT_HALF};

    /// Eight numbers.
    #[derive(Clone, Copy, Debug)]
    pub struct F32x8([v128; 2]);

    /// Eight words in two registers.
    #[inline(always)]
    fn load(words: &[u32; LANES]) -> [v128; 2] {
        let [a, b, c, d, e, f, g, h] = *words;
        [u32x4(a, b, c, d), u32x4(e, f, g, h)]
    }

    impl F32x8 {
        /// `x` in every lane.
        #[inline(always)]
        pub fn splat(x: f32) -> F32x8 {
            F32x8([f32x4_splat(x); 2])
        }

        /// Numbers from their bits.
        #[inline(always)]
        pub fn from_bits(bits: &[u32; LANES]) -> F32x8 {
            F32x8(load(bits))
        }

        /// Whole numbers, read as signed; exact below 2^24, rounded beyond.
        #[inline(always)]
        pub fn from_counts(counts: &[u32; LANES]) -> F32x8 {
            F32x8(load(counts).map(|x| f32x4_convert_i32x4(x)))
        }

        /// The square root of each lane.
        #[inline(always)]
        pub fn sqrt(self) -> F32x8 {
            F32x8(self.0.map(|x| f32x4_sqrt(x)))
        }

        /// The larger number in each lane; that of `other` where either is NaN.
        #[inline(always)]
        pub fn max(self, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| f32x4_pmax(other.0[i], self.0[i])))
        }

        /// The first `n` lanes of `self`, the remaining ones of `other`.
        #[inline(always)]
        pub fn first(self, n: usize, other: F32x8) -> F32x8 {
            let (numbers, n) = ([i32x4(0, 1, 2, 3), i32x4(4, 5, 6, 7)], i32x4_splat(n.min(LANES) as i32));
            F32x8(from_fn(|i| v128_bitselect(self.0[i], other.0[i], i32x4_lt(numbers[i], n))))
        }

        /// Each lane of `self`, or of `other` where `sign` is negative.
        #[inline(always)]
        pub fn unless_negative(self, sign: F32x8, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| v128_bitselect(other.0[i], self.0[i], i32x4_shr(sign.0[i], 31))))
        }

        /// Bit i is set if lane i is the same number in both.
        #[inline(always)]
        pub fn equal_lanes(self, other: F32x8) -> u32 {
            let [low, high] = from_fn(|i| i32x4_bitmask(f32x4_eq(self.0[i], other.0[i])));
            u32::from(low) | u32::from(high) << 4
        }

        /// Splits positive numbers: `self = mantissa * 2^exponent` with the mantissa in [sqrt 1/2, sqrt 2). Returns
        /// `(exponent, mantissa)`.
        #[inline(always)]
        pub fn split(self) -> (F32x8, F32x8) {
            let begin = i32x4_splat(SQRT_HALF);
            let above = self.0.map(|x| i32x4_sub(x, begin));
            let mantissa = above.map(|x| i32x4_add(v128_and(x, i32x4_splat(MANTISSA)), begin));
            (F32x8(above.map(|x| f32x4_convert_i32x4(i32x4_shr(x, 23)))), F32x8(mantissa))
        }

        /// Sum of all lanes, `((a + e) + (c + g)) + ((b + f) + (d + h))`.
        #[inline(always)]
        pub fn sum(self) -> f32 {
            let four = f32x4_add(self.0[0], self.0[1]);
            let two = f32x4_add(four, i32x4_shuffle::<2, 3, 2, 3>(four, four));
            f32x4_extract_lane::<0>(two) + f32x4_extract_lane::<1>(two)
        }

        /// The largest lane; no lane may be NaN.
        #[inline(always)]
        pub fn largest(self) -> f32 {
            let four = f32x4_pmax(self.0[0], self.0[1]);
            let two = f32x4_pmax(four, i32x4_shuffle::<2, 3, 2, 3>(four, four));
            f32x4_extract_lane::<0>(f32x4_pmax(two, i32x4_shuffle::<1, 1, 1, 1>(two, two)))
        }

        /// The number in lane `i`, below [`LANES`].
        #[inline(always)]
        pub fn lane(self, i: usize) -> f32 {
            self.to_array()[i]
        }

        /// The numbers as an array.
        #[inline(always)]
        pub fn to_array(self) -> [f32; LANES] {
            let [a, b] = self.0;
            [
                f32x4_extract_lane::<0>(a),
                f32x4_extract_lane::<1>(a),
                f32x4_extract_lane::<2>(a),
                f32x4_extract_lane::<3>(a),
                f32x4_extract_lane::<0>(b),
                f32x4_extract_lane::<1>(b),
                f32x4_extract_lane::<2>(b),
                f32x4_extract_lane::<3>(b),
            ]
        }
    }

    impl Add for F32x8 {
        type Output = F32x8;

        #[inline(always)]
        fn add(self, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| f32x4_add(self.0[i], other.0[i])))
        }
    }

    impl Mul for F32x8 {
        type Output = F32x8;

        #[inline(always)]
        fn mul(self, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| f32x4_mul(self.0[i], other.0[i])))
        }
    }

    impl Div for F32x8 {
        type Output = F32x8;

        #[inline(always)]
        fn div(self, other: F32x8) -> F32x8 {
            F32x8(from_fn(|i| f32x4_div(self.0[i], other.0[i])))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::LANES;
    use super::portable;
    use banyan_core::Rng;

    type Everything = (Vec<[u32; LANES]>, u32, [u32; 2]);

    /// The results of every operation of one form, on given bits and counts.
    macro_rules! everything {
        ($form:ident, $bits:expr, $counts:expr, $n:expr) => {{
            let (a, b) = ($form::F32x8::from_bits($bits), $form::F32x8::from_counts($counts));
            let half = $form::F32x8::splat(0.5);
            let (exponent, mantissa) = b.split();
            let first = a.first($n, b);
            let other = b.unless_negative(a, half);
            let made = [a + b, a * b, a / b, b.sqrt(), a.max(b), first, half, exponent, mantissa, other];
            let bits = made.map(|lanes| lanes.to_array().map(f32::to_bits)).to_vec();
            let lanes = std::array::from_fn::<u32, LANES, _>(|i| a.lane(i).to_bits());
            assert_eq!(lanes, a.to_array().map(f32::to_bits));
            let all: Everything = (bits, a.max(b).equal_lanes(b), [a.sum().to_bits(), a.max(b).largest().to_bits()]);
            all
        }};
    }

    #[test]
    fn both_forms_give_the_same_bits() {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        use super::avx2 as fast;
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        use super::portable as fast;
        let mut rng = Rng::new(8);
        for round in 0..3000 {
            let a = std::array::from_fn(|_| ((rng.unit() as f32 - 0.5) * 100.0).to_bits());
            let b = std::array::from_fn(|_| 1 + rng.below(50));
            let n = round % 12;
            let portable = everything!(portable, &a, &b, n);
            assert_eq!(everything!(fast, &a, &b, n), portable);
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
