//! What a golem experiences, and the rules it draws from that.

pub mod claim;
pub mod grimoire;
pub mod lesson;
pub mod record;
pub mod staging;
pub mod threat;
pub mod verification;

pub use claim::{Claim, ContextPattern, VolatilityBand};
pub use grimoire::{DreamPriority, Grimoire, GrimoireConfig};
pub use lesson::{EntryKind, KnowledgeDomain, Lesson};
pub use record::{Context, DecisionStep, Episode, EpisodeKind, Provenance, StepKind};
pub use staging::{FindingKind, StagedClaim, Staging, StagingBuffer, StagingConfig, StagingVerdict};
pub use threat::{ThreatKind, ThreatRecord, ThreatTier};
pub use verification::OutcomeVerification;
