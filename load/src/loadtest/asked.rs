//! What a load test is asked to do.

use super::outcome::LoopKind;
use crate::generator::{ArrivalProcess, ServiceTime, Stall, seconds};
use serde::{Deserialize, Serialize};

/// What was asked, and found possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadTestSettings {
    /// Whether clients wait for their answers.
    pub mode: LoopKind,
    /// How requests follow each other.
    pub arrivals: ArrivalProcess,
    /// Rates, requests a second; none when clients ask again at once.
    pub rates: Vec<f64>,
    /// What the rates were found from when none were given: requests answered a second to clients that ask again at once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at_once_per_s: Option<f64>,
    /// Time under load before the measured time, ns.
    pub warm_up_ns: u64,
    /// The measured time, ns.
    pub measured_ns: u64,
    /// Length of an interval, ns.
    pub interval_ns: u64,
    /// How many scorers there are, each with a thread and a queue of its own.
    pub scorers: u32,
    /// Most requests at one scorer.
    pub queue_capacity: u32,
    /// Seed of the arrival plan and of the Grimoires that were made.
    pub seed: u64,
    /// What was made, or who was simulated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub made: Option<MadeGrimoires>,
    /// The law of simulated scorers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub service: Option<ServiceTime>,
    /// When simulated scorers stand still, from the beginning of the measured time.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stalls: Vec<Stall>,
}

/// Grimoires to make; of a simulation, only how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeGrimoires {
    /// Grimoires.
    pub buffers: u32,
    /// Episodes in each Grimoire.
    pub episodes: u32,
    /// Numbers of each embedding.
    pub dimensions: u32,
}

impl LoadTestSettings {
    /// Whether scorers are simulated.
    pub const fn is_simulated(&self) -> bool {
        self.service.is_some()
    }

    /// Whether an open loop still needs rates.
    pub fn lacks_rates(&self) -> bool {
        self.mode == LoopKind::Open && self.rates.is_empty()
    }

    /// Rates about what clients are answered that ask again at once: from a tenth of it to a fifth more.
    pub fn sweep_about(&mut self, at_once_per_s: f64, steps: u32) {
        self.at_once_per_s = Some(at_once_per_s);
        let most = RATE_MAX.min(REQUESTS_MAX / seconds(self.warm_up_ns + self.measured_ns));
        // At least one request has to be due.
        let least = 1.0 / seconds(self.measured_ns);
        let end = |share: f64| rounded(share * at_once_per_s).max(least).min(most);
        self.rates = evenly(end(0.1), end(1.2), steps);
    }

    /// All the time under load, seconds.
    pub fn seconds_in_all(&self) -> f64 {
        self.rates.len().max(1) as f64 * seconds(self.warm_up_ns + self.measured_ns)
    }
}

/// Beyond that, due times would be closer together than a clock can be read.
pub const RATE_MAX: f64 = 1e7;
/// Most requests of one rate: a day at more than ten thousand a second.
pub const REQUESTS_MAX: f64 = 1e9;

/// To two significant digits.
pub fn rounded(rate: f64) -> f64 {
    let unit = if rate > 0.0 { 10_f64.powi(rate.log10().floor() as i32 - 1) } else { 1.0 };
    (rate / unit).round() * unit
}

/// So many rates at equal distances.
pub fn evenly(low: f64, high: f64, steps: u32) -> Vec<f64> {
    let last = f64::from(steps - 1);
    (0..steps).map(|n| low + (high - low) * f64::from(n) / last).collect()
}
