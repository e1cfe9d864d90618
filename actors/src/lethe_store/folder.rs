//! Folders of Lethes: what can be wrong with one, and opening it without harm.

use super::record::{FORMAT, FORMAT_KEY};
use std::fs::{self, File, TryLockError};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// What is wrong with the folder of a Lethe.
#[derive(Debug, thiserror::Error)]
pub enum LetheFolderError {
    /// Nothing is there.
    #[error("there is no such folder: name one that a run has written its Lethe to, or a finished run")]
    Missing,
    /// It is a file.
    #[error("this is a file: name a folder")]
    File,
    /// The folder holds something else.
    #[error("this folder holds no Lethe but other files: name another")]
    NotALethe,
    /// It belongs to a finished run.
    #[error("this belongs to a finished run, which must stay as it is: name a folder for a Lethe of its own")]
    OfARun,
    /// Somebody else has it open.
    #[error("another run is using this Lethe: wait until it has ended, or name another")]
    InUse,
    /// It was written by another version.
    #[error(
        "this Lethe was written in format {0}, this build reads format {FORMAT}: use the build that wrote it"
    )]
    OtherFormat(String),
    /// Something of it is gone.
    #[error(
        "this Lethe has come to harm: {0}; put it back from a copy, or take what is left into another by `morta lethe {folder} \
         --salvage DIR` and name that", folder = .1.display()
    )]
    Harmed(String, PathBuf),
    /// What is left of one goes to a folder of its own.
    #[error("this folder isn't empty: name another for what is left")]
    NotEmpty,
    /// It can't be read.
    #[error("this Lethe is damaged beyond reading, and was left as it is: {0}")]
    Damaged(String),
    /// The operating system said no.
    #[error("this Lethe can't be read or written: {0}")]
    Io(#[from] io::Error),
}

/// sled's file of records; with it the folder is a database.
const DB: &str = "db";
/// A file beside the records: where it is, there have been some, whatever sled makes of them now.
const MARK: &str = "morta-lethe";
/// Where a finished run keeps its Lethe.
const IN_A_RUN: &str = "lethe";

/// The database's own folder: the one named, or that of the run named.
pub(super) fn database(folder: &Path) -> Result<PathBuf, LetheFolderError> {
    match fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(LetheFolderError::Missing),
        Err(error) => return Err(error.into()),
        Ok(found) if !found.is_dir() => return Err(LetheFolderError::File),
        Ok(_) => {}
    }
    let candidates = [folder.to_owned(), folder.join(IN_A_RUN)];
    candidates.into_iter().find(|folder| folder.join(DB).is_file()).ok_or(LetheFolderError::NotALethe)
}

/// Whether a database is the one a finished run keeps.
pub(super) fn is_of_a_run(database: &Path) -> bool {
    database.file_name().is_some_and(|name| name == IN_A_RUN)
        && database.parent().is_some_and(|parent| parent.join("manifest.json").is_file())
}

/// Opens a copy, so that nothing can happen to the original. The room is gone when it is dropped.
pub(super) fn open_copy(database: &Path) -> Result<(tempfile::TempDir, sled::Db), LetheFolderError> {
    let records = File::open(database.join(DB))?;
    patiently(|| match records.try_lock_shared() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LetheFolderError::InUse),
        Err(TryLockError::Error(error)) => Err(error.into()),
    })?;
    let room = tempfile::tempdir()?;
    copy(database, room.path())?;
    drop(records);
    let db = open(room.path())?;
    Ok((room, db))
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Opens a database in place and makes sure it is a Lethe of this format; an empty one becomes one.
pub(super) fn open(database: &Path) -> Result<sled::Db, LetheFolderError> {
    let db = patiently(|| open_now(database))?;
    let mark = database.join(MARK);
    if mark.exists() && quietly(|| db.is_empty()).map_err(LetheFolderError::Damaged)? {
        return Err(LetheFolderError::Damaged("none of its records is left".to_owned()));
    }
    claim(&db)?;
    if !mark.exists() {
        fs::write(mark, FORMAT.to_string())?;
    }
    Ok(db)
}

