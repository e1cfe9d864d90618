//! An episode chosen for replay, with the reason for its choice: the row of the replay log.
//!
//! Utility and terms have no unit: terms and weights run from 0 to 1, boosts (bloodstain, curator, mood, legacy) are factors that are 1
//! where they don't apply. `weight` is what the reading counts an episode with: 0 for a scar (unless `scars_as_evidence`), else its
//! importance sampling weight. The text form leaves usual values out, because these rows would be most of a log
//! (compact serialisation); the binary form has every field.

use crate::episode::{Grimoire, Provenance};
use crate::replay::{self, UtilityTerms};
use morta_base::EpisodeId;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

/// An episode chosen for replay, with the reason for its choice and its importance sampling weight.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Replayed {
    /// The episode.
    pub episode: EpisodeId,
    /// Its replay utility.
    pub utility: f64,
    /// The reason.
    pub reason: replay::SelectionReason,
    /// Correction for unequal probabilities of being drawn, in (0, 1]; 1 where nothing was drawn by priority, and then not in text.
    #[serde(default = "full_weight")]
    pub importance_weight: f64,
    /// Weight in a mean, 0 to 1. A scar is shown, but weighs nothing (unless `scars_as_evidence`). Not in text where it is 1.
    #[serde(default = "full_weight")]
    pub weight: f64,
    /// Its provenance. Not in text where it is the golem's own.
    #[serde(default = "own")]
    pub provenance: Provenance,
    /// Replays before this one. Not in text where there are none.
    #[serde(default)]
    pub replays: u32,
    /// The terms of its utility. All 0 in logs of builds that gave the utility alone.
    #[serde(default)]
    pub terms: ChosenTerms,
}

/// Text omits usual values, because a dream's choices would make up most of a log; bytes have a place for everything.
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
        replayed.serialize_field("terms", terms)?;
        replayed.end()
    }
}

/// Terms are kept in hundred-thousandths.
const SCALE: f64 = 1e5;

/// Makes [`ChosenTerms`] of one list of names: its fields, their places in the list that stands in an event, and where they come from.
macro_rules! chosen_terms {
    ($(#[$about:meta])* $($term:ident)+) => {
        $(#[$about])*
        pub struct ChosenTerms {
            $(pub $term: f64,)+
        }

        impl From<[u32; 14]> for ChosenTerms {
            fn from([$($term),+]: [u32; 14]) -> Self {
                Self { $($term: f64::from($term) / SCALE),+ }
            }
        }

        impl From<ChosenTerms> for [u32; 14] {
            fn from(of: ChosenTerms) -> Self {
                [$(of.$term),+].map(|term| (term * SCALE).round() as u32)
            }
        }

        impl From<&UtilityTerms> for ChosenTerms {
            fn from(of: &UtilityTerms) -> Self {
                let exact = Self { $($term: of.$term),+ };
                // Rounded as it will be read back, so that a branch from the text goes on with the same numbers.
                Self::from(<[u32; 14]>::from(exact))
            }
        }
    };
}

chosen_terms! {
    /// The terms of [`UtilityTerms`](replay::UtilityTerms) that the others follow from, to five decimals (fixed point). In events they are a
    /// list without names, in hundred-thousandths: named and with all digits, they made the text of a run's events 28 % longer
    /// (`scenarios/quickstart.toml`), and a branch goes on from that text, so that they can't stand in `replays.parquet` alone.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(from = "[u32; 14]", into = "[u32; 14]")]
    #[allow(missing_docs)]
    surprise significance regret gain_base replay_decay bloodstain
    likeness regime recency need spacing curator mood legacy
}

impl ChosenTerms {
    /// The gain term of utility = gain × need, with decay and boost.
    pub fn gain(&self) -> f64 {
        self.gain_base * self.replay_decay * self.bloodstain
    }
}

const fn full_weight() -> f64 {
    1.0
}

const fn own() -> Provenance {
    Provenance::Own
}

impl Replayed {
    /// From a selection out of this memory.
    ///
    /// # Panics
    /// When it is not in the memory.
    pub(crate) fn from_selected(selected: &replay::Selected, grimoire: &Grimoire) -> Self {
        let replay::Selected { episode, reason, terms, importance_weight, .. } = *selected;
        let slot = grimoire.slot_of(episode).expect("what is chosen is remembered");
        let record = grimoire.record(slot);
        let weight = if grimoire.is_fair(record) { importance_weight } else { 0.0 };
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

#[cfg(test)]
pub(super) mod samples {
    use super::*;
    use crate::common::replay::context;
    use crate::replay::{ReplayConfig, Scorer, Selected, SelectionPass};

    /// The episodes of a memory that a dream has chosen, with their priorities: the sampled mini-batch.
    pub(crate) fn chosen(
        ids: &[EpisodeId],
        grimoire: &Grimoire,
        reason: replay::SelectionReason,
        importance_weight: f64,
    ) -> Vec<Replayed> {
        let terms = Scorer::new(grimoire, &context(40), &ReplayConfig::default()).terms(0);
        let pass = SelectionPass::UtilityRanked;
        let one = |&episode| Selected { episode, pass, reason, terms, importance_weight };
        ids.iter().map(|id| Replayed::from_selected(&one(id), grimoire)).collect()
    }
}
