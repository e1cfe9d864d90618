//! Yardsticks: a high quantile of each gain term in the golem's own buffer.
//!
//! The replay spec leaves `normalize` undefined. Ruling 3 scales each term by the 95th percentile of the golem's own buffer
//! (`normalization_quantile`) before the weighted sum. A scale per batch was rejected, because `utility > 0.1` would then mean something
//! else in every batch; the maximum, because one crash would make everything else look like nothing. It is quantile normalisation
//! (robust scaling); values beyond the yardstick count as 1. Quantiles are between 0 and 1, yardsticks have the unit of their column. All
//! episodes count, inherited ones and abstentions too. The scorer takes them once for a choice; the Grimoire keeps them until its episodes
//! change.

use crate::episode::Grimoire;
use morta_base::quantile::quantile_by_selection;
use serde::{Deserialize, Serialize};

/// Divisors that bring the gain terms to [0, 1]: the same quantile of each column, as normalisation constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// Of surprise, in R.
    pub surprise: f64,
    /// Of outcome significance, as a share of the stake.
    pub significance: f64,
    /// Of counterfactual regret, in R.
    pub regret: f64,
}

impl Scale {
    /// Measures a buffer at its `p`-quantile, p in (0, 1], unless that was done since its episodes last changed; all zero for an empty
    /// buffer.
    pub fn from_grimoire(grimoire: &Grimoire, p: f64) -> Self {
        let columns = [grimoire.surprise(), grimoire.significance(), grimoire.regret()];
        let [surprise, significance, regret] = grimoire.yardsticks(p, || yardsticks(columns, p));
        Self { surprise, significance, regret }
    }

    /// Measures columns that are kept anywhere: the quantiles of surprise, significance and regret, computed without a cache. The
    /// replications of papers call it, which have no Grimoire.
    pub fn of_columns(columns: [&[f32]; 3], p: f64) -> Self {
        let [surprise, significance, regret] = yardsticks(columns, p);
        Self { surprise, significance, regret }
    }
}

fn yardsticks(columns: [&[f32]; 3], p: f64) -> [f64; 3] {
    let mut scratch = Vec::with_capacity(columns[0].len());
    columns.map(|column| {
        scratch.clear();
        scratch.extend_from_slice(column);
        quantile_by_selection(&mut scratch, p).unwrap_or(0.0)
    })
}

/// One over a yardstick (its reciprocal), or 0 for a yardstick of 0: where nothing has surprised yet, surprise adds nothing to gain.
pub(crate) fn inverse(yardstick: f64) -> f64 {
    if yardstick > 0.0 { 1.0 / yardstick } else { 0.0 }
}

/// `value` as a share of the yardstick whose inverse is given, clamped to [0, 1]; 0 when the value isn't a number.
#[inline(always)]
pub(crate) fn normalize(value: f64, inverse: f64) -> f64 {
    unit(value * inverse)
}

/// Clamped to [0, 1], and 0 when it isn't a number. Two comparisons instead of `clamp`, because compilers turn those into
/// vector selections, and `clamp` would pass NaN on.
#[inline(always)]
pub(crate) fn unit(x: f64) -> f64 {
    let positive = if x > 0.0 { x } else { 0.0 };
    if positive < 1.0 { positive } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_shares_of_the_yardstick() {
        for (value, yardstick, expected) in
            [(0.5, 2.0, 0.25), (3.0, 2.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (f64::NAN, 1.0, 0.0)]
        {
            assert_eq!(normalize(value, inverse(yardstick)), expected, "{value} / {yardstick}");
        }
    }
}
