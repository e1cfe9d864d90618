//! The Lethe on disk: a sled database that keeps bloodstains of one run or of many.
//!
//! | key | value |
//! |---|---|
//! | `0` | the format's number |
//! | `1`, run | a [`RunRecord`] |
//! | `2`, run, golem, number | a bloodstain, its golems named as their own run names them |
//!
//! Values carry a checksum, so that damage is noticed that sled doesn't report. A tick's bloodstains are written in one batch with the
//! run's record, so that a store holds them whole or not at all; they are acknowledged only after the flush. When a run ends, the number
//! and hash of its bloodstains are noted in an [`Inventory`] beside the records, and every reader compares the records with it. A run has a
//! database of its own, temporary unless the run is recorded; a recorded one has with the key `lethe.persist` a second one that outlives
//! it. Sweeps, branches, repetitions and runs with checkpoints live with bloodstains in memory and add none to a lasting database.
//! `sled_store` writes, `content` reads and salvages, `folder` opens databases, `record` has their keys and checksums.

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
