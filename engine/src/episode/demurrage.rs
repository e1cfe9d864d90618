//! Demurrage: stored confidence that experience doesn't confirm is paid away (digest section 12).
//!
//! Invariant: an interval is paid for once. The paid intervals are noted in the entry's [`EntryStanding`], so that looking often,
//! seldom or twice has the same result. The source's code recomputes the whole debt on confidence that has paid already, and so counts
//! intervals twice. Confidence and rates run from 0 to 1, intervals are in ticks. It is a time-based confidence decay (weight decay,
//! expiry) that makes room for knowledge of the present market: an entry that nothing confirms is archived or, below .02, burnt. The three
//! variants are decay schedules of three documents that disagree. The memory levies it on every active entry at housekeeping, at every 50th
//! tick of its golem's age if that is awake, Curator or not; intervals slept through are paid then. A confirmation or a change of the phase
//! of life starts the interval anew.

use crate::episode::{EntryKind, EntryNature, EntryStanding, KnowledgeDomain, Provenance};
use morta_base::keys;
use morta_base::{TableChecker, Tick};

morta_base::words! {
    /// Which document's rates hold.
    #[derive(Default)]
    pub enum DemurrageVariant: Key {
        /// .03 · domain / type every 250 ticks (M05).
        #[default]
        A = "a",
        /// .03 · domain every 250 ticks, other domain factors, no types (M02).
        APrime = "a_prime",
        /// .05 every 5,000 ticks (M11, M12, M13).
        B = "b",
        /// None.
        Off = "off",
    }
}

keys! {
    /// The `[memory.bardo.demurrage]` table.
    pub struct DemurrageConfig {
        /// Whose rates hold: "a", "a_prime", "b" or "off".
        variant: DemurrageVariant = DemurrageVariant::default();
        /// Factor on all of it: immortals can have it off with 0.
        factor: f64 = 1.0, in 0.0..=100.0, "factor";
        /// Confidence below which an entry goes to the archive.
        archive_below: f64 = 0.1, in 0.0..=1.0, "confidence";
        /// Confidence below which it is burnt, at most `archive_below`.
        burn_below: f64 = 0.02, in 0.0..=1.0, "confidence";
        /// Factor for what a dream drew and life bore out.
        dream_validated_factor: f64 = 0.5, in 0.0..=100.0, "factor";
        /// Factor for what was inherited and hasn't been borne out in this life.
        unvalidated_inherited_factor: f64 = 2.0, in 0.0..=100.0, "factor";
        /// Confidence that demurrage leaves to what is known to be wrong.
        anti_knowledge_floor: f64 = 0.3, in 0.0..=1.0, "confidence";
        /// Factor for what is known to be wrong.
        anti_knowledge_factor: f64 = 0.5, in 0.0..=100.0, "factor";
        /// Share of the endowment below which the economic clock presses: entries that nobody has looked at for
        /// `idle_ticks` are archived then. 0 for never.
        economic_pressure_below: f64 = 0.3, in 0.0..=1.0, "share";
        /// Those ticks.
        idle_ticks: u64 = 500, in 1..=1_000_000_000, "ticks";
        /// Epistemic fitness of the golem below which all entries pay twice, 0 for never.
        epistemic_pressure_below: f64 = 0.3, in 0.0..=1.0, "fitness";
    }
    also burning_is_below_archiving;
}

impl DemurrageConfig {
    fn burning_is_below_archiving(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[("burn_below", self.burn_below), ("archive_below", self.archive_below)]);
    }
}

/// Tolerance of thresholds: sums of hundredths aren't exact in binary.
const EPSILON: f64 = 1e-9;
/// Factor on the demurrage of all entries while the golem's fitness is below `epistemic_pressure_below`. The digest names the fast track
/// without a figure (section 12); our choice: entries are then gone in half the time.
const FAST_TRACK: f64 = 2.0;

impl DemurrageConfig {
    /// The decay interval: ticks an entry may go unvalidated before it pays; `None` without demurrage.
    pub const fn interval(&self) -> Option<Tick> {
        match self.variant {
            DemurrageVariant::A | DemurrageVariant::APrime => Some(250),
            DemurrageVariant::B => Some(5_000),
            DemurrageVariant::Off => None,
        }
    }

