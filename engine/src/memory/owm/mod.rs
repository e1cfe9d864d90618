//! Outcome-Weighted Memory on the market. The memory itself is [`morta_memories::owm`]; [`arena`] makes it that of a golem. It is an
//! adapter between a general memory library and the arena; units are given there. The two are apart so that the library can be used without
//! a market.

pub mod arena;
pub mod config;

pub use arena::Owm;
pub use config::OwmConfig;
