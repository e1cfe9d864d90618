//! Memory architectures: one contract, one closed family. They compete under the same markets, the same budget and the
//! same luck.

pub mod account;
pub mod architecture;
pub mod bardo;
pub mod bardo_owm;
pub mod config;
pub mod contract;
pub mod dark_pawns;
pub mod inheritance;
pub mod legacy;
pub mod openclaw;
pub mod oracle;
pub mod owm;

pub use account::MemoryAccount;
pub use architecture::{Memory, MemoryKeys};
pub use config::{BardoConfig, MemoryKind, RecallConfig};
pub use contract::{
    Advice, Attended, Attention, Candidate, CladeTrust, DecisionContext, MemoryCensus, MemorySummary, Upkeep,
    UpkeepKind, Voice, VoiceSource,
};
pub use dark_pawns::{DarkPawns, DarkPawnsConfig};
pub use inheritance::{Inheritance, InheritedItem};
pub use legacy::{Growth, Heir, Legacy, Received, SuccessionConfig, SuccessionPolicy};
pub use owm::OwmConfig;
