//! Largest prediction error first: prioritised sweeping without randomness (Moore & Atkeson 1993). A confused golem, whose accuracy is
//! below `confused_below_accuracy`, uses the same order with some corrections. No threshold of utility applies. Surprise is an
//! absolute prediction error in R (the magnitude of a TD error).

use super::{Ordered, certain, highest};
use crate::episode::Grimoire;
use crate::replay::{ReplayMode, Scorer};

/// By |expected − realised| in R. As a configured order it has no decay, need or boosts. A confused golem keeps replay decay and spacing,
/// and the factors of its mood, the Curator's tags, inheritance and the turn to legacy: without them, four fifths of its choice were those
/// of the dream before (`scenarios/hard-times.toml`).
pub(super) fn first(count: usize, candidates: Vec<u32>, grimoire: &Grimoire, scorer: &Scorer<'_>) -> Ordered {
    let error = |slot: usize| f64::from(grimoire.surprise()[slot]);
    certain(match scorer.mode() {
        ReplayMode::Normal => highest(count, candidates, grimoire, error),
        ReplayMode::Confused => {
            let left =
                |slot: usize| error(slot) * scorer.terms(slot).beside_gain_and_need(scorer.spacing_weight());
            let mut worth = vec![0.0; grimoire.len()];
            candidates.iter().for_each(|slot| worth[*slot as usize] = left(*slot as usize));
            highest(count, candidates, grimoire, |slot| worth[slot])
        }
    })
}
