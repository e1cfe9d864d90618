//! The digest's numbered vectors (section 16), to nine decimals. They are test vectors (golden values) that
//! were computed without this code. They are independent of the code, because a test made from it would agree
//! with any mistake.

use super::affective::{AffectConfig, AffectiveState};
use super::context::{ContextVector, Regime, Session, VolatilityRegime};
use super::kelly::{self, KellyConfig, Recollection};
use super::procedural::{disposition_effect, window_size};
use super::recall::{Candidate, Query, Worth, recall};
use super::score::{
    AffectForm, DAY_S, Mood, Outcomes, ScoreConfig, SpreadConfig, SpreadPolicy, confidence_factor,
};
use super::semantic::Beta;
use super::sharpe::{DeviationKind, SharpeConfig};
use super::similarity::SimilarityConfig;
use super::strength;
use super::tests::episode;
use std::f64::consts::FRAC_1_SQRT_2;

fn check(id: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() < 2e-9, "{id}: found {found}, expected {expected}");
}

/// The context F of the digest's vectors.
pub(super) fn usual() -> ContextVector {
    ContextVector {
        regime: Some(Regime::TrendingUp),
        volatility_regime: Some(VolatilityRegime::Normal),
        session: Some(Session::London),
        atr_d1: Some(100.0),
        atr_h1: Some(25.0),
        spread_as_atr_pct: Some(0.2),
        drawdown_pct: Some(0.05),
        price: Some(4_000.0),
    }
}

fn sigma(spread: SpreadConfig, outcomes: &[Option<f64>]) -> f64 {
    let pnl_r: Vec<f64> = outcomes.iter().map(|r| r.unwrap_or(0.0)).collect();
    let known: Vec<bool> = outcomes.iter().map(Option::is_some).collect();
    spread.sigma_r(Outcomes { pnl_r: &pnl_r, known: &known })
}

#[test]
fn qualities() {
    let config = ScoreConfig::default();
    for (id, pnl_r, sigma_r, expected) in [
        ("O01", Some(3.0), 1.5, 0.98201379),
        ("O02", Some(0.5), 1.5, 0.660756369),
        ("O03", Some(0.0), 1.5, 0.5),
        ("O04", Some(-1.0), 1.5, 0.208608527),
        ("O05", Some(-3.0), 1.5, 0.01798621),
        ("O06", None, 1.5, 0.5),
        ("O07", Some(1.0), 0.0, 0.791391473),
    ] {
        check(id, config.outcome_quality(pnl_r, sigma_r), expected);
    }
    let query = Query { now_s: 0.0, context: usual(), mood: Mood::default() };
    let belief =
        Candidate { worth: Worth::Semantic, made_s: Some(0.0), confidence: Some(0.7), context: usual() };
    check("O08", belief.components(&query, 1.5, &config).quality, 0.7);
    let worth = Worth::Prospective { priority: 0.8, sources: &[Some(3.0), Some(0.5)] };
    let plan = Candidate { worth, ..belief };
    check("O09", plan.components(&query, 1.5, &config).quality, 0.657108064);
    check("O09 without sources", config.plan_quality(0.8, &[], 1.5), 0.4);
}

#[test]
fn spreads() {
    let rms = SpreadConfig::default();
    let fixed = |sigma_r| SpreadConfig { policy: SpreadPolicy::Fixed, sigma_r, ..rms };
    check("O10", sigma(rms, &[Some(2.0), Some(-1.0), Some(0.5), None, Some(-1.5)]), 1.369306394);
    check("O11", sigma(rms, &[Some(0.1), Some(-0.2), Some(0.1)]), 0.5);
    check("O12", sigma(rms, &[]), 1.5);
    check("fixed", sigma(fixed(2.0), &[Some(9.0)]), 2.0);
    check("fixed at 0", sigma(fixed(0.0), &[Some(9.0)]), 1.5);
    // The newest two known outcomes are −1.5 and 0.5, each 1 R from their mean.
    let rolling = SpreadConfig { policy: SpreadPolicy::RollingSd, trades: 2, ..rms };
    check("rolling", sigma(rolling, &[Some(40.0), Some(0.5), None, Some(-1.5)]), 1.0);
    check("rolling, too few", sigma(rolling, &[Some(40.0)]), 1.5);
    let many: Vec<Option<f64>> = (0..21).map(|n| Some(f64::from(n))).collect();
    check("rms of 0 to 20", sigma(rms, &many), (2_870.0_f64 / 21.0).sqrt());
}

