//! Many effects at once, drawn towards 0 by what all of them show together (adaptive shrinkage, Stephens 2017, without his penalty on the null).
//!
//! Effect i is estimated as dᵢ with standard error sᵢ: dᵢ ~ N(θᵢ, sᵢ²). The true effects are taken to come from one mixture of normal
//! distributions around 0, θᵢ ~ Σₖ πₖ N(0, τₖ²), whose spreads τₖ are a fixed grid and whose shares πₖ are those of the greatest likelihood. The
//! shrunken estimate is the posterior mean, Σₖ wₖ(dᵢ) · τₖ²/(τₖ² + sᵢ²) · dᵢ.
//!
//! The largest of many estimates is too large on average (the winner's curse), all the more the smaller the true effects are; a single normal prior
//! was the rejected alternative: a few large effects widen it until small ones aren't drawn in at all.
//!
//! It is empirical Bayes shrinkage (ash) by expectation-maximization. The comparison of registered results across sweeps shrinks them so,
//! each as d_z with its own standard error, since their units differ.

use crate::error::StatsError;
use crate::summary::check;
use morta_base::math::{exp, ln};

/// Ratio of one spread of the grid to the one below it: √2, as in Stephens' own program.
const GRID_STEP: f64 = std::f64::consts::SQRT_2;
/// The smallest spread above 0 is the smallest standard error by this: smaller ones can't be distinguished from 0.
const SMALLEST_SPREAD: f64 = 10.0;
/// Steps of the expectation-maximisation at most. The likelihood is concave in the shares, so that it can only end at its greatest or early.
const STEPS: usize = 20_000;
/// The change of the logarithm of the likelihood at which the steps end.
const TOLERANCE: f64 = 1e-10;

/// Shrinks `effects` dᵢ with their `standard_errors` sᵢ (the same unit, above 0) towards 0: the posterior means, in the effects' order and unit
/// (empirical Bayes shrinkage).
///
/// Their signs must mean the same for all, or nothing (the prior is symmetric). No effect gives no estimate.
///
/// # Errors
/// When the lists differ in length, an effect isn't finite, or a standard error isn't above 0.
pub fn shrink_towards_zero(effects: &[f64], standard_errors: &[f64]) -> Result<Vec<f64>, StatsError> {
    check("effects", effects, 0)?;
    check("standard errors", standard_errors, 0)?;
    let out_of_range = |value: f64, remedy: &str| StatsError::OutOfRange {
        subject: "standard error".to_owned(),
        value: value.to_string(),
        remedy: remedy.to_owned(),
    };
    if effects.len() != standard_errors.len() {
        let count = standard_errors.len() as f64;
        return Err(out_of_range(count, "one for each effect"));
    }
    if let Some(error) = standard_errors.iter().find(|error| **error <= 0.0) {
        return Err(out_of_range(*error, "above 0"));
    }
    let spreads = spreads(effects, standard_errors);
    // Densities up to a factor of each effect, which changes neither shares nor weights; the factor keeps far effects above underflow.
    let densities: Vec<Vec<f64>> = effects
        .iter()
        .zip(standard_errors)
        .map(|(effect, error)| {
            let log_density = |spread: &f64| {
                let variance = spread * spread + error * error;
                -0.5 * (ln(variance) + effect * effect / variance)
            };
            let logs: Vec<f64> = spreads.iter().map(log_density).collect();
            let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            logs.iter().map(|log| exp(log - most)).collect()
        })
        .collect();
    let shares = most_likely_shares(&densities, spreads.len());
    let posterior = |((effect, error), density): ((&f64, &f64), &Vec<f64>)| {
        let joint: Vec<f64> = shares.iter().zip(density).map(|(share, density)| share * density).collect();
        let kept = spreads.iter().zip(&joint).map(|(spread, weight)| {
            let variance = spread * spread;
            weight * variance / (variance + error * error)
        });
        effect * kept.sum::<f64>() / joint.iter().sum::<f64>()
    };
    Ok(effects.iter().zip(standard_errors).zip(&densities).map(posterior).collect())
}

/// The grid of spreads: 0, and from a tenth of the least standard error up to twice the largest excess of an effect over its error. Smaller ones
/// couldn't be distinguished from 0, and larger ones would explain no effect better.
fn spreads(effects: &[f64], standard_errors: &[f64]) -> Vec<f64> {
    let smallest = standard_errors.iter().copied().fold(f64::INFINITY, f64::min) / SMALLEST_SPREAD;
    let excess = effects.iter().zip(standard_errors).map(|(effect, error)| effect * effect - error * error);
    // Where no effect exceeds its error, eight times the least spread is wide enough, because such effects are drawn to 0 anyway.
    let largest = (2.0 * excess.fold(0.0, f64::max).sqrt()).max(8.0 * smallest);
    let mut grid = vec![0.0];
    let mut spread = smallest;
    while spread < largest * GRID_STEP {
        grid.push(spread);
        spread *= GRID_STEP;
    }
    grid
}

/// The shares of the mixture by expectation-maximisation, from equal ones.
fn most_likely_shares(densities: &[Vec<f64>], count: usize) -> Vec<f64> {
    let mut shares = vec![1.0 / count as f64; count];
    let mut before = f64::NEG_INFINITY;
    for _ in 0..STEPS {
        let mut sums = vec![0.0; count];
        let mut likelihood = 0.0;
        for density in densities {
            let total: f64 = shares.iter().zip(density).map(|(share, density)| share * density).sum();
            likelihood += ln(total);
            for (sum, (share, density)) in sums.iter_mut().zip(shares.iter().zip(density)) {
                *sum += share * density / total;
            }
        }
        if likelihood - before < TOLERANCE {
            break;
        }
        before = likelihood;
        for (share, sum) in shares.iter_mut().zip(&sums) {
            *share = sum / densities.len() as f64;
        }
    }
    shares
}
