//! The contract between a golem and its memory, whatever the architecture. It is a plug-in interface: a golem touches its memory through
//! this room, so that an architecture can be replaced without a change to the golem. Birth and revival from a checkpoint go through
//! [`family`](crate::memory), which knows all architectures; what is inherited has the types of `memory::legacy` and `memory::inheritance`.
//!
//! [`MemoryArchitecture`] is the core, which every memory has. A capability that only some have is a trait of its own: [`Holds`],
//! [`Bequeaths`], [`HandsOn`], [`Teaches`], [`Dreams`] (with [`Curates`] and [`Testifies`]) and [`Reads`]. Everything else here is their
//! vocabulary; types of legacies lie outside. No memory that implements the contract is imported here, though kinds of upkeep and voices
//! are named after what some of them do. Results are in R, confidence runs from 0 to 1, times are in ticks.

pub mod account;
pub mod advice;
mod architecture;
mod bequeaths;
pub mod birth;
pub mod census;
mod curates;
pub mod decision;
mod dreams;
pub mod event;
pub mod experience;
mod hands_on;
mod holds;
mod reads;
mod teaches;
mod testifies;
pub mod upkeep;
pub mod voice;

pub use account::MemoryAccount;
pub use advice::{Advice, Outlook, Split};
pub use architecture::MemoryArchitecture;
pub use bequeaths::Bequeaths;
pub use birth::{MemoryBirth, OwnTable};
pub use census::MemoryCensus;
pub use curates::{Curates, Curation, CurationCounts, CuratorVisit};
pub use decision::{Candidate, DecisionContext};
pub use dreams::{ClockSigns, DreamOccasion, Dreams, Integrated, KnowledgeCounts};
pub use event::{DreamValidation, EntryMove, MemoryEvent, ProvedWrong, Way};
pub use experience::Experience;
pub use hands_on::HandsOn;
pub use holds::{Holding, HoldingAdvice, Holds};
pub use reads::Reads;
pub use teaches::{CladeTrust, ReceivedLessons, Teaches};
pub use testifies::Testifies;
pub use upkeep::{Attended, Attention, MemorySummary, Upkeep, UpkeepKind};
pub use voice::{Voice, VoiceSource};
