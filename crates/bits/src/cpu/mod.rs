//! Bit operations and vector types, implemented for the instruction set that Banyan is compiled for.
//!
//! `.cargo/config.toml` selects x86-64-v3 (AVX2, BMI2, ...). Every operation also has a portable form with the same
//! results; where the fast form is compiled, tests compare both. The only choice at run time is [`has_avx512`], by
//! which one loop selects between two compilations of itself.

/// Calls intrinsics of an instruction set that the whole program is compiled for, as each caller's `cfg` ensures.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(not(target_feature = "avx2"), allow(unused_macros))]
macro_rules! here {
    ($call:expr) => {
        // SAFETY: the code exists only where the program is compiled for the instruction set, and no pointers are passed.
        unsafe { $call }
    };
}
pub mod f32x8;
mod prefetch;
mod refuse;
mod select;
pub mod u16x16;
pub mod u64x4;
mod zeroed;

pub use f32x8::F32x8;
pub use prefetch::prefetch;
pub use refuse::{Unsupported, check, has_unused_v3};
pub use select::{FixedMask, gather_bits, scatter_bits, select_bit, select_single_bit};
pub use u16x16::U16x16;
pub use u64x4::U64x4;
pub use zeroed::{HUGE_PAGE, advise_huge_pages, zeroed_words};

/// Numbers in an [`F32x8`].
pub const LANES: usize = 8;
/// Numbers in a [`U16x16`].
pub const SHORTS: usize = 16;
/// Numbers in a [`U64x4`].
pub const WORDS: usize = 4;

/// Whether this was compiled for x86-64-v3: AVX, AVX2, BMI1, BMI2, F16C, FMA, LZCNT, MOVBE, POPCNT.
pub const IS_V3: bool = cfg!(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    target_feature = "bmi1",
    target_feature = "bmi2",
    target_feature = "f16c",
    target_feature = "fma",
    target_feature = "lzcnt",
    target_feature = "movbe",
    target_feature = "popcnt"
));

/// The instruction set this was compiled for, for `--version` and reports of measurements.
pub fn name() -> &'static str {
    match (IS_V3, has_avx512()) {
        (true, true) => "x86-64-v3, AVX-512 in lanes",
        (true, false) => "x86-64-v3",
        (false, _) => "portable",
    }
}

/// Whether this processor has the AVX-512 extensions for integer vectors: Ice Lake, Zen 4 and later.
#[inline]
pub fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        IS_V3 && has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512dq") && has!("avx512vbmi2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_run_with_the_instruction_set_of_the_configuration() {
        // A build that bypasses the configuration sets this variable (scripts/checks/test-portable).
        let portable = option_env!("BANYAN_PORTABLE").is_some() || cfg!(not(target_arch = "x86_64"));
        assert_eq!(IS_V3, !portable, "{}", name());
    }
}
