//! Actors on any number of threads must write the same events as the plain loop, in the same order.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

#[path = "../../engine/tests/common/improviser.rs"]
mod improviser;
#[path = "../../engine/tests/common/merge.rs"]
mod merge;

use improviser::Improviser;
use merge::merge;
use morta_actors::{
    Ancestry, EventSink, Finished, LetheContent, LetheFiles, RunError, RunId, RunOptions, RunRecord,
    SledStore, WriteError, go_on, run, run_from,
};
use morta_engine::event::{Event, EventKind, GateTally};
use morta_engine::lethe::{EarlierBloodstains, MemoryStore};
use morta_engine::memory::MemoryRegistry;
use morta_engine::mortality::Cause;
use morta_engine::world::{Plan, Scenario, World};
use std::sync::Arc;

#[derive(Debug, Default)]
struct Log(Vec<Event>);

impl EventSink for Log {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        self.0.extend_from_slice(events);
        Ok(())
    }
}

struct BrokenDisk;

impl EventSink for BrokenDisk {
    fn take(&mut self, _: &[Event]) -> Result<(), WriteError> {
        Err("the disk is full".into())
    }
}

/// A short, busy world: many deaths, dreams and bloodstains, two assets, shocks, an endogenous market.
fn scenario(change: serde_json::Value) -> Scenario {
    let mut scenario = serde_json::json!({
        "name": "busy", "seed": 7, "ticks": 500,
        "cohorts": [
            { "name": "bardo", "golems": 17, "memory": "bardo" },
            { "name": "none", "golems": 8, "memory": "none" },
            { "name": "oracle", "golems": 6, "memory": "oracle" }
        ],
        "market": {
            "assets": [
                { "symbol": "A", "source": { "kind": "synthetic" } },
                { "symbol": "B", "source": { "kind": "synthetic" } }
            ],
            "gas": { "base_usdc": 0.002 },
            "shocks": { "rates": { "liquidity_crisis": 0.01, "gas_spike": 0.01 } }
        },
        "golem": { "compute_usdc_per_tick": 0.1 },
        "mortality": {
            "hazard_scale": 2000.0,
            // Golems of this world live for hours, so they write traces every few minutes.
            "thanatopsis": { "snapshot_interval_ticks": 10, "snapshot_usdc": 0.0001 }
        },
        "dream": {
            "enabled": true, "min_episodes": 10, "dream_cycle_interval": 20,
            "schedule": { "mode": "interval" },
            // Five simulated hours count as weeks here, because lives of this world last no longer.
            "clocks": { "time_scale": 100.0 }
        },
        "lethe": { "delay_hours_min": 0.0, "delay_hours_max": 0.1 },
        "llm": { "requests_per_tick": 2 }
    });
    merge(&mut scenario, change);
    let mut scenario = Scenario::from_value(scenario).unwrap();
    // A policy of this market that never trades.
    scenario.memory.constant.market = morta_engine::memory::constant::digest(&scenario.market);
    scenario
}

fn plan(scenario: &Scenario) -> Plan {
    let plan = Plan::new(scenario.clone(), &bars(scenario)).unwrap();
    if scenario.llm.mode.is_outside() {
        return plan.connected(Arc::new(Improviser { unusable: 20, ..Improviser::default() }));
    }
    plan
}

fn bars(scenario: &Scenario) -> Vec<Vec<morta_engine::market::Bar>> {
    scenario.market.assets.iter().map(|_| Vec::new()).collect()
}

fn world(scenario: &Scenario) -> World {
    World::new(plan(scenario), bars(scenario))
}

fn plain(scenario: &Scenario) -> Vec<Event> {
    lived(world(scenario))
}

fn lived(mut world: World) -> Vec<Event> {
    let mut events = Vec::new();
    world.live_until(u64::MAX, |_, lived| events.extend(lived.events)).unwrap();
    events.extend(world.finish());
    assert!(world.census().money_conserved());
    events
}

fn on(threads: usize) -> RunOptions {
    RunOptions { threads, ..RunOptions::default() }
}

