//! Folders of Lethes: finding the database in one, and opening it so that a damaged one isn't damaged further. It is corruption detection
//! of an embedded database (sled), and the classification of its errors. Nothing is repaired here: a salvage is `LetheContent::salvage`. A
//! database in use is waited for, up to a second.

use super::record::{FORMAT, FORMAT_KEY};
use std::fs::{self, File, TryLockError};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The reason why a Lethe's folder (database) can't be used.
#[derive(Debug, thiserror::Error)]
pub enum LetheFolderError {
    /// The folder doesn't exist.
    #[error("there is no such folder: name one that a run has written its Lethe to, or a finished run")]
    Missing,
    /// The path is a file.
    #[error("this is a file: name a folder")]
    File,
    /// The folder holds other files and no database.
    #[error("this folder holds no Lethe but other files: name another")]
    NotALethe,
    /// The folder belongs to a finished run. Nothing is added to it, because the run's manifest has its digest.
    #[error("this belongs to a finished run, which must stay as it is: name a folder for a Lethe of its own")]
    OfARun,
    /// Another process, or another run of this one, has the database open.
    #[error("another run is using this Lethe: wait until it has ended, or name another")]
    InUse,
    /// The database was written in another format.
    #[error(
        "this Lethe was written in format {0}, this build reads format {FORMAT}: use the build that wrote it"
    )]
    OtherFormat(String),
    /// Records are missing or damaged: the reason, and the folder.
    #[error(
        "this Lethe has come to harm: {0}; put it back from a copy, or take what is left into another by `morta lethe {folder} \
         --salvage DIR` and name that", folder = .1.display()
    )]
    Harmed(String, PathBuf),
    /// The target of a salvage isn't empty.
    #[error("this folder isn't empty: name another for what is left")]
    NotEmpty,
    /// sled can't read the database.
    #[error("this Lethe is damaged beyond reading, and was left as it is: {0}")]
    Damaged(String),
    /// The operating system refused to read or write.
    #[error("this Lethe can't be read or written: {0}")]
    Io(#[from] io::Error),
}

/// sled's file of records; a folder that has it is a database.
const DB: &str = "db";
/// A file beside the records that marks a folder as a Lethe. A Lethe is never empty, because it has its format's number; sled opens some
/// damaged databases as empty ones, and without this file they would pass for new.
const MARK: &str = "morta-lethe";
/// Folder of the Lethe within the folder of a finished run.
const IN_A_RUN: &str = "lethe";

/// The database's own folder: the named folder, or the Lethe of the named run.
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

/// Whether a database belongs to a finished run. Only finished runs have a manifest.
pub(super) fn is_of_a_run(database: &Path) -> bool {
    database.file_name().is_some_and(|name| name == IN_A_RUN)
        && database.parent().is_some_and(|parent| parent.join("manifest.json").is_file())
}

/// Opens a copy of a database, because opening one in place writes to it. The copy is deleted when the returned directory is dropped. The
/// files are copied under a shared lock, or a run that writes meanwhile could leave half a record in the copy.
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

/// Opens a database in place and checks that it is a Lethe of this format. A new database becomes one.
pub(super) fn open(database: &Path) -> Result<sled::Db, LetheFolderError> {
    let db = patiently(|| open_now(database))?;
    let mark = database.join(MARK);
    if mark.exists() && quietly(|| db.is_empty())? {
        return Err(LetheFolderError::Damaged("none of its records is left".to_owned()));
    }
    claim(&db)?;
    if !mark.exists() {
        fs::write(mark, FORMAT.to_string())?;
    }
    Ok(db)
}

/// Classifies an error of sled. A refusal by the operating system isn't damage: the user can free space and try again, while a
/// damaged Lethe needs a salvage.
pub(super) fn from_sled(error: sled::Error) -> LetheFolderError {
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
        other => from_sled_text(one_line(&other.to_string())),
    }
}

/// Classifies an error of sled by its text, because sled keeps nothing else of some errors: it panics on a full disk, for example.
pub(super) fn from_sled_text(text: String) -> LetheFolderError {
    if text.contains("No space left on device") {
        return io::Error::from(io::ErrorKind::StorageFull).into();
    }
    LetheFolderError::Damaged(text)
}

fn open_now(database: &Path) -> Result<sled::Db, LetheFolderError> {
    let config = config().path(database);
    // sled panics on some kinds of damage. Such a panic is reported as damage rather than as a fault of the program.
    quietly(|| config.open())?.map_err(|error| match error {
        sled::Error::Io(error) if error.kind() == io::ErrorKind::WouldBlock => LetheFolderError::InUse,
        sled::Error::Io(error) if error.to_string().contains("lock") => LetheFolderError::InUse,
        other => from_sled(other),
    })
}

