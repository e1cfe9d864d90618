//! Items of memory with a decisive influence on a decision: those without whose voice it is another, or none.
//!
//! The counterfactual is exact: the same advice without one item, weighed by the same rules and drawn with the same numbers. It is computed
//! for each item that can be tested, so that evidence from a decision that a belief itself has decided can be distinguished from other
//! evidence. It is leave-one-out attribution (counterfactual influence) with common random numbers. Explored choices have no influential
//! items, nor has a memory that doesn't recombine its advice (`advise_without`). The list goes with the trade to the memory and into its
//! account of evidence; it changes neither the decision nor any trust by itself.

use crate::golem::affect::AffectModulation;
use crate::golem::decide::{CandidateStanding, Weighed};
use crate::golem::{Golem, Moment};
use crate::memory::VoiceSource;
use morta_base::Usdc;
use std::collections::BTreeSet;

impl Golem {
    /// The items with a voice on the chosen candidate without any one of which another or none is chosen, or its stake is below the least.
    /// The choice is made again by the same rules and the same draw, with all advice recombined; so a choice by chance is another only if
    /// the chances moved it.
    pub(super) fn influential_items(
        &self,
        options: &[Weighed],
        chosen: usize,
        modulation: &AffectModulation,
        equity: Usdc,
        moment: &Moment<'_>,
    ) -> Vec<VoiceSource> {
        let spoke = options[chosen].advice.heard.iter().map(|voice| voice.source.item());
        let items: BTreeSet<VoiceSource> = spoke.filter(|item| item.is_tested()).collect();
        let tips =
            |item: &VoiceSource| !self.same_without(*item, options, chosen, modulation, equity, moment);
        items.into_iter().filter(tips).collect()
    }

    /// Whether the decision stays the same without the voice of an item.
    fn same_without(
        &self,
        item: VoiceSource,
        options: &[Weighed],
        chosen: usize,
        modulation: &AffectModulation,
        equity: Usdc,
        moment: &Moment<'_>,
    ) -> bool {
        let mut staked = true;
        let again = |(place, option): (usize, &Weighed)| {
            let Weighed { candidate, advice, context, standing, .. } = option;
            if advice.heard.iter().all(|voice| voice.source.item() != item) {
                return *standing;
            }
            let mut advice = self.memory.advise_without(context, candidate, advice, item);
            if place == chosen {
                staked = self
                    .stake(candidate, advice.size_multiplier, (equity, modulation.risk), moment)
                    .is_some();
            }
            self.stand(candidate, &mut advice, context, modulation, moment).0
        };
        let standings: Vec<CandidateStanding> = options.iter().enumerate().map(again).collect();
        staked && self.choose(&standings, modulation, moment).0 == Some(chosen)
    }
}
