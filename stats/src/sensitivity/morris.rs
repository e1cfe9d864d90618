//! Elementary effects (Morris 1991, "Factorial Sampling Plans for Preliminary Computational Experiments", Technometrics 33): trajectories
//! through a grid of p levels, each step of which moves one factor by Δ = p / (2 (p − 1)) of its range. It is Morris screening with mu, mu*
//! and sigma. It is cheap: its cost grows with the number of factors and not with their pairs, so that it comes before Sobol. The share by
//! which a step moved a factor is signed, negative downwards, so that μ has the sign of a rise; a step that left the factor where it was
//! has no effect and is left out. Sweeps of design "morris" live through every point in the same worlds; the caller sums up effects of the
//! mean over worlds, whose σ it rids of luck, and effects within each world.

use super::Factor;
use crate::error::StatsError;
use crate::summary::{check, mean};
use morta_base::rng::Stream;
use morta_base::{Purpose, WorldSeed};
use serde::{Deserialize, Serialize};

/// A way through the grid: one more point than there are factors, each of which is moved once (one-at-a-time design).
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// The points; each has a share of its range for every factor.
    pub points: Vec<Vec<f64>>,
    /// Which factor each step moved.
    pub moved: Vec<usize>,
}

/// Draws trajectories in random orientation, as Morris sampling does for elementary effects: the start, the order of the factors and the
/// direction of each are drawn. A factor with levels goes from one to another, both drawn; with two levels that is Morris's step.
///
/// # Errors
/// When there are no factors, one has fewer than two levels, or the grid's levels are odd or fewer than two.
pub fn trajectories(
    factors: &[Factor],
    levels: usize,
    count: usize,
    seed: WorldSeed,
) -> Result<Vec<Trajectory>, StatsError> {
    Factor::check_all(factors)?;
    if levels < 2 || !levels.is_multiple_of(2) {
        // With an even number Δ keeps all levels equally likely.
        return Err(StatsError::OutOfRange {
            subject: "levels".to_owned(),
            value: levels.to_string(),
            remedy: "an even number of at least 2".to_owned(),
        });
    }
    let one = |number| trajectory(factors, levels, &mut seed.world(Purpose::Permutation, number as u32, 1));
    Ok((0..count).map(one).collect())
}

fn trajectory(factors: &[Factor], levels: usize, stream: &mut Stream) -> Trajectory {
    let ends: Vec<(f64, f64)> = factors.iter().map(|factor| ends(*factor, levels, stream)).collect();
    let mut moved: Vec<usize> = (0..factors.len()).collect();
    stream.shuffle(&mut moved);
    let mut point: Vec<f64> = ends.iter().map(|(from, _)| *from).collect();
    let mut points = vec![point.clone()];
    for factor in &moved {
        point[*factor] = ends[*factor].1;
        points.push(point.clone());
    }
    Trajectory { points, moved }
}

/// Where a factor starts and where its step ends.
fn ends(factor: Factor, levels: usize, stream: &mut Stream) -> (f64, f64) {
    let (from, to) = match factor {
        Factor::Range => {
            let low = stream.below(levels / 2);
            let share = |level: usize| level as f64 / (levels - 1) as f64;
            (share(low), share(low + levels / 2))
        }
        Factor::Levels(count) => {
            let low = stream.below(count - 1);
            let high = low + 1 + stream.below(count - 1 - low);
            (Factor::share(low, count), Factor::share(high, count))
        }
    };
    if stream.below(2) == 0 { (from, to) } else { (to, from) }
}

/// The elementary effect of a step (Morris 1991): the change of the output over the factor's whole range, if it went on as in this step.
/// `moved` is the share of its range by which the factor went, negative downwards; `None` where it didn't move.
pub fn elementary_effect(before: f64, after: f64, moved: f64) -> Option<f64> {
    (moved != 0.0).then(|| (after - before) / moved)
}

