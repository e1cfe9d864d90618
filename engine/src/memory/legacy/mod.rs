//! The legacy of a golem to its successor (digest section 14).
//!
//! The digest calls this the genome; here that word is kept for the traits that golems are born with. Unlike a bloodstain a legacy costs
//! nothing, arrives all at once, and goes to one heir only. It is made at death and received in the heir's first tick, only where
//! `succession.policy` is "continue" (the default) and the memory is one that hands on; a death by fault, or a sudden one before any
//! snapshot, leaves none. Snapshots need a memory that draws bloodstains. The traits pass apart from it. `select` chooses what fits,
//! `confidence` discounts it at the heir, `growth` compares heir and giver, `shuffle` is a control. Confidence runs from 0 to 1, results
//! are in R, times in ticks.

pub mod confidence;
pub mod config;
pub mod growth;
pub mod select;
mod shuffle;

pub use config::{ConfidenceForm, SuccessionConfig, SuccessionPolicy};
pub use growth::Growth;

use crate::dream::BeliefEntry;
use crate::dream::integration::beliefs::Disproof;
use crate::episode::{Claim, Episode, Evidence, Lesson};
use crate::market::Regime;
use crate::replay::causal::CausalLink;
use morta_base::{GolemId, Tick};
use serde::{Deserialize, Serialize};

/// An inherited knowledge record (knowledge transfer), with its trust and provenance: one entry of a legacy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LegacyEntry {
    /// Its lesson, with the confidence before demurrage.
    pub lesson: Lesson,
    /// Tick at which the predecessor wrote it; the largest tick for a finding of its last dream.
    pub written: Tick,
    /// Tick at which the predecessor's life last confirmed it.
    pub last_validated: Tick,
    /// Whether a dream drew it and life confirmed it.
    pub dream_validated: bool,
    /// Whether it is in the predecessor's testament too.
    pub in_testament: bool,
}

impl LegacyEntry {
    /// A ranking score for selection, a smoothed success rate: confidence · v/(v + c + 1), v outcomes for it and c against (digest section
    /// 2, "quality").
    pub fn quality(&self) -> f64 {
        let Lesson { confirmed, contradicted, confidence, .. } = self.lesson;
        Evidence { confirmed, contradicted }.quality(confidence)
    }

    /// Generations between the golem that first learned it and the heir, at least 1. The digest has both that gap and the generation of the
    /// successor; section 14 picks the gap (generational distance), or old knowledge would be distrusted for its heir's age. It is a
    /// generation distance by `abs_diff`.
    pub(crate) fn generations_to(&self, heir: u32) -> u32 {
        heir.abs_diff(self.lesson.origin.generation).max(1)
    }
}

/// Emotional metadata of the inheritance: the contribution of affect, which raises an heir's confidence. It is the diversity of a life's
/// moods, and whether the life's arc was redemptive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffectLegacy {
    /// Diversity of the feelings in the life, 0 to 1.
    pub diversity: f64,
    /// Whether the life's arc was redemptive.
    pub redemptive: bool,
}

/// A reference copy of a rule of the predecessor, for comparison: it binds nobody (digest section 14: "the playbook is reference only").
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldRule {
    /// Its claim.
    pub claim: Claim,
    /// The predecessor's confidence at the end, 0 to 1.
    pub confidence: f64,
}

impl From<&BeliefEntry> for HeldRule {
    fn from(rule: &BeliefEntry) -> Self {
        Self { claim: rule.claim, confidence: rule.confidence }
    }
}

/// The inheritance package (vertical transmission): all that is handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Legacy {
    /// The predecessor.
    pub from: GolemId,
    /// Scars, the gravest first.
    pub scars: Vec<Episode>,
    /// Entries, in the order in which they were chosen.
    pub entries: Vec<LegacyEntry>,
    /// Disproofs, all of them.
    pub anti: Vec<Disproof>,
    /// The playbook at death.
    pub playbook: Vec<HeldRule>,
    /// Causal links.
    pub links: Vec<CausalLink>,
    /// The contribution of affect, where golems have it.
    pub affect: Option<AffectLegacy>,
}

/// The receiver's context: the heir (successor agent), and its place of birth.
#[derive(Clone, Copy, Debug)]
pub struct Heir {
    /// Its generation.
    pub generation: u32,
    /// The regime at its birth, as it reads it.
    pub regime: Regime,
    /// The tick of its birth.
    pub now: Tick,
}

/// The import result of a legacy, of bloodstains or of siblings' lessons: counts of accepted knowledge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InheritOutcome {
    /// Scars that it remembers.
    pub scars: u32,
    /// Entries kept as candidates.
    pub candidates: u32,
    /// Disproofs.
    pub anti: u32,
    /// Claims staged.
    pub staged: Vec<BeliefEntry>,
    /// Claims displaced for them.
    pub displaced: Vec<BeliefEntry>,
    /// Rules in force from birth.
    pub defaults: Vec<BeliefEntry>,
}
