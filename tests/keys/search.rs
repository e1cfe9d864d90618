//! Proving what the page says, and finding what it doesn't say yet.

use crate::candidates;
use crate::keys::{Key, value_at, with};
use crate::places::Place;
use crate::record::{Change, Proof, Record, shown};
use crate::story::{FROM, Story};
use rayon::prelude::*;
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::sync::OnceLock;

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
const ROUNDS: [Round; 10] = [
    round(0, 100, 4, 2),
    round(1, 120, 6, 2),
    round(0, 1_200, 3, 4),
    round(1, 1_000, 4, 1),
    round(2, 300, 6, 3),
    round(3, 300, 6, 3),
    round(4, 300, 6, 3),
    round(0, 700, 5, 12),
    round(2, 2_000, 8, 6),
    round(0, usize::MAX, 8, 12),
];
/// Under a switch that no shipped setting has.
const SWITCHED_ROUNDS: [Round; 3] = [round(0, 150, 1, 2), round(1, 200, 1, 3), round(0, 1_000, 1, 2)];
/// So many settings are tried with each of the switches.
const SWITCHED_SETTINGS: usize = 2;
/// So many entries of a list are tried in one setting.
const ENTRIES: usize = 3;

/// Settings with their stories, which are lived as far as somebody asks.
pub struct Stories<'a> {
    keys: &'a [Key],
    places: &'a [Place],
    stories: Vec<OnceLock<Story>>,
}

/// How many ticks may still be lived for a key; time would be another on every machine.
struct Budget(u64);

impl Budget {
    fn pay(&mut self, ticks: u64) -> bool {
        self.0 = self.0.saturating_sub(ticks);
        self.0 > 0
    }
}

/// What it costs to live a setting under a switch until it is changed, in ticks.
const UNDER_WAY: u64 = 1_000;

/// A setting as it is held against changes of it.
#[derive(Clone, Copy)]
struct Ground<'a> {
    /// What it costs to begin with it, in ticks.
    cost: u64,
    scenario: &'a Value,
    story: &'a Story,
}

impl Ground<'_> {
    /// The first of so many ticks, from one on, in which changes make a difference; `None` when they make none. The error says why they
    /// can't be.
    fn parts_at(
        self,
        changes: &[Change],
        ticks: (usize, usize),
        budget: &mut Budget,
    ) -> Result<Option<usize>, String> {
        let other = changed(self.scenario, changes);
        std::panic::catch_unwind(AssertUnwindSafe(|| self.story.parts_from(&other, ticks, || budget.pay(1))))
            .unwrap_or_else(|_| panic!("{} makes the world panic", shown(changes)))
    }
}

fn changed(scenario: &Value, changes: &[Change]) -> Value {
    changes.iter().fold(scenario.clone(), |other, one| with(&other, &one.path, &one.value))
}

impl<'a> Stories<'a> {
    pub fn of(keys: &'a [Key], places: &'a [Place]) -> Self {
        Self { keys, places, stories: places.iter().map(|_| OnceLock::new()).collect() }
    }

