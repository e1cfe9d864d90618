//! The read-only view that a dream gets of its golem: a capability by types, so that a dream can neither trade nor write (least privilege).
//!
//! Units are those of what is lent: results in R, confidence from 0 to 1, ticks of the world. The memory lends it anew at each step of a
//! dream, so a view is of now, while `Circumstances` are of the moment of falling asleep.

use crate::dream::DreamConfig;
use crate::dream::integration::beliefs::BeliefEntry;
use crate::dream::journal::DreamJournalEntry;
use crate::dream::report::DreamFinding;
use crate::episode::{Claim, Course, EpisodeKind, Grimoire, ThreatKind, ThreatRecord};
use crate::llm::LlmConfig;
use crate::replay::causal::CausalStore;
use crate::replay::{PrimitiveLedger, ReplayContext, StayValues};
use morta_base::{EpisodeId, Tick};
use std::collections::BTreeMap;

/// The read-only view that a dream gets. It has no path to the market and none that changes a memory or a playbook: everything is
/// lent for reading.
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
    /// Waking insights, inherited and restored ones and candidates included.
    pub insights: &'a [BeliefEntry],
    /// The rules in force.
    pub rules: &'a [BeliefEntry],
    /// Claims under test.
    pub staged: &'a [BeliefEntry],
    /// Threats that earlier dreams rehearsed, and how often each has struck since.
    pub threats: &'a BTreeMap<ThreatKind, ThreatRecord>,
    /// Courses of reviewed positions, by the trade that they became.
    pub courses: &'a BTreeMap<EpisodeId, Course>,
    /// Values of staying in a position, as far as earlier dreams have learnt them.
    pub stay_values: &'a StayValues,
    /// Causal knowledge of earlier dreams.
    pub causal: &'a CausalStore,
    /// Situations labelled by earlier dreams.
    pub primitives: &'a PrimitiveLedger,
    /// Earlier dreams, oldest first.
    pub journal: &'a [DreamJournalEntry],
    /// Findings that the last dream left unprocessed.
    pub unfinished: &'a [DreamFinding],
    /// The finding that the last dream kept in mind.
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
    /// The claims that an idea is compared with: rules, insights, claims under test; not those that await admission or proved wrong (prior
    /// knowledge).
    pub(crate) fn known_claims(&self) -> impl Iterator<Item = Claim> {
        let rules = self.rules.iter().map(|rule| rule.claim);
        let insights = self.insights.iter().map(|insight| insight.claim);
        rules.chain(insights).chain(self.staged.iter().map(|staged| staged.claim))
    }

    /// Dreams that ended since a tick, as far back as the journal goes: a count of sleep cycles in a history.
    pub(crate) fn cycles_since(&self, tick: Tick) -> u32 {
        self.journal.iter().filter(|entry| entry.timestamp > tick).count() as u32
    }

    /// The keyword of the onset: an untested hypothesis of a predecessor before anything else (Zeigarnik: what is unfinished is
    /// remembered best), then the residue of the last dream, then the most surprising trade.
    pub(super) fn keyword(&self) -> Option<Claim> {
        let unfinished = |staged: &BeliefEntry| staged.trial().is_some_and(|trial| trial.unfinished);
        let untouched = |staged: &&BeliefEntry| unfinished(staged) && staged.evidence.tests() == 0;
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
