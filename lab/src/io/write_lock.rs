//! One process at a time writes to a folder, or to a store that is read, changed and written as a whole.
//!
//! The lock is the system's advisory lock of an open file (lock file, flock), so it is given back however its process ends; the file alone,
//! which a killed process leaves behind, locks nothing. Threads of one process exclude each other as well, because each opens the file
//! anew. Readers take no lock. Run and sweep folders refuse a second writer at once; stores of the memory tools, and a Lethe that outlives
//! its run while it is opened, wait up to ten seconds for it. Where a file system has no locks, a warning is logged and the work goes on.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Name of the lock's file in a folder.
pub(crate) const LOCK: &str = "lock";

/// Longest wait for a store. Its holders read and write a few megabytes, so a longer wait is for a process that hangs.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is tried.
const RETRY: Duration = Duration::from_millis(10);

/// A file lock of a folder or store, held until this guard is dropped (flock).
#[derive(Debug)]
pub struct WriteLock {
    path: PathBuf,
    /// The folder, if there was none.
    made: Option<PathBuf>,
    _file: File,
}

/// Why a lock wasn't got: another process has it, or its file can't be made (lock contention).
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it.
    #[error("another process is writing here: wait for it to end")]
    Held,
    /// Its file can't be made.
    #[error("can't be written to: {0}")]
    Unwritable(#[from] io::Error),
}

impl WriteLock {
    /// Takes the lock of a folder that is there (lock file of a directory).
    ///
    /// # Errors
    /// When another process has it, or the folder can't be written to.
    pub fn of_folder(dir: &Path) -> Result<Self, LockError> {
        Self::take(dir.join(LOCK))
    }

    /// Takes the lock of a file that is replaced as a whole, once its holder is done; makes its folder if need be (lock file with timeout).
    ///
    /// # Errors
    /// When another process has it for more than ten seconds, or the folder can't be written to.
    pub fn of_store(file: &Path) -> Result<Self, LockError> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = file.with_file_name(format!(".{name}.{LOCK}"));
        let begun = Instant::now();
        let folder = file.parent().unwrap_or(Path::new(""));
        loop {
            let is_new = !folder.as_os_str().is_empty() && !folder.exists();
            if is_new {
                fs::create_dir_all(folder)?;
            }
            match Self::take(path.clone()) {
                // Another process that had made the folder in vain has removed it again.
                Err(LockError::Unwritable(error))
                    if error.kind() == io::ErrorKind::NotFound && begun.elapsed() < PATIENCE => {}
                Err(LockError::Held) if begun.elapsed() < PATIENCE => std::thread::sleep(RETRY),
                Ok(mut lock) => {
                    lock.made = is_new.then(|| folder.to_owned());
                    return Ok(lock);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn take(path: PathBuf) -> Result<Self, LockError> {
        loop {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Held),
                // Some network file systems have no locks: a refusal would shut out users who have worked there without until now.
                Err(TryLockError::Error(error)) => {
                    tracing::warn!("{}: can't be locked: {error}", path.display());
                }
            }
            if is_still_there(&path, &file) {
                return Ok(Self { path, made: None, _file: file });
            }
        }
    }
}

impl Drop for WriteLock {
    /// The file goes before the lock, so a process that opened it in between finds that the path leads to another file by then.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        // Where nothing came of it, nothing is left.
        if let Some(folder) = &self.made {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Whether the path leads to this very file: the holder of the lock before may have removed it since it was opened.
#[cfg(unix)]
fn is_still_there(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |about: &fs::Metadata| (about.dev(), about.ino());
    matches!((fs::metadata(path), file.metadata()), (Ok(a), Ok(b)) if identity(&a) == identity(&b))
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn is_still_there(_: &Path, _: &File) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_folder_has_one_lock_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let first = WriteLock::of_folder(folder.path()).unwrap();
        assert!(matches!(WriteLock::of_folder(folder.path()), Err(LockError::Held)));
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // What a killed process leaves is a file, not a lock.
        fs::write(folder.path().join(LOCK), "").unwrap();
        WriteLock::of_folder(folder.path()).unwrap();
        assert!(matches!(
            WriteLock::of_folder(&folder.path().join("nowhere")),
            Err(LockError::Unwritable(_))
        ));
    }

    /// Its holder is alone, although each removes the file when done.
    #[test]
    fn threads_that_take_it_in_turn_are_never_two() {
        let folder = tempfile::tempdir().unwrap();
        let (store, inside) = (folder.path().join("store.json"), AtomicU32::new(0));
        fs::write(&store, "0").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let _lock = WriteLock::of_store(&store).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        let count: u32 = fs::read_to_string(&store).unwrap().parse().unwrap();
                        fs::write(&store, (count + 1).to_string()).unwrap();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(fs::read_to_string(&store).unwrap(), "200");
    }
}
