//! Numbers as results show them.

/// Rounds to three digits.
pub(crate) fn short(x: f64) -> String {
    format!("{x:.2e}").parse::<f64>().map_or_else(|_| x.to_string(), |x| x.to_string())
}

/// Rounds to 1e-6, far below the resolution of any sweep, so that the last digit does not depend on the machine.
pub(super) fn digits(x: f64) -> f64 {
    (x * 1e6).round() / 1e6 + 0.0
}
