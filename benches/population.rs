//! What actors cost: the same worlds by the plain loop (the limit on one thread) and by actors, interleaved in one run.
//! Golems remember nothing and the market is exogenous, so there is little work to hide the messages behind.
//!
//! `cargo bench --bench population`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use morta_actors::{EventSink, RunOptions, WriteError};
use morta_engine::event::Event;
use morta_engine::world::{Plan, Scenario, World};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

const TICKS: u64 = 50;

struct Nowhere;

impl EventSink for Nowhere {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        black_box(events);
        Ok(())
    }
}

fn plan(golems: u32) -> Plan {
    let scenario: Scenario = serde_json::from_value(serde_json::json!({
        "name": "bench", "seed": 1, "ticks": TICKS,
        "cohorts": [{ "name": "none", "golems": golems, "memory": "none" }],
        "market": {
            "impact": "price_taker",
            "assets": [{ "symbol": "SYN", "source": { "kind": "synthetic" } }]
        }
    }))
    .expect("the scenario is well formed");
    Plan::new(scenario, &[Vec::new()]).expect("the scenario is valid")
}

fn plain(plan: &Plan) -> Duration {
    let mut world = World::new(plan.clone(), vec![Vec::new()]);
    let begun = Instant::now();
    while world.goes_on() {
        black_box(world.live().expect("no service fails"));
    }
    black_box(world.finish());
    begun.elapsed()
}

fn actors(plan: &Plan, threads: usize) -> Duration {
    let options = RunOptions { threads, ..RunOptions::default() };
    let plan = plan.clone();
    let begun = Instant::now();
    black_box(morta_actors::run(plan, vec![Vec::new()], options, Nowhere).expect("no actor fails").ended);
    begun.elapsed()
}

fn population(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("population");
    group.sample_size(10);
    for golems in [100, 1_000, 10_000] {
        let plan = plan(golems);
        group.throughput(Throughput::Elements(u64::from(golems) * TICKS));
        // Interleaved rounds, so that a noisy neighbour disturbs all drivers alike.
        let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for _ in 0..7 {
            times.entry("plain loop").or_default().push(plain(&plan).as_secs_f64());
            times.entry("actors, 1 thread").or_default().push(actors(&plan, 1).as_secs_f64());
            times.entry("actors, 2 threads").or_default().push(actors(&plan, 2).as_secs_f64());
        }
        let median = |name: &str| {
            let mut sorted = times[name].clone();
            sorted.sort_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        };
        for (name, threads) in [("actors, 1 thread", 1), ("actors, 2 threads", 2)] {
            let rate = f64::from(golems) * TICKS as f64 / median(name);
            let ratio = median("plain loop") / median(name);
            let text =
                format!("{golems} golems, {name}: {rate:.3e} golem-ticks/s, {ratio:.2} of the plain loop\n");
            std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()).expect("stdout is open");
            group.bench_function(format!("{golems}/actors-{threads}"), |bencher| {
                bencher.iter_custom(|rounds| (0..rounds).map(|_| actors(&plan, threads)).sum());
            });
        }
        group.bench_function(format!("{golems}/plain"), |bencher| {
            bencher.iter_custom(|rounds| (0..rounds).map(|_| plain(&plan)).sum());
        });
    }
    group.finish();
}

criterion_group!(benches, population);
criterion_main!(benches);
