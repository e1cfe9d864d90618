//! What a dream may look at.

use crate::dream::DreamConfig;
use crate::dream::integration::beliefs::Entry;
use crate::dream::journal::DreamJournalEntry;
use crate::dream::report::Finding;
use crate::episode::{Claim, Course, EpisodeKind, Grimoire, ThreatKind, ThreatRecord};
use crate::llm::LlmConfig;
use crate::replay::causal::CausalStore;
use crate::replay::{ReplayContext, StayValues};
use morta_base::{EpisodeId, Tick};
use std::collections::BTreeMap;

/// What a dream may look at. There is no way from here to the market, and none to change a memory or a playbook: everything
/// is lent for reading.
///
/// It can read rules and episodes:
/// ```
/// fn look(view: &morta_engine::dream::DreamView<'_>) -> usize {
///     view.rules.len() + view.grimoire.len()
/// }
/// ```
/// but it can't place an order, for it can't name the market:
/// ```compile_fail
/// fn trade(view: &morta_engine::dream::DreamView<'_>) -> usize {
///     view.rules.len() + view.market.order()
/// }
/// ```
/// nor change a rule:
/// ```compile_fail,E0596
/// fn rewrite(view: &morta_engine::dream::DreamView<'_>) -> usize {
///     view.rules.iter_mut().count() + view.grimoire.len()
/// }
/// ```
/// nor an episode:
/// ```compile_fail,E0596
/// fn forget(view: &morta_engine::dream::DreamView<'_>) -> usize {
///     view.grimoire.remove(view.grimoire.records()[0].id);
///     view.rules.len()
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DreamView<'a> {
    /// The episodes.
    pub grimoire: &'a Grimoire,
    /// What the Curator concluded while awake.
    pub insights: &'a [Entry],
    /// The rules in force.
    pub rules: &'a [Entry],
    /// Claims under test.
    pub staged: &'a [Entry],
    /// Threats met or rehearsed.
    pub threats: &'a BTreeMap<ThreatKind, ThreatRecord>,
    /// How positions went that were thought over, by the trade they became.
    pub courses: &'a BTreeMap<EpisodeId, Course>,
    /// What staying in a position is worth, as far as earlier dreams have gone through it.
    pub stay_values: &'a StayValues,
    /// What follows what, as far as earlier dreams have counted.
    pub causal: &'a CausalStore,
    /// Earlier dreams, oldest first.
    pub journal: &'a [DreamJournalEntry],
    /// What the last one left unfinished.
    pub unfinished: &'a [Finding],
    /// What was kept in mind on waking from the last one.
    pub residue: Option<Claim>,
    /// This dream's number in the golem's life.
    pub cycle: u32,
    /// Now, as replay sees it: the market's embedding and regime, and the mood.
    pub now: ReplayContext<'a>,
    /// The keys of dreaming.
    pub config: &'a DreamConfig,
    /// The tiers and their prices.
    pub llm: &'a LlmConfig,
}

impl DreamView<'_> {
    /// Everything already claimed: rules, insights, claims under test.
    pub fn known_claims(&self) -> impl Iterator<Item = Claim> {
        let rules = self.rules.iter().map(|rule| rule.claim);
        let insights = self.insights.iter().map(|insight| insight.claim);
        rules.chain(insights).chain(self.staged.iter().map(|staged| staged.claim))
    }

    /// Dreams since a tick, as far back as the journal goes.
    pub fn cycles_since(&self, tick: Tick) -> u32 {
        self.journal.iter().filter(|entry| entry.timestamp > tick).count() as u32
    }

    /// What the drift circles around: a predecessor's unfinished thought before anything else (Zeigarnik), then what was kept
    /// in mind on waking, then what last surprised most.
    pub(super) fn keyword(&self) -> Option<Claim> {
        let unfinished = |staged: &Entry| staged.trial().is_some_and(|trial| trial.unfinished);
        let untouched = |staged: &&Entry| unfinished(staged) && staged.evidence.tests() == 0;
        let unfinished = self.staged.iter().find(untouched).map(|staged| staged.claim);
        unfinished.or(self.residue).or_else(|| self.surprise())
    }

    pub(super) fn surprise(&self) -> Option<Claim> {
        let trades = self.grimoire.records().iter().filter(|episode| episode.kind == EpisodeKind::Trade);
        let most = trades.max_by(|a, b| a.surprise.total_cmp(&b.surprise).then(a.id.cmp(&b.id)))?;
        Some(Claim::of_worth(
            most.strategy,
            crate::episode::ContextPattern::from_regime(most.context.regime),
            most.realised_r,
        ))
    }
}
