//! Outcome-Weighted Memory on the market. The memory itself is [`morta_memories::owm`]; [`arena`] makes it that of a golem.

pub mod arena;
pub mod config;

pub use arena::Owm;
pub use config::OwmConfig;
