//! A real model, asked by a pool of threads (thread pool, connection pool) with a rate limit, retries, a circuit breaker and a recorder. It
//! serves runs with `llm.mode` `live` or `record`, sweeps with `record` (they refuse `live`), and branches that may record; `replay`,
//! repetitions and other branches play a cassette and need no pool. Wall-clock time never enters a run: only replies do, at their tick, and
//! a world waits for a late one. The pool has `llm.endpoint.concurrency` threads (4 by default), because endpoints refuse more calls than
//! they allow at once.

use super::api_key::ApiKey;
use super::client::Client;
use super::counters::{Counters, add};
use super::pace::Pace;
use super::reply::ReceivedReply;
use super::worker::{Attempts, LOOK};
use crate::io::error::{Context as _, Error, Result};
use crate::io::locked::locked;
use crate::run::cassette::{Cassette, Recorder};
use crossbeam_channel::{Receiver, Sender, unbounded};
use morta_engine::llm::LlmConfig;
use morta_engine::llm::outside::{Asker, Call, CallKey, CallReply, Outside, OutsideError};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;

/// A call for the pool.
struct Task {
    asker: Asker,
    key: CallKey,
    call: Call,
}

/// How far a call is; none: it is with a thread, or waits for one.
type Answer = Option<Result<CallReply, OutsideError>>;

/// State that threads share with callers.
#[derive(Debug)]
struct Shared {
    attempts: Attempts,
    answers: Mutex<BTreeMap<CallKey, Answer>>,
    answered: Condvar,
    /// The calls whose replies were waited for.
    delivered: Mutex<BTreeSet<CallKey>>,
    recorder: Mutex<Option<Recorder>>,
}

/// A pool that calls an endpoint, and records replies if a recorder is given (LLM client, worker pool). Dropping it ends calls under way,
/// and its threads.
pub struct LiveModel {
    shared: Arc<Shared>,
    /// Without a bound: `llm.requests_per_tick` and the latency of tiers bound the calls under way, and a caller must not wait.
    queue: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
}

impl fmt::Debug for LiveModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (address, threads) = (self.shared.attempts.client.address(), self.threads.len());
        f.debug_struct("LiveModel")
            .field("address", &address)
            .field("threads", &threads)
            .finish_non_exhaustive()
    }
}

impl LiveModel {
    /// Starts a pool of clients for the endpoint of a scenario. Nothing is sent before the first call. With a recorder, calls that it has
    /// already are not made again, and replies are recorded. Once `stop` is set, every waiting call ends with [`OutsideError::Stopped`].
    ///
    /// # Errors
    /// [`Error::Invalid`] when the environment variable with the key isn't set, or the address is none.
    pub fn connect(config: &LlmConfig, recorder: Option<Recorder>, stop: Arc<AtomicBool>) -> Result<Self> {
        let key = ApiKey::from_environment(config.endpoint.api_key_env.as_deref())?;
        Self::with_key(config, key, recorder, stop)
    }

    pub(super) fn with_key(
        config: &LlmConfig,
        key: ApiKey,
        recorder: Option<Recorder>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self> {
        let config = config.endpoint.clone();
        let attempts = Attempts {
            client: Client::new(&config, key)?,
            pace: Pace::new(config.requests_per_minute),
            counters: Arc::default(),
            stop,
            closing: AtomicBool::new(false),
            failures: AtomicU32::new(0),
            gone: OnceLock::new(),
            config,
        };
        let recorder = Mutex::new(recorder);
        let shared = Shared {
            attempts,
            answers: Mutex::default(),
            answered: Condvar::new(),
            delivered: Mutex::default(),
            recorder,
        };
        let (queue, tasks) = unbounded();
        let mut model = Self { shared: Arc::new(shared), queue: Some(queue), threads: Vec::new() };
        for number in 0..model.shared.attempts.config.concurrency {
            let (shared, tasks) = (Arc::clone(&model.shared), tasks.clone());
            let thread = std::thread::Builder::new().name(format!("model-{number}"));
            let thread = thread.spawn(move || shared.work(&tasks)).context("a thread can't be started")?;
            model.threads.push(thread);
        }
        Ok(model)
    }

    /// The request metrics, which go on counting while the pool works. A call that failed and is asked again is counted again.
    pub fn counters(&self) -> Arc<Counters> {
        Arc::clone(&self.shared.attempts.counters)
    }

    /// Ends a recording: writes the cassette and takes its journal away (finalised). Without a recorder, and a second time, there is
    /// nothing to do.
    ///
    /// Calls under way are ended first, and not recorded; neither are replies that were never read, because which of them arrived
    /// depends on the clock. Later calls fail.
    ///
    /// # Errors
    /// When the cassette can't be written; its journal then still has it all.
    pub fn finish(&self) -> Result<Option<Cassette>> {
        self.shared.close();
        let Some(mut recorder) = self.shared.recorder().take() else { return Ok(None) };
        let request_keys: BTreeSet<CallKey> = self.shared.answers().keys().cloned().collect();
        let undelivered = request_keys.difference(&self.shared.delivered()).cloned().collect();
        recorder.leave_out(&undelivered);
        recorder.finish().map(Some)
    }
}

impl Drop for LiveModel {
    fn drop(&mut self) {
        self.shared.close();
        self.queue = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so; dropping must not panic.
            let _ = thread.join();
        }
    }
}

