//! Processes that meet in one folder or store, and processes that are cut off: what looks whole is whole, and nothing is lost.

mod child;
mod kills;
mod place;
mod races;
mod runs;
mod stores;
mod sweeps;

use super::effort::number;
use super::luck::Luck;
use super::tally::Tally;
use place::Place;

fn places() -> Vec<Place> {
    [runs::places(), sweeps::places(), stores::places()].into_iter().flatten().collect()
}

/// How many cases are tried in all, and by which seed: `HOSTILE_RACES`, `HOSTILE_KILLS`, `HOSTILE_SEED`.
struct Asked {
    cases: u64,
    seed: u64,
    kind: Option<String>,
    from: u64,
}

impl Asked {
    fn of(name: &str, usual: u64) -> Self {
        Self {
            cases: number(name, usual),
            seed: number("HOSTILE_SEED", 1),
            kind: std::env::var("HOSTILE_KIND").ok(),
            from: number("HOSTILE_FROM", 0),
        }
    }
}

/// Every place gets its share of the cases; each case has a verdict.
fn round(what: &'static str, asked: &Asked, case: impl Fn(&Place, &mut Luck) -> Result<(), String>) {
    let names =
        places().into_iter().filter(|place| asked.kind.as_deref().is_none_or(|kind| kind == place.name));
    let places: Vec<Place> = names.collect();
    let mut failures = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let (index, many) = (index as u64, places.len() as u64);
        let share = asked.cases / many + u64::from(index < asked.cases % many);
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
    round("race", &Asked::of("HOSTILE_RACES", 32), races::race);
}

#[test]
fn kills() {
    round("kill", &Asked::of("HOSTILE_KILLS", 32), kills::kill);
}
