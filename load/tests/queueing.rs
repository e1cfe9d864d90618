//! Load tests in virtual time against queueing theory. The generator and the recorder are those of a real load; only the scorers are
//! simulated.

use morta_base::{WorldSeed, math};
use morta_load::generator::{
    ArrivalPlan, ArrivalProcess, ClosedPlan, KneeRule, LoadSettings, Measured, NS_PER_S, Origin, RateStep,
    ServiceTime, SimulatedScorers, Stall, closed_loop, knee, open_loop,
};
use std::sync::Arc;

const MS: f64 = 1e6;

struct Load {
    per_second: f64,
    process: ArrivalProcess,
    service: ServiceTime,
    stall: Option<Stall>,
    scorers: u32,
    clients: u32,
    warm_up_s: u64,
    measured_s: u64,
    queue_capacity: u32,
    seed: u64,
}

impl Default for Load {
    fn default() -> Self {
        Self {
            per_second: 100.0,
            process: ArrivalProcess::Constant,
            service: ServiceTime::Constant(MS),
            stall: None,
            scorers: 1,
            clients: 1,
            warm_up_s: 0,
            measured_s: 200,
            queue_capacity: u32::MAX,
            seed: 1,
        }
    }
}

impl Load {
    fn parts(&self) -> (SimulatedScorers, ArrivalPlan, LoadSettings) {
        let seed = WorldSeed(self.seed);
        let (process, per_second, clients) = (self.process, self.per_second, self.clients);
        let target = SimulatedScorers::new(
            self.scorers,
            self.service,
            self.stall.into_iter().collect(),
            seed,
            Arc::default(),
        );
        let plan = ArrivalPlan { process, per_second, clients, seed };
        let settings = LoadSettings {
            warm_up_ns: self.warm_up_s * NS_PER_S,
            measured_ns: self.measured_s * NS_PER_S,
            interval_ns: NS_PER_S,
            scorers: self.scorers,
            queue_capacity: self.queue_capacity,
        };
        (target, plan, settings)
    }

    fn open(&self) -> Measured {
        let (mut target, plan, settings) = self.parts();
        open_loop(&mut target, &plan, &settings, &mut |_, _| {}).unwrap()
    }

    fn closed(&self, paced: bool) -> Measured {
        let (mut target, plan, settings) = self.parts();
        let plan = if paced { ClosedPlan::Paced(plan) } else { ClosedPlan::AtOnce { clients: self.clients } };
        closed_loop(&mut target, &plan, &settings, &mut |_, _| {}).unwrap()
    }
}

/// Mean and standard error of a figure over independent replications.
fn estimate(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// M/M/1 with a mean service time of 1 ms: the sojourn time is exponential with rate μ − λ, so its p-quantile is −ln(1 − p)/(μ − λ); L =
/// ρ/(1 − ρ) requests are there on average. Forty independent replications give each figure its standard error; theory must lie within
/// four of them (and the histogram's thousandth), and they must be small, so that the test could fail.
#[test]
fn one_scorer_with_poisson_arrivals_is_m_m_1() {
    for (rho, measured_s, widest) in [(0.5, 40, 0.01), (0.8, 100, 0.02), (0.9, 200, 0.04)] {
        let run = |seed| {
            let load = Load {
                per_second: 1_000.0 * rho,
                process: ArrivalProcess::Poisson,
                service: ServiceTime::Exponential(MS),
                clients: 100,
                warm_up_s: 5,
                measured_s,
                seed,
                ..Load::default()
            };
            load.open()
        };
        let runs: Vec<Measured> = (1..=40).map(run).collect();
        let mean_sojourn_ms = 1.0 / (1.0 - rho);
        let quantile = |p: f64| -math::ln(1.0 - p) * mean_sojourn_ms;
        let latency = |of: fn(&morta_load::generator::LatencySummary) -> f64| {
            runs.iter().map(|run| of(&run.latency.unwrap()) / MS).collect::<Vec<f64>>()
        };
        let figures = [
            ("mean", latency(|l| l.mean_ns), mean_sojourn_ms),
            ("p50", latency(|l| l.p50_ns as f64), quantile(0.5)),
            ("p90", latency(|l| l.p90_ns as f64), quantile(0.9)),
            ("p99", latency(|l| l.p99_ns as f64), quantile(0.99)),
            ("p99.9", latency(|l| l.p99_9_ns as f64), quantile(0.999)),
            ("depth", runs.iter().map(|run| run.depth.mean).collect(), rho / (1.0 - rho)),
            ("service", runs.iter().map(|run| run.service.unwrap().mean_ns / MS).collect(), 1.0),
            ("rate", runs.iter().map(|run| run.achieved_per_s / 1_000.0).collect(), rho),
        ];
        for (name, values, theory) in figures {
            let (found, error) = estimate(&values);
            let line = format!("rho {rho}, {name}: {found:.4} ± {error:.4}, theory {theory:.4}");
            assert!((found - theory).abs() <= 4.0 * error + 1e-3 * theory, "{line}");
            // The extreme quantile of a busy queue rests on few busy periods.
            let widest = if name == "p99.9" { 2.0 * widest } else { widest };
            assert!(error < widest * theory, "{line}: too uncertain to say anything");
        }
    }
}

fn frozen_for_the_second_half() -> Load {
    let stall = Stall { from_ns: 100 * NS_PER_S, to_ns: 200 * NS_PER_S };
    Load { stall: Some(stall), ..Load::default() }
}

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * expected, "{what}: {found}, expected {expected}");
}

