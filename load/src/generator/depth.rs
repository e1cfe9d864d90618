//! How many requests are waiting or being scored, over time.

use crate::generator::{Depth, Interval, NS_PER_S};

/// Adds up depth times time, interval by interval.
#[derive(Clone, Debug)]
pub(super) struct DepthMeter {
    from_ns: u64,
    interval_ns: u64,
    now_ns: u64,
    depth: u64,
    /// By interval: depth times nanoseconds, and the largest depth.
    areas: Vec<(u128, u64)>,
}

impl DepthMeter {
    /// For measured time that begins at `from_ns`.
    pub fn new(from_ns: u64, interval_ns: u64) -> Self {
        Self { from_ns, interval_ns, now_ns: 0, depth: 0, areas: Vec::new() }
    }

    /// One more from a moment on.
    pub fn enter(&mut self, at_ns: u64, to_ns: u64) {
        self.advance(at_ns, to_ns);
        self.depth += 1;
        let depth = self.depth;
        if let Some((_, most)) = self.place(at_ns, to_ns) {
            *most = depth.max(*most);
        }
    }

    /// One fewer from a moment on.
    pub fn leave(&mut self, at_ns: u64, to_ns: u64) {
        self.advance(at_ns, to_ns);
        self.depth -= 1;
    }

    fn place(&mut self, at_ns: u64, to_ns: u64) -> Option<&mut (u128, u64)> {
        if at_ns < self.from_ns || at_ns >= to_ns {
            return None;
        }
        let index = ((at_ns - self.from_ns) / self.interval_ns) as usize;
        if self.areas.len() <= index {
            // Whoever was there when an interval began counts for its most.
            self.areas.resize(index + 1, (0, self.depth));
        }
        Some(&mut self.areas[index])
    }

    /// Lets time pass, up to the end of the measured time. Scorers' clocks are read on several threads: what comes late counts from now.
    pub fn advance(&mut self, at_ns: u64, to_ns: u64) {
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

    /// Mean and most over all intervals, which are told their own.
    pub fn finish(&self, measured_ns: u64, intervals: &mut [Interval]) -> Depth {
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
