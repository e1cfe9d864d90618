//! A Grimoire as it is saved: the columns that don't follow from others (serialisation format of a checkpoint). The other columns, the
//! index and the outline are made anew, so that a checkpoint is small and can't contradict itself.
//!
//! Reading fails where the saved columns differ in length or an episode occurs twice; nothing else is checked here. A golem's checkpoint
//! holds it whole, embeddings and traces included; order of slots is kept, because draws and ties in later passes go by it.

use super::columns::Traces;
use super::{Grimoire, GrimoireConfig};
use crate::episode::EpisodeRecord;
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;

/// Borrowed to be saved, owned when it is read.
#[derive(Serialize, Deserialize)]
pub(super) struct Saved<'a> {
    config: Cow<'a, GrimoireConfig>,
    dimensions: u32,
    records: Cow<'a, [EpisodeRecord]>,
    embeddings: Cow<'a, [f32]>,
    traces: Cow<'a, Traces>,
}

impl Serialize for Grimoire {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = &*self.columns;
        let saved = Saved {
            config: Cow::Borrowed(&self.config),
            dimensions: self.dimensions,
            records: Cow::Borrowed(&columns.records),
            embeddings: Cow::Borrowed(&columns.embeddings),
            traces: Cow::Borrowed(&columns.traces),
        };
        saved.serialize(serializer)
    }
}

impl TryFrom<Saved<'_>> for Grimoire {
    type Error = String;

    fn try_from(saved: Saved<'_>) -> Result<Self, String> {
        let (count, dimensions) = (saved.records.len(), saved.dimensions as usize);
        if !saved.traces.are_all_of(count) || saved.embeddings.len() != count * dimensions {
            return Err(format!("a Grimoire of {count} episodes has columns of other lengths"));
        }
        let mut grimoire = Self::new(saved.config.into_owned(), saved.dimensions);
        for (slot, record) in saved.records.into_owned().into_iter().enumerate() {
            if grimoire.contains(record.id) {
                return Err(format!("a Grimoire has the episode {} twice", record.id));
            }
            let embedding = &saved.embeddings[slot * dimensions..(slot + 1) * dimensions];
            grimoire.push(record, embedding, saved.traces.last_accessed[slot]);
        }
        if count > 0 {
            let trusted: Vec<bool> = (0..count).map(|slot| grimoire.is_trusted(slot)).collect();
            grimoire.columns.traces = saved.traces.into_owned();
            trusted.into_iter().enumerate().for_each(|(slot, was)| grimoire.outline_touch(slot, was));
        }
        Ok(grimoire)
    }
}
