//! Observations of a golem about a candidate at a decision, as numbers: the feature vector of a regression model.
//!
//! The fit and the later predictions make their rows here, so that they agree: 12 features of the candidate and its circumstances, then the
//! market's embedding. Features have no unit or are standardised; costs are in R. The true regime is not among them. Directed features
//! change sign for shorts (a symmetry), which doubles the data of each side.

use crate::episode::Context;
use crate::market::features::CORE_FEATURES;
use crate::market::{PositionSide, Regime, Signal};
use morta_base::math::ln;

/// The inputs of a feature vector: a candidate and its circumstances, as the golem reads them.
pub(super) struct Seen<'a> {
    pub context: &'a Context,
    pub embedding: &'a [f32],
    pub signal: &'a Signal,
    pub side: PositionSide,
    /// Costs of the round trip, in R.
    pub cost_r: f64,
}

/// Features besides the embedding.
const OWN: usize = 12;
/// Features of an embedding with a direction: returns over four horizons, trend strength, place in the range, relative strength
/// and the oracle's gap.
const DIRECTED: [usize; 8] = [0, 1, 2, 3, 4, 5, 7, 13];

/// The length of a feature vector: that of the embedding and the features besides.
pub(super) fn width(embedding_dimensions: usize) -> usize {
    OWN + embedding_dimensions
}

/// Adds the features of a candidate. Directed features change sign for shorts: a fall is to them what a rise is to longs, so both
/// teach the same weights, and each side has twice the rows.
pub(super) fn push(seen: &Seen<'_>, row: &mut Vec<f32>) {
    let sign: f32 = if seen.side == PositionSide::Short { -1.0 } else { 1.0 };
    let is = |regime| f32::from(u8::from(seen.context.regime == regime));
    let (up, down) = (is(Regime::TrendingUp), is(Regime::TrendingDown));
    let (along, against) = match seen.side {
        PositionSide::Long => (up, down),
        PositionSide::Short => (down, up),
        PositionSide::Liquidity => (up + down, 0.0),
    };
    row.extend([
        along,
        against,
        is(Regime::Volatile),
        seen.signal.strength.abs() as f32,
        ln(seen.signal.stop_distance) as f32,
        seen.cost_r as f32,
        f32::from(seen.context.volatility_quintile),
        f32::from(seen.context.liquidity as u8),
        f32::from(seen.context.gas as u8),
        f32::from(seen.context.session as u8),
        sign,
        f32::from(u8::from(seen.context.shock)),
    ]);
    row.extend(seen.embedding.iter().enumerate().map(|(place, value)| {
        if DIRECTED.contains(&(place % CORE_FEATURES)) { sign * value } else { *value }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(side: PositionSide, regime: Regime, value: f32) -> Vec<f32> {
        let context = Context::neutral(regime);
        let embedding: Vec<f32> =
            (0..32).map(|place| if DIRECTED.contains(&(place % 16)) { value } else { 0.5 }).collect();
        let signal = Signal { strength: 0.4, stop_distance: 0.01, horizon_ticks: 24 };
        let mut row = Vec::new();
        push(
            &Seen { context: &context, embedding: &embedding, signal: &signal, side, cost_r: 0.1 },
            &mut row,
        );
        row
    }

    #[test]
    fn a_short_in_a_fall_looks_like_a_long_in_a_rise() {
        let mut long = row(PositionSide::Long, Regime::TrendingUp, 1.5);
        let mut short = row(PositionSide::Short, Regime::TrendingDown, -1.5);
        assert_eq!((long.len(), long[10], short[10]), (width(32), 1.0, -1.0));
        (long[10], short[10]) = (0.0, 0.0);
        assert_eq!(long, short);
        assert_ne!(long, row(PositionSide::Long, Regime::TrendingUp, -1.5));
    }
}
