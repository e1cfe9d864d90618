//! Where the time of a run goes: a profiler (tracing subscriber) of the engine's phases (`morta_engine::phase`) that adds up their own time
//! (self time), thread by thread, in seconds of wall time. `morta run --profile` installs it, once in a process, and passes warnings on to
//! the usual log; while it isn't installed, phases cost next to nothing. Self time is added up and not total time, because phases contain
//! each other. It enters no result.

use crate::io::error::{Error, Result};
use crate::io::locked::locked;
use morta_engine::phase::PHASE_TARGET;
use serde::Serialize;
use std::cell::RefCell;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};

/// A phase of the program's own, to be entered.
#[doc(hidden)]
#[macro_export]
macro_rules! phase {
    ($name:literal) => {
        tracing::trace_span!(target: morta_engine::phase::PHASE_TARGET, $name)
    };
}
pub use phase;

/// The self time of one phase, on all threads together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseTime {
    /// The phase, as its span is called.
    pub phase: &'static str,
    /// How often it was entered.
    pub entered: u64,
    /// Time spent in it, that of phases within it taken off, in seconds.
    pub own_s: f64,
}

/// The busy time of one thread, i.e. what it spent within phases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThreadTime {
    /// The thread, as the system knows it.
    pub thread: String,
    /// Time in any phase, in seconds; the rest of the wall time it waited or carried messages.
    pub busy_s: f64,
}

/// The profile of a run: where its time went, by phase and thread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseProfile {
    /// The run's wall time, in seconds.
    pub wall_s: f64,
    /// All phases, the longest first.
    pub phases: Vec<PhaseTime>,
    /// All threads that were in any phase.
    pub threads: Vec<ThreadTime>,
}

/// A phase's figures on one thread.
#[derive(Clone, Copy)]
struct Total {
    metadata: &'static Metadata<'static>,
    entered: u64,
    own: Duration,
}

/// What one thread has spent: its finished phases, and those that it is in, the innermost last.
#[derive(Default)]
struct Tally {
    name: String,
    totals: Vec<Total>,
    under_way: Vec<UnderWay>,
}

/// A phase that was entered and not left.
struct UnderWay {
    /// Its place among the totals of the thread.
    place: usize,
    since: Instant,
    /// Time of phases within it so far.
    within: Duration,
}

impl Tally {
    fn place(&mut self, metadata: &'static Metadata<'static>) -> usize {
        // A search and not a hash: a thread enters few distinct phases, and this runs at each of them.
        let known = self.totals.iter().position(|total| total.metadata.callsite() == metadata.callsite());
        known.unwrap_or_else(|| {
            self.totals.push(Total { metadata, entered: 0, own: Duration::ZERO });
            self.totals.len() - 1
        })
    }

    fn enter(&mut self, place: usize) {
        self.under_way.push(UnderWay { place, since: Instant::now(), within: Duration::ZERO });
    }

    fn exit(&mut self) {
        let Some(ended) = self.under_way.pop() else { return };
        let lasted = ended.since.elapsed();
        let total = &mut self.totals[ended.place];
        total.entered += 1;
        // Own time without that of inner phases, so that the sum over phases is the busy time and counts nothing twice.
        total.own += lasted.saturating_sub(ended.within);
        if let Some(around) = self.under_way.last_mut() {
            around.within += lasted;
        }
    }
}

type Threads = Arc<Mutex<Vec<Arc<Mutex<Tally>>>>>;

thread_local! {
    static TALLY: RefCell<Option<Arc<Mutex<Tally>>>> = const { RefCell::new(None) };
}

/// A profiler that adds up phases while a run is under way.
#[derive(Clone)]
pub struct Profiler {
    since: Instant,
    threads: Threads,
    /// The subscriber that writes warnings meanwhile.
    logs: Arc<dyn Subscriber + Send + Sync>,
}

impl Profiler {
    /// Starts to listen, in the whole process; warnings that come in between are passed on to `logs` (tracing subscriber setup).
    ///
    /// # Errors
    /// When another subscriber is installed already.
    pub fn install(logs: impl Subscriber + Send + Sync) -> Result<Self> {
        let (threads, logs) = (Threads::default(), Arc::new(logs));
        let profiler = Self { since: Instant::now(), threads, logs };
        let installed = tracing::subscriber::set_global_default(profiler.clone());
        installed.map_err(|error| Error::failed(error.to_string()))?;
        Ok(profiler)
    }

