//! The pool of scorer actors, each on an arbiter of its own, and the clock of the load. It is a thread pool behind a monotonic clock; times
//! are nanoseconds since all scorers were ready. One clock serves generator and scorers, because differences of two clocks would pass for
//! latency. A load test starts a pool for each rate, and one more to measure the capacity where an open loop has no rates; with simulated
//! scorers it starts none. The pool is the load's target: after Ctrl-C it gives those answers alone that have arrived.

use super::ScoringCase;
use super::actor::{Outcome, Score, ScorerActor};
use crate::generator::{Answer, LoadSettings, LoadTarget, Request};
use actix::{Actor as _, Addr};
use actix_rt::{Arbiter, System, SystemRunner};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time before a due moment in which the generator reads the clock instead of sleeping. It is longer than a thread takes to wake up on a
/// machine that isn't busy, so that requests aren't sent late.
const SPIN: Duration = Duration::from_micros(200);
/// The longest sleep between two checks of the stop flag. Our choice, because a user doesn't notice 50 ms after Ctrl-C.
const SLICE: Duration = Duration::from_millis(50);

/// The most requests that can be under way. The channel has room for the answers of all of them from the beginning, so that no scorer ever
/// waits for the generator. A million of them take some 64 MB. `check` bounds synthetic Grimoires, queues and simulated scorers by it too.
pub const UNDER_WAY_MAX: usize = 1 << 20;

/// Why a load can't go on: a scorer (worker) failed.
#[derive(Debug, thiserror::Error)]
pub enum ScorerError {
    /// A scorer panicked.
    #[error("a scorer failed: {0}")]
    Failed(String),
    /// A scorer could not be reached.
    #[error("a scorer could not be reached: {0}")]
    Unreachable(String),
    /// A thread could not be started or stopped.
    #[error("a thread could not be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// A worker pool of running scorers, each an actor on an arbiter of its own.
pub struct ScorerPool {
    system: SystemRunner,
    arbiters: Vec<Arbiter>,
    scorers: Vec<Addr<ScorerActor>>,
    answers: Receiver<Outcome>,
    begun: Instant,
    stop: Arc<AtomicBool>,
}

impl ScorerPool {
    /// Starts scorers, at least one, for the cases of all clients each has room for `load.queue_capacity` requests. The clock starts when all of
    /// them are ready, so that no latency contains the start of a thread.
    ///
    /// # Errors
    /// When a scorer can't begin.
    ///
    /// # Panics
    /// When more than [`UNDER_WAY_MAX`] answers could be under way.
    pub fn start(
        cases: Arc<[ScoringCase]>,
        load: &LoadSettings,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, ScorerError> {
        let (scorers, queue_capacity) = (load.scorers as usize, load.queue_capacity as usize);
        // In a closed loop each client has at most one request under way, and all clients may share one scorer. One more, because a full
        // mailbox parks its sender.
        let mailbox = queue_capacity.max(cases.len()) + 1;
        let under_way_max = (queue_capacity * scorers).max(cases.len());
        assert!(under_way_max <= UNDER_WAY_MAX, "the flags are checked before anything is started");
        let (sender, answers) = crossbeam_channel::bounded(under_way_max);
        let (ready, all_ready) = crossbeam_channel::bounded(scorers);
        let system = System::new();
        let (arbiters, scorers) = system.block_on(async {
            let arbiters: Vec<Arbiter> = (0..scorers).map(|_| Arbiter::new()).collect();
            let start = |arbiter: &Arbiter| {
                let (cases, answers, ready) = (Arc::clone(&cases), sender.clone(), ready.clone());
                let scorer = ScorerActor { cases, answers, ready, mailbox };
                ScorerActor::start_in_arbiter(&arbiter.handle(), move |_| scorer)
            };
            let scorers: Vec<Addr<ScorerActor>> = arbiters.iter().map(start).collect();
            (arbiters, scorers)
        });
        drop(ready);
        for _ in &scorers {
            all_ready.recv().map_err(|error| ScorerError::Unreachable(error.to_string()))?;
        }
        Ok(Self { system, arbiters, scorers, answers, begun: Instant::now(), stop })
    }

    /// Shuts the pool down: stops the scorers and joins their threads.
    ///
    /// # Errors
    /// When a thread can't be stopped.
    pub fn end(self) -> Result<(), ScorerError> {
        let Self { system, arbiters, scorers, .. } = self;
        drop(scorers);
        for arbiter in &arbiters {
            arbiter.stop();
        }
        for arbiter in arbiters {
            if arbiter.join().is_err() {
                return Err(ScorerError::Failed("its thread panicked".to_owned()));
            }
        }
        system.block_on(async { System::current().stop() });
        Ok(system.run()?)
    }
}

impl LoadTarget for ScorerPool {
    type Error = ScorerError;

    fn now_ns(&mut self) -> u64 {
        self.begun.elapsed().as_nanos() as u64
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn answer_by(&mut self, until_ns: u64) -> Result<Option<Answer>, ScorerError> {
        loop {
            if let Ok(outcome) = self.answers.try_recv() {
                return outcome.map(Some).map_err(ScorerError::Failed);
            }
            let now_ns = self.now_ns();
            if now_ns >= until_ns || self.is_over() {
                return Ok(None);
            }
            let left = Duration::from_nanos(until_ns - now_ns);
            if left <= SPIN {
                std::hint::spin_loop();
                continue;
            }
            match self.answers.recv_timeout((left - SPIN).min(SLICE)) {
                Ok(outcome) => return outcome.map(Some).map_err(ScorerError::Failed),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ScorerError::Unreachable("all of them are gone".to_owned()));
                }
            }
        }
    }

    fn send(&mut self, request: Request) -> Result<(), ScorerError> {
        let sent = self.scorers[request.scorer as usize].try_send(Score { request, begun: self.begun });
        sent.map_err(|error| ScorerError::Unreachable(error.to_string()))
    }
}

/// For the laboratory's functions that put scorers under load.
impl From<ScorerError> for morta_lab::Error {
    fn from(error: ScorerError) -> Self {
        Self::failed(error.to_string())
    }
}