/// Summary (mu, mu*, sigma) of the elementary effects of one factor, in the output's unit over the factor's whole range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Morris {
    /// Mean μ.
    pub mu: f64,
    /// Mean of absolute values μ*: how much the factor matters, effects of both signs included (Campolongo, Cariboni & Saltelli 2007).
    pub mu_star: f64,
    /// Standard deviation σ with divisor n − 1: how much the effect depends on where the factor and the others stand.
    pub sigma: f64,
}

impl Morris {
    /// The summary statistics (mu, mu* or mu star, sigma) of one elementary effect a trajectory.
    ///
    /// # Errors
    /// When there are fewer than two, or they are not finite.
    pub fn from_effects(effects: &[f64]) -> Result<Self, StatsError> {
        check("elementary effects", effects, 2)?;
        let sizes: Vec<f64> = effects.iter().map(|effect| effect.abs()).collect();
        let sigma = crate::summary::variance(effects).sqrt();
        Ok(Self { mu: mean(effects), mu_star: mean(&sizes), sigma })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Morris 1991, section 3: each factor is moved once, by Δ, along the edges of the grid.
    #[test]
    fn every_step_moves_one_factor_by_delta() {
        let factors = [Factor::Range, Factor::Levels(2), Factor::Range, Factor::Levels(5)];
        let found = trajectories(&factors, 4, 200, WorldSeed(3)).unwrap();
        let mut starts = [0_usize; 4];
        for trajectory in &found {
            let mut order = trajectory.moved.clone();
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3]);
            for (step, factor) in trajectory.moved.iter().enumerate() {
                let (before, after) = (&trajectory.points[step], &trajectory.points[step + 1]);
                let differing: Vec<usize> = (0..4).filter(|at| before[*at] != after[*at]).collect();
                assert_eq!(differing, [*factor]);
                if factors[*factor] == Factor::Range {
                    assert!(((after[*factor] - before[*factor]).abs() - 2.0 / 3.0).abs() < 1e-12);
                }
            }
            starts[(trajectory.points[0][0] * 3.0).round() as usize] += 1;
        }
        // All four levels are as likely to be started from: 50 times each, with a standard deviation of 6.
        assert!(starts.iter().all(|count| (26..=74).contains(count)), "{starts:?}");
        let levels: std::collections::BTreeSet<_> =
            found.iter().flat_map(|t| &t.points).map(|point| factors[3].level(point[3])).collect();
        assert_eq!(levels.len(), 5);
    }

    #[test]
    fn invalid_grids_are_refused() {
        let refused = |factors: &[Factor], levels| {
            trajectories(factors, levels, 1, WorldSeed(0)).unwrap_err().to_string()
        };
        assert_eq!(refused(&[Factor::Range], 5), "levels = 5: must be an even number of at least 2");
        assert_eq!(refused(&[], 4), "factors: 0 of them, and at least 1 are needed");
        let single = refused(&[Factor::Levels(1)], 4);
        assert_eq!(single, "levels of a factor: 1 of them, and at least 2 are needed");
    }

    #[test]
    fn a_straight_line_has_the_same_effect_everywhere() {
        let found = trajectories(&[Factor::Range; 3], 6, 4, WorldSeed(1)).unwrap();
        let output = |point: &Vec<f64>| 2.0 * point[0] - 5.0 * point[1];
        let of = |factor: usize| -> Vec<f64> {
            let effect = |trajectory: &Trajectory| {
                let step = trajectory.moved.iter().position(|moved| *moved == factor).unwrap();
                let (before, after) = (&trajectory.points[step], &trajectory.points[step + 1]);
                elementary_effect(output(before), output(after), after[factor] - before[factor]).unwrap()
            };
            found.iter().map(effect).collect()
        };
        for (factor, slope) in [(0, 2.0), (1, -5.0), (2, 0.0)] {
            let Morris { mu, mu_star, sigma } = Morris::from_effects(&of(factor)).unwrap();
            assert!((mu - slope).abs() < 1e-12 && (mu_star - slope.abs()).abs() < 1e-12 && sigma < 1e-12);
        }
        assert_eq!(elementary_effect(1.0, 2.0, 0.0), None);
    }
}
