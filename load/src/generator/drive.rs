//! The generator: sends requests when they are due (open loop) or when their client is free (closed loop), and takes in the answers. Times
//! are nanoseconds since the load began. Both loops are here, so that they share admission and counting. Settings come checked, and nothing
//! is refused here. After the measurement it waits for every answer that is still out. An interrupted load of the actors' pool gets none
//! that hasn't arrived yet, and what is out is unanswered; simulated scorers answer all the same. Only an open loop drops requests at a
//! full queue.

use crate::generator::recorder::Recorder;
use crate::generator::{Answer, ArrivalPlan, Interval, Latencies, LoadTarget, Measured, Origin, Request};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A callback at the end of each interval in which counted requests were finished, with their latencies.
pub type OnInterval<'a> = dyn FnMut(&Interval, &Latencies) + 'a;

/// The settings of a load: its warm-up and duration, the number of scorers, and the capacity of their queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadSettings {
    /// Time under load before the measurement, ns. Its requests count in no latency, because queues begin empty.
    pub warm_up_ns: u64,
    /// The length of the measurement, ns, above 0, because rates divide by it.
    pub measured_ns: u64,
    /// Length of an interval, ns, above 0: the measurement is cut into intervals for the curves of latency and queue depth over time; the
    /// last one may be shorter.
    pub interval_ns: u64,
    /// Scorers, at least 1, each with a queue of its own; real ones also have a thread each. Client c sends to scorer c mod `scorers`.
    pub scorers: u32,
    /// The most requests that wait or are being scored at one scorer, at least 1. In an open loop a request beyond it is dropped.
    pub queue_capacity: u32,
}

impl LoadSettings {
    pub(crate) fn end_ns(&self) -> u64 {
        self.warm_up_ns + self.measured_ns
    }
}

/// A load by clients that wait for their answers (closed-loop workload).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClosedPlan {
    /// Each client sends its next request as soon as it has its answer.
    AtOnce {
        /// Clients, at least 1.
        clients: u32,
    },
    /// Each client sends its next request a gap after the last, or when it has its answer, whichever is later.
    Paced(ArrivalPlan),
}

impl ClosedPlan {
    const fn clients(&self) -> u32 {
        match self {
            Self::AtOnce { clients } | Self::Paced(ArrivalPlan { clients, .. }) => *clients,
        }
    }

    fn gap_ns(&self, client: u32, n: u64) -> u64 {
        match self {
            Self::AtOnce { .. } => 0,
            Self::Paced(plan) => plan.own_gap_ns(client, n),
        }
    }
}

/// The part that both loops share: sends into bounded queues, takes answers in, and records both.
struct Generator<'a, S> {
    target: &'a mut S,
    recorder: Recorder<'a>,
    /// Requests waiting or being scored, by scorer.
    depths: Vec<u32>,
    outstanding: u64,
}

impl<'a, S: LoadTarget> Generator<'a, S> {
    fn new(
        target: &'a mut S,
        settings: &LoadSettings,
        origin: Origin,
        on_interval: &'a mut OnInterval<'a>,
    ) -> Self {
        let window = (settings.warm_up_ns, settings.end_ns());
        let recorder = Recorder::new(window, settings.interval_ns, origin, on_interval);
        Self { target, recorder, depths: vec![0; settings.scorers as usize], outstanding: 0 }
    }

    /// Sends a request, or drops it when its scorer's queue is full. Admission is decided here rather than by the target, so that a real and
    /// a simulated target drop the same requests.
    fn send(&mut self, request: Request, capacity: u32) -> Result<(), S::Error> {
        let depth = &mut self.depths[request.scorer as usize];
        if *depth >= capacity {
            self.recorder.dropped(&request);
            return Ok(());
        }
        *depth += 1;
        self.outstanding += 1;
        self.recorder.sent(&request);
        self.target.send(request)
    }

    fn answer_by(&mut self, until_ns: u64) -> Result<Option<Answer>, S::Error> {
        let answer = self.target.answer_by(until_ns)?;
        if let Some(answer) = &answer {
            self.depths[answer.request.scorer as usize] -= 1;
            self.outstanding -= 1;
            self.recorder.answered(answer);
        }
        Ok(answer)
    }

    /// Waits for outstanding requests and computes the figures. A request that is answered late still counts, or the slowest would be left
    /// out of the percentiles.
    fn finish(mut self, settings: &LoadSettings) -> Result<Measured, S::Error> {
        let now = self.target.now_ns();
        let early = (self.target.is_over() && now < settings.end_ns()).then_some(now);
        while self.outstanding > 0 {
            if self.answer_by(u64::MAX)?.is_none() {
                break;
            }
        }
        Ok(self.recorder.finish(early))
    }
}

/// Sends every request when it is due, whether or not earlier ones have been answered (open-loop load). Latencies count from the due time.
///
/// # Errors
/// When the target fails.
pub fn open_loop<'a, S: LoadTarget>(
    target: &'a mut S,
    plan: &ArrivalPlan,
    settings: &LoadSettings,
    on_interval: &'a mut OnInterval<'a>,
) -> Result<Measured, S::Error> {
    let mut generator = Generator::new(target, settings, Origin::Due, on_interval);
    for arrival in plan.arrivals().take_while(|arrival| arrival.due_ns < settings.end_ns()) {
        while generator.answer_by(arrival.due_ns)?.is_some() {}
        if generator.target.is_over() {
            break;
        }
        let request = Request {
            number: arrival.number,
            client: arrival.client,
            scorer: arrival.client % settings.scorers,
            due_ns: arrival.due_ns,
            sent_ns: generator.target.now_ns().max(arrival.due_ns),
        };
        generator.send(request, settings.queue_capacity)?;
    }
    generator.finish(settings)
}

/// Lets every client wait for its answer before it sends again (closed loop); a priority queue holds who may send next. Latencies count
/// from sending. No request is dropped, because a client has at most one under way.
///
/// # Errors
/// When the target fails.
pub fn closed_loop<'a, S: LoadTarget>(
    target: &'a mut S,
    plan: &ClosedPlan,
    settings: &LoadSettings,
    on_interval: &'a mut OnInterval<'a>,
) -> Result<Measured, S::Error> {
    let mut generator = Generator::new(target, settings, Origin::Sent, on_interval);
    let mut sent = vec![0_u64; plan.clients() as usize];
    let mut free: BinaryHeap<Reverse<(u64, u32)>> =
        (0..plan.clients()).map(|client| Reverse((plan.gap_ns(client, 0), client))).collect();
    let mut number = 0;
    loop {
        let next_due =
            free.peek().map_or(settings.end_ns(), |Reverse((due, _))| (*due).min(settings.end_ns()));
        if let Some(answer) = generator.answer_by(next_due)? {
            let client = answer.request.client;
            let gap = plan.gap_ns(client, sent[client as usize]);
            free.push(Reverse((answer.finished_ns.max(answer.request.sent_ns + gap), client)));
            continue;
        }
        if generator.target.is_over() || next_due >= settings.end_ns() {
            break;
        }
        let Some(Reverse((due_ns, client))) = free.pop() else { continue };
        let sent_ns = generator.target.now_ns().max(due_ns);
        sent[client as usize] += 1;
        let request = Request { number, client, scorer: client % settings.scorers, due_ns, sent_ns };
        generator.send(request, u32::MAX)?;
        number += 1;
    }
    generator.finish(settings)
}
