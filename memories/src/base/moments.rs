//! Moments of a sample, as descriptions of it: the divisor is n, and of nothing they are 0.

/// Arithmetic mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// Standard deviation with divisor n (of a population, not an estimate of one); 0 of nothing.
pub fn standard_deviation(values: &[f64]) -> f64 {
    let centre = mean(values);
    let squares: Vec<f64> = values.iter().map(|value| (value - centre) * (value - centre)).collect();
    mean(&squares).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// numpy 2.x: mean and std of the same values.
    #[test]
    fn moments_match_numpy() {
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert_eq!((mean(&values), standard_deviation(&values)), (5.0, 2.0));
        assert_eq!((mean(&[]), standard_deviation(&[])), (0.0, 0.0));
    }
}
