//! Episodes of golems, and the claims drawn from them: the data types of episodic memory and of semantic memory.
//!
//! An episode is one closed trade, with its result in R, or one abstention, with 0 R. A claim is a hypothesis drawn from episodes, also in
//! R. `record` is the episode, `grimoire` the store of episodes, `course` a position with its reviews, `verification` its execution.
//! `claim` is made of `pattern` and `held`; `evidence`, `sequential` and `staging` test it, `standing` (use) and `demurrage` (lack of
//! proof) wear it out, `lesson` carries it to others. `threat` has dangers and their signs. The rooms above (curator, dream, memory, golem)
//! learn and act; nothing here does.

pub mod claim;
pub mod course;
pub mod demurrage;
pub mod evidence;
pub mod grimoire;
pub mod held;
pub mod lesson;
pub mod pattern;
pub mod record;
pub mod sequential;
pub mod staging;
pub mod standing;
pub mod threat;
pub mod verification;

pub use claim::{Claim, ClaimKind, Matter, Stake};
pub use course::{Course, Review};
pub use demurrage::{DemurrageConfig, LeavingReason};
pub use evidence::Evidence;
pub use grimoire::{DreamPriority, Grimoire, GrimoireConfig};
pub use held::HeldPattern;
pub use lesson::{EntryKind, KnowledgeDomain, Lesson};
pub use pattern::{ContextPattern, Feature, VolatilityBand};
pub use record::{
    After, Conditions, Context, DecisionStep, Episode, EpisodeKind, EpisodeRecord, Provenance, StepKind,
};
pub use sequential::{Promotion, SequentialConfig, SequentialTest, Spread};
pub use staging::{FindingKind, Hearing, StagingConfig, StagingVerdict};
pub use standing::{AgeingConfig, DecayClass, EntryNature, EntryStanding, Reinforcement};
pub use threat::{ThreatKind, ThreatRecord, ThreatTier};
pub use verification::OutcomeVerification;