fn actors(scenario: &Scenario, threads: usize) -> Result<Finished<Log>, RunError> {
    run(plan(scenario), bars(scenario), on(threads), Log::default())
}

fn happen(expected: &[Event], needed: &[&str]) {
    for needed in needed {
        let found = expected.iter().any(|event| event.kind.name() == *needed);
        assert!(found, "no {needed}: the world is too quiet");
    }
}

/// A run that was lived to its end is what was expected.
fn is_as(expected: &[Event], finished: Finished<Log>, how: &str) {
    let found = finished.sink.0;
    if let Some(index) = expected.iter().zip(&found).position(|(a, b)| a != b) {
        panic!("{how}, event {index}: expected {:#?}, found {:#?}", expected[index], found[index]);
    }
    assert_eq!(expected.len(), found.len(), "{how}");
    assert!(finished.ended.ledger_conserved && !finished.ended.interrupted);
}

fn deaths(events: &[Event], of: Cause) -> usize {
    let is = |event: &&Event| matches!(&event.kind, EventKind::LifeEnded(life) if life.cause == Some(of));
    events.iter().filter(is).count()
}

fn the_same_on_any_number_of_threads(scenario: &Scenario, expected: &[Event]) {
    for threads in [1, 2, 8] {
        is_as(expected, actors(scenario, threads).unwrap(), &format!("{threads} threads"));
    }
}

fn cohorts_of_every_memory(golems: u32) -> Vec<serde_json::Value> {
    let memories = MemoryRegistry::default();
    let cohort = |name| serde_json::json!({ "name": name, "golems": golems, "memory": name });
    memories.names().map(cohort).collect()
}

/// Eras drawn by the seed, loans, and crises that kill: the same events by either driver, with golems that live ahead and without.
#[test]
fn a_drifting_law_and_a_predator_are_the_same_on_any_number_of_threads() {
    for impact in ["price_taker", "endogenous"] {
        let scenario = scenario(serde_json::json!({
            "market": {
                "impact": impact,
                "pool": { "fee_bps": 9.0 },
                "drift": {
                    "laws": [
                        { "name": "turned", "assets": ["A"], "regimes": { "trending_up": { "drift": -0.3 } } },
                        { "name": "wild", "volatility": 0.006 }
                    ],
                    "mean_era_ticks": 60, "era_over_ticks": 20
                },
                "shocks": { "crisis": { "rate": 0.01, "sign_ticks": 8, "crash_size": 0.3 } }
            },
            "golem": {
                "holding": { "review_ticks": 3 },
                "risk_per_trade": 0.2, "max_position_share": 1.0, "purse": { "trading_share": 0.9 },
                "leverage": { "max": 8.0, "interest_per_tick": 0.0001 }
            },
            "clade": { "enabled": false }, "pheromones": { "enabled": false }
        }));
        let expected = plain(&scenario);
        let count = |of: fn(&EventKind) -> bool| expected.iter().filter(|event| of(&event.kind)).count();
        assert!(count(|kind| matches!(kind, EventKind::LawChanged(_))) >= 3, "{impact}");
        // Golems that move prices pay for large positions, so they take none that a lender would have to close.
        assert!(count(|kind| matches!(kind, EventKind::PositionLeft { .. })) >= 3, "{impact}");
        let closed = count(|kind| matches!(kind, EventKind::Liquidated { .. }));
        assert!(closed >= 3 || impact == "endogenous", "{closed}");
        the_same_on_any_number_of_threads(&scenario, &expected);
    }
}

