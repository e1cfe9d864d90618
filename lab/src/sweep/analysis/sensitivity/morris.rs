//! Elementary effects of one key (Morris 1991; μ* Campolongo, Cariboni & Saltelli 2007).
//!
//! d = (y after − y before) / the share of the range that the key was moved: signed, in the measure's unit, over the whole range. The share
//! is negative downwards, and taken between logarithms where the axis says `log`. Between listed values or levels it is 1 or −1, by their
//! order, because these have no distance: there d is the change towards the later value. A step whose ends are equal after rounding, or one
//! whose ends have no value in a common world, is dropped and doesn't count as 0.
//!
//! | figure | of the effects d over trajectories | says |
//! |---|---|---|
//! | μ | mean | the direction; 0 also where effects cancel |
//! | μ* | mean of the absolute values | the size |
//! | σ | standard deviation | curvature, or interaction with other keys |
//!
//! σ of means over w worlds holds their luck as well. The variance of the mean of a row's effects over its worlds is s²/w; the average of
//! that over rows is taken off σ², and a remainder below 0 counts as 0.

use super::outputs::Outputs;
use super::{Effects, Statistic};
use crate::sweep::sweep_file::sensitivity::TrajectoryStep;
use morta_stats::bootstrap::Bootstrap;
use morta_stats::sensitivity::morris::{Morris, elementary_effect};
use morta_stats::sensitivity::worlds::FigureSpread;
use morta_stats::{Computed, StatsError};
use serde::{Deserialize, Serialize};

/// The elementary effects of a key in brief (mu, mu*, sigma), in the measure's unit, over the key's whole range.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MorrisFigures {
    /// Mean μ. Its sign is the direction in which the key moves the measure; near 0 with a large μ*, effects cancel.
    pub mu: Computed<FigureSpread>,
    /// Mean μ* of the sizes of effects on the mean over worlds. A mean of sizes is above 0 by luck alone, and nothing is taken off it for that.
    /// [`luck`](super::KeySensitivity::luck) has the size below which μ* stays by luck alone, at the level of the intervals.
    pub mu_star: Computed<FigureSpread>,
    /// Standard deviation σ of the effects on the mean over worlds, with what luck adds taken out: how much the effect depends on where
    /// this key and the others stand.
    pub sigma: Computed<FigureSpread>,
    /// μ* within a world, averaged over worlds.
    pub world_mu_star: Computed<FigureSpread>,
    /// σ within a world, averaged over worlds.
    pub world_sigma: Computed<FigureSpread>,
}

/// The effects of a key, by trajectory in which it is moved and by world (elementary effects).
pub(super) fn effects(trajectories: &[Vec<TrajectoryStep>], axis: usize, outputs: &Outputs<'_>) -> Effects {
    let steps = trajectories.iter().flatten().filter(|step| step.axis == axis);
    let row = |step: &TrajectoryStep| -> Vec<Option<f64>> {
        let effect = |world| {
            elementary_effect(outputs.at(step.before, world)?, outputs.at(step.after, world)?, step.moved)
        };
        (0..outputs.worlds).map(effect).collect()
    };
    steps.map(row).filter(|row| row.iter().any(Option::is_some)).collect()
}

impl MorrisFigures {
    /// The figures of a key's effects. Two trajectories are the fewest that have a spread.
    pub(super) fn from_effects(rows: &[Vec<Option<f64>>], worlds: usize, bootstrap: &Bootstrap) -> Self {
        let figure = |statistic: &Statistic<'_>| -> Computed<FigureSpread> {
            if rows.len() < 2 {
                let subject = "trajectories that tell of the key".to_owned();
                return Err(StatsError::TooFew { subject, found: rows.len(), needed: 2 }).into();
            }
            FigureSpread::by_resampling(rows.len(), worlds, bootstrap, statistic).into()
        };
        let of_mean = |part: fn(Morris) -> f64| {
            figure(&|picked, worlds| {
                let means: Vec<f64> = picked.iter().filter_map(|row| mean(&rows[*row], worlds)).collect();
                Morris::from_effects(&means).ok().map(part)
            })
        };
        let in_world = |part: fn(Morris) -> f64| {
            figure(&|picked, worlds| {
                let one = |world: &usize| {
                    let effects: Vec<f64> = picked.iter().filter_map(|row| rows[*row][*world]).collect();
                    Morris::from_effects(&effects).ok().map(part)
                };
                average(worlds.iter().filter_map(one))
            })
        };
        let sigma = if worlds < 2 {
            Computed::Unknown { cannot_be_computed: "one world does not tell effects from luck".to_owned() }
        } else {
            figure(&|picked, worlds| sigma_beyond_luck(rows, picked, worlds))
        };
        let size = |found| match found {
            Computed::Known(found) => Computed::Known(FigureSpread::of_size(found)),
            unknown => unknown,
        };
        Self {
            mu: of_mean(|morris| morris.mu),
            mu_star: size(of_mean(|morris| morris.mu_star)),
            sigma: size(sigma),
            world_mu_star: size(in_world(|morris| morris.mu_star)),
            world_sigma: size(in_world(|morris| morris.sigma)),
        }
    }
}

/// Mean over those of some worlds that have a value; `None` without one.
fn mean(row: &[Option<f64>], worlds: &[usize]) -> Option<f64> {
    average(worlds.iter().filter_map(|world| row[*world]))
}

pub(super) fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

/// The standard deviation of the means over worlds, without the part that the spread over worlds adds (see the top of this file).
fn sigma_beyond_luck(rows: &[Vec<Option<f64>>], picked: &[usize], worlds: &[usize]) -> Option<f64> {
    let (mut means, mut luck) = (Vec::new(), 0.0);
    for row in picked {
        let values: Vec<f64> = worlds.iter().filter_map(|world| rows[*row][*world]).collect();
        let Ok(Morris { mu, sigma, .. }) = Morris::from_effects(&values) else { continue };
        means.push(mu);
        luck += sigma * sigma / values.len() as f64;
    }
    let sigma = Morris::from_effects(&means).ok()?.sigma;
    Some((sigma * sigma - luck / means.len() as f64).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{Purpose, WorldSeed};

    /// Effects of 3 everywhere, under luck of deviation 2: neither curved nor interacting, which within a world it seems to be.
    #[test]
    fn luck_is_taken_out_of_sigma() {
        let luck = |row: u32, world: u64| 2.0 * WorldSeed(5).world(Purpose::Price, row, world).normal();
        let row = |row| (0..6).map(|world| Some(3.0 + luck(row, world))).collect();
        let effects: Effects = (0..60).map(row).collect();
        let bootstrap = Bootstrap { resamples: 200, level: 0.95, seed: WorldSeed(0), part: 0 };
        let found = MorrisFigures::from_effects(&effects, 6, &bootstrap);
        let value = |figure: &Computed<FigureSpread>| figure.known().unwrap().value;
        assert!((value(&found.mu) - 3.0).abs() < 0.3 && (value(&found.mu_star) - 3.0).abs() < 0.3);
        assert!(value(&found.sigma) < 0.5, "{found:?}");
        assert!(
            (value(&found.world_sigma) - 2.0).abs() < 0.2 && value(&found.world_mu_star) > 3.0,
            "{found:?}"
        );
        let single = MorrisFigures::from_effects(&[vec![Some(1.0)]], 1, &bootstrap);
        assert!(single.mu.known().is_none() && single.sigma.known().is_none());
    }
}
