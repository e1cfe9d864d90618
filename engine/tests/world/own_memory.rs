//! A memory that is defined here, as a researcher would: registered, lived with, written down and revived.

use morta_base::GolemId;
use morta_engine::market::Strategy;
use morta_engine::memory::family::{RegisterError, ReviveError, SHIPPED};
use morta_engine::memory::{
    Advice, Candidate, DecisionContext, Experience, Memory, MemoryAccount, MemoryArchitecture, MemoryBirth,
    MemoryName, MemoryRegistry,
};
use morta_engine::world::{Plan, Scenario};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The running mean R of each strategy; its weight against the prior is a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RunningMean {
    prior_weight: f64,
    seen: [(u32, f64); Strategy::COUNT],
    account: MemoryAccount,
}

/// `[memory.own.running-mean]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Parameters {
    prior_weight: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { prior_weight: 3.0 }
    }
}

impl RunningMean {
    fn empty(birth: &MemoryBirth<'_>) -> Result<Self, String> {
        let Parameters { prior_weight } = birth.parameters()?;
        if prior_weight <= 0.0 {
            return Err(format!("prior_weight = {prior_weight}: must be above 0"));
        }
        Ok(Self { prior_weight, seen: Default::default(), account: MemoryAccount::default() })
    }
}

impl MemoryArchitecture for RunningMean {
    morta_engine::capable_of!(account);

    fn advise(&self, _: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let seen = |candidate: &Candidate| self.seen[candidate.strategy.index()];
        let mean = |candidate| Advice::mean(candidate, self.prior_weight, seen(candidate));
        advice.extend(candidates.iter().map(mean));
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        let (count, total_r) = &mut self.seen[experience.episode.strategy.index()];
        *count += 1;
        *total_r += experience.episode.realised_r;
    }
}

pub(crate) fn registry() -> MemoryRegistry {
    let mut registry = MemoryRegistry::default();
    registry
        .register("running-mean", "The running mean R of each strategy.", RunningMean::empty)
        .expect("the name is free");
    registry
}

fn scenario(memory: &str, own: serde_json::Value) -> Scenario {
    let mut scenario = Scenario::from_value(serde_json::json!({
        "name": "own", "seed": 3, "ticks": 50,
        "cohorts": [{ "name": "own", "golems": 3, "memory": memory }],
        "market": { "assets": [{ "symbol": "SYN", "source": { "kind": "synthetic" } }] },
        "memory": { "own": own, "oracle_as_read": { "walk_ticks": 3000 } }
    }))
    .expect("it is well formed");
    // Of this market, so that a fixed policy, which here takes nothing, can live.
    scenario.memory.constant.market = morta_engine::memory::constant::digest(&scenario.market);
    scenario
}

fn plan(memory: &str, own: serde_json::Value) -> Result<Plan, Vec<String>> {
    let texts = |problems: Vec<morta_base::Problem>| problems.iter().map(ToString::to_string).collect();
    Plan::with_memories(scenario(memory, own), &[Vec::new()], Arc::new(registry())).map_err(texts)
}

fn empty() -> Memory {
    let plan = plan("running-mean", serde_json::json!({})).expect("the architecture is registered");
    plan.empty_memory(GolemId::founder(0), &MemoryName::from_static("running-mean")).expect("it is")
}

fn learn(memory: &mut Memory, realised_r: f64) {
    let mut episode = crate::common::episodes::episode(0, 1);
    episode.realised_r = realised_r;
    memory.observe(&Experience { episode: &episode, why: &[], influential: &[], now: 1 });
}

#[test]
fn a_copy_lives_a_life_of_its_own() {
    let mut memory = empty();
    learn(&mut memory, 1.0);
    let mut copy = memory.clone();
    assert_eq!(copy, memory);
    learn(&mut copy, -1.0);
    assert_ne!(copy, memory);
    assert_ne!(memory, Memory::None(Box::default()));
}

