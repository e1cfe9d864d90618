//! Cells that came from elsewhere: those of a unit of work, packed into one tar archive under `units/`.
//!
//! A file system that a thousand nodes share bears few files better than many: a unit is one, whatever the number of its cells. It is
//! written under a name that no other process uses, and gets its own name only if no other process was faster; which of the two stays makes
//! no difference, because cells are the same bytes but for the time they took and the machine they were lived on.
//!
//! It is an archive format for distributed jobs: idempotent writes, path traversal refused, deterministic tar. `CellStore` finds cells in
//! archives and those in folders of their own: resumed sweeps, the analysis and `morta reproduce` go through it.

use super::cell::{CELL, CellRecord, HASH_DIGITS};
use super::cells_dir;
use crate::io::error::{Context as _, Error, Result};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Deref;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};
use tar::{Archive, Builder, EntryType, Header};

/// The folder of packed cells in a sweep's folder.
pub const UNITS: &str = "units";
/// How the name of an archive ends.
const PACKED: &str = ".tar";
/// An archive ends with so many empty bytes.
const TAR_END: usize = 1_024;
/// How the names of archives under way end.
const UNDER_WAY: &str = ".partial";

/// Where a packed cell is: the archive by number, and which bytes of it.
#[derive(Clone, Copy, Debug)]
struct Span {
    archive: u32,
    from: u64,
    to: u64,
}

/// The cells of a sweep's folder, wherever they lie (cell store): each in a folder of its own, or packed in a tar archive with those of its
/// unit, of which this is the index: byte ranges in archives, by hash.
#[derive(Debug)]
pub struct CellStore {
    dir: PathBuf,
    archives: Vec<PathBuf>,
    packed: BTreeMap<u128, Span>,
}

/// A folder with the files of a cell (cell directory): its own, or a temporary directory that is removed when this is dropped. It
/// dereferences to its path.
#[derive(Debug)]
pub struct CellPlace {
    path: PathBuf,
    _room: Option<tempfile::TempDir>,
}

impl Deref for CellPlace {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// Lists the tar archives of a sweep's folder in the order of their names, with their sizes in bytes; none without `units/`.
///
/// # Errors
/// When the folder can't be read.
pub fn archives(sweep: &Path) -> Result<Vec<(PathBuf, u64)>> {
    let entries = match fs::read_dir(sweep.join(UNITS)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("{} can't be read", sweep.display())),
    };
    let is_packed = |path: &PathBuf| path.to_string_lossy().ends_with(PACKED);
    let paths = entries.flatten().map(|entry| entry.path()).filter(is_packed);
    let sized = |path: PathBuf| {
        let bytes = fs::metadata(&path).map_or(0, |found| found.len());
        (path, bytes)
    };
    let mut found: Vec<(PathBuf, u64)> = paths.map(sized).collect();
    found.sort_unstable();
    Ok(found)
}

impl CellStore {
    /// Opens the cell store of a sweep's folder, with an index of its packed cells: headers of all archives are read once. Of a cell that two archives have,
    /// the first by name is taken; they differ at most in the time they took and in their machine.
    ///
    /// # Errors
    /// [`Error::Invalid`] when an archive can't be read: the line says which, and what to do.
    pub fn open(sweep: &Path) -> Result<Self> {
        let archives = archives(sweep)?.into_iter().map(|(path, _)| path).collect();
        let mut found = Self { dir: sweep.to_owned(), archives, packed: BTreeMap::new() };
        for number in 0..found.archives.len() {
            let path = found.archives[number].clone();
            found.index(number as u32, &path).map_err(|error| {
                Error::at(
                    path,
                    format!("it is no archive of cells ({error}): delete it, and run the unit again"),
                )
            })?;
        }
        Ok(found)
    }

