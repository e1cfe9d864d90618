//! Keys, values and checksums.

use morta_base::{BloodstainId, GolemId, Tick};
use morta_engine::lethe::StoreError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Number of the format; it goes up when old stores can't be read any more.
pub(super) const FORMAT: u32 = 4;
pub(super) const FORMAT_KEY: &[u8] = &[0];
pub(super) const RUN: u8 = 1;
pub(super) const BLOODSTAIN: u8 = 2;

/// Which run something was left in: the beginning of a hash of its scenario and of what it started from. Two runs that are the
/// same have the same identity, and leave the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunId(pub [u8; 16]);

impl RunId {
    /// The identity of a run of this scenario (as text) that starts from what has this digest.
    pub fn of(scenario: &str, started_from: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in [scenario, started_from] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let hash = hasher.finalize();
        Self(std::array::from_fn(|byte| hash.as_bytes()[byte]))
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What a store knows of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Name of its scenario.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// Simulated seconds in one of its ticks.
    pub tick_seconds: u32,
    /// Ticks it has lived: all of them once it has ended, before that up to its last bloodstain.
    pub ticks: Tick,
    /// Bloodstains it has left.
    pub left: u64,
    /// The earlier runs it knew of, in the order it numbered them.
    pub ancestors: Vec<RunId>,
}

/// Bytes of the BLAKE3 hash kept with each value: enough to notice any damage.
const CHECKSUM: usize = 8;

fn checksum(body: &[u8]) -> [u8; CHECKSUM] {
    let hash = blake3::hash(body);
    std::array::from_fn(|byte| hash.as_bytes()[byte])
}

/// A value as it is stored: its checksum and its bytes.
pub(super) fn seal<T: Serialize>(value: &T) -> Result<Vec<u8>, StoreError> {
    let body = postcard::to_allocvec(value).map_err(failed)?;
    let mut sealed = checksum(&body).to_vec();
    sealed.extend(body);
    Ok(sealed)
}

/// The value, if nothing has happened to it.
pub(super) fn unseal<T: DeserializeOwned>(sealed: &[u8]) -> Option<T> {
    let (stored, body) = sealed.split_at_checked(CHECKSUM)?;
    if stored != checksum(body) {
        return None;
    }
    postcard::from_bytes(body).ok()
}

pub(super) fn run_key(run: RunId) -> Vec<u8> {
    [&[RUN][..], &run.0].concat()
}

pub(super) fn bloodstain_key(run: RunId, id: BloodstainId) -> Vec<u8> {
    // Within its own run a golem has no run number.
    let golem = GolemId::of_run(0, id.golem.slot(), id.golem.generation);
    [&[BLOODSTAIN][..], &run.0, &golem.packed().to_be_bytes(), &id.number.to_be_bytes()].concat()
}

/// The run a key of a run or of a bloodstain names.
pub(super) fn run_of(key: &[u8]) -> Option<RunId> {
    Some(RunId(key.get(1..17)?.try_into().ok()?))
}

pub(super) fn failed(error: impl fmt::Display) -> StoreError {
    StoreError(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_changed_byte_goes_unnoticed() {
        let record = RunRecord { name: "a run".to_owned(), seed: 7, left: 3, ..RunRecord::default() };
        let sealed = seal(&record).unwrap();
        assert_eq!(unseal::<RunRecord>(&sealed), Some(record));
        for byte in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[byte] ^= 1;
            assert_eq!(unseal::<RunRecord>(&damaged), None, "byte {byte}");
        }
        for length in 0..sealed.len() {
            assert_eq!(unseal::<RunRecord>(&sealed[..length]), None, "cut to {length}");
        }
    }
}
