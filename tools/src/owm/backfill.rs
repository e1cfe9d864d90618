//! Import of trades that are older than the newest trade of a store (`owm import --backfill`). Beliefs, habits and the state of mind depend
//! on the order of trades, so the store is built anew from its own trades and the imported ones, in the order of time. It is a rebuild from
//! history (replay of trades). A store with more than trades isn't rebuilt, because the rest would be lost; the older trades are then taken
//! in as late ones; so are those of a store that was begun with another `--equity`. The import alone calls it, for a store that exists
//! already, and takes the lines in again together with the new ones.

use super::export::export;
use super::log;
use super::remember::Account;
use super::store::Store;
use morta_memories::owm::Mind;
use serde_json::Value;
use std::convert::Infallible;

/// The content of a store before it was emptied (backup for a rebuild).
pub(crate) struct Backfill {
    /// The store's trades, as lines of a log.
    pub lines: Vec<Value>,
    /// Trades with recalls: id, number of recalls, time of the last one in seconds.
    recalled: Vec<(String, u32, f64)>,
}

impl Backfill {
    /// Empties a store and returns its content, to rebuild it. None, and the store is unchanged, if it holds more than follows from its
    /// trades: plans, reported beliefs and equities, and late trades would be lost by building it anew.
    pub(crate) fn from_store(store: &mut Store, equity: f64) -> Option<Self> {
        let mut lines = Vec::new();
        let kept: Result<(), Infallible> = export(store, |line| {
            lines.push(line.clone());
            Ok(())
        });
        let Ok(()) = kept;
        let mut again = store.emptied(equity);
        let mut account = Account::default();
        for line in &lines {
            let done = log::carry_out(&mut again, &line.to_string());
            account.count(&mut again, done).ok()?;
        }
        let beyond_trades =
            |mind: &Mind| (mind.beliefs().to_vec(), mind.plans().to_vec(), mind.affect().clone());
        if beyond_trades(again.mind()) != beyond_trades(store.mind()) {
            return None;
        }
        let records = store.mind().shelves().iter().flat_map(|shelf| shelf.records());
        let recalled = records.filter(|memory| memory.retrievals > 0).map(|memory| {
            (
                store.id(memory.id).to_owned(),
                memory.retrievals,
                memory.last_retrieved_s.unwrap_or(store.last_s()),
            )
        });
        let recalled = recalled.collect();
        *store = store.emptied(equity);
        Some(Self { lines, recalled })
    }

    /// Replays the recalls (retrievals) into a store, because a recall strengthens an episode and isn't a line of the exported log.
    pub(super) fn repeat_recalls(&self, store: &mut Store) {
        for (id, times, last_s) in &self.recalled {
            let Ok(number) = store.episode_number(id) else { continue };
            for _ in 0..*times {
                store.mind_mut().recalled(number, *last_s);
            }
        }
    }
}
