//! Figures of one interval of the measurement (time window, by default a second): counts, queue depth and latency percentiles. It exists
//! because a mean over the whole load would hide a stall or a warming cache; latencies are nanoseconds. They are curves of the page and
//! decide nothing, the knee included; the HDR log has a line for each in which a counted request was finished.

use crate::generator::{Latencies, seconds};
use serde::{Deserialize, Serialize};

/// The figures of one interval of the measurement (time window statistics, interval statistics of a time bucket: throughput).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its beginning, seconds after the warm-up.
    pub start_s: f64,
    /// Its length, seconds.
    pub length_s: f64,
    /// Requests due in it.
    pub offered: u64,
    /// Requests that were finished in it, those of the warm-up included.
    pub finished: u64,
    /// Requests due in it that found the queue full.
    pub dropped: u64,
    /// Mean number of requests that waited or were being scored, over its time.
    pub depth_mean: f64,
    /// The largest number of requests that waited or were being scored at once.
    pub depth_max: u64,
    /// Median latency of the counted requests that were finished in it, ns; `None` without any.
    pub p50_ns: Option<u64>,
    /// 99th percentile of these latencies, ns; `None` without any.
    pub p99_ns: Option<u64>,
    /// The longest of these latencies, ns; `None` without any.
    pub max_ns: Option<u64>,
}

impl Interval {
    /// An interval without requests between two moments, ns after the warm-up.
    pub(crate) fn between(start_ns: u64, end_ns: u64) -> Self {
        Self {
            start_s: seconds(start_ns),
            length_s: seconds(end_ns.saturating_sub(start_ns)),
            ..Self::default()
        }
    }

    /// Writes the percentiles of its requests' latencies; without requests they stay `None`.
    pub(crate) fn close(&mut self, latencies: &Latencies) {
        if latencies.count() > 0 {
            self.p50_ns = Some(latencies.at_share(0.5));
            self.p99_ns = Some(latencies.at_share(0.99));
            self.max_ns = Some(latencies.at_share(1.0));
        }
    }
}
