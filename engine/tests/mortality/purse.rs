use morta_base::Usdc;
use morta_engine::mortality::purse::PurseConfig;
use morta_engine::mortality::{Compartment, Purse};

#[test]
fn a_balance_is_divided_to_the_last_micro() {
    let purse = Purse::new(Usdc(50_000_001), &PurseConfig::default());
    assert_eq!(purse.total(), Usdc(50_000_001));
    assert_eq!(purse.amount(Compartment::Trading), Usdc(25_000_001));
    assert_eq!(purse.amount(Compartment::Llm), Usdc(15_000_000));
    assert_eq!(purse.amount(Compartment::Gas), Usdc(6_250_000));
}

#[test]
fn a_forecast_shortfall_is_covered_with_a_margin() {
    let config = PurseConfig { burn_alpha: 1.0, ..PurseConfig::default() };
    let mut purse = Purse::new(Usdc::from_dollars(10.0), &config);
    let data = purse.amount(Compartment::Data);
    purse.pay(Compartment::Data, data);
    purse.end_tick(100, &config);
    // Burn of .75 a tick forecasts 7.5; 1.2 times that is more than half of the trading capital of 5.
    assert_eq!(purse.amount(Compartment::Data), Usdc::from_dollars(2.5));
    purse.pay(Compartment::Data, Usdc::from_dollars(2.5));
    purse.end_tick(129, &config);
    assert_eq!(purse.amount(Compartment::Data), Usdc::ZERO, "the cooldown holds");
    purse.end_tick(130, &config);
    assert_eq!(purse.amount(Compartment::Data), Usdc::ZERO, "no spending, no forecast, no shortfall");
}
