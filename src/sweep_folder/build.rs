//! Which program runs a sweep.

use std::fs::File;

/// The program's identity: its version with the commit it was built from, where the build was told
/// (`MORTA_GIT_COMMIT`), else with the hash of the executable. Cells of one sweep all come from one build.
pub fn identity() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("MORTA_GIT_COMMIT") {
        Some(commit) if !commit.is_empty() => format!("{version} (commit {commit})"),
        _ => {
            let hash = executable_blake3().unwrap_or_else(|_| "unknown".to_owned());
            format!("{version} (executable {hash:.16})")
        }
    }
}

fn executable_blake3() -> std::io::Result<String> {
    let executable = File::open(std::env::current_exe()?)?;
    let mut hasher = blake3::Hasher::new();
    // Read piece by piece: an executable with debug information is larger than all that a sweep needs.
    hasher.update_reader(executable)?;
    Ok(hasher.finalize().to_hex().to_string())
}
