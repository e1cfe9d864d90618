//! A compact record of many durations in nanoseconds, and its percentiles to within a thousandth. It is an HdrHistogram: a summary has p50,
//! p90, p99, p99.9 and p99.99 beside mean and maximum, because a mean hides the slow requests that users notice. A load keeps one for each
//! of latency, service time, waiting and lag, and one for the interval under way.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Significant digits of recorded durations. Three keep each to within a thousandth, which is less than repeated loads differ by. Four would
/// take 16 times the memory.
const DIGITS: u8 = 3;

/// A latency histogram of high dynamic range (HdrHistogram), in nanoseconds, with an exact sum and an exact maximum beside it. It has a
/// bounded size, so that hours of load need no more memory than seconds.
#[derive(Clone, Debug)]
pub struct Latencies {
    histogram: Histogram<u64>,
    sum_ns: u128,
    max_ns: u64,
}

impl Default for Latencies {
    fn default() -> Self {
        let histogram = Histogram::new(DIGITS).expect("three digits are within the histogram's 0 to 5");
        Self { histogram, sum_ns: 0, max_ns: 0 }
    }
}

/// A summary of durations by latency percentiles, nanoseconds. A percentile is the least duration that at least that share of requests
/// didn't exceed, to within a thousandth; it isn't interpolated, because that would be a latency that nobody had.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencySummary {
    /// Number of durations, at least 1.
    pub count: u64,
    /// Exact mean of the durations.
    pub mean_ns: f64,
    /// Median duration.
    pub p50_ns: u64,
    /// 90th percentile.
    pub p90_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// 99.9th percentile.
    pub p99_9_ns: u64,
    /// 99.99th percentile.
    pub p99_99_ns: u64,
    /// Exact maximum of the durations.
    pub max_ns: u64,
}

/// A point of the distribution of durations (percentile point).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharePoint {
    /// Share of requests that took no longer, above 0 and below 1.
    pub share: f64,
    /// The duration, ns.
    pub ns: u64,
}

impl Latencies {
    /// Adds a duration to the histogram, ns.
    pub fn record(&mut self, ns: u64) {
        self.histogram.record(ns).expect("the histogram grows with what it is given");
        self.sum_ns += u128::from(ns);
        self.max_ns = self.max_ns.max(ns);
    }

    /// The number of recorded durations (sample count).
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// Removes all durations and keeps the memory, because the next interval needs as much.
    pub fn clear(&mut self) {
        self.histogram.reset();
        (self.sum_ns, self.max_ns) = (0, 0);
    }

    /// The HdrHistogram behind the figures, for the log of intervals.
    pub fn histogram(&self) -> &Histogram<u64> {
        &self.histogram
    }

    /// The quantile of a share (0 to 1), ns, to within a thousandth (latency quantile). It is capped by the exact maximum, because the
    /// histogram rounds up.
    pub(crate) fn at_share(&self, share: f64) -> u64 {
        self.histogram.value_at_quantile(share).min(self.max_ns)
    }

    /// Computes the summary with its percentiles; `None` without durations.
    pub fn summary(&self) -> Option<LatencySummary> {
        let count = self.count();
        (count > 0).then(|| LatencySummary {
            count,
            mean_ns: self.sum_ns as f64 / count as f64,
            p50_ns: self.at_share(0.5),
            p90_ns: self.at_share(0.9),
            p99_ns: self.at_share(0.99),
            p99_9_ns: self.at_share(0.999),
            p99_99_ns: self.at_share(0.9999),
            max_ns: self.max_ns,
        })
    }

    /// Computes points of the percentile distribution, closer together towards the slow end. The last point is the one that a single
    /// request exceeds, because further ones would have no data.
    pub fn distribution(&self) -> Vec<SharePoint> {
        let mut points = Vec::new();
        let count = self.count() as f64;
        let mut slower = 1.0;
        while slower * count >= 1.0 {
            for part in [1.0, 0.75, 0.5] {
                let beyond = slower * part;
                if beyond * count >= 1.0 && beyond < 1.0 {
                    points.push(SharePoint { share: 1.0 - beyond, ns: self.at_share(1.0 - beyond) });
                }
            }
            slower *= 0.25;
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_a_thousand_durations() {
        let mut latencies = Latencies::default();
        assert_eq!(latencies.summary(), None);
        (1..=1_000).for_each(|ms| latencies.record(ms * 1_000_000));
        let summary = latencies.summary().unwrap();
        let near = |found: u64, ms: f64| (found as f64 / 1e6 - ms).abs() <= ms * 1e-3;
        assert!(near(summary.p50_ns, 500.0) && near(summary.p99_ns, 990.0), "{summary:?}");
        assert!(near(summary.p99_9_ns, 999.0), "{summary:?}");
        assert_eq!((summary.max_ns, summary.p99_99_ns), (1_000_000_000, 1_000_000_000));
        assert_eq!((summary.mean_ns, summary.count), (500.5e6, 1_000));
    }

    #[test]
    fn a_distribution_ends_where_one_request_is_slower() {
        let mut latencies = Latencies::default();
        (0..1_000).for_each(|ns| latencies.record(ns));
        let points = latencies.distribution();
        assert!(points.windows(2).all(|pair| pair[0].share < pair[1].share && pair[0].ns <= pair[1].ns));
        let last = points.last().unwrap().share;
        assert!((0.998..=0.999).contains(&last), "{last}");
        assert!(Latencies::default().distribution().is_empty());
    }
}
