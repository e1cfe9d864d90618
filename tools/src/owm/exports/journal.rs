//! Join of TradeMemory's two tables by id (deduplication): it stores a trade as a record of its journal, and again as an episode with the
//! whole context. Each trade would otherwise count twice. `sqlite` calls it where the database has both tables with rows. A record's
//! fields have precedence; of the context the episode's have.

use super::sqlite::Numbered;
use crate::owm::mistake::Mistake;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

const CONTEXT: &str = "market_context";
const CONTEXT_OF_EPISODE: &str = "context_json";

/// Joins records with the episodes of the same ids (outer join), which complete them; episodes without a record follow, with numbers after
/// the last record's.
pub(super) fn joined(records: Vec<Numbered>, episodes: Vec<Numbered>) -> Vec<Numbered> {
    let (mut by_id, mut others) = (BTreeMap::new(), Vec::new());
    for (_, episode) in episodes {
        match episode {
            Ok(fields) => match id(&fields) {
                Some(id) => drop(by_id.insert(id, fields)),
                None => others.push(Ok(fields)),
            },
            Err(what) => others.push(Err(what)),
        }
    }
    let mut rows: Vec<Numbered> = records
        .into_iter()
        .map(|(place, record)| {
            let record = record.map(|record| match id(&record).and_then(|id| by_id.remove(&id)) {
                Some(episode) => completed(record, episode),
                None => record,
            });
            (place, record)
        })
        .collect();
    let without_record: Vec<Result<Map<String, Value>, Mistake>> =
        by_id.into_values().map(Ok).chain(others).collect();
    rows.extend((rows.len() + 1..).zip(without_record));
    rows
}

fn id(fields: &Map<String, Value>) -> Option<String> {
    fields.get("id").and_then(Value::as_str).map(str::to_owned)
}

/// The record's fields have precedence, except for the context: there the episode's have, because a record holds only a part of it.
fn completed(mut record: Map<String, Value>, episode: Map<String, Value>) -> Map<String, Value> {
    let mut context = episode.get(CONTEXT_OF_EPISODE).map(circumstances).unwrap_or_default();
    for (name, value) in record.get(CONTEXT).map(circumstances).unwrap_or_default() {
        context.entry(name).or_insert(value);
    }
    for (name, value) in episode {
        record.entry(name).or_insert(value);
    }
    record.insert(CONTEXT.to_owned(), Value::Object(context));
    record
}

/// The context: an object, a text that holds one, or free words.
fn circumstances(written: &Value) -> Map<String, Value> {
    match written {
        Value::Object(fields) => fields.clone(),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::from_iter([("description".to_owned(), written.clone())]),
        },
        _ => Map::new(),
    }
}
