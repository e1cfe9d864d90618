//! Hashes by which scenarios and files are recognised: BLAKE3 checksums of canonical JSON or of a file's bytes, 64 hexadecimal digits. A
//! manifest keeps them, and a repetition or a reader compares them; a run's identity in Lethes is made from the same JSON without the paths
//! of its Lethes, and the hash of a sweep's arm from the same without the seed and with content hashes in place of file names. JSON is
//! canonical, because a hash of the file would change with a comment. Defaults are in it, so that a build with another default gives
//! another hash.

use crate::io::error::{Context as _, Result};
use morta_base::digest::hex_of;
use morta_engine::world::Scenario;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Serialises a scenario as JSON without white space, keys in the order of the types; the same scenario always gives the same bytes
/// (canonical JSON).
pub fn canonical_json(scenario: &Scenario) -> String {
    serde_json::to_string(scenario).expect("a scenario is plain data")
}

/// Computes the checksum of a scenario: BLAKE3 of [`canonical_json`], 64 hexadecimal digits.
pub fn scenario_hash(scenario: &Scenario) -> String {
    hex_of(canonical_json(scenario).as_bytes())
}

/// Computes the checksum of a file: BLAKE3 of its bytes, 64 hexadecimal digits.
///
/// # Errors
/// When it can't be read.
pub fn file_hash(path: &Path) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    let read = File::open(path).and_then(|file| std::io::copy(&mut BufReader::new(file), &mut hasher));
    read.with_context(|| format!("{} can't be read", path.display()))?;
    Ok(hasher.finalize().to_hex().to_string())
}
