//! The standing of an entry with the golem that holds it: its strength, and the times of its last use and validation.
//!
//! Two things wear knowledge down. Retention fades entries that aren't used and comes back when they are (this file); demurrage takes
//! stored confidence away from entries that experience doesn't confirm ([`crate::episode::demurrage`]). Retention = e^(−Δ/(h · strength)): Δ ticks since
//! the last access, h the time constant by kind or class; effective confidence = max(confidence · retention, floor). Retention is in (0,
//! 1], confidence from 0 to 1, times are in ticks of the world. Effective confidence is computed when an entry is read (for a voice, a
//! denial) and stored nowhere, while demurrage changes the stored number. The field's terms are forgetting curve, memory consolidation and
//! spaced repetition; strength multiplies the time constant, as stability does in the two-component model of memory. Which half-life table
//! holds, and the form of the curve (exponential decay), are keys of `[memory.bardo.ageing]`; the days in the tables are not.

use crate::episode::{Claim, EntryKind, Evidence, KnowledgeDomain, Provenance};
use morta_base::keys;
use morta_base::{Tick, math};
use serde::{Deserialize, Serialize};

/// The memory trace of an entry: memory strength, usage statistics (recency and frequency), and the demurrage it has paid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryStanding {
    /// Tick of its writing.
    pub written: Tick,
    /// Strength, a multiple of the time constant of forgetting; from 1.
    pub strength: f64,
    /// The last tick at which it was written, had a voice in a decision that was acted on, or was confirmed by a sibling or a finding of a
    /// dream.
    pub last_accessed: Tick,
    /// Number of closed trades that it had a voice in; for an insight, the new episodes that micro-consolidation found it to apply to
    /// count as well.
    pub accesses: u32,
    /// The last tick at which waking experience confirmed it; the tick of its writing, if never.
    pub last_validated: Tick,
    /// The tick up to which demurrage has been paid.
    pub paid_until: Tick,
    /// Confidence that demurrage has taken so far.
    pub levied: f64,
    /// Whether a dream drew it and life confirmed it.
    pub dream_validated: bool,
    /// Curator cycles in a row that found it below the least confidence.
    pub low_cycles: u32,
}

/// A cause of an entry's growth in strength (memory consolidation): success awake, a sibling's confirmation, or replay in a dream. A
/// match in micro-consolidation adds .1 besides (`dream::micro`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reinforcement {
    /// It had a voice in a decision that paid: +1.
    LiveSuccess,
    /// A living golem of the clade found the same: +.75.
    Clade,
    /// A finding of a dream agrees with it: +.5.
    Dream,
}

impl Reinforcement {
    /// The increment of memory strength, 0.5 to 1 (replay spec, "strength increment comparison"). Mere retrieval adds nothing, or entries
    /// that are often recalled would be remembered for that alone.
    pub const fn step(self) -> f64 {
        match self {
            Self::LiveSuccess => 1.0,
            Self::Clade => 0.75,
            Self::Dream => 0.5,
        }
    }
}

impl EntryStanding {
    /// The initial standing (memory trace) of an entry that is new to its golem: the strength is 1, whatever it was to its giver (digest
    /// section 14: inherited strength starts at its base).
    pub const fn new(now: Tick) -> Self {
        Self {
            written: now,
            strength: 1.0,
            last_accessed: now,
            accesses: 0,
            last_validated: now,
            paid_until: now,
            levied: 0.0,
            dream_validated: false,
            low_cycles: 0,
        }
    }

    /// Notes an access, which updates recency and frequency, as for a cache (LRU, LFU). It refreshes the entry, and makes it no stronger.
    pub fn access(&mut self, now: Tick) {
        self.last_accessed = now;
        self.accesses = self.accesses.saturating_add(1);
    }

    /// Notes a reinforcement: it refreshes and strengthens the memory trace (memory consolidation).
    pub fn reinforce(&mut self, by: Reinforcement, now: Tick) {
        self.last_accessed = now;
        self.strength += by.step();
    }

    /// Notes its voice in a decision that was acted on (credit assignment); when that paid, it is reinforced.
    pub fn speak(&mut self, now: Tick, helped: bool) {
        self.access(now);
        if helped {
            self.reinforce(Reinforcement::LiveSuccess, now);
        }
    }

    /// Notes that waking experience confirmed it: the decay clock of demurrage starts anew, a reset (digest section 12). Retention isn't
    /// refreshed by it.
    pub fn validate(&mut self, now: Tick) {
        self.last_validated = now;
        self.paid_until = now;
    }

    /// The gross confidence, before demurrage, at most 1: an inheritance is computed from it (digest section 14).
    pub fn before_demurrage(&self, confidence: f64) -> f64 {
        (confidence + self.levied).min(1.0)
    }
}

/// The properties of an entry on which its ageing depends: the covariates of its decay rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntryNature {
    /// The kind of knowledge.
    pub kind: EntryKind,
    /// The domain of its claim.
    pub domain: KnowledgeDomain,
    /// The class by which its subject changes.
    pub class: DecayClass,
    /// Its provenance.
    pub provenance: Provenance,
    /// Waking outcomes for and against it, in this life.
    pub evidence: Evidence,
}

impl EntryNature {
    /// Derives the nature of an entry from its claim: its domain and its decay class.
    pub const fn for_claim(
        kind: EntryKind,
        claim: &Claim,
        provenance: Provenance,
        evidence: Evidence,
    ) -> Self {
        let (domain, class) = (KnowledgeDomain::for_claim(claim), DecayClass::for_claim(kind, claim));
        Self { kind, domain, class, provenance, evidence }
    }
}

