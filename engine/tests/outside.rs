//! Worlds whose model is outside the simulation.

use crate::common::improviser::Improviser;
use crate::common::merge::merge;
use crate::common::{digest, of_kind};
use morta_engine::event::{Event, EventKind};
use morta_engine::llm::outside::OutsideError;
use morta_engine::world::service::ServiceFailure;
use morta_engine::world::{Plan, Scenario, ServiceError, Snapshot, World};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

fn scenario(change: Value) -> Scenario {
    let mut scenario = json!({
        "name": "outside", "seed": 5, "ticks": 500,
        "cohorts": [{ "name": "bardo", "golems": 6, "memory": "bardo" }],
        "market": { "tick_seconds": 3600, "assets": [{ "symbol": "A", "source": { "kind": "synthetic" } }] },
        "golem": { "endowment_usdc": 500.0 },
        "mortality": { "hazard_scale": 200.0 },
        "dream": {
            "enabled": true, "min_episodes": 5, "dream_cycle_interval": 40, "tier": "hardened",
            "schedule": { "mode": "interval" }, "budget": { "per_cycle_max": 5.0, "per_session_max": 50.0 }
        },
        "llm": { "mode": "record", "model": "improviser", "t1": { "latency_ticks": 3 } }
    });
    merge(&mut scenario, change);
    Scenario::from_value(scenario).unwrap()
}

fn world(scenario: &Scenario, model: &Arc<Improviser>) -> World {
    let bars = vec![Vec::new()];
    let plan = Plan::new(scenario.clone(), &bars).unwrap().connected(model.clone());
    World::new(plan, bars)
}

fn live(world: &mut World, until: u64) -> Result<Vec<Event>, ServiceError> {
    let mut events = Vec::new();
    world.live_until(until, |world, lived| {
        events.extend(lived.events);
        assert!(world.census().money_conserved(), "tick {}", world.tick());
    })?;
    Ok(events)
}

fn improviser(unusable: u64) -> Arc<Improviser> {
    Arc::new(Improviser { unusable, ..Improviser::default() })
}

/// Every kind of task is asked, and what can't be used is asked once more, twice at most, paid for, and lived with.
#[test]
fn golems_dream_by_a_model_that_fails_them_now_and_then() {
    let model = improviser(30);
    let events = live(&mut world(&scenario(json!({})), &model), 500).unwrap();
    let calls: Vec<_> = of_kind!(event in events, EventKind::ModelCalled(call) => call).collect();
    let tasks: BTreeSet<&str> = calls.iter().map(|call| call.task.as_str()).collect();
    assert!(tasks.len() >= 8, "{tasks:?}");
    let count = |test: &dyn Fn(u8, bool) -> bool| {
        calls.iter().filter(|call| test(call.attempt, call.unusable.is_some())).count()
    };
    let (first_failed, again) =
        (count(&|attempt, failed| attempt == 1 && failed), count(&|attempt, _| attempt == 2));
    // Not asked again are those whose dreamer was woken or whose world ended meanwhile.
    assert!(
        first_failed > 20 && (first_failed - first_failed / 20..=first_failed).contains(&again),
        "{first_failed} failed, {again} asked again"
    );
    assert!(count(&|attempt, failed| attempt == 2 && failed) > 0);
    let kinds: BTreeSet<&str> =
        calls.iter().filter_map(|call| call.unusable.as_ref()).map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["content", "cut_off", "form"]);
    let charged = of_kind!(event in events, EventKind::InferenceCharged { input_tokens, output_tokens, .. } => {
        u64::from(input_tokens + output_tokens)
    });
    let charged: u64 = charged.sum();
    let billed: u64 = calls.iter().map(|call| u64::from(call.input_tokens + call.output_tokens)).sum();
    assert!(
        charged <= billed && billed == model.tokens.load(Ordering::Relaxed),
        "{charged} charged of {billed}"
    );
    assert!(of_kind!(event in events, EventKind::ClaimStaged { .. }).count() > 0);
}

/// What is reserved before asking keeps the sum below the budget, to the token, however many calls are under way.
#[test]
fn budgets_are_never_exceeded() {
    for (key, budget) in [("budget_tokens", json!(40_000)), ("budget_usdc", json!(0.6))] {
        let model = improviser(30);
        let scenario = scenario(json!({ "llm": { key: budget, "t0": { "latency_ticks": 6 } } }));
        let events = live(&mut world(&scenario, &model), 500).unwrap();
        let costs = of_kind!(event in events, EventKind::InferenceCharged { cost, .. } => cost.dollars());
        let (spent, tokens) = (costs.sum::<f64>(), model.tokens.load(Ordering::Relaxed));
        if key == "budget_tokens" {
            assert!((20_000..=40_000).contains(&tokens), "{tokens} tokens");
        } else {
            assert!((0.3..=0.6).contains(&spent), "${spent}");
        }
    }
}

