//! The ten best memories by outcome-weighted recall: against plain Python, numpy, and our own scoring without columns.

use crate::Options;
use crate::peer::Peer;
use crate::table::{Row, clocked};
use morta_base::{Purpose, Stream, WorldSeed};
use morta_memories::owm::context::{ContextVector, Regime, Session, VolatilityRegime};
use morta_memories::owm::episodic::{Direction, Domain, EpisodicMemory, Shelf};
use morta_memories::owm::recall::{Candidate, Query, recall, recall_shelf};
use morta_memories::owm::score::{Mood, ScoreConfig};
use serde_json::json;
use std::hint::black_box;

const HOUR_S: f64 = 3_600.0;
const DOMAIN: Domain = Domain { strategy: 0, symbol: 0 };
const LIMIT: usize = 10;

fn context(stream: &mut Stream) -> ContextVector {
    let regimes = [Regime::TrendingUp, Regime::TrendingDown, Regime::Ranging, Regime::Volatile];
    let volatilities = [VolatilityRegime::Low, VolatilityRegime::Normal, VolatilityRegime::High];
    let sessions = [Session::Asia, Session::London, Session::Newyork];
    ContextVector {
        regime: Some(regimes[stream.below(regimes.len())]),
        volatility_regime: Some(volatilities[stream.below(volatilities.len())]),
        session: Some(sessions[stream.below(sessions.len())]),
        atr_d1: Some(stream.between(50.0, 150.0)),
        atr_h1: Some(stream.between(10.0, 40.0)),
        spread_as_atr_pct: Some(stream.between(0.05, 0.45)),
        drawdown_pct: Some(stream.between(0.0, 0.2)),
        price: Some(stream.between(2_000.0, 5_000.0)),
    }
}

fn episode(id: u64, stream: &mut Stream) -> EpisodicMemory {
    EpisodicMemory {
        made_s: Some(id as f64 * HOUR_S),
        context: context(stream),
        pnl_r: Some(1.5 * stream.normal()),
        confidence: Some(stream.uniform()),
        ..EpisodicMemory::decided(id, DOMAIN, Direction::Long, 1.0)
    }
}

pub fn measure(options: &Options, peer: &mut Peer, rows: &mut Vec<Row>) -> anyhow::Result<()> {
    let config = ScoreConfig::default();
    for n in [10_000_u64, 100_000].into_iter().filter(|&n| n as usize <= options.most) {
        let mut stream = WorldSeed(1).world(Purpose::Choice, 0, 0);
        let mut shelf = Shelf::new(DOMAIN);
        (0..n).for_each(|id| shelf.push(episode(id, &mut stream), &config));
        let query = Query { now_s: n as f64 * HOUR_S, context: context(&mut stream), mood: Mood::default() };
        // Ours: one call that knows nothing of the last.
        let ours = || {
            let sigma_r = config.spread.sigma_r(shelf.outcomes(usize::MAX));
            recall_shelf(&shelf, usize::MAX, &query, sigma_r, &config, LIMIT)
        };
        let alternate = |name: &str, theirs: &mut dyn FnMut(usize) -> anyhow::Result<Vec<f64>>| {
            let ours = |runs| clocked(runs, || drop(black_box(ours())));
            Row::alternate(format!("recall 10 of {n}, {name}"), options.rounds, ours, theirs)
        };
        for (case, name) in [("owm_python", "Python"), ("owm_numpy", "numpy")] {
            let case = json!({ "case": case, "n": n, "k": LIMIT });
            rows.push(alternate(name, &mut |runs| peer.measure(&case, runs))?);
        }
        let candidates: Vec<Candidate<'_>> = shelf.records().iter().map(Candidate::from).collect();
        let mut plain =
            |runs| Ok(clocked(runs, || drop(black_box(recall(&candidates, &query, &config, LIMIT)))));
        rows.push(alternate("Morta itself, without columns", &mut plain)?);
        peer.forget()?;
    }
    Ok(())
}
