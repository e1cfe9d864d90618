//! Weights of memories by the Sharpe ratio of their period (digest section 11; Sharpe 1966). A weight of ½ to 2 multiplies the score of an
//! episode in `Mind::recall`, before the ranking; beliefs and plans have none. Results are R, their standard deviation is that of a
//! population unless a key says sample (population standard deviation or sample standard deviation, with the degrees of freedom of the
//! sample variance); periods are days (30 by default, centred on the episode). A period takes the outcomes of all strategies and symbols;
//! trades of unknown outcome count only towards the five that a weight needs. It is off by default, so that the plain score is the
//! document's.

use morta_base::keys;
use morta_base::moments::Moments;

/// The fewest trades in a period (digest section 11: the document's value).
const LEAST_TRADES: usize = 5;
/// Trading days in a year.
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
    /// Weight of a memory, ½ to 2: ½ + ½·clamp(S, 0, 3) with the annualized Sharpe ratio S = mean/sd·√(252/window) over the outcomes of its
    /// period. It is 1 with fewer than five trades, without a known outcome or with equal outcomes. The key `enabled` is the caller's to
    /// check.
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
        // Not 0, because equal outcomes can differ from their computed mean in the last bit.
        if deviation <= 1e-12 * mean.abs() {
            return 1.0;
        }
        let sharpe = mean / deviation * (TRADING_DAYS / self.window_days).sqrt();
        0.5 + 0.5 * sharpe.clamp(0.0, 3.0)
    }
}