/// Dreams by a model outside the simulation, some of whose replies can't be used: with golems that live ahead, and with golems that move prices.
#[test]
fn a_model_outside_is_the_same_on_any_number_of_threads() {
    for impact in ["price_taker", "endogenous"] {
        let scenario = scenario(serde_json::json!({
            "market": { "impact": impact },
            "golem": { "endowment_usdc": 500.0 },
            "dream": { "tier": "hardened", "budget": { "per_cycle_max": 5.0, "per_session_max": 50.0 } },
            "llm": { "mode": "record", "model": "improviser", "t0": { "latency_ticks": 4 } }
        }));
        let expected = plain(&scenario);
        let call = |event: &Event| match &event.kind {
            EventKind::ModelCalled(call) => Some(call.unusable.is_some()),
            _ => None,
        };
        let calls: Vec<bool> = expected.iter().filter_map(call).collect();
        let unusable = calls.iter().filter(|unusable| **unusable).count();
        assert!(unusable > 20 && calls.len() > unusable + 100, "{unusable} of {}", calls.len());
        the_same_on_any_number_of_threads(&scenario, &expected);
    }
}

/// Golems that think only when surprised, or as often at random, and pay for it: with golems that live ahead, and with clades whose threat pheromones they sense.
#[test]
fn a_waking_gate_is_the_same_on_any_number_of_threads() {
    for (form, impact, siblings) in [("surprise", "endogenous", true), ("random", "price_taker", false)] {
        let scenario = scenario(serde_json::json!({
            "market": { "impact": impact },
            "golem": {
                "holding": { "review_ticks": 3 },
                "gate": { "enabled": true, "form": form, "error": { "price_full_miss": 0.01 } }
            },
            "clade": { "enabled": siblings }, "pheromones": { "enabled": siblings }
        }));
        let expected = plain(&scenario);
        let mut spent = GateTally::default();
        for event in &expected {
            if let EventKind::GateTallied(tally) = &event.kind {
                spent += *tally;
            }
        }
        assert!(spent.ticks.iter().all(|ticks| *ticks > 10), "{form}: {spent:?}");
        the_same_on_any_number_of_threads(&scenario, &expected);
    }
}

/// Every architecture of memory maintains itself, dreams, bequeaths and inherits in its own way.
#[test]
fn all_memories_write_the_same_events() {
    let cohorts = cohorts_of_every_memory(5);
    let scenario = scenario(serde_json::json!({
        "ticks": 700, "cohorts": cohorts,
        "golem": { "holding": { "review_ticks": 4 } },
        "mortality": { "hazard_scale": 500.0 },
        // A tick is an hour of notes and moods.
        "memory": {
            "openclaw": { "time_scale": 90.0 }, "owm": { "time_scale": 90.0 },
            "oracle_as_read": { "walk_ticks": 3000 }
        }
    }));
    let expected = plain(&scenario);
    happen(&expected, &["memory_kept", "memory_briefed", "dream_completed", "bloodstain_drawn"]);
    the_same_on_any_number_of_threads(&scenario, &expected);
}

#[test]
fn any_number_of_threads_writes_the_same_events() {
    let scenario = scenario(serde_json::json!({}));
    let expected = plain(&scenario);
    assert!(deaths(&expected, Cause::Economic) > 0 && deaths(&expected, Cause::Stochastic) > 0);
    happen(&expected, &["dream_completed", "bloodstain_drawn", "curated", "stayed_out", "shock_started"]);
    the_same_on_any_number_of_threads(&scenario, &expected);
}

/// Windows, urgency, caps, alarms, calls, directives and emergencies, all at once.
#[test]
fn a_full_dream_schedule_writes_the_same_events() {
    let scenario = scenario(serde_json::json!({
        "ticks": 700,
        "golem": { "compute_usdc_per_tick": 0.07 },
        "market": { "tick_seconds": 300 },
        "mortality": { "hazard_scale": 500.0 },
        "llm": { "requests_per_tick": 64 },
        "dream": {
            "tier": "hardened",
            "dream_cycle_interval": 10,
            "schedule": { "mode": "hybrid", "autonomous_threshold": 0.65, "position_is_pending": false },
            "budget": { "per_cycle_max": "$0.30", "per_session_max": "$0.70", "monthly_max": "$1.50" },
            "windows": { "windows": [
                { "start": "22:30", "end": "01:00", "timezone": "UTC" },
                { "start": "14:00", "end": "15:00", "timezone": "+02:00" }
            ] },
            "wake_interrupts": { "market_thresholds": [{ "asset": "A", "change_percent": 0.8, "window": "20m" }] },
            "interrupts": [{ "tick": 435, "source": "owner" }, { "tick": 450, "source": "clade" }],
            "directives": [{ "tick": 420, "cohort": "bardo" }],
            "micro": { "episodes": 3 }
        }
    }));
    let expected = plain(&scenario);
    happen(&expected, &["dream_started", "dream_completed", "dream_interrupted"]);
    the_same_on_any_number_of_threads(&scenario, &expected);
}

