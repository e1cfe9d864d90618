//! Runs in the formats of other tools (data export, interchange formats), so that they can be analysed by
//! programs that don't know Morta.

mod phylogeny;

pub use phylogeny::{Ancestry, phylogeny};
