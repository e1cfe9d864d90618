//! At random, all alike: the control that every order by priority has to beat (Schaul et al. 2016). It is uniform experience replay,
//! without replacement and without a threshold of utility.

use super::draw::without_replacement;
use super::{Ordered, certain};
use morta_base::Stream;

/// A simple random sample without replacement (uniform sampling); all importance weights are 1.
pub(super) fn first(count: usize, candidates: Vec<u32>, stream: &mut Stream) -> Ordered {
    let weights = vec![1.0; candidates.len()];
    let drawn = without_replacement(count, &weights, stream);
    certain(drawn.into_iter().map(|place| candidates[place]).collect())
}
