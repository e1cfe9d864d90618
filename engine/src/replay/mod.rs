//! Which episodes a dreaming golem goes through again, in what order, and what it asks of them.
//!
//! Everything here turns a read-only [`Grimoire`](crate::episode::Grimoire) into plain data: scores, selections,
//! batches, what-ifs. Invariant: nothing in this room talks to a language model, and nothing can write to a
//! playbook; what becomes of the data is decided in the Integration phase of the dream.

mod check;

pub mod bias;
pub mod config;
pub mod decay;
pub mod legacy;
pub mod metrics;
pub mod prioritization;
pub mod scale;
pub mod selection;
mod similarity;
pub mod utility;

pub use bias::{MoodConfig, Moods, PadBias, creative_share};
pub use config::{GainWeights, IntensityConfig, NeedWeights, ReplayConfig};
pub use decay::{DecayForm, replay_decay};
pub use legacy::LegacyConfig;
pub use metrics::ReplayMetrics;
pub use prioritization::Prioritization;
pub use scale::Scale;
pub use selection::{
    NotSelected, Selected, Selection, SelectionPass, SelectionReason, reserved_places, select,
};
pub use utility::{ReplayContext, ReplayMode, Scorer, UtilityTerms, score_all};
