//! A stretch of the measured time.

use crate::generator::{Latencies, seconds};
use serde::{Deserialize, Serialize};

/// What happened in one stretch of the measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// When it began, seconds after the warm-up.
    pub start_s: f64,
    /// How long it is, seconds.
    pub length_s: f64,
    /// Requests due in it.
    pub offered: u64,
    /// Requests that were finished in it, those of the warm-up included.
    pub finished: u64,
    /// Of its requests, those that found the queue full.
    pub dropped: u64,
    /// Requests waiting or being scored, mean over its time.
    pub depth_mean: f64,
    /// The most of them at once.
    pub depth_max: u64,
    /// Median latency of the measured requests that were finished in it, ns.
    pub p50_ns: Option<u64>,
    /// 99th percentile of the same.
    pub p99_ns: Option<u64>,
    /// The longest of the same.
    pub max_ns: Option<u64>,
}

impl Interval {
    /// An empty one between two moments after the warm-up, ns.
    pub(crate) fn between(start_ns: u64, end_ns: u64) -> Self {
        Self {
            start_s: seconds(start_ns),
            length_s: seconds(end_ns.saturating_sub(start_ns)),
            ..Self::default()
        }
    }

    /// Notes what its requests took.
    pub(crate) fn close(&mut self, latencies: &Latencies) {
        if latencies.count() > 0 {
            self.p50_ns = Some(latencies.at_share(0.5));
            self.p99_ns = Some(latencies.at_share(0.99));
            self.max_ns = Some(latencies.at_share(1.0));
        }
    }
}
