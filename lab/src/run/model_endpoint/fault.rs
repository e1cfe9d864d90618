//! Faults: failures of an attempt, passing ones that are tried again (transient error, retryable HTTP status) and final ones
//! (permanent error). Status 408, 429 and 5xx pass, as do broken connections and bodies that are no chat completion; all else is final and
//! ends the run with a remedy. `worker` repeats passing ones alone: a repeated final error would only cost time and money.
//! `ask_once`, outside of runs, repeats neither kind.

use crate::io::text::folded;
use std::time::Duration;

/// Most characters of a server's words that an error repeats.
const QUOTED: usize = 300;

/// A failed attempt (retryable or permanent).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The next attempt may do better.
    Passing {
        /// What happened.
        reason: String,
        /// How long the endpoint asked to be left alone.
        wait: Option<Duration>,
    },
    /// No attempt will.
    Final(String),
}

impl Fault {
    /// One that may pass (transient error).
    pub(super) fn passing(reason: impl Into<String>) -> Self {
        Self::Passing { reason: reason.into(), wait: None }
    }

    /// The fault of a status that isn't success, with the server's words (HTTP status error).
    pub(crate) fn of_status(status: u16, words: &str, wait: Option<Duration>) -> Self {
        let words = match in_short(words) {
            short if short.is_empty() => String::new(),
            short => format!(", and says: {short}"),
        };
        let reason = format!("it answers with status {status}{words}");
        match status {
            408 | 429 | 500..=599 => Self::Passing { reason, wait },
            _ => Self::Final(format!("{reason}: {}", remedy(status))),
        }
    }
}

fn remedy(status: u16) -> &'static str {
    match status {
        300..=399 => {
            "redirects aren't followed, so that the key goes nowhere else: give the final address in llm.endpoint.base_url"
        }
        400 | 422 => {
            "if it doesn't know `response_format`, set llm.endpoint.schema to \"json\" or \"prompt\"; if the prompt is too long for it, name another llm.model"
        }
        401 | 403 => "check the key in the environment variable that llm.endpoint.api_key_env names",
        404 => "check llm.endpoint.base_url (up to and with the version, such as /v1) and llm.model",
        402 => "pay the endpoint's bill",
        413 => "the prompt is too long for it: name another llm.model",
        _ => "check llm.endpoint.base_url",
    }
}

/// A server's words on one line: the message of an error object, or the beginning of the body.
fn in_short(words: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(words).ok();
    let message = value.as_ref().and_then(|value| {
        let error = value.get("error").unwrap_or(value);
        error.get("message").or(error.get("detail")).or(Some(error)).and_then(|text| text.as_str())
    });
    let line = folded(message.unwrap_or(words));
    // Control signs of a stranger don't go to a terminal.
    line.chars().filter(|sign| !sign.is_control()).take(QUOTED).collect()
}
