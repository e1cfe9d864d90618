//! The terminal during a long command: Ctrl-C, and a spinner on standard error. It is signal handling (SIGINT, SIGTERM) by an atomic flag,
//! which the command's work polls, so that it ends at a barrier with its files whole. The exit code of a stopped command is 130, but 0 of
//! the commands `serve --http` and `live` of `morta-memory`, which end in no other way. Commands that don't call it are ended by the signal
//! at once. The handler is installed once a process; later calls return the same flag.

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Installs the signal handler, and returns the flag that the first Ctrl-C or SIGTERM sets. The second one ends the process at once,
/// because the first may take a while to be noticed.
pub fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let mut failed = None;
    let stop = STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let handler = move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        };
        failed = ctrlc::set_handler(handler).err();
        stop
    });
    match failed {
        None => Ok(Arc::clone(stop)),
        Some(error) => Err(error).context("Ctrl-C can't be listened to"),
    }
}

/// The shells' exit code for a process that was ended by SIGINT: 128 + 2.
pub const INTERRUPTED: i32 = 130;

/// Runs work without known progress and returns its result. A spinner (progress bar of indicatif) counts the seconds meanwhile, on a
/// terminal only and not when `quiet`, which callers set for JSON output.
pub fn counted<T>(what: &'static str, quiet: bool, work: impl FnOnce() -> T) -> T {
    let bar = match quiet || !std::io::stderr().is_terminal() {
        true => ProgressBar::hidden(),
        false => ProgressBar::new_spinner(),
    };
    let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(what);
    bar.enable_steady_tick(Duration::from_millis(250));
    let done = work();
    bar.finish_and_clear();
    done
}
