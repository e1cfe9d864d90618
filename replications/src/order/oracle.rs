//! The oracle of Schaul et al. (2016), which knows the true values: an upper bound for all learners (oracle baseline). It exists only for
//! cliffs, because their values are known; a file that names it and has any other world is refused when it is read. Values are in the unit
//! of reward.

use super::{Backup, Made, Order};
use crate::mind::Mind;
use morta_base::Stream;

/// Chooses the update that reduces the error over all values most; the first of equal ones (oracle).
#[derive(Clone, Debug)]
pub struct Oracle {
    /// True values by entry; none for a world without them, which ends each session at once.
    truth: Vec<f64>,
}

impl Oracle {
    /// Makes the oracle from the true values by entry (ground truth).
    pub fn new(truth: &[f64]) -> Self {
        Self { truth: truth.to_vec() }
    }
}

impl Order for Oracle {
    /// One item stands for its pair, because transitions of one pair are equal in a fixed memory.
    fn choose(&mut self, mind: &Mind, _: &[Made], _: &mut Stream) -> Option<Backup> {
        let mut best: Option<(f64, u32)> = None;
        for (entry, truth) in self.truth.iter().enumerate() {
            let Some(item) = mind.memory.of_entry(entry as u32) else { continue };
            let before = mind.values[entry] - truth;
            let after = before + mind.rate * mind.error(item);
            let change = after * after - before * before;
            if best.is_none_or(|(least, _)| change < least) {
                best = Some((change, item));
            }
        }
        best.map(|(_, item)| Backup { item, steps: 1 })
    }
}
