//! Scorers in virtual time: each serves its queue in order, one request after the other. It is a discrete-event simulation of a
//! multi-server queue with a queue for each server. It serves as the oracle of the generator's tests, because queueing theory knows its
//! answers, and is what `morta loadtest --simulate-service` puts under load in place of actors. Its figures are a function of the seed and
//! tell nothing of a machine.

use crate::generator::service::finished_at;
use crate::generator::{Answer, LoadTarget, Request, ServiceTime, Stall};
use morta_base::WorldSeed;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request in a queue or being served. Its order is that of answers: fields are compared from the top, so `finished_ns` must be first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct UnderWay {
    finished_ns: u64,
    started_ns: u64,
    request: Request,
}

/// Scorers in virtual time: a load test of hours takes a moment, and the same seed gives the same figures (queueing simulation).
#[derive(Clone, Debug)]
pub struct SimulatedScorers {
    service: ServiceTime,
    stalls: Vec<Stall>,
    seed: WorldSeed,
    now_ns: u64,
    /// The moment at which each scorer has served all requests sent to it, ns.
    free_at_ns: Vec<u64>,
    under_way: BinaryHeap<Reverse<UnderWay>>,
    /// Virtual time waits for nothing, but a long load takes real seconds to count, in which Ctrl-C would otherwise do nothing.
    stop: Arc<AtomicBool>,
}

impl SimulatedScorers {
    /// Makes a target of idle scorers, at least one, that is over as soon as `stop` is set.
    ///
    /// # Panics
    /// Without a scorer.
    pub fn new(
        scorers: u32,
        service: ServiceTime,
        mut stalls: Vec<Stall>,
        seed: WorldSeed,
        stop: Arc<AtomicBool>,
    ) -> Self {
        assert!(scorers > 0, "a load needs at least one scorer");
        stalls.sort();
        let free_at_ns = vec![0; scorers as usize];
        Self { service, stalls, seed, now_ns: 0, free_at_ns, under_way: BinaryHeap::new(), stop }
    }
}

impl LoadTarget for SimulatedScorers {
    type Error = Infallible;

    fn now_ns(&mut self) -> u64 {
        self.now_ns
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn answer_by(&mut self, until_ns: u64) -> Result<Option<Answer>, Infallible> {
        let Some(Reverse(next)) = self.under_way.peek().filter(|next| next.0.finished_ns <= until_ns) else {
            // With u64::MAX the generator waits for all answers, and none is left: the clock stays, or virtual time would end here.
            self.now_ns = if until_ns == u64::MAX { self.now_ns } else { self.now_ns.max(until_ns) };
            return Ok(None);
        };
        let UnderWay { finished_ns, started_ns, request } = *next;
        self.under_way.pop();
        self.now_ns = self.now_ns.max(finished_ns);
        Ok(Some(Answer { request, started_ns, finished_ns }))
    }

    fn send(&mut self, request: Request) -> Result<(), Infallible> {
        let free_at = &mut self.free_at_ns[request.scorer as usize];
        let started_ns = (*free_at).max(request.sent_ns);
        let work = self.service.draw(self.seed, request.number);
        *free_at = finished_at(started_ns, work, &self.stalls);
        self.under_way.push(Reverse(UnderWay { finished_ns: *free_at, started_ns, request }));
        Ok(())
    }
}