    /// The demurrage (decay) of one interval, in confidence. Entries of kinds and domains that change slowly pay less; `fast_track` doubles
    /// it, which the caller sets by the golem's fitness.
    pub fn due(&self, standing: &EntryStanding, nature: &EntryNature, fast_track: bool) -> f64 {
        let base = match self.variant {
            DemurrageVariant::A => 0.03 * domain_factor(nature.domain) / kind_factor(nature.kind),
            DemurrageVariant::APrime => 0.03 * domain_factor_prime(nature.domain),
            DemurrageVariant::B => 0.05,
            DemurrageVariant::Off => 0.0,
        };
        let foreign = nature.provenance != Provenance::Own && nature.evidence.confirmed == 0;
        let when = |holds: bool, factor: f64| if holds { factor } else { 1.0 };
        base * self.factor
            * when(standing.dream_validated, self.dream_validated_factor)
            * when(foreign, self.unvalidated_inherited_factor)
            * when(nature.kind == EntryKind::AntiKnowledge, self.anti_knowledge_factor)
            * when(fast_track, FAST_TRACK)
    }

    /// Pays (decays confidence) for every whole interval since the last payment or validation. Confidence stays in [0, 1], and
    /// anti-knowledge keeps its floor if it had it. It is idempotent, by the intervals noted as paid.
    pub fn levy(
        &self,
        standing: &mut EntryStanding,
        nature: &EntryNature,
        confidence: &mut f64,
        now: Tick,
        fast_track: bool,
    ) {
        let Some(interval) = self.interval() else { return };
        let intervals = now.saturating_sub(standing.paid_until) / interval;
        if intervals == 0 {
            return;
        }
        standing.paid_until += intervals * interval;
        let floor = if nature.kind == EntryKind::AntiKnowledge { self.anti_knowledge_floor } else { 0.0 };
        let owed = intervals as f64 * self.due(standing, nature, fast_track);
        let left = (*confidence - owed).max(floor.min(*confidence));
        standing.levied += *confidence - left;
        *confidence = left;
    }

    /// Whether so little confidence is left that an entry goes to the archive: the soft-delete threshold, default .1.
    pub fn archives(&self, confidence: f64) -> bool {
        confidence < self.archive_below - EPSILON
    }

    /// Whether so little is left, below .02 by default, that the entry is burnt (evicted for good).
    pub(crate) fn burns(&self, confidence: f64) -> bool {
        confidence < self.burn_below - EPSILON
    }
}

/// Factors by domain of M05 (digest section 12): gas 3, price 1.5, volatility .8, yield .5, protocol .3, structure .7, general 1.
const fn domain_factor(domain: KnowledgeDomain) -> f64 {
    match domain {
        KnowledgeDomain::Gas => 3.0,
        KnowledgeDomain::Price => 1.5,
        KnowledgeDomain::Volatility => 0.8,
        KnowledgeDomain::Yield => 0.5,
        KnowledgeDomain::Protocol => 0.3,
        KnowledgeDomain::Structure => 0.7,
        KnowledgeDomain::General => 1.0,
    }
}

/// Factors by domain of M02 (digest section 12): gas 2, price 1.5, volatility 1, yield .8, protocol .5; others 1.
const fn domain_factor_prime(domain: KnowledgeDomain) -> f64 {
    match domain {
        KnowledgeDomain::Gas => 2.0,
        KnowledgeDomain::Price => 1.5,
        KnowledgeDomain::Yield => 0.8,
        KnowledgeDomain::Protocol => 0.5,
        KnowledgeDomain::Volatility | KnowledgeDomain::Structure | KnowledgeDomain::General => 1.0,
    }
}

/// Divisors by kind of M05 (digest section 12): insight 1, heuristic 1.2, warning 1.5, causal 1.8, fragment .7, question 2; 1 for anti-knowledge.
const fn kind_factor(kind: EntryKind) -> f64 {
    match kind {
        EntryKind::Insight | EntryKind::AntiKnowledge => 1.0,
        EntryKind::Heuristic => 1.2,
        EntryKind::Warning => 1.5,
        EntryKind::StrategyFragment => 0.7,
        EntryKind::Question => 2.0,
    }
}

morta_base::words! {
    /// Why an entry left the active store. The reason code of an eviction or archiving.
    pub enum LeavingReason {
        /// Demurrage took its confidence.
        ZeroConfidence = "zero_confidence",
        /// Experience spoke against it.
        Contradicted = "contradicted",
        /// Another entry says it better.
        Superseded = "superseded",
        /// There were too many.
        Capacity = "capacity",
        /// Nobody had looked at it while money was short.
        Idle = "idle",
        /// It was poor and hardly ever looked at.
        Pruned = "pruned",
        /// It stayed below the least confidence for too many Curator cycles.
        Sunset = "sunset",
    }
}
