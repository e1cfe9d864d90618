//! Rules of the five memories, and the columns against plain scoring. The columns are an optimisation, so that plain
//! scoring is their oracle.

use super::context::{ContextVector, Regime, Session, VolatilityRegime};
use super::episodic::{Direction, Domain, EpisodicMemory, Shelf};
use super::induction::Names;
use super::mind::{Mind, MindConfig};
use super::procedural::{behavior_stability, loss_aversion, recency_bias};
use super::recall::{Candidate, Query, recall, recall_shelf};
use super::recollect::{MemoryType, Recollected, Wanted};
use super::score::{AffectForm, DAY_S, Mood, ScoreConfig};
use super::semantic::{BeliefError, BeliefSource, Beta, Predicate, Scope, SemanticMemory};
use super::trigger::Trigger;
use super::vectors::usual;
use proptest::prelude::*;
use serde_json::json;

const DOMAIN: Domain = Domain { strategy: 0, symbol: 0 };

pub(super) struct TestNames;

impl Names for TestNames {
    fn strategy(&self, _: u16) -> &str {
        "breakout"
    }
    fn symbol(&self, _: u16) -> &str {
        "XAUUSD"
    }
}

/// An episode with an outcome, made at second `id`.
pub(super) fn episode(id: u64, pnl_r: Option<f64>) -> EpisodicMemory {
    EpisodicMemory {
        made_s: Some(id as f64),
        context: usual(),
        pnl_r,
        confidence: Some(0.5),
        ..EpisodicMemory::decided(id, DOMAIN, Direction::Long, 4_000.0)
    }
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "found {found}, expected {expected}");
}

fn query() -> Query {
    Query { now_s: 100.0 * DAY_S, context: usual(), mood: Mood::default() }
}

#[test]
fn biases_and_stability_match_hand_computed_values() {
    let sized = |(n, (r, lots)): (usize, (f64, f64))| EpisodicMemory {
        lots: Some(lots),
        ..episode(n as u64, Some(r))
    };
    let pairs = [(1.0, 1.0), (-1.0, 2.0), (1.0, 1.0), (-1.0, 2.0), (1.0, 1.0)];
    let trades: Vec<_> = pairs.into_iter().enumerate().map(sized).collect();
    // The mean size is 2 lots after gains, 1 after losses, and 1.4 over all trades.
    close(loss_aversion(&trades).unwrap(), 1.0 / 1.4);
    close(recency_bias(&trades), 1.0);
    assert_eq!(recency_bias(&trades[..4]), 0.0);
    assert_eq!(loss_aversion(&trades[..1]), None);
    let halves = [[1.0; 5], [0.5; 5]].concat();
    // Half an R of change over the least spread of half an R.
    close(behavior_stability(&halves), 0.0);
    close(behavior_stability(&[0.4; 10]), 1.0);
    close(behavior_stability(&halves[..9]), 0.5);
}

#[test]
fn beliefs_need_conditions_and_a_distribution() {
    let new = |belief, conditions| {
        let source = BeliefSource::Seeded;
        SemanticMemory::new(
            "it gains",
            Predicate::Profitable,
            belief,
            Scope::default(),
            conditions,
            source,
            0.0,
        )
    };
    let good = Trigger::default().and_is("regime", "ranging");
    assert_eq!(new(Beta::SEEDED, Trigger::default()).unwrap_err(), BeliefError::NoValidityConditions);
    let flat = Beta { alpha: 0.0, beta: 1.0 };
    assert_eq!(new(flat, good.clone()).unwrap_err(), BeliefError::NotADistribution);
    let mut belief = new(Beta::SEEDED, good).unwrap();
    belief.scope.regime = Some(Regime::Ranging);
    let known = |trade: &EpisodicMemory, belief: &mut SemanticMemory| {
        belief.hold_against(trade, |name| trade.field(&TestNames, name), 1.0)
    };
    assert!(!known(&episode(1, Some(1.0)), &mut belief), "a market that trends is another matter");
    assert_eq!(belief.sample_size, 0);
    // Its conditions are tested too. An open trade has no outcome; without R the sign of the profit decides.
    belief.scope.regime = None;
    assert!(!known(&episode(1, Some(1.0)), &mut belief), "the market still trends");
    let mut ranging = episode(2, None);
    ranging.context.regime = Some(Regime::Ranging);
    assert!(!known(&ranging, &mut belief), "an open trade");
    ranging.pnl = Some(70.0);
    assert!(known(&ranging, &mut belief));
    assert_eq!((belief.belief.alpha, belief.belief.beta, belief.outcomes), (2.5, 1.0, 0));
    belief.predicate = Predicate::RAtLeast(0.5);
    assert!(!known(&ranging, &mut belief), "how many R it made isn't known");
    for (predicate, confirmed) in [
        (Predicate::Profitable, [true, false, false]),
        (Predicate::Unprofitable, [false, true, true]),
        (Predicate::RAtLeast(-0.5), [true, true, false]),
    ] {
        assert_eq!([Some(1.0), None, Some(-1.0)].map(|r| predicate.confirmed_by(r)), confirmed);
    }
}

