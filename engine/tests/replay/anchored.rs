use crate::common::episodes::trade;
use morta_engine::replay::{Deviation, ReplayConfig, Tolerance, anchored_replays};

/// 15 bps of 1,000 dollars at 100 dollars a R: one bps is 0.001 R. At 50, 100 and 200 bps the trade has 35, 85
/// and 185 bps less; 0.5 R last to 515 bps.
#[test]
fn fifteen_basis_points_become_50_100_200() {
    let replays = anchored_replays(&trade(), &ReplayConfig::default().deviation_multiples);
    let slippage = &replays[0];
    assert_eq!((slippage.deviation, slippage.measured_bps), (Deviation::Slippage, 15.0));
    let expected = [(50.0, 0.465), (100.0, 0.415), (200.0, 0.315)];
    for (case, (bps, r)) in slippage.cases.iter().zip(expected) {
        assert!((case.deviation_bps - bps).abs() < 1e-9 && (case.perturbed_r - r).abs() < 1e-9, "{case:?}");
        assert!(case.survives);
    }
    match slippage.tolerates {
        Tolerance::Below(bps) => assert!((bps - 515.0).abs() < 1e-9, "{bps}"),
        other => panic!("{other:?}"),
    }
}

/// Gas of one dollar where half was predicted is 10,000 bps off; one bps of half a dollar is 0.0000005 R.
#[test]
fn gas_is_measured_against_its_prediction() {
    let replays = anchored_replays(&trade(), &[2.0]);
    assert_eq!((replays[1].deviation, replays[1].measured_bps), (Deviation::Gas, 10_000.0));
    assert!((replays[1].cases[0].perturbed_r - 0.495).abs() < 1e-9);
}

/// Execution better than predicted still anchors: by its size, to the worse.
#[test]
fn a_lucky_deviation_is_turned_around() {
    let mut lucky = trade();
    lucky.verification.as_mut().unwrap().predicted_slippage_bps = 30.0;
    let replays = anchored_replays(&lucky, &[1.0]);
    assert_eq!(replays[0].measured_bps, -10.0);
    assert!((replays[0].cases[0].perturbed_r - 0.48).abs() < 1e-9);
}

#[test]
fn without_a_deviation_there_is_no_anchor() {
    let mut exact = trade();
    let verification = exact.verification.as_mut().unwrap();
    verification.predicted_slippage_bps = verification.realised_slippage_bps;
    verification.predicted_gas = verification.realised_gas;
    assert_eq!(anchored_replays(&exact, &[1.0]), []);
    exact.verification = None;
    assert_eq!(anchored_replays(&exact, &[1.0]), []);
}
