//! At random by rank of utility (Schaul et al. 2016, rank-based prioritization): robust against outliers.

use super::draw::sampled;
use super::{Ordered, highest};
use crate::base::{Stream, math};
use crate::episode::Grimoire;
use crate::replay::ReplayConfig;

/// P(i) ∝ (1/rank)^α, rank 1 for the highest utility.
pub(super) fn first(
    count: usize,
    candidates: Vec<u32>,
    grimoire: &Grimoire,
    utilities: &[f64],
    config: &ReplayConfig,
    stream: &mut Stream,
) -> Ordered {
    let ranked = highest(candidates.len(), candidates, grimoire, |slot| utilities[slot]);
    let power = |rank: usize| math::pow(1.0 / rank as f64, config.priority_exponent);
    let weights: Vec<f64> = (1..=ranked.len()).map(power).collect();
    sampled(count, &ranked, &weights, config.importance_exponent, stream)
}