#[test]
fn recency() {
    let config = ScoreConfig::default();
    for (id, age, expected) in [
        ("O13", 0.0, 1.0),
        ("O14", 1.0, 0.983738754),
        ("O15", 7.0, 0.900450338),
        ("O16", 30.0, FRAC_1_SQRT_2),
        ("O17", 90.0, 0.5),
        ("O18", 365.0, 0.275589127),
        ("O22", -5.0, 1.0),
    ] {
        check(id, config.episodic_recency(Some(age)), expected);
    }
    for (id, age, expected) in
        [("O19", 30.0, 0.954807811), ("O20", 180.0, 0.812252396), ("O21", 365.0, 0.717237191)]
    {
        check(id, config.semantic_recency(Some(age)), expected);
    }
    check("unknown age", config.episodic_recency(None), 0.5);
}

#[test]
fn confidence() {
    for (id, confidence, expected) in [
        ("O23", Some(0.0), 0.5),
        ("O24", Some(0.3), 0.65),
        ("O25", Some(1.0), 1.0),
        ("O26", Some(1.7), 1.0),
        ("O27", Some(-0.4), 0.5),
        ("O28", None, 0.75),
    ] {
        check(id, confidence_factor(confidence), expected);
    }
}

#[test]
fn affect() {
    let config = ScoreConfig::default();
    for (id, pnl_r, drawdown_state, consecutive_losses, expected) in [
        ("O29", Some(-2.0), 0.6, 0, 1.15),
        ("O30", Some(3.0), 0.6, 0, 1.09),
        ("O31", Some(-1.5), 0.6, 0, 1.0),
        ("O32", Some(2.0), 0.6, 0, 1.0),
        ("O33", Some(0.5), 0.9, 5, 1.0),
        ("O34", Some(1.0), 0.5, 3, 1.09),
        ("O35", Some(-1.0), 0.5, 3, 0.94),
        ("O36", Some(1.0), 0.2, 2, 1.0),
        ("O37", Some(0.0), 0.0, 3, 0.94),
        ("O38", None, 0.0, 4, 0.94),
    ] {
        check(id, config.affect_factor(pnl_r, &Mood { drawdown_state, consecutive_losses }), expected);
    }
    let biased = ScoreConfig { affect_form: AffectForm::RetrievalBias, ..ScoreConfig::default() };
    for (id, r, drawdown_state, expected) in
        [("O39", 1.0, 0.6, 1.3), ("O40", -2.5, 0.4, 1.5), ("O41", -2.0, 0.4, 1.0), ("O42", 1.0, 0.5, 1.0)]
    {
        let mood = Mood { drawdown_state, consecutive_losses: 9 };
        check(id, biased.affect_factor(Some(r), &mood), expected);
    }
}

#[test]
fn strengths() {
    for (id, age, retrievals, expected) in
        [("O43", 30.0, 0, FRAC_1_SQRT_2), ("O44", 30.0, 5, 0.833803308), ("O45", 180.0, 20, 0.493036605)]
    {
        check(id, strength::episodic(1.0, age, retrievals), expected);
    }
    let (up, ranging) = (Some(Regime::TrendingUp), Some(Regime::Ranging));
    check("O46", strength::semantic(1.0, 90.0, up, up), 0.885467493);
    check("O47", strength::semantic(1.0, 90.0, up, ranging), 0.265640248);
    check("O48", strength::regime_match(None, ranging), 1.0);
}

#[test]
fn likeness() {
    let config = SimilarityConfig::default();
    let f = usual();
    let other =
        ContextVector { regime: Some(Regime::Ranging), atr_d1: Some(130.0), price: Some(5_000.0), ..f };
    let calm = ContextVector { drawdown_pct: Some(0.0), ..f };
    let sparse = ContextVector { regime: f.regime, atr_d1: f.atr_d1, ..ContextVector::default() };
    let nothing = ContextVector::default();
    for (id, memory, query, expected) in [
        ("O49", &f, &f, 1.0),
        ("O50", &f, &other, 0.636762935),
        ("O51", &other, &f, 0.672237025),
        ("O52", &calm, &f, 0.9),
        ("O53", &f, &calm, 0.9),
        ("O54", &sparse, &sparse, 0.4),
        ("O55", &nothing, &nothing, 0.0),
    ] {
        check(id, config.similarity(memory, query), expected);
    }
}

