//! Does chance kill as the formula says? Ten thousand lives at each of three fitnesses, tick by tick, with the keyed uniforms
//! golems die by; nothing else can happen to them. Their Kaplan–Meier curve (all die, so it is the share still alive) is
//! held against the analytic survivor function and the digest's table (section 11), at four ages and at the median.
//!
//! Each comparison has its own 99 % band, marked where it is left. Of fifteen such bands luck leaves one with one seed in seven, so a
//! narrow band left is no failure: the lives fail where the wider band is left that all fifteen keep with 99 %.
//!
//! The formula is checked against the digest too: its median ages to .05 days, its per cents to .006. A failure ends the process with exit
//! code 1.
//!
//! `cargo run --release -p morta-engine --example hazard -- [LIVES] [SEED]`

#![allow(clippy::print_stdout, reason = "it is a report")]

use morta_base::{GolemId, Purpose, WorldSeed};
use morta_engine::mortality::hazard::{hazard, survival};
use std::process::ExitCode;

/// Ticks in a day of 40-second ticks.
const DAY: u64 = 2_160;
const FITNESS: [f64; 3] = [1.0, 0.5, 0.0];
const CHECKED_DAYS: [u64; 4] = [7, 30, 60, 90];
/// Per cent alive and median days, by fitness, from the digest.
const DIGEST_ALIVE: [[f64; 4]; 3] =
    [[98.48, 93.27, 77.12, 2.95], [96.98, 86.99, 59.48, 0.09], [95.50, 81.13, 45.87, 0.00]];
const DIGEST_MEDIAN_DAYS: [f64; 3] = [73.1, 64.3, 58.1];
/// Two-sided 99 % of the normal distribution, for one comparison and (Bonferroni) for fifteen.
const Z_ONE: f64 = 2.575_829;
const Z_ALL: f64 = 3.402_933;

fn main() -> ExitCode {
    let mut arguments =
        std::env::args().skip(1).map(|text| text.parse().expect("LIVES and SEED are numbers"));
    let lives: u64 = arguments.next().unwrap_or(10_000);
    let seed = WorldSeed(arguments.next().unwrap_or(1));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let hazards = hazards();
    let deaths = std::thread::scope(|scope| {
        let work = |thread: u64| {
            let hazards = &hazards;
            scope.spawn(move || {
                (thread..lives).step_by(threads as usize).map(|n| life(seed, n, hazards)).collect()
            })
        };
        let workers: Vec<_> = (0..threads).map(work).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Vec<[u64; 3]>>| {
            worker.join().expect("no worker fails")
        };
        workers.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    println!("{lives} lives at each fitness, seed {}\n", seed.0);
    println!("fitness    days   alive %  formula %  99 % band          digest %");
    let good = (0..FITNESS.len()).map(|index| report(index, &deaths)).filter(|good| !good).count() == 0;
    println!(
        "\n{}",
        if good {
            "all within the 99 % band of all fifteen together"
        } else {
            "NOT all within the 99 % band of all fifteen together"
        }
    );
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The hazard of every tick up to a year and a half, by fitness; by then everybody is dead.
fn hazards() -> Vec<[f64; 3]> {
    (0..550 * DAY).map(|tick| FITNESS.map(|fitness| hazard(tick, fitness))).collect()
}

/// The tick of death at each fitness. The three share their luck: who is struck when fit is struck when unfit.
fn life(seed: WorldSeed, number: u64, hazards: &[[f64; 3]]) -> [u64; 3] {
    let golem = GolemId::founder(u32::try_from(number).expect("lives are counted in 32 bits"));
    let mut died = [0; 3];
    for (tick, hazards) in (0..).zip(hazards) {
        let drawn = seed.golem(golem, Purpose::Hazard, tick).uniform();
        for (died, hazard) in died.iter_mut().zip(hazards) {
            if *died == 0 && drawn < *hazard {
                *died = tick + 1;
            }
        }
        if died[0] > 0 && died[1] > 0 && died[2] > 0 {
            return died;
        }
    }
    panic!("life {number} has outlived a hazard of one in a thousand a tick by a year");
}

/// Prints the rows of a fitness; says whether all are in the band that all keep.
fn report(index: usize, deaths: &[[u64; 3]]) -> bool {
    let (fitness, lives) = (FITNESS[index], deaths.len() as f64);
    let spans: Vec<u64> = deaths.iter().map(|died| died[index]).collect();
    let median = analytic_median(fitness);
    let days = median as f64 / DAY as f64;
    let mut good = (days - DIGEST_MEDIAN_DAYS[index]).abs() < 0.05;
    let checked =
        CHECKED_DAYS.into_iter().zip(DIGEST_ALIVE[index]).map(|(days, digest)| (days * DAY, digest));
    for (tick, digest) in checked.chain([(median, 50.0)]) {
        let found = spans.iter().filter(|span| **span > tick).count() as f64 / lives;
        let expected = survival(tick, fitness);
        // Half a life of continuity; the digest rounds to a hundredth of a per cent.
        let half = |z: f64| z * (expected * (1.0 - expected) / lives).sqrt() + 0.5 / lives;
        let off = (found - expected).abs();
        good &= off <= half(Z_ALL) && (100.0 * expected - digest).abs() < 0.006;
        println!(
            "{fitness:7.1}  {:6.2}  {:8.2}  {:9.2}  {:6.2} to {:6.2}  {digest:8.2}{}",
            tick as f64 / DAY as f64,
            100.0 * found,
            100.0 * expected,
            100.0 * (expected - half(Z_ONE)).max(0.0),
            100.0 * (expected + half(Z_ONE)),
            if off <= half(Z_ONE) { "" } else { "  outside" }
        );
    }
    good
}

/// The first age that at most half outlive.
fn analytic_median(fitness: f64) -> u64 {
    let (mut alive, mut tick) = (1.0, 0);
    while alive > 0.5 {
        alive *= 1.0 - hazard(tick, fitness);
        tick += 1;
    }
    tick
}
