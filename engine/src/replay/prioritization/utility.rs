//! Highest utility first (Mattar & Daw 2018).

use super::{Ordered, certain, highest};
use crate::episode::Grimoire;

pub(super) fn first(count: usize, candidates: Vec<u32>, grimoire: &Grimoire, utilities: &[f64]) -> Ordered {
    certain(highest(count, candidates, grimoire, |slot| utilities[slot]))
}
