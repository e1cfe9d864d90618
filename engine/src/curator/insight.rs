//! What waking experience has taught, before it is a rule.

use crate::base::{EpisodeId, GolemId, RuleId};
use crate::episode::{Claim, EntryKind, EntryNature, Provenance, Standing};
use serde::{Deserialize, Serialize};

/// A conclusion from episodes that agree. It begins as a candidate, which says nothing; an active one speaks in decisions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Insight {
    /// Its identity within the golem's Grimoire; it keeps it as a claim, a rule, or what proved wrong.
    pub id: RuleId,
    /// What kind of entry it is: an insight, a warning, or an inherited rule kept for reference.
    pub kind: EntryKind,
    /// What it says.
    pub claim: Claim,
    /// Trust in it, 0 to 1.
    pub confidence: f64,
    /// Whether it speaks.
    pub active: bool,
    /// Waking outcomes that bore it out, those it was drawn from included.
    pub confirmed: u32,
    /// Waking outcomes that spoke against it, likewise.
    pub contradicted: u32,
    /// How it stands.
    pub standing: Standing,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Who first learned it.
    pub origin: GolemId,
    /// The episodes it was drawn from; the newest are kept.
    pub learned_from: Vec<EpisodeId>,
}

impl Insight {
    /// How it ages.
    pub const fn nature(&self) -> EntryNature {
        EntryNature::of(self.kind, &self.claim, self.provenance, (self.confirmed, self.contradicted))
    }

    /// Insight or warning, as the claim says.
    pub const fn kind_of(claim: &Claim) -> EntryKind {
        if claim.expected_r > 0.0 { EntryKind::Insight } else { EntryKind::Warning }
    }
}
