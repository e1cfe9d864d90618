//! The memory that a run needs at its first tick: a scenario that will not fit is reported before it is begun, not when the system ends it.
//! It is an estimate of memory usage against out-of-memory kills, in bytes: golems times a constant. `morta run` prints a note from 1 GiB
//! on, and refuses without `--yes` where less is available. It is a lower bound, because a warning about a world that would have fitted is
//! worse than none.

use crate::io::machine::available_bytes;
use morta_engine::world::Scenario;
use std::fmt;

/// Bytes of a golem that has only just been born, whatever it remembers with: 200 MB for 11,000 of them without memory, less the 112 MB
/// of 1,000 (`morta run scenarios/synthetic.toml --no-record --plain`, 40 ticks), and a tenth for what allocators add.
const GOLEM_BYTES: u64 = 10_000;
/// Need of memory from which on it is reported before the run, bytes. Our choice: below a gigabyte hardly a machine is too small.
const LARGE_BYTES: u64 = 1 << 30;

/// The memory that a scenario's golems take at least (memory footprint estimate). Their memories grow while they live, so the need is a
/// lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryNeed {
    /// Golems of all cohorts.
    pub golems: u64,
    /// Bytes that they take at birth.
    pub bytes: u64,
    /// Available bytes; none where the system doesn't report them.
    pub available: Option<u64>,
}

impl MemoryNeed {
    /// Estimates the memory that a scenario needs, beside what this machine has available.
    pub fn for_scenario(scenario: &Scenario) -> Self {
        let golems = scenario.cohorts.iter().map(|cohort| u64::from(cohort.golems)).sum();
        Self { golems, bytes: GOLEM_BYTES.saturating_mul(golems), available: available_bytes() }
    }

    /// Whether the need exceeds the available memory, so that the run would end out of memory.
    pub fn is_too_much(&self) -> bool {
        self.available.is_some_and(|available| self.bytes > available)
    }

    /// Whether the memory footprint is so large that it is reported before the run.
    pub fn is_large(&self) -> bool {
        self.bytes >= LARGE_BYTES
    }
}

impl fmt::Display for MemoryNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gigabytes = |bytes: u64| bytes as f64 / 1e9;
        write!(
            f,
            "{} golems take {:.1} GB of memory at birth, and more as they live",
            self.golems,
            gigabytes(self.bytes)
        )?;
        match self.available {
            Some(available) => write!(f, "; there are {:.1} GB", gigabytes(available)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn need_is_compared_with_available_memory() {
        let need = |golems: u64, available| MemoryNeed { golems, bytes: GOLEM_BYTES * golems, available };
        assert!(!need(1_000, Some(8 << 30)).is_large());
        let million = need(1_000_000, Some(8 << 30));
        assert!(million.is_large() && million.is_too_much());
        assert_eq!(
            million.to_string(),
            "1000000 golems take 10.0 GB of memory at birth, and more as they live; there are 8.6 GB"
        );
        assert!(!need(1_000_000, None).is_too_much());
    }
}
