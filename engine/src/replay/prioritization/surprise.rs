//! Largest prediction error first (prioritised sweeping without randomness); also what a confused golem does.

use super::{Ordered, certain, highest};
use crate::episode::Grimoire;

/// By |expected − realised| in R, as it was: without decay, need or boosts.
pub(super) fn first(count: usize, candidates: Vec<u32>, grimoire: &Grimoire) -> Ordered {
    certain(highest(count, candidates, grimoire, |slot| f64::from(grimoire.surprise()[slot])))
}
