//! `bardo`: a Grimoire of episodes, waking recall, insights, a staging buffer and a playbook that dreams write.
//!
//! Learning has three speeds. Episodes speak at once, through recall. What the Curator and dreams conclude from
//! them speaks faintly while it is tested, and loudly once it is a rule.

mod architecture;
mod clade;
mod credibility;
mod curated;
mod guard;
mod holding;
mod inherit;
mod later;
mod legacy;
mod live;
mod pooling;
mod reading;
mod recall;
mod scars;
mod sleep;
mod testament;
mod upkeep;
mod voices;

use crate::dream::config::ConsolidationConfig;
use crate::dream::integration::{Mind, Tally};
use crate::dream::{Beliefs, Entry};
use crate::episode::Grimoire;
use crate::llm::EpisodeBrief;
use crate::memory::{BardoConfig, MemoryAccount, VoiceSource};
use crate::mortality::Phase;
use credibility::Outcomes;
use later::Learned;
use morta_base::lazy_box::LazyBox;
use morta_base::{GolemId, RuleId, Tick};
pub use scars::ScarContent;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The `bardo` memory of one golem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bardo {
    /// The plan's, like the next: all golems of a cohort share them.
    #[serde(with = "morta_base::shared")]
    config: Arc<BardoConfig>,
    #[serde(with = "morta_base::shared")]
    consolidation: Arc<ConsolidationConfig>,
    golem: GolemId,
    grimoire: Grimoire,
    beliefs: Beliefs,
    tallies: BTreeMap<RuleId, Tally>,
    next_rule: u32,
    uncurated: Vec<EpisodeBrief>,
    unreplayed: u32,
    /// Its trades by strategy and regime, and κ by them: worked out at each trade, because decisions are more frequent.
    outcomes: Outcomes,
    kappa: f64,
    later: LazyBox<Learned>,
    /// The phase of life at the last housekeeping.
    phase: Option<Phase>,
    /// Of episodes, and of entries of every kind, each counted once however far it came.
    account: MemoryAccount,
}

/// Most trades that wait for the Curator; the oldest go unread.
const MAX_UNCURATED: usize = 200;

impl Bardo {
    /// An empty memory for embeddings of the given length.
    pub fn new(
        golem: GolemId,
        config: impl Into<Arc<BardoConfig>>,
        consolidation: impl Into<Arc<ConsolidationConfig>>,
        dimensions: u32,
    ) -> Self {
        let (config, consolidation) = (config.into(), consolidation.into());
        let outcomes = Outcomes::default();
        Self {
            grimoire: Grimoire::new(config.grimoire.clone(), dimensions),
            kappa: outcomes.kappa(config.prior_weight),
            outcomes,
            config,
            consolidation,
            golem,
            beliefs: Beliefs::default(),
            tallies: BTreeMap::new(),
            next_rule: 0,
            uncurated: Vec::new(),
            unreplayed: 0,
            later: LazyBox::default(),
            phase: None,
            account: MemoryAccount::default(),
        }
    }

    /// Goes on by other keys. Where entries have less room, the next housekeeping makes it.
    pub(super) fn go_on_by(
        &mut self,
        config: &Arc<BardoConfig>,
        consolidation: &Arc<ConsolidationConfig>,
        now: Tick,
    ) {
        self.grimoire.rebind(config.grimoire.clone(), now);
        (self.config, self.consolidation) = (Arc::clone(config), Arc::clone(consolidation));
        self.kappa = self.outcomes.kappa(self.config.prior_weight);
    }

    /// All that it believes: rules, claims under test, insights, what proved wrong, and what is silent.
    pub fn beliefs(&self) -> &Beliefs {
        &self.beliefs
    }

    fn new_rule_id(&mut self) -> RuleId {
        let id = RuleId { golem: self.golem, number: self.next_rule };
        self.next_rule += 1;
        self.account.store(VoiceSource::Rule(id), false);
        id
    }

    /// A claim under test is an item of its own; it restates the insight that says the same.
    fn account_for_staged(&mut self, staged: &Entry) {
        let known = self.beliefs.insight_on(&staged.claim).is_some();
        self.account.store(VoiceSource::Rule(staged.id), known);
    }

    /// The parts that integration writes.
    fn mind(&mut self) -> Mind<'_> {
        let learned = &mut *self.later;
        Mind {
            grimoire: &mut self.grimoire,
            beliefs: &mut self.beliefs,
            tallies: &mut self.tallies,
            ageing: &self.config.ageing,
            threats: &mut learned.threats,
            next_rule: &mut self.next_rule,
        }
    }
}

#[cfg(test)]
mod tests;
