use morta_engine::world::Service as _;
use morta_engine::world::{MarketLookahead, Plan, Scenario, World};

fn plan(change: &[(&str, serde_json::Value)]) -> Plan {
    let mut scenario = serde_json::json!({
        "name": "ahead", "seed": 3, "ticks": 200,
        "cohorts": [{ "name": "bardo", "golems": 12, "memory": "bardo" }],
        "market": {
            "impact": "price_taker",
            "assets": [{ "symbol": "SYN", "source": { "kind": "synthetic" } }],
            "shocks": { "rates": { "gas_spike": 0.05, "momentum_breakout": 0.05 } }
        },
        "clade": { "enabled": false, "size": 4 },
        "pheromones": { "enabled": false }
    });
    for (pointer, value) in change {
        *scenario.pointer_mut(pointer).expect("the key is there") = value.clone();
    }
    let scenario: Scenario = serde_json::from_value(scenario).expect("it is well formed");
    Plan::new(scenario, &[Vec::new()]).expect("it is valid")
}

#[test]
fn golems_run_ahead_only_in_an_exogenous_market_without_clade() {
    assert!(plan(&[]).lets_golems_run_ahead());
    assert!(!plan(&[("/market/impact", "endogenous".into())]).lets_golems_run_ahead());
    assert!(!plan(&[("/clade/enabled", true.into())]).lets_golems_run_ahead());
    let pheromones = [("/clade/enabled", true.into()), ("/pheromones/enabled", true.into())];
    assert!(!plan(&pheromones).lets_golems_run_ahead());
}

#[test]
fn lookahead_equals_the_ticks_that_follow() {
    let plan = plan(&[]);
    let mut market = World::new(plan.clone(), vec![Vec::new()]).into_parts().services.market;
    let mut lookahead = MarketLookahead::from_market(&plan, &market).expect("the market is exogenous");
    for tick in 0..200 {
        let report = market.serve(tick, Vec::new()).expect("a market keeps nothing on disk");
        assert_eq!(lookahead.next_tick(), report.market.expect("it moves at every tick").next);
    }
}
