//! Solving with the information matrices of ratings, which are symmetric and positive definite.

/// A symmetric positive definite matrix in its Cholesky factor: lower triangle, row by row.
pub struct Factor {
    rows: Vec<Vec<f64>>,
}

impl Factor {
    /// Factor of `matrix`. Pivots that rounding has reduced to 0 or below are clamped above 0, which makes their
    /// uncertainty large instead of undefined.
    pub fn of(matrix: &[Vec<f64>]) -> Factor {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (i, source) in matrix.iter().enumerate() {
            let mut row = Vec::with_capacity(i + 1);
            for j in 0..=i {
                let above: &[f64] = if j == i { &row } else { &rows[j][..j] };
                let rest = source[j] - row.iter().zip(above).map(|(a, b)| a * b).sum::<f64>();
                row.push(if j == i { rest.max(1e-12).sqrt() } else { rest / rows[j][j] });
            }
            rows.push(row);
        }
        Factor { rows }
    }

    /// The vector x with matrix x = `right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.rows.len();
        let mut x = right.to_vec();
        for i in 0..n {
            let done: f64 = (0..i).map(|j| self.rows[i][j] * x[j]).sum();
            x[i] = (x[i] - done) / self.rows[i][i];
        }
        for i in (0..n).rev() {
            let done: f64 = (i + 1..n).map(|j| self.rows[j][i] * x[j]).sum();
            x[i] = (x[i] - done) / self.rows[i][i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_satisfy_the_equations() {
        let matrix = vec![vec![4.0, -1.0, -2.0], vec![-1.0, 3.0, -1.0], vec![-2.0, -1.0, 5.0]];
        let x = Factor::of(&matrix).solve(&[1.0, 2.0, 3.0]);
        for (row, right) in matrix.iter().zip([1.0, 2.0, 3.0]) {
            let product: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum();
            assert!((product - right).abs() < 1e-12);
        }
    }
}
