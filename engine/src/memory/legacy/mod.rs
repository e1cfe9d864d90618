//! What a golem hands to its successor, and what the successor makes of it (digest section 14).
//!
//! The digest calls this the genome; here that word is kept for the traits golems are born with. Unlike a bloodstain a
//! legacy costs nothing, is whole, and goes to one heir only.

pub mod confidence;
pub mod config;
pub mod growth;
pub mod select;
mod shuffle;

pub use config::{ConfidenceForm, Explorers, SuccessionConfig, SuccessionPolicy};
pub use growth::Growth;

use crate::daimon::Pad;
use crate::dream::Entry;
use crate::dream::integration::beliefs::Disproof;
use crate::episode::{Claim, Episode, Evidence, Lesson};
use crate::market::Regime;
use crate::replay::causal::CausalLink;
use morta_base::{EpisodeId, GolemId, Tick};
use serde::{Deserialize, Serialize};

/// One entry that is handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LegacyEntry {
    /// What it says, with the confidence it had before demurrage.
    pub lesson: Lesson,
    /// When the predecessor wrote it down; the last tick there is for what its last dream found.
    pub written: Tick,
    /// When the predecessor's life last bore it out.
    pub last_validated: Tick,
    /// Whether a dream drew it and life bore it out.
    pub dream_validated: bool,
    /// Whether it is among what the predecessor left to the world too.
    pub in_testament: bool,
}

impl LegacyEntry {
    /// Confidence · v/(v + c + 1).
    pub fn quality(&self) -> f64 {
        let Lesson { confirmed, contradicted, confidence, .. } = self.lesson;
        Evidence { confirmed, contradicted }.quality(confidence)
    }

    /// Generations between who first learned it and the heir, at least 1.
    pub fn generations_to(&self, heir: u32) -> u32 {
        heir.abs_diff(self.lesson.origin.generation).max(1)
    }
}

/// What affect adds to a legacy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffectLegacy {
    /// How many different feelings the life held, 0 to 1.
    pub diversity: f64,
    /// Whether the arc of the life was redemptive.
    pub redemptive: bool,
    /// How the handed-down scars were felt.
    pub tags: Vec<(EpisodeId, Pad)>,
}

/// A rule the predecessor held, for comparison: it is a reference, and binds nobody.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldRule {
    /// What it said.
    pub claim: Claim,
    /// The predecessor's trust in it at the end, 0 to 1.
    pub confidence: f64,
}

impl From<&Entry> for HeldRule {
    fn from(rule: &Entry) -> Self {
        Self { claim: rule.claim, confidence: rule.confidence }
    }
}

/// All that is handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Legacy {
    /// Whose it was.
    pub from: GolemId,
    /// Episodes that hurt, the gravest first.
    pub scars: Vec<Episode>,
    /// Entries, those of the first choice first.
    pub entries: Vec<LegacyEntry>,
    /// What proved wrong; all of it.
    pub anti: Vec<Disproof>,
    /// The playbook at death.
    pub playbook: Vec<HeldRule>,
    /// What leads to what.
    pub links: Vec<CausalLink>,
    /// What affect adds, where golems feel.
    pub affect: Option<AffectLegacy>,
}

/// Who inherits, and where.
#[derive(Clone, Copy, Debug)]
pub struct Heir {
    /// Its generation.
    pub generation: u32,
    /// The regime it is born into, as it reads it.
    pub regime: Regime,
    /// The tick of its birth.
    pub now: Tick,
}

/// What an heir took over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Received {
    /// Scars it remembers now.
    pub scars: u32,
    /// Entries it keeps as candidates.
    pub candidates: u32,
    /// Things it knows to be wrong.
    pub anti: u32,
    /// Claims it put to the test.
    pub staged: Vec<Entry>,
    /// Claims that had to make room for them.
    pub displaced: Vec<Entry>,
    /// Rules in force from birth.
    pub defaults: Vec<Entry>,
}
