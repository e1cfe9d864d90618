//! Highest utility first (Mattar & Daw 2018).

use super::{Ordered, certain};
use crate::replay::Scorer;

pub(super) fn first(count: usize, scorer: &Scorer<'_>) -> Ordered {
    certain(scorer.best(count).into_iter().map(|best| best.slot).collect())
}
