//! Every key of a scenario file acts somewhere: for each there is a shipped setting, a scenario or an arm of a sweep, in which something else
//! happens when that key alone is changed. The pages `docs/src/keys.md` and `docs/src/keys` say which, and this test lives it again. A key without one fails it,
//! unless the list in `exceptions.rs` says why. What it changes beyond that, as far as a study asked, is beside it (`consequence.rs`).
//!
//! `MORTA_RECORD=1 cargo test --workspace --test keys` proves what the page says, looks for what it doesn't say yet, and writes it anew.
//! What it has found is kept when it is stopped. A key that acts in no setting that is there gets one: `scenarios/proving` holds small worlds
//! in which every capacity, threshold and price is within reach of a thousand ticks.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod candidates;
#[path = "../common/mod.rs"]
mod common;
mod consequence;
mod exceptions;
mod keys;
mod places;
mod record;
mod search;
mod story;

use common::generated::Pages;
use consequence::Asked;
use exceptions::why;
use keys::Key;
use places::Place;
use record::{Proof, Record};
use search::Stories;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// How many ticks are lived for each key: first few, so that what is easily found is found soon; then what is left is looked for longer.
const TICKS: [u64; 2] = [20_000, 120_000];
/// A recorded proof is looked for so many ticks longer before another is searched.
const SLACK: usize = 300;

const RECORD: &str = "MORTA_RECORD=1 cargo test --workspace --test keys";

fn pages(keys: &[Key], record: &Record, asked: &Asked) -> Pages {
    let told = |key: &str| why(key).unwrap_or("**nobody knows**").to_owned();
    let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
    record::pages(&names, record, asked, told)
}

/// Looks for what the record lacks, and keeps each find at once.
fn complete(keys: &[Key], record: Record, asked: &Asked) -> Record {
    let places = places::all();
    let stories = Stories::of(keys, &places);
    let record = stories.holding(&record, SLACK);
    // Pages are written whole or not at all, here and after each find: a search that is stopped must not lose what it has found.
    pages(keys, &record, asked).write();
    let record = Mutex::new(record);
    for ticks in TICKS {
        let searched = unproved(keys, &record.lock().unwrap());
        eprintln!("{} settings, {} keys, {} to be searched", places.len(), keys.len(), searched.len());
        stories.search(&searched, ticks, |key: &Key, found: Result<Proof, String>| {
            let mut record = record.lock().unwrap();
            match found {
                Ok(proof) => {
                    record.insert(key.name.clone(), proof);
                    pages(keys, &record, asked).write();
                }
                Err(why) => eprintln!("nothing found for {} within {ticks} ticks: {why}", key.name),
            }
        });
    }
    record.into_inner().unwrap()
}

/// What is wrong with a page, a line each.
fn wrong(keys: &[Key], page: &str) -> Vec<String> {
    let record = record::read(page);
    let named: BTreeSet<&str> = record.values().map(|proof| proof.place.as_str()).collect();
    let places: Vec<Place> = places::named(&named);
    let holding = Stories::of(keys, &places).holding(&record, 0);
    let fails = |(key, proof): (&String, &Proof)| match holding.get(key) {
        Some(now) if now == proof => None,
        Some(now) => Some(format!("{key}: the runs part at tick {}, not {}", now.tick, proof.tick)),
        None => {
            Some(format!("{key}: {} makes no difference to {}", record::shown(&proof.changes), proof.place))
        }
    };
    record.iter().filter_map(fails).chain(exceptions::idle(keys, &record)).collect()
}

/// Keys without a setting and without a reason for having none.
fn unproved<'a>(keys: &'a [Key], record: &Record) -> Vec<&'a Key> {
    keys.iter().filter(|key| !record.contains_key(&key.name) && why(&key.name).is_none()).collect()
}

#[test]
fn every_key_acts_somewhere() {
    let keys = keys::all();
    let asked = Asked::of(&keys);
    let mut page = record::kept();
    if std::env::var_os("MORTA_RECORD").is_some() {
        let mut record = record::read(&page);
        record.retain(|name, _| keys.iter().any(|key| key.name == *name) && why(name).is_none());
        pages(&keys, &complete(&keys, record, &asked), &asked).write();
        page = record::kept();
    }
    let record = record::read(&page);
    // Before the pages are held to the keys: that they are out of date doesn't say by which key.
    let unproved: Vec<&str> = unproved(&keys, &record).iter().map(|key| key.name.as_str()).collect();
    assert!(
        unproved.is_empty(),
        "no setting is known in which these act ({RECORD} looks for one): {}",
        unproved.join(", ")
    );
    pages(&keys, &record, &asked).hold(RECORD);
    let mut wrong = wrong(&keys, &page);
    wrong.extend(asked.wrong(&keys));
    assert!(wrong.is_empty(), "not as docs/src/keys says ({RECORD}):\n{}", wrong.join("\n"));
}
