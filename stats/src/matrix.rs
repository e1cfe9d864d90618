//! Cholesky's factorisation of small symmetric positive definite matrices: as many rows as a model has columns.
//!
//! By hand rather than by LAPACK: a dozen rows need no blocking, a library in C or Fortran would sum in an order of its own on each
//! machine, and what is asked for beside the factors, which row depends on those before it, LAPACK reports as the order of the leading minor alone.
//!
//! It is the Cholesky decomposition of a covariance or Hessian (solve, inverse); a rank-deficient matrix is an error with its row, from
//! which callers name the column or group that is too many. Callers are the Cox model, its Wald test and the log-rank test. How small a
//! pivot may be is the caller's to say.

use ndarray::{Array2, ArrayView2};

/// The lower factor L of the Cholesky decomposition A = L·Lᵀ.
pub(crate) struct Cholesky {
    /// L; above its diagonal all is 0.
    lower: Array2<f64>,
}

impl Cholesky {
    /// Factors a symmetric matrix, of which only the lower triangle is read (Cholesky factorization). When a pivot is not above its floor, the
    /// error is its row: up to rounding, that row depends on those before it.
    pub(crate) fn new(
        matrix: ArrayView2<'_, f64>,
        pivot_floor: impl Fn(usize) -> f64,
    ) -> Result<Self, usize> {
        let size = matrix.nrows();
        let mut lower = Array2::zeros((size, size));
        for row in 0..size {
            for column in 0..=row {
                let products = (0..column).map(|k| lower[[row, k]] * lower[[column, k]]);
                let left = matrix[[row, column]] - products.sum::<f64>();
                if column < row {
                    lower[[row, column]] = left / lower[[column, column]];
                } else if left > pivot_floor(row) && left.is_finite() {
                    lower[[row, row]] = left.sqrt();
                } else {
                    return Err(row);
                }
            }
        }
        Ok(Self { lower })
    }

    /// Solves a linear system for x of A·x = b, forwards through L and backwards through Lᵀ (back substitution).
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (lower, size) = (&self.lower, b.len());
        let mut x = b.to_vec();
        for row in 0..size {
            let known: f64 = (0..row).map(|k| lower[[row, k]] * x[k]).sum();
            x[row] = (x[row] - known) / lower[[row, row]];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|k| lower[[k, row]] * x[k]).sum();
            x[row] = (x[row] - known) / lower[[row, row]];
        }
        x
    }

    /// Inverts the matrix: A⁻¹, symmetric up to rounding.
    pub(crate) fn inverse(&self) -> Array2<f64> {
        let size = self.lower.nrows();
        let mut inverse = Array2::eye(size);
        for mut row in inverse.rows_mut() {
            let column = self.solve(row.as_slice().expect("rows of a new matrix are contiguous"));
            row.iter_mut().zip(column).for_each(|(place, value)| *place = value);
        }
        inverse
    }
}

/// Multiplies a matrix and a vector, A·x.
pub(crate) fn times(matrix: ArrayView2<'_, f64>, x: &[f64]) -> Vec<f64> {
    matrix.rows().into_iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// By hand: L = [[2, 0, 0], [1, 2, 0], [.3, .6, √2.55]].
    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = array![[4.0, 2.0, 0.6], [2.0, 5.0, 1.5], [0.6, 1.5, 3.0]];
        let factors = Cholesky::new(matrix.view(), |_| 0.0).ok().unwrap();
        let by_hand = array![[2.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.3, 0.6, 2.55_f64.sqrt()]];
        assert!(factors.lower.iter().zip(&by_hand).all(|(found, expected)| (found - expected).abs() < 1e-15));
        let product = matrix.dot(&factors.inverse());
        for ((i, j), value) in product.indexed_iter() {
            assert!((value - f64::from(u8::from(i == j))).abs() < 1e-14, "{product}");
        }
    }

    #[test]
    fn the_row_that_depends_on_others_is_named() {
        let matrix = array![[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 2.0]];
        assert_eq!(Cholesky::new(matrix.view(), |_| 1e-12).err(), Some(2));
    }

    #[test]
    fn a_product_by_hand() {
        let matrix = array![[2.0, 1.0], [1.0, 3.0]];
        assert_eq!(times(matrix.view(), &[1.0, -2.0]), [0.0, -5.0]);
    }
}
