//! How good a period was (digest section 11), and with it the memories made in it.

use morta_base::keys;
use morta_base::moments::Moments;

/// Fewest trades that make a period (digest section 11).
const LEAST_TRADES: usize = 5;
/// Trading days of a year.
const TRADING_DAYS: f64 = 252.0;

morta_base::words! {
    /// Which standard deviation is taken.
    pub enum DeviationKind: Key {
        /// Divided by the number of values.
        Population = "population",
        /// Divided by one less.
        Sample = "sample",
    }
}

keys! {
    /// Whether memories of good periods count for more.
    pub struct SharpeConfig {
        /// Whether they do.
        enabled: bool = false;
        /// Days of the period around a memory.
        window_days: f64 = 30.0, in 0.001..=1e6, "days";
        /// Which standard deviation.
        deviation: DeviationKind = DeviationKind::Population;
    }
}

impl SharpeConfig {
    /// Weight of a memory, ½ to 2: ½ + ½·clamp(S, 0, 3), S = mean/sd·√(252/window) of the outcomes of its period. 1 with fewer than five trades,
    /// no known outcome or no spread.
    pub fn weight(&self, period: &[Option<f64>]) -> f64 {
        let Some(outcomes) = Moments::of(period.iter().flatten()).filter(|_| period.len() >= LEAST_TRADES)
        else {
            return 1.0;
        };
        let mean = outcomes.mean;
        let deviation = match self.deviation {
            DeviationKind::Population => outcomes.population_deviation(),
            DeviationKind::Sample => outcomes.deviation().unwrap_or(0.0),
        };
        // Equal outcomes can differ from their mean in the last bit.
        if deviation <= 1e-12 * mean.abs() {
            return 1.0;
        }
        let sharpe = mean / deviation * (TRADING_DAYS / self.window_days).sqrt();
        0.5 + 0.5 * sharpe.clamp(0.0, 3.0)
    }
}