impl Outside for LiveModel {
    fn progress(&self) -> Option<String> {
        Some(self.counters().snapshot().to_string())
    }

    fn ask(&self, asker: Asker, call: &Call) {
        let key = call.key();
        let mut answers = self.shared.answers();
        // A call that failed may be asked again; one that is under way or answered is not.
        if let Some(None | Some(Ok(_))) = answers.get(&key) {
            return;
        }
        add(&self.shared.attempts.counters.calls, 1);
        if let Some(reply) = self.shared.recorder().as_mut().and_then(|recorder| recorder.find(asker, &key)) {
            add(&self.shared.attempts.counters.cache_hits, 1);
            answers.insert(key, Some(Ok(reply)));
            return;
        }
        answers.insert(key.clone(), None);
        drop(answers);
        let queue = self.queue.as_ref().expect("it is there until this is dropped");
        let task = Task { asker, key, call: call.clone() };
        queue.send(task).expect("threads listen until this is dropped");
    }

    fn reply(&self, asker: Asker, call: &Call) -> Result<CallReply, OutsideError> {
        let key = call.key();
        let mut answers = self.shared.answers();
        if !answers.contains_key(&key) {
            drop(answers);
            self.ask(asker, call);
            answers = self.shared.answers();
        }
        loop {
            if let Some(Some(answer)) = answers.get(&key) {
                self.shared.delivered().insert(key);
                return answer.clone();
            }
            if let Some(error) = self.shared.attempts.ended() {
                return Err(error);
            }
            // A signal handler can't wake a waiting thread, so the thread checks now and then.
            let waited = self.shared.answered.wait_timeout(answers, LOOK);
            (answers, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Shared {
    fn answers(&self) -> MutexGuard<'_, BTreeMap<CallKey, Answer>> {
        locked(&self.answers)
    }

    fn delivered(&self) -> MutexGuard<'_, BTreeSet<CallKey>> {
        locked(&self.delivered)
    }

    fn recorder(&self) -> MutexGuard<'_, Option<Recorder>> {
        locked(&self.recorder)
    }

    fn close(&self) {
        self.attempts.closing.store(true, Ordering::Relaxed);
        self.attempts.client.shut_down();
    }

    fn work(&self, tasks: &Receiver<Task>) {
        for Task { asker, key, call } in tasks {
            let answer =
                self.attempts.reply_to(&key, &call).and_then(|received| self.keep(asker, &call, received));
            self.answers().insert(key, Some(answer));
            self.answered.notify_all();
        }
    }

    /// A reply that can't be kept must not be lived with: the run could not be had again.
    fn keep(&self, asker: Asker, call: &Call, received: ReceivedReply) -> Result<CallReply, OutsideError> {
        let ReceivedReply { reply, is_estimated } = received;
        if let Some(recorder) = self.recorder().as_mut() {
            let kept = recorder.keep(asker, call, &reply);
            kept.map_err(|error: Error| OutsideError::Unreachable(error.in_full()))?;
        }
        let counters = &self.attempts.counters;
        add(&counters.answered, 1);
        add(&counters.estimated, u64::from(is_estimated));
        add(&counters.input_tokens, u64::from(reply.input_tokens));
        add(&counters.output_tokens, u64::from(reply.output_tokens));
        Ok(reply)
    }
}
