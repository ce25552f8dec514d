//! The work of searches in words.

/// `1000 nodes in 0.01 s, 0.1 M nodes/s`
pub(crate) fn work(nodes: u64, elapsed_ms: f64) -> String {
    format!("{nodes} nodes in {:.2} s, {}", elapsed_ms / 1000.0, rate(nodes, elapsed_ms))
}

/// `0.1 M nodes/s`
pub(crate) fn rate(nodes: u64, elapsed_ms: f64) -> String {
    format!("{:.1} M nodes/s", nodes as f64 / (elapsed_ms / 1000.0).max(1e-6) / 1e6)
}

/// The mean time of each of `n`: `0.017 ms`, `1.25 s`.
pub(crate) fn mean_time(elapsed_ms: f64, n: u64) -> String {
    match elapsed_ms / n.max(1) as f64 {
        ms @ ..1.0 => format!("{ms:.3} ms"),
        ms @ ..1000.0 => format!("{ms:.1} ms"),
        ms => format!("{:.2} s", ms / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_the_unit_that_shows_them() {
        assert_eq!(
            [(1.7, 100), (250.0, 2), (2500.0, 2)].map(|(ms, n)| mean_time(ms, n)),
            ["0.017 ms", "125.0 ms", "1.25 s"]
        );
        assert_eq!(mean_time(0.0, 0), "0.000 ms");
        assert_eq!(work(1_000_000, 500.0), "1000000 nodes in 0.50 s, 2.0 M nodes/s");
    }
}
