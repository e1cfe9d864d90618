//! Keys, values and checksums of a Lethe's database. It is the serialization format of the database: values are postcard bytes behind the
//! first 8 bytes of their BLAKE3 hash; the format's number (key `0`) stands bare. The inventory beside the database is a file in the form
//! of values. Keys sort by run and golem, so that a run's records lie together. A database of another format version is refused when it is
//! opened.

use morta_base::{BloodstainId, GolemId, Tick};
use morta_engine::lethe::StoreError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Number of the format. It is raised when older databases can't be read any more, so that they are refused instead of misread.
pub(super) const FORMAT: u32 = 4;
pub(super) const FORMAT_KEY: &[u8] = &[0];
pub(super) const RUN: u8 = 1;
pub(super) const BLOODSTAIN: u8 = 2;

/// Identity of a run: the first 16 bytes of a BLAKE3 hash of its scenario and of the digest of the Lethe it started from (content hash id). It is
/// computed rather than drawn, so that a repeated run has the same identity and replaces its bloodstains instead of adding copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunId(pub [u8; 16]);

impl RunId {
    /// Identifies a run of a scenario, as text, that starts from the Lethe with the digest `started_from`, which is empty without one: a
    /// content hash. The caller leaves the paths of Lethes out of the text.
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

/// The record of a run in a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Name of its scenario.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// Simulated seconds in one of its ticks.
    pub tick_seconds: u32,
    /// Ticks lived: all of them once the run has ended, before that those up to its last bloodstain.
    pub ticks: Tick,
    /// Number of its bloodstains that this database should hold. In the run's own database those that it removed again are subtracted; in
    /// the lasting Lethe, which keeps them, it is all that the run left. A reader who finds fewer reports a loss (`LetheContent::read`), so
    /// that a larger number would make a false one.
    pub left: u64,
    /// The earlier runs that it started from, in the order of their numbers.
    pub ancestors: Vec<RunId>,
}

/// Bytes of the BLAKE3 hash kept with each value. Our choice, because 64 bits miss a random change once in 1.8e19.
const CHECKSUM: usize = 8;

fn checksum(body: &[u8]) -> [u8; CHECKSUM] {
    let hash = blake3::hash(body);
    std::array::from_fn(|byte| hash.as_bytes()[byte])
}

/// A value as it is stored: its checksum, then its bytes in postcard's form.
pub(super) fn seal<T: Serialize>(value: &T) -> Result<Vec<u8>, StoreError> {
    let body = postcard::to_allocvec(value).map_err(failed)?;
    let mut sealed = checksum(&body).to_vec();
    sealed.extend(body);
    Ok(sealed)
}

/// The value of stored bytes; `None` when they are damaged.
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
    // Keys have run number 0, as within the golem's own run: each later run numbers its ancestors anew.
    let golem = GolemId::of_run(0, id.golem.slot(), id.golem.generation);
    [&[BLOODSTAIN][..], &run.0, &golem.packed().to_be_bytes(), &id.number.to_be_bytes()].concat()
}

/// The run in the key of a run or of a bloodstain; `None` when the key is too short.
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
    fn a_changed_or_missing_byte_is_detected() {
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