/// Rich dreams have several questions out at once, to models of different speed.
#[test]
fn rich_dreams_write_the_same_events() {
    let scenario = scenario(serde_json::json!({
        "golem": { "endowment_usdc": 500.0 },
        "dream": { "tier": "hardened" },
        "llm": { "requests_per_tick": 20 }
    }));
    let expected = plain(&scenario);
    happen(&expected, &["dream_phase", "dream_hypothesis", "dream_counterfactual", "dream_completed"]);
    for threads in [1, 4] {
        assert!(actors(&scenario, threads).unwrap().sink.0 == expected, "{threads} threads");
    }
}

/// The Lethe that a run of the scenario leaves on disk.
fn lived_before(scenario: &Scenario) -> LetheContent {
    let folder = tempfile::tempdir().unwrap();
    let record = RunRecord { tick_seconds: scenario.market.tick_seconds, ..RunRecord::default() };
    let files = LetheFiles { folder: Some(folder.path()), ..LetheFiles::default() };
    let nothing = (&LetheContent::default(), &Ancestry::default());
    let store = SledStore::open(RunId::of("before", ""), record, nothing, files).unwrap();
    let closing = store.closing();
    let lethe = (&EarlierBloodstains::default(), store);
    let finished = run_from(plan(scenario), bars(scenario), lethe, on(2), Log::default()).unwrap();
    closing.close(finished.ended.ticks).unwrap();
    LetheContent::read(folder.path()).unwrap()
}

/// Siblings that teach, warn and mourn each other, in a world that begins with an earlier run's bloodstains.
#[test]
fn clades_pheromones_and_ancestors_write_the_same_events() {
    let scenario = scenario(serde_json::json!({
        "seed": 5, "ticks": 3000,
        "golem": { "compute_usdc_per_tick": 0.07 },
        "mortality": { "hazard_scale": 500.0 },
        "clade": {
            "enabled": true, "size": 6, "sync_ticks": 20, "warning_threshold": 0.05, "insight_threshold": 0.05,
            "heuristic_threshold": 0.3, "push_per_hour": 3, "ingest_per_hour": 5
        },
        "pheromones": { "enabled": true, "gain_r": 0.5 },
        "dream": { "tier": "hardened", "consolidation": { "staging": { "promote_at": 0.3, "confirm_margin_r": 0.0 } } },
        "curator": { "cluster_size": 2, "coherence": 0.5 }
    }));
    let content = lived_before(&scenario);
    assert_eq!((content.damaged, content.missing), (0, 0));
    let ancestry = content.ancestry().unwrap();
    let earlier_bloodstains = &ancestry.earlier_bloodstains;
    assert!(earlier_bloodstains.bloodstains.len() > 20, "the earlier run left too little");

    let left = earlier_bloodstains.bloodstains.iter().map(|earlier| earlier.bloodstain.clone());
    let (store, now) = (MemoryStore::holding(left), plan(&scenario));
    let expected = lived(World::begin(now, bars(&scenario), earlier_bloodstains, store));
    let of_clades = ["shared", "received", "clade_synced", "clade_death", "borne_out"];
    happen(&expected, &[&of_clades[..], &["pheromone_deposited", "voted"]].concat());
    let from_earlier =
        |event: &Event| matches!(&event.kind, EventKind::BloodstainDrawn { id, .. } if id.golem.run() == 1);
    assert!(expected.iter().any(from_earlier), "nobody drew from the earlier run");
    let alerted = |event: &Event| matches!(&event.kind, EventKind::DreamInterrupted { source, .. } if source.name() == "clade_alert");
    assert!(expected.iter().any(alerted), "no pheromone woke a dreamer");

    for threads in [1, 2, 8] {
        let nothing_kept = LetheFiles::default();
        let record = RunRecord::default();
        let store =
            SledStore::open(RunId::of("now", ""), record, (&content, &ancestry), nothing_kept).unwrap();
        let lethe = (earlier_bloodstains, store);
        let finished = run_from(plan(&scenario), bars(&scenario), lethe, on(threads), Log::default());
        is_as(&expected, finished.unwrap(), &format!("{threads} threads"));
    }
}

