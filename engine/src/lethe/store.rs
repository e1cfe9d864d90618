//! Stores of bloodstains: a contract that memory and disk both keep (a storage backend, key-value store).
//!
//! The engine does no I/O, so the store on disk is in the crate `actors`; the same code runs with either. The Lethe service flushes at each
//! barrier that took a deposit. What is put is durable only after a flush, and a failure is an error that ends the run. The index isn't
//! here: a store knows no ranks and no delays.

use crate::lethe::Bloodstain;
use morta_base::BloodstainId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The failure of a store, with what failed in words: the error type of storage backends.
#[derive(Debug, thiserror::Error)]
#[error("the Lethe's store failed: {0}")]
pub struct StoreError(pub String);

/// A storage backend for bloodstains: a key-value store with put, get, remove, flush.
pub trait BloodstainStore {
    /// Keeps one. It is safe only after the next [`BloodstainStore::flush`]: a flush for each of a tick's deaths would cost a disk write each.
    ///
    /// # Errors
    /// When it can't be kept safely.
    fn put(&mut self, bloodstain: &Bloodstain) -> Result<(), StoreError>;

    /// Finds one; `None` when it isn't there.
    ///
    /// # Errors
    /// When the store can't be read.
    fn get(&self, id: BloodstainId) -> Result<Option<Bloodstain>, StoreError>;

    /// Removes these, all of them or on an error none.
    ///
    /// # Errors
    /// When the store can't be written.
    fn remove(&mut self, ids: &[BloodstainId]) -> Result<(), StoreError>;

    /// Makes everything that was put safe, as of the tick that is over: from then on it is acknowledged.
    ///
    /// # Errors
    /// When the store can't be written.
    fn flush(&mut self, now: morta_base::Tick) -> Result<(), StoreError>;
}

/// An in-memory store (a map): the volatile key-value store of plain worlds, sweeps, checkpointed runs and a replication; other runs keep
/// theirs on disk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryStore(BTreeMap<BloodstainId, Bloodstain>);

impl MemoryStore {
    /// Makes a store that holds these bloodstains already, those of earlier runs.
    pub fn holding(bloodstains: impl IntoIterator<Item = Bloodstain>) -> Self {
        Self(bloodstains.into_iter().map(|bloodstain| (bloodstain.id, bloodstain)).collect())
    }
}

impl BloodstainStore for MemoryStore {
    fn put(&mut self, bloodstain: &Bloodstain) -> Result<(), StoreError> {
        self.0.insert(bloodstain.id, bloodstain.clone());
        Ok(())
    }

    fn get(&self, id: BloodstainId) -> Result<Option<Bloodstain>, StoreError> {
        Ok(self.0.get(&id).cloned())
    }

    fn remove(&mut self, ids: &[BloodstainId]) -> Result<(), StoreError> {
        ids.iter().for_each(|id| drop(self.0.remove(id)));
        Ok(())
    }

    fn flush(&mut self, _: morta_base::Tick) -> Result<(), StoreError> {
        Ok(())
    }
}
