//! The folder that a run is to be written to (output directory): the one that `--out` names, or a new one in `runs/` by the caller's name
//! for it (scenario and seed for `morta run` and `morta watch`), numbered from the second on. A new one is made at once and exclusively, so
//! that two processes never share one, and removed when this is dropped and nothing lies in it; a named one is checked and locked later, by
//! `RunFolder::create`.

use crate::io::error::{Context as _, Result};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Where runs are written that nobody has named a folder for.
const RUNS: &str = "runs";

/// The output directory of a run: one that was named, or a new one that no other process has. A new one goes with this, if nothing was put
/// into it.
#[derive(Debug)]
pub struct RunPlace {
    path: PathBuf,
    is_new: bool,
}

impl RunPlace {
    /// Chooses the output directory: the folder that was named; without a name the first of `runs/NAME`, `runs/NAME-2`, ... that isn't
    /// there yet. It is made at once, so that of processes that begin together each has its own.
    ///
    /// # Errors
    /// When a new folder can't be made.
    pub fn choose(named: Option<PathBuf>, name: &str) -> Result<Self> {
        if let Some(path) = named {
            return Ok(Self { path, is_new: false });
        }
        let made = |path: &Path, made: std::io::Result<()>| {
            made.with_context(|| format!("{} can't be made: choose a folder with --out", path.display()))
        };
        made(Path::new(RUNS), fs::create_dir_all(RUNS))?;
        let mut number = 1;
        loop {
            let path = match number {
                1 => PathBuf::from(format!("{RUNS}/{name}")),
                number => PathBuf::from(format!("{RUNS}/{name}-{number}")),
            };
            match fs::create_dir(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                result => {
                    made(&path, result)?;
                    return Ok(Self { path, is_new: true });
                }
            }
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for RunPlace {
    fn drop(&mut self) {
        if self.is_new {
            // Fails where something lies in it, which is then what it is for.
            let _ = fs::remove_dir(&self.path);
        }
    }
}
