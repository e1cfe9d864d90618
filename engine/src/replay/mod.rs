//! Which episodes a dreaming golem goes through again, in what order, and what it asks of them.
//!
//! Everything here turns a read-only [`Grimoire`](crate::episode::Grimoire) into plain data: scores, selections,
//! batches, what-ifs. Invariant: nothing in this room talks to a language model, and nothing can write to a
//! playbook; what becomes of the data is decided in the Integration phase of the dream.

mod check;
mod course;
mod exp2;
mod similarity;

pub mod anchored;
pub mod batch;
pub mod bias;
pub mod causal;
pub mod config;
pub mod decay;
pub mod forward;
pub mod legacy;
pub mod metrics;
pub mod perturbed;
pub mod primitive;
pub mod prioritization;
pub mod reverse;
pub mod scale;
pub mod selection;
pub mod utility;

pub use anchored::{AnchoredCase, AnchoredReplay, Deviation, anchored_replays};
pub use batch::{Batch, Uncertainty, batch_size, batches, lifecycles};
pub use bias::{MoodConfig, Moods, PadBias, creative_share};
pub use causal::{CausalConfig, CausalEdge, CausalGraph, Condition, Hop, MarketState};
pub use config::{GainWeights, IntensityConfig, NeedWeights, ReplayConfig};
pub use decay::{Decay, DecayForm, replay_decay};
pub use forward::{AnticipatoryTrajectory, ForwardConfig, Hypothesis, OpenPosition, Outlook, anticipate};
pub use legacy::LegacyConfig;
pub use metrics::{ReplayMetrics, predictive_accuracy};
pub use perturbed::{
    PerturbationConfig, PerturbationKind, PerturbedReplay, Tolerance, perturb, plan_perturbations,
};
pub use primitive::{Neighbours, Primitive, PrimitiveConfig, PrimitiveLedger, PrimitiveSet, label};
pub use prioritization::Prioritization;
pub use reverse::{CreditAssignment, ReverseConfig, StepCredit, assign_credit, reverse_replays};
pub use scale::Scale;
pub use selection::{
    NotSelected, Selected, Selection, SelectionPass, SelectionReason, reserved_places, select,
};
pub use utility::{ReplayContext, ReplayMode, Scorer, UtilityTerms, score_all};
