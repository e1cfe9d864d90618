//! What recall costs in outcome-weighted memory: ten thousand episodes, the ten best by columns and by plain scoring of all.
//!
//! `cargo bench --bench owm_recall`

use criterion::{Criterion, criterion_group, criterion_main};
use morta_engine::base::{Purpose, Stream, WorldSeed};
use morta_engine::memory::owm::context::{ContextVector, Regime, Session, VolatilityRegime};
use morta_engine::memory::owm::episodic::{Direction, Domain, EpisodicMemory, Shelf};
use morta_engine::memory::owm::recall::{Candidate, Query, recall, recall_shelf};
use morta_engine::memory::owm::score::{Mood, ScoreConfig};
use std::hint::black_box;

const EPISODES: u64 = 10_000;
const HOUR_S: f64 = 3_600.0;
const DOMAIN: Domain = Domain { strategy: 0, symbol: 0 };

fn context(stream: &mut Stream) -> ContextVector {
    let regimes = [Regime::TrendingUp, Regime::TrendingDown, Regime::Ranging, Regime::Volatile];
    let volatilities = [VolatilityRegime::Low, VolatilityRegime::Normal, VolatilityRegime::High];
    let sessions = [Session::Asia, Session::London, Session::Newyork];
    ContextVector {
        regime: Some(regimes[stream.below(regimes.len())]),
        volatility_regime: Some(volatilities[stream.below(volatilities.len())]),
        session: Some(sessions[stream.below(sessions.len())]),
        atr_d1: Some(50.0 + 100.0 * stream.uniform()),
        atr_h1: Some(10.0 + 30.0 * stream.uniform()),
        spread_as_atr_pct: Some(0.05 + 0.4 * stream.uniform()),
        drawdown_pct: Some(0.2 * stream.uniform()),
        price: Some(2_000.0 + 3_000.0 * stream.uniform()),
    }
}

fn episode(id: u64, stream: &mut Stream) -> EpisodicMemory {
    EpisodicMemory {
        id,
        made_s: Some(id as f64 * HOUR_S),
        context: context(stream),
        domain: DOMAIN,
        direction: Direction::Long,
        entry_price: 1.0,
        exit_price: None,
        lots: None,
        pnl: None,
        pnl_r: Some(1.5 * stream.normal()),
        hold_s: None,
        max_adverse_excursion: None,
        reflection: None,
        confidence: Some(stream.uniform()),
        tags: Vec::new(),
        retrieval_strength: 1.0,
        retrievals: 0,
        last_retrieved_s: None,
    }
}

fn owm_recall(criterion: &mut Criterion) {
    let config = ScoreConfig::default();
    let mut stream = WorldSeed(1).world(Purpose::Choice, 0, 0);
    let mut shelf = Shelf::new(DOMAIN);
    (0..EPISODES).for_each(|id| shelf.push(episode(id, &mut stream), &config));
    let now_s = EPISODES as f64 * HOUR_S;
    let query = Query { now_s, context: context(&mut stream), mood: Mood::default() };
    let mut group = criterion.benchmark_group("owm_recall");
    group.bench_function("columns", |bencher| {
        bencher.iter(|| {
            let sigma_r = config.spread.sigma_r(shelf.outcomes(usize::MAX));
            black_box(recall_shelf(&shelf, usize::MAX, &query, sigma_r, &config, 10))
        });
    });
    group.sample_size(20).bench_function("plain", |bencher| {
        let candidates: Vec<Candidate<'_>> = shelf.records().iter().map(Candidate::from).collect();
        bencher.iter(|| black_box(recall(&candidates, &query, &config, 10)));
    });
    group.finish();
}

criterion_group!(benches, owm_recall);
criterion_main!(benches);
