//! What was chosen to be replayed, and why.

use crate::episode::{Grimoire, Provenance};
use crate::llm::Correction;
use crate::replay::{self, UtilityTerms};
use morta_base::EpisodeId;
use serde::{Deserialize, Serialize};

/// An episode that was chosen to be replayed, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    /// The episode.
    pub episode: EpisodeId,
    /// Its replay utility.
    pub utility: f64,
    /// What chose it.
    pub reason: replay::SelectionReason,
    /// Correction for unequal probabilities of being drawn, in (0, 1]; 1 where nothing was drawn by priority.
    #[serde(default = "full_weight")]
    pub importance_weight: f64,
    /// What it counts for in a mean, 0 to 1. A scar is shown, but weighs nothing. Read as 1 from logs of builds that didn't say.
    #[serde(default = "full_weight")]
    pub weight: f64,
    /// Where it comes from. Read as `own` from logs of builds that didn't say.
    #[serde(default = "own")]
    pub provenance: Provenance,
    /// Replays before this one. Read as 0 from logs of builds that didn't say.
    #[serde(default)]
    pub replays: u32,
    /// What its utility was made of. All 0 in logs of builds that gave the utility alone.
    #[serde(default)]
    pub terms: ChosenTerms,
}

/// The terms of [`UtilityTerms`](replay::UtilityTerms) that the others follow from: configured factors as they are, measured terms in
/// single precision. In events they are a list without names: named and in double, they made the text of a run's events 28 % longer
/// (`scenarios/quickstart.toml`), for digits of no use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "TermList", into = "TermList")]
#[allow(missing_docs)]
pub struct ChosenTerms {
    pub surprise: f32,
    pub significance: f32,
    pub regret: f32,
    pub gain_base: f32,
    pub replay_decay: f64,
    pub bloodstain: f64,
    pub likeness: f32,
    pub regime: f64,
    pub recency: f32,
    pub need: f32,
    pub spacing: f32,
    pub curator: f64,
    pub mood: f64,
    pub legacy: f64,
}

/// Terms in the order of their declaration.
type TermList = ([f32; 4], [f64; 2], f32, f64, [f32; 3], [f64; 3]);

impl From<TermList> for ChosenTerms {
    fn from((gains, boosts, likeness, regime, needs, factors): TermList) -> Self {
        let [surprise, significance, regret, gain_base] = gains;
        let ([replay_decay, bloodstain], [recency, need, spacing]) = (boosts, needs);
        let [curator, mood, legacy] = factors;
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

impl From<ChosenTerms> for TermList {
    fn from(of: ChosenTerms) -> Self {
        (
            [of.surprise, of.significance, of.regret, of.gain_base],
            [of.replay_decay, of.bloodstain],
            of.likeness,
            of.regime,
            [of.recency, of.need, of.spacing],
            [of.curator, of.mood, of.legacy],
        )
    }
}

impl ChosenTerms {
    /// Gain with decay and boost.
    pub fn gain(&self) -> f64 {
        f64::from(self.gain_base) * self.replay_decay * self.bloodstain
    }
}

impl From<&UtilityTerms> for ChosenTerms {
    fn from(terms: &UtilityTerms) -> Self {
        Self {
            surprise: terms.surprise as f32,
            significance: terms.significance as f32,
            regret: terms.regret as f32,
            gain_base: terms.gain_base as f32,
            replay_decay: terms.replay_decay,
            bloodstain: terms.bloodstain,
            likeness: terms.likeness as f32,
            regime: terms.regime,
            recency: terms.recency as f32,
            need: terms.need as f32,
            spacing: terms.spacing as f32,
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
