//! Proving what the page says, and finding what it doesn't say yet.

use crate::candidates;
use crate::keys::{Key, value_at, with};
use crate::places::Place;
use crate::record::{Proof, Record};
use crate::story::Story;
use serde_json::Value;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// How far one looks, round by round: ticks, settings, and values of each.
const ROUNDS: [(usize, usize, usize); 4] = [(120, 4, 3), (700, 5, 4), (3_000, 6, 4), (usize::MAX, 8, 12)];
/// So many entries of a list are tried in one setting.
const ENTRIES: usize = 3;

/// Settings with their stories, which are lived as far as somebody asks.
pub struct Stories<'a> {
    places: &'a [Place],
    stories: Vec<OnceLock<Story>>,
}

impl<'a> Stories<'a> {
    pub fn of(places: &'a [Place]) -> Self {
        Self { places, stories: places.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The first tick, below a limit, in which a change makes a difference; `None` when it makes none, or can't be.
    fn parts_at(
        &self,
        place: usize,
        (path, value): (&str, &Value),
        ticks: usize,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<usize> {
        let Place { scenario, name, .. } = &self.places[place];
        let story = self.stories[place]
            .get_or_init(|| Story::of(scenario).unwrap_or_else(|why| panic!("{name} can't be lived: {why}")));
        let other = with(scenario, path, value);
        let lived = std::panic::catch_unwind(AssertUnwindSafe(|| story.parts_from(&other, ticks, goes_on)));
        match lived {
            Ok(parted) => parted.ok()?,
            Err(_) => panic!("{name} with {path} = {value} panics"),
        }
    }

    /// What of a record holds still, each with the tick of today. The runs may part a little later than they did.
    pub fn holding(&self, record: &Record, slack: usize) -> Record {
        let by_name: BTreeMap<&str, usize> =
            self.places.iter().enumerate().map(|(index, place)| (place.name.as_str(), index)).collect();
        let proofs: Vec<(&String, &Proof)> = record.iter().collect();
        let found = Mutex::new(Record::new());
        in_parallel(proofs.len(), |index| {
            let (key, proof) = proofs[index];
            let Some(place) = by_name.get(proof.place.as_str()) else { return };
            if !has(&self.places[*place].scenario, &proof.path) {
                return;
            }
            let limit = proof.tick + 1 + slack;
            if let Some(tick) = self.parts_at(*place, (&proof.path, &proof.value), limit, &mut || true) {
                found.lock().unwrap().insert(key.clone(), Proof { tick, ..proof.clone() });
            }
        });
        found.into_inner().unwrap()
    }

    /// Looks for a setting and a value for each key; `found` is told of each proof at once.
    pub fn search(&self, keys: &[&Key], time: Duration, found: impl Fn(&Key, Option<Proof>) + Sync) {
        in_parallel(keys.len(), |index| {
            let end = Instant::now() + time;
            found(keys[index], self.search_one(keys[index], &mut || Instant::now() < end));
        });
    }

    fn search_one(&self, key: &Key, goes_on: &mut dyn FnMut() -> bool) -> Option<Proof> {
        let seen = candidates::seen(key, self.places);
        let order = self.order(key);
        for (ticks, settings, values) in ROUNDS {
            for place in order.iter().take(settings).copied() {
                let scenario = &self.places[place].scenario;
                for path in key.places_in(scenario).into_iter().take(ENTRIES) {
                    let now = value_at(scenario, &path);
                    for value in candidates::of(key, scenario, now, &seen).into_iter().take(values) {
                        if !goes_on() {
                            return None;
                        }
                        if let Some(tick) = self.parts_at(place, (&path, &value), ticks, goes_on) {
                            return Some(Proof { place: self.places[place].name.clone(), path, value, tick });
                        }
                    }
                }
            }
        }
        None
    }

    /// The settings that have a key, cheap ones and those that speak of it first; of a sweep that doesn't, one arm is enough.
    fn order(&self, key: &Key) -> Vec<usize> {
        let mut order: Vec<(u64, usize)> = Vec::new();
        let mut sweeps: Vec<&str> = Vec::new();
        for (index, place) in self.places.iter().enumerate() {
            if !concerns(place, &key.name) || key.places_in(&place.scenario).is_empty() {
                continue;
            }
            let mentions = place.mentions(&key.name);
            let sweep = place.name.split_once(' ').map(|(file, _)| file);
            if let Some(file) = sweep.filter(|_| mentions < 2) {
                if sweeps.contains(&file) {
                    continue;
                }
                sweeps.push(file);
            }
            order.push((place.cost / (1 + 3 * u64::from(mentions)), index));
        }
        order.sort_unstable();
        order.into_iter().map(|(_, index)| index).collect()
    }
}

/// Whether anybody lives in a setting whom a key may concern.
fn concerns(place: &Place, key: &str) -> bool {
    let remembers = |word: &str| {
        let cohorts = place.scenario["cohorts"].as_array();
        let memory = |cohort: &Value| cohort["memory"].as_str().is_some_and(|memory| memory.contains(word));
        cohorts.is_some_and(|cohorts| cohorts.iter().any(memory))
    };
    let of = [
        ("memory.bardo.", "bardo"),
        ("memory.openclaw.", "openclaw"),
        ("memory.dark_pawns.", "dark-pawns"),
        ("memory.owm.", "owm"),
        ("dream.", "bardo"),
        ("curator.", "bardo"),
    ];
    of.iter().all(|(table, word)| !key.starts_with(table) || remembers(word))
}

fn has(scenario: &Value, path: &str) -> bool {
    let table = path.rsplit_once('.').map_or("", |(table, _)| table);
    table.is_empty() || value_at(scenario, table).is_object()
}

/// Calls a function for each number below one, on all cores.
fn in_parallel(count: usize, work: impl Fn(usize) + Sync) {
    let next = Arc::new(AtomicUsize::new(0));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    work(index);
                }
            });
        }
    });
}
