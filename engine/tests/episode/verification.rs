use morta_base::Usdc;
use morta_engine::episode::OutcomeVerification;

#[test]
fn deviations_in_bps() {
    let check = |predicted_gas, realised_gas, expected| {
        let verification = OutcomeVerification {
            predicted_slippage_bps: 12.0,
            realised_slippage_bps: 27.0,
            predicted_gas: Usdc(predicted_gas),
            realised_gas: Usdc(realised_gas),
        };
        assert_eq!(verification.slippage_deviation_bps(), 15.0);
        assert_eq!(verification.gas_deviation_bps(), expected);
    };
    check(2_000, 10_000, 40_000.0);
    check(2_000, 1_000, -5_000.0);
    check(0, 0, 0.0);
    check(0, 7, 10_000.0);
}
