//! The control of inheritance: a legacy whose lessons have each other's findings (permutation test, placebo). Expected results, in R, are
//! dealt out at random from a stream of their own, so that nothing else of the run changes. Both controls are off by default
//! (`succession.shuffle_claims`, `succession.shuffle_links`).

use super::Legacy;
use morta_base::{Purpose, WorldSeed};

impl Legacy {
    /// Deals the expected R of lessons out among them at random, and likewise those of disproofs: as many lessons on the same subjects,
    /// with the same confidence and evidence, and nothing to be learned from them. It is a permutation control. If heirs of such a legacy
    /// do as well, inheritance helped by its quantity and not by its content.
    pub fn shuffle_claims(&mut self) {
        let stream = &mut WorldSeed::CONTROL.golem(self.from, Purpose::LegacyControl, 0);
        stream.deal_out(self.entries.iter_mut().map(|entry| &mut entry.lesson.claim.expected_r));
        stream.deal_out(self.anti.iter_mut().map(|disproof| &mut disproof.belief.claim.expected_r));
    }

    /// Gives every causal link (edge) another effect at random, a permutation control: as many links, of the same causes and confidence,
    /// and nothing to be learned from them.
    pub fn shuffle_links(&mut self) {
        let stream = &mut WorldSeed::CONTROL.golem(self.from, Purpose::LegacyControl, 1);
        self.links.iter_mut().for_each(|link| link.mistake_effect(stream));
    }
}
