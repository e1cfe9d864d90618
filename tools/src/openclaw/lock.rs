//! The lock of a store: one at a time may change it. Programs of ours exclude each other by the lock that all stores here have; whoever has that takes
//! the one besides that OpenClaw itself looks for.

use morta_lab::error::{Error, Result};
use morta_lab::write_lock::WriteLock;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const RETRY: Duration = Duration::from_millis(40);
const GIVE_UP: Duration = Duration::from_secs(10);
const STALE: Duration = Duration::from_secs(60);

/// Held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// The same text under a name of our own: by it the next of us knows the lock of one that was killed.
    token: PathBuf,
    _ours: WriteLock,
}

impl Lock {
    /// Waits for the lock of a store; at most ten seconds.
    ///
    /// # Errors
    /// When somebody else holds it for so long, or its file can't be made.
    pub fn of(store: &Path) -> Result<Self> {
        let path = store.with_file_name("short-term-promotion.lock");
        let token = store.with_file_name(".short-term-promotion.owner");
        let fail = |error: std::io::Error| Error::invalid(format!("{}: {error}", path.display()));
        let ours = WriteLock::of_store(store)
            .map_err(|error| Error::invalid(format!("{}: {error}", store.display())))?;
        // Nobody else of us is at work, so what bears our token was left by one that was killed.
        if let (Ok(left), Ok(held)) = (fs::read(&token), fs::read(&path))
            && left == held
        {
            let _ = fs::remove_file(&path);
        }
        fs::write(&token, format!("{}:{}", std::process::id(), now().as_millis())).map_err(fail)?;
        let lock = Self { path: path.clone(), token, _ours: ours };
        let began = Instant::now();
        loop {
            // It is there with its text or not at all.
            match fs::hard_link(&lock.token, &path) {
                Ok(()) => return Ok(lock),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(_) => match OpenOptions::new().write(true).create_new(true).open(&path) {
                    Ok(mut file) => {
                        file.write_all(&fs::read(&lock.token)?)?;
                        return Ok(lock);
                    }
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(fail(error)),
                },
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
        // Not that of somebody else, for whom this one has waited in vain.
        if fs::read(&self.path).ok() == fs::read(&self.token).ok() {
            let _ = fs::remove_file(&self.path);
        }
        let _ = fs::remove_file(&self.token);
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
