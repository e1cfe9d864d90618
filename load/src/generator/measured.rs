//! The figures of one load. They are throughput, latency percentiles in nanoseconds, queue depth and counts. Times are seconds where a name
//! ends in `_s`. The warm-up is apart, because queues begin empty. Latency from the due time is free of coordinated omission. A generator
//! that is late by more than a tenth of the latency (99th percentiles) gives a warning, and the figures stay.

use crate::generator::{Interval, LatencySummary, SharePoint};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The moment that a latency is counted from (start time, the reference point of a latency).
    pub enum Origin {
        /// The due time of the request: no delay is omitted.
        Due = "due",
        /// The sending of the request: delays of requests that a slow server kept from being sent are omitted.
        Sent = "sent",
    }
}

/// Counts of requests by what became of them. For the measurement, offered = answered + dropped + unanswered, so that no request can be
/// lost from the figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Requests sent or dropped before the measurement. They count in no other field, except `finished_in_time`, because queues begin empty.
    pub warm_up: u64,
    /// Requests due in the measurement.
    pub offered: u64,
    /// Offered requests that were answered, however late.
    pub answered: u64,
    /// Offered requests that were dropped by a full queue.
    pub dropped: u64,
    /// Offered requests without an answer; 0 unless the load was interrupted.
    pub unanswered: u64,
    /// Requests finished within the measurement, those of the warm-up included, because throughput counts finished work whenever it was sent.
    pub finished_in_time: u64,
}

/// Number of requests that wait or are being scored, over all scorers (queue depth).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Depth {
    /// Mean over the measurement.
    pub mean: f64,
    /// Maximum over the measurement.
    pub max: u64,
}

/// The result of one load: throughput, latencies, queue depth and counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The measurement, seconds; shorter than requested when the load was interrupted.
    pub measured_s: f64,
    /// Whether the load was stopped before its end.
    pub interrupted: bool,
    /// The moment that latencies are counted from.
    pub latency_from: Origin,
    /// Counts of requests.
    pub counts: Counts,
    /// Requests due a second.
    pub offered_per_s: f64,
    /// Throughput: requests finished a second, within the measurement. It is held against the offered rate, because it falls below it at
    /// saturation.
    pub achieved_per_s: f64,
    /// Latency: from due (or sent) to finished; `None` without answers.
    pub latency: Option<LatencySummary>,
    /// Service time: from started to finished, the time of the scorer itself.
    pub service: Option<LatencySummary>,
    /// Time in the queue: from sent to started.
    pub waiting: Option<LatencySummary>,
    /// Lag: from due to sent, the delay of the generator itself. Dropped requests count, because their lag is known too.
    pub lag: Option<LatencySummary>,
    /// Queue depth over the measurement.
    pub depth: Depth,
    /// The distribution of latencies.
    pub latency_distribution: Vec<SharePoint>,
    /// The distribution of service times.
    pub service_distribution: Vec<SharePoint>,
    /// The intervals of the measurement. One more without offered requests follows when requests were answered after its end, because they
    /// would otherwise be missing from the log.
    pub intervals: Vec<Interval>,
}

/// The largest ratio of the generator's 99th percentile of lag to that of latency without a warning. Our choice: beyond a tenth the generator's
/// own delay would be a visible part of every percentile.
const LAG_SHARE_MAX: f64 = 0.1;

impl Measured {
    /// The ratio of the generator's 99th percentile of lag to that of latency, if it is above a tenth and the figures can't be trusted; `None`
    /// otherwise (generator lag).
    pub(crate) fn generator_share(&self) -> Option<f64> {
        let (lag, latency) = (self.lag?, self.latency?);
        let share = lag.p99_ns as f64 / latency.p99_ns.max(1) as f64;
        (share > LAG_SHARE_MAX).then_some(share)
    }
}