#[test]
fn ten_outcomes_make_a_belief_and_the_eleventh_moves_it() {
    let mut mind = Mind::new(MindConfig::default(), 10_000.0, 0.0);
    let mut formed = Vec::new();
    for n in 0..10 {
        let pnl_r = if n < 7 { 1.0 } else { -1.0 };
        formed.push(mind.remember(episode(n, Some(pnl_r)), &TestNames, n as f64).unwrap());
    }
    assert_eq!(formed, [[None; 9].as_slice(), &[Some(0)]].concat());
    let belief = &mind.beliefs()[0];
    assert_eq!((belief.belief.alpha, belief.belief.beta), (8.0, 4.0));
    assert_eq!(
        belief.proposition,
        "breakout on XAUUSD gains in a market that is trending_up in the london session"
    );
    close(belief.mean_r().unwrap(), 0.4);
    mind.remember(episode(10, Some(-1.5)), &TestNames, 10.0).unwrap();
    let belief = &mind.beliefs()[0];
    assert_eq!((belief.belief.alpha, belief.belief.beta), (8.0, 5.5));
    assert_eq!((belief.sample_size, belief.last_contradicted), (11, Some(10)));
    assert_eq!(mind.beliefs().len(), 1, "once for every pattern");
    let habit = &mind.habits()[0];
    assert_eq!(habit.trades, 11);
    close(habit.actual_win_rate, 7.0 / 11.0);
    assert_eq!(mind.affect().consecutive_losses, 4);
    // Gains and losses are of 1 and 4.5/4 R: f* = (p·b − q)/b with b = 8/9.
    let (p, b) = (8.0 / 13.5, 1.0 / 1.125);
    close(habit.kelly_fraction.unwrap(), (p * b - (1.0 - p)) / b);
}

#[test]
fn an_empty_mind_recalls_nothing() {
    let mind = Mind::new(MindConfig::default(), 100.0, 0.0);
    let types = &[MemoryType::Episodic, MemoryType::Semantic, MemoryType::Prospective];
    let wanted = Wanted { strategy: None, symbol: None, types, limit: 10, whole: false };
    assert!(mind.recall(&wanted, &query()).is_empty());
    assert_eq!(mind.kelly(DOMAIN, &query()), 0.0);
    assert_eq!((mind.affect().confidence, mind.affect().risk_appetite), (0.5, 1.0));
}

