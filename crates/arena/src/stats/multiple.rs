//! Several comparisons of one experiment.

/// The probabilities of single comparisons, adjusted by Holm's procedure (Holm 1979, "A simple sequentially rejective multiple test
/// procedure"): if those adjusted to at most 5 % are called different, no equal ones are among these with a probability of at least 95 %,
/// however the comparisons depend on one another. The smallest of `m` is multiplied by `m`, the next one by `m - 1`, and none becomes smaller than one before it.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let (mut adjusted, mut largest) = (vec![1.0; p.len()], 0.0_f64);
    for (rank, &idx) in order.iter().enumerate() {
        largest = largest.max(p[idx] * (p.len() - rank) as f64).min(1.0);
        adjusted[idx] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(p: &[f64], expected: &[f64]) {
        let found = holm(p);
        let is_equal = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(is_equal, "{p:?}: {found:?}, by hand {expected:?}");
    }

    #[test]
    fn probabilities_are_adjusted_as_by_hand() {
        // 4 x 0.005, 3 x 0.01, 2 x 0.03, and 1 x 0.04, which may not fall below the one before it.
        check(&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]);
        check(&[0.04], &[0.04]);
        check(&[0.5, 0.02, 1.0], &[1.0, 0.06, 1.0]);
        check(&[0.0, 0.0], &[0.0, 0.0]);
        check(&[], &[]);
    }
}
