//! Transition probabilities, and expected discounted visits of states: the successor representation (Dayan 1993; "need" in Mattar & Daw
//! 2018), by LU decomposition. Probabilities are 0 to 1, discounts from 0 to below 1, visits are counts. The orders `evb` (with `need`)
//! and `specs` solve it once a session, and an heir's query for stains uses it. It is solved and not iterated, because need is asked for
//! many states.

/// A transition matrix: probabilities of the next state, row by row; a row of zeros is a state that nothing follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Succession {
    states: usize,
    /// The matrix, row after row.
    rows: Vec<f64>,
}

impl Succession {
    /// Makes a matrix with probabilities of 0 everywhere.
    pub fn new(states: usize) -> Self {
        Self { states, rows: vec![0.0; states * states] }
    }

    /// The row of a state, to be set: the probabilities of what follows it.
    pub fn row_mut(&mut self, state: u32) -> &mut [f64] {
        let start = state as usize * self.states;
        &mut self.rows[start..start + self.states]
    }

    /// Moves a row by a share `rate`, 0 to 1, towards what happened (transition model learning).
    pub fn observe(&mut self, state: u32, next: u32, rate: f64) {
        let row = self.row_mut(state);
        row.iter_mut().for_each(|probability| *probability *= 1.0 - rate);
        row[next as usize] += rate;
    }

    /// Decomposes I − γT (LU), so that rows of its inverse can be solved; γ from 0 to below 1. The cost is of the third power of the
    /// states.
    ///
    /// # Panics
    /// When γ isn't below 1.
    pub fn solved(&self, discount: f64) -> Solved {
        assert!((0.0..1.0).contains(&discount), "a discount below 1 makes the future finite");
        let n = self.states;
        let mut lu: Vec<f64> = self.rows.iter().map(|probability| -discount * probability).collect();
        (0..n).for_each(|state| lu[state * n + state] += 1.0);
        // Rows of T sum to at most 1, so I − γT is dominated by its diagonal and needs no exchange of rows (Golub & Van Loan 2013, 4.1.1).
        for pivot in 0..n {
            let (above, below) = lu.split_at_mut((pivot + 1) * n);
            let top = &above[pivot * n..];
            for row in below.chunks_exact_mut(n) {
                // Most of a maze's matrix is 0 and stays 0, so zeros are skipped.
                if row[pivot] != 0.0 {
                    let factor = row[pivot] / top[pivot];
                    row[pivot] = factor;
                    row[pivot + 1..].iter_mut().zip(&top[pivot + 1..]).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        Solved { states: n, lu }
    }
}

/// The successor representation M = (I − γT)⁻¹, one row at a time.
#[derive(Clone, Debug)]
pub struct Solved {
    states: usize,
    /// L below the diagonal (its own diagonal is 1), U on and above it.
    lu: Vec<f64>,
}

impl Solved {
    /// Solves the row of a state, the expected discounted visits: Σ_t γ^t·P(s_t = s' | s_0 = state) for each s', at least 0. Of a state
    /// that nothing follows: 1 for itself.
    pub fn row(&self, state: u32) -> Vec<f64> {
        let n = self.states;
        let mut row = vec![0.0; n];
        row[state as usize] = 1.0;
        // x·L·U = e: first by the columns of U, then by those of L.
        for column in 0..n {
            row[column] /= self.lu[column * n + column];
            let value = row[column];
            if value != 0.0 {
                let upper = &self.lu[column * n + column + 1..(column + 1) * n];
                row[column + 1..].iter_mut().zip(upper).for_each(|(x, y)| *x -= value * y);
            }
        }
        for column in (1..n).rev() {
            let value = row[column];
            let lower = &self.lu[column * n..column * n + column];
            row[..column].iter_mut().zip(lower).for_each(|(x, y)| *x -= value * y);
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of three: M(s, s + k) = γᵏ/(1 − γ³). And M·(I − γT) = I for a matrix without structure.
    #[test]
    fn the_future_of_a_ring_by_hand() {
        let mut ring = Succession::new(3);
        (0..3).for_each(|state| ring.observe(state, (state + 1) % 3, 1.0));
        let row = ring.solved(0.9).row(1);
        for (state, power) in [(1, 1.0), (2, 0.9), (0, 0.81)] {
            assert!((row[state] - power / (1.0 - 0.729)).abs() < 1e-12, "{row:?}");
        }
        let mut any = Succession::new(4);
        for (place, (state, next)) in [(0, 1), (1, 3), (2, 2), (0, 3), (1, 0), (0, 2)].into_iter().enumerate()
        {
            any.observe(state, next, 0.3 + 0.1 * place as f64);
        }
        let solved = any.solved(0.95);
        for state in 0..4 {
            let row = solved.row(state);
            for column in 0..4_usize {
                let product: f64 = (0..4).map(|k| row[k] * 0.95 * any.rows[k * 4 + column]).sum();
                let expected = f64::from(u8::from(state as usize == column));
                assert!((row[column] - product - expected).abs() < 1e-12, "{state} {column}");
            }
        }
    }
}
