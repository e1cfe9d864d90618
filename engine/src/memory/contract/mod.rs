//! What a golem asks of its memory, whatever its architecture. A golem touches its memory through this room alone.
//!
//! [`MemoryArchitecture`] is the contract; [`Dreams`] is what an architecture answers besides if it dreams. Everything else here is
//! the vocabulary of the two.

pub mod account;
pub mod advice;
mod architecture;
pub mod birth;
pub mod census;
pub mod clade;
pub mod curation;
pub mod decision;
mod dreams;
pub mod event;
pub mod experience;
pub mod holding;
pub mod upkeep;
pub mod voice;

pub use account::MemoryAccount;
pub use advice::{Advice, Outlook, Split};
pub use architecture::MemoryArchitecture;
pub use birth::{MemoryBirth, MemoryKeys};
pub use census::MemoryCensus;
pub use clade::{CladeTrust, HeardLessons};
pub use curation::{Curation, CurationCounts, CuratorVisit};
pub use decision::{Candidate, DecisionContext};
pub use dreams::{ClockSigns, DreamOccasion, Dreams, Integrated, KnowledgeCounts};
pub use event::{DreamValidation, EntryMove, MemoryEvent, ProvedWrong, Way};
pub use experience::Experience;
pub use holding::{Holding, HoldingAdvice};
pub use upkeep::{Attended, Attention, MemorySummary, Upkeep, UpkeepKind};
pub use voice::{Voice, VoiceSource};
