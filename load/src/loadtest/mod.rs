//! Load tests of scoring: golems about to dream send requests to scorer actors, and the latency of every request is recorded.
//! It is the benchmark command's library: arguments, Grimoires, the load, the report. It is apart from the generator, because
//! that has no clock and no files. `check` lowers arguments to the settings of `asked`, `subject` makes what is scored, `run` puts it
//! under load, `outcome` holds the figures, `text` and `hdr` write them, `duration` reads and writes times.

mod asked;
mod check;
mod duration;
mod hdr;
mod outcome;
mod run;
mod subject;
pub mod text;

pub use asked::{LoadTestSettings, MadeGrimoires};
pub use check::UncheckedLoadTest;
pub use hdr::IntervalLog;
pub use outcome::{LoadTest, LoadTestStart, LoopKind, MeasuredStep, ScoredSubject};
pub use run::{StepWatch, all, at_once_per_s};
pub use subject::{GrimoireSource, ScoringBench, prepare};

use std::sync::Arc;

/// Name of the file with all figures of a load test. The page is made from it, so that it can be made again without the load.
pub const RESULT: &str = "loadtest.json";

/// A flag that ends the load (cancellation flag).
pub(crate) type StopFlag = Arc<std::sync::atomic::AtomicBool>;
