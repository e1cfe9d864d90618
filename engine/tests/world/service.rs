use morta_engine::world::{FaultTarget, ServiceKind};

/// A new service has a target of its own, because `fault_target` asks for one; and then it must be listed.
#[test]
fn every_service_is_listed_in_order() {
    assert!(ServiceKind::ALL.is_sorted());
    let targets = ServiceKind::ALL.map(ServiceKind::fault_target);
    for (n, target) in targets.iter().enumerate() {
        let its_own = *target != FaultTarget::Golem && !targets[..n].contains(target);
        assert!(its_own, "{target:?} strikes somebody else");
    }
    let schema = serde_json::to_value(schemars::schema_for!(FaultTarget)).expect("a schema is plain data");
    let golem = 1;
    assert_eq!(schema["oneOf"].as_array().map(Vec::len), Some(ServiceKind::ALL.len() + golem), "{schema}");
}