    fn index(&mut self, archive: u32, path: &Path) -> std::io::Result<()> {
        // Opening a pipe would wait until another process writes to it.
        if !fs::metadata(path)?.is_file() {
            return Err(std::io::Error::other("it is no plain file"));
        }
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        // An archive that was cut short can end exactly where the next file would begin, so only its two empty blocks prove that it is whole.
        let mut end = [1; TAR_END];
        file.seek(SeekFrom::Start(length.saturating_sub(TAR_END as u64)))?;
        if length < TAR_END as u64 || file.read_exact(&mut end).is_err() || end != [0; TAR_END] {
            return Err(std::io::Error::other("it has no end"));
        }
        file.rewind()?;
        let mut under_way: Option<(u128, u64)> = None;
        let mut tar = Archive::new(BufReader::new(file));
        for entry in tar.entries_with_seek()? {
            let entry = entry?;
            let (hash, from) = (cell_of(&entry.path()?), entry.raw_header_position());
            let Some(hash) = hash else {
                return Err(std::io::Error::other("it holds something that is no file of a cell"));
            };
            if entry.raw_file_position() + entry.size() > length {
                return Err(std::io::Error::other("a file of a cell is cut off"));
            }
            if under_way.is_none_or(|(last, _)| last != hash) {
                self.close(archive, under_way, from);
                under_way = Some((hash, from));
            }
        }
        self.close(archive, under_way, length);
        Ok(())
    }

    /// Ends the span of a cell at a byte. Only spans are kept, so that opening a folder with a million packed cells reads headers and unpacks none.
    fn close(&mut self, archive: u32, cell: Option<(u128, u64)>, to: u64) {
        if let Some((hash, from)) = cell {
            self.packed.entry(hash).or_insert(Span { archive, from, to });
        }
    }

    /// The archive that a cell lies in; none where it isn't packed (archive lookup, archive path).
    pub(crate) fn archive_of(&self, hash: &str) -> Option<&Path> {
        let span = self.packed.get(&number_of(hash)?)?;
        Some(&self.archives[span.archive as usize])
    }

    /// Whether a cell is packed (in archive or not: membership of a tar archive).
    pub(crate) fn is_packed(&self, hash: &str) -> bool {
        self.archive_of(hash).is_some()
    }

    /// Finds or unpacks a folder with a cell's files; none when there is no such cell.
    ///
    /// # Errors
    /// When a packed one can't be unpacked.
    pub fn place(&self, hash: &str) -> Result<Option<CellPlace>> {
        let own = cells_dir(&self.dir).join(hash);
        if own.join(CELL).exists() {
            return Ok(Some(CellPlace { path: own, _room: None }));
        }
        self.unpack(hash)
    }

    /// Reads the result record of a cell, if it has ended.
    pub fn read(&self, hash: &str) -> Option<CellRecord> {
        CellRecord::read(&self.place(hash).ok()??)
    }

    /// Unpacks a cell into a temporary directory that lasts as long as what is returned; none when it isn't there (tar extraction).
    fn unpack(&self, hash: &str) -> Result<Option<CellPlace>> {
        let Some(span) = number_of(hash).and_then(|hash| self.packed.get(&hash)) else { return Ok(None) };
        let path = &self.archives[span.archive as usize];
        let room = tempfile::tempdir().context("there is no room to unpack a cell")?;
        let unpack = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(span.from))?;
            let mut tar = Archive::new(BufReader::new(file.take(span.to - span.from)));
            for entry in tar.entries()? {
                entry?.unpack_in(room.path())?;
            }
            std::io::Result::Ok(())
        };
        unpack().with_context(|| format!("{} can't be read", path.display()))?;
        Ok(Some(CellPlace { path: room.path().join(hash), _room: Some(room) }))
    }
}

/// The cell that an entry belongs to: its path is the cell's hash and the name of a plain file below that. Other paths (`..`, an absolute one) are
/// refused, because an archive may come from another machine and would be unpacked outside its room.
fn cell_of(path: &Path) -> Option<u128> {
    let mut parts = path.components();
    let Some(Component::Normal(first)) = parts.next() else { return None };
    let rest_is_plain = parts.clone().count() > 0 && parts.all(|part| matches!(part, Component::Normal(_)));
    number_of(first.to_str()?).filter(|_| rest_is_plain)
}

/// A cell's hash as a number: 32 hexadecimal digits.
fn number_of(hash: &str) -> Option<u128> {
    let is_hash =
        hash.len() == HASH_DIGITS && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    u128::from_str_radix(hash, 16).ok().filter(|_| is_hash)
}

