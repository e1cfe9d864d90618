//! Carries a load test out, rate by rate. It is a rate sweep (benchmark runner): each rate has a fresh pool, so that the queue of one can't
//! reach into the next. Each rate has its own warm-up, and all have the same seed, so that their arrivals differ only in scale. For an
//! open loop without rates the command first asks for the capacity and then sweeps 10 % to 120 % of that, because nobody knows beforehand
//! where a machine saturates. Ctrl-C ends the rate under way, whose figures are kept as interrupted, and leaves out the rest.

use super::StopFlag;
use super::asked::LoadTestSettings;
use super::hdr::IntervalLog;
use super::outcome::{LoopKind, MeasuredStep};
use super::subject::ScoringBench;
use crate::generator::{
    ArrivalPlan, ClosedPlan, LoadSettings, LoadTarget, Measured, NS_PER_S, OnInterval, SimulatedScorers,
    Stall, closed_loop, open_loop,
};
use crate::scorer::{ScorerError, ScorerPool};
use morta_base::WorldSeed;
use morta_lab::error::Result;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// An observer of a sweep's rates (progress observer). It must not work while a rate is under way, or it would disturb the measurement.
pub trait StepWatch {
    /// Called before the rate of an index, from 0, requests a second; `None` when each client sends again as soon as it has its answer.
    fn step(&self, index: usize, rate_per_s: Option<f64>);
}

/// Measures all rates in order; returns fewer when the user stops the test (rate sweep).
///
/// # Errors
/// When a scorer fails.
pub fn all(
    asked: &LoadTestSettings,
    bench: &mut ScoringBench,
    log: &mut IntervalLog,
    stop: &StopFlag,
    watch: &dyn StepWatch,
) -> Result<Vec<MeasuredStep>> {
    let rates: Vec<Option<f64>> =
        if asked.rates.is_empty() { vec![None] } else { asked.rates.iter().copied().map(Some).collect() };
    let mut steps = Vec::new();
    for (index, rate) in rates.iter().enumerate() {
        watch.step(index, *rate);
        log.begin_step(rate.filter(|_| rates.len() > 1));
        steps.push(MeasuredStep { rate_per_s: *rate, measured: step(asked, *rate, bench, log, stop)? });
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(steps)
}

fn step(
    asked: &LoadTestSettings,
    rate: Option<f64>,
    bench: &ScoringBench,
    log: &mut IntervalLog,
    stop: &StopFlag,
) -> Result<Measured> {
    let seed = WorldSeed(asked.seed);
    let mut on_interval = |interval: &_, latencies: &_| log.take(interval, latencies);
    if let Some(service) = asked.service {
        let shifted = |stall: &Stall| Stall {
            from_ns: stall.from_ns + asked.load.warm_up_ns,
            to_ns: stall.to_ns + asked.load.warm_up_ns,
        };
        let stalls = asked.stalls.iter().map(shifted).collect();
        let (scorers, stop) = (asked.load.scorers, Arc::clone(stop));
        let mut target = SimulatedScorers::new(scorers, service, stalls, seed, stop);
        let Ok(measured) = drive(asked, rate, bench.clients, &mut target, &mut on_interval);
        return Ok(measured);
    }
    by_pool(asked, bench, stop, |pool| drive(asked, rate, bench.clients, pool, &mut on_interval))
}

/// Starts a pool of scorers, puts a load on it and ends the pool, also after a failed load. Of two errors the load's is returned, because it
/// is the cause.
fn by_pool(
    asked: &LoadTestSettings,
    bench: &ScoringBench,
    stop: &StopFlag,
    load: impl FnOnce(&mut ScorerPool) -> Result<Measured, ScorerError>,
) -> Result<Measured> {
    let (cases, stop) = (Arc::clone(&bench.cases), Arc::clone(stop));
    let mut pool = ScorerPool::start(cases, &asked.load, stop)?;
    let measured = load(&mut pool);
    let ended = pool.end();
    let measured = measured?;
    ended?;
    Ok(measured)
}

/// Measures the capacity: the requests a second that are answered to clients that send again at once, over one second after half a second
/// of warm-up (maximum throughput). Our choice: a second and a half in all, before the load that the user waits for.
///
/// # Errors
/// When a scorer fails.
pub fn at_once_per_s(asked: &LoadTestSettings, bench: &ScoringBench, stop: &StopFlag) -> Result<f64> {
    let settings =
        LoadSettings { warm_up_ns: NS_PER_S / 2, measured_ns: NS_PER_S, interval_ns: NS_PER_S, ..asked.load };
    let plan = ClosedPlan::AtOnce { clients: bench.clients };
    let measured = by_pool(asked, bench, stop, |pool| closed_loop(pool, &plan, &settings, &mut |_, _| ()))?;
    Ok(measured.achieved_per_s)
}

fn drive<'a, S: LoadTarget>(
    asked: &LoadTestSettings,
    rate: Option<f64>,
    clients: u32,
    target: &'a mut S,
    on_interval: &'a mut OnInterval<'a>,
) -> Result<Measured, S::Error> {
    let plan = |per_second| ArrivalPlan {
        process: asked.arrivals,
        per_second,
        clients,
        seed: WorldSeed(asked.seed),
    };
    match (asked.mode, rate) {
        (LoopKind::Open, rate) => {
            let rate = rate.expect("an open loop was checked to have a rate");
            open_loop(target, &plan(rate), &asked.load, on_interval)
        }
        (LoopKind::Closed, Some(rate)) => {
            closed_loop(target, &ClosedPlan::Paced(plan(rate)), &asked.load, on_interval)
        }
        (LoopKind::Closed, None) => {
            closed_loop(target, &ClosedPlan::AtOnce { clients }, &asked.load, on_interval)
        }
    }
}
