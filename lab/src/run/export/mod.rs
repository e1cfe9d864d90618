//! Runs in the formats of other tools (data export, interchange formats), so that they can be analysed by
//! programs that don't know Morta. It is one file for each format, so that a format can be dropped with its
//! file.

mod phylogeny;

pub use phylogeny::{Ancestry, phylogeny};
