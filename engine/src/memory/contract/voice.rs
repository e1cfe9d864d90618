//! Voices: the items of memory that speak in a piece of advice (weighted votes, feature attribution).
//!
//! A voice has a weight in numbers of outcomes and an expectation in R; a voice about size has a share or a multiple instead, and a gut
//! feeling runs from −1 to 1, as their sources say. Voices make a decision explainable and its evidence attributable.

use crate::episode::Provenance;
use crate::market::Regime;
use morta_base::{EpisodeId, RuleId};
use serde::{Deserialize, Serialize};

/// The source of a voice: the kind and identity of what voted, a foreign key to the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoiceSource {
    /// A rule of the playbook.
    Rule(RuleId),
    /// A conclusion still under test.
    Hypothesis(RuleId),
    /// A waking insight that isn't a rule yet.
    Insight(RuleId),
    /// A disproved claim: it expects the result that was found.
    AntiKnowledge(RuleId),
    /// A remembered episode.
    Episode(EpisodeId),
    /// A node of a memory graph: an entity that many experiences have in common.
    Node(u32),
    /// A note on one experience or several.
    Note(u32),
    /// A plan made earlier for circumstances like these.
    Plan(u32),
    /// The truth, of an oracle.
    Truth(Regime),
    /// A gut feeling: its voice expects nothing in R, but says how good or bad trades of that kind have felt, from −1 to 1;
    /// its weight is the R that a feeling of 1 adds.
    Gut,
    /// A scar that warns of a moment like its own: its voice expects nothing in R; its weight is the share of the position's size that it
    /// takes away, from 0 to 1.
    Guard(EpisodeId),
    /// A rule about how much to put in: its voice expects nothing in R; its weight is the multiple of the position's size.
    Stake(RuleId),
    /// A rule that warns: as a scar does.
    Warning(RuleId),
}

impl VoiceSource {
    /// The stored item (canonical key): an entry is the same item as an insight, under test, in force, or disproved. Evidence and use are
    /// counted by item, so that a change of status doesn't make two of one.
    pub const fn item(self) -> Self {
        match self {
            Self::Hypothesis(id)
            | Self::Insight(id)
            | Self::AntiKnowledge(id)
            | Self::Stake(id)
            | Self::Warning(id) => Self::Rule(id),
            Self::Guard(id) => Self::Episode(id),
            other => other,
        }
    }

    /// Whether it is a risk warning, which expects nothing in R.
    pub(crate) const fn is_guard(self) -> bool {
        matches!(self, Self::Guard(_) | Self::Warning(_))
    }

    /// Whether it is about position sizing, and not about worth: warnings and stakes.
    pub(crate) const fn is_about_size(self) -> bool {
        self.is_guard() || matches!(self, Self::Stake(_))
    }

    /// Whether outcomes are credited to it (credit assignment), for or against: entries, nodes and notes, but no episode, plan or feeling.
    /// Only of such items does the golem ask whether they tipped a decision.
    pub const fn is_tested(self) -> bool {
        matches!(self.item(), Self::Rule(_) | Self::Node(_) | Self::Note(_))
    }
}

/// A weighted vote with attribution: one voice in a piece of advice, which contributes to its weighted mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Voice {
    /// Its source.
    pub source: VoiceSource,
    /// Provenance of its content.
    pub provenance: Provenance,
    /// Its weight.
    pub weight: f64,
    /// The R it expects.
    pub expected_r: f64,
    /// Number of circumstances that a claim names, 0 for one that holds everywhere; `None` for anything but a claim.
    #[serde(default)]
    pub specificity: Option<u8>,
    /// How far it moved the expectation, in R, to a millionth; `None` where its memory doesn't say, or it is about the size of
    /// the position.
    #[serde(default)]
    pub moved_r: Option<f64>,
}

impl Voice {
    /// Makes the voice of anything but a claim, before it has moved the expectation (no attribution yet).
    pub const fn new(source: VoiceSource, provenance: Provenance, weight: f64, expected_r: f64) -> Self {
        Self { source, provenance, weight, expected_r, specificity: None, moved_r: None }
    }

    /// Records its marginal contribution (attribution): how far it moved the expectation, in R, rounded to a millionth, because more digits
    /// would only lengthen events.
    pub(crate) fn note_moved(&mut self, by_r: f64) {
        self.moved_r = Some((by_r * 1e6).round() / 1e6);
    }
}