#[test]
fn a_panicking_golem_dies_of_it_and_the_run_goes_on() {
    let fault = serde_json::json!({ "faults": [{ "tick": 50, "target": "golem", "lineage": 3 }] });
    let scenario = scenario(fault);
    let expected = plain(&scenario);
    assert_eq!(deaths(&expected, Cause::Fault), 1);
    let finished = actors(&scenario, 2).unwrap();
    assert_eq!(expected, finished.sink.0);
    assert!(finished.ended.ledger_conserved);
    let successor = expected.iter().any(
        |event| matches!(event.kind, EventKind::Born { parent: Some(parent), .. } if parent.lineage == 3),
    );
    assert!(successor, "a fault is succeeded like any other death");
}

#[test]
fn a_panicking_shared_actor_ends_the_run() {
    for target in ["market", "curator", "dream_scheduler", "llm_broker", "styx_lethe"] {
        let fault = serde_json::json!({ "faults": [{ "tick": 5, "target": target }] });
        let error = actors(&scenario(fault), 2).unwrap_err();
        assert!(matches!(&error, RunError::ActorFailed { tick: 5, .. }), "{target}: {error}");
        assert!(error.to_string().contains("fault injected by the scenario"), "{error}");
    }
}

#[test]
fn a_full_disk_ends_the_run() {
    let scenario = scenario(serde_json::json!({}));
    let error = run(plan(&scenario), bars(&scenario), on(2), BrokenDisk).err().unwrap();
    assert_eq!(error.to_string(), "the events could not be written: the disk is full");
}

#[test]
fn a_stopped_run_ends_cleanly() {
    let scenario = scenario(serde_json::json!({}));
    let options = on(2);
    options.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let finished = run(plan(&scenario), bars(&scenario), options, Log::default()).unwrap();
    assert!(finished.ended.interrupted);
    assert_eq!(finished.ended.ticks, 0);
}

#[test]
fn the_dead_are_not_succeeded_in_extinction_and_immortals_do_not_die() {
    let dying = scenario(serde_json::json!({ "ticks": 5000, "population": { "policy": "extinction" } }));
    let finished = actors(&dying, 2).unwrap();
    assert!(finished.ended.ticks < 5000, "the last death ends the run");
    let immortal = scenario(serde_json::json!({ "population": { "policy": "immortal" } }));
    let expected = plain(&immortal);
    assert_eq!(expected, actors(&immortal, 2).unwrap().sink.0);
    let life =
        |event: &Event| if let EventKind::LifeEnded(life) = &event.kind { Some(life.clone()) } else { None };
    let lives: Vec<_> = expected.iter().filter_map(life).collect();
    assert_eq!(lives.len(), 31);
    assert!(lives.iter().all(|life| life.is_censored()));
    assert!(lives.iter().any(|life| life.would_have_died.is_some()));
}

