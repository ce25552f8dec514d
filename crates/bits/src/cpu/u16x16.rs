//! A vector of sixteen 16-bit numbers, for example the columns of a board.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use avx2::U16x16;
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "avx2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub use portable::U16x16;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::U16x16;

/// Whether the AVX2 form is compiled.
pub const IS_FAST: bool = cfg!(all(target_arch = "x86_64", target_feature = "avx2"));

/// The form that runs on any processor.
#[cfg_attr(
    any(all(target_arch = "x86_64", target_feature = "avx2"), all(target_arch = "wasm32", target_feature = "simd128")),
    cfg(test)
)]
pub mod portable {
    use std::array::from_fn;
    use std::ops::{Add, BitAnd, BitOr};

    use super::super::SHORTS;

    /// Sixteen numbers of 16 bits.
    #[derive(Clone, Copy, Debug)]
    pub struct U16x16([u16; SHORTS]);

    impl U16x16 {
        /// Numbers from an array.
        #[inline(always)]
        pub fn from_array(numbers: &[u16; SHORTS]) -> U16x16 {
            U16x16(*numbers)
        }

        /// All bits of every number `N` places up, 1 to 15.
        #[inline(always)]
        pub fn up<const N: i32>(self) -> U16x16 {
            U16x16(self.0.map(|x| x << N))
        }

        /// All bits of every number `N` places down, 1 to 15.
        #[inline(always)]
        pub fn down<const N: i32>(self) -> U16x16 {
            U16x16(self.0.map(|x| x >> N))
        }

        /// Number i becomes number i + `N`, 1 to 3, and the first are 0.
        #[inline(always)]
        pub fn forth<const N: i32>(self) -> U16x16 {
            const { assert!(N >= 1 && N <= 3) };
            U16x16(from_fn(|i| i.checked_sub(N as usize).map_or(0, |from| self.0[from])))
        }

        /// Number i becomes number i - `N`, 1 to 3, and the last are 0.
        #[inline(always)]
        pub fn back<const N: i32>(self) -> U16x16 {
            const { assert!(N >= 1 && N <= 3) };
            U16x16(from_fn(|i| self.0.get(i + N as usize).copied().unwrap_or(0)))
        }

        /// Whether every number is 0.
        #[inline(always)]
        pub fn is_zero(self) -> bool {
            self.0.iter().fold(0, |all, x| all | x) == 0
        }

        /// Bit i is set if number i has a bit in common with number i of `other`.
        #[inline(always)]
        pub fn meets(self, other: U16x16) -> u32 {
            (0..SHORTS).map(|i| u32::from(self.0[i] & other.0[i] != 0) << i).sum()
        }

        /// 0 for every number i whose bit i is not set in `which`.
        #[inline(always)]
        pub fn only(self, which: u32) -> U16x16 {
            U16x16(from_fn(|i| if which >> i & 1 == 1 { self.0[i] } else { 0 }))
        }

        /// The numbers as an array.
        #[inline(always)]
        pub fn to_array(self) -> [u16; SHORTS] {
            self.0
        }
    }

    impl BitAnd for U16x16 {
        type Output = U16x16;

        #[inline(always)]
        fn bitand(self, other: U16x16) -> U16x16 {
            U16x16(from_fn(|i| self.0[i] & other.0[i]))
        }
    }

    impl BitOr for U16x16 {
        type Output = U16x16;

        #[inline(always)]
        fn bitor(self, other: U16x16) -> U16x16 {
            U16x16(from_fn(|i| self.0[i] | other.0[i]))
        }
    }

    /// Wraps around.
    impl Add for U16x16 {
        type Output = U16x16;

        #[inline(always)]
        fn add(self, other: U16x16) -> U16x16 {
            U16x16(from_fn(|i| self.0[i].wrapping_add(other.0[i])))
        }
    }
}

