//! Memory architectures: one contract, a shipped family, and a registry for architectures from outside the engine. They compete
//! under the same markets, the same budget and the same luck.
//!
//! [`contract`] is the interface to a golem, [`family`] lists the architectures; the other rooms are the shipped architectures
//! and what they share. Every architecture expects results in R net of costs, and inference that one uses is paid for in dollars, so that
//! their lives can be compared. The comparison is a benchmark with lower bounds (`none`, `random`, `constant`) and upper bounds (oracles).

pub mod as_read;
pub mod bardo;
pub mod bardo_owm;
pub mod baseline;
pub mod config;
pub mod constant;
pub mod contract;
pub mod dark_pawns;
pub mod family;
pub mod inheritance;
pub mod knowledge;
pub mod legacy;
pub mod none;
pub mod openclaw;
pub mod oracle;
pub mod owm;
pub mod random;

pub use config::{BardoConfig, GuardConfig, GuardScope, Pooling, ReadingBudget, RecallConfig};
pub use contract::{
    Advice, Attended, Attention, Bequeaths, Candidate, CladeTrust, ClockSigns, Curates, Curation,
    CurationCounts, CuratorVisit, DecisionContext, DreamOccasion, DreamValidation, Dreams, EntryMove,
    Experience, HandsOn, Holding, HoldingAdvice, Holds, Integrated, KnowledgeCounts, MemoryAccount,
    MemoryArchitecture, MemoryBirth, MemoryCensus, MemoryEvent, MemorySummary, Outlook, OwnTable,
    ProvedWrong, Reads, ReceivedLessons, Split, Teaches, Testifies, Upkeep, UpkeepKind, Voice, VoiceSource,
    Way,
};
pub use dark_pawns::{DarkPawns, DarkPawnsConfig};
pub use family::{
    Foreknowledge, Memory, MemoryKeys, MemoryName, MemoryRegistry, Own, OwnMemory, UnknownMemory,
};
pub use inheritance::{Inheritance, InheritedItem};
pub use knowledge::Knowledge;
pub use legacy::{Growth, Heir, InheritOutcome, Legacy, SuccessionConfig, SuccessionPolicy};
pub use owm::OwmConfig;
