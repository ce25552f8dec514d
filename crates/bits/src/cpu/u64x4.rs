//! A vector of four 64-bit numbers, for example a board of each of four games.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use avx2::U64x4;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub use portable::U64x4;

/// The form that runs on any processor.
#[cfg_attr(all(target_arch = "x86_64", target_feature = "avx2"), cfg(test))]
pub mod portable {
    use std::array::from_fn;
    use std::ops::{BitAnd, BitOr};

    use super::super::WORDS;

    /// Four numbers of 64 bits.
    #[derive(Clone, Copy, Debug)]
    pub struct U64x4([u64; WORDS]);

    impl U64x4 {
        /// Numbers from an array.
        #[inline(always)]
        pub fn from_array(numbers: &[u64; WORDS]) -> U64x4 {
            U64x4(*numbers)
        }

        /// `number` four times.
        #[inline(always)]
        pub fn splat(number: u64) -> U64x4 {
            U64x4([number; WORDS])
        }

        /// All bits of every number `N` places up, 1 to 63.
        #[inline(always)]
        pub fn up<const N: i32>(self) -> U64x4 {
            U64x4(self.0.map(|x| x << N))
        }

        /// All bits of every number `N` places down, 1 to 63.
        #[inline(always)]
        pub fn down<const N: i32>(self) -> U64x4 {
            U64x4(self.0.map(|x| x >> N))
        }

        /// The bits that are not in `other`.
        #[inline(always)]
        pub fn and_not(self, other: U64x4) -> U64x4 {
            U64x4(from_fn(|i| self.0[i] & !other.0[i]))
        }

        /// The numbers as an array.
        #[inline(always)]
        pub fn to_array(self) -> [u64; WORDS] {
            self.0
        }
    }

    impl BitAnd for U64x4 {
        type Output = U64x4;

        #[inline(always)]
        fn bitand(self, other: U64x4) -> U64x4 {
            U64x4(from_fn(|i| self.0[i] & other.0[i]))
        }
    }

    impl BitOr for U64x4 {
        type Output = U64x4;

        #[inline(always)]
        fn bitor(self, other: U64x4) -> U64x4 {
            U64x4(from_fn(|i| self.0[i] | other.0[i]))
        }
    }
}

/// The form in one AVX register.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2 {
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr};

    use super::super::WORDS;

    /// Four numbers of 64 bits.
    #[derive(Clone, Copy, Debug)]
    pub struct U64x4(__m256i);

    impl U64x4 {
        /// Numbers from an array.
        #[inline(always)]
        pub fn from_array(numbers: &[u64; WORDS]) -> U64x4 {
            // SAFETY: the reference covers the 32 bytes read, at any alignment.
            U64x4(unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) })
        }

        /// `number` four times.
        #[inline(always)]
        pub fn splat(number: u64) -> U64x4 {
            U64x4(here!(_mm256_set1_epi64x(number as i64)))
        }

        /// All bits of every number `N` places up, 1 to 63.
        #[inline(always)]
        pub fn up<const N: i32>(self) -> U64x4 {
            U64x4(here!(_mm256_slli_epi64::<N>(self.0)))
        }

        /// All bits of every number `N` places down, 1 to 63.
        #[inline(always)]
        pub fn down<const N: i32>(self) -> U64x4 {
            U64x4(here!(_mm256_srli_epi64::<N>(self.0)))
        }

        /// The bits that are not in `other`.
        #[inline(always)]
        pub fn and_not(self, other: U64x4) -> U64x4 {
            U64x4(here!(_mm256_andnot_si256(other.0, self.0)))
        }

        /// The numbers as an array.
        #[inline(always)]
        pub fn to_array(self) -> [u64; WORDS] {
            let mut array = [0; WORDS];
            // SAFETY: the array has room for the 32 bytes written, at any alignment.
            unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), self.0) };
            array
        }
    }

    impl BitAnd for U64x4 {
        type Output = U64x4;

        #[inline(always)]
        fn bitand(self, other: U64x4) -> U64x4 {
            U64x4(here!(_mm256_and_si256(self.0, other.0)))
        }
    }

    impl BitOr for U64x4 {
        type Output = U64x4;

        #[inline(always)]
        fn bitor(self, other: U64x4) -> U64x4 {
            U64x4(here!(_mm256_or_si256(self.0, other.0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::WORDS;
    use super::portable;
    use banyan_core::Rng;

    /// The results of every operation of one form.
    macro_rules! everything {
        ($form:ident, $a:expr, $b:expr) => {{
            let (a, b) = ($form::U64x4::from_array($a), $form::U64x4::from_array($b));
            let shifted = [a.up::<1>(), a.up::<18>(), a.up::<63>(), a.down::<1>(), a.down::<9>(), a.down::<63>()];
            let made = [a & b, a | b, a.and_not(b), $form::U64x4::splat($a[0])].into_iter().chain(shifted);
            made.map(|x| x.to_array()).collect::<Vec<[u64; WORDS]>>()
        }};
    }

    #[test]
    fn both_forms_do_the_same() {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        use super::avx2 as fast;
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        use super::portable as fast;
        let mut rng = Rng::new(14);
        for _ in 0..200 {
            let (a, b) = (std::array::from_fn(|_| rng.next_u64()), std::array::from_fn(|_| rng.next_u64()));
            assert_eq!(everything!(fast, &a, &b), everything!(portable, &a, &b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn bits_move_and_are_taken_out() {
        let of = portable::U64x4::from_array;
        let a = of(&[1, 6, 1 << 63, 0]);
        assert_eq!(a.up::<2>().to_array(), [4, 24, 0, 0]);
        assert_eq!(a.down::<1>().to_array(), [0, 3, 1 << 62, 0]);
        assert_eq!(a.and_not(of(&[0, 2, 0, 1])).to_array(), [1, 4, 1 << 63, 0]);
    }
}