morta_base::words! {
    /// The pace at which an entry's subject changes (digest section 2). A half-life class: how fast a subject goes stale.
    pub enum DecayClass {
        /// The structure of the market: a claim that names no circumstances, a cause, or a refuted claim.
        Structural = "structural",
        /// Knowledge that holds in a regime.
        Regime = "regime",
        /// Knowledge that holds at an hour, a depth or a volatility.
        Tactical = "tactical",
        /// Ideas from the edge of sleep.
        Ephemeral = "ephemeral",
    }
}

impl DecayClass {
    /// Classifies a claim by how fast its knowledge goes out of date: our own reading, since the digest names the classes and no rule.
    pub const fn for_claim(kind: EntryKind, claim: &Claim) -> Self {
        match kind {
            EntryKind::StrategyFragment => Self::Ephemeral,
            EntryKind::AntiKnowledge => Self::Structural,
            _ if claim.pattern.regime.is_some() => Self::Regime,
            _ if claim.pattern.specificity_is_zero() => Self::Structural,
            _ => Self::Tactical,
        }
    }
}

morta_base::words! {
    /// Which table of time constants holds.
    #[derive(Default)]
    pub enum HalfLifeTable: Key {
        /// By kind of entry: insight 7 days, heuristic 14, warning 30.
        #[default]
        Kind = "kind",
        /// By class: structural never, regime 14 days, tactical 7, ephemeral 1.
        Class = "class",
        /// By three classes: A (tactical, ephemeral) 7 days, B (regime) 21, C (structural) 90.
        Abc = "abc",
    }

    /// How retention falls.
    #[derive(Default)]
    pub enum RetentionForm: Key {
        /// e^(−Δ/h): the specs' literal text, in which a "half-life" is a time constant.
        #[default]
        EFold = "e-fold",
        /// 2^(−Δ/h): a true half-life.
        HalfLife = "half-life",
    }
}

keys! {
    /// How an entry's quality is reckoned into its retention, and what is left at least: the `[memory.bardo.ageing]`
    /// table.
    pub struct AgeingConfig {
        /// Whether retention weighs on confidence at all.
        enabled: bool = true;
        /// Which table of half-lives holds.
        half_life_table: HalfLifeTable = HalfLifeTable::default();
        /// Whether a half-life is a time constant ("e-fold", the specs' text) or a true half-life ("half-life").
        decay_form: RetentionForm = RetentionForm::default();
        /// Ticks in a day, by which the tables' days are reckoned.
        ticks_per_day: f64 = 2_160.0, in 1.0..=1e6, "ticks";
        /// Effective confidence that time leaves at least; never more than the stored confidence.
        floor: f64 = 0.05, in 0.0..=1.0, "share";
        /// How many times longer an entry from a bloodstain is retained.
        bloodstain_multiple: f64 = 3.0, in 1.0..=1_000.0, "factor";
        /// Quality below which retention falls twice as fast; 0 for never.
        poor_quality_below: f64 = 0.3, in 0.0..=1.0, "quality";
    }
}

impl AgeingConfig {
    /// Days by the configured table (digest section 2, whose sources name three); `None` for entries that don't fade.
    const fn days(&self, nature: &EntryNature) -> Option<f64> {
        match self.half_life_table {
            HalfLifeTable::Kind => Some(match nature.kind {
                EntryKind::Insight | EntryKind::StrategyFragment | EntryKind::Question => 7.0,
                EntryKind::Heuristic => 14.0,
                EntryKind::Warning | EntryKind::AntiKnowledge => 30.0,
            }),
            HalfLifeTable::Class => match nature.class {
                DecayClass::Structural => None,
                DecayClass::Regime => Some(14.0),
                DecayClass::Tactical => Some(7.0),
                DecayClass::Ephemeral => Some(1.0),
            },
            HalfLifeTable::Abc => Some(match nature.class {
                DecayClass::Structural => 90.0,
                DecayClass::Regime => 21.0,
                DecayClass::Tactical | DecayClass::Ephemeral => 7.0,
            }),
        }
    }

    /// Retention by the forgetting curve, e^(−Δ/(half-life · strength)), in (0, 1]: Δ ticks since the last access, the half-life that of
    /// the entry's kind or class, three times as long for a bloodstain's lesson, half as long when the quality is poor (digest section 2).
    pub fn retention(
        &self,
        standing: &EntryStanding,
        nature: &EntryNature,
        confidence: f64,
        now: Tick,
    ) -> f64 {
        let Some(days) = self.days(nature).filter(|_| self.enabled) else { return 1.0 };
        let bloodstain =
            if nature.provenance.bloodstain().is_some() { self.bloodstain_multiple } else { 1.0 };
        let poor = if self.is_poor(nature, confidence) { 0.5 } else { 1.0 };
        let half_life = days * self.ticks_per_day * bloodstain * poor * standing.strength;
        let elapsed = now.saturating_sub(standing.last_accessed) as f64;
        match self.decay_form {
            RetentionForm::EFold => math::exp(-elapsed / half_life),
            RetentionForm::HalfLife => math::half_life_decay(elapsed, half_life),
        }
    }

    /// Whether the quality is poor. An untested entry's quality is not poor but unknown: by the formula it would be 0, and every new insight would fade twice
    /// as fast.
    fn is_poor(&self, nature: &EntryNature, confidence: f64) -> bool {
        nature.evidence.tests() > 0 && nature.evidence.quality(confidence) < self.poor_quality_below
    }

    /// Effective confidence: confidence · retention, and not less than the floor unless the confidence is.
    pub fn effective(
        &self,
        standing: &EntryStanding,
        nature: &EntryNature,
        confidence: f64,
        now: Tick,
    ) -> f64 {
        let faded = confidence * self.retention(standing, nature, confidence, now);
        faded.max(self.floor.min(confidence))
    }
}
