//! The identity of the program that made a result (build provenance). Manifests and checkpoints keep the version and the hash of the
//! executable; sweeps and load tests keep one line with the git commit where it is known. A run is resumed only by the build that began it,
//! and a branch begins at a checkpoint of its own build alone. The line of a sweep is part of the hashes of its cells, and another build
//! can't resume the sweep or live its units. A version alone isn't enough, because two builds of one version may differ.

use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// The build that lived a run, identified by its version and the hash of its executable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Its version.
    pub version: String,
    /// BLAKE3 of the executable, if it could be read.
    pub executable_blake3: Option<String>,
}

impl Build {
    /// Identifies the build of the running executable. The first call reads the executable: some tens of milliseconds.
    pub fn this() -> Self {
        static THIS: OnceLock<Build> = OnceLock::new();
        let read = || Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            executable_blake3: hash_of_executable().ok(),
        };
        THIS.get_or_init(read).clone()
    }

    /// Writes its version string with the first digits of its hash.
    pub fn words(&self) -> String {
        let hash = self.executable_blake3.as_deref().unwrap_or("unknown");
        format!("version {}, executable {hash:.12}", self.version)
    }

    /// Identifies this build in one line, as sweeps and load tests keep it: its version with the commit it was built from, where the build
    /// was given (`MORTA_GIT_COMMIT`), and with the hash of the executable without one. Cells of one sweep must all come from one build,
    /// because another build may make other bytes of the same seed.
    pub fn identity() -> String {
        match option_env!("MORTA_GIT_COMMIT") {
            Some(commit) if !commit.is_empty() => format!("{} (commit {commit})", env!("CARGO_PKG_VERSION")),
            _ => {
                let Self { version, executable_blake3 } = Self::this();
                let hash = executable_blake3.unwrap_or_else(|| "unknown".to_owned());
                format!("{version} (executable {hash:.16})")
            }
        }
    }
}

/// Read piece by piece: fresh memory for tens of megabytes takes longer than hashing them.
fn hash_of_executable() -> std::io::Result<String> {
    let executable = std::fs::File::open(std::env::current_exe()?)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(executable)?;
    Ok(hasher.finalize().to_hex().to_string())
}