/// Writes archives of cells into a sweep's folder (atomic tar writer).
#[derive(Debug)]
pub(crate) struct Packer {
    /// Where the archive is, or will be.
    pub path: PathBuf,
    under_way: PathBuf,
}

/// Whether an archive was kept, or another process had been faster: of a race the first writer wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// It is there now.
    Kept,
    /// It was there already.
    TooLate,
}

impl Packer {
    /// A writer of the archive of this name, without its ending (tar writer). Nothing is written yet. The temporary file name holds
    /// hostname, process id and a nonce, because units may be run twice at once.
    pub(crate) fn new(sweep: &Path, name: &str) -> Self {
        let folder = sweep.join(UNITS);
        let nonce =
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.subsec_nanos());
        let under_way = format!(".{name}.{}.{}.{nonce}{UNDER_WAY}", host(), std::process::id());
        Self { path: folder.join(format!("{name}{PACKED}")), under_way: folder.join(under_way) }
    }

    /// Packs the folders of cells into a tar archive, in this order. It gets its name by a hard link (atomic, first writer wins).
    ///
    /// # Errors
    /// When it can't be written; nothing of it is left then.
    pub(crate) fn pack(&self, cells: &[PathBuf]) -> Result<Packing> {
        let write = || {
            fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))?;
            let file = File::create_new(&self.under_way)?;
            let mut tar = Builder::new(BufWriter::new(file));
            for cell in cells {
                let name = cell.file_name().map(PathBuf::from).unwrap_or_default();
                append(&mut tar, cell, &name)?;
            }
            let mut writer = tar.into_inner()?;
            writer.flush()?;
            writer.get_ref().sync_all()?;
            // A link, unlike a rename, never replaces a file that exists, also on file systems that are shared: no archive that another process is
            // reading changes under it.
            fs::hard_link(&self.under_way, &self.path)
        };
        let written = write();
        let _ = fs::remove_file(&self.under_way);
        match written {
            Ok(()) => Ok(Packing::Kept),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && self.path.exists() => {
                Ok(Packing::TooLate)
            }
            Err(error) => Err(error).with_context(|| format!("{}: can't be written", self.path.display())),
        }
    }
}

/// Adds a folder's files in the order of their names; headers have name and length alone (no time, no owner), so that the same cells are the same bytes.
fn append(tar: &mut Builder<impl std::io::Write>, from: &Path, name: &Path) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(from)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort_unstable();
    for path in entries {
        let name = name.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            append(tar, &path, &name)?;
            continue;
        }
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(fs::metadata(&path)?.len());
        header.set_mode(0o644);
        tar.append_data(&mut header, name, File::open(&path)?)?;
    }
    Ok(())
}

/// Removes unfinished archives that are older than this, whose processes are gone (stale file cleanup). Returns their number. Age decides, because a
/// process of another machine can't be asked whether it lives.
///
/// # Errors
/// None: a folder that can't be read has nothing to remove.
pub(crate) fn remove_debris(sweep: &Path, older_than: Duration) -> Result<u64> {
    let Ok(entries) = fs::read_dir(sweep.join(UNITS)) else { return Ok(0) };
    let is_old = |entry: &fs::DirEntry| {
        let modified = entry.metadata().and_then(|about| about.modified()).ok();
        let age = modified.and_then(|at| at.elapsed().ok());
        entry.file_name().to_string_lossy().ends_with(UNDER_WAY) && age.is_some_and(|age| age >= older_than)
    };
    let old = entries.flatten().filter(is_old);
    Ok(old.filter(|entry| fs::remove_file(entry.path()).is_ok()).count() as u64)
}

/// Finds the host name of the machine, sanitised so that it can be part of a file's name; it is for people, and keeps processes apart.
pub fn host() -> String {
    let name =
        fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    let name = name.unwrap_or_default();
    let plain: String =
        name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || "-._".contains(*c)).take(64).collect();
    if plain.is_empty() { "unknown".to_owned() } else { plain }
}
