use morta_base::Usdc;
use morta_engine::dream::schedule::{PhaseBudgets, PhasesConfig};
use morta_engine::mortality::Phase;
use proptest::prelude::*;

fn parts(phase: Phase, config: &PhasesConfig) -> [i64; 5] {
    let b = PhaseBudgets::divide(Usdc(1_000_000), phase, config);
    [b.onset, b.nrem, b.rem, b.integration, b.hypnopompic_return].map(|part| part.0)
}

#[test]
fn the_table_and_its_override() {
    let none = PhasesConfig::default();
    assert_eq!(parts(Phase::Thriving, &none), [100_000, 340_000, 300_000, 210_000, 50_000]);
    assert_eq!(parts(Phase::Declining, &none), [100_000, 200_000, 160_000, 490_000, 50_000]);
    assert_eq!(parts(Phase::Terminal, &none), [100_000, 160_000, 120_000, 570_000, 50_000]);
    // .45 and .35 and .20 of 85 %.
    let given = PhasesConfig { nrem_allocation: Some(0.45), ..none };
    for phase in Phase::ALL {
        assert_eq!(parts(phase, &given), [100_000, 382_500, 297_500, 170_000, 50_000]);
    }
}

proptest! {
    #[test]
    fn the_parts_are_within_the_whole(budget in 0_i64..5_000_000_000, phase in 0_usize..5, nrem in 0.0..1.0_f64) {
        let rest = 1.0 - nrem;
        let config = PhasesConfig {
            nrem_allocation: Some(nrem),
            rem_allocation: Some(0.6 * rest),
            integration_allocation: Some(0.4 * rest),
        };
        for config in [PhasesConfig::default(), config] {
            let divided = PhaseBudgets::divide(Usdc(budget), Phase::ALL[phase], &config);
            prop_assert_eq!(divided.without_edges().total(), divided.total());
            prop_assert!(divided.total() <= Usdc(budget));
            prop_assert!(divided.total() >= Usdc(budget - 5));
        }
    }
}
