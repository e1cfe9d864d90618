//! Latest first: what a plain queue of experience would replay (Lin 1992). Order is by closing tick; it is the baseline without priorities,
//! as a first-in-first-out replay buffer has it. No threshold of utility applies.

use super::{Ordered, certain, highest};
use crate::episode::Grimoire;

/// By the tick at which the episode closed; ties by identity.
pub(super) fn first(count: usize, candidates: Vec<u32>, grimoire: &Grimoire) -> Ordered {
    certain(highest(count, candidates, grimoire, |_| 0.0))
}
