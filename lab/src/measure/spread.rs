//! Mean and spread of values that come one by one (Welford 1962).

/// Values seen so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    number: u64,
    mean: f64,
    squares: f64,
}

impl Spread {
    /// Takes in the next value.
    pub fn take(&mut self, value: f64) {
        self.number += 1;
        let away = value - self.mean;
        self.mean += away / self.number as f64;
        self.squares += away * (value - self.mean);
    }

    /// Mean over standard deviation (divisor n − 1); `None` for fewer than two values, or when all are the same.
    pub fn mean_over_deviation(&self) -> Option<f64> {
        let deviation = (self.number > 1).then(|| (self.squares / (self.number - 1) as f64).sqrt())?;
        (deviation > 0.0).then(|| self.mean / deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2, 4, 4, 4, 5, 5, 7, 9: mean 5, standard deviation √(32 / 7).
    #[test]
    fn mean_over_deviation_of_a_textbook_sample() {
        let mut spread = Spread::default();
        spread.take(2.0);
        assert_eq!(spread.mean_over_deviation(), None);
        [4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| spread.take(value));
        let expected = 5.0 / (32.0_f64 / 7.0).sqrt();
        assert!((spread.mean_over_deviation().unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn what_never_varies_has_no_ratio() {
        let mut spread = Spread::default();
        (0..3).for_each(|_| spread.take(0.25));
        assert_eq!(spread.mean_over_deviation(), None);
    }
}
