//! Trades from before what a store knows. Beliefs, habits and the state of mind depend on the order of what happened, so the store is made anew: of the
//! trades that it holds and those that come, in the order of time.

use super::export::export;
use super::log;
use super::remember::Account;
use super::store::Store;
use morta_memories::owm::Mind;
use serde_json::Value;
use std::convert::Infallible;

/// What a store held, to be taken in again.
pub struct Backfill {
    /// Its trades, as lines of a log.
    pub lines: Vec<Value>,
    /// Trades that were recalled: id, how often, and when last.
    recalled: Vec<(String, u32, f64)>,
}

impl Backfill {
    /// Empties a store; none, and the store is as it was, where it holds more than follows from its trades (plans, beliefs and equities that were reported,
    /// trades that came late), which would be lost.
    pub fn of(store: &mut Store, equity: f64) -> Option<Self> {
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
        let told = |mind: &Mind| (mind.beliefs().to_vec(), mind.plans().to_vec(), mind.affect().clone());
        if told(again.mind()) != told(store.mind()) {
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

    /// What was recalled is remembered as recalled.
    pub fn note_recalls(&self, store: &mut Store) {
        for (id, times, last_s) in &self.recalled {
            let Ok(number) = store.episode_number(id) else { continue };
            for _ in 0..*times {
                store.mind_mut().recalled(number, *last_s);
            }
        }
    }
}
