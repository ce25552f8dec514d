//! Deviations of searches of the learned evaluation from shallower ones.

use banyan_core::exp;

/// `ln deviation = constant + shallow s + deep d + empty e` for depths s and d in plies and e empty squares, the deviation in
/// 1 / [`FINE`](banyan_core::FINE) discs.
struct Deviation {
    constant: f32,
    shallow: f32,
    deep: f32,
    empty: f32,
}

/// Fitted by the example `reversi_depth_errors` with 200 games, on the third generation of weights.
const DEVIATION: Deviation = Deviation { constant: 5.658, shallow: -0.178, deep: 0.096, empty: -0.0124 };

/// The standard deviation in 1 / [`FINE`](banyan_core::FINE) discs.
#[inline]
pub(super) fn depth_error(empty: u16, shallow: u32, deep: u32) -> f32 {
    let of = DEVIATION;
    let logarithm = of.constant + of.shallow * shallow as f32 + of.deep * deep as f32 + of.empty * f32::from(empty);
    exp(f64::from(logarithm)) as f32
}
