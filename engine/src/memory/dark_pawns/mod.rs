//! Dark Pawns on the market. The memory itself is [`morta_memories::dark_pawns`]; [`DarkPawns`] is that of a golem.

mod arena;

pub use arena::{DarkPawns, DarkPawnsConfig, MarketNode};
