//! What actors cost, and what they bring: the same worlds by the plain loop, by two threads of rayon over the same golems (the
//! limit of what two threads can do) and by actors, in interleaved rounds, so that a noisy neighbour disturbs all drivers alike.
//! Medians, the spread of the middle half, and ratios.
//!
//! `cargo bench --bench population`, or `-- crossing`, `-- scaling`, `-- scenario`, `-- memory` for one of its parts;
//! `-- look NAME DRIVER GOLEMS` or `-- look SCENARIO DRIVER` lives through one world, for a profiler.
#![allow(clippy::print_stdout, reason = "figures are what a benchmark is run for")]

mod drivers;
mod resident;
mod rounds;
mod worlds;

use drivers::Driver;
use rounds::Rounds;
use worlds::World;

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Golems of the crossing.
const CROWD: u32 = 10_000;
/// Golem-ticks of one round, so that rounds take about as long with any number of golems.
const GOLEM_TICKS: u64 = 600_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["look", name, driver, golems] => {
            let golems: u32 = golems.parse().expect("a number of golems");
            look(&World::named(name).with(golems, 2 * GOLEM_TICKS / u64::from(golems)), driver);
        }
        ["look", path, driver] => look(&World::shipped(path), driver),
        ["resident", name, driver, golems] => resident::measure(name, driver, golems),
        parts => {
            let all: [(&str, fn()); 4] = [
                ("crossing", crossing),
                ("scenario", scenario),
                ("scaling", scaling),
                ("memory", resident::table),
            ];
            let wanted = all.iter().filter(|(name, _)| parts.is_empty() || parts.contains(name));
            wanted.for_each(|(_, measure)| measure());
        }
    }
}

/// Actors against the loops, where a step is small and where it is larger.
fn crossing() {
    for name in worlds::NAMES {
        let world = World::named(name).with(CROWD, GOLEM_TICKS / u64::from(CROWD));
        let drivers =
            [Driver::Plain, Driver::Rayon, Driver::Actors(1), Driver::Actors(2), Driver::Stepwise(2)];
        let rounds = Rounds::of(&world, &drivers, 5);
        rounds.print(&format!("{CROWD} golems, {name}"));
        rounds.compare(Driver::Actors(2), Driver::Rayon);
        rounds.compare(Driver::Stepwise(2), Driver::Rayon);
        rounds.compare(Driver::Actors(2), Driver::Plain);
        rounds.compare(Driver::Actors(1), Driver::Plain);
    }
}

/// Shipped scenarios, as they are and with more golems: what a tick costs however many live through it is then shared by more.
fn scenario() {
    for path in ["scenarios/synthetic.toml", "scenarios/mortal.toml"] {
        for times in [1, 8, 64] {
            let world = World::shipped(path).times(times);
            let rounds = Rounds::of(&world, &[Driver::Plain, Driver::Actors(1), Driver::Actors(2)], 5);
            rounds.print(&format!("{path}, {times} times the golems"));
            rounds.compare(Driver::Actors(2), Driver::Plain);
            rounds.compare(Driver::Actors(1), Driver::Plain);
        }
    }
}

/// What a golem costs when there are more of them.
fn scaling() {
    for golems in [1, 10, 100, 1_000, 10_000, 100_000] {
        let ticks = (GOLEM_TICKS / u64::from(golems)).clamp(10, 20_000);
        let world = World::named("none").with(golems, ticks);
        let rounds = Rounds::of(&world, &[Driver::Plain, Driver::Actors(1), Driver::Actors(2)], 3);
        rounds.print(&format!("{golems} golems, none"));
    }
}

fn look(world: &World, driver: &str) {
    println!("{:.0} ns a golem-tick", Driver::named(driver).live(world).ns_per_golem_tick());
}
