//! Uniformly random replay: the experience replay baseline, as in Dyna (Sutton 1990), the order `random`. It is what every prioritization
//! must beat. It draws with replacement, because the published baselines do. `life` makes the same draws by a faster loop,
//! `Mind::back_up_at_random`, where no events are counted.

use super::{Backup, Made, Order};
use crate::mind::Mind;
use morta_base::Stream;

/// Uniform experience replay: draws every candidate with the same probability, with replacement.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl Order for Uniform {
    #[inline(always)]
    fn choose(&mut self, mind: &Mind, _: &[Made], stream: &mut Stream) -> Option<Backup> {
        let candidates = mind.memory.candidates();
        (!candidates.is_empty())
            .then(|| Backup { item: candidates[stream.below(candidates.len())], steps: 1 })
    }
}
