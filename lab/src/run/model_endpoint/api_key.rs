//! The API key of an endpoint (bearer token), kept out of everything that is written (secret redaction): logs, errors, replies, cassettes.
//! A server may repeat the key in an error, so even replies are searched for it; a key of fewer than 12 bytes is taken out of errors
//! alone. The client applies both to whole texts: in a text that was shortened before, half of a key would stay. OpenClaw's wording
//! (`tools`) has its key by the same way, so an error about it names the key of the scenario too.

use crate::io::error::{Error, Result};
use std::fmt;

/// The placeholder for a key.
const HIDDEN: &str = "[key]";
/// The shortest key that is looked for in replies of a model, bytes. Local servers take any word for a key ("none"), and words occur; real
/// keys are longer.
const SHORTEST_SECRET: usize = 12;

/// The key, or none.
#[derive(Clone)]
pub(super) struct ApiKey(Option<String>);

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl ApiKey {
    /// The value of an environment variable; without a name there is no key (API key from an environment variable).
    pub(crate) fn from_environment(name: Option<&str>) -> Result<Self> {
        let Some(name) = name else { return Ok(Self(None)) };
        let place = "llm.endpoint.api_key_env";
        let Ok(value) = std::env::var(name) else {
            let remedy = "set it, or leave the key out for an endpoint that wants none";
            return Err(Error::invalid(format!(
                "{place}: the environment variable {name} isn't set (or is no text): {remedy}"
            )));
        };
        let value = value.trim();
        if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            let reason = "is empty, or has spaces or signs that no header may have";
            return Err(Error::invalid(format!(
                "{place}: the environment variable {name} {reason}: set it to the key alone"
            )));
        }
        Ok(Self(Some(value.to_owned())))
    }

    /// Makes a key from a text, for tests.
    #[cfg(test)]
    pub(super) fn from_text(key: &str) -> Self {
        Self(Some(key.to_owned()))
    }

    /// The value of the `Authorization` header (bearer token); none without a key.
    pub(super) fn bearer(&self) -> Option<String> {
        self.0.as_ref().map(|key| format!("Bearer {key}"))
    }

    /// Text for an error, without the key (redacted error).
    pub(crate) fn out_of_error(&self, text: &str) -> String {
        self.0.as_ref().map_or_else(|| text.to_owned(), |key| text.replace(key.as_str(), HIDDEN))
    }

    /// Text of a reply, without the key (redacted reply).
    pub(crate) fn out_of_reply(&self, text: String) -> String {
        match &self.0 {
            Some(key) if key.len() >= SHORTEST_SECRET && text.contains(key) => {
                text.replace(key.as_str(), HIDDEN)
            }
            _ => text,
        }
    }
}
