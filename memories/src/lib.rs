//! Three memories.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod base;
pub mod dark_pawns;
pub mod openclaw;
pub mod owm;