    fn ground(&self, place: usize) -> Ground<'_> {
        let Place { scenario, name, cost, .. } = &self.places[place];
        let begin = || Story::of(scenario).unwrap_or_else(|why| panic!("{name} can't be lived: {why}"));
        Ground { cost: *cost, scenario, story: self.stories[place].get_or_init(begin) }
    }

    /// What of a record holds still, each with the tick of today. The runs may part a little later than they did.
    pub fn holding(&self, record: &Record, slack: usize) -> Record {
        let held = record.par_iter().filter_map(|(key, proof)| {
            let tick = self.holds(proof, slack)?;
            Some((key.clone(), Proof { tick, ..proof.clone() }))
        });
        held.collect()
    }

    fn holds(&self, proof: &Proof, slack: usize) -> Option<usize> {
        let place = self.places.iter().position(|place| place.name == proof.place)?;
        let scenario = &self.places[place].scenario;
        if !proof.changes.iter().chain(&proof.given).all(|one| has(scenario, &one.path)) {
            return None;
        }
        let ticks = (proof.from, (proof.tick + 1 + slack).saturating_sub(proof.from));
        let (given, story);
        let ground = match &proof.given {
            None => self.ground(place),
            Some(one) => {
                given = changed(scenario, std::slice::from_ref(one));
                story = Story::of(&given).ok()?;
                Ground { cost: 0, scenario: &given, story: &story }
            }
        };
        ground.parts_at(&proof.changes, ticks, &mut Budget(u64::MAX)).ok()?
    }

    /// Looks for a setting and a value for each key, as long as so many ticks; `found` is told at once of each proof, or of what was in the way.
    pub fn search(&self, keys: &[&Key], ticks: u64, found: impl Fn(&Key, Result<Proof, String>) + Sync) {
        keys.par_iter().with_max_len(1).for_each(|key| found(key, self.search_one(key, ticks)));
    }

    fn search_one(&self, key: &Key, ticks: u64) -> Result<Proof, String> {
        let seen = candidates::seen(key, self.places);
        let order = self.order(key);
        let mut why = Why::default();
        let budget = &mut Budget(ticks);
        for round in ROUNDS {
            for place in order.iter().take(round.settings).copied() {
                let ground = self.ground(place);
                let name = &self.places[place].name;
                for path in key.places_in(ground.scenario).into_iter().take(ENTRIES) {
                    if let Some((changes, tick)) =
                        Self::by_itself(key, &path, ground, round, budget, (&seen, &mut why))
                    {
                        let place = name.clone();
                        return Ok(Proof { place, given: None, changes, from: round.from, tick });
                    }
                }
            }
        }
        self.switched(key, &order, budget, (&seen, &mut why)).ok_or_else(|| why.told())
    }

    /// A key changed alone, or with another where it can't be changed alone.
    fn by_itself(
        key: &Key,
        path: &str,
        ground: Ground<'_>,
        round: Round,
        budget: &mut Budget,
        (seen, why): (&[Value], &mut Why),
    ) -> Option<(Vec<Change>, usize)> {
        let lived = why.lived;
        let alone = candidates::of(key, ground.scenario, path, seen);
        let found = first_of(alone, ground, round, budget, why);
        if found.is_some() || why.lived > lived {
            return found;
        }
        first_of(candidates::balanced(ground.scenario, path), ground, round, budget, why)
    }

    /// A key under switches that no shipped setting has as it needs them.
    fn switched(
        &self,
        key: &Key,
        order: &[usize],
        budget: &mut Budget,
        (seen, why): (&[Value], &mut Why),
    ) -> Option<Proof> {
        for place in order.iter().take(SWITCHED_SETTINGS) {
            let Place { scenario, name, cost, .. } = &self.places[*place];
            let path = key.places_in(scenario).into_iter().next()?;
            for given in candidates::switches(self.keys, key, scenario, &path) {
                if !budget.pay(*cost + UNDER_WAY) {
                    return None;
                }
                let scenario = changed(scenario, std::slice::from_ref(&given));
                let Ok(story) = Story::of(&scenario) else { continue };
                let ground = Ground { cost: *cost, scenario: &scenario, story: &story };
                for round in SWITCHED_ROUNDS {
                    if !budget.pay(0) {
                        return None;
                    }
                    if let Some((changes, tick)) =
                        Self::by_itself(key, &path, ground, round, budget, (seen, &mut *why))
                    {
                        let (place, given) = (name.clone(), Some(given));
                        return Some(Proof { place, given, changes, from: round.from, tick });
                    }
                }
            }
        }
        None
    }
}

/// The first of some changes that makes a difference below a tick, and when; so many are lived. Those that can't be cost nothing.
fn first_of(
    tried: Vec<Vec<Change>>,
    ground: Ground<'_>,
    round: Round,
    budget: &mut Budget,
    why: &mut Why,
) -> Option<(Vec<Change>, usize)> {
    let mut left = round.values;
    for changes in tried {
        if left == 0 || !budget.pay(ground.cost) {
            break;
        }
        match ground.parts_at(&changes, (round.from, round.ticks), budget) {
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

impl Stories<'_> {
    /// The settings that have a key, worlds made for the purpose, cheap ones and those that speak of it first; of a sweep that doesn't, one arm is enough.
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
            let cost = match () {
                () if place.is_proving() => place.cost / 10,
                () if sweep.is_some() => place.cost * 3,
                () => place.cost,
            };
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
        ("memory.rag.", "rag"),
        ("memory.window.", "window"),
        ("memory.constant.", "constant"),
        ("memory.oracle_as_read.", "oracle-as-read"),
        ("dream.", "bardo"),
        ("curator.", "bardo"),
    ];
    let is_immortal = place.scenario["population"]["policy"] == "immortal";
    let of_the_mortal =
        ["mortality.", "succession.", "population.", "lethe."].iter().any(|table| key.starts_with(table));
    of.iter().all(|(table, word)| !key.starts_with(table) || remembers(word))
        && !(is_immortal && of_the_mortal)
}

fn has(scenario: &Value, path: &str) -> bool {
    let table = path.rsplit_once('.').map_or("", |(table, _)| table);
    table.is_empty() || value_at(scenario, table).is_object()
}