/// Tries again for [`PATIENCE`] while the database is in use. A run that has ended closes its Lethe a moment after it has reported its end,
/// because the last of its threads holds it until then.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, LetheFolderError>) -> Result<T, LetheFolderError> {
    let given_up = Instant::now() + PATIENCE;
    loop {
        match attempt() {
            Err(LetheFolderError::InUse) if Instant::now() < given_up => thread::sleep(BETWEEN_ATTEMPTS),
            done => return done,
        }
    }
}

/// Our choice: far longer than threads take to end, and short enough that a Lethe that stays in use is reported without a long wait.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(10);

/// A database that is deleted when it is closed.
pub(super) fn open_temporary() -> Result<sled::Db, LetheFolderError> {
    let db = config().temporary(true).open();
    let db = db.map_err(from_sled)?;
    claim(&db)?;
    Ok(db)
}

/// Checks the format's number, and writes it into an empty database. Records without a number are of format 1, which had none.
fn claim(db: &sled::Db) -> Result<(), LetheFolderError> {
    match db.get(FORMAT_KEY).map_err(from_sled)? {
        Some(format) if *format == FORMAT.to_be_bytes() => Ok(()),
        Some(format) => {
            let number = <[u8; 4]>::try_from(&format[..]).map(u32::from_be_bytes);
            Err(LetheFolderError::OtherFormat(number.map_or("unknown".to_owned(), |n| n.to_string())))
        }
        None if db.is_empty() => {
            db.insert(FORMAT_KEY, &FORMAT.to_be_bytes()).map_err(from_sled)?;
            db.flush().map_err(from_sled)?;
            Ok(())
        }
        None => Err(LetheFolderError::OtherFormat("1".to_owned())),
    }
}

fn config() -> sled::Config {
    // Records are small and few: sled's default cache of a gigabyte would be most of the process's memory. No flush by timer, because the
    // flusher flushes after each tick with bloodstains.
    sled::Config::new().cache_capacity(CACHE_BYTES).flush_every_ms(None)
}

const CACHE_BYTES: u64 = 64 * 1024 * 1024;

/// Runs work of sled's that may panic, without the panic's message on standard error; the error is classified by the message. The hook belongs to the whole
/// process, so it is set once: two threads that each took it away and put it back could leave the process without any.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, LetheFolderError> {
    static QUIET: Once = Once::new();
    // A count and no flag of the thread, because sled reads on threads of its own.
    static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if UNDER_WAY.load(Ordering::SeqCst) == 0 {
                usual(panic);
            }
        }));
    });
    UNDER_WAY.fetch_add(1, Ordering::SeqCst);
    let result = catch_unwind(AssertUnwindSafe(work));
    UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
    result.map_err(|panic| from_sled_text(one_line(&morta_base::panic_message(panic.as_ref()))))
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two works at once leave the process's own hook where it was: a panic after them is shown.
    #[test]
    fn panics_are_shown_again_after_quiet_work_on_two_threads() {
        static SHOWN: AtomicUsize = AtomicUsize::new(0);
        std::panic::set_hook(Box::new(|_| {
            // Other tests of this process may panic meanwhile.
            let is_ours = thread::current().name() == Some("shown");
            SHOWN.fetch_add(usize::from(is_ours), Ordering::SeqCst);
        }));
        let (entered, has_entered) = std::sync::mpsc::channel();
        let (leave, may_leave) = std::sync::mpsc::channel::<()>();
        let second = quietly(|| {
            let work = move || {
                entered.send(()).unwrap();
                may_leave.recv().unwrap();
            };
            let second = thread::spawn(move || quietly(work));
            has_entered.recv().unwrap();
            second
        });
        leave.send(()).unwrap();
        second.unwrap().join().unwrap().unwrap();
        let panics = || assert!(SHOWN.load(Ordering::SeqCst) > 0, "to be shown");
        let panicked = thread::Builder::new().name("shown".to_owned()).spawn(panics).unwrap().join();
        assert!(panicked.is_err());
        assert_eq!(SHOWN.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_full_disk_is_no_damage() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert!(matches!(from_sled(sled::Error::Io(full())), LetheFolderError::Io(_)));
        let panicked = "called `Result::unwrap()` on an `Err` value: No space left on device (os error 28)";
        assert!(matches!(from_sled_text(panicked.to_owned()), LetheFolderError::Io(_)));
        let torn = sled::Error::Io(io::Error::from(io::ErrorKind::UnexpectedEof));
        assert!(matches!(from_sled(torn), LetheFolderError::Damaged(_)));
    }
}