/// The form in one AVX register. Measured: 1.45 times as many `threat` Connect Four playouts on 12x12 as with words of
/// 64 bits.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2 {
    use std::arch::x86_64::*;
    use std::ops::{Add, BitAnd, BitOr};

    use super::super::SHORTS;

    /// Sixteen numbers of 16 bits.
    #[derive(Clone, Copy, Debug)]
    pub struct U16x16(__m256i);

    impl U16x16 {
        /// Numbers from an array.
        #[inline(always)]
        pub fn from_array(numbers: &[u16; SHORTS]) -> U16x16 {
            // SAFETY: the reference covers the 32 bytes read, at any alignment.
            U16x16(unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) })
        }

        /// All bits of every number `N` places up, 1 to 15.
        #[inline(always)]
        pub fn up<const N: i32>(self) -> U16x16 {
            U16x16(here!(_mm256_slli_epi16::<N>(self.0)))
        }

        /// All bits of every number `N` places down, 1 to 15.
        #[inline(always)]
        pub fn down<const N: i32>(self) -> U16x16 {
            U16x16(here!(_mm256_srli_epi16::<N>(self.0)))
        }

        /// Number i becomes number i + `N`, 1 to 3, and the first are 0.
        #[inline(always)]
        pub fn forth<const N: i32>(self) -> U16x16 {
            const { assert!(N >= 1 && N <= 3) };
            U16x16(here!({
                let early = _mm256_permute2x128_si256::<0x08>(self.0, self.0);
                match N {
                    1 => _mm256_alignr_epi8::<14>(self.0, early),
                    2 => _mm256_alignr_epi8::<12>(self.0, early),
                    _ => _mm256_alignr_epi8::<10>(self.0, early),
                }
            }))
        }

        /// Number i becomes number i - `N`, 1 to 3, and the last are 0.
        #[inline(always)]
        pub fn back<const N: i32>(self) -> U16x16 {
            const { assert!(N >= 1 && N <= 3) };
            U16x16(here!({
                let late = _mm256_permute2x128_si256::<0x81>(self.0, self.0);
                match N {
                    1 => _mm256_alignr_epi8::<2>(late, self.0),
                    2 => _mm256_alignr_epi8::<4>(late, self.0),
                    _ => _mm256_alignr_epi8::<6>(late, self.0),
                }
            }))
        }

        /// Whether every number is 0.
        #[inline(always)]
        pub fn is_zero(self) -> bool {
            here!(_mm256_testz_si256(self.0, self.0)) == 1
        }

        /// Bit i is set if number i has a bit in common with number i of `other`.
        #[inline(always)]
        pub fn meets(self, other: U16x16) -> u32 {
            let apart = here!({
                let apart = _mm256_cmpeq_epi16(_mm256_and_si256(self.0, other.0), _mm256_setzero_si256());
                let halves = (_mm256_castsi256_si128(apart), _mm256_extracti128_si256::<1>(apart));
                _mm_movemask_epi8(_mm_packs_epi16(halves.0, halves.1))
            });
            !(apart as u32) & 0xffff
        }

        /// 0 for every number i whose bit i is not set in `which`.
        #[inline(always)]
        pub fn only(self, which: u32) -> U16x16 {
            const BITS: [u16; SHORTS] = {
                let (mut bits, mut i) = ([0; SHORTS], 0);
                while i < SHORTS {
                    bits[i] = 1 << i;
                    i += 1;
                }
                bits
            };
            let bits = U16x16::from_array(&BITS).0;
            U16x16(here!({
                let set = _mm256_and_si256(_mm256_set1_epi16(which as i16), bits);
                _mm256_and_si256(self.0, _mm256_cmpeq_epi16(set, bits))
            }))
        }

        /// The numbers as an array.
        #[inline(always)]
        pub fn to_array(self) -> [u16; SHORTS] {
            let mut array = [0; SHORTS];
            // SAFETY: the array has room for the 32 bytes written, at any alignment.
            unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), self.0) };
            array
        }
    }

    impl BitAnd for U16x16 {
        type Output = U16x16;

        #[inline(always)]
        fn bitand(self, other: U16x16) -> U16x16 {
            U16x16(here!(_mm256_and_si256(self.0, other.0)))
        }
    }

    impl BitOr for U16x16 {
        type Output = U16x16;

        #[inline(always)]
        fn bitor(self, other: U16x16) -> U16x16 {
            U16x16(here!(_mm256_or_si256(self.0, other.0)))
        }
    }

    /// Wraps around.
    impl Add for U16x16 {
        type Output = U16x16;

        #[inline(always)]
        fn add(self, other: U16x16) -> U16x16 {
            U16x16(here!(_mm256_add_epi16(self.0, other.0)))
        }
    }
}