#[test]
fn recall_fetches_the_newest_and_keeps_domains_apart() {
    let mut mind = Mind::new(MindConfig { capacity: 30, ..MindConfig::default() }, 100.0, 0.0);
    for n in 0..40 {
        let domain = Domain { strategy: (n % 2) as u16, symbol: 0 };
        mind.keep(EpisodicMemory { domain, ..episode(n, Some(40.0 - n as f64)) });
    }
    let ids = |strategy, limit| -> Vec<u64> {
        let wanted =
            Wanted { strategy, symbol: Some(0), types: &[MemoryType::Episodic], limit, whole: false };
        let found = mind.recall(&wanted, &query());
        let id = |memory| match memory {
            Recollected::Episodic(memory) => memory.id,
            Recollected::Semantic(_) | Recollected::Prospective(_) => u64::MAX,
        };
        found.into_iter().map(|ranked| id(ranked.memory)).collect()
    };
    // The newest five are looked at for one; the oldest of them gained most.
    assert_eq!(ids(Some(0), 1), [30]);
    assert_eq!(ids(None, 1), [35]);
    assert_eq!(ids(Some(1), 10), [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    let mut mind = mind.clone();
    assert!(mind.recalled(30, 7.0) && !mind.recalled(99, 7.0));
    let shelf = mind.shelf(DOMAIN).unwrap();
    let memory = shelf.records().iter().find(|memory| memory.id == 30).unwrap();
    assert_eq!((memory.retrievals, memory.last_retrieved_s), (1, Some(7.0)));
}

#[test]
fn a_full_shelf_forgets_its_oldest() {
    let mut mind = Mind::new(MindConfig { capacity: 3, ..MindConfig::default() }, 100.0, 0.0);
    (0..5).for_each(|n| mind.keep(episode(n, Some(1.0))));
    let shelf = mind.shelf(DOMAIN).unwrap();
    let ids: Vec<u64> = shelf.records().iter().map(|memory| memory.id).collect();
    assert_eq!((ids.as_slice(), shelf.columns().len()), ([2, 3, 4].as_slice(), 3));
}

/// Recall indexes columns by the records, so a shelf with missing columns must be refused.
#[test]
fn a_stored_shelf_without_its_columns_is_refused() {
    let mut shelf = Shelf::new(DOMAIN);
    shelf.push(episode(0, Some(1.0)), &ScoreConfig::default());
    let stored = serde_json::to_value(&shelf).unwrap();
    assert_eq!(serde_json::from_value::<Shelf>(stored.clone()).unwrap(), shelf);
    let mut stored = stored;
    stored["columns"]["trust"] = json!([]);
    let error = serde_json::from_value::<Shelf>(stored).unwrap_err().to_string();
    assert!(error.contains("a shelf of 1 memories"), "{error}");
}

fn any_context() -> impl Strategy<Value = ContextVector> {
    let regime = prop::option::of(prop::sample::select(vec![Regime::TrendingUp, Regime::Volatile]));
    let volatility =
        prop::option::of(prop::sample::select(vec![VolatilityRegime::Low, VolatilityRegime::Extreme]));
    let session = prop::option::of(prop::sample::select(vec![Session::Asia, Session::Overlap]));
    let measure = || prop::option::weighted(0.8, prop_oneof![1 => Just(0.0), 9 => -2.0_f64..4.0]);
    let measures = (measure(), measure(), measure(), measure(), measure());
    (regime, volatility, session, measures).prop_map(|(regime, volatility_regime, session, m)| {
        ContextVector {
            regime,
            volatility_regime,
            session,
            atr_d1: m.0,
            atr_h1: m.1,
            spread_as_atr_pct: m.2,
            drawdown_pct: m.3,
            price: m.4,
        }
    })
}

fn any_episode() -> impl Strategy<Value = EpisodicMemory> {
    let outcome = prop::option::weighted(
        0.9,
        prop_oneof![4 => -4.0_f64..4.0, 1 => Just(2.0), 1 => Just(-1.5), 1 => Just(-2.0), 1 => -900.0_f64..900.0],
    );
    let made = prop::option::weighted(0.9, 0.0_f64..4_000.0 * DAY_S);
    let confidence = prop::option::of(-0.2_f64..1.2);
    (any_context(), outcome, made, confidence).prop_map(|(context, pnl_r, made_s, confidence)| {
        EpisodicMemory { context, made_s, confidence, ..episode(0, pnl_r) }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// The columns leave out nothing that plain scoring would rank: the same places, scores and factors, to the last bit.
    #[test]
    fn columns_rank_as_plain_scoring_does(
        episodes in prop::collection::vec(any_episode(), 0..600),
        copies in 1_usize..3,
        context in any_context(),
        now_days in 0.0_f64..5_000.0,
        drawdown_state in 0.0_f64..1.0,
        consecutive_losses in 0_u32..5,
        (limit, newest) in (0_usize..80, prop_oneof![Just(usize::MAX), 0_usize..600]),
        decay in prop_oneof![Just(0.5), 0.0_f64..2.0],
        biased in any::<bool>(),
        outlier in prop_oneof![9 => Just(1.0), 1 => Just(1e300), 1 => Just(1e-300)],
        rebound in any::<bool>(),
    ) {
        let affect_form = if biased { AffectForm::RetrievalBias } else { AffectForm::Relevance };
        let config = ScoreConfig { episodic_decay: decay, affect_form, ..ScoreConfig::default() };
        // A run that branches with other keys has a shelf whose columns were made by the old ones.
        let mut stored_by = config.clone();
        if rebound {
            stored_by.similarity.bandwidths = stored_by.similarity.bandwidths.map(|bandwidth| 20.0 * bandwidth);
        }
        let mut shelf = Shelf::new(DOMAIN);
        for mut memory in std::iter::repeat_n(episodes, copies).flatten() {
            memory.context.price = memory.context.price.map(|price| price * outlier);
            shelf.push(memory, &stored_by);
        }
        if rebound {
            shelf.measure_anew(&config);
        }
        let mood = Mood { drawdown_state, consecutive_losses };
        let query = Query { now_s: now_days * DAY_S, context, mood };
        let from = shelf.records().len().saturating_sub(newest);
        let candidates: Vec<Candidate<'_>> = shelf.records()[from..].iter().map(Candidate::from).collect();
        let plain = recall(&candidates, &query, &config, limit);
        let sigma_r = config.spread.sigma_r(shelf.outcomes(newest));
        let mut fast = recall_shelf(&shelf, newest, &query, sigma_r, &config, limit);
        fast.iter_mut().for_each(|found| found.place -= from);
        prop_assert_eq!(fast, plain);
    }
}