    fn with_tally<T>(&self, act: impl FnOnce(&mut Tally) -> T) -> T {
        TALLY.with_borrow_mut(|mine| {
            // A tally for each thread: one for all would make threads wait for each other in the very code that is measured. The lock is needed only by
            // `profile`, which reads tallies of threads that still run.
            let mine = mine.get_or_insert_with(|| {
                let name = std::thread::current().name().unwrap_or("unnamed").to_owned();
                let tally = Arc::new(Mutex::new(Tally { name, ..Tally::default() }));
                locked(&self.threads).push(Arc::clone(&tally));
                tally
            });
            act(&mut locked(mine))
        })
    }

    /// The times of all phases that have ended so far; a phase under way counts when it ends (self time profile).
    pub fn profile(&self) -> PhaseProfile {
        let wall_s = self.since.elapsed().as_secs_f64();
        let mut phases: Vec<PhaseTime> = Vec::new();
        let mut threads = Vec::new();
        for tally in locked(&self.threads).iter() {
            let tally = locked(tally);
            let busy: Duration = tally.totals.iter().map(|total| total.own).sum();
            threads.push(ThreadTime { thread: tally.name.clone(), busy_s: busy.as_secs_f64() });
            for total in &tally.totals {
                let (phase, own_s) = (total.metadata.name(), total.own.as_secs_f64());
                // By name and not by call site: one phase may be entered from several places of the source.
                match phases.iter_mut().find(|known| known.phase == phase) {
                    Some(known) => {
                        known.entered += total.entered;
                        known.own_s += own_s;
                    }
                    None => phases.push(PhaseTime { phase, entered: total.entered, own_s }),
                }
            }
        }
        phases.sort_by(|a, b| b.own_s.total_cmp(&a.own_s).then_with(|| a.phase.cmp(b.phase)));
        threads.sort_by(|a, b| a.thread.cmp(&b.thread));
        PhaseProfile { wall_s, phases, threads }
    }
}

impl PhaseProfile {
    /// Lays out the profile as a text table.
    pub fn lines(&self) -> Vec<String> {
        let width = self.phases.iter().map(|phase| phase.phase.len()).max().unwrap_or(0).max(5);
        let busy: f64 = self.phases.iter().map(|phase| phase.own_s).sum();
        let mut lines = vec![
            format!("Where the time went: {:.2} s of wall time, {busy:.2} s of work", self.wall_s),
            format!(
                "{:width$}  {:>11}  {:>9}  {:>8}  {:>10}",
                "phase", "entered", "seconds", "of work", "us a time"
            ),
        ];
        lines.extend(self.phases.iter().map(|phase| {
            format!(
                "{:width$}  {:>11}  {:>9.3}  {:>6.1} %  {:>10.2}",
                phase.phase,
                phase.entered,
                phase.own_s,
                100.0 * phase.own_s / busy.max(f64::MIN_POSITIVE),
                1e6 * phase.own_s / phase.entered.max(1) as f64,
            )
        }));
        let threads = self.threads.iter().map(|thread| {
            format!("{} {:.0} %", thread.thread, 100.0 * thread.busy_s / self.wall_s.max(f64::MIN_POSITIVE))
        });
        lines.push(format!("threads at work: {}", threads.collect::<Vec<_>>().join(", ")));
        lines
    }
}

impl Subscriber for Profiler {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if self.enabled(metadata) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == PHASE_TARGET || (metadata.is_event() && self.logs.enabled(metadata))
    }

    /// A phase is entered and left by the thread that made it, so its place in that thread's tally is name enough.
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        // One more than the place, because an `Id` can't be 0.
        Id::from_u64(self.with_tally(|tally| tally.place(span.metadata())) as u64 + 1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.logs.event(event);
    }

    fn enter(&self, span: &Id) {
        self.with_tally(|tally| tally.enter(span.into_u64() as usize - 1));
    }

    fn exit(&self, _: &Id) {
        self.with_tally(Tally::exit);
    }
}
