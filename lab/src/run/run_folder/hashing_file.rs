//! Files that are hashed while they are written (streaming checksum, BLAKE3), because reading them again for a hash would double the disk
//! traffic of a run. Sizes are bytes. Parquet tables and the journal of a run go through it, and the tables of a sweep, those in CSV too. A
//! run's files are brought to the disk (fsync) at their end; the lives that a sweep keeps of each cell aren't, because a cell is checked by
//! its hash before it is believed. The caller gives the file its name.

use crate::io::error::{Context as _, Result};
use crate::run::run_folder::RunFolder;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// What a manifest says of one file of the folder: its size and checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenTable {
    /// Name of the file within the folder.
    pub name: String,
    /// Rows, or lines.
    pub rows: u64,
    /// Size of the file.
    pub bytes: u64,
    /// BLAKE3 of its bytes.
    pub blake3: String,
}

/// A file under its temporary name that knows its size and hash when it ends (checksum).
pub(crate) struct HashingFile {
    out: BufWriter<File>,
    hasher: blake3::Hasher,
    bytes: u64,
    synced: bool,
}

impl HashingFile {
    /// Begins the file (creates a temporary file).
    pub(crate) fn create(folder: &RunFolder, name: &str) -> Result<Self> {
        let path = folder.partial(name);
        let file = File::create(&path).with_context(|| format!("{} can't be made", path.display()))?;
        Ok(Self { out: BufWriter::new(file), hasher: blake3::Hasher::new(), bytes: 0, synced: folder.synced })
    }

    /// Ends the file, and brings it to the disk where its folder asks for that (fsync and final hash).
    pub(crate) fn finish(mut self, name: &str, rows: u64) -> Result<WrittenTable> {
        let synced = self.synced;
        let sync =
            self.out.flush().and_then(|()| if synced { self.out.get_ref().sync_all() } else { Ok(()) });
        sync.with_context(|| format!("{name} can't be brought to the disk"))?;
        let blake3 = self.hasher.finalize().to_hex().to_string();
        Ok(WrittenTable { name: name.to_owned(), rows, bytes: self.bytes, blake3 })
    }
}

impl Write for HashingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
