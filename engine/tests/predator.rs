//! The predator's signs: alike in what golems see, and hard to tell from noise one by one.

use crate::common::live;
use morta_base::WorldSeed;
use morta_engine::event::EventKind;
use morta_engine::market::{CrisisStage, MarketConfig, MarketState};
use morta_engine::mortality::Cause;

/// The market of `scenarios/predator.toml`, with signs of this strength.
fn market(sign_strength: f64) -> MarketConfig {
    serde_json::from_value(serde_json::json!({
        "impact": "price_taker",
        "assets": [{ "symbol": "SYN", "source": {
            "kind": "synthetic", "volatility": 0.004, "mean_regime_ticks": 300.0, "half_spread_bps": 0.5 } }],
        "pool": { "fee_bps": 1.0, "arbitrage_rate": 1.0 },
        "gas": { "base_usdc": 0.0001 },
        "shocks": { "crisis": { "rate": 0.0015, "false_alarm_share": 0.25, "crash_ticks": 2, "crash_size": 0.3, "sign_strength": sign_strength } }
    }))
    .unwrap()
}

/// Embeddings of each sequence's last 20 ticks of signs, all three of them at work, every fifth tick; and of ordinary moments, far
/// from any crisis.
struct Moments {
    signs: Vec<Vec<Box<[f32]>>>,
    ordinary: Vec<Box<[f32]>>,
}

fn watch(config: &MarketConfig, ticks: u64) -> Moments {
    let mut market = MarketState::new(config, WorldSeed(11), vec![Vec::new()]).unwrap();
    let mut moments = Moments { signs: Vec::new(), ordinary: Vec::new() };
    let (mut began, mut ended) = (None, 0);
    for _ in 0..ticks {
        for crisis in market.step(&[]).crises {
            match crisis.stage {
                CrisisStage::Signs => {
                    began = Some(crisis.tick);
                    moments.signs.push(Vec::new());
                }
                CrisisStage::Crash | CrisisStage::FalseAlarm => (began, ended) = (None, crisis.tick),
            }
        }
        let tick = market.tick();
        let embedding = || market.view().asset(0).embedding.clone();
        match began {
            Some(began) if tick >= began + 40 && tick.is_multiple_of(5) => {
                moments.signs.last_mut().unwrap().push(embedding());
            }
            None if tick > ended + 300 && tick.is_multiple_of(50) => moments.ordinary.push(embedding()),
            _ => {}
        }
    }
    moments
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share) as usize]
}

/// Similarity of signs to the signs of other sequences, and to ordinary moments.
fn similarities(moments: &Moments) -> (Vec<f64>, Vec<f64>) {
    let (mut alike, mut unlike) = (Vec::new(), Vec::new());
    for (place, signs) in moments.signs.iter().enumerate() {
        for here in signs {
            let others = moments.signs[place + 1..].iter().flatten();
            alike.extend(others.map(|there| cosine(here, there)));
            unlike.extend(moments.ordinary.iter().map(|there| cosine(here, there)));
        }
    }
    (alike, unlike)
}

#[test]
fn signs_are_recognised_by_cosine_and_yet_faint() {
    let moments = watch(&market(1.0), 60_000);
    assert!(moments.signs.len() >= 30, "{} sequences", moments.signs.len());
    let (mut alike, mut unlike) = similarities(&moments);
    let (median, high) = (quantile(&mut alike, 0.5), quantile(&mut unlike, 0.95));
    assert!(
        median > high,
        "a sign is nearer to other signs ({median:.3}) than to ordinary moments ({high:.3})"
    );
    let mistaken = unlike.iter().filter(|cosine| **cosine > median).count() as f64 / unlike.len() as f64;
    assert!(mistaken > 1e-4, "and yet ordinary moments look like it now and then: {mistaken}");
}

/// Without strength there is nothing to recognise, whatever comes after.
#[test]
fn signs_without_strength_are_none() {
    let moments = watch(&market(0.0), 60_000);
    let (mut alike, mut unlike) = similarities(&moments);
    let (signs, ordinary) = (quantile(&mut alike, 0.5), quantile(&mut unlike, 0.5));
    assert!((signs - ordinary).abs() < 0.1, "{signs} {ordinary}");
}

/// Lives and deaths of golems without memory in the world of `scenarios/predator.toml`.
fn deaths(leverage: f64, crises: f64) -> Toll {
    let mut scenario = serde_json::json!({
        "name": "predator", "seed": 1, "ticks": 6_000,
        "cohorts": [{ "name": "none", "golems": 24, "memory": "none" }],
        "golem": {
            "endowment_usdc": 500.0, "prior_edge_r": 0.2, "compute_usdc_per_tick": 0.001, "risk_per_trade": 0.04,
            "max_position_share": 1.0, "purse": { "trading_share": 0.95 },
            "leverage": { "max": leverage, "interest_per_tick": 0.00001, "maintenance_margin": 0.05 }
        },
        "mortality": { "epistemic_clock": false, "hazard_scale": 300.0, "reserve_share": 0.1, "phases": { "risk": false } },
        "clade": { "enabled": false }, "pheromones": { "enabled": false }, "daimon": { "enabled": false }
    });
    scenario["market"] = serde_json::to_value(market(1.0)).unwrap();
    scenario["market"]["shocks"]["crisis"]["rate"] = crises.into();
    let mut toll = Toll::default();
    for event in live(serde_json::from_value(scenario).unwrap()) {
        let EventKind::LifeEnded(life) = event.kind else { continue };
        toll.golem_ticks += life.lifespan();
        toll.by_chance += u32::from(life.cause == Some(Cause::Stochastic));
        toll.by_liquidation += u32::from(life.killed_by_liquidation);
        toll.by_money += u32::from(life.cause == Some(Cause::Economic));
        toll.liquidations += life.liquidations;
    }
    toll
}

#[derive(Debug, Default)]
struct Toll {
    golem_ticks: u64,
    by_chance: u32,
    by_money: u32,
    by_liquidation: u32,
    liquidations: u32,
}

/// It takes both: the loan and the crisis.
#[test]
fn only_the_leveraged_die_of_the_predator() {
    let both = deaths(8.0, 0.0015);
    let per_1000 = 1_000.0 * f64::from(both.by_liquidation) / both.golem_ticks as f64;
    assert!(
        both.by_liquidation >= 10 && per_1000 > 0.1,
        "{per_1000} deaths by liquidation for 1,000 golem-ticks"
    );
    let unleveraged = deaths(1.0, 0.0015);
    assert_eq!((unleveraged.liquidations, unleveraged.by_money), (0, 0));
    let calm = deaths(8.0, 0.0);
    assert!(10 * calm.by_liquidation < both.by_liquidation, "{calm:?}");
}
