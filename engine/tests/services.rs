//! The shared services at the barrier: which are asked, and what becomes of a run when one fails.

use morta_engine::golem::Outbox;
use morta_engine::world::{Deliveries, Parts, Plan, Scenario, ServiceKind, World};
use serde_json::json;

/// Ten golems that keep nothing and write nothing but orders.
fn plan(faults: &serde_json::Value) -> Plan {
    let scenario = Scenario::from_value(json!({
        "name": "services", "seed": 4, "ticks": 60,
        "cohorts": [{ "name": "none", "golems": 10, "memory": "none" }],
        "market": { "assets": [{ "symbol": "SYN", "source": { "kind": "synthetic" } }] },
        "faults": faults,
    }))
    .unwrap();
    Plan::new(scenario, &[Vec::new()]).unwrap()
}

/// Services that are asked at the barrier a world is at when nobody writes anything.
fn asked_unwritten(world: World) -> Vec<ServiceKind> {
    let Parts { plan, barrier, .. } = world.into_parts();
    let Deliveries { market, curator, dream_scheduler, llm_broker, styx_lethe } =
        barrier.deliver(Outbox::default().letters, &plan);
    let asked = [
        (ServiceKind::Market, market.is_some()),
        (ServiceKind::Curator, curator.is_some()),
        (ServiceKind::DreamScheduler, dream_scheduler.is_some()),
        (ServiceKind::LlmBroker, llm_broker.is_some()),
        (ServiceKind::StyxLethe, styx_lethe.is_some()),
    ];
    asked.into_iter().filter(|(_, asked)| *asked).map(|(service, _)| service).collect()
}

#[test]
fn a_service_that_panics_ends_the_run_by_its_name() {
    for service in ServiceKind::ALL {
        let plan = plan(&json!([{ "tick": 5, "target": service.fault_target() }]));
        let mut world = World::new(plan, vec![Vec::new()]);
        let error = loop {
            match world.live() {
                Ok(lived) => {
                    assert!(lived.events.iter().all(|event| event.tick < 5), "{service} was not struck")
                }
                Err(error) => break error,
            }
        };
        assert_eq!(error.to_string(), format!("{service} failed at tick 5: fault injected by the scenario"));
    }
}

#[test]
fn without_letters_only_the_market_and_who_is_to_fail_are_asked() {
    let quiet = || World::new(plan(&json!([])), vec![Vec::new()]);
    assert_eq!(asked_unwritten(quiet()), [ServiceKind::Market]);
    for service in ServiceKind::ALL {
        let plan = plan(&json!([{ "tick": 0, "target": service.fault_target() }]));
        let asked = asked_unwritten(World::new(plan, vec![Vec::new()]));
        assert!(asked.contains(&service), "{service} was not asked");
        assert!(asked.iter().all(|asked| *asked == service || *asked == ServiceKind::Market));
    }
}