/// What the operating system refuses is no damage.
pub(super) fn told(error: sled::Error) -> LetheFolderError {
    use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    match error {
        sled::Error::Io(error)
            if matches!(
                error.kind(),
                StorageFull | QuotaExceeded | ReadOnlyFilesystem | PermissionDenied
            ) =>
        {
            error.into()
        }
        other => said(one_line(&other.to_string())),
    }
}

/// The same by what sled said, which keeps no more of some errors; as it panicked on a full disk, for one.
pub(super) fn said(text: String) -> LetheFolderError {
    if text.contains("No space left on device") {
        return io::Error::from(io::ErrorKind::StorageFull).into();
    }
    LetheFolderError::Damaged(text)
}

fn open_now(database: &Path) -> Result<sled::Db, LetheFolderError> {
    let config = config().path(database);
    // sled panics on some kinds of damage; that is our finding, not a fault of the program.
    quietly(|| config.open()).map_err(said)?.map_err(|error| match error {
        sled::Error::Io(error) if error.kind() == io::ErrorKind::WouldBlock => LetheFolderError::InUse,
        sled::Error::Io(error) if error.to_string().contains("lock") => LetheFolderError::InUse,
        other => told(other),
    })
}

/// Tries again for a while as long as somebody has it open: a run that has ended lets go of its Lethe when the last of its threads does, a
/// moment after it has said so.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, LetheFolderError>) -> Result<T, LetheFolderError> {
    let given_up = Instant::now() + PATIENCE;
    loop {
        match attempt() {
            Err(LetheFolderError::InUse) if Instant::now() < given_up => thread::sleep(BETWEEN_ATTEMPTS),
            done => return done,
        }
    }
}

const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(10);

/// A database that is gone when it is closed.
pub(super) fn open_temporary() -> Result<sled::Db, LetheFolderError> {
    let db = config().temporary(true).open();
    let db = db.map_err(told)?;
    claim(&db)?;
    Ok(db)
}

fn claim(db: &sled::Db) -> Result<(), LetheFolderError> {
    match db.get(FORMAT_KEY).map_err(told)? {
        Some(format) if *format == FORMAT.to_be_bytes() => Ok(()),
        Some(format) => {
            let number = <[u8; 4]>::try_from(&format[..]).map(u32::from_be_bytes);
            Err(LetheFolderError::OtherFormat(number.map_or("unknown".to_owned(), |n| n.to_string())))
        }
        None if db.is_empty() => {
            db.insert(FORMAT_KEY, &FORMAT.to_be_bytes()).map_err(told)?;
            db.flush().map_err(told)?;
            Ok(())
        }
        None => Err(LetheFolderError::OtherFormat("1".to_owned())),
    }
}

fn config() -> sled::Config {
    // Records are small and few; sled's default cache of a gigabyte would be most of the process.
    sled::Config::new().cache_capacity(CACHE_BYTES).flush_every_ms(None)
}

const CACHE_BYTES: u64 = 64 * 1024 * 1024;

/// Runs what may panic without a word on standard error; the error is what the panic said.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = catch_unwind(AssertUnwindSafe(work));
    std::panic::set_hook(hook);
    result.map_err(|panic| one_line(&morta_base::panic_message(panic.as_ref())))
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_no_damage() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert!(matches!(told(sled::Error::Io(full())), LetheFolderError::Io(_)));
        let panicked = "called `Result::unwrap()` on an `Err` value: No space left on device (os error 28)";
        assert!(matches!(said(panicked.to_owned()), LetheFolderError::Io(_)));
        let torn = sled::Error::Io(io::Error::from(io::ErrorKind::UnexpectedEof));
        assert!(matches!(told(torn), LetheFolderError::Damaged(_)));
    }
}
