//! The control of inheritance: a legacy whose lessons say what others of them found.

use super::Legacy;
use crate::base::{Purpose, Stream, WorldSeed};

/// What is dealt out has nothing to do with the luck of the world.
const CONTROL: WorldSeed = WorldSeed(0);

impl Legacy {
    /// Deals out what the lessons expect among them at random, and likewise among what proved wrong: as many lessons on the same subjects, as
    /// sure and with as much behind them, and nothing to be learned from them.
    pub fn shuffle_claims(&mut self) {
        let stream = &mut CONTROL.golem(self.from, Purpose::LegacyControl, 0);
        let mut lessons: Vec<&mut f64> =
            self.entries.iter_mut().map(|entry| &mut entry.lesson.claim.expected_r).collect();
        deal_out(&mut lessons, stream);
        let mut wrong: Vec<&mut f64> =
            self.anti.iter_mut().map(|disproof| &mut disproof.belief.claim.expected_r).collect();
        deal_out(&mut wrong, stream);
    }
}

/// Fisher and Yates's shuffle.
fn deal_out(values: &mut [&mut f64], stream: &mut Stream) {
    for last in (1..values.len()).rev() {
        let (head, tail) = values.split_at_mut(last);
        if let Some(other) = head.get_mut(stream.below(last + 1)) {
            std::mem::swap(*other, tail[0]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::GolemId;

    /// The same values, in another order; the same order every time.
    #[test]
    fn what_is_dealt_out_is_all_there_and_elsewhere() {
        let dealt = || {
            let mut values: Vec<f64> = (0..40).map(f64::from).collect();
            let stream = &mut CONTROL.golem(GolemId::founder(3), Purpose::LegacyControl, 0);
            deal_out(&mut values.iter_mut().collect::<Vec<_>>(), stream);
            values
        };
        let once = dealt();
        let stayed = once.iter().zip(0..).filter(|(value, place)| **value == f64::from(*place)).count();
        assert!(stayed < 6, "{once:?}");
        let mut sorted = once.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(sorted, (0..40).map(f64::from).collect::<Vec<_>>());
        assert_eq!(once, dealt());
    }
}
