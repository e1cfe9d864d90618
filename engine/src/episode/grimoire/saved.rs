//! A Grimoire as it is saved: what doesn't follow from the rest.

use super::{DreamPriority, Grimoire, GrimoireConfig};
use crate::base::Tick;
use crate::episode::Episode;
use serde::{Deserialize, Serialize, Serializer};

#[derive(Deserialize)]
pub(super) struct Saved {
    config: GrimoireConfig,
    dimensions: u32,
    regret: Vec<f32>,
    priority: Vec<DreamPriority>,
    strength: Vec<f32>,
    last_accessed: Vec<Tick>,
    last_replayed: Vec<Option<Tick>>,
    replay_count: Vec<u32>,
    records: Vec<Episode>,
}

/// The same, borrowed; fields in the same order.
#[derive(Serialize)]
struct Lent<'a> {
    config: &'a GrimoireConfig,
    dimensions: u32,
    // Not always that of the record: see `with_dealt_outcomes`.
    regret: &'a [f32],
    priority: &'a [DreamPriority],
    strength: &'a [f32],
    last_accessed: &'a [Tick],
    last_replayed: &'a [Option<Tick>],
    replay_count: &'a [u32],
    records: &'a [Episode],
}

impl Serialize for Grimoire {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = &*self.columns;
        let lent = Lent {
            config: &self.config,
            dimensions: self.dimensions,
            regret: &columns.regret,
            priority: &columns.priority,
            strength: &columns.strength,
            last_accessed: &columns.last_accessed,
            last_replayed: &columns.last_replayed,
            replay_count: &columns.replay_count,
            records: &columns.records,
        };
        lent.serialize(serializer)
    }
}

impl TryFrom<Saved> for Grimoire {
    type Error = String;

    fn try_from(saved: Saved) -> Result<Self, String> {
        let count = saved.records.len();
        let lengths = [
            saved.regret.len(),
            saved.priority.len(),
            saved.strength.len(),
            saved.last_accessed.len(),
            saved.last_replayed.len(),
            saved.replay_count.len(),
        ];
        if lengths.into_iter().any(|length| length != count) {
            return Err(format!("a Grimoire of {count} episodes has columns of other lengths: {lengths:?}"));
        }
        let mut grimoire = Self::new(saved.config, saved.dimensions);
        for (slot, episode) in saved.records.into_iter().enumerate() {
            if episode.embedding.len() != grimoire.dimensions() {
                return Err(format!(
                    "episode {} has {} dimensions",
                    episode.id.number,
                    episode.embedding.len()
                ));
            }
            grimoire.push(episode, saved.last_accessed[slot]);
            let was_trusted = grimoire.is_trusted(slot);
            let columns = &mut *grimoire.columns;
            columns.regret[slot] = saved.regret[slot];
            columns.priority[slot] = saved.priority[slot];
            columns.strength[slot] = saved.strength[slot];
            columns.last_replayed[slot] = saved.last_replayed[slot];
            columns.replay_count[slot] = saved.replay_count[slot];
            grimoire.outline_touch(slot, was_trusted);
        }
        Ok(grimoire)
    }
}
