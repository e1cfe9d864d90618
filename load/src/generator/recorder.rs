//! The recorder of a load: counts each request once, in the figures it belongs to. It is the bookkeeping of a benchmark. A request belongs
//! to the measurement if its due time lies in it, however late its answer; each is counted once, so that offered = answered + dropped +
//! unanswered always holds. Throughput counts by the moment of finishing, those of the warm-up included; so do the latencies of an
//! interval, of which the warm-up's are left out. Times are nanoseconds. The generator reports a request once as sent or dropped and, if
//! an answer arrives, once as answered; `finish` is called last.

use crate::generator::depth::DepthMeter;
use crate::generator::{
    Answer, Counts, Interval, Latencies, Measured, NS_PER_S, OnInterval, Origin, Request,
};

/// Records the fate of every request: sent, dropped or answered.
pub(super) struct Recorder<'a> {
    /// The end of the warm-up; requests due earlier count in no latency.
    from_ns: u64,
    /// The end of the measurement.
    to_ns: u64,
    interval_ns: u64,
    origin: Origin,
    counts: Counts,
    latency: Latencies,
    service: Latencies,
    waiting: Latencies,
    lag: Latencies,
    depth: DepthMeter,
    intervals: Vec<Interval>,
    /// Index of the interval whose latencies are being gathered.
    open: usize,
    /// Latencies of that interval.
    in_open: Latencies,
    on_interval: &'a mut OnInterval<'a>,
}

impl<'a> Recorder<'a> {
    /// A benchmark recorder of a load whose measurement is `from_ns..to_ns`: an empty latency histogram for each duration, and its
    /// intervals.
    pub(super) fn new(
        (from_ns, to_ns): (u64, u64),
        interval_ns: u64,
        origin: Origin,
        on_interval: &'a mut OnInterval<'a>,
    ) -> Self {
        let count = (to_ns - from_ns).div_ceil(interval_ns);
        let interval = |n: u64| {
            let end = ((n + 1) * interval_ns).min(to_ns - from_ns);
            Interval::between(n * interval_ns, end)
        };
        Self {
            from_ns,
            to_ns,
            interval_ns,
            origin,
            counts: Counts::default(),
            latency: Latencies::default(),
            service: Latencies::default(),
            waiting: Latencies::default(),
            lag: Latencies::default(),
            depth: DepthMeter::new(from_ns, interval_ns),
            intervals: (0..count).map(interval).collect(),
            open: 0,
            in_open: Latencies::default(),
            on_interval,
        }
    }

    fn is_measured(&self, request: &Request) -> bool {
        (self.from_ns..self.to_ns).contains(&request.due_ns)
    }

    /// The index of the interval at a moment. After the measurement it is the one behind the last, so that late answers have a row of their
    /// own.
    fn interval_at(&self, at_ns: u64) -> usize {
        let in_time = at_ns.min(self.to_ns).saturating_sub(self.from_ns) / self.interval_ns;
        if at_ns >= self.to_ns { self.intervals_in_time() } else { in_time as usize }
    }

    fn intervals_in_time(&self) -> usize {
        (self.to_ns - self.from_ns).div_ceil(self.interval_ns) as usize
    }

    /// Counts a request as offered, or as one of the warm-up. Returns whether it is counted: the warm-up isn't, because queues begin empty.
    fn offered(&mut self, request: &Request) -> bool {
        if !self.is_measured(request) {
            self.counts.warm_up += 1;
            return false;
        }
        self.counts.offered += 1;
        let interval = self.interval_at(request.due_ns);
        self.intervals[interval].offered += 1;
        self.lag.record(request.sent_ns - request.due_ns);
        true
    }

    /// Records that a request was sent (request sent): it counts as offered, and enters the queue depth.
    pub(super) fn sent(&mut self, request: &Request) {
        self.offered(request);
        self.depth.enter(request.sent_ns, self.to_ns);
    }

