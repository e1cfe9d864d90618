//! How far is chance from knowing? Lives through the positive control, or another scenario of synthetic prices, with a cohort of each
//! memory named, all like the file's first cohort, in many worlds. It prints, per 1,000 golem-ticks and with 95 % intervals over worlds:
//! total R, the same beyond that of `none` in the same world (paired; the total again if `none` isn't among the memories), and growth of
//! log equity: ln(balance at the end / endowment), summed over lives. The last column is golem-ticks a trade. It is a report to read;
//! nothing fails. `rate` and `trade` are values of `golem.rank`: candidates are ranked by R less the worth of their ticks, or by R a trade.
//! Defaults: 10 worlds from seed 1, `rate`, 8 golems a memory, `scenarios/controls/learnable.toml`, and the memories of `MEMORIES`.
//!
//! `cargo run --release -p morta-engine --example bounds -- [WORLDS] [FIRST_SEED] [rate|trade] [GOLEMS] [SCENARIO] [MEMORY,...]`

#![allow(clippy::print_stdout, reason = "it is a report")]

use morta_base::math;
use morta_engine::event::EventKind;
use morta_engine::golem::Rank;
use morta_engine::memory::MemoryName;
use morta_engine::world::{Plan, Scenario, World};

const MEMORIES: &str =
    "random,none,bardo,owm,bardo+owm,oracle-abstains,oracle-chooses,oracle-sizes,oracle-as-read,oracle";

/// The sums of a cohort over all its lives in a world: R, log growth of equity, ticks lived, trades.
#[derive(Clone, Copy, Debug, Default)]
struct Came {
    total_r: f64,
    log_growth: f64,
    ticks: u64,
    trades: u64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |place: usize, default: &str| arguments.get(place).map_or(default, String::as_str).to_owned();
    let number = |place, default| argument(place, default).parse::<u64>().expect("a number");
    let (worlds, first) = (number(0, "10"), number(1, "1"));
    let rank = match argument(2, "rate").as_str() {
        "rate" => Rank::Rate,
        "trade" => Rank::Trade,
        other => panic!("`{other}` is no rank: use rate or trade"),
    };
    let golems = number(3, "8") as u32;
    let file = argument(4, "scenarios/controls/learnable.toml");
    let text = std::fs::read_to_string(&file).expect("the scenario can be read");
    let keys: serde_json::Value = toml::from_str(&text).expect("the scenario is TOML");
    let scenario = Scenario::from_value(keys).expect("the scenario is valid");
    let memories = argument(5, MEMORIES);
    let memories: Vec<&str> = memories.split(',').collect();
    let came: Vec<Vec<Came>> =
        (first..first + worlds).map(|seed| live(&scenario, seed, rank, golems, &memories)).collect();
    let none = memories.iter().position(|memory| *memory == "none");
    for (place, memory) in memories.iter().enumerate() {
        let of = |measure: fn(&Came) -> f64| -> Vec<f64> {
            came.iter().map(|world| measure(&world[place])).collect()
        };
        let r = |came: &Came| came.total_r / came.ticks as f64;
        let growth = |came: &Came| came.log_growth / came.ticks as f64;
        let beyond: Vec<f64> =
            came.iter().map(|world| r(&world[place]) - none.map_or(0.0, |none| r(&world[none]))).collect();
        let trades: u64 = came.iter().map(|world| world[place].trades).sum();
        let ticks: u64 = came.iter().map(|world| world[place].ticks).sum();
        println!(
            "{memory:16} R/1000 ticks {}  beyond none {}  growth/1000 ticks {}  {:.1} ticks a trade",
            interval(&of(r)),
            interval(&beyond),
            interval(&of(growth)),
            ticks as f64 / trades.max(1) as f64
        );
    }
}

fn live(scenario: &Scenario, seed: u64, rank: Rank, golems: u32, memories: &[&str]) -> Vec<Came> {
    let mut scenario = scenario.clone();
    (scenario.seed, scenario.golem.rank) = (seed, rank);
    let like = scenario.cohorts[0].clone();
    scenario.cohorts = memories
        .iter()
        .map(|memory| {
            let mut cohort = like.clone();
            (cohort.name, cohort.memory, cohort.golems) =
                ((*memory).to_owned(), MemoryName::from(*memory), golems);
            cohort
        })
        .collect();
    let bars = vec![Vec::new(); scenario.market.assets.len()];
    let mut world = World::new(Plan::new(scenario, &bars).expect("the scenario is valid"), bars);
    let mut came = vec![Came::default(); memories.len()];
    let mut take = |kind: &EventKind| {
        let EventKind::LifeEnded(life) = kind else { return };
        let own = &mut came[usize::from(life.cohort)];
        own.total_r += life.total_r;
        own.log_growth += math::ln(life.balance.dollars().max(1e-6) / life.endowment.dollars());
        own.ticks += life.lifespan();
        own.trades += u64::from(life.trades);
    };
    let lived =
        world.live_until(u64::MAX, |_, lived| lived.events.iter().for_each(|event| take(&event.kind)));
    lived.expect("no faults");
    world.finish().iter().for_each(|event| take(&event.kind));
    came
}

/// Mean and 95 % interval over worlds of a thousand times the values (normal, from the standard error of the mean).
fn interval(values: &[f64]) -> String {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance =
        values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0).max(1.0);
    let half = 1.96 * (variance / n).sqrt();
    format!("{:7.3} [{:7.3}, {:7.3}]", 1e3 * mean, 1e3 * (mean - half), 1e3 * (mean + half))
}
