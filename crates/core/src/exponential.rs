//! Functions whose results in the standard library differ between systems. The same seed must give the same search everywhere, so they
//! are made of sums and products, which IEEE 754 rounds alike on every processor; a test of the workspace refuses the others.

use std::f64::consts::LOG2_E;

/// The logarithm of 2 in two parts, of which the first ends in 20 zeros, so that its products with small whole numbers are exact.
const LN_2: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);
/// Terms of the power series after the first: on half a doubling to either side the rest is below 2^-53.
const TERMS: u32 = 13;

/// `e^x`, with a relative error below 1e-15; 0 below -708, infinite above 709.
pub fn exp(x: f64) -> f64 {
    if x < -708.0 {
        return 0.0;
    }
    if x > 709.0 {
        return f64::INFINITY;
    }
    let doublings = (x * LOG2_E + 0.5).floor();
    let rest = (x - doublings * LN_2.0) - doublings * LN_2.1;
    let series = (1..=TERMS).rev().fold(1.0, |sum, n| 1.0 + sum * rest / f64::from(n));
    series * f64::from_bits(((doublings as i64 + 1023) as u64) << 52)
}

/// The hyperbolic tangent, to 1e-4: Lambert's continued fraction (1768), cut off behind x^2 / 13.
#[inline]
pub fn tanh(x: f32) -> f32 {
    let x2 = x * x;
    let above = x * (135_135.0 + x2 * (17_325.0 + x2 * (378.0 + x2)));
    let below = 135_135.0 + x2 * (62_370.0 + x2 * (3150.0 + x2 * 28.0));
    // From 4.97 on the fraction is too large; far out it overflows.
    if x.abs() > 4.97 { x.signum() } else { (above / below).clamp(-1.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_that_of_the_library() {
        let numbers = (-7_080_000..=7_090_000).step_by(97).map(|i| f64::from(i) / 10_000.0);
        for x in numbers.chain([0.0, -0.0, 1e-300, 0.346_573_590, -0.346_573_591]) {
            let (ours, exact) = (exp(x), x.exp());
            assert!((ours / exact - 1.0).abs() < 1e-15, "e^{x}: {ours} for {exact}");
        }
        assert_eq!([exp(0.0), exp(-1e9), exp(f64::NEG_INFINITY)], [1.0, 0.0, 0.0]);
        assert_eq!([exp(1e9), exp(f64::INFINITY)], [f64::INFINITY; 2]);
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn the_tangent_is_close_and_never_falls() {
        let mut last = -1.0;
        for i in -100_000..=100_000 {
            let x = i as f32 / 10_000.0;
            let (ours, exact) = (tanh(x), f64::from(x).tanh());
            assert!((f64::from(ours) - exact).abs() < 1e-4, "tanh {x}: {ours} for {exact}");
            assert!(ours >= last - 1e-6, "tanh falls at {x}");
            last = ours;
        }
        assert_eq!((tanh(f32::MAX), tanh(-1e30), tanh(0.0)), (1.0, -1.0, 0.0));
    }
}
