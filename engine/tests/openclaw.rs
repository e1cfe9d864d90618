//! Golems that keep notes and sleep on them, in whole worlds.

use crate::common::{learnable_by, live, of_kind};
use morta_base::Usdc;
use morta_engine::event::{Event, EventKind, LifeRecord};
use morta_engine::memory::{MemoryName, UpkeepKind, VoiceSource};
use morta_engine::world::scenario::PopulationPolicy;
use morta_engine::world::{Plan, Scenario};
use std::collections::BTreeMap;

/// Lives of some hundred ticks of 40 seconds; by the clock of the schedules a tick is an hour.
fn scenario() -> Scenario {
    let mut scenario = learnable_by("bardo", 6, 2_000);
    scenario.cohorts[0].memory = MemoryName::from_static("openclaw");
    scenario.population.policy = PopulationPolicy::Fixed;
    scenario.mortality.hazard_scale = 1_500.0;
    scenario.mortality.thanatopsis.snapshot_interval_ticks = 10;
    scenario.memory.openclaw.time_scale = 90.0;
    scenario
}

fn lives(events: &[Event]) -> Vec<&LifeRecord> {
    of_kind!(event in events, EventKind::LifeEnded(life) => &**life).collect()
}

/// All phases run, something is promoted, what they cost is what is paid, and notes speak in decisions.
#[test]
fn golems_sleep_by_the_clock_and_pay_for_it() {
    let events = live(scenario());
    let (mut kinds, mut promoted, mut total) = (BTreeMap::<UpkeepKind, u32>::new(), 0, Usdc::ZERO);
    for (upkeep, cost) in of_kind!(event in events, EventKind::MemoryKept { upkeep, cost } => (upkeep, *cost))
    {
        *kinds.entry(upkeep.kind).or_default() += 1;
        promoted += upkeep.promoted;
        total += cost;
    }
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    assert!(promoted > 0, "{kinds:?}");
    let recorded: Usdc = lives(&events).iter().map(|life| life.inference_paid).sum();
    assert_eq!(total, recorded, "nothing else is paid for in this world");
    let spoke = |wanted: fn(&VoiceSource) -> bool| {
        let decided = of_kind!(event in events, EventKind::Decided { why, .. } => why);
        decided.filter(|why| why.iter().any(|voice| wanted(&voice.source))).count()
    };
    assert!(spoke(|source| matches!(source, VoiceSource::Note(_))) > 100);
    assert!(spoke(|source| matches!(source, VoiceSource::Node(_))) > 0, "themes speak");
}

/// The dead leave scars and lessons, heirs draw them, and they speak; every recall is evidence of the memory's own making.
#[test]
fn what_the_dead_leave_speaks_in_their_heirs() {
    let events = live(scenario());
    let (mut scars, mut lessons, mut heard) = (0, 0, 0);
    for event in &events {
        match &event.kind {
            EventKind::BloodstainDrawn { is_scar: true, .. } => scars += 1,
            EventKind::BloodstainDrawn { .. } => lessons += 1,
            EventKind::Decided { why, .. } => {
                heard += u32::from(why.iter().any(|voice| voice.provenance.bloodstain().is_some()));
            }
            _ => {}
        }
    }
    assert!(scars > 0 && lessons > 0 && heard > 0, "{scars} scars, {lessons} lessons, heard {heard} times");
    let (mut evidence, mut self_fed) = (0, 0);
    for life in lives(&events).iter().map(|life| life.memory) {
        assert!(life.self_evidence <= life.evidence, "{life:?}");
        evidence += life.evidence;
        self_fed += life.self_evidence;
        assert!(life.junk <= life.stored && life.unused <= life.stored, "{life:?}");
    }
    assert!(self_fed > 0 && self_fed < evidence, "{self_fed} of {evidence}");
    assert_eq!(events, live(scenario()), "the same world again is the same");
}

/// Every value that can't be is named by its key.
#[test]
fn wrong_keys_are_named() {
    let mut scenario = scenario();
    let openclaw = &mut scenario.memory.openclaw;
    openclaw.time_scale = 0.0;
    openclaw.dreaming.timezone = "Middle/Earth".to_owned();
    openclaw.dreaming.light.cron = "at noon".to_owned();
    openclaw.dreaming.deep.min_score = 1.5;
    let problems = Plan::new(scenario, &[Vec::new()]).expect_err("four keys are wrong");
    let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
    let table = "memory.openclaw";
    let expected = ["dreaming.light.cron", "dreaming.deep.min_score", "dreaming.timezone", "time_scale"];
    assert_eq!(keys, expected.map(|key| format!("{table}.{key}")));
}
