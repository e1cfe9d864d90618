mod change;
mod lookahead;
pub(crate) mod own_memory;
mod service;
