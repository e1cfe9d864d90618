//! Which program runs a sweep.

use crate::run_folder::manifest::Build;

/// The program's identity: its version with the commit it was built from, where the build was told
/// (`MORTA_GIT_COMMIT`), else with the hash of the executable. Cells of one sweep all come from one build.
pub fn identity() -> String {
    match option_env!("MORTA_GIT_COMMIT") {
        Some(commit) if !commit.is_empty() => format!("{} (commit {commit})", env!("CARGO_PKG_VERSION")),
        _ => {
            let Build { version, executable_blake3 } = Build::this();
            let hash = executable_blake3.unwrap_or_else(|| "unknown".to_owned());
            format!("{version} (executable {hash:.16})")
        }
    }
}
