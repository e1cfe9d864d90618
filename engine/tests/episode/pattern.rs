use crate::common::episodes::episode;
use morta_engine::episode::{After, Context, ContextPattern, Feature};
use morta_engine::market::{GasClass, LiquidityClass, Regime, Session, Strategy};

#[test]
fn every_feature_can_be_named_and_has_to_fit() {
    let after = Some(After { strategy: Strategy::Breakout, gained: false });
    let context = Context { asset: 1, shock: true, after, ..episode(0, 1).context };
    let others = [
        Context { regime: Regime::Volatile, ..context },
        Context { volatility_quintile: 5, ..context },
        Context { liquidity: LiquidityClass::Thin, ..context },
        Context { session: Session::Europe, ..context },
        Context { asset: 0, ..context },
        Context { gas: GasClass::Spike, ..context },
        Context { shock: false, ..context },
        Context { after: after.map(|after| After { gained: true, ..after }), ..context },
    ];
    for (feature, other) in Feature::ALL.into_iter().zip(others) {
        let one = ContextPattern::from_context(&context, [feature]);
        assert_eq!(one.specificity(), 1, "{feature:?}");
        assert!(one.matches(&context) && !one.matches(&other), "{feature:?}");
        let all_but_it = Feature::ALL.into_iter().filter(|named| *named != feature);
        let rest = ContextPattern::from_context(&context, all_but_it);
        assert!(rest.matches(&other) && rest.specificity() == 7, "{feature:?}");
        assert_eq!((one.shared(&rest), one.shared(&one.and(feature, &context))), (0, 1));
    }
    let all = ContextPattern::from_context(&context, Feature::ALL);
    assert_eq!(
        all.to_string(),
        "trending up, middling volatility, normal liquidity, Asia hours, asset 1, normal gas, after a shock, after breakout lost"
    );
}

/// Claims of logs and of a Lethe before claims named more than four features.
#[test]
fn earlier_patterns_can_be_read() {
    let text = r#"{"regime":"volatile","volatility":null,"liquidity":"thin","session":null}"#;
    let pattern: ContextPattern = serde_json::from_str(text).unwrap();
    let expected = ContextPattern {
        liquidity: Some(LiquidityClass::Thin),
        ..ContextPattern::from_regime(Regime::Volatile)
    };
    assert_eq!(pattern, expected);
    let text =
        r#"{"regime":"volatile","volatility_quintile":4,"liquidity":"thin","gas":"low","session":"asia"}"#;
    let context: Context = serde_json::from_str(text).unwrap();
    assert_eq!((context.asset, context.shock), (0, false));
}
