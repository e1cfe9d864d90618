//! The Lethe on disk: a sled database that keeps bloodstains of one run or of many.
//!
//! | key | value |
//! |---|---|
//! | `0` | the format's number |
//! | `1`, run | a [`RunRecord`] |
//! | `2`, run, golem, number | a bloodstain, its golems named as their own run names them |
//!
//! Values carry a checksum. What is left in a tick is written in one batch with the run's record, so a store holds a tick's
//! bloodstains whole or not at all, and it is acknowledged only after the flush. What each run has left when it ends is noted in an
//! [`Inventory`] beside the records, and every reader holds them against it.

mod content;
mod flusher;
mod folder;
mod inventory;
mod record;
mod sled_store;

pub use content::{AncestorRun, Ancestry, LetheContent, StoredBloodstain};
pub use folder::LetheFolderError;
pub use inventory::{Inventory, Loss};
pub use record::{RunId, RunRecord};
pub use sled_store::{LetheClosing, LetheFiles, SledStore};
