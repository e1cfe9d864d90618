//! Ridge regression on standardised features (L2-regularised least squares), solved by Cholesky decomposition.
//!
//! Outcomes are in their own unit (R, or a share of a horizon); features are standardised inside. Fewer than two outcomes give a constant.
//! It predicts both the result and the share of the horizon that a trade is held.

use serde::{Deserialize, Serialize};

/// A linear regression model: ŷ = mean + Σ w·(x − centre), with the weights in units of the raw features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Linear {
    intercept: f64,
    weights: Box<[f32]>,
}

/// Penalty on each standardised weight, as a share of the rows. Our choice: two in a hundred shrinks weights of features that
/// hardly covary with the outcome, and takes a fiftieth off the others.
const PENALTY: f64 = 0.02;

impl Linear {
    /// The same prediction for every row: a null model (intercept only).
    pub(super) fn constant(value: f64, width: usize) -> Self {
        Self { intercept: value, weights: vec![0.0; width].into_boxed_slice() }
    }

    /// Fits least squares with a ridge penalty (regularised linear regression) by the normal equations: rows of `width` features, one after
    /// another, and an outcome for each. A feature that doesn't vary has no weight.
    pub(super) fn fit(rows: &[f32], width: usize, outcomes: &[f64]) -> Self {
        let n = outcomes.len() as f64;
        let mean_y = outcomes.iter().sum::<f64>() / n.max(1.0);
        if outcomes.len() < 2 {
            return Self::constant(mean_y, width);
        }
        let (mut means, mut squares) = (vec![0.0; width], vec![0.0; width]);
        for row in rows.chunks_exact(width) {
            for (place, value) in row.iter().enumerate() {
                means[place] += f64::from(*value) / n;
                squares[place] += f64::from(*value) * f64::from(*value) / n;
            }
        }
        let scale = |place: usize| {
            let variance: f64 = squares[place] - means[place] * means[place];
            if variance > 1e-9 { 1.0 / variance.sqrt() } else { 0.0 }
        };
        let scales: Vec<f64> = (0..width).map(scale).collect();
        let mut normal = vec![0.0; width * width];
        let mut right = vec![0.0; width];
        let mut standard = vec![0.0; width];
        for (row, outcome) in rows.chunks_exact(width).zip(outcomes) {
            let raw = row.iter().zip(&means).zip(&scales);
            for (standard, ((value, mean), scale)) in standard.iter_mut().zip(raw) {
                *standard = (f64::from(*value) - mean) * scale;
            }
            for (i, (right, own)) in right.iter_mut().zip(&standard).enumerate() {
                *right += own * (outcome - mean_y);
                for (cell, other) in normal[i * width..].iter_mut().zip(&standard[..=i]) {
                    *cell += own * other;
                }
            }
        }
        (0..width).for_each(|i| normal[i * width + i] += PENALTY * n);
        let solved = solve(&mut normal, right);
        let weights: Vec<f64> = solved.iter().zip(&scales).map(|(weight, scale)| weight * scale).collect();
        let centre: f64 = weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum();
        Self { intercept: mean_y - centre, weights: weights.iter().map(|weight| *weight as f32).collect() }
    }

    /// The linear prediction for a row: a dot product with the weights, and the intercept.
    pub(super) fn at(&self, row: &[f32]) -> f64 {
        self.intercept + self.weights.iter().zip(row).map(|(w, x)| f64::from(*w) * f64::from(*x)).sum::<f64>()
    }
}

/// Solves A·x = b for a positive definite A, of which the lower half is given, row by row (Cholesky).
fn solve(a: &mut [f64], mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let rest = a[i * n + j] - dot;
            a[i * n + j] = if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / a[j * n + j] };
        }
    }
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| a[i * n + k] * b[k]).sum();
        b[i] = (b[i] - dot) / a[i * n + i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k]).sum();
        b[i] = (b[i] - dot) / a[i * n + i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4·3 + 2·(−1) = 10 and 2·3 + 3·(−1) = 3.
    #[test]
    fn a_small_system_is_solved() {
        let x = solve(&mut [4.0, 0.0, 2.0, 3.0], vec![10.0, 3.0]);
        assert!((x[0] - 3.0).abs() < 1e-12 && (x[1] + 1.0).abs() < 1e-12, "{x:?}");
    }

    /// y = 5 + 2·a − b, on a grid: the ridge takes a fiftieth off of each slope, and nothing off of the mean.
    #[test]
    fn slopes_are_found_and_shrunk_a_little() {
        let (mut rows, mut outcomes) = (Vec::new(), Vec::new());
        for a in -5_i8..=5 {
            for b in -5_i8..=5 {
                rows.extend([f32::from(a), f32::from(b), 1.0]);
                outcomes.push(5.0 + 2.0 * f64::from(a) - f64::from(b));
            }
        }
        let fitted = Linear::fit(&rows, 3, &outcomes);
        assert!((fitted.at(&[0.0, 0.0, 1.0]) - 5.0).abs() < 1e-6);
        let slope = fitted.at(&[1.0, 0.0, 1.0]) - 5.0;
        assert!((slope - 2.0 / 1.02).abs() < 1e-6, "{slope}");
        assert_eq!(Linear::fit(&[], 3, &[]).at(&[1.0, 1.0, 1.0]), 0.0);
    }
}
