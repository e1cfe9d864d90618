//! What a load test is told as: everything that was asked, and everything that was found.

use super::asked::LoadTestSettings;
use crate::generator::{Counts, Knee, KneeRule, Measured, RateStep, ServiceTime, knee};
use morta_lab::provenance::Build;
use serde::{Deserialize, Serialize};
use std::time::SystemTime;

/// The layout of the file; grows when it changes.
pub const FORMAT: u32 = 1;

morta_base::words! {
    /// How clients behave.
    pub enum LoopKind {
        /// They don't wait.
        Open = "open",
        /// They do.
        Closed = "closed",
    }
}

/// What was scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ScoredSubject {
    /// Grimoires that were made.
    Made {
        /// Grimoires.
        buffers: u32,
        /// Episodes of each.
        episodes: u32,
        /// Numbers of each embedding.
        dimensions: u32,
        /// How many of the best were asked for.
        places: u32,
    },
    /// Those of a scenario's golems.
    Lived {
        /// The scenario's name.
        scenario: String,
        /// Its seed.
        seed: u64,
        /// Ticks lived.
        ticks: u64,
        /// Grimoires that hold anything.
        buffers: u32,
        /// Episodes of the smallest.
        episodes_min: u32,
        /// Of the largest.
        episodes_max: u32,
        /// Of all of them.
        episodes_mean: f64,
        /// Numbers of each embedding.
        dimensions: u32,
        /// The fewest of the best that were asked for.
        places_min: u32,
        /// The most.
        places_max: u32,
    },
    /// None: scorers were simulated.
    Simulated {
        /// Clients.
        buffers: u32,
        /// How long a request took.
        service: ServiceTime,
        /// When scorers stood still, seconds of the measured time.
        stalls_s: Vec<(f64, f64)>,
    },
}

/// One rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredStep {
    /// The rate asked for, requests a second; none when clients asked again at once.
    pub rate_per_s: Option<f64>,
    /// What came of it.
    pub measured: Measured,
}

/// How a load test was begun.
#[derive(Clone, Debug, Default)]
pub struct LoadTestStart {
    /// The command or the call, ready to be given again.
    pub command: String,
    /// When; none for a simulation, which could have been at any time.
    pub at: Option<SystemTime>,
}

/// A load test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadTest {
    /// Layout of this file.
    pub format: u32,
    /// The program.
    pub build: String,
    /// What was typed.
    pub command: String,
    /// When it began; none for a simulation, which could have been at any time.
    pub started_at: Option<String>,
    /// Cores of the machine; none for a simulation.
    pub cores: Option<u32>,
    /// What was asked.
    pub asked: LoadTestSettings,
    /// What was scored.
    pub subject: ScoredSubject,
    /// Whether it was ended before its time.
    pub interrupted: bool,
    /// What came of each rate.
    pub steps: Vec<MeasuredStep>,
    /// Where saturation begins; only of a sweep.
    pub knee: Option<Knee>,
    /// What to keep in mind when reading the figures.
    pub warnings: Vec<String>,
}

/// So many requests must lie beyond a percentile for it to say much.
const TAIL_MIN: f64 = 10.0;

impl LoadTest {
    /// Puts it together.
    pub fn of(
        asked: LoadTestSettings,
        subject: ScoredSubject,
        steps: Vec<MeasuredStep>,
        started: LoadTestStart,
    ) -> Self {
        let rates: Vec<RateStep> = steps
            .iter()
            .filter(|step| !step.measured.interrupted)
            .filter_map(|step| Some(RateStep::of(step.rate_per_s?, &step.measured)))
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

    /// The counts of all rates together.
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
                super::duration::told(lag),
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
