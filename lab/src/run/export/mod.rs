//! `morta export`: finished runs in the formats of other tools (data export, interchange formats), so that they can be analysed by programs
//! that don't know Morta. There is one format so far, the phylogeny of the ALife data standard; each has a file of its own, so that it can
//! be dropped with its file.

mod phylogeny;

pub use phylogeny::{Ancestry, phylogeny};
