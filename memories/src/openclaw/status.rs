//! Status of the memory, for a dashboard (digest section 10). It is counts and health, 0 to 1, without any
//! writing. It is apart from ranking, because a dashboard asks often. Days are those of the dreaming time zone; health counts facts
//! written by hand too.

use super::health::health_of_memory;
use super::store::RecallStore;
use super::time::{Instant, Zone};
use serde::Serialize;

/// Status of the memory, its statistics: the counts of short-term and promoted entries for a dashboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// Number of entries that weren't promoted.
    pub short_term: u64,
    /// Number of promoted entries.
    pub promoted_total: u64,
    /// Number of entries promoted on the present day of the dreaming time zone.
    pub promoted_today: u64,
    /// The moment of the last promotion; `None` without one.
    pub last_promotion: Option<Instant>,
    /// Health of long-term memory, 0 to 1; `None` when the file is unknown.
    pub health: Option<f64>,
}

impl Status {
    /// Counts the status (memory statistics) of a store and its long-term memory; `memory` is `None` when the file is unknown.
    pub fn of(store: &RecallStore, memory: Option<&str>, now: Instant, zone: &Zone) -> Self {
        let promoted: Vec<Option<Instant>> = store
            .entries
            .values()
            .filter_map(|entry| entry.promoted_at.as_ref())
            .map(|stamp| stamp.instant())
            .collect();
        let today = zone.day(now);
        let on_today = |at: &&Option<Instant>| at.is_some_and(|at| zone.day(at) == today);
        Self {
            short_term: (store.entries.len() - promoted.len()) as u64,
            promoted_total: promoted.len() as u64,
            promoted_today: promoted.iter().filter(on_today).count() as u64,
            last_promotion: promoted.iter().flatten().max().copied(),
            health: memory.map(|memory| health_of_memory(store, memory, now)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{entry, instant};
    use super::super::time::StoredInstant;
    use super::*;

    /// 02:30 UTC on the fifth is the evening of the fourth in California.
    #[test]
    fn today_is_the_day_in_the_zone() {
        let mut store = RecallStore::default();
        for (key, promoted) in
            [("a", None), ("b", Some("2026-04-05T02:30:00Z")), ("c", Some("2026-04-03T00:00:00Z"))]
        {
            let mut one = entry(1, 1.0, 1, &[], 0, 0.0);
            one.promoted_at = promoted.map(StoredInstant::read);
            store.entries.insert(key.to_owned(), one);
        }
        let now = instant("2026-04-05T09:00:00Z");
        let utc = Status::of(&store, Some(""), now, &Zone::utc());
        assert_eq!((utc.short_term, utc.promoted_total, utc.promoted_today), (1, 2, 1));
        assert_eq!((utc.last_promotion, utc.health), (Some(instant("2026-04-05T02:30:00Z")), Some(0.0)));
        let west = Zone::named("America/Los_Angeles").unwrap();
        assert_eq!(Status::of(&store, None, now, &west).promoted_today, 0);
    }
}
