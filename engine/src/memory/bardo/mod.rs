//! `bardo`: a Grimoire of episodes, waking recall, insights, a staging buffer, and a playbook of rules that dreams write. Waking life never
//! adds a rule; dreams do (`dream.enabled`, off by default), and a legacy may, of what three generations have proved.
//!
//! Learning has three speeds. Episodes count at once, through recall. Conclusions of the Curator and of dreams count little while
//! they are tested, and fully once they are rules. A fast and a slow store complement each other (McClelland, McNaughton &
//! O'Reilly 1995). In the field: complementary learning systems, with an episodic replay buffer, semantic rules and offline consolidation.
//! Expected results are in R, confidence runs from 0 to 1, times are in ticks.
//!
//! Here are the state and its bookkeeping; advice is made in `voices` and `pooling`, waking outcomes are taken in `live`, dreams see it
//! through `sleep`. `bardo+owm` holds one as well, with other keys, and recalls by OWM instead.

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
use crate::dream::integration::{Mind, RuleTally};
use crate::dream::{BeliefEntry, Beliefs};
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
use voices::PRIOR_EPISODES;

/// The `bardo` memory of one golem, the dreaming memory architecture: episodic memory (the Grimoire), semantic memory and a rule base, with
/// consolidation in sleep. It stores episodes, beliefs and a dream journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bardo {
    /// Shared by all golems of a cohort, like the next field.
    #[serde(with = "morta_base::shared")]
    config: Arc<BardoConfig>,
    #[serde(with = "morta_base::shared")]
    consolidation: Arc<ConsolidationConfig>,
    golem: GolemId,
    grimoire: Grimoire,
    beliefs: Beliefs,
    /// Waking outcomes of each rule since the last dream, which revises rules by them and empties this.
    tallies: BTreeMap<RuleId, RuleTally>,
    /// Number of the next entry of any kind, not of rules alone.
    next_rule: u32,
    /// Trades that the Curator hasn't read yet, the oldest first.
    uncurated: Vec<EpisodeBrief>,
    /// Episodes since the last dream, abstentions included; they add to sleep pressure.
    unreplayed: u32,
    /// Own trades by strategy and regime, from which κ follows.
    outcomes: Outcomes,
    /// κ, in outcomes: at most so many does the general count as beside the specific when voices are pooled (`credibility`), unless
    /// `shrinkage_outcomes` fixes another. Worked out at each trade and not at each decision, because decisions are more frequent.
    kappa: f64,
    /// Knowledge that a newborn hasn't got; it takes no room until there is some.
    later: LazyBox<Learned>,
    /// Phase of life at the last housekeeping.
    phase: Option<Phase>,
    /// Account of episodes and of entries of every kind, each counted once however often it changed its status.
    account: MemoryAccount,
}

/// Most trades that wait for the Curator; the oldest go unread. Our choice: far more than come between two Curator cycles (50
/// ticks by the digest), so that it only bounds a Curator that never comes. It bounds the trades that the Curator sent back and the
/// corroborated conclusions as well.
const MAX_UNCURATED: usize = 200;

impl Bardo {
    /// An empty agent memory (cold start) for embeddings of the given length.
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
            kappa: outcomes.kappa(PRIOR_EPISODES),
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

    /// Takes over other keys, when a world under way goes on by another plan. If they leave less room for entries, the next housekeeping
    /// makes it; episodes beyond the Grimoire's capacity go at once. κ comes out the same, because no key goes into it.
    pub(super) fn go_on_by(
        &mut self,
        config: &Arc<BardoConfig>,
        consolidation: &Arc<ConsolidationConfig>,
        now: Tick,
    ) {
        self.grimoire.rebind(config.grimoire.clone(), now);
        (self.config, self.consolidation) = (Arc::clone(config), Arc::clone(consolidation));
        self.kappa = self.outcomes.kappa(PRIOR_EPISODES);
    }

    /// All beliefs, the knowledge base: rules, claims under test, insights, disproved claims, and silent ones.
    pub fn beliefs(&self) -> &Beliefs {
        &self.beliefs
    }

    /// A fresh identity for a new entry, which is counted in the account at once.
    fn new_rule_id(&mut self) -> RuleId {
        let id = RuleId { golem: self.golem, number: self.next_rule };
        self.next_rule += 1;
        self.account.store(VoiceSource::Rule(id), false);
        id
    }

    /// Counts a claim under test as an item of its own; it restates the insight of the same claim.
    fn account_for_staged(&mut self, staged: &BeliefEntry) {
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
