use morta_engine::episode::{Claim, ContextPattern, KnowledgeDomain, VolatilityBand};
use morta_engine::market::{LiquidityClass, Strategy};

#[test]
fn a_claim_belongs_to_the_domain_it_speaks_of() {
    let check = |strategy, pattern, expected| {
        assert_eq!(KnowledgeDomain::for_claim(&Claim::of_worth(strategy, pattern, 0.1)), expected);
    };
    let any = ContextPattern::default();
    let wild = ContextPattern { volatility: Some(VolatilityBand::Wild), ..any };
    let thin = ContextPattern { liquidity: Some(LiquidityClass::Thin), ..wild };
    check(Strategy::Momentum, any, KnowledgeDomain::Price);
    check(Strategy::Momentum, wild, KnowledgeDomain::Volatility);
    check(Strategy::Momentum, thin, KnowledgeDomain::Structure);
    check(Strategy::LiquidityProvision, thin, KnowledgeDomain::Yield);
    check(Strategy::OracleArbitrage, any, KnowledgeDomain::Protocol);
}