/// The world is written down with calls under way, and goes on with another connection, which is asked them anew.
#[test]
fn a_world_with_calls_under_way_goes_on_from_a_snapshot() {
    let scenario = scenario(json!({}));
    let (model, mut whole, mut under_way) = (improviser(20), Vec::new(), Vec::new());
    let mut uninterrupted = world(&scenario, &model);
    let lived = uninterrupted.live_until(u64::MAX, |world, lived| {
        whole.extend(lived.events);
        if !model.open.lock().unwrap().is_empty() {
            under_way.push(world.tick());
        }
    });
    lived.unwrap();
    assert!(under_way.len() >= 20, "calls are under way at {} barriers", under_way.len());
    for stop in under_way.iter().step_by(under_way.len() / 6).copied().chain([60, 301]) {
        let mut first = world(&scenario, &improviser(20));
        let mut events = live(&mut first, stop).unwrap();
        let snapshot = Snapshot::read(&first.written_down()).unwrap();
        let bars = vec![Vec::new()];
        let plan = Plan::new(scenario.clone(), &bars).unwrap().connected(improviser(20));
        let mut second = World::resume(plan, bars, snapshot).unwrap();
        events.extend(live(&mut second, 500).unwrap());
        assert_eq!(digest(&events), digest(&whole), "stopped before tick {stop}");
    }
}

/// A model that is gone stops the world by its error; so does one that was never there.
#[test]
fn a_world_without_its_model_does_not_go_on() {
    let model = Arc::new(Improviser { gone_after: Some(25), ..Improviser::default() });
    let error = live(&mut world(&scenario(json!({})), &model), 500).unwrap_err();
    assert!(matches!(error.cause, ServiceFailure::Outside(OutsideError::Unreachable(_))), "{error}");
    let bars = vec![Vec::new()];
    let alone = Plan::new(scenario(json!({})), &bars).unwrap();
    let error = live(&mut World::new(alone, bars), 500).unwrap_err();
    assert!(matches!(error.cause, ServiceFailure::Outside(OutsideError::NotConnected { .. })), "{error}");
}

/// A plan without a model, or without an http address, is refused before the run.
#[test]
fn a_plan_without_a_model_or_an_http_address_is_refused() {
    let problems_of = |change| {
        let problems = Plan::new(scenario(change), &[Vec::new()]).unwrap_err();
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert!(problems_of(json!({ "llm": { "model": " " } })).contains("llm.model"));
    let url = problems_of(json!({ "llm": { "endpoint": { "base_url": "localhost:80" } } }));
    assert!(url.contains("llm.endpoint.base_url") && url.contains("http://"), "{url}");
}

/// What a model says beside its findings is acted on: episodes are sorted by its word and forgotten, outcomes turn on the step it
/// names. Where it isn't asked, formulas do all that.
#[test]
fn what_a_model_says_beside_findings_has_consequences() {
    let counted = |answer_questions: bool| {
        let change = json!({ "llm": { "answer_questions": answer_questions } });
        let events = live(&mut world(&scenario(change), &improviser(0)), 500).unwrap();
        let [mut sorted, mut forgotten, mut turned] = [0_usize; 3];
        for event in &events {
            if let EventKind::DreamCompleted { result, journal, .. } = &event.kind {
                sorted += result.triage.iter().filter(|triage| triage.by_model).count();
                forgotten += result.episodes_forgotten as usize;
                // Formulas name the decision that moved the result most its way; a model need not.
                let steps = journal.nrem.credit_assignments.iter().filter(|credit| credit.is_complete());
                turned += steps
                    .filter(|credit| {
                        let named = &credit.steps[credit.pivotal.unwrap() as usize];
                        let towards = |r: f64| r * credit.realised_r.signum();
                        credit.steps.iter().any(|step| towards(step.credit_r) > towards(named.credit_r))
                    })
                    .count();
            }
        }
        (sorted, forgotten, turned)
    };
    let (sorted, forgotten, turned) = counted(true);
    assert!(sorted > 20 && forgotten > 5 && turned > 5, "{sorted} {forgotten} {turned}");
    let (sorted, forgotten_by_formula, turned) = counted(false);
    assert_eq!((sorted, turned), (0, 0));
    assert!(forgotten_by_formula < forgotten, "{forgotten_by_formula} {forgotten}");
}
