//! Eight children at a time: their numbers, logarithms, and the formulas that score them.

use banyan_bits::cpu::{F32x8, LANES};

/// A formula for eight children at a time. (A trait and not a closure: only a function can be inlined by attribute into
/// the loop that is compiled for the best instruction set.)
pub(super) trait Score {
    /// Scores of eight children with these visits and means, seen by the mover, starting with child `from`, of which the
    /// first `inside` belong to the node.
    fn score(&self, n: F32x8, mean: F32x8, from: usize, inside: usize) -> F32x8;
}

/// Eight adjacent numbers, the first `inside` of which belong to the node; the others are 0.
#[inline(always)]
pub(super) fn numbers(words: &[u32], from: usize, inside: usize) -> F32x8 {
    F32x8::from_bits(eight(words, from)).first(inside, F32x8::splat(0.0))
}

/// Eight adjacent words.
#[inline(always)]
pub(super) fn eight(words: &[u32], from: usize) -> &[u32; LANES] {
    words[from..from + LANES].try_into().expect("lists are padded")
}

/// ln of eight positive numbers, of whole ones to 3e-7 relative: the library's own logarithm differs between systems, and the
/// same seed must give the same search everywhere. Exponent and mantissa are handled apart, the latter by the series of
/// artanh.
#[inline(always)]
pub(super) fn natural_logs(numbers: F32x8) -> F32x8 {
    let one = F32x8::splat(1.0);
    let (exponent, mantissa) = numbers.split();
    let t = (mantissa + F32x8::splat(-1.0)) / (mantissa + one);
    let t2 = t * t;
    let mut series = F32x8::splat(1.0 / 9.0);
    series = F32x8::splat(1.0 / 7.0) + t2 * series;
    series = F32x8::splat(1.0 / 5.0) + t2 * series;
    series = F32x8::splat(1.0 / 3.0) + t2 * series;
    series = one + t2 * series;
    exponent * F32x8::splat(std::f32::consts::LN_2) + t * F32x8::splat(2.0) * series
}
