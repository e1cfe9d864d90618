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
