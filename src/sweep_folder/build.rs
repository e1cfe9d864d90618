//! Which program runs a sweep.

use crate::run_folder::manifest::Build;

/// The program's identity: its version with the commit it was built from, where the build was told
/// (`MORTA_GIT_COMMIT`), else with the hash of the executable. Cells of one sweep all come from one build.
pub fn identity() -> String {
    let Build { version, executable_blake3 } = Build::this();
    match option_env!("MORTA_GIT_COMMIT") {
        Some(commit) if !commit.is_empty() => format!("{version} (commit {commit})"),
        _ => {
            let hash = executable_blake3.unwrap_or_else(|| "unknown".to_owned());
            format!("{version} (executable {hash:.16})")
        }
    }
}
