//! The lock of a store, which one process at a time may change. Programs of this workspace exclude each other by the lock that all stores
//! here have. Its holder also takes OpenClaw's own lock file, so that OpenClaw itself waits. It is a lock file with stale lock detection.
//! Each of the two locks is waited for at most ten seconds; then it is an error. `record`, `live` and every phase that is applied hold both
//! from reading the store to writing; previews and `status` take none.

use morta_lab::error::{At as _, Error, Result};
use morta_lab::write_lock::WriteLock;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

// The three times are those of OpenClaw's own lock (digest section 1): it retries every 40 ms, gives up after 10 s, and a lock is stale after 60 s if
// its owner is dead. Other values would make one program remove or wait for the other's lock at the wrong time.
const RETRY: Duration = Duration::from_millis(40);
const GIVE_UP: Duration = Duration::from_secs(10);
const STALE: Duration = Duration::from_secs(60);

/// A lock that is held until it is dropped (lock file).
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    /// A copy of the lock's text in a file of our own. The next process compares the two to recognise a lock that a killed process of ours left.
    token: PathBuf,
    _ours: WriteLock,
}

impl Lock {
    /// Takes the lock of a store, waiting for at most ten seconds (lock file with timeout and retry); a stale lock of a dead process is
    /// removed.
    ///
    /// # Errors
    /// When another process holds it for longer, or the lock file can't be created.
    pub(crate) fn for_store(store: &Path) -> Result<Self> {
        let path = store.with_file_name("short-term-promotion.lock");
        let token = store.with_file_name(".short-term-promotion.owner");
        let ours = WriteLock::of_store(store).at(store)?;
        // No other process of ours is running, because the first lock is held. A lock file with our token was therefore left by a killed
        // process. It is removed at once, otherwise it would be in the way until it is stale, a minute, and waiting ends after ten seconds.
        if let (Ok(left), Ok(held)) = (fs::read(&token), fs::read(&path))
            && left == held
        {
            let _ = fs::remove_file(&path);
        }
        fs::write(&token, format!("{}:{}", std::process::id(), now().as_millis())).at(&path)?;
        let lock = Self { path: path.clone(), token, _ours: ours };
        let began = Instant::now();
        loop {
            // A hard link makes the file appear with its text at once. A file that is created and then written could be read while it is empty.
            match fs::hard_link(&lock.token, &path) {
                Ok(()) => return Ok(lock),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(_) => match OpenOptions::new().write(true).create_new(true).open(&path) {
                    Ok(mut file) => {
                        file.write_all(&fs::read(&lock.token)?)?;
                        return Ok(lock);
                    }
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(Error::at(&path, error)),
                },
            }
            if is_stale(&path) {
                // Another process may have removed it meanwhile, so the error is ignored.
                let _ = fs::remove_file(&path);
                continue;
            }
            if began.elapsed() >= GIVE_UP {
                let what = "the store is locked; if nobody is promoting, remove this file";
                return Err(Error::at(path, what));
            }
            std::thread::sleep(RETRY);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Only our own lock is removed, not one of another process that we waited for in vain.
        if fs::read(&self.path).ok() == fs::read(&self.token).ok() {
            let _ = fs::remove_file(&self.path);
        }
        let _ = fs::remove_file(&self.token);
    }
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// A lock is stale if it is older than a minute and its owner is dead. Without /proc every owner counts as alive.
fn is_stale(path: &Path) -> bool {
    let Ok(text) = fs::read_to_string(path) else { return false };
    let Some((owner, since)) = text.trim().split_once(':') else { return false };
    let (Ok(owner), Ok(since)) = (owner.parse::<u32>(), since.parse::<u64>()) else { return false };
    let old = now().saturating_sub(Duration::from_millis(since)) > STALE;
    let processes = Path::new("/proc");
    let alive = !processes.join("self").exists() || processes.join(owner.to_string()).exists();
    old && !alive
}
