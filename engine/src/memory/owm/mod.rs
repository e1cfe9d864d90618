//! Outcome-Weighted Memory on the market. The memory itself is [`morta_memories::owm`]; [`arena`] makes it that of a golem, and
//! [`validation`] asks on recorded bars whether it sizes trades better.

pub mod arena;
pub mod config;
pub mod validation;

pub use arena::Owm;
pub use config::OwmConfig;
