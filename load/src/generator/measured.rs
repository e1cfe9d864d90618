//! What a load test found.

use crate::generator::{Interval, LatencySummary, SharePoint};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// From when a latency counts.
    pub enum Origin {
        /// From when the request was due: nothing is omitted.
        Due = "due",
        /// From when it was sent: what a slow server kept from being sent is omitted.
        Sent = "sent",
    }
}

/// Where requests went. Those of the measured time add up: offered = answered + dropped + unanswered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Sent or dropped before the measured time; in no other figure.
    pub warm_up: u64,
    /// Due in the measured time.
    pub offered: u64,
    /// Of those, answered, however late.
    pub answered: u64,
    /// Of those, turned away by a full queue.
    pub dropped: u64,
    /// Of those, without an answer when the load was ended before its time.
    pub unanswered: u64,
    /// Finished within the measured time, requests of the warm-up included.
    pub finished_in_time: u64,
}

/// Requests waiting or being scored, over all scorers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Depth {
    /// Mean over the measured time.
    pub mean: f64,
    /// The most at once.
    pub max: u64,
}

/// What came of a load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The measured time, seconds; shorter than asked for when the load was ended before its time.
    pub measured_s: f64,
    /// Whether the load was ended before its time.
    pub interrupted: bool,
    /// From when latencies count.
    pub latency_from: Origin,
    /// Where requests went.
    pub counts: Counts,
    /// Requests due a second.
    pub offered_per_s: f64,
    /// Requests finished a second, within the measured time.
    pub achieved_per_s: f64,
    /// From due (or sent) to finished.
    pub latency: Option<LatencySummary>,
    /// From begun to finished: what the scorer itself took.
    pub service: Option<LatencySummary>,
    /// From sent to begun.
    pub waiting: Option<LatencySummary>,
    /// From due to sent: how late the generator itself was, for requests it dropped too.
    pub lag: Option<LatencySummary>,
    /// Requests waiting or being scored.
    pub depth: Depth,
    /// The distribution of latencies.
    pub latency_distribution: Vec<SharePoint>,
    /// The distribution of service times.
    pub service_distribution: Vec<SharePoint>,
    /// The measured time, stretch by stretch; a last one without offers is the time after it in which the rest was answered.
    pub intervals: Vec<Interval>,
}

/// Share of the 99th percentile of latency that the generator's own 99th percentile may be.
const LAG_SHARE_MAX: f64 = 0.1;

impl Measured {
    /// How large the generator's 99th percentile of lag is against that of latency, when it is large enough to spoil the figures.
    pub fn generator_share(&self) -> Option<f64> {
        let (lag, latency) = (self.lag?, self.latency?);
        let share = lag.p99_ns as f64 / latency.p99_ns.max(1) as f64;
        (share > LAG_SHARE_MAX).then_some(share)
    }
}
