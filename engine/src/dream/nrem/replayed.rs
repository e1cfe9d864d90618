//! What was chosen to be replayed, and why.

use crate::episode::{Grimoire, Provenance};
use crate::llm::Correction;
use crate::replay::{self, UtilityTerms};
use morta_base::EpisodeId;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

/// An episode that was chosen to be replayed, and why.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Replayed {
    /// The episode.
    pub episode: EpisodeId,
    /// Its replay utility.
    pub utility: f64,
    /// What chose it.
    pub reason: replay::SelectionReason,
    /// Correction for unequal probabilities of being drawn, in (0, 1]; 1 where nothing was drawn by priority, and then not in text.
    #[serde(default = "full_weight")]
    pub importance_weight: f64,
    /// What it counts for in a mean, 0 to 1. A scar is shown, but weighs nothing. Not in text where it is 1.
    #[serde(default = "full_weight")]
    pub weight: f64,
    /// Where it comes from. Not in text where it is its own.
    #[serde(default = "own")]
    pub provenance: Provenance,
    /// Replays before this one. Not in text where there are none.
    #[serde(default)]
    pub replays: u32,
    /// What its utility was made of. Not in the text of events, so that all are 0 where that is read: they stand in `replays.parquet`.
    #[serde(default)]
    pub terms: ChosenTerms,
}

/// Text has what differs from the usual, and no terms: `replays.parquet` has all of it, and here it was a tenth of the text of a run's events,
/// which is formatted, hashed and compressed. Bytes have a place for everything.
impl Serialize for Replayed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = !serializer.is_human_readable();
        let Self { episode, utility, reason, importance_weight, weight, provenance, replays, terms } = self;
        let mut replayed = serializer.serialize_struct("Replayed", 8)?;
        replayed.serialize_field("episode", episode)?;
        replayed.serialize_field("utility", utility)?;
        replayed.serialize_field("reason", reason)?;
        if all || *importance_weight != full_weight() {
            replayed.serialize_field("importance_weight", importance_weight)?;
        }
        if all || *weight != full_weight() {
            replayed.serialize_field("weight", weight)?;
        }
        if all || *provenance != own() {
            replayed.serialize_field("provenance", provenance)?;
        }
        if all || *replays > 0 {
            replayed.serialize_field("replays", replays)?;
        }
        if all {
            replayed.serialize_field("terms", terms)?;
        }
        replayed.end()
    }
}

/// The terms of [`UtilityTerms`](replay::UtilityTerms) that the others follow from, to seven decimals, which is what a table needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 14]", into = "[f64; 14]")]
#[allow(missing_docs)]
pub struct ChosenTerms {
    pub surprise: f64,
    pub significance: f64,
    pub regret: f64,
    pub gain_base: f64,
    pub replay_decay: f64,
    pub bloodstain: f64,
    pub likeness: f64,
    pub regime: f64,
    pub recency: f64,
    pub need: f64,
    pub spacing: f64,
    pub curator: f64,
    pub mood: f64,
    pub legacy: f64,
}

impl From<[f64; 14]> for ChosenTerms {
    fn from(list: [f64; 14]) -> Self {
        let [surprise, significance, regret, gain_base, replay_decay, bloodstain, rest @ ..] = list;
        let [likeness, regime, recency, need, spacing, curator, mood, legacy] = rest;
        Self {
            surprise,
            significance,
            regret,
            gain_base,
            replay_decay,
            bloodstain,
            likeness,
            regime,
            recency,
            need,
            spacing,
            curator,
            mood,
            legacy,
        }
    }
}

impl From<ChosenTerms> for [f64; 14] {
    fn from(of: ChosenTerms) -> Self {
        [
            of.surprise, of.significance, of.regret, of.gain_base, of.replay_decay, of.bloodstain,
            of.likeness, of.regime, of.recency, of.need, of.spacing, of.curator, of.mood, of.legacy,
        ]
    }
}

impl ChosenTerms {
    /// Gain with decay and boost.
    pub fn gain(&self) -> f64 {
        self.gain_base * self.replay_decay * self.bloodstain
    }
}

impl From<&UtilityTerms> for ChosenTerms {
    fn from(terms: &UtilityTerms) -> Self {
        const SCALE: f64 = 1e7;
        let short = |term: f64| (term * SCALE).round() / SCALE;
        Self {
            surprise: short(terms.surprise),
            significance: short(terms.significance),
            regret: short(terms.regret),
            gain_base: short(terms.gain_base),
            replay_decay: terms.replay_decay,
            bloodstain: terms.bloodstain,
            likeness: short(terms.likeness),
            regime: terms.regime,
            recency: short(terms.recency),
            need: short(terms.need),
            spacing: short(terms.spacing),
            curator: terms.curator,
            mood: terms.mood,
            legacy: terms.legacy,
        }
    }
}

const fn full_weight() -> f64 {
    1.0
}

const fn own() -> Provenance {
    Provenance::Own
}

impl Replayed {
    /// Of an episode that was chosen from this memory.
    ///
    /// # Panics
    /// When it is not in the memory.
    pub(crate) fn of(selected: &replay::Selected, grimoire: &Grimoire, correction: Correction) -> Self {
        let replay::Selected { episode, reason, terms, importance_weight, .. } = *selected;
        let slot = grimoire.slot_of(episode).expect("what is chosen is remembered");
        let record = grimoire.record(slot);
        let weight = match correction {
            _ if !grimoire.is_fair(record) => 0.0,
            Correction::AsDrawn => importance_weight,
            Correction::None | Correction::Usual => 1.0,
        };
        Self {
            episode,
            utility: terms.utility,
            reason,
            importance_weight,
            weight,
            provenance: record.provenance,
            replays: grimoire.replay_count()[slot],
            terms: ChosenTerms::from(&terms),
        }
    }
}
