//! The event log of a run with checkpoints, one compressed file for each interval between two of them. It is an append-only write-ahead
//! log: after a crash, complete intervals are replayed into the tables, and what follows them is deleted and lived again. A live view of
//! another process's run reads ended intervals meanwhile. A record is one tick, length-prefixed in bytes; each file is gzip. Events are
//! kept and no tables, because a Parquet file can't be continued after its footer.

use crate::io::error::{Context as _, Error, Result};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use morta_engine::event::Event;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write as _};
use std::path::PathBuf;

/// Longest record that is read back, bytes; no tick has that many events.
const RECORD_BYTES_MAX: u32 = 1 << 30;

/// Writes events to the file of the current interval (event log).
pub struct EventLog {
    dir: PathBuf,
    /// Intervals that have ended; the current one has this number.
    intervals: u32,
    /// The file of the current interval; `None` before its first tick.
    open: Option<GzEncoder<BufWriter<File>>>,
}

impl EventLog {
    /// Makes a log in a folder, before its first interval; no file is made yet.
    pub(super) fn new(dir: PathBuf) -> Self {
        Self { dir, intervals: 0, open: None }
    }

    fn path(&self, interval: u32) -> PathBuf {
        self.dir.join(format!("events-{interval}.bin.gz"))
    }

    /// Appends the events of a tick to the log.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn append(&mut self, events: &[Event]) -> Result<()> {
        let path = self.path(self.intervals);
        let write = |open: &mut Option<GzEncoder<BufWriter<File>>>| -> Result<()> {
            let out = match open {
                Some(out) => out,
                None => {
                    let file = BufWriter::new(File::create(&path)?);
                    open.insert(GzEncoder::new(file, Compression::fast()))
                }
            };
            let record = Event::pack(events);
            let length = u32::try_from(record.len()).ok().context("a tick's events are too many")?;
            out.write_all(&length.to_le_bytes())?;
            Ok(out.write_all(&record)?)
        };
        write(&mut self.open).with_context(|| format!("{} can't be written", path.display()))
    }

    /// Ends the interval: its file is complete and on the disk when this returns (fsync). Returns how many complete intervals there are.
    /// The caller writes the world's state after it.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn end_interval(&mut self) -> Result<u32> {
        if let Some(out) = self.open.take() {
            let path = self.path(self.intervals);
            let finish = || out.finish()?.into_inner().map_err(|error| error.into_error())?.sync_all();
            finish().with_context(|| format!("{} can't be written", path.display()))?;
            self.intervals += 1;
        }
        Ok(self.intervals)
    }

    /// Replays the file of an interval that has ended, tick by tick.
    ///
    /// # Errors
    /// When it is missing or damaged, or `take` fails.
    pub fn read(&self, interval: u32, take: &mut dyn FnMut(&[Event]) -> Result<()>) -> Result<()> {
        let path = self.path(interval);
        let damaged = || Error::at(&path, "the checkpoint is damaged");
        let file = File::open(&path).map_err(|_| damaged())?;
        let mut input = GzDecoder::new(BufReader::new(file));
        while let Some(record) = next_record(&mut input).map_err(|_| damaged())? {
            take(&Event::unpack(&record).map_err(|_| damaged())?)?;
        }
        Ok(())
    }

    /// Replays the first `intervals` files, tick by tick, truncates the log behind them by deleting all later ones, and goes on there.
    ///
    /// # Errors
    /// When one is missing or damaged, or `take` fails.
    pub fn replay(&mut self, intervals: u32, mut take: impl FnMut(&[Event]) -> Result<()>) -> Result<()> {
        for interval in 0..intervals {
            self.read(interval, &mut take)?;
        }
        self.intervals = intervals;
        for later in intervals.. {
            if fs::remove_file(self.path(later)).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// The next record, by its length prefix; `None` at the end of the file (framing).
fn next_record(input: &mut impl Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match input.read(&mut length[..1])? {
        0 => return Ok(None),
        _ => input.read_exact(&mut length[1..])?,
    }
    let length = u32::from_le_bytes(length);
    if length > RECORD_BYTES_MAX {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut record = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut record)?;
    if record.len() < length as usize {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(record))
}
