//! Cholesky's factorisation of small symmetric positive definite matrices.

/// A symmetric matrix, row by row.
pub type Matrix = Vec<Vec<f64>>;

/// A matrix of zeros.
pub fn zeros(size: usize) -> Matrix {
    vec![vec![0.0; size]; size]
}

/// The lower factor L of A = L·Lᵀ.
pub struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// Factors a matrix. When a pivot is not above its floor, the error is its row: up to rounding, that row depends on those
    /// before it.
    pub fn new(matrix: &Matrix, pivot_floor: impl Fn(usize) -> f64) -> Result<Self, usize> {
        let size = matrix.len();
        let mut lower = zeros(size);
        for row in 0..size {
            for column in 0..=row {
                let products = (0..column).map(|k| lower[row][k] * lower[column][k]);
                let left = matrix[row][column] - products.sum::<f64>();
                if column < row {
                    lower[row][column] = left / lower[column][column];
                } else if left > pivot_floor(row) && left.is_finite() {
                    lower[row][row] = left.sqrt();
                } else {
                    return Err(row);
                }
            }
        }
        Ok(Self { lower })
    }

    /// x of A·x = b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (lower, size) = (&self.lower, b.len());
        let mut x = b.to_vec();
        for row in 0..size {
            let known: f64 = (0..row).map(|k| lower[row][k] * x[k]).sum();
            x[row] = (x[row] - known) / lower[row][row];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|k| lower[k][row] * x[k]).sum();
            x[row] = (x[row] - known) / lower[row][row];
        }
        x
    }

    /// A⁻¹.
    pub fn inverse(&self) -> Matrix {
        let size = self.lower.len();
        let column = |index: usize| {
            let mut unit = vec![0.0; size];
            unit[index] = 1.0;
            self.solve(&unit)
        };
        (0..size).map(column).collect()
    }
}

/// xᵀ·A·x.
pub fn quadratic_form(matrix: &Matrix, x: &[f64]) -> f64 {
    matrix.iter().zip(x).map(|(row, outer)| outer * dot(row, x)).sum()
}

/// Σ a·b.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![vec![4.0, 2.0, 0.6], vec![2.0, 5.0, 1.5], vec![0.6, 1.5, 3.0]];
        let inverse = Cholesky::new(&matrix, |_| 0.0).ok().unwrap().inverse();
        for (i, row) in matrix.iter().enumerate() {
            for (j, column) in inverse.iter().enumerate() {
                assert!((dot(row, column) - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn the_row_that_depends_on_others_is_named() {
        let matrix = vec![vec![1.0, 0.0, 1.0], vec![0.0, 1.0, 1.0], vec![1.0, 1.0, 2.0]];
        assert_eq!(Cholesky::new(&matrix, |_| 1e-12).err(), Some(2));
    }
}
