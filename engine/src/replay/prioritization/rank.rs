//! At random by rank of utility (Schaul et al. 2016, rank-based prioritization): robust against outliers. α is .6 as for
//! proportional sampling (theirs for ranks is .7), so that the two differ in their priorities alone. Sampling weights follow a power law (Zipf) of the rank. Only
//! episodes whose utility exceeds `min_utility` are candidates.

use super::draw::sampled;
use super::{EXPONENT, Ordered, by_key, power};
use crate::episode::Grimoire;
use morta_base::Stream;
use std::cmp;

/// Weights each rank from 1 to `count` by (1/rank)^α, α from 0 to 2: the weight of its draw, an unnormalised Zipf law (rank-based
/// prioritisation). It holds within a relative error of 10⁻⁹. The replication of prioritised replay draws by it too.
pub fn rank_weights(count: usize, exponent: f64) -> Vec<f64> {
    let mut weights: Vec<f64> = (1..=count).map(|rank| 1.0 / rank as f64).collect();
    power::raise(&mut weights, exponent);
    weights
}

/// P(i) ∝ (1/rank)^α, rank 1 for the highest utility. Ranks are drawn first and their holders found afterwards, for these
/// alone: sorting all candidates would cost more than the draw.
pub(super) fn first(
    count: usize,
    mut candidates: Vec<u32>,
    grimoire: &Grimoire,
    utilities: &[f64],
    stream: &mut Stream,
) -> Ordered {
    let weights = rank_weights(candidates.len(), EXPONENT);
    let drawn = sampled(count, &weights, stream);
    let mut ranks = drawn.places.clone();
    ranks.sort_unstable();
    place_ranks(&mut candidates, 0, &ranks, &by_key(grimoire, |slot| utilities[slot]));
    Ordered {
        slots: drawn.places.iter().map(|&rank| candidates[rank]).collect(),
        importance: drawn.importance,
    }
}

/// Moves the holders of these ranks, counted from `before` and rising, to where they would be if all were sorted. Divides at
/// the middle rank, so that each selection works on half of what is left.
fn place_ranks(
    candidates: &mut [u32],
    before: usize,
    ranks: &[usize],
    order: &impl Fn(&u32, &u32) -> cmp::Ordering,
) {
    let middle = ranks.len() / 2;
    let Some(rank) = ranks.get(middle) else { return };
    let place = rank - before;
    let (higher, _, lower) = candidates.select_nth_unstable_by(place, order);
    place_ranks(higher, before, &ranks[..middle], order);
    place_ranks(lower, rank + 1, &ranks[middle + 1..], order);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranks_are_those_of_a_full_sort(
            mut candidates in prop::collection::vec(0_u32..1_000, 1..200),
            asked in prop::collection::btree_set(0_usize..200, 0..40),
        ) {
            let ranks: Vec<usize> = asked.into_iter().filter(|&rank| rank < candidates.len()).collect();
            let mut sorted = candidates.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            place_ranks(&mut candidates, 0, &ranks, &|a, b| b.cmp(a));
            for rank in ranks {
                prop_assert_eq!(candidates[rank], sorted[rank]);
            }
        }
    }
}