/// 100 requests a second of 1 ms each, frozen for the second 100 of 200 seconds (Tene's example). Requests are answered independently:
/// 10,000 take 1 ms; request k of the frozen half (k = 0 to 9,999) takes 100.001 − 0.01·k s. Mean (10 + 500,060)/20,000 = 25.0035 s; the
/// 19,800th of 20,000 is k = 200's, 98.001 s. Percentiles to a thousandth (the histogram), the mean exactly.
#[test]
fn golden_stall_counted_from_due() {
    let open = Load { scorers: 10_000, clients: 10_000, ..frozen_for_the_second_half() }.open();
    let latency = open.latency.unwrap();
    assert_eq!((open.latency_from, latency.count), (Origin::Due, 20_000));
    near(latency.mean_ns, 25.003_5e9, 1e-9, "mean");
    near(latency.p50_ns as f64, 1e6, 1e-3, "p50");
    near(latency.p99_ns as f64, 98.001e9, 1e-3, "p99");
    assert_eq!(latency.max_ns, 100_001_000_000);
    assert_eq!(open.depth.max, 10_000);
}

/// The same with one scorer, which then has 10,000 requests of 1 ms in its queue: request k takes 100.001 − 0.009·k s. Mean
/// (10 + 550,055)/20,000 = 27.50325 s; p99 is 98.201 s.
#[test]
fn golden_stall_with_a_queue_to_work_off() {
    let open = frozen_for_the_second_half().open();
    let latency = open.latency.unwrap();
    near(latency.mean_ns, 27.503_25e9, 1e-9, "mean");
    near(latency.p99_ns as f64, 98.201e9, 1e-3, "p99");
    // The scorer itself looks well: of 20,000 requests, one took long.
    near(open.service.unwrap().p99_ns as f64, 1e6, 1e-3, "service");
    near(open.service.unwrap().mean_ns, (19_999.0 * 0.001 + 100.001) * 1e9 / 20_000.0, 1e-9, "service");
    // Finished in the measured time: the first half only. The last interval is the ten seconds after it.
    assert_eq!((open.counts.finished_in_time, open.counts.answered), (10_000, 20_000));
    let last = open.intervals.last().unwrap();
    near(last.length_s, 10.0, 1e-9, "the time after it");
    assert_eq!((open.intervals.len(), last.finished), (201, 10_000));
}

/// A client that waits sends 10,000 requests of 1 ms and one of 100.001 s, and finds a mean of (10 + 100.001)/10,001 s = 10.999 ms.
#[test]
fn golden_stall_of_a_closed_loop_omits_the_waiting_requests() {
    let closed = frozen_for_the_second_half().closed(true);
    let latency = closed.latency.unwrap();
    assert_eq!((closed.latency_from, latency.count), (Origin::Sent, 10_001));
    near(latency.mean_ns, 110.001e9 / 10_001.0, 1e-9, "mean");
    near(latency.p99_9_ns as f64, 1e6, 1e-3, "p99.9");
    assert_eq!(latency.max_ns, 100_001_000_000);
}

