mod change;
mod lookahead;
mod own_memory;
mod service;
