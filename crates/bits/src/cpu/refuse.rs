//! Whether the processor has the instruction set that this program is compiled for.

use std::fmt;

/// The processor lacks instructions that the program is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported;

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this processor lacks AVX2, for which Banyan was compiled: expected x86-64-v3 (Intel Haswell of 2013, AMD Zen \
             of 2017 or later); build it for any processor with RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release",
        )
    }
}

impl std::error::Error for Unsupported {}

/// Whether this processor has the instruction set that the program is compiled for. Must be called before anything
/// else: on a processor without AVX2, code compiled for it crashes with an illegal instruction.
///
/// Reads CPUID itself: under these compiler flags the library's `is_x86_feature_detected!` is constant.
///
/// # Errors
/// The processor lacks it.
#[inline(never)]
pub fn check() -> Result<(), Unsupported> {
    #[cfg(target_arch = "x86_64")]
    if super::IS_V3 && !x86::has_v3() {
        return Err(Unsupported);
    }
    Ok(())
}

/// Whether this processor has x86-64-v3 and the program was not compiled for it.
pub fn has_unused_v3() -> bool {
    #[cfg(target_arch = "x86_64")]
    return !super::IS_V3 && x86::has_v3();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::asm;
    use std::arch::x86_64::{__cpuid, __cpuid_count, CpuidResult};

    // Bits of CPUID (Intel SDM volume 2A, CPUID; AMD APM volume 3, appendix E).
    const FMA: u32 = 1 << 12;
    const MOVBE: u32 = 1 << 22;
    const POPCNT: u32 = 1 << 23;
    const OSXSAVE: u32 = 1 << 27;
    const AVX: u32 = 1 << 28;
    const F16C: u32 = 1 << 29;
    const BMI1: u32 = 1 << 3;
    const AVX2: u32 = 1 << 5;
    const BMI2: u32 = 1 << 8;
    const LZCNT: u32 = 1 << 5;
    const LEAF_1: u32 = FMA | MOVBE | POPCNT | OSXSAVE | AVX | F16C;
    const LEAF_7: u32 = BMI1 | AVX2 | BMI2;
    /// The system saves the registers of SSE and AVX.
    const SAVED: u32 = 0b110;

    pub(super) fn has_v3() -> bool {
        let CpuidResult { eax: most, .. } = __cpuid(0);
        let CpuidResult { eax: most_extended, .. } = __cpuid(0x8000_0000);
        most >= 7
            && most_extended >= 0x8000_0001
            && __cpuid(1).ecx & LEAF_1 == LEAF_1
            && __cpuid_count(7, 0).ebx & LEAF_7 == LEAF_7
            && __cpuid(0x8000_0001).ecx & LZCNT == LZCNT
            && saved_registers() & SAVED == SAVED
    }

    /// The registers that the system saves at context switches (XCR0).
    fn saved_registers() -> u32 {
        let low: u32;
        // SAFETY: XGETBV exists, since OSXSAVE is set (checked before), and reads a register into two others.
        unsafe { asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _, options(nomem, nostack, preserves_flags)) };
        low
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn detection_agrees_with_the_library() {
            // Not known at compile time, so the library does detect it; AVX-512 implies x86-64-v3.
            if std::arch::is_x86_feature_detected!("avx512f") {
                assert!(has_v3());
            }
            if super::super::super::IS_V3 {
                assert!(has_v3(), "the test runs, so the processor has what it is compiled for");
            }
        }
    }
}
