use morta_engine::world::change::fixed;

#[test]
fn what_fixes_the_past_is_named() {
    let closed = [
        "seed",
        "cohorts",
        "cohorts.3.golems",
        "market.assets.0.source.volatility",
        "market.assets",
        "lethe.start_from",
    ];
    let open = [
        "ticks",
        "cohorts.0.dreams",
        "market.pool.fee_bps",
        "market.gas.base_usdc",
        "memory.bardo.recall.enabled",
        "lethe.capacity",
        "clade.enabled",
    ];
    assert!(closed.into_iter().all(|key| fixed(key).is_some()));
    assert!(open.into_iter().all(|key| fixed(key).is_none()));
}
