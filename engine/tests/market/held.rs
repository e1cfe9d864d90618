use morta_engine::market::{Held, HoldStage, OpenBand, SignalNow};

#[test]
fn states_have_their_borders() {
    for (ticks, r, stage, open) in [
        (0, -0.51, HoldStage::Early, OpenBand::NearStop),
        (7, -0.5, HoldStage::Early, OpenBand::Behind),
        (8, 0.0, HoldStage::Middle, OpenBand::Ahead),
        (16, 0.5, HoldStage::Late, OpenBand::FarAhead),
        (30, 0.49, HoldStage::Late, OpenBand::Ahead),
    ] {
        let held = Held::read(ticks, 24, r, SignalNow::Gone);
        assert_eq!((held.stage, held.open), (stage, open), "{ticks} {r}");
    }
}
