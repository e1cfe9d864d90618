//! The episodes of a store as a log that `remember` reads again. It is a data export (JSON Lines, backup) that survives a round trip. The
//! order is fixed, so that reading it again gives the same store. Beliefs and habits follow from the episodes; plans, reported beliefs and
//! equities, and recalls aren't in it, nor are trades that a `capacity` has dropped, whose marks on beliefs are then lost. `backfill`
//! rebuilds a store from these lines, and `same` recognises by them a trade without an id that `remember` or `import` reads.

use super::context::written;
use super::store::Store;
use morta_memories::owm::episodic::EpisodicMemory;
use morta_memories::owm::induction::Names;
use serde_json::{Map, Value, json};

/// Passes every episode to `emit` as a line of a log, oldest first; episodes of one moment in the order of their numbers, so that reading
/// the log again gives the same store (data export).
///
/// # Errors
/// The first error of `emit`.
pub fn export<E>(store: &Store, mut emit: impl FnMut(&Value) -> Result<(), E>) -> Result<(), E> {
    let mut episodes: Vec<&EpisodicMemory> =
        store.mind().shelves().iter().flat_map(|shelf| shelf.records()).collect();
    let made = |memory: &EpisodicMemory| memory.made_s.unwrap_or(f64::NEG_INFINITY);
    episodes.sort_by(|a, b| made(a).total_cmp(&made(b)).then(a.id.cmp(&b.id)));
    episodes.into_iter().try_for_each(|memory| emit(&line(store, memory)))
}

/// An episode as a line of a log.
pub(super) fn line(store: &Store, memory: &EpisodicMemory) -> Value {
    let names = store.names();
    let all = json!({
        "timestamp": memory.made_s.map(written),
        "id": store.id(memory.id),
        "symbol": names.symbol(memory.domain.symbol),
        "strategy_name": names.strategy(memory.domain.strategy),
        "direction": memory.direction,
        "entry_price": memory.entry_price,
        "exit_price": memory.exit_price,
        "pnl": memory.pnl,
        "pnl_r": memory.pnl_r,
        "lot_size": memory.lots,
        "hold_duration_seconds": memory.hold_s,
        "max_adverse_excursion": memory.max_adverse_excursion,
        "entry_timing": memory.entry_timing,
        "exit_timing": memory.exit_timing,
        "reflection": memory.reflection,
        "tags": memory.tags,
        "context": store.context(memory.id),
    });
    let mut fields: Map<String, Value> = all
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_null())
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    // Null means that no confidence was given. `remember` would read a missing field as 0.5.
    fields.insert("confidence".to_owned(), json!(memory.confidence));
    Value::Object(fields)
}
