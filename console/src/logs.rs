//! Logs on standard error: a tracing subscriber with a level filter (the environment variable `MORTA_LOG`, default `warn`). Results stay on
//! standard output, so that a pipe gets nothing else. Both programs install it right after parsing; a profiled run (`morta run --profile`)
//! wraps the subscriber instead. A wrong level is a user error (exit code 2). Colours need a terminal and no `NO_COLOR`.

use crate::failure::UserError;
use crate::output::Remarks;
use std::io::IsTerminal as _;
use tracing::Subscriber;
use tracing_subscriber::filter::LevelFilter;

/// The environment variable with the level: off, error, warn (the default), info, debug or trace.
const VARIABLE: &str = "MORTA_LOG";

/// Makes a subscriber that writes logs to standard error at the environment's level (tracing subscriber).
///
/// # Errors
/// When the variable isn't a level.
pub fn subscriber() -> anyhow::Result<impl Subscriber + Send + Sync> {
    let level = std::env::var(VARIABLE).unwrap_or_default();
    let level = match level.as_str() {
        "" => LevelFilter::WARN,
        level => level.parse().map_err(|_| {
            let remedy = "use off, error, warn, info, debug or trace";
            UserError::new(format!("{VARIABLE}={level}: this is not a level; {remedy}"))
        })?,
    };
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colours = !plain && std::io::stderr().is_terminal();
    Ok(tracing_subscriber::fmt().with_writer(|| Remarks).with_max_level(level).with_ansi(colours).finish())
}

/// Installs the subscriber for the whole process (global logger).
///
/// # Errors
/// When the variable isn't a level.
pub fn install() -> anyhow::Result<()> {
    Ok(tracing::subscriber::set_global_default(subscriber()?)?)
}
