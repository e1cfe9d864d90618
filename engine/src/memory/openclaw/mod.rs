//! OpenClaw dreaming on the market. The memory itself is [`morta_memories::openclaw`]; [`arena`] makes it that of a golem.

pub mod arena;
