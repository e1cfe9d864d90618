//! Levels of the simulated reader's claims, in R; [`crate::llm::method`] has the reasons. A level is the mean that a group of selected
//! episodes is read against: their own, or the usual result of the strategy in the regime (difference estimator, regression to the mean).
//!
//! The reader calls `readings` once a batch and `sum_up` once for each group. A usual result and a group's own addition each count two
//! imagined results of 0 (`SHRINKAGE`), so a single trade counts a third; the mean of a stratum within the batch, against which the usual
//! level reads each episode, isn't shrunk. Abstentions are in no stratum. Without base rates the usual result is 0.

use crate::llm::reader::SHRINKAGE;
use crate::llm::{BaseRate, EpisodeBrief, Level};
use crate::market::{Regime, Strategy};
use std::collections::BTreeMap;

/// A weighted mean, and the number of equally weighted values of the same precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WeightedMean {
    /// Σ weight · value / Σ weight, in the unit of the values.
    pub mean: f64,
    /// (Σ weight)² / Σ weight² (Kish 1965): the number of values where all weigh alike, at least 1.
    pub effective_size: f64,
}

impl WeightedMean {
    /// The weighted average of pairs of weight and value, with its Kish effective sample size; `None` when no value has any weight. Takes a
    /// single pass.
    pub(super) fn of(pairs: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        let (mut weights, mut squares, mut sum) = (0.0, 0.0, 0.0);
        for (weight, value) in pairs {
            weights += weight;
            squares += weight * weight;
            sum += weight * value;
        }
        (weights > 0.0).then(|| Self { mean: sum / weights, effective_size: weights * weights / squares })
    }
}

/// The usual result of a strategy in a regime: the mean of all remembered trades, shrunk by the reader's imagined episodes of 0;
/// 0 without a base rate.
fn usual_r(strategy: Strategy, regime: Regime, base_rates: &[BaseRate]) -> f64 {
    let known = base_rates.iter().find(|rate| (rate.strategy, rate.regime) == (strategy, regime));
    known.map_or(0.0, |rate| rate.mean_r * f64::from(rate.trades) / (f64::from(rate.trades) + SHRINKAGE))
}

/// One episode's reading, in R: the usual result of its stratum, and its own addition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EpisodeReading {
    /// The level it is read against.
    pub usual: f64,
    /// Its difference from that.
    pub own: f64,
}

/// Readings of all episodes, given their outcomes as read.
///
/// Where the level is the replayed ones' own, nothing is usual and the whole outcome is theirs. Where it is the usual one, they add
/// their difference from the mean of their strategy and regime *in the batch*, themselves included: chosen by the same rule, they are
/// outliers together and cancel.
pub(super) fn readings(
    episodes: &[EpisodeBrief],
    read: &[f64],
    base_rates: &[BaseRate],
    level: Level,
) -> Vec<EpisodeReading> {
    let stratum = |episode: &EpisodeBrief| (episode.strategy, episode.context.regime);
    let mut strata: BTreeMap<(Strategy, Regime), Vec<(f64, f64)>> = BTreeMap::new();
    for (episode, r) in episodes.iter().zip(read).filter(|(episode, _)| episode.traded) {
        strata.entry(stratum(episode)).or_default().push((episode.weight, *r));
    }
    let alike = |episode: &EpisodeBrief| {
        strata.get(&stratum(episode)).and_then(|of| WeightedMean::of(of.iter().copied()))
    };
    let reading = |(episode, r): (&EpisodeBrief, &f64)| {
        let usual = usual_r(episode.strategy, episode.context.regime, base_rates);
        match level {
            Level::Replayed => EpisodeReading { usual: 0.0, own: *r },
            Level::Usual => EpisodeReading { usual, own: r - alike(episode).map_or(*r, |alike| alike.mean) },
        }
    };
    episodes.iter().zip(read).map(reading).collect()
}