/// Three clients that ask again at once keep one scorer busy: each waits for the two others.
#[test]
fn clients_that_ask_at_once_share_the_scorer() {
    let closed = Load { clients: 3, measured_s: 10, warm_up_s: 1, ..Load::default() }.closed(false);
    near(closed.achieved_per_s, 1_000.0, 1e-3, "rate");
    near(closed.latency.unwrap().mean_ns, 3e6, 1e-6, "latency");
    near(closed.depth.mean, 3.0, 1e-6, "depth");
    assert_eq!((closed.counts.dropped, closed.counts.unanswered), (0, 0));
}

/// M/M/1/K, K = 4 at ρ = 1.25: the share turned away is (1 − ρ)ρᴷ/(1 − ρᴷ⁺¹) = 0.29749; L = 2.56.
#[test]
fn a_full_queue_drops_the_share_of_theory() {
    let run = |seed| {
        let load = Load {
            per_second: 1_250.0,
            process: ArrivalProcess::Poisson,
            service: ServiceTime::Exponential(MS),
            clients: 10,
            warm_up_s: 1,
            measured_s: 100,
            queue_capacity: 4,
            seed,
            ..Load::default()
        };
        load.open()
    };
    let runs: Vec<Measured> = (1..=10).map(run).collect();
    for run in &runs {
        let counts = run.counts;
        assert_eq!(counts.offered, counts.answered + counts.dropped);
        assert_eq!((run.depth.max, counts.unanswered), (4, 0));
        assert_eq!(run.intervals.iter().map(|interval| interval.offered).sum::<u64>(), counts.offered);
        assert_eq!(run.intervals.iter().map(|interval| interval.dropped).sum::<u64>(), counts.dropped);
    }
    let (rho, k) = (1.25_f64, 4.0);
    let turned_away = (1.0 - rho) * math::pow(rho, k) / (1.0 - math::pow(rho, k + 1.0));
    let weights: Vec<f64> = (0..=4).map(|n| math::pow(rho, f64::from(n))).collect();
    let depth = weights.iter().zip(0..).map(|(weight, n)| weight * f64::from(n)).sum::<f64>()
        / weights.iter().sum::<f64>();
    let shares: Vec<f64> =
        runs.iter().map(|run| run.counts.dropped as f64 / run.counts.offered as f64).collect();
    let depths: Vec<f64> = runs.iter().map(|run| run.depth.mean).collect();
    for (values, theory) in [(shares, turned_away), (depths, depth)] {
        let (found, error) = estimate(&values);
        assert!((found - theory).abs() < 4.0 * error && error < 0.01 * theory, "{found} ± {error}, {theory}");
    }
}

/// For M/M/1, p99 is ln 100/(μ − λ): five times that of 100 requests a second at 820, where the knee must be found.
#[test]
fn the_knee_of_m_m_1_is_where_p99_has_grown_fivefold() {
    let step = |n: u32| {
        let rate = 100.0 + 50.0 * f64::from(n);
        let load = Load {
            per_second: rate,
            process: ArrivalProcess::Poisson,
            service: ServiceTime::Exponential(MS),
            clients: 10,
            warm_up_s: 10,
            measured_s: 400,
            queue_capacity: 10_000,
            ..Load::default()
        };
        RateStep::from_measured(rate, &load.open())
    };
    let steps: Vec<RateStep> = (0..=20).map(step).collect();
    let found = knee(&steps, KneeRule::default());
    let (sustained, overloaded) = (found.sustained_per_s.unwrap(), found.overloaded_per_s.unwrap());
    assert!((750.0..=850.0).contains(&sustained) && (800.0..=900.0).contains(&overloaded), "{found:?}");
    near(found.achieved_max_per_s, 1_000.0, 0.02, "capacity");
}

/// Intervals are reported in order, and each measured request is in one of them.
#[test]
fn intervals_hold_every_request_once() {
    let load = Load { warm_up_s: 3, measured_s: 20, stall: None, ..frozen_for_the_second_half() };
    let (mut target, plan, settings) = load.parts();
    let (mut reported, mut last) = (0, -1.0);
    let mut take = |interval: &morta_load::generator::Interval,
                    latencies: &morta_load::generator::Latencies| {
        assert!(interval.start_s > last);
        last = interval.start_s;
        reported += latencies.count();
    };
    let measured = open_loop(&mut target, &plan, &settings, &mut take).unwrap();
    assert_eq!((measured.counts.warm_up, measured.counts.offered, reported), (300, 2_000, 2_000));
    assert_eq!(measured.intervals.iter().map(|interval| interval.finished).sum::<u64>(), 2_000);
}
