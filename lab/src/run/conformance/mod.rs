//! Conformance of memories: whether an architecture keeps what the contract asks for, and what a laboratory has to rely on.
//!
//! Whether a memory is any good is not checked here; a sweep shows that. These checks hold for good memories and bad ones alike:
//!
//! | check | holds when |
//! |---|---|
//! | `same-bytes` | two runs in the plain loop, one on a single thread and one on two tell the same events |
//! | `save-load` | a world that is written down twice on the way and read back has them too |
//! | `faults` | no golem dies of a panic |
//! | `advice` | expectations are finite, confidence is within 0 and 1, sizes are finite and 0 or more, and asked twice it says the same |
//! | `veto` | where nothing can be known, it forbids no more than a stated share of candidates |
//! | `size` | its state grows by no more than a stated number of bytes for each outcome it could have taken in |
//! | `voices` | what it says had a say in its advice had one: advice without that item is other advice |
//! | `counts` | its account adds up: nothing unused or restated that wasn't stored, no more self-fed evidence than evidence |
//! | `payment` | without money for inference it begins nothing that costs any, and what golems paid is what the log says |
//!
//! A memory that panics while it is copied, or asked outside its golem's life, fails `interview` (in the place of the checks from `faults` on) or
//! `same-bytes`, with what it said. One in a process that offers no `save` can't be copied, so it fails `save-load` and `interview`.
//!
//! ```
//! use morta_engine::memory::{MemoryName, MemoryRegistry};
//! use morta_lab::conformance::{ConformanceBounds, check};
//!
//! let report = check(&MemoryRegistry::default(), &MemoryName::from_static("window"), &ConformanceBounds::default()).unwrap();
//! assert!(report.conforms());
//! ```
//!
//! It is a conformance test suite (contract test) for memory architectures, as for a plug-in interface. `morta memory conformance NAME`
//! runs it, for a memory built in or brought by a process; a program that registers its own, and Python for a class, call `check`. A run or
//! a sweep doesn't check its memories. `worlds` makes the worlds, `bytes` compares them, `interview` records and `audit` judges.

mod audit;
mod bytes;
mod interview;
mod worlds;

use crate::io::error::{Error, Result};
use crate::io::text::View;
use crate::run::laboratory::Laboratory;
use morta_base::panic_message;
use morta_engine::memory::{MemoryName, MemoryRegistry};
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The thresholds of the checks that aren't yes or no.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConformanceBounds {
    /// The seed of all worlds.
    pub seed: u64,
    /// Most of the candidates in a world without anything to know that a memory may forbid, 0 to 1.
    pub vetoed_share_max: f64,
    /// Most bytes that its state may grow by for each outcome (a trade closed, an abstention seen through), beyond
    /// [`spare_bytes`](Self::spare_bytes).
    pub bytes_per_outcome_max: f64,
    /// Bytes that it may hold whatever it has lived through: tables of a fixed size.
    pub spare_bytes: u64,
}

impl Default for ConformanceBounds {
    /// A quarter of the candidates: a trader that expects the market to be fair has no reason to forbid any, and one that forbids more has
    /// mistaken luck for knowledge oftener than the odd rule explains. Four kilobytes for an outcome: an episode with its
    /// embedding and chain takes about one, and as much again may be drawn from it.
    fn default() -> Self {
        Self { seed: 1, vetoed_share_max: 0.25, bytes_per_outcome_max: 4_096.0, spare_bytes: 65_536 }
    }
}

/// The result of one check: whether it holds, and the finding in a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Its name, as in the table above.
    pub name: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// The finding in a line, with its figures.
    pub found: String,
}

impl Check {
    fn new(name: &'static str, holds: bool, found: impl Into<String>) -> Self {
        Self { name, holds, found: found.into() }
    }
}

/// The report of a conformance test: what was found of a memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConformanceReport {
    /// The architecture.
    pub memory: MemoryName,
    /// What was asked of it.
    pub bounds: ConformanceBounds,
    /// Every check, in a fixed order.
    pub checks: Vec<Check>,
}

impl ConformanceReport {
    /// Whether all checks hold, so that the memory conforms.
    pub fn conforms(&self) -> bool {
        self.failed().next().is_none()
    }

    /// The checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| !check.holds)
    }
}

impl View for ConformanceReport {
    fn lines(&self) -> Vec<String> {
        let line = |check: &Check| {
            format!("{} {:<10} {}", if check.holds { "ok  " } else { "FAIL" }, check.name, check.found)
        };
        let mut lines: Vec<String> = self.checks.iter().map(line).collect();
        let failed: Vec<&str> = self.failed().map(|check| check.name).collect();
        lines.push(match failed.as_slice() {
            [] => format!("{} conforms: {} checks hold", self.memory, self.checks.len()),
            failed => format!("{} does NOT conform: {}", self.memory, failed.join(", ")),
        });
        lines
    }
}

/// Puts an architecture through all checks of the conformance test. Its parameters, if it has any, are its defaults.
///
/// # Errors
/// [`Error::Invalid`] when the registry doesn't know the name, or the architecture refuses its default parameters; others when a world
/// can't be lived.
pub fn check(
    registry: &MemoryRegistry,
    name: &MemoryName,
    bounds: &ConformanceBounds,
) -> Result<ConformanceReport> {
    registry.demand(name).map_err(|unknown| Error::invalid(unknown.to_string()))?;
    let worlds =
        worlds::ConformanceWorlds { memory: name, registry: Arc::new(registry.clone()), seed: bounds.seed };
    let (busy, fair, long) = (worlds.busy()?, worlds.fair()?, worlds.long()?);
    let mut checks =
        guarded("same-bytes", || bytes::checks(&busy)).unwrap_or_else(|failed| Ok(vec![failed]))?;
    let interviewed = guarded("interview", || Ok((interview::live(fair)?, interview::live(long)?)));
    let (fair, long) = match interviewed {
        Ok(lived) => lived?,
        Err(failed) => {
            checks.push(failed);
            return Ok(ConformanceReport { memory: name.clone(), bounds: bounds.clone(), checks });
        }
    };
    checks.push(audit::faults(&[&fair, &long]));
    checks.push(audit::advice(&[&fair, &long]));
    checks.push(audit::veto(&fair, bounds));
    checks.push(audit::size(&long, bounds));
    checks.push(audit::voices(&[&fair, &long]));
    checks.push(audit::counts(&[&fair, &long]));
    checks.push(audit::payment(&[&fair, &long]));
    Ok(ConformanceReport { memory: name.clone(), bounds: bounds.clone(), checks })
}

/// Does part of the checks. Memories are copied and interviewed where no golem would die of their panic, so a panic is what was found, and
/// the checks of that part are left out.
fn guarded<T>(
    part: &'static str,
    checks: impl FnOnce() -> Result<T>,
) -> std::result::Result<Result<T>, Check> {
    catch_unwind(AssertUnwindSafe(checks)).map_err(|panic| {
        let why = panic_message(panic.as_ref());
        Check::new(part, false, format!("{why}; what else this part checks wasn't looked at"))
    })
}

/// Puts a memory that a process brings, or a shipped one, through all checks.
///
/// # Errors
/// Besides those of [`check`], when the process doesn't answer.
pub fn check_process(
    laboratory: &Laboratory,
    name: &MemoryName,
    bounds: &ConformanceBounds,
) -> Result<ConformanceReport> {
    let checked = check(laboratory.memories(), name, bounds);
    laboratory.processes().check()?;
    checked
}
