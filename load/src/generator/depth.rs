//! Queue depth over time: the number of requests that wait or are being scored, over all scorers. It is a time-weighted average
//! (Little's law), kept as an integral, because samples at fixed moments would miss short bursts. Time counts from the end of the warm-up;
//! requests of the warm-up that are still under way then count, dropped ones never do. Times are nanoseconds.

use crate::generator::{Depth, Interval, NS_PER_S};

/// Integrates depth over time, interval by interval.
#[derive(Clone, Debug)]
pub(super) struct DepthMeter {
    /// The end of the warm-up, on the clock of the load.
    from_ns: u64,
    interval_ns: u64,
    /// The moment up to which depth is integrated.
    now_ns: u64,
    /// Requests that wait or are being scored at that moment.
    depth: u64,
    /// By interval: the integral of depth over time in nanoseconds, and the largest depth. 128 bits, because a week of a million requests
    /// is 6e20 ns, which 64 bits don't hold.
    areas: Vec<(u128, u64)>,
}

impl DepthMeter {
    /// A meter of the measurement that begins at `from_ns` (queue depth meter).
    pub(super) fn new(from_ns: u64, interval_ns: u64) -> Self {
        Self { from_ns, interval_ns, now_ns: 0, depth: 0, areas: Vec::new() }
    }

    /// Adds a request from `at_ns` on (queue entry). From `to_ns`, the end of the measurement, on nothing counts, because latencies end
    /// there too.
    pub(super) fn enter(&mut self, at_ns: u64, to_ns: u64) {
        self.advance(at_ns, to_ns);
        self.depth += 1;
        let depth = self.depth;
        if let Some((_, most)) = self.place(at_ns, to_ns) {
            *most = depth.max(*most);
        }
    }

    /// Removes a request from `at_ns` on (dequeue).
    pub(super) fn leave(&mut self, at_ns: u64, to_ns: u64) {
        self.advance(at_ns, to_ns);
        self.depth -= 1;
    }

    fn place(&mut self, at_ns: u64, to_ns: u64) -> Option<&mut (u128, u64)> {
        if at_ns < self.from_ns || at_ns >= to_ns {
            return None;
        }
        let index = ((at_ns - self.from_ns) / self.interval_ns) as usize;
        if self.areas.len() <= index {
            // The depth at the beginning of an interval counts for its maximum.
            self.areas.resize(index + 1, (0, self.depth));
        }
        Some(&mut self.areas[index])
    }

    /// Moves the clock to `at_ns`, at most to the end of the measurement (time integral). The clock never goes back: scorers read theirs on
    /// several threads, so a report may arrive after a later one, and it then counts from the later moment.
    pub(super) fn advance(&mut self, at_ns: u64, to_ns: u64) {
        let at_ns = at_ns.min(to_ns);
        let depth = u128::from(self.depth);
        let mut from = self.now_ns.max(self.from_ns);
        while from < at_ns {
            let index = (from - self.from_ns) / self.interval_ns;
            let end = (self.from_ns + (index + 1) * self.interval_ns).min(at_ns);
            if let Some((area, _)) = self.place(from, to_ns) {
                *area += depth * u128::from(end - from);
            }
            from = end;
        }
        self.now_ns = self.now_ns.max(at_ns);
    }

    /// Computes the time-weighted mean and the maximum of the queue depth over all intervals. Writes each interval's own mean and maximum
    /// into it.
    pub(super) fn finish(&self, measured_ns: u64, intervals: &mut [Interval]) -> Depth {
        for (interval, (area, most)) in intervals.iter_mut().zip(&self.areas) {
            let length = interval.length_s * NS_PER_S as f64;
            interval.depth_mean = if length > 0.0 { *area as f64 / length } else { 0.0 };
            interval.depth_max = *most;
        }
        let area: u128 = self.areas.iter().map(|(area, _)| area).sum();
        let mean = if measured_ns > 0 { area as f64 / measured_ns as f64 } else { 0.0 };
        Depth { mean, max: self.areas.iter().map(|(_, most)| *most).max().unwrap_or(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_cut_at_intervals_and_at_the_ends() {
        let mut meter = DepthMeter::new(100, 10);
        let to = 120;
        // From 95 to 115 one, from 105 to 130 another.
        meter.enter(95, to);
        meter.enter(105, to);
        meter.leave(115, to);
        meter.leave(130, to);
        let mut intervals = [Interval::between(0, 10), Interval::between(10, 20)];
        let depth = meter.finish(20, &mut intervals);
        // 10 + 5 in the first ten nanoseconds, 5·2 + 5 in the second.
        assert!((intervals[0].depth_mean - 1.5).abs() < 1e-9 && (intervals[1].depth_mean - 1.5).abs() < 1e-9);
        assert!((depth.mean - 1.5).abs() < 1e-9);
        assert_eq!((intervals[0].depth_max, intervals[1].depth_max, depth.max), (2, 2, 2));
    }
}
