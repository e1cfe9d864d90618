//! The world at the end of an interval, in a file that is there whole or not at all. It is the snapshot of a checkpoint, serialized,
//! compressed by zlib and hashed by BLAKE3; atomic rename makes it whole. A file whose hash is wrong is refused as damaged. It is replaced
//! as a whole, because half a state would be a world that never was. Only the last state is there: older ones stay only as copies for
//! branches. A resumed run and a branch take up its world; a live view reads only how many intervals have ended.

use crate::io::error::{Context as _, Error, Result};
use crate::run::run_folder::PARTIAL;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use morta_engine::world::{Snapshot, World};
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;

/// First bytes of the file; the digit is its format.
const MAGIC: &[u8; 10] = b"MORTA-CP1\n";
/// Bytes of a BLAKE3 hash.
const HASH: usize = 32;

/// The state of a run besides its world, from which a resumed run goes on counting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckpointState {
    /// Whole intervals of the event log.
    pub intervals: u32,
    /// Ticks lived by all golems together so far.
    pub golem_ticks: u64,
}

/// Writes the state down as a snapshot. `is_sound` says afterwards whether all of the world could be written; if not, the earlier file
/// stays. It is asked first where a memory couldn't be saved, as it may know why.
///
/// # Errors
/// When it can't be written, or isn't sound.
pub fn write(
    path: &Path,
    state: CheckpointState,
    world: &World,
    is_sound: impl Fn() -> Result<()>,
) -> Result<()> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&state.intervals.to_le_bytes())?;
    packed.write_all(&state.golem_ticks.to_le_bytes())?;
    let written = world.try_written_down();
    is_sound()?;
    packed.write_all(&written.ok().context("a memory can't be saved")?)?;
    let body = packed.finish()?;
    let partial = path.with_extension(PARTIAL.trim_start_matches('.'));
    let keep = || {
        let mut file = File::create(&partial)?;
        file.write_all(MAGIC)?;
        file.write_all(blake3::hash(&body).as_bytes())?;
        file.write_all(&body)?;
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    keep().with_context(|| format!("{} can't be written", path.display()))
}

/// Restores the state from its snapshot; `None` when none has been written yet.
///
/// # Errors
/// When the file is damaged.
pub fn read(path: &Path) -> Result<Option<(CheckpointState, Snapshot)>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("{} can't be read", path.display())),
    };
    let damaged = || Error::at(path, "the checkpoint is damaged");
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let (hash, body) = rest.split_at_checked(HASH).ok_or_else(damaged)?;
    if blake3::hash(body).as_bytes() != hash {
        return Err(damaged());
    }
    let mut unpacked = Vec::new();
    ZlibDecoder::new(body).read_to_end(&mut unpacked).map_err(|_| damaged())?;
    let (intervals, rest) = unpacked.split_first_chunk().ok_or_else(damaged)?;
    let (golem_ticks, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
    let state = CheckpointState {
        intervals: u32::from_le_bytes(*intervals),
        golem_ticks: u64::from_le_bytes(*golem_ticks),
    };
    let snapshot = Snapshot::read(rest).map_err(|_| damaged())?;
    Ok(Some((state, snapshot)))
}
