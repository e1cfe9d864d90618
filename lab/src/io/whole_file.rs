//! Files that are there whole or not at all.

use crate::io::error::{Context as _, Result};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A temporary file that nobody has written to for so long belongs to a process that was killed: files are written at once.
const STALE: Duration = Duration::from_secs(3_600);

/// Puts content in place of a file, and makes its folder if need be: written under a temporary name beside it, which no other
/// thread or process uses, flushed and renamed. Of several who do so at once, the last one's content stays.
///
/// # Errors
/// When it can't be written; what was there before then still is, and nothing else.
pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("{}: can't be made", folder.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    remove_stale(folder, &name);
    let temporary = temporary(folder, &name);
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

fn temporary(folder: &Path, name: &str) -> PathBuf {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    folder.join(format!(".{name}.{}-{number}.partial", std::process::id()))
}

/// Removes what killed processes have left of earlier attempts at a file.
fn remove_stale(folder: &Path, name: &str) {
    let begins = format!(".{name}.");
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let own = entry.file_name();
        let own = own.to_string_lossy();
        let of_ours = own.strip_prefix(&begins).and_then(|rest| rest.strip_suffix(".partial"));
        let is_ours = of_ours.is_some_and(|rest| {
            !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        });
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|age| age >= STALE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn threads_that_replace_one_file_leave_one_of_their_contents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let contents: Vec<Vec<u8>> = (0..8_u8).map(|number| vec![number; 200_000]).collect();
        std::thread::scope(|scope| {
            for content in &contents {
                scope.spawn(|| replace(&path, content).unwrap());
            }
        });
        assert!(contents.contains(&fs::read(&path).unwrap()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_killed_processes_left_goes_when_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [".x.json.7.partial", ".x.json.8-2.partial", ".y.json.7.partial", ".x.json.mine.partial"]
        {
            let file = File::create(at(name)).unwrap();
            file.set_modified(SystemTime::now() - 2 * STALE).unwrap();
        }
        fs::write(at(".x.json.9-0.partial"), "of somebody who is writing").unwrap();
        replace(&at("x.json"), b"{}").unwrap();
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        left.sort();
        assert_eq!(left, [".x.json.9-0.partial", ".x.json.mine.partial", ".y.json.7.partial", "x.json"]);
    }
}