/// The reading of a group of episodes with weights: the mean of the usual results, plus the mean of their own additions, shrunk
/// by the reader's imagined episodes that add nothing. `None` when none of them has any weight.
pub(super) fn sum_up(group: impl Iterator<Item = (f64, EpisodeReading)> + Clone) -> Option<WeightedMean> {
    let usual = WeightedMean::of(group.clone().map(|(weight, reading)| (weight, reading.usual)))?;
    let own = WeightedMean::of(group.map(|(weight, reading)| (weight, reading.own)))?;
    let kept = own.effective_size / (own.effective_size + SHRINKAGE);
    Some(WeightedMean { mean: usual.mean + kept * own.mean, ..own })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;

    fn brief(number: u32, regime: Regime, weight: f64) -> EpisodeBrief {
        let mut brief = EpisodeBrief::from(&episode(number, 10));
        (brief.context.regime, brief.weight) = (regime, weight);
        brief
    }

    fn said(weights: [f64; 3], read: [f64; 3], level: Level) -> f64 {
        let regime = Regime::Volatile;
        let episodes: Vec<EpisodeBrief> = (0..3).map(|n| brief(n, regime, weights[n as usize])).collect();
        let rates = [BaseRate { strategy: episodes[0].strategy, regime, trades: 8, mean_r: 0.5 }];
        let readings = readings(&episodes, &read, &rates, level);
        let group = readings.into_iter().zip(weights).map(|(reading, weight)| (weight, reading));
        sum_up(group).unwrap().mean
    }

    /// Weights 1, 1 and .5: (2.5)²/2.25 = 2.777… values' worth, and a mean of (1 + 2 + .5·4)/2.5 = 2.
    #[test]
    fn unequal_weights_are_worth_fewer_values() {
        let mean = WeightedMean::of([(1.0, 1.0), (1.0, 2.0), (0.5, 4.0)].into_iter()).unwrap();
        assert_eq!(mean.mean, 2.0);
        assert!((mean.effective_size - 6.25 / 2.25).abs() < 1e-12);
        assert_eq!(WeightedMean::of([(0.0, 1.0)].into_iter()), None);
    }

    /// All trades of the subject made .5 on average, eight of them: usual is .5·8/10 = .4. The three replayed made 1, 2 and 3.
    #[test]
    fn two_levels_by_hand() {
        let read = [1.0, 2.0, 3.0];
        assert!((said([1.0; 3], read, Level::Replayed) - 6.0 / 5.0).abs() < 1e-12);
        assert!((said([1.0; 3], read, Level::Usual) - 0.4).abs() < 1e-12, "outliers together say nothing");
    }

    /// An episode drawn four times as readily counts a quarter: the mean of two is (.25·4 + 1·1)/1.25 = 1.6 on 1.470588 values'
    /// worth.
    #[test]
    fn importance_weights_are_used() {
        let n = 1.25 * 1.25 / 1.0625;
        let found = said([0.25, 1.0, 0.0], [4.0, 1.0, -9.0], Level::Replayed);
        assert!((found - 1.6 * n / (n + 2.0)).abs() < 1e-12, "{found}");
    }

    proptest::proptest! {
        /// Draws by priority from outcomes that the priority knows: weighted means are nearer the truth than unweighted ones, however
        /// skewed the priorities; with β = 1 the weight is the inverse of the priority.
        #[test]
        fn self_normalised_weights_undo_the_priorities(values in proptest::collection::vec(0.1_f64..3.0, 3..40)) {
            let truth = values.iter().sum::<f64>() / values.len() as f64;
            // Exact expectations under draws in proportion to the value itself.
            let total: f64 = values.iter().sum();
            let plain: f64 = values.iter().map(|v| v / total * v).sum();
            let weighted = WeightedMean::of(values.iter().map(|v| (v / total / v, *v))).unwrap();
            proptest::prop_assert!((weighted.mean - truth).abs() < 1e-9);
            proptest::prop_assert!(plain >= truth - 1e-12);
        }
    }
}
