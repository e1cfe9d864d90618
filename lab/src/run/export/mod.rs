//! Runs in the formats of other tools.

mod phylogeny;

pub use phylogeny::{Ancestry, phylogeny};
