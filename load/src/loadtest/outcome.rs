//! The result of a load test, as it is written: its settings and its figures. It is the JSON report of a benchmark: rates are
//! requests a second, latencies nanoseconds. The rule of the knee is in it, because another rule would give another knee. The loop is an
//! open loop or a closed loop; only an open loop's sweep has a knee. Warnings are doubts about the figures and stop nothing.

use super::asked::LoadTestSettings;
use crate::generator::{Counts, Knee, KneeRule, Measured, RateStep, ServiceTime, knee};
use morta_lab::provenance::Build;
use serde::{Deserialize, Serialize};
use std::time::SystemTime;

/// Number of the file's layout; it is raised when the layout changes.
pub(super) const FORMAT: u32 = 1;

morta_base::words! {
    /// Whether clients wait for their answers: an open loop or a closed loop.
    pub enum LoopKind {
        /// Clients don't wait: requests are sent when they are due.
        Open = "open",
        /// Each client waits for its answer before it sends again.
        Closed = "closed",
    }
}

/// The Grimoires that were scored (benchmark subject).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ScoredSubject {
    /// Synthetic Grimoires.
    Made {
        /// Number of Grimoires.
        buffers: u32,
        /// Episodes of each Grimoire.
        episodes: u32,
        /// Dimensions of each embedding.
        dimensions: u32,
        /// Number of best episodes that a request selects.
        places: u32,
    },
    /// Grimoires of a scenario's golems.
    Lived {
        /// The scenario's name.
        scenario: String,
        /// Its seed.
        seed: u64,
        /// Ticks that the scenario was run for.
        ticks: u64,
        /// Number of Grimoires with at least one episode.
        buffers: u32,
        /// Episodes of the smallest Grimoire: with the largest it bounds a request's work, because scoring is linear in them.
        episodes_min: u32,
        /// Episodes of the largest Grimoire.
        episodes_max: u32,
        /// Mean number of episodes of a Grimoire.
        episodes_mean: f64,
        /// Dimensions of each embedding.
        dimensions: u32,
        /// The least number of best episodes that a request selects.
        places_min: u32,
        /// The largest number of best episodes that a request selects.
        places_max: u32,
    },
    /// No Grimoires: scorers were simulated.
    Simulated {
        /// Number of clients.
        buffers: u32,
        /// The service time of a request.
        service: ServiceTime,
        /// The stalls of scorers: from and to, seconds of the measurement.
        stalls_s: Vec<(f64, f64)>,
    },
}

/// The figures of one step of a rate sweep: target rate, throughput and latencies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredStep {
    /// The requested rate, requests a second; `None` when each client sent again as soon as it had its answer.
    pub rate_per_s: Option<f64>,
    /// The figures of the load.
    pub measured: Measured,
}

/// When and how a load test was started: start time and command line.
#[derive(Clone, Debug, Default)]
pub struct LoadTestStart {
    /// The command or the call that repeats it.
    pub command: String,
    /// The time of the start. `None` for a simulation, because its files must be the same whenever it is run.
    pub at: Option<SystemTime>,
}

/// The result of a load test (benchmark report), as it is serialized into `loadtest.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadTest {
    /// Number of the file's layout.
    pub format: u32,
    /// Identity of the program's build.
    pub build: String,
    /// The command or the call that repeats it.
    pub command: String,
    /// The time of the start; `None` for a simulation.
    pub started_at: Option<String>,
    /// Cores of the machine; `None` for a simulation, whose figures don't depend on them.
    pub cores: Option<u32>,
    /// The settings.
    pub asked: LoadTestSettings,
    /// The Grimoires that were scored.
    pub subject: ScoredSubject,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// The figures of each rate.
    pub steps: Vec<MeasuredStep>,
    /// The knee; `None` without a sweep, or where its first rate was interrupted.
    pub knee: Option<Knee>,
    /// Reasons to doubt the figures.
    pub warnings: Vec<String>,
}

/// The fewest requests beyond a percentile without a warning. Our choice: with 10, chance moves their number by about a third (1/√10).
const TAIL_MIN: f64 = 10.0;

impl LoadTest {
    /// Makes the report of a load test from its settings and the figures of its rates. An interrupted rate doesn't count for the knee.
    pub fn of(
        asked: LoadTestSettings,
        subject: ScoredSubject,
        steps: Vec<MeasuredStep>,
        started: LoadTestStart,
    ) -> Self {
        let rates: Vec<RateStep> = steps
            .iter()
            .filter(|step| !step.measured.interrupted)
            .filter_map(|step| Some(RateStep::from_measured(step.rate_per_s?, &step.measured)))
            .collect();
        let is_sweep = asked.rates.len() > 1;
        let interrupted =
            steps.len() < asked.rates.len().max(1) || steps.iter().any(|step| step.measured.interrupted);
        let warnings = warnings(&asked, &steps);
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        Self {
            format: FORMAT,
            build: Build::identity(),
            command: started.command,
            cores: started.at.map(|_| cores),
            started_at: started
                .at
                .and_then(|time| jiff::Timestamp::try_from(time).ok())
                .map(|time| time.to_string()),
            asked,
            subject,
            interrupted,
            knee: (is_sweep && !rates.is_empty()).then(|| knee(&rates, KneeRule::default())),
            steps,
            warnings,
        }
    }

    /// The total counts of all rates.
    pub fn totals(&self) -> Counts {
        self.steps.iter().fold(Counts::default(), |sum, step| {
            let own = step.measured.counts;
            Counts {
                warm_up: sum.warm_up + own.warm_up,
                offered: sum.offered + own.offered,
                answered: sum.answered + own.answered,
                dropped: sum.dropped + own.dropped,
                unanswered: sum.unanswered + own.unanswered,
                finished_in_time: sum.finished_in_time + own.finished_in_time,
            }
        })
    }
}

fn warnings(asked: &LoadTestSettings, steps: &[MeasuredStep]) -> Vec<String> {
    let mut warnings = Vec::new();
    if asked.mode == LoopKind::Closed {
        warnings.push(
            "closed mode counts from sending and omits the requests that a slow scorer kept from being sent: these \
             percentiles are not what clients of an open system would see"
                .to_owned(),
        );
    }
    for step in steps {
        let measured = &step.measured;
        let at = match step.rate_per_s {
            Some(rate) if steps.len() > 1 => format!("at {} ", super::text::rate(rate)),
            _ => String::new(),
        };
        if let Some(share) = measured.generator_share() {
            let lag = measured.lag.map_or(0.0, |lag| lag.p99_ns as f64);
            warnings.push(format!(
                "{at}the generator itself was late: its p99 lag of {} is {:.0} % of the p99 latency; give it a core of its own \
                 (fewer --scorers), or ask for less",
                super::duration::formatted(lag),
                100.0 * share
            ));
        }
        let Some(latency) = &measured.latency else {
            warnings.push(format!("{at}no measured request was answered: there are no percentiles"));
            continue;
        };
        let thin = [("p99.99", 1e-4), ("p99.9", 1e-3), ("p99", 1e-2)];
        let thin: Vec<&str> = thin
            .iter()
            .filter(|(_, beyond)| latency.count as f64 * beyond < TAIL_MIN)
            .map(|(name, _)| *name)
            .collect();
        if !thin.is_empty() && steps.len() == 1 {
            warnings.push(format!(
                "of {} answers fewer than {TAIL_MIN:.0} lie beyond {}: take it as a rough figure, or measure for longer",
                latency.count,
                thin.join(" and ")
            ));
        }
    }
    warnings
}
