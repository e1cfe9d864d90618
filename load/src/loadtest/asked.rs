//! The settings of a load test (benchmark settings), and the choice of rates for a rate sweep. Times are nanoseconds, rates are
//! requests a second. They are checked once by `check`, so that nothing after them has to refuse; they are written into the result, so that
//! the load can be repeated. An open loop without rates gets them late, from the command: it measures the capacity and calls `sweep_about`.

use super::outcome::LoopKind;
use crate::generator::{ArrivalProcess, LoadSettings, ServiceTime, Stall, seconds};
use serde::{Deserialize, Serialize};

/// The checked settings of a load test: open or closed loop, arrival process, rates, warm-up, duration, scorers, queue capacity. `check`
/// makes them and refuses impossible ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadTestSettings {
    /// Whether clients wait for their answers.
    pub mode: LoopKind,
    /// The process of arrivals.
    pub arrivals: ArrivalProcess,
    /// Rates, requests a second; empty when each client sends again as soon as it has its answer.
    pub rates: Vec<f64>,
    /// The capacity by which the rates were chosen, requests a second; `None` when the user gave rates. It is the rate at which clients that send
    /// again at once are answered, because an open loop beyond it can only queue.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at_once_per_s: Option<f64>,
    /// Times, scorers and the room in their queues, which hold for every rate.
    #[serde(flatten)]
    pub load: LoadSettings,
    /// Seed of the arrival plan, of synthetic Grimoires and of simulated service times.
    pub seed: u64,
    /// The synthetic Grimoires, or the clients of simulated scorers; `None` for Grimoires of a scenario.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub made: Option<MadeGrimoires>,
    /// The service time of simulated scorers; `None` for real ones.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub service: Option<ServiceTime>,
    /// The stalls of simulated scorers, in ns since the beginning of the measurement: one in the warm-up would show nowhere.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stalls: Vec<Stall>,
}

/// The number and size of synthetic Grimoires (synthetic workload). A simulation uses only the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeGrimoires {
    /// Number of Grimoires, one for each client.
    pub buffers: u32,
    /// Episodes in each Grimoire.
    pub episodes: u32,
    /// Dimensions of each embedding.
    pub dimensions: u32,
}

impl LoadTestSettings {
    /// Whether scorers are simulated.
    pub const fn is_simulated(&self) -> bool {
        self.service.is_some()
    }

    /// Whether an open loop still needs rates, which are then chosen by a measured capacity.
    pub fn lacks_rates(&self) -> bool {
        self.mode == LoopKind::Open && self.rates.is_empty()
    }

    /// Chooses the rates of a sweep around a measured capacity: from 10 % to 120 % of it (rate sweep). Our choice, so that the first rate
    /// hardly queues and the last is beyond the knee. Both ends are kept between one request a measurement and the smaller of `RATE_MAX`
    /// and what `REQUESTS_MAX` leaves, the warm-up included. `steps` is at least 2.
    pub fn sweep_about(&mut self, at_once_per_s: f64, steps: u32) {
        self.at_once_per_s = Some(at_once_per_s);
        let most = RATE_MAX.min(REQUESTS_MAX / seconds(self.load.end_ns()));
        // At least one request must be due, or there would be no percentile.
        let least = 1.0 / seconds(self.load.measured_ns);
        let end = |share: f64| rounded(share * at_once_per_s).max(least).min(most);
        self.rates = evenly(end(0.1), end(1.2), steps);
    }

    /// The total duration of the load over all rates, seconds.
    pub fn seconds_in_all(&self) -> f64 {
        self.rates.len().max(1) as f64 * seconds(self.load.end_ns())
    }
}

/// The highest rate, requests a second. Beyond it due times would be less than 100 ns apart, which is closer than a clock can be read.
pub(crate) const RATE_MAX: f64 = 1e7;
/// The most requests of one rate, those of the warm-up included. Our choice: a day at more than 10,000 a second.
pub(crate) const REQUESTS_MAX: f64 = 1e9;

/// Rounds a rate to two significant digits, so that chosen rates are easy to read and to give again; 0 stays 0.
pub(super) fn rounded(rate: f64) -> f64 {
    let unit = if rate > 0.0 { 10_f64.powi(rate.log10().floor() as i32 - 1) } else { 1.0 };
    (rate / unit).round() * unit
}

/// Spaces `steps` rates evenly from `low` to `high`, both included; at least two steps (linear spacing).
pub(super) fn evenly(low: f64, high: f64, steps: u32) -> Vec<f64> {
    let last = f64::from(steps - 1);
    (0..steps).map(|n| low + (high - low) * f64::from(n) / last).collect()
}
