//! Processes that meet in one folder or store, and processes that are cut off: what looks whole is whole, and nothing is lost.

mod child;
mod kills;
mod place;
mod races;
mod runs;
mod stores;
mod sweeps;

use super::common::number;
use super::effort::Effort;
use super::luck::Luck;
use super::tally::Tally;
use place::Place;

fn places() -> Vec<Place> {
    [runs::places(), sweeps::places(), stores::places()].into_iter().flatten().collect()
}

/// Every place gets its share of the cases, as many in all as `HOSTILE_RACES` or `HOSTILE_KILLS` says; each case has a verdict.
fn round(what: &'static str, cases: u64, case: impl Fn(&Place, &mut Luck) -> Result<(), String>) {
    let asked = Effort::asked();
    let places: Vec<Place> = places().into_iter().filter(|place| asked.includes(place.name)).collect();
    let mut failures = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let (index, many) = (index as u64, places.len() as u64);
        let share = cases / many + u64::from(index < cases % many);
        let mut tally = Tally::begin(place.name, asked.seed);
        for number in asked.from..asked.from + share {
            tally.under_way(number);
            let mut luck = Luck::of_case(asked.seed, &format!("{what} {}", place.name), number);
            match case(place, &mut luck) {
                Ok(()) => tally.count.accepted += 1,
                Err(why) => {
                    let again = format!(
                        "HOSTILE_SEED={} HOSTILE_KIND={} HOSTILE_FROM={number}",
                        asked.seed, place.name
                    );
                    tally.fail(format!("{what}, {}: {why}\n    {again}", place.name));
                }
            }
        }
        failures.extend(tally.end().failures);
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn races() {
    round("race", number("HOSTILE_RACES", 32), races::race);
}

#[test]
fn kills() {
    round("kill", number("HOSTILE_KILLS", 32), kills::kill);
}