    /// Records that a request found its scorer's queue full (dropped request).
    pub(super) fn dropped(&mut self, request: &Request) {
        if self.offered(request) {
            self.counts.dropped += 1;
            let interval = self.interval_at(request.due_ns);
            self.intervals[interval].dropped += 1;
        }
    }

    /// Records an answer (response): latency, service time and waiting time.
    pub(super) fn answered(&mut self, answer: &Answer) {
        let Answer { request, started_ns, finished_ns } = *answer;
        self.depth.leave(finished_ns, self.to_ns);
        let interval = self.interval_at(finished_ns);
        if finished_ns >= self.from_ns && finished_ns < self.to_ns {
            self.counts.finished_in_time += 1;
            self.intervals[interval].finished += 1;
        }
        if !self.is_measured(&request) {
            return;
        }
        self.counts.answered += 1;
        let from = match self.origin {
            Origin::Due => request.due_ns,
            Origin::Sent => request.sent_ns,
        };
        let latency = finished_ns.saturating_sub(from);
        self.latency.record(latency);
        self.service.record(finished_ns.saturating_sub(started_ns));
        self.waiting.record(started_ns.saturating_sub(request.sent_ns));
        if interval > self.open {
            self.close_up_to(interval);
        }
        if interval >= self.intervals.len() {
            self.intervals.push(Interval::between(self.to_ns - self.from_ns, self.to_ns - self.from_ns));
        }
        if let Some(after) = finished_ns.checked_sub(self.to_ns) {
            let last = self.intervals.last_mut().expect("it has just been put there");
            last.finished += 1;
            last.length_s = last.length_s.max(after as f64 / NS_PER_S as f64);
        }
        self.in_open.record(latency);
    }

    /// Closes the open interval, if it has answers, and opens the one of the index. Intervals in between have no answers and stay as they are.
    fn close_up_to(&mut self, interval: usize) {
        if let Some(open) = self.intervals.get_mut(self.open).filter(|_| self.in_open.count() > 0) {
            open.close(&self.in_open);
            (self.on_interval)(open, &self.in_open);
            self.in_open.clear();
        }
        self.open = interval;
    }

    /// Computes the figures at the end of a load (benchmark results): throughput, percentiles, queue depth. `ended_ns` is the moment of an
    /// interruption, `None` without one. Requests without an answer by now count as unanswered.
    pub(super) fn finish(mut self, ended_ns: Option<u64>) -> Measured {
        self.close_up_to(usize::MAX);
        let interrupted = ended_ns.is_some();
        let to_ns = ended_ns.map_or(self.to_ns, |at| at.clamp(self.from_ns, self.to_ns));
        self.depth.advance(to_ns, to_ns);
        let measured_ns = to_ns - self.from_ns;
        let measured_s = measured_ns as f64 / NS_PER_S as f64;
        if interrupted {
            self.cut(measured_s);
        }
        let counts = &mut self.counts;
        counts.unanswered = counts.offered - counts.answered - counts.dropped;
        let per_s = |count: u64| if measured_ns > 0 { count as f64 / measured_s } else { 0.0 };
        Measured {
            measured_s,
            interrupted,
            latency_from: self.origin,
            offered_per_s: per_s(counts.offered),
            achieved_per_s: per_s(counts.finished_in_time),
            counts: *counts,
            latency: self.latency.summary(),
            service: self.service.summary(),
            waiting: self.waiting.summary(),
            lag: self.lag.summary(),
            depth: self.depth.finish(measured_ns, &mut self.intervals),
            latency_distribution: self.latency.distribution(),
            service_distribution: self.service.distribution(),
            intervals: self.intervals,
        }
    }

    /// Removes the intervals that an interrupted load hasn't reached, because their zeros would look like measurements.
    fn cut(&mut self, measured_s: f64) {
        self.intervals.retain(|interval| interval.start_s < measured_s);
        if let Some(last) = self.intervals.last_mut() {
            last.length_s = last.length_s.min(measured_s - last.start_s);
        }
    }
}
