use morta_base::math;
use morta_engine::episode::{Claim, ClaimKind, Context, ContextPattern, Matter, Stake, VolatilityBand};
use morta_engine::market::{LiquidityClass, Regime, Session, Strategy};

const CONTEXT: Context =
    Context { volatility_quintile: 4, liquidity: LiquidityClass::Thin, ..Context::neutral(Regime::Volatile) };

#[test]
fn an_empty_pattern_fits_everything() {
    assert!(ContextPattern::default().matches(&CONTEXT));
    assert_eq!(ContextPattern::default().to_string(), "any market");
}

#[test]
fn every_named_feature_must_fit() {
    let mut pattern = ContextPattern::from_regime(Regime::Volatile);
    pattern.volatility = Some(VolatilityBand::Wild);
    assert!(pattern.matches(&CONTEXT));
    pattern.session = Some(Session::Europe);
    assert!(!pattern.matches(&CONTEXT));
    assert_eq!(pattern.specificity(), 3);
}

#[test]
fn likeness_is_the_cosine_of_the_features() {
    let regime = Claim::of_worth(Strategy::Breakout, ContextPattern::from_regime(Regime::Volatile), 0.4);
    let mut wild = regime;
    wild.pattern.volatility = Some(VolatilityBand::Wild);
    let mut thin = wild;
    thin.pattern.liquidity = Some(LiquidityClass::Thin);
    assert_eq!(regime.similarity(&regime), 1.0);
    assert!((regime.similarity(&wild) - 0.816_496_6).abs() < 1e-6);
    assert!((wild.similarity(&thin) - 0.866_025_4).abs() < 1e-6);
    assert_eq!(regime.similarity(&Claim { expected_r: -0.4, ..regime }), 0.0);
}

/// At a tenth at risk, a trade of 1 R at twice the stake: (ln 1.2 − ln 1.1)/.1 = .870 114; at half, (ln 1.05 − ln 1.1)/.1 = −.465 200. Of a
/// loss of 2 R at twice four tenths nothing is left but the least, a hundredth: (ln .01 − ln .2)/.4.
#[test]
fn growth_by_hand() {
    for (stake, r, risk, expected) in [
        (Stake::Double, 1.0, 0.1, 0.870_113_77),
        (Stake::Half, 1.0, 0.1, -0.465_200_16),
        (Stake::Half, -1.0, 0.1, 0.540_672_2),
        (Stake::Double, -2.0, 0.4, math::ln(0.01 / 0.2) / 0.4),
    ] {
        let growth = stake.growth_r(r, risk);
        assert!((growth - expected).abs() < 1e-6, "{stake:?} {r}: {growth}");
    }
    assert!((Stake::Double.growth_r(0.3, 1e-6) - 0.3).abs() < 1e-6, "(m − 1)·r where little is at risk");
}

/// Claims of different matters have nothing to do with each other, whatever else they share.
#[test]
fn matters_are_subjects_of_their_own() {
    let worth = Claim::of_worth(Strategy::Breakout, ContextPattern::default(), -0.4);
    let guard = worth.as_guard(1e-6);
    let half = Claim { matter: Matter::Stake(Stake::Half), expected_r: 0.1, ..worth };
    assert_eq!(
        [worth.kind(), guard.kind(), half.kind()],
        [ClaimKind::Entry, ClaimKind::Guard, ClaimKind::Stake]
    );
    assert!(!worth.same_subject(&guard) && worth.similarity(&guard) == 0.0);
    assert_eq!(guard.to_string(), "guard against breakout in any market: +0.20 R");
    assert_eq!(half.to_string(), "put half as much into breakout in any market: +0.10 R");
    let double = Claim { matter: Matter::Stake(Stake::Double), ..half };
    assert!(
        !double.same_subject(&half) && double.similarity(&half) == 0.0,
        "one may be wrong and the other right"
    );
}

#[test]
fn confirmation_looks_at_the_claimed_direction() {
    let mut claim = Claim::of_worth(Strategy::Breakout, ContextPattern::default(), 0.4);
    assert!(claim.is_confirmed_by(0.3, 0.25) && !claim.is_confirmed_by(0.1, 0.25));
    claim.expected_r = -0.4;
    assert!(!claim.is_confirmed_by(0.3, 0.25) && claim.is_confirmed_by(0.1, 0.25));
}