/// A world goes on by actors from where the plain loop has left it.
#[test]
fn a_world_can_change_hands_at_any_barrier() {
    let scenario = scenario(serde_json::json!({}));
    let whole = plain(&scenario);
    for (barrier, threads) in [(0, 2), (1, 1), (137, 1), (137, 2), (137, 8), (499, 3)] {
        let mut world = world(&scenario);
        let (mut events, mut lived) = (Vec::new(), 0);
        while world.tick() < barrier {
            let tick = world.live().unwrap();
            lived += tick.golems;
            events.extend(tick.events);
        }
        let finished = go_on(world, lived, on(threads), Log::default()).unwrap();
        events.extend(finished.sink.0);
        assert!(events == whole, "from tick {barrier} on {threads} threads");
        assert_eq!(finished.ended.ticks, 500);
    }
}

/// A world in which golems may live ahead of each other: every memory, an exogenous market, dreams that alarms and calls break off
/// and whose answers come late, faults, and everybody else's letters in between.
fn unmoved(change: serde_json::Value) -> Scenario {
    let cohorts = cohorts_of_every_memory(4);
    let mut scenario = serde_json::json!({
        "cohorts": cohorts, "market": { "impact": "price_taker" },
        "mortality": { "hazard_scale": 500.0 },
        "memory": { "openclaw": { "time_scale": 90.0 }, "owm": { "time_scale": 90.0 } },
        "dream": { "schedule": { "max_concurrent": 3 } },
        "faults": [{ "tick": 50, "target": "golem", "lineage": 3 }]
    });
    merge(&mut scenario, change);
    self::scenario(scenario)
}

#[test]
fn golems_that_live_ahead_write_the_same_events() {
    for change in [serde_json::json!({}), serde_json::json!({ "llm": { "requests_per_tick": 1 } })] {
        let scenario = unmoved(change);
        assert!(plan(&scenario).lets_golems_run_ahead());
        let expected = plain(&scenario);
        happen(
            &expected,
            &["dream_completed", "dream_refused", "bloodstain_drawn", "curated", "shock_started"],
        );
        for (threads, ticks_at_once) in [(1, 1), (1, 7), (2, 2), (2, 32), (3, 64), (8, 1_000)] {
            let options = RunOptions { ticks_at_once, ..on(threads) };
            let finished = run(plan(&scenario), bars(&scenario), options, Log::default()).unwrap();
            is_as(&expected, finished, &format!("{threads} threads, {ticks_at_once} ticks at once"));
        }
    }
}

/// A sink that requests a stop as soon as a tick is written.
struct Impatient {
    log: Log,
    after: u64,
    stop: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

impl EventSink for Impatient {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        let over = events.last().is_some_and(|event| event.tick >= self.after);
        self.stop.fetch_or(over, std::sync::atomic::Ordering::Relaxed);
        self.log.take(events)
    }
}

/// A stopped run ends at a tick that no golem has lived past, with the lives as they were there.
#[test]
fn a_stopped_run_is_the_beginning_of_the_whole() {
    let scenario = unmoved(serde_json::json!({}));
    for after in [0, 100] {
        let options = RunOptions { ticks_at_once: 32, ..on(2) };
        let sink = Impatient { log: Log::default(), after, stop: std::sync::Arc::clone(&options.stop) };
        let finished = run(plan(&scenario), bars(&scenario), options, sink).unwrap();
        let ended = finished.ended;
        assert!(ended.interrupted && ended.ticks > after && ended.ticks < 500, "{} ticks", ended.ticks);
        let mut world = world(&scenario);
        let mut expected = Vec::new();
        while world.tick() < ended.ticks {
            expected.extend(world.live().unwrap().events);
        }
        expected.extend(world.finish());
        assert!(expected == finished.sink.log.0, "stopped after tick {after}");
    }
}

/// Siblings can reach each other at any tick, so none of them lives ahead.
#[test]
fn siblings_wait_for_each_other_in_an_exogenous_market() {
    let scenario = unmoved(serde_json::json!({
        "ticks": 300, "clade": { "enabled": true, "size": 2, "sync_ticks": 20 },
        "pheromones": { "enabled": true, "gain_r": 0.5 }
    }));
    assert!(!plan(&scenario).lets_golems_run_ahead());
    the_same_on_any_number_of_threads(&scenario, &plain(&scenario));
}
