//! Load tests without a clock of their own: due times of requests, their clients, their latencies, and the knee where saturation begins.
//!
//! A generator ([`open_loop`], [`closed_loop`]) puts its load on a [`LoadTarget`], which has the clock and the scorers. Actors are one
//! target, [`SimulatedScorers`] in virtual time another. The generator and the bookkeeping are the same code for both, so that tests of the
//! simulated target against queueing theory hold for the real one. Times are nanoseconds since the load began.
//!
//! In an open loop a request is due whether or not earlier ones have been answered, and its latency counts from its due time. A test that
//! counts from sending instead, or waits for answers before it sends more, omits the requests that a slow server kept from being sent
//! ("coordinated omission", Tene 2013).

mod arrival;
mod depth;
mod drive;
mod interval;
mod knee;
mod latency;
mod measured;
mod recorder;
mod service;
mod simulated;
mod target;

pub use arrival::{Arrival, ArrivalPlan, ArrivalProcess, Arrivals};
pub use drive::{ClosedPlan, LoadSettings, OnInterval, closed_loop, open_loop};
pub use interval::Interval;
pub use knee::{Knee, KneeRule, Overload, RateStep, SHORTFALL_MIN, knee};
pub use latency::{Latencies, LatencySummary, SharePoint};
pub use measured::{Counts, Depth, Measured, Origin};
pub use service::{ServiceTime, Stall};
pub use simulated::SimulatedScorers;
pub use target::{Answer, LoadTarget, Request};

/// Nanoseconds in a second.
pub const NS_PER_S: u64 = 1_000_000_000;

/// Converts nanoseconds to seconds (time unit conversion).
pub fn seconds(ns: u64) -> f64 {
    ns as f64 / NS_PER_S as f64
}
