//! Attempts of a pool's worker threads: each call is tried until there is a reply, or no hope of one (retry loop). A call is given up after
//! `llm.endpoint.attempts` (8 by default) or a final fault; the endpoint counts as gone for the rest of the run after `breaker_failures`
//! (24) failed attempts in a row of all threads (circuit breaker), or a `Retry-After` of more than five minutes. Either is an
//! `OutsideError`, which ends the run that reads the reply; one with checkpoints can be resumed. Retries are here and not in the client,
//! because the rate limit and the breaker belong to all threads together.

use super::backoff;
use super::client::Client;
use super::counters::{Counters, add};
use super::fault::Fault;
use super::pace::Pace;
use super::reply::ReceivedReply;
use morta_engine::llm::EndpointConfig;
use morta_engine::llm::outside::{Call, CallKey, OutsideError};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which a waiting thread checks whether it should go on.
pub(super) const LOOK: Duration = Duration::from_millis(20);

/// Shortest wait that is said: shorter ones are every endpoint's way to keep a pace.
const SAID_FROM: Duration = Duration::from_secs(5);

/// State that all threads of a pool share to make attempts (shared retry state).
#[derive(Debug)]
pub(super) struct Attempts {
    pub client: Client,
    pub config: EndpointConfig,
    pub pace: Pace,
    pub counters: Arc<Counters>,
    /// Somebody stopped the run.
    pub stop: Arc<AtomicBool>,
    /// Replies aren't wanted any more.
    pub closing: AtomicBool,
    /// Failed attempts in a row, of whatever calls.
    pub failures: AtomicU32,
    /// Why the endpoint counts as gone, once it does.
    pub gone: OnceLock<String>,
}

impl Attempts {
    /// Why a call is to end without a reply, if it is: cancelled, or the circuit breaker is open.
    pub(super) fn ended(&self) -> Option<OutsideError> {
        if self.stop.load(Ordering::Relaxed) || self.closing.load(Ordering::Relaxed) {
            return Some(OutsideError::Stopped);
        }
        self.gone.get().cloned().map(OutsideError::Unreachable)
    }

    /// Tries until there is a reply, or there will be none (retry loop with backoff).
    pub(crate) fn reply_to(&self, key: &CallKey, call: &Call) -> Result<ReceivedReply, OutsideError> {
        let mut attempt = 1;
        loop {
            self.wait_for_turn()?;
            add(&self.counters.attempts, 1);
            let fault = match self.client.attempt(call) {
                Ok(received) => {
                    self.failures.store(0, Ordering::Relaxed);
                    return Ok(received);
                }
                Err(fault) => fault,
            };
            // An attempt that was ended by us doesn't count against the endpoint.
            self.ended().map_or(Ok(()), Err)?;
            add(&self.counters.failed_attempts, 1);
            let wait = self.judge(fault, attempt)?;
            // Jitter is added to the endpoint's own wait too: all calls were held by it, and must not come back at once.
            self.sleep(wait.unwrap_or_default() + backoff::pause(&self.config, key, attempt))?;
            attempt += 1;
        }
    }

    /// How long the endpoint asked to be left alone after a failed attempt; an error when it was the last.
    fn judge(&self, fault: Fault, attempt: u32) -> Result<Option<Duration>, OutsideError> {
        let address = self.client.address();
        let (reason, wait) = match fault {
            Fault::Final(reason) => return Err(OutsideError::Unreachable(format!("{address}: {reason}"))),
            Fault::Passing { reason, wait } => (reason, wait),
        };
        tracing::debug!("{address}: attempt {attempt}: {reason}");
        let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(wait) = wait.filter(|wait| *wait > backoff::LONGEST_RETRY_AFTER) {
            let (asked_s, longest) = (wait.as_secs(), backoff::LONGEST_RETRY_AFTER.as_secs());
            let gone = format!(
                "{address}: {reason}, and asks to be left alone for {asked_s} s, which is more than the {longest} s that are waited: go on after that; \
                 what was answered is kept where calls are recorded"
            );
            return Err(OutsideError::Unreachable(self.gone.get_or_init(|| gone).clone()));
        }
        let remedy =
            "see to it that it answers, then go on; what was answered is kept where calls are recorded";
        if failures >= self.config.breaker_failures {
            let gone = format!(
                "{address}: {failures} failed attempts in a row, so it counts as gone; the last: {reason}: {remedy}"
            );
            return Err(OutsideError::Unreachable(self.gone.get_or_init(|| gone).clone()));
        }
        if attempt >= self.config.attempts {
            let gone =
                format!("{address}: {attempt} attempts at one call failed; the last: {reason}: {remedy}");
            return Err(OutsideError::Unreachable(gone));
        }
        if let Some(wait) = wait {
            if wait >= SAID_FROM {
                tracing::warn!("{address}: {reason}, and asks to be left alone for {} s", wait.as_secs());
            }
            self.pace.hold(Instant::now(), wait);
        }
        Ok(wait)
    }

    fn wait_for_turn(&self) -> Result<(), OutsideError> {
        loop {
            self.ended().map_or(Ok(()), Err)?;
            match self.pace.wait(Instant::now()) {
                None => return Ok(()),
                Some(wait) => thread::sleep(wait.min(LOOK)),
            }
        }
    }

    fn sleep(&self, wait: Duration) -> Result<(), OutsideError> {
        let until = Instant::now() + wait;
        loop {
            self.ended().map_or(Ok(()), Err)?;
            match until.checked_duration_since(Instant::now()) {
                None | Some(Duration::ZERO) => return Ok(()),
                Some(left) => thread::sleep(left.min(LOOK)),
            }
        }
    }
}
