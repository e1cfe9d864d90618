//! The generator: sends requests when they are due, or when their client is free, and takes in the answers.

use crate::load::recorder::Recorder;
use crate::load::{Answer, ArrivalPlan, Interval, Latencies, Measured, Origin, Request, Site};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Told of every interval in which measured requests were finished, when it is over, with their latencies.
pub type OnInterval<'a> = dyn FnMut(&Interval, &Latencies) + 'a;

/// How long a load lasts, and what it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// Time before the measured time, ns.
    pub warm_up_ns: u64,
    /// The measured time, ns, above 0.
    pub measured_ns: u64,
    /// Length of an interval, ns, above 0.
    pub interval_ns: u64,
    /// Scorers, at least 1; client c is scorer c mod n's.
    pub scorers: u32,
    /// Most requests that wait or are being scored at one scorer, at least 1; in an open loop, what comes beyond is dropped.
    pub queue_capacity: u32,
}

impl Course {
    fn end_ns(&self) -> u64 {
        self.warm_up_ns + self.measured_ns
    }
}

/// Clients that wait for their answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClosedPlan {
    /// Each asks again at once.
    AtOnce {
        /// Clients, at least 1.
        clients: u32,
    },
    /// Each asks again a gap after it has asked, or when it has its answer, whichever is later.
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

/// The generator's view of the site: how much each scorer has been given.
struct Traffic<'a, S> {
    site: &'a mut S,
    recorder: Recorder<'a>,
    depths: Vec<u32>,
    outstanding: u64,
}

impl<'a, S: Site> Traffic<'a, S> {
    fn new(site: &'a mut S, course: &Course, origin: Origin, on_interval: &'a mut OnInterval<'a>) -> Self {
        let window = (course.warm_up_ns, course.end_ns());
        let recorder = Recorder::new(window, course.interval_ns, origin, on_interval);
        Self { site, recorder, depths: vec![0; course.scorers as usize], outstanding: 0 }
    }

    fn send(&mut self, request: Request, capacity: u32) -> Result<(), S::Error> {
        let depth = &mut self.depths[request.scorer as usize];
        if *depth >= capacity {
            self.recorder.dropped(&request);
            return Ok(());
        }
        *depth += 1;
        self.outstanding += 1;
        self.recorder.sent(&request);
        self.site.send(request)
    }

    fn answer_by(&mut self, until_ns: u64) -> Result<Option<Answer>, S::Error> {
        let answer = self.site.answer_by(until_ns)?;
        if let Some(answer) = &answer {
            self.depths[answer.request.scorer as usize] -= 1;
            self.outstanding -= 1;
            self.recorder.answered(answer);
        }
        Ok(answer)
    }

    /// Waits for what is under way; the figures, then.
    fn finish(mut self, course: &Course) -> Result<Measured, S::Error> {
        let now = self.site.now_ns();
        let early = (self.site.is_over() && now < course.end_ns()).then_some(now);
        while self.outstanding > 0 {
            if self.answer_by(u64::MAX)?.is_none() {
                break;
            }
        }
        Ok(self.recorder.finish(early))
    }
}

/// Sends every request when it is due, whether or not earlier ones have been answered; latencies count from then.
///
/// # Errors
/// When the site fails.
pub fn open_loop<'a, S: Site>(
    site: &'a mut S,
    plan: &ArrivalPlan,
    course: &Course,
    on_interval: &'a mut OnInterval<'a>,
) -> Result<Measured, S::Error> {
    let mut traffic = Traffic::new(site, course, Origin::Due, on_interval);
    for arrival in plan.arrivals().take_while(|arrival| arrival.due_ns < course.end_ns()) {
        while traffic.answer_by(arrival.due_ns)?.is_some() {}
        if traffic.site.is_over() {
            break;
        }
        let request = Request {
            number: arrival.number,
            client: arrival.client,
            scorer: arrival.client % course.scorers,
            due_ns: arrival.due_ns,
            sent_ns: traffic.site.now_ns().max(arrival.due_ns),
        };
        traffic.send(request, course.queue_capacity)?;
    }
    traffic.finish(course)
}

/// Lets every client wait for its answer before it asks again; latencies count from sending. Nothing is dropped, because a client has
/// one request under way at most.
///
/// # Errors
/// When the site fails.
pub fn closed_loop<'a, S: Site>(
    site: &'a mut S,
    plan: &ClosedPlan,
    course: &Course,
    on_interval: &'a mut OnInterval<'a>,
) -> Result<Measured, S::Error> {
    let mut traffic = Traffic::new(site, course, Origin::Sent, on_interval);
    let mut asked = vec![0_u64; plan.clients() as usize];
    let mut free: BinaryHeap<Reverse<(u64, u32)>> =
        (0..plan.clients()).map(|client| Reverse((plan.gap_ns(client, 0), client))).collect();
    let mut number = 0;
    loop {
        let next_due = free.peek().map_or(course.end_ns(), |Reverse((due, _))| (*due).min(course.end_ns()));
        if let Some(answer) = traffic.answer_by(next_due)? {
            let client = answer.request.client;
            let gap = plan.gap_ns(client, asked[client as usize]);
            free.push(Reverse((answer.finished_ns.max(answer.request.sent_ns + gap), client)));
            continue;
        }
        if traffic.site.is_over() || next_due >= course.end_ns() {
            break;
        }
        let Some(Reverse((due_ns, client))) = free.pop() else { continue };
        let sent_ns = traffic.site.now_ns().max(due_ns);
        asked[client as usize] += 1;
        let request = Request { number, client, scorer: client % course.scorers, due_ns, sent_ns };
        traffic.send(request, u32::MAX)?;
        number += 1;
    }
    traffic.finish(course)
}
