//! Highest utility first (Mattar & Daw 2018): greedy top-k by gain × need, the default order. Utilities have no unit; ties are resolved
//! by the scorer, which also leaves out those not above `min_utility`. It draws no numbers, so the same memory in the same situation
//! replays the same.

use super::{Ordered, certain};
use crate::replay::Scorer;

/// The top-k by utility; all importance weights are 1.
pub(super) fn first(count: usize, scorer: &Scorer<'_>) -> Ordered {
    certain(scorer.best(count).into_iter().map(|best| best.slot).collect())
}
