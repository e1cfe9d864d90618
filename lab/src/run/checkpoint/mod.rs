//! Checkpoints (`morta run --checkpoint-every TICKS`): at intervals, and when it is stopped, the world is written down, so that a run that
//! was cut off goes on from there (`--resume`). The tables come out the same to the byte, because they are made again from the same events.
//! `morta run` makes them every 50 ticks where a real model is asked (unless the run is steered, has `--threads` or shares a Lethe),
//! because replies cost money; a program or Python gets those that it asks for. Runs with checkpoints are lived by the plain loop, and none
//! may start from or write to another Lethe, follow an owner's directives, or have memories in processes that can't save. Only the build
//! that began a run can resume it; another one is refused.
//!
//! While a run is under way its folder holds `checkpoint/`: `plan.json` (what is being run), `events-N.bin.gz` (the log, a file for each
//! interval) and `state.bin` (the world at the end of the last whole interval). It goes when the run ends; with `--keep-checkpoints` a copy
//! of each state but that of a stop stays in `checkpoints/`, for branches.
//!
//! This is checkpoint and restart (crash recovery) by a snapshot and a log.

mod log;
mod state;

pub use log::EventLog;
pub use state::{CheckpointState, read, write};

use crate::io::error::{Context as _, Error, Result};
use crate::run::provenance::Build;
use crate::run::run_folder::{CHECKPOINT, PARTIAL};
use crate::run::scenario_file::{DataFile, spelling};
use morta_base::Tick;
use morta_engine::world::Scenario;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

const PLAN: &str = "plan.json";

/// Folder of the checkpoints that outlive the run, within the run's.
const KEPT: &str = "checkpoints";

/// Copies the state that was written last to `checkpoints/TICK.bin`, for branches of the run (atomic rename).
///
/// # Errors
/// When it can't be written.
pub(crate) fn keep_copy(state: &Path, run: &Path, tick: Tick) -> Result<()> {
    let (dir, name) = (run.join(KEPT), format!("{tick}.bin"));
    let partial = dir.join(format!("{name}{}", PARTIAL));
    let copy = || {
        fs::create_dir_all(&dir)?;
        fs::copy(state, &partial)?;
        fs::File::open(&partial)?.sync_all()?;
        fs::rename(&partial, dir.join(&name))
    };
    copy().with_context(|| format!("{} can't be written", partial.display()))
}

/// Finds the latest checkpoint that was kept at or before a tick.
pub(crate) fn kept_at_or_before(run: &Path, tick: Tick) -> Option<(Tick, PathBuf)> {
    let found = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.ok()?.path();
        let at: Tick = path.file_name()?.to_str()?.strip_suffix(".bin")?.parse().ok()?;
        (at <= tick).then_some((at, path))
    };
    fs::read_dir(run.join(KEPT)).ok()?.filter_map(found).max()
}

/// A run as it was begun, with its checkpoint interval: all that a resumed run needs besides the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Undertaking {
    /// The scenario, flags and defaults included.
    #[serde(deserialize_with = "spelling::scenario")]
    pub scenario: Scenario,
    /// The files of prices it was started with.
    pub data: Vec<DataFile>,
    /// The program that started it.
    pub build: Build,
    /// When it was started, RFC 3339.
    pub started_at: String,
    /// Ticks between two checkpoints.
    pub every: Tick,
    /// Whether copies of them, but for that of a stop, outlive the run.
    #[serde(default)]
    pub keep: bool,
}

/// The part of an [`Undertaking`] that every build can read (version check).
#[derive(Deserialize)]
struct Begun {
    build: Build,
}

/// The checkpoint directory of a run, with its plan, log and state.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    dir: PathBuf,
}

impl Checkpoint {
    /// Begins checkpointing in a run's folder.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn begin(run: &Path, undertaking: &Undertaking) -> Result<Self> {
        let dir = run.join(CHECKPOINT);
        fs::create_dir(&dir).with_context(|| format!("{} can't be made", dir.display()))?;
        let checkpoint = Self { dir };
        let path = checkpoint.dir.join(PLAN);
        let partial = checkpoint.dir.join(format!("{PLAN}{}", PARTIAL));
        let text = serde_json::to_string_pretty(undertaking)?;
        let kept = fs::write(&partial, text).and_then(|()| fs::rename(&partial, &path));
        kept.with_context(|| format!("{} can't be written", path.display()))?;
        Ok(checkpoint)
    }

    /// Finds the checkpoint of a run that was cut off.
    ///
    /// # Errors
    /// When there is none, or it was made by another build.
    pub fn find(run: &Path) -> Result<(Self, Undertaking)> {
        let refuse = |reason: String| Err(Error::at(run, reason));
        let checkpoint = Self { dir: run.join(CHECKPOINT) };
        if run.join(crate::run::run_folder::MANIFEST).exists() {
            return refuse("this run has ended: there is nothing to resume".to_owned());
        }
        let text = match fs::read_to_string(checkpoint.dir.join(PLAN)) {
            Ok(text) => text,
            Err(_) if !run.exists() => return refuse("there is no such folder".to_owned()),
            Err(_) => {
                return refuse(
                    "there is no checkpoint here: only runs begun with --checkpoint-every can be resumed"
                        .to_owned(),
                );
            }
        };
        let unreadable =
            |error: serde_json::Error| Error::at(run, format!("{CHECKPOINT}/{PLAN} can't be read: {error}"));
        // The build is read first, by itself: the rest of another build's file may have fields that this one doesn't know.
        let Begun { build: then } = serde_json::from_str(&text).map_err(unreadable)?;
        let now = Build::this();
        if then != now {
            return refuse(format!(
                "the run was begun with another build ({}; this is {}): resume it with that one, or run it again",
                then.words(),
                now.words()
            ));
        }
        let undertaking = serde_json::from_str(&text).map_err(unreadable)?;
        Ok((checkpoint, undertaking))
    }

    /// The event log, to be written or read.
    pub fn log(&self) -> EventLog {
        EventLog::new(self.dir.clone())
    }

    /// The path of the state's file, the snapshot of the world.
    pub fn state_path(&self) -> PathBuf {
        self.dir.join("state.bin")
    }

    /// Removes the checkpoint of a run that has ended (cleanup).
    ///
    /// # Errors
    /// When it can't be removed.
    pub fn discard(&self) -> Result<()> {
        fs::remove_dir_all(&self.dir).with_context(|| format!("{} can't be removed", self.dir.display()))
    }
}
