//! The calibration of forecasts: expected R of a trade against its realised R, both net of costs.
//!
//! | figure | is | perfect |
//! |---|---|---|
//! | slope | Σ(x − x̄)(y − ȳ) / Σ(x − x̄)², of realised y on expected x | 1 |
//! | correlation | Pearson's | 1 |
//! | bias | x̄ − ȳ, R | 0 |
//!
//! It is a calibration curve reduced to a slope (Mincer-Zarnowitz regression), over all closed trades of a cohort: the measures
//! `expected_r_slope`, `expected_r_correlation` and `expected_r_bias`.
//!
//! A slope below 1 means that golems expect too much of what they remember, because outcomes regress to the mean.

/// Compares expected with realised R of trades, in one pass. Welford's co-moments instead of sums of products: R is small beside its count,
/// and a difference of two large sums would lose the digits that a slope is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForecastCalibration {
    number: u64,
    /// Running means x̄ and ȳ.
    expected: f64,
    realised: f64,
    /// Sums of squares about the means, and of products.
    expected_squares: f64,
    realised_squares: f64,
    products: f64,
}

impl ForecastCalibration {
    /// Takes in the next pair of forecast and outcome, by Welford's online update.
    pub fn take(&mut self, expected_r: f64, realised_r: f64) {
        self.number += 1;
        let share = 1.0 / self.number as f64;
        let (before_x, before_y) = (expected_r - self.expected, realised_r - self.realised);
        self.expected += before_x * share;
        self.realised += before_y * share;
        self.expected_squares += before_x * (expected_r - self.expected);
        self.realised_squares += before_y * (realised_r - self.realised);
        self.products += before_x * (realised_r - self.realised);
    }

    /// The calibration slope, of realised on expected R; 0 where expectations say nothing; `None` when all expected the same.
    pub fn slope(&self) -> Option<f64> {
        (self.number > 1 && self.expected_squares > 0.0).then(|| self.products / self.expected_squares)
    }

    /// Pearson's correlation coefficient of the two; `None` when either is always the same.
    pub fn correlation(&self) -> Option<f64> {
        let scale = (self.expected_squares * self.realised_squares).sqrt();
        (self.number > 1 && scale > 0.0).then(|| self.products / scale)
    }

    /// The forecast bias: the mean of expected less realised R; above 0 where golems expect too much (overconfidence); `None` without
    /// trades.
    pub fn bias(&self) -> Option<f64> {
        (self.number > 0).then_some(self.expected - self.realised)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Least squares by its sums: Sxy = .718, Sxx = .228, Syy = 4.068.
    #[test]
    fn slope_and_correlation_are_those_of_the_line() {
        let mut trades = ForecastCalibration::default();
        for (expected, realised) in [(0.1, 1.2), (0.4, 0.8), (-0.2, -1.0), (0.3, 0.5), (0.0, -0.9)] {
            trades.take(expected, realised);
        }
        assert!((trades.slope().unwrap() - 3.149122807017544).abs() < 1e-12, "{:?}", trades.slope());
        assert!(
            (trades.correlation().unwrap() - 0.7455324454356733).abs() < 1e-9,
            "{:?}",
            trades.correlation()
        );
        assert!((trades.bias().unwrap() - 0.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        let mut trades = ForecastCalibration::default();
        assert_eq!((trades.slope(), trades.correlation(), trades.bias()), (None, None, None));
        trades.take(0.2, 1.0);
        trades.take(0.2, -1.0);
        assert_eq!((trades.slope(), trades.correlation()), (None, None));
    }
}
