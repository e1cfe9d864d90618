//! Proving what the page says, and finding what it doesn't say yet.

use crate::candidates;
use crate::keys::{Key, value_at, with};
use crate::places::Place;
use crate::record::{Change, Proof, Record, shown};
use crate::story::{FROM, Story};
use serde_json::Value;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A round of looking.
#[derive(Clone, Copy)]
struct Round {
    /// The place in [`FROM`] at which changes take hold.
    from: usize,
    /// So many ticks are lived under them.
    ticks: usize,
    /// In so many settings.
    settings: usize,
    /// So many values of a key are tried in each.
    values: usize,
}

const fn round(from: usize, ticks: usize, settings: usize, values: usize) -> Round {
    Round { from: FROM[from], ticks, settings, values }
}

/// What is cheap and often enough comes first.
const ROUNDS: [Round; 8] = [
    round(0, 100, 4, 2),
    round(1, 120, 6, 2),
    round(2, 120, 6, 3),
    round(3, 300, 6, 3),
    round(4, 300, 6, 3),
    round(0, 700, 5, 12),
    round(2, 2_000, 8, 6),
    round(0, usize::MAX, 8, 12),
];
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

    /// The first of so many ticks, from one on, in which changes make a difference; `None` when they make none. The error says why they can't be.
    fn parts_at(
        &self,
        place: usize,
        changes: &[Change],
        ticks: (usize, usize),
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, String> {
        let Place { scenario, name, .. } = &self.places[place];
        let story = self.stories[place]
            .get_or_init(|| Story::of(scenario).unwrap_or_else(|why| panic!("{name} can't be lived: {why}")));
        let other = changes.iter().fold(scenario.clone(), |other, one| with(&other, &one.path, &one.value));
        std::panic::catch_unwind(AssertUnwindSafe(|| story.parts_from(&other, ticks, goes_on)))
            .unwrap_or_else(|_| panic!("{name} with {} panics", shown(changes)))
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
            if !proof.changes.iter().all(|one| has(&self.places[*place].scenario, &one.path)) {
                return;
            }
            let ticks = (proof.from, (proof.tick + 1 + slack).saturating_sub(proof.from));
            if let Ok(Some(tick)) = self.parts_at(*place, &proof.changes, ticks, &mut || true) {
                found.lock().unwrap().insert(key.clone(), Proof { tick, ..proof.clone() });
            }
        });
        found.into_inner().unwrap()
    }

    /// Looks for a setting and a value for each key; `found` is told at once of each proof, or of what was in the way.
    pub fn search(&self, keys: &[&Key], time: Duration, found: impl Fn(&Key, Result<Proof, String>) + Sync) {
        in_parallel(keys.len(), |index| {
            let end = Instant::now() + time;
            found(keys[index], self.search_one(keys[index], &mut || Instant::now() < end));
        });
    }

    fn search_one(&self, key: &Key, goes_on: &mut dyn FnMut() -> bool) -> Result<Proof, String> {
        let seen = candidates::seen(key, self.places);
        let order = self.order(key);
        let mut why = Why::default();
        for round in ROUNDS {
            for place in order.iter().take(round.settings).copied() {
                let Place { scenario, name, .. } = &self.places[place];
                for path in key.places_in(scenario).into_iter().take(ENTRIES) {
                    let lived = why.lived;
                    let alone = candidates::of(key, scenario, &path, &seen);
                    let mut found = self.first_of(alone, place, round, goes_on, &mut why);
                    if found.is_none() && why.lived == lived {
                        let balanced = candidates::balanced(scenario, &path);
                        found = self.first_of(balanced, place, round, goes_on, &mut why);
                    }
                    if let Some((changes, tick)) = found {
                        return Ok(Proof { place: name.clone(), changes, from: round.from, tick });
                    }
                }
            }
        }
        Err(why.told())
    }

    /// The first of some changes that makes a difference below a tick, and when; so many are lived. Those that can't be cost nothing.
    fn first_of(
        &self,
        tried: Vec<Vec<Change>>,
        place: usize,
        round: Round,
        goes_on: &mut dyn FnMut() -> bool,
        why: &mut Why,
    ) -> Option<(Vec<Change>, usize)> {
        let mut left = round.values;
        for changes in tried {
            if left == 0 || !goes_on() {
                break;
            }
            match self.parts_at(place, &changes, (round.from, round.ticks), goes_on) {
                Ok(Some(tick)) => return Some((changes, tick)),
                Ok(None) => {
                    left -= 1;
                    why.lived += 1;
                }
                Err(refused) => why.refused = Some(refused),
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
            // A scenario says more to a reader than an arm.
            let sweep = place.name.split_once(' ').map(|(file, _)| file);
            if let Some(file) = sweep.filter(|_| mentions < 2) {
                if sweeps.contains(&file) {
                    continue;
                }
                sweeps.push(file);
            }
            let cost = place.cost * if sweep.is_some() { 3 } else { 1 };
            order.push((cost / (1 + 3 * u64::from(mentions)), index));
        }
        order.sort_unstable();
        order.into_iter().map(|(_, index)| index).collect()
    }
}

/// What was in the way of a proof.
#[derive(Default)]
struct Why {
    lived: u32,
    refused: Option<String>,
}

impl Why {
    fn told(self) -> String {
        match (self.lived, self.refused) {
            (0, None) => "no shipped setting has its table, or no other value is known".to_owned(),
            (0, Some(refused)) => format!("no other value can be: {refused}"),
            (lived, _) => format!("{lived} changes made no difference"),
        }
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
