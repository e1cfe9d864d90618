//! A turn in the history of a world: the tick from which it went on under a change.

use morta_engine::base::{BloodstainId, Lineage, Tick};
use morta_engine::memory::MemoryName;
use morta_engine::world::{KeyChange, Scenario, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One branching, as the manifest of the branch tells of it. It holds all that is needed to live through the branch again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The run that was branched.
    pub parent: Parent,
    /// First tick lived under the change.
    pub tick: Tick,
    /// What was changed.
    pub changes: Changes,
    /// The scenario up to there.
    pub from: Scenario,
}

/// The run that was branched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parent {
    /// Its folder.
    pub path: PathBuf,
    /// Hash of its events.
    pub digest: String,
}

/// What was changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    /// Keys that have other values from then on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<KeyChange>,
    /// Bloodstains that were taken out of the Lethe.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed_bloodstains: Vec<Named>,
    /// Lineages whose golem got an empty memory of another architecture.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub swapped_memories: BTreeMap<Lineage, MemoryName>,
}

/// A bloodstain by its name, `L7.G2.B0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Named(pub BloodstainId);

impl From<Named> for String {
    fn from(named: Named) -> Self {
        named.0.to_string()
    }
}

impl TryFrom<String> for Named {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse::<BloodstainId>().map(Self).map_err(|error| error.to_string())
    }
}

/// Most bloodstains that are named when one isn't there.
const NEAR_MAX: usize = 8;

impl Changes {
    /// Carries out what isn't a key. The error is the line to show.
    pub fn apply(&self, world: &mut World) -> Result<(), String> {
        for Named(id) in &self.removed_bloodstains {
            if !world.remove_bloodstain(*id).map_err(|error| error.to_string())? {
                return Err(not_there(*id, world));
            }
        }
        for (lineage, name) in &self.swapped_memories {
            let swapped = world.swap_memory(*lineage, name);
            swapped.map_err(|error| format!("--swap-memory {lineage}={name}: {error}"))?;
        }
        Ok(())
    }

    /// One line for each.
    pub fn lines(&self) -> Vec<String> {
        let set =
            self.set.iter().map(|change| format!("{} = {} (was {})", change.key, change.to, change.from));
        let removed = self.removed_bloodstains.iter().map(|Named(id)| format!("without bloodstain {id}"));
        let swapped = self.swapped_memories.iter();
        let swapped = swapped.map(|(lineage, name)| format!("L{lineage} with memory {name}"));
        set.chain(removed).chain(swapped).collect()
    }
}

/// Those of the same golem or lineage, else those next to it.
fn not_there(id: BloodstainId, world: &World) -> String {
    let all: Vec<BloodstainId> = world.bloodstains().collect();
    let lineage = |other: &&BloodstainId| other.golem.lineage == id.golem.lineage;
    let mut near: Vec<BloodstainId> = all.iter().filter(lineage).copied().collect();
    if near.is_empty() {
        let place = all.partition_point(|other| *other < id);
        let first = place.saturating_sub(NEAR_MAX / 2);
        near = all[first..(first + NEAR_MAX).min(all.len())].to_vec();
    }
    near.sort_by_key(|other| (other.golem.generation.abs_diff(id.golem.generation), *other));
    let names: Vec<String> = near.iter().take(NEAR_MAX).map(ToString::to_string).collect();
    let remedy = match (names.is_empty(), all.len()) {
        (true, _) => "the Lethe is empty then".to_owned(),
        (false, held) => format!("there are {held}, the nearest: {}", names.join(", ")),
    };
    format!("--remove-bloodstain {id}: it isn't in the Lethe at tick {}: {remedy}", world.tick())
}
