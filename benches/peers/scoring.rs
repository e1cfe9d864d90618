//! The 64 episodes most worth replaying: against numpy and faiss. Ours is the whole utility; faiss and the first of numpy's cases do
//! the dot product alone.

use crate::Options;
use crate::peer::Peer;
use crate::table::{Row, clocked};
use morta_base::{BloodstainId, EpisodeId, GolemId, Purpose, Stream, Tick, Usdc, WorldSeed};
use morta_engine::episode::{Context, DreamPriority, Episode, Grimoire, GrimoireConfig, Provenance};
use morta_engine::market::Regime;
use morta_engine::replay::{ReplayConfig, ReplayContext, ReplayMode, Scale, Scorer};
use serde_json::json;
use std::hint::black_box;

const NOW: Tick = 100_000;
const BEST: usize = 64;

fn embedding(dimensions: usize, stream: &mut Stream) -> Vec<f32> {
    (0..dimensions).map(|_| stream.normal() as f32).collect()
}

fn exponential(mean: f64, stream: &mut Stream) -> f64 {
    -mean * (1.0 - stream.uniform()).ln()
}

fn episode(number: u32, dimensions: usize, stream: &mut Stream) -> Episode {
    let golem = GolemId::founder(0);
    let closed = NOW - stream.below(20_000) as Tick;
    let regimes = [Regime::TrendingUp, Regime::TrendingDown, Regime::RangeBound, Regime::Volatile];
    Episode {
        provenance: if stream.chance(0.1) {
            Provenance::Bloodstain(BloodstainId { golem, number })
        } else {
            Provenance::Own
        },
        context: Context::neutral(regimes[stream.below(regimes.len())]),
        stake: Usdc::from_dollars(10.0),
        pnl: Usdc::from_dollars(0.1),
        expected_r: 0.1,
        realised_r: 0.2,
        surprise: exponential(1.0, stream),
        significance: exponential(0.1, stream),
        regret: exponential(0.5, stream),
        embedding: embedding(dimensions, stream).into(),
        ..Episode::neutral(EpisodeId { golem, number }, closed)
    }
}

fn grimoire(n: usize, dimensions: usize, stream: &mut Stream) -> Grimoire {
    let config = GrimoireConfig { capacity: n as u32, ..GrimoireConfig::default() };
    let mut grimoire = Grimoire::new(config, dimensions as u32);
    for number in 0..n as u32 {
        let lived = episode(number, dimensions, stream);
        let replays = stream.below(6) as u32;
        let last = (replays > 0).then(|| NOW - stream.below(5_000) as Tick);
        let priority = if stream.chance(0.05) { DreamPriority::High } else { DreamPriority::Normal };
        grimoire.restore(lived, last, replays, priority);
    }
    grimoire
}

pub fn measure(options: &Options, peer: &mut Peer, rows: &mut Vec<Row>) -> anyhow::Result<()> {
    let config = ReplayConfig::default();
    for d in [32, 64] {
        for n in [1_000, 10_000, 100_000, 1_000_000].into_iter().filter(|&n| n <= options.most) {
            let mut stream = WorldSeed(1).world(Purpose::Dream, 0, 0);
            let grimoire = grimoire(n, d, &mut stream);
            let query = embedding(d, &mut stream);
            let context = ReplayContext {
                tick: NOW,
                embedding: &query,
                regime: Regime::TrendingDown,
                pad_bias: None,
                affect: false,
                mode: ReplayMode::Normal,
                legacy: 0.0,
            };
            // The yardsticks of gain are known, as they are to the peers.
            let scale = Scale::from_grimoire(&grimoire, config.normalization_quantile);
            let best = || Scorer::with_scale(&grimoire, &context, &config, scale).best(BEST);
            for (case, name) in [
                ("numpy_utility", "numpy, whole utility"),
                ("numpy_dot", "numpy, dot product alone"),
                ("faiss_flat_ip", "faiss, dot product alone"),
            ] {
                let case = json!({ "case": case, "n": n, "d": d, "k": BEST });
                rows.push(Row::alternate(
                    format!("score {n} × {d}, {name}"),
                    options.rounds,
                    |runs| clocked(runs, || drop(black_box(best()))),
                    |runs| peer.measure(&case, runs),
                )?);
                peer.forget()?;
            }
        }
    }
    Ok(())
}
