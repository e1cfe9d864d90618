//! The knee of a sweep of rates: the highest rate that is sustained before saturation begins. It is saturation detection
//! (maximum sustainable throughput). Rates are requests a second, shares 0 to 1. It is a rule with stated limits, because a knee that is
//! read off a plot depends on its axes. The caller gives the steps by ascending rate, in an open loop only, and leaves out a rate that was
//! interrupted.

use crate::generator::Measured;
use serde::{Deserialize, Serialize};

/// The figures of one rate of a sweep that decide whether it is sustained (throughput and latency at a rate).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RateStep {
    /// The requested rate, requests a second.
    pub rate_per_s: f64,
    /// Requests due.
    pub offered: u64,
    /// Requests dropped by a full queue.
    pub dropped: u64,
    /// Requests finished within the measurement. Later ones don't count, because a queue that is worked off afterwards was overload all the
    /// same.
    pub finished_in_time: u64,
    /// Requests finished a second.
    pub achieved_per_s: f64,
    /// 99th percentile of latency, ns; none when nothing was answered.
    pub p99_ns: Option<u64>,
}

impl RateStep {
    /// Takes the step of a load at a requested rate from its figures.
    pub fn from_measured(rate_per_s: f64, measured: &Measured) -> Self {
        Self {
            rate_per_s,
            offered: measured.counts.offered,
            dropped: measured.counts.dropped,
            finished_in_time: measured.counts.finished_in_time,
            achieved_per_s: measured.achieved_per_s,
            p99_ns: measured.latency.map(|latency| latency.p99_ns),
        }
    }
}

/// The limits beyond which a rate isn't sustained (saturation criteria). The values are our choice, because the field has no standard knee; a
/// result holds the rule that it was found by.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KneeRule {
    /// The largest share of requests that may be dropped.
    pub dropped_share_max: f64,
    /// The largest share of due requests that may be unfinished at the end of the measurement. Up to [`SHORTFALL_MIN`] may be, whatever the
    /// share, because a few are always under way.
    pub shortfall_share_max: f64,
    /// The largest ratio of the 99th percentile of latency to that of the lowest rate.
    pub slowdown_max: f64,
}

impl Default for KneeRule {
    fn default() -> Self {
        Self { dropped_share_max: 0.001, shortfall_share_max: 0.05, slowdown_max: 5.0 }
    }
}

/// Requests that may always be unfinished at the end of the measurement. A few are under way then, however fast the scorers are, and a
/// rate of few requests would otherwise fail by them alone.
pub const SHORTFALL_MIN: u64 = 10;

/// Why a rate isn't sustained (saturation).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overload {
    /// No counted request was answered: there is no latency to judge by.
    Silent,
    /// Too many requests were dropped; holds the dropped share.
    Drops(f64),
    /// Too few requests were finished in time; holds the finished share.
    FallsBehind(f64),
    /// The 99th percentile of latency is this many times that of the lowest rate.
    Slow(f64),
}

/// The result of a search for the knee, i.e. the saturation point: the highest sustained rate, and why the next one isn't.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knee {
    /// The rule that it was found by.
    pub rule: KneeRule,
    /// The highest rate that is sustained together with all below it; `None` when the lowest isn't sustained.
    pub sustained_per_s: Option<f64>,
    /// The lowest rate that isn't sustained; `None` when all are.
    pub overloaded_per_s: Option<f64>,
    /// The reason why that rate isn't sustained.
    pub why: Option<Overload>,
    /// The highest achieved rate of the sweep, requests a second.
    pub achieved_max_per_s: f64,
}

/// Finds the knee among steps by ascending rate (saturation point). Latencies are compared with those of the first step, because at a low
/// rate requests hardly queue.
pub fn knee(steps: &[RateStep], rule: KneeRule) -> Knee {
    let baseline_p99_ns = steps.first().and_then(|step| step.p99_ns);
    let first_overload = steps
        .iter()
        .enumerate()
        .find_map(|(index, step)| overload(step, baseline_p99_ns, &rule).map(|why| (index, why)));
    let sustained = first_overload.map_or(steps.len(), |(index, _)| index);
    Knee {
        rule,
        sustained_per_s: sustained.checked_sub(1).map(|last| steps[last].rate_per_s),
        overloaded_per_s: first_overload.map(|(index, _)| steps[index].rate_per_s),
        why: first_overload.map(|(_, why)| why),
        achieved_max_per_s: steps.iter().map(|step| step.achieved_per_s).fold(0.0, f64::max),
    }
}

fn overload(step: &RateStep, baseline_p99_ns: Option<u64>, rule: &KneeRule) -> Option<Overload> {
    let offered = step.offered as f64;
    let Some(p99) = step.p99_ns else { return Some(Overload::Silent) };
    if step.dropped as f64 > rule.dropped_share_max * offered {
        return Some(Overload::Drops(step.dropped as f64 / offered));
    }
    let shortfall = step.offered.saturating_sub(step.finished_in_time);
    if shortfall > SHORTFALL_MIN && shortfall as f64 > rule.shortfall_share_max * offered {
        return Some(Overload::FallsBehind(step.finished_in_time as f64 / offered));
    }
    let times = p99 as f64 / baseline_p99_ns.unwrap_or(p99).max(1) as f64;
    (times > rule.slowdown_max).then_some(Overload::Slow(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(rate: f64, dropped: u64, finished: u64, p99_ns: u64) -> RateStep {
        RateStep {
            rate_per_s: rate,
            offered: 1_000,
            dropped,
            finished_in_time: finished,
            achieved_per_s: finished as f64,
            p99_ns: Some(p99_ns),
        }
    }

    #[test]
    fn each_part_of_the_rule_finds_its_overload() {
        let calm = step(1.0, 0, 1_000, 10);
        let rule = KneeRule::default();
        for (second, expected) in [
            (step(2.0, 2, 998, 10), Some(Overload::Drops(0.002))),
            (step(2.0, 0, 940, 10), Some(Overload::FallsBehind(0.94))),
            (step(2.0, 0, 960, 60), Some(Overload::Slow(6.0))),
            (step(2.0, 1, 951, 50), None),
        ] {
            let found = knee(&[calm, second, step(3.0, 0, 1_000, 10)], rule);
            assert_eq!(found.why, expected);
            assert_eq!(found.sustained_per_s, Some(if expected.is_some() { 1.0 } else { 3.0 }));
            assert_eq!(found.overloaded_per_s, expected.map(|_| 2.0));
        }
    }

    #[test]
    fn a_sweep_beyond_the_knee_sustains_no_rate() {
        let found = knee(&[step(1.0, 500, 500, 10)], KneeRule::default());
        assert_eq!((found.sustained_per_s, found.overloaded_per_s), (None, Some(1.0)));
        assert_eq!(found.achieved_max_per_s, 500.0);
        let silent = RateStep { p99_ns: None, ..step(1.0, 0, 0, 0) };
        assert_eq!(knee(&[silent], KneeRule::default()).why, Some(Overload::Silent));
    }
}
