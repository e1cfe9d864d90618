//! A world at a barrier, as plain data: the content of a checkpoint, from which a world can be resumed. The format is postcard
//! (binary serialisation) and is that of one build: a checkpoint isn't an archive. Only a Lethe in memory can be in it. The plan isn't in
//! it either: the caller gives the scenario's again, and only its seed is compared. Another plan of that seed would be lived in part: rules
//! of golems, dreams and models would go by its keys, market, Lethe, Curator and memories by those written down. The laboratory therefore
//! gives the recorded scenario; for other keys on purpose there is `World::rebind`. The check of a memory architecture (conformance) saves
//! and resumes worlds by it too, to see whether the memory survives that with the same bytes.

use super::World;
use crate::golem::Golem;
use crate::lethe::MemoryStore;
use crate::market::Bar;
use crate::memory::family::ReviveError;
use crate::world::{Barrier, Plan, Services};
use morta_base::{Lineage, Tick};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The changing state of a world, between two ticks: a checkpoint of the simulation, its saved state. The bars of replayed assets are left
/// out, because every checkpoint would hold a whole recording: [`World::resume`] is given them again.
#[derive(Clone, Debug, Deserialize)]
pub struct Snapshot {
    /// Mailboxes, register, accounts and the next tick's context.
    barrier: Barrier,
    /// All shared services, the Lethe's store in memory.
    services: Services<MemoryStore>,
    /// The living, by lineage.
    golems: BTreeMap<Lineage, Box<Golem>>,
}

/// A [`Snapshot`] whose parts are still in their world (serialised without a copy). The fields must stay the snapshot's, in its order: that
/// is the layout.
#[derive(Serialize)]
struct BorrowedSnapshot<'a> {
    barrier: &'a Barrier,
    services: &'a Services<MemoryStore>,
    golems: &'a BTreeMap<Lineage, Box<Golem>>,
}

/// The reason why a world can't be resumed: an error for a corrupt or foreign checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The bars aren't those the snapshot was taken with.
    #[error("the prices have changed since the snapshot was taken")]
    OtherBars,
    /// The bytes are no world.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
    /// A memory in it is of an architecture that the plan's registry can't make whole again.
    #[error(transparent)]
    Memory(#[from] ReviveError),
    /// The snapshot was taken in a world of another seed.
    #[error("the snapshot is of another world")]
    OtherWorld,
}

impl World {
    /// Writes the world down (serialises a checkpoint), for [`Snapshot::read`].
    ///
    /// # Panics
    /// When a memory can't be saved; [`try_written_down`](Self::try_written_down) is for golems whose memory may be anybody's.
    pub fn written_down(&self) -> Vec<u8> {
        self.try_written_down().expect("memories can be saved")
    }

    /// Writes the world down (serialises a checkpoint), for [`Snapshot::read`].
    ///
    /// # Errors
    /// When a memory can't be saved. The format keeps no text of why: the memory itself has to report that.
    pub fn try_written_down(&self) -> Result<Vec<u8>, postcard::Error> {
        let Self { plan: _, barrier, services, golems } = self;
        postcard::to_allocvec(&BorrowedSnapshot { barrier, services, golems })
    }

    /// Restores a checkpoint: the world as it was when the snapshot was taken; it goes on as if nothing had happened. Calls of a real model
    /// that were under way are asked again, because their replies were lost with the program.
    ///
    /// # Errors
    /// When the snapshot is of another seed, its bars were others, or the plan's registry lacks an architecture of its golems.
    pub fn resume(plan: Plan, bars: Vec<Vec<Bar>>, snapshot: Snapshot) -> Result<Self, ResumeError> {
        let Snapshot { barrier, mut services, mut golems } = snapshot;
        if services.market.seed() != plan.seed() {
            return Err(ResumeError::OtherWorld);
        }
        if !services.market.rebind(bars) {
            return Err(ResumeError::OtherBars);
        }
        for golem in golems.values_mut() {
            golem.revive_memory(plan.memories())?;
        }
        services.dream_scheduler.rebind(plan.scenario().dream.clone());
        services.llm_broker.rebind(plan.scenario().llm.clone(), plan.outside().clone());
        Ok(Self { plan, barrier, services, golems })
    }
}

impl Snapshot {
    /// Deserialises (deserializes) a checkpoint from bytes with postcard, those of [`World::written_down`].
    ///
    /// # Errors
    /// When the bytes are no world of this build.
    pub fn read(bytes: &[u8]) -> Result<Self, ResumeError> {
        postcard::from_bytes(bytes).map_err(|error| ResumeError::Damaged(error.to_string()))
    }

    /// The saved clock of the simulation: the tick that comes next.
    pub fn tick(&self) -> Tick {
        self.barrier.tick()
    }
}