/// The form in two registers of WebAssembly. The module's answers are compared with those of the AVX form (`./test --only wasm`).
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub mod simd128 {
    use std::arch::wasm32::*;
    use std::array::from_fn;
    use std::ops::{Add, BitAnd, BitOr};

    use super::super::SHORTS;

    /// Sixteen numbers of 16 bits.
    #[derive(Clone, Copy, Debug)]
    pub struct U16x16([v128; 2]);

    impl U16x16 {
        /// Numbers from an array.
        #[inline(always)]
        pub fn from_array(numbers: &[u16; SHORTS]) -> U16x16 {
            let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *numbers;
            U16x16([u16x8(a, b, c, d, e, f, g, h), u16x8(i, j, k, l, m, n, o, p)])
        }

        /// All bits of every number `N` places up, 1 to 15.
        #[inline(always)]
        pub fn up<const N: i32>(self) -> U16x16 {
            U16x16(self.0.map(|x| i16x8_shl(x, N as u32)))
        }

        /// All bits of every number `N` places down, 1 to 15.
        #[inline(always)]
        pub fn down<const N: i32>(self) -> U16x16 {
            U16x16(self.0.map(|x| u16x8_shr(x, N as u32)))
        }

        /// Number i becomes number i + `N`, 1 to 3, and the first are 0.
        #[inline(always)]
        pub fn forth<const N: i32>(self) -> U16x16 {
            const { assert!(N >= 1 && N <= 3) };
            let [low, high] = self.0;
            U16x16([(u16x8_splat(0), low), (low, high)].map(|(a, b)| match N {
                1 => i16x8_shuffle::<7, 8, 9, 10, 11, 12, 13, 14>(a, b),
                2 => i16x8_shuffle::<6, 7, 8, 9, 10, 11, 12, 13>(a, b),
                _ => i16x8_shuffle::<5, 6, 7, 8, 9, 10, 11, 12>(a, b),
            }))
        }

        /// Number i becomes number i - `N`, 1 to 3, and the last are 0.
        #[inline(always)]
        pub fn back<const N: i32>(self) -> U16x16 {
            const { assert!(N >= 1 && N <= 3) };
            let [low, high] = self.0;
            U16x16([(low, high), (high, u16x8_splat(0))].map(|(a, b)| match N {
                1 => i16x8_shuffle::<1, 2, 3, 4, 5, 6, 7, 8>(a, b),
                2 => i16x8_shuffle::<2, 3, 4, 5, 6, 7, 8, 9>(a, b),
                _ => i16x8_shuffle::<3, 4, 5, 6, 7, 8, 9, 10>(a, b),
            }))
        }

        /// Whether every number is 0.
        #[inline(always)]
        pub fn is_zero(self) -> bool {
            !v128_any_true(v128_or(self.0[0], self.0[1]))
        }

        /// Bit i is set if number i has a bit in common with number i of `other`.
        #[inline(always)]
        pub fn meets(self, other: U16x16) -> u32 {
            let [low, high] = from_fn(|i| i16x8_bitmask(i16x8_ne(v128_and(self.0[i], other.0[i]), u16x8_splat(0))));
            u32::from(low) | u32::from(high) << 8
        }

        /// 0 for every number i whose bit i is not set in `which`.
        #[inline(always)]
        pub fn only(self, which: u32) -> U16x16 {
            let bits = u16x8(1, 2, 4, 8, 16, 32, 64, 128);
            let parts = [which as u16 & 255, which as u16 >> 8].map(|part| u16x8_splat(part));
            U16x16(from_fn(|i| v128_and(self.0[i], i16x8_eq(v128_and(parts[i], bits), bits))))
        }

        /// The numbers as an array.
        #[inline(always)]
        pub fn to_array(self) -> [u16; SHORTS] {
            macro_rules! lanes {
                ($($lane:literal)*) => {
                    [$(u16x8_extract_lane::<$lane>(self.0[0]),)* $(u16x8_extract_lane::<$lane>(self.0[1]),)*]
                };
            }
            lanes!(0 1 2 3 4 5 6 7)
        }
    }

    impl BitAnd for U16x16 {
        type Output = U16x16;

        #[inline(always)]
        fn bitand(self, other: U16x16) -> U16x16 {
            U16x16(from_fn(|i| v128_and(self.0[i], other.0[i])))
        }
    }

    impl BitOr for U16x16 {
        type Output = U16x16;

        #[inline(always)]
        fn bitor(self, other: U16x16) -> U16x16 {
            U16x16(from_fn(|i| v128_or(self.0[i], other.0[i])))
        }
    }

    /// Wraps around.
    impl Add for U16x16 {
        type Output = U16x16;

        #[inline(always)]
        fn add(self, other: U16x16) -> U16x16 {
            U16x16(from_fn(|i| i16x8_add(self.0[i], other.0[i])))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::SHORTS;
    use super::portable;
    use banyan_core::Rng;

    type Everything = (Vec<[u16; SHORTS]>, [u32; 2], [bool; 2]);

    /// The results of every operation of one form.
    macro_rules! everything {
        ($form:ident, $a:expr, $b:expr, $which:expr) => {{
            let (a, b) = ($form::U16x16::from_array($a), $form::U16x16::from_array($b));
            let shifted = [a.up::<1>(), a.up::<3>(), a.up::<15>(), a.down::<1>(), a.down::<2>(), a.down::<15>()];
            let moved = [a.forth::<1>(), a.forth::<2>(), a.forth::<3>(), a.back::<1>(), a.back::<2>(), a.back::<3>()];
            let made = [a & b, a | b, a + b, a.only($which)].into_iter().chain(shifted).chain(moved);
            let all: Everything =
                (made.map(|x| x.to_array()).collect(), [a.meets(b), a.meets(a)], [(a & b).is_zero(), a.is_zero()]);
            all
        }};
    }

    #[test]
    fn both_forms_do_the_same() {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        use super::avx2 as fast;
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        use super::portable as fast;
        let mut rng = Rng::new(12);
        for density in 0..500 {
            // Mostly zeros, few bits and many.
            let mut number = |_| (0..density % 5).fold(rng.next_u64(), |bits, _| bits & rng.next_u64()) as u16;
            let (a, b) = (std::array::from_fn(&mut number), std::array::from_fn(&mut number));
            let which = rng.next_u64() as u32 & 0xffff;
            assert_eq!(everything!(fast, &a, &b, which), everything!(portable, &a, &b, which), "{a:?} {b:?} {which:x}");
        }
        for (a, b) in [([0; SHORTS], [0; SHORTS]), ([u16::MAX; SHORTS], [u16::MAX; SHORTS])] {
            assert_eq!(everything!(fast, &a, &b, 0), everything!(portable, &a, &b, 0));
        }
    }

    #[test]
    fn moves_and_masks_do_as_documented() {
        let of = |numbers: &[u16; SHORTS]| portable::U16x16::from_array(numbers);
        let a = of(&std::array::from_fn(|i| i as u16 + 1));
        assert_eq!(a.forth::<2>().to_array(), [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
        assert_eq!(a.back::<3>().to_array(), [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0, 0, 0]);
        assert_eq!(a.meets(of(&[4; SHORTS])), 0b0111_1000_0111_1000);
        assert_eq!(a.only(0b101).to_array(), [1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!((of(&[u16::MAX; SHORTS]) + of(&[2; SHORTS])).to_array(), [1; SHORTS]);
    }
}
