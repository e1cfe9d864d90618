//! Files that are there whole or not at all.

use crate::error::Context as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

/// Puts content in place of a file, and makes its folder if need be: written under a temporary name beside it, which no other
/// process uses, flushed and renamed.
///
/// # Errors
/// When it can't be written; what was there before then still is, and nothing else.
pub fn replace(path: &Path, content: &[u8]) -> crate::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("{}: can't be made", folder.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(format!(".{name}.{}.partial", std::process::id()));
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().with_context(|| format!("{}: can't be written", path.display())).inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })?;
    // The new name itself must reach the disk; not every file system can be asked to.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}
