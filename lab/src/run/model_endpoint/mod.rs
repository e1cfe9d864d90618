//! Real models: a client of any server of OpenAI's chat completions, and the pool of threads that asks it.
//!
//! [`LiveModel`] is what a run with `llm.mode` `live` or `record` is connected to. Calls go to a bounded pool of threads
//! (`llm.endpoint.concurrency`), which keep to `requests_per_minute`, try again what failed underway, give up what is refused for good, and
//! take the endpoint for gone after `breaker_failures` failed attempts in a row. Nothing here reaches the log of a run but the replies.
//! `ask_once` is a single call outside of runs, for the wording of OpenClaw (`tools`).
//!
//! What is tried again: status 408, 429 and 5xx, timeouts, connections refused, broken or reset, bodies that are cut or aren't a chat
//! completion. Pauses grow twofold up to `backoff_max_seconds`, each drawn evenly from zero to that ("full jitter": Brooker, "Exponential
//! Backoff And Jitter", AWS Architecture Blog, 2015); `Retry-After` is kept, up to five minutes, by all threads. Everything else is final
//! at once.
//!
//! A key comes from the environment and goes nowhere but into the header of requests to `base_url`: redirects are never followed. Proxies
//! are those of the environment (`ALL_PROXY`, `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`); certificates are held against Mozilla's roots,
//! which are compiled in. Tokens that an endpoint doesn't count are taken for a quarter of the bytes, and [`Counters`] say how often.
//!
//! In the terms of services: an LLM client (OpenAI-compatible API) with retry, exponential backoff, rate limit and circuit breaker.

mod address;
mod api_key;
mod backoff;
mod client;
mod counters;
mod fault;
mod live;
mod pace;
mod reply;
mod request;
mod worker;

pub use counters::{CounterValues, Counters};
pub use live::LiveModel;

use crate::io::error::{Error, Result};
use morta_engine::llm::EndpointConfig;
use morta_engine::llm::outside::Call;

/// Asks once, outside of any run: nothing is tried again or recorded (one chat completion). Returns the text of the reply, without the key
/// if that has 12 bytes or more.
///
/// # Errors
/// [`Error::Invalid`] when the endpoint's address or key can't be used, or no reply came, and why.
pub fn ask_once(config: &EndpointConfig, call: &Call) -> Result<String> {
    let key = api_key::ApiKey::from_environment(config.api_key_env.as_deref())?;
    let received = client::Client::new(config, key)?.attempt(call);
    received.map(|received| received.reply.text).map_err(|fault| match fault {
        fault::Fault::Passing { reason, .. } | fault::Fault::Final(reason) => {
            Error::at(&config.base_url, reason)
        }
    })
}

#[cfg(test)]
mod tests;
