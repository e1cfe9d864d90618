//! How good a period was (digest section 11), and with it the memories made in it.

use crate::base::keys::{Free, KeyValue};
use crate::base::moments::mean;
use crate::keys;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Fewest trades that make a period (digest section 11).
const LEAST_TRADES: usize = 5;
/// Trading days of a year.
const TRADING_DAYS: f64 = 252.0;

/// Which standard deviation is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeviationKind {
    /// Divided by the number of values.
    Population,
    /// Divided by one less.
    Sample,
}

impl KeyValue for DeviationKind {
    type Rule = Free;
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
        let outcomes: Vec<f64> = period.iter().flatten().copied().collect();
        if period.len() < LEAST_TRADES || outcomes.is_empty() {
            return 1.0;
        }
        let count = outcomes.len() as f64;
        let mean = mean(&outcomes);
        let squares: f64 = outcomes.iter().map(|r| (r - mean) * (r - mean)).sum();
        let divisor = match self.deviation {
            DeviationKind::Population => count,
            DeviationKind::Sample => count - 1.0,
        };
        let deviation = if divisor > 0.0 { (squares / divisor).sqrt() } else { 0.0 };
        // Equal outcomes can differ from their mean in the last bit.
        if deviation <= 1e-12 * mean.abs() {
            return 1.0;
        }
        let sharpe = mean / deviation * (TRADING_DAYS / self.window_days).sqrt();
        0.5 + 0.5 * sharpe.clamp(0.0, 3.0)
    }
}
