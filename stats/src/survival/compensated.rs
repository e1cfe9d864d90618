//! A sum that keeps what rounding takes from it, so that large weights may come and go beside small ones. It is compensated summation
//! (Kahan-Neumaier style). Risk sets and the concordance index use it; plain sums are elsewhere.

/// A compensated sum: the sum and its error (Knuth's two-sum; Ogita, Rump & Oishi 2005): as if summed with twice the digits, then rounded
/// once. Of whole numbers it is exact, as a plain sum is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compensated {
    /// The plain sum.
    sum: f64,
    /// What rounding has taken from it.
    off: f64,
}

impl Compensated {
    /// Adds a value (compensated summation).
    pub(super) fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        let of_value = sum - self.sum;
        self.off += (self.sum - (sum - of_value)) + (value - of_value);
        self.sum = sum;
    }

    /// The sum, corrected by its error.
    pub(super) fn value(self) -> f64 {
        self.sum + self.off
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_terms_survive_large_ones() {
        let mut sum = Compensated::default();
        [1e6, 1e-12, 3e9, -1e6, -3e9].into_iter().for_each(|value| sum.add(value));
        assert_eq!(sum.value(), 1e-12);
        assert_ne!([1e6, 1e-12, 3e9, -1e6, -3e9].into_iter().sum::<f64>(), 1e-12, "which is why");
    }
}
