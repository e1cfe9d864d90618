//! Files that exist whole or not at all (atomic write, atomic rename): written to a temporary file beside the target, flushed by fsync, and
//! renamed. A reader and a crash see either the old content or the new one. Without it a full disk or a crash would leave half a file that
//! looks like a result. It is for files that are made in memory and replaced, such as reports, cassettes, plans of sweeps, cleaned price
//! files, stores of the memory tools and a user's own file that a command rewrites (a scenario's spelling, `MEMORY.md`); tables and logs
//! that grow aren't written so. Writers aren't kept apart here: a read, a change and a write need `write_lock`.

use crate::io::error::{Context as _, Result};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::{Builder, NamedTempFile};

/// A temporary file without a write for so long belongs to a process that was killed: files are written at once.
const STALE: Duration = Duration::from_secs(3_600);
/// Random letters in the name of a temporary file.
const LETTERS: usize = 8;
/// Links that may follow one another, as many as Linux follows.
const MOST_LINKS: u32 = 40;

/// Puts content in place of a file, and makes its folder if need be: written under a temporary name beside it, which no other thread
/// or process uses, flushed and renamed (atomic write, fsync and rename). Of several writers at once, the last one's content stays.
/// A file that is there keeps its permissions; of a link the target is written, and the link stays. Temporary files of earlier attempts
/// that are an hour old or more are removed.
///
/// # Errors
/// When it can't be written; what was there before then still is, and nothing else.
pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let path = &target(path).with_context(|| format!("{}: can't be followed", path.display()))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("{}: can't be made", folder.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    remove_stale(folder, &name);
    let write = || {
        let mut file = temporary(folder, &name)?;
        // Permissions are set before a byte is written: the content may be a secret, and others could read it until then.
        if let Ok(there) = fs::metadata(path) {
            file.as_file().set_permissions(there.permissions())?;
        }
        file.write_all(content)?;
        file.as_file().sync_all()?;
        file.persist(path).map(drop).map_err(|error| error.error)
    };
    write().with_context(|| format!("{}: can't be written", path.display()))?;
    // The new name itself must reach the disk; not every file system can be asked to.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Where a chain of links ends, whether a file is there or not.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(there) if there.is_symlink() => {
                let next = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(next);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("links lead in a circle"))
}

fn temporary(folder: &Path, name: &str) -> io::Result<NamedTempFile> {
    let prefix = format!(".{name}.");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".partial").rand_bytes(LETTERS);
    // A new file is as open as the user wants new files to be, where temporary ones are private.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
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
            // Earlier releases took the number of the process.
            let numbered = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            numbered || rest.len() == LETTERS && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
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
        for name in [
            ".x.json.7.partial",
            ".x.json.8-2.partial",
            ".x.json.aB3dE6gH.partial",
            ".y.json.7.partial",
            ".x.json.mine.partial",
        ] {
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

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777;
        for bits in [0o600, 0o640, 0o444, 0o755] {
            fs::write(at("a"), "old").unwrap();
            fs::set_permissions(at("a"), fs::Permissions::from_mode(bits)).unwrap();
            replace(&at("a"), b"new").unwrap();
            assert_eq!((mode("a"), fs::read(at("a")).unwrap()), (bits, b"new".to_vec()));
            fs::remove_file(at("a")).unwrap();
        }
        fs::write(at("usual"), "").unwrap();
        replace(&at("a"), b"new").unwrap();
        assert_eq!(mode("a"), mode("usual"));

        fs::create_dir(at("vault")).unwrap();
        fs::write(at("vault/m.md"), "old").unwrap();
        fs::set_permissions(at("vault/m.md"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("vault/m.md", at("one")).unwrap();
        symlink("one", at("two")).unwrap();
        symlink("vault/none.md", at("dangling")).unwrap();
        symlink("circle", at("circle")).unwrap();
        for link in ["two", "dangling"] {
            replace(&at(link), b"new").unwrap();
            assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
        }
        assert_eq!(fs::read(at("vault/m.md")).unwrap(), b"new");
        assert_eq!((mode("vault/m.md"), fs::read(at("vault/none.md")).unwrap()), (0o600, b"new".to_vec()));
        assert!(
            replace(&at("circle"), b"new").unwrap_err().to_string().contains("circle: can't be followed")
        );
        assert!(fs::read_dir(at("vault")).unwrap().count() == 2, "no partial file is left");
    }
}
