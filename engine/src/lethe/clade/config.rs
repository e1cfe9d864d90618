//! The `[clade]` table: how siblings share what they learned while they live (social learning, collective intelligence).
//!
//! Trust and thresholds run from 0 to 1, intervals are in ticks, quotas in lessons a simulated hour (rate limit), prices in dollars.
//! Thresholds are of digest section 15. The sharing rule goes by phase of life, by hazard or by mood; it is a sharing policy. Clades are
//! off by default; votes on bloodstains don't depend on them. The giver applies thresholds and its own quota before it pays `write_usdc` a
//! lesson; the receiver applies its quota, `trust` and `trust_ceiling`.

use crate::episode::EntryKind;
use morta_base::keys;

morta_base::words! {
    /// What makes golems share more freely.
    #[derive(Default)]
    pub enum SharingRule: Key {
        /// Their behavioural phase: .6, .5, .4, .3, .1 from thriving to terminal, .2 in the second stage of senescence
        /// (`mortality.phases`).
        #[default]
        Phase = "phase",
        /// Their hazard h: .6 − .3·min(1, h/5·10⁻⁴).
        Hazard = "hazard",
        /// Their hazard and their mood: .6 − .15·min(1, h/5·10⁻⁴) − e, with e by mood and phase.
        Affect = "affect",
    }
}

keys! {
    /// Siblings that tell each other what they learned. A clade is up to `size` neighbouring lineage slots of one
    /// cohort.
    pub struct CladeConfig {
        /// Whether there are clades. Without, golems learn nothing from the living.
        enabled: bool = false;
        /// A research control: whether what a golem's lessons expect is dealt out among them at random before any are told. As many are told
        /// then, on the same subjects and as surely, and there is nothing to be learned from them.
        shuffle_claims: bool = false;
        /// Lineage slots in a clade; the last clade of a cohort may be smaller.
        size: u32 = 20, in 1..=20, "golems";
        /// Ticks between two exchanges of a golem with its clade. Warnings and the last words of the dying don't wait
        /// for it.
        sync_ticks: u64 = 50, in 1..=1_000_000_000, "ticks";
        /// Trust from which a warning is offered.
        warning_threshold: f64 = 0.4, in 0.0..=1.0, "trust";
        /// Trust from which an insight is offered.
        insight_threshold: f64 = 0.6, in 0.0..=1.0, "trust";
        /// Trust from which a heuristic is offered.
        heuristic_threshold: f64 = 0.7, in 0.0..=1.0, "trust";
        /// Ticks a heuristic must have been in force before it is offered.
        heuristic_age_ticks: u64 = 10, in 0..=1_000_000_000, "ticks";
        /// What makes golems share more freely. The thresholds hold at a sharing threshold of .6 and move with it.
        sharing: SharingRule = SharingRule::Phase;
        /// Most lessons a golem offers in an hour of simulated time.
        push_per_hour: u32 = 100, in 0..=1_000_000, "lessons";
        /// Most lessons a golem takes in in an hour of simulated time.
        ingest_per_hour: u32 = 200, in 0..=1_000_000, "lessons";
        /// How long a lesson can be asked for, simulated days.
        store_days: f64 = 7.0, in 1e-6..=1e5, "days";
        /// What is left of the giver's trust in the receiver.
        trust: f64 = 0.8, in 0.0..=1.0, "share";
        /// Most trust a lesson begins with in the receiver.
        trust_ceiling: f64 = 0.4, in 0.0..=1.0, "confidence";
        /// Price of offering one lesson, dollars.
        write_usdc: f64 = 0.001, in 0.0..=1e12, "dollars";
    }
}

/// Trust from which a fragment of a strategy is offered (digest section 15); no lesson is one yet, since what is under test is a question.
const FRAGMENT_THRESHOLD: f64 = 0.6;
/// The sharing threshold at which the thresholds by kind hold as they are: that of a thriving golem (digest section 15, M12).
const NEUTRAL: f64 = 0.6;
/// Largest fall of the sharing threshold by hazard (digest section 15, M03).
const HAZARD_RELIEF: f64 = 0.3;
/// Hazard a tick at which it falls as far as it can (digest section 15, M03): half the cap of the default hazard.
const FULL_HAZARD: f64 = 5e-4;

impl CladeConfig {
    /// Slots in a clade, the group size; 0 when there are no clades, by which `CladeMap` knows that.
    pub(crate) fn clade_size(&self) -> u32 {
        if self.enabled { self.size } else { 0 }
    }

    /// The sharing threshold by hazard (digest section 15, M03): .6 − .3·min(1, h/5·10⁻⁴), h the hazard rate a tick after scale and
    /// frailty. It counts where `clade.sharing` is "hazard".
    pub fn sharing_by_hazard(hazard: f64) -> f64 {
        NEUTRAL - HAZARD_RELIEF * (hazard / FULL_HAZARD).min(1.0)
    }

    /// Confidence threshold by kind of knowledge: the trust from which a golem with this sharing threshold offers an entry of this kind;
    /// `None` for kinds that aren't shared. The specs give thresholds by kind and by readiness to share, and leave open how they meet; here
    /// readiness shifts all kinds alike, so that their order stays.
    pub fn threshold(&self, kind: EntryKind, sharing: f64) -> Option<f64> {
        let by_kind = match kind {
            EntryKind::Warning | EntryKind::AntiKnowledge => self.warning_threshold,
            EntryKind::Insight => self.insight_threshold,
            EntryKind::Heuristic => self.heuristic_threshold,
            EntryKind::StrategyFragment => FRAGMENT_THRESHOLD,
            EntryKind::Question => return None,
        };
        Some((by_kind - (NEUTRAL - sharing)).clamp(0.0, 1.0))
    }
}
