//! Backups a second of the replications beside plain loops over arrays, in the same run: `cargo bench -p morta-replications`.
//!
//! The plain loops do what a prototype would: no orders behind a contract, and for EVB every gain worked out anew for every backup. Rounds of both
//! sides alternate, so that a noisy neighbour disturbs both alike. `checks/replications.sh numba` has the numba prototypes beside them.
#![allow(clippy::print_stdout, reason = "figures are what a benchmark is run for")]

mod plain;

use morta_base::WorldSeed;
use morta_replications::life::{LifeConfig, ReplayAt, live};
use morta_replications::order::{OrderConfig, OrderKind};
use morta_replications::policy::PolicyKind;
use morta_replications::world::{World, WorldConfig};
use std::time::Instant;

const ROUNDS: u64 = 15;

fn world(map: &[&str]) -> World {
    let config: WorldConfig =
        toml::from_str(&format!("name = 'bench'\nmap = {map:?}\nreward_deviation = 0.1\n")).expect("a world");
    config.build().expect("a grid").0
}

/// Backups a second of many seeds.
fn rate(seeds: std::ops::Range<u64>, backups: impl Fn(WorldSeed) -> u64) -> f64 {
    let begun = Instant::now();
    let made: u64 = seeds.map(|seed| backups(WorldSeed(seed))).sum();
    made as f64 / begun.elapsed().as_secs_f64()
}

fn compare(
    name: &str,
    seeds: u64,
    ours: impl Fn(WorldSeed) -> u64,
    theirs: impl Fn(WorldSeed) -> u64,
) -> String {
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let seeds = round * seeds..(round + 1) * seeds;
        rounds.push((rate(seeds.clone(), &ours), rate(seeds, &theirs)));
    }
    let median = |of: fn(&(f64, f64)) -> f64| {
        let mut all: Vec<f64> = rounds.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let (ours, theirs, ratio) = (median(|of| of.0), median(|of| of.1), median(|of| of.0 / of.1));
    format!("{name:<28} ours {ours:>12.0}/s   plain {theirs:>12.0}/s   ratio {ratio:.2}")
}

fn main() {
    // `cargo test --benches` starts this program too, and asks for nothing.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let track = world(&["A........a", "##########", "b........B"]);
    let maze = world(&[".......#a", "..#....#.", "A.#....#.", "..#......", ".....#...", "........."]);
    let order = |kind| OrderConfig { kind, ..OrderConfig::default() };
    let laps = LifeConfig { count_events: false, ..LifeConfig::default() };
    let dyna = LifeConfig {
        backups: 50,
        replay_at: ReplayAt::EveryStep,
        policy: PolicyKind::EpsilonGreedy,
        discount: 0.95,
        rate: 0.1,
        explored: false,
        replay_stays: true,
        count_events: false,
        ..LifeConfig::default()
    };
    let evb = |seed| live(&track, None, &laps, &order(OrderKind::Evb), seed).backups;
    let random = |seed| live(&maze, None, &dyna, &order(OrderKind::Random), seed).backups;
    let lines = [
        compare("EVB, linear track", 10, evb, |seed| plain::evb(&track, seed)),
        compare("random, Dyna maze, n = 50", 40, random, |seed| plain::dyna(&maze, 50, seed)),
    ];
    for line in lines {
        println!("{line}");
    }
}
