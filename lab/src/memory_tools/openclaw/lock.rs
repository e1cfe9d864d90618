//! The lock that promotions share with OpenClaw itself: one at a time may change a store.

use crate::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const RETRY: Duration = Duration::from_millis(40);
const GIVE_UP: Duration = Duration::from_secs(10);
const STALE: Duration = Duration::from_secs(60);

/// Held until it is dropped.
#[derive(Debug)]
pub struct Lock(PathBuf);

impl Lock {
    /// Waits for the lock of a store; at most ten seconds.
    ///
    /// # Errors
    /// When somebody else holds it for so long, or its file can't be made.
    pub fn of(store: &Path) -> crate::Result<Self> {
        let path = store.with_file_name("short-term-promotion.lock");
        let began = Instant::now();
        loop {
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let lock = Self(path);
                    write!(file, "{}:{}", std::process::id(), now().as_millis())?;
                    return Ok(lock);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::invalid(format!("{}: {error}", path.display()))),
            }
            if is_stale(&path) {
                // Somebody else may have removed it meanwhile.
                let _ = fs::remove_file(&path);
                continue;
            }
            if began.elapsed() >= GIVE_UP {
                let what = "the store is locked; if nobody is promoting, remove this file";
                return Err(Error::invalid(format!("{}: {what}", path.display())));
            }
            std::thread::sleep(RETRY);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Older than a minute, and its owner is dead. Where that can't be found out, owners live for ever.
fn is_stale(path: &Path) -> bool {
    let Ok(text) = fs::read_to_string(path) else { return false };
    let Some((owner, since)) = text.trim().split_once(':') else { return false };
    let (Ok(owner), Ok(since)) = (owner.parse::<u32>(), since.parse::<u64>()) else { return false };
    let old = now().saturating_sub(Duration::from_millis(since)) > STALE;
    let processes = Path::new("/proc");
    let alive = !processes.join("self").exists() || processes.join(owner.to_string()).exists();
    old && !alive
}
