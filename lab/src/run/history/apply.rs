//! Takes a turn: a world goes on by another plan, bloodstains are taken out of its Lethe, and golems get other memories. It is the
//! intervention of a counterfactual: configuration and state are patched between two ticks, at the tick of a branch (`morta branch --at`,
//! or one that a viewer of `morta watch` makes), and again whenever a branch is lived through anew. What can't be applied is an error and
//! no warning, because a branch without its change would be taken for an effect of nothing.

use crate::io::error::Error;
use crate::run::provenance::Changes;
use morta_base::{BloodstainId, Lineage, Tick};
use morta_engine::lethe::StoreError;
use morta_engine::memory::MemoryName;
use morta_engine::world::{ChangeError, Plan, World};

/// Why a turn, i.e. an intervention, can't be applied to a world.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    /// The world can't go on by that plan.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The world's Lethe failed.
    #[error(transparent)]
    Lethe(#[from] StoreError),
    /// A bloodstain that is to be taken away isn't there.
    #[error("--remove-bloodstain {id}: it isn't in the Lethe at tick {tick}: {}", remedy(*held, nearest))]
    NoSuchBloodstain {
        /// The one that was named.
        id: BloodstainId,
        /// The first tick under the change.
        tick: Tick,
        /// How many the Lethe holds.
        held: usize,
        /// Those that may have been meant, the likeliest first.
        nearest: Vec<BloodstainId>,
    },
    /// A golem can't get another memory.
    #[error("--swap-memory {lineage}={name}: {source}")]
    Memory {
        /// Its lineage.
        lineage: Lineage,
        /// The architecture it was to get.
        name: MemoryName,
        /// Why not.
        source: ChangeError,
    },
}

impl From<TurnError> for Error {
    fn from(error: TurnError) -> Self {
        Self::invalid(error.to_string())
    }
}

fn remedy(held: usize, nearest: &[BloodstainId]) -> String {
    if nearest.is_empty() {
        return "the Lethe is empty then".to_owned();
    }
    let names: Vec<String> = nearest.iter().map(ToString::to_string).collect();
    format!("there are {held}, the nearest: {}", names.join(", "))
}

/// Takes a turn: from the world's tick on, `plan` and the changes hold (intervention).
///
/// # Errors
/// When the plan is of another world, or a bloodstain or golem to be changed doesn't exist. The world may have been changed in part by
/// then, so it must not be lived on.
pub fn take_turn(world: &mut World, plan: Plan, changes: &Changes) -> Result<(), TurnError> {
    world.rebind(plan)?;
    for id in &changes.removed_bloodstains {
        if !world.remove_bloodstain(*id)? {
            return Err(no_such_bloodstain(*id, world));
        }
    }
    for (&lineage, name) in &changes.swapped_memories {
        let swapped = world.swap_memory(lineage, name);
        swapped.map_err(|source| TurnError::Memory { lineage, name: name.clone(), source })?;
    }
    Ok(())
}

/// Most bloodstains that are named when one isn't there.
const NEAREST_MAX: usize = 8;

/// Names those of the same lineage, or the next ones in the order of names: a Lethe can hold millions of bloodstains, and a mistyped number
/// lies near the right one.
fn no_such_bloodstain(id: BloodstainId, world: &World) -> TurnError {
    let all: Vec<BloodstainId> = world.bloodstains().collect();
    let mut nearest: Vec<BloodstainId> =
        all.iter().filter(|other| other.golem.lineage == id.golem.lineage).copied().collect();
    if nearest.is_empty() {
        let place = all.partition_point(|other| *other < id);
        let first = place.saturating_sub(NEAREST_MAX / 2);
        nearest = all[first..(first + NEAREST_MAX).min(all.len())].to_vec();
    }
    nearest.sort_by_key(|other| (other.golem.generation.abs_diff(id.golem.generation), *other));
    nearest.truncate(NEAREST_MAX);
    TurnError::NoSuchBloodstain { id, tick: world.tick(), held: all.len(), nearest }
}