#[test]
fn a_stored_memory_is_revived_by_a_registry_with_its_name() {
    let mut memory = empty();
    learn(&mut memory, 0.25);
    let bytes = postcard::to_allocvec(&memory).expect("it can be written down");
    let mut read: Memory = postcard::from_bytes(&bytes).expect("it can be read");
    assert_ne!(read, memory, "so far it is a name and bytes");
    assert!(postcard::to_allocvec(&read).expect("that can be written down too") == bytes);
    let unknown = read.revive(&MemoryRegistry::default()).expect_err("nobody registered it").to_string();
    assert!(unknown.contains("`running-mean`") && unknown.contains("\"none\", \"bardo\""), "{unknown}");
    read.revive(&registry()).expect("it is registered");
    assert_eq!(read, memory);
    let cut = serde_json::json!({ "own": { "name": "running-mean", "bytes": [1] } });
    let mut cut: Memory = serde_json::from_value(cut).expect("a name and bytes");
    assert!(matches!(cut.revive(&registry()), Err(ReviveError::Unreadable { .. })));
}

#[test]
fn a_name_is_registered_once_and_an_unknown_one_refused() {
    let mut registry = registry();
    let again = registry.register("running-mean", "", RunningMean::empty);
    assert_eq!(again, Err(RegisterError::Taken("running-mean".to_owned())));
    let shipped = registry.register("bardo", "", RunningMean::empty);
    assert_eq!(shipped, Err(RegisterError::Taken("bardo".to_owned())));
    let malformed = registry.register("run ning", "", RunningMean::empty);
    assert_eq!(malformed, Err(RegisterError::Malformed("run ning".to_owned())));
    let problems = plan("runing-mean", serde_json::json!({})).expect_err("nobody is called so");
    assert!(problems[0].starts_with("cohorts.0.memory = \"runing-mean\": must be one of"), "{problems:?}");
    assert!(problems[0].contains("\"window\", \"running-mean\""), "{problems:?}");
}

#[test]
fn its_parameters_are_checked_before_the_run_starts() {
    let refused = |own| plan("running-mean", own).expect_err("the parameters are wrong").remove(0);
    let value = refused(serde_json::json!({ "running-mean": { "prior_weight": 0.0 } }));
    assert!(value.starts_with("memory.own.running-mean") && value.contains("must be above 0"), "{value}");
    let key = refused(serde_json::json!({ "running-mean": { "prior": 1.0 } }));
    assert!(key.contains("unknown field `prior`"), "{key}");
    let stray = refused(serde_json::json!({ "mean": {} }));
    assert!(stray.starts_with("memory.own.mean"), "{stray}");
    let good = serde_json::json!({ "running-mean": { "prior_weight": 8.0 } });
    let plan = plan("running-mean", good).expect("eight is above zero");
    let memory =
        plan.empty_memory(GolemId::founder(0), &MemoryName::from_static("running-mean")).expect("as checked");
    let Memory::Own(own) = &memory else { panic!("{memory:?}") };
    let mean: &dyn std::any::Any = own.memory();
    assert_eq!(mean.downcast_ref::<RunningMean>().expect("its type").prior_weight, 8.0);
}

/// The enum's own names, the registry's and those in files are one.
#[test]
fn every_shipped_member_can_be_made_by_its_name() {
    assert!(MemoryRegistry::default().knows(&MemoryName::NONE));
    for (shipped, described) in SHIPPED.iter().zip(MemoryRegistry::default().entries()) {
        assert_eq!((shipped.name, shipped.description), described);
        assert!(shipped.description.ends_with('.'), "{} is documented in a sentence", shipped.name);
        let plan = plan(shipped.name, serde_json::json!({})).expect("every member can live");
        let memory = plan
            .empty_memory(GolemId::founder(0), &MemoryName::from_static(shipped.name))
            .expect("it is known");
        let written = serde_json::to_value(&memory).expect("a memory is plain data");
        assert!(written.get(shipped.name).is_some(), "{} is written as {written}", shipped.name);
        assert_eq!(memory.census(), Default::default());
    }
}
