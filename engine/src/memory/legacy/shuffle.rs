//! The control of inheritance: a legacy whose lessons say what others of them found.

use super::Legacy;
use morta_base::{Purpose, WorldSeed};

impl Legacy {
    /// Deals out what the lessons expect among them at random, and likewise among what proved wrong: as many lessons on the same subjects, as
    /// sure and with as much behind them, and nothing to be learned from them.
    pub fn shuffle_claims(&mut self) {
        let stream = &mut WorldSeed::CONTROL.golem(self.from, Purpose::LegacyControl, 0);
        stream.deal_out(self.entries.iter_mut().map(|entry| &mut entry.lesson.claim.expected_r));
        stream.deal_out(self.anti.iter_mut().map(|disproof| &mut disproof.belief.claim.expected_r));
    }

    /// Gives every causal link another effect, at random: as many links, of the same causes, as sure as before, and nothing to be learned from
    /// them.
    pub fn shuffle_links(&mut self) {
        let stream = &mut WorldSeed::CONTROL.golem(self.from, Purpose::LegacyControl, 1);
        self.links.iter_mut().for_each(|link| link.mistake_effect(stream));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::GolemId;

    /// The same values, in another order; the same order every time.
    #[test]
    fn what_is_dealt_out_is_all_there_and_elsewhere() {
        let dealt = || {
            let mut values: Vec<f64> = (0..40).map(f64::from).collect();
            let stream = &mut WorldSeed::CONTROL.golem(GolemId::founder(3), Purpose::LegacyControl, 0);
            stream.deal_out(&mut values);
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
