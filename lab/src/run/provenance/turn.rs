//! A turn in the history of a world: the tick from which it went on under a change. It is a recorded intervention (change log). The
//! manifest of a branch holds its own turn after those of its parent, so that a branch of a branch can be replayed.

use morta_base::{BloodstainId, Lineage, Tick};
use morta_engine::memory::MemoryName;
use morta_engine::world::{KeyChange, Scenario};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The record of one branching (intervention), as it is in the manifest of the branch. It holds all that is needed to live through the
/// branch again.
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

/// The parent run that was branched (fork).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parent {
    /// Its folder.
    pub path: PathBuf,
    /// Hash of its events.
    pub digest: String,
}

/// The change set of a turn: keys, bloodstains and memories.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    /// Keys that have other values from then on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<KeyChange>,
    /// Bloodstains that were taken out of the Lethe.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed_bloodstains: Vec<BloodstainId>,
    /// Lineages whose golem got an empty memory of another architecture.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub swapped_memories: BTreeMap<Lineage, MemoryName>,
}

impl Changes {
    /// Describes the changes, one line for each.
    pub fn lines(&self) -> Vec<String> {
        let set =
            self.set.iter().map(|change| format!("{} = {} (was {})", change.key, change.to, change.from));
        let removed = self.removed_bloodstains.iter().map(|id| format!("without bloodstain {id}"));
        let swapped = self.swapped_memories.iter();
        let swapped = swapped.map(|(lineage, name)| format!("L{lineage} with memory {name}"));
        set.chain(removed).chain(swapped).collect()
    }
}
