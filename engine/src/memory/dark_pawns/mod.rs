//! Dark Pawns on the market. The memory itself is [`morta_memories::dark_pawns`]; [`DarkPawns`] is that of a golem. It is an adapter
//! between a general memory library and the arena; units are given in `arena`. The two are apart so that the library can be used without a
//! market.

mod arena;

pub use arena::{DarkPawns, DarkPawnsConfig, MarketNode};
