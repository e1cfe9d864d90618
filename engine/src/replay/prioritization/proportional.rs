//! At random in proportion to utility (Schaul et al. 2016, proportional prioritization).

use super::Ordered;
use super::draw::sampled;
use crate::base::{Stream, math};
use crate::replay::ReplayConfig;

/// P(i) ∝ (utility + floor)^α. With α = 0 all are alike; with floor = 0 and α above 0, what has no utility is drawn
/// only when nothing else is left.
pub(super) fn first(
    count: usize,
    candidates: Vec<u32>,
    utilities: &[f64],
    config: &ReplayConfig,
    stream: &mut Stream,
) -> Ordered {
    let priority = |&slot: &u32| utilities[slot as usize] + config.priority_floor;
    let power = |priority: f64| math::pow(priority, config.priority_exponent);
    let weights: Vec<f64> = candidates.iter().map(|slot| power(priority(slot))).collect();
    sampled(count, &candidates, &weights, config.importance_exponent, stream)
}