/// A number of memories with one score and one outcome.
type Group = (usize, f64, f64);

#[test]
fn stakes() {
    let config = KellyConfig::default();
    check("O56", kelly::classic(0.45, 2.5), 0.23);
    check("O56 is the general form for a loss of 1", kelly::general(0.45, 1.0, 2.5), 0.23);
    let seven_of_ten = [(7, 1.0, 2.0), (3, 1.0, -1.0)];
    let mixed = [(4, 0.5, 1.5), (2, 0.2, 3.0), (5, 0.4, -1.0), (1, 0.1, -2.5)];
    let cases: [(&str, &[Group], f64, f64); 8] = [
        ("O57", &seven_of_ten, 1.0, 0.1375),
        ("O58", &seven_of_ten, 0.4375, 0.06015625),
        ("O59", &mixed, 1.0, 0.057777778),
        ("O60", &[(9, 1.0, 2.0)], 1.0, 0.0),
        ("O61", &[(12, 1.0, 2.0)], 1.0, 0.0),
        ("O62", &[(7, 1.0, 2.0), (3, 1.0, -1.0), (2, 1.0, 0.0)], 1.0, 0.09375),
        ("O63", &[(9, 1.0, 5.0), (3, 1.0, -0.1)], 1.0, 1.8625),
        ("O64", &[(3, 1.0, 1.0), (9, 1.0, -1.0)], 1.0, 0.0),
    ];
    for (id, groups, appetite, expected) in cases {
        let group =
            |&(count, score, r): &Group| std::iter::repeat_n(Recollection { score, pnl_r: Some(r) }, count);
        let recalled: Vec<Recollection> = groups.iter().flat_map(group).collect();
        check(id, kelly::from_memory(&recalled, appetite, &config), expected);
        let capped = KellyConfig { cap: 0.5, ..config.clone() };
        check(id, kelly::from_memory(&recalled, appetite, &capped), expected.min(0.5));
    }
    check("lots", kelly::lots(0.01, 10_000.0, 2.0, 10.0), 5.0);
}

#[test]
fn beliefs() {
    let cases = [
        ("O65", Beta::PRIOR, true, Some(5.0), [3.0, 1.0, 0.75, 0.0375]),
        ("O66", Beta { alpha: 8.0, beta: 4.0 }, false, Some(-0.8), [8.0, 4.8, 0.625, 0.0169836957]),
        ("O67", Beta::SEEDED, true, None, [2.5, 1.0, 0.714285714, 0.0453514739]),
        ("O68", Beta::SEEDED, false, Some(0.0), [2.0, 1.5, 0.571428571, 0.0544217687]),
    ];
    let compare = |id, belief: Beta, [alpha, beta, mean, variance]: [f64; 4]| {
        check(id, belief.alpha, alpha);
        check(id, belief.beta, beta);
        check(id, belief.mean(), mean);
        check(id, belief.variance(), variance);
    };
    for (id, mut belief, confirms, pnl_r, expected) in cases {
        belief.update(confirms, pnl_r);
        compare(id, belief, expected);
    }
    compare("O69", Beta::induced(7, 3), [8.0, 4.0, 0.666666667, 0.0170940171]);
    let migrated = Beta::migrated(0.7, 20.0);
    check("O70", migrated.alpha, 15.0);
    check("O70", migrated.beta, 7.0);
}

#[test]
fn states_of_mind() {
    for (id, confidence, r, expected_r, expected) in [
        ("O71", 0.5, 3.0, 1.0, 0.545257413),
        ("O72", 0.5, -1.0, 1.0, 0.476894142),
        ("O73", 0.5, 0.0, 1.0, 0.5),
        ("O74", 0.8, 2.0, 0.5, 0.818201379),
    ] {
        let mut state = AffectiveState { confidence, ..AffectiveState::new(1.0, 0.0) };
        state.on_outcome(Some(r), None, &AffectConfig { expected_r, ..AffectConfig::default() });
        check(id, state.confidence, expected);
    }
    let config = AffectConfig::default();
    for (id, drawdown, expected) in [
        ("O75", 0.0, 1.0),
        ("O76", 0.1, 0.75),
        ("O77", 0.15, 0.4375),
        ("O78", 0.19, 0.1),
        ("O79", 0.2, 0.1),
        ("O80", 0.3, 0.1),
    ] {
        check(id, config.risk_appetite(drawdown), expected);
    }
    check("O81", config.drawdown_state(0.15), 0.75);
}

#[test]
fn habits() {
    for (id, stability, expected) in
        [("O82", 0.0, 50), ("O83", 0.01, 50), ("O84", 0.03, 52), ("O85", 0.5, 75), ("O86", 1.0, 100)]
    {
        assert_eq!(window_size(stability), expected, "{id}");
    }
    let held = |(r, hold): (f64, f64)| {
        let mut trade = episode(0, Some(r));
        trade.hold_s = Some(hold);
        trade
    };
    let trades = [(1.0, 3_600.0), (2.0, 1_800.0), (-1.0, 5_400.0), (-0.5, 7_200.0)].map(held);
    check("O91", disposition_effect(&trades).unwrap(), 1.333333333);
    assert_eq!(disposition_effect(&trades[..2]), None);
}

#[test]
fn periods() {
    let config = SharpeConfig::default();
    let six = [1.2, -0.5, 0.8, 2.1, -1.0, 0.4].map(Some);
    check("O87", config.weight(&six), 1.20156076);
    let sample = SharpeConfig { deviation: DeviationKind::Sample, ..config.clone() };
    check("O87 with the sample deviation", sample.weight(&six), 1.140434423);
    check("O88", config.weight(&[1.0, 2.0, -1.0, 0.5].map(Some)), 1.0);
    check("O89", config.weight(&[Some(1.0); 5]), 1.0);
    check("O90", config.weight(&[-1.0, -2.0, -0.5, 0.2, -1.1].map(Some)), 0.5);
}

#[test]
fn the_worked_recall() {
    let f = usual();
    let now_s = 1_000.0 * DAY_S;
    let candidate = |worth, confidence, age_days: f64, context| Candidate {
        worth,
        made_s: Some(now_s - age_days * DAY_S),
        confidence: Some(confidence),
        context,
    };
    let candidates = [
        candidate(Worth::Episodic(Some(2.0)), 0.8, 10.0, f),
        candidate(
            Worth::Episodic(Some(-1.8)),
            0.6,
            3.0,
            ContextVector { regime: Some(Regime::Ranging), ..f },
        ),
        candidate(
            Worth::Semantic,
            0.7,
            60.0,
            ContextVector { session: Some(Session::Asia), price: Some(3_600.0), ..f },
        ),
        candidate(Worth::Episodic(Some(-0.4)), 0.5, 45.0, ContextVector { atr_d1: Some(140.0), ..f }),
    ];
    let config = ScoreConfig::default();
    check("sigma", sigma(config.spread, &candidates.map(|c| c.pnl_r())), 1.570562532);
    let states = [
        (0.0, 0, [0.722807270, 0.483416909, 0.168302557, 0.052501458]),
        (0.75, 4, [0.722807270, 0.483416909, 0.168302557, 0.060376676]),
        (0.2, 3, [0.787859924, 0.454411894, 0.158204403, 0.049351370]),
    ];
    for (drawdown_state, consecutive_losses, expected) in states {
        let query = Query { now_s, context: f, mood: Mood { drawdown_state, consecutive_losses } };
        let ranked = recall(&candidates, &query, &config, 10);
        let order: Vec<usize> = ranked.iter().map(|found| found.place).collect();
        assert_eq!(order, [0, 2, 3, 1], "A, C, D, B");
        for (found, expected) in ranked.iter().zip(expected) {
            check("score", found.score, expected);
        }
        if consecutive_losses == 0 {
            let c = ranked[1].components;
            let d = ranked[2].components;
            for (found, expected) in [
                (c.quality, 0.7),
                (c.similarity, 0.885699689),
                (c.recency, 0.917314755),
                (c.confidence, 0.85),
                (c.affect, 1.0),
                (d.quality, 0.375340841),
                (d.similarity, 0.945308648),
                (d.recency, 0.632455532),
                (d.confidence, 0.75),
            ] {
                check("component", found, expected);
            }
        }
        assert_eq!(recall(&candidates, &query, &config, 2).len(), 2);
    }
}
