//! Lines of session logs with their numbers and bytes. A malformed line is reported and counted. It is a tolerant JSON Lines reader (parser
//! with error recovery); lengths are bytes, and line numbers begin at 1. One broken line must not cost a session, because logs are cut by
//! crashes.

use crate::notes::Notes;
use morta_lab::error::{At as _, Error, Result};
use morta_memories::dark_pawns::{MAX_LINE_BYTES, SessionEntry};
use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Number of remarks that are reported in full; the others are only counted.
const MAX_NOTES: u64 = 20;

/// Collects remarks on lines, and passes the first twenty of them in full (rate-limited).
pub(crate) struct LineNotes<'a> {
    notes: Notes<'a>,
    remarks: u64,
    /// Lines that aren't turns.
    pub malformed: u64,
}

impl<'a> LineNotes<'a> {
    /// No remarks so far (empty warning collector).
    pub(super) fn new(notes: Notes<'a>) -> Self {
        Self { notes, remarks: 0, malformed: 0 }
    }

    /// Adds a remark (warning) on a line.
    pub(super) fn note(&mut self, place: &str, number: u64, what: impl Display) {
        self.remarks += 1;
        if self.remarks <= MAX_NOTES {
            (self.notes)(&format!("{place}:{number}: {what}"));
        }
    }

    /// Reports the number of remarks that were only counted (suppressed warnings), and of lines that are no turns.
    pub(super) fn close(&mut self) {
        if self.remarks > MAX_NOTES {
            (self.notes)(&format!("and {} more", self.remarks - MAX_NOTES));
        }
        if self.malformed > 0 {
            (self.notes)(&format!("{} lines skipped that are no turns", self.malformed));
        }
    }
}

/// The file offset and line number up to which a log was read, from which the next dream resumes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Bytes.
    pub bytes: u64,
    /// Lines.
    pub lines: u64,
}

/// Opens a log for reading, or standard input (stdin) for `-`; memory graphs and files of decisions are opened by it too.
///
/// # Errors
/// When it can't be opened, or is a folder.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    // Opening a folder succeeds on Unix, and only reading it would fail, with an error that doesn't name it.
    let file = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(std::io::Error::from(std::io::ErrorKind::IsADirectory)),
        false => Ok(file),
    });
    Ok(Box::new(file.at(path)?))
}

/// Passes every turn of a log from a position on, with the number of its line, to `take` (tolerant JSON Lines parser). Returns the position
/// reached. A last line that is neither ended nor a turn may still be growing, and is left for the next time. A line that is too long is
/// skipped like a malformed one: otherwise it would stop every later dream as well.
///
/// # Errors
/// When the log can't be read; the first error of `take`.
pub(super) fn turns<E: From<Error>>(
    path: &Path,
    from: Place,
    notes: &mut LineNotes<'_>,
    mut take: impl FnMut(u64, SessionEntry, &[u8], &mut LineNotes<'_>) -> Result<(), E>,
) -> Result<Place, E> {
    let name = path.display().to_string();
    let input: Box<dyn Read> = if from.bytes == 0 {
        open(path)?
    } else {
        // Only a file can be read from a position, so standard input always begins at 0.
        let mut file = File::open(path).at(path)?;
        file.seek(SeekFrom::Start(from.bytes)).at(path)?;
        Box::new(file)
    };
    let mut input = BufReader::new(input);
    let (mut line, mut place) = (Vec::new(), from);
    loop {
        line.clear();
        let number = place.lines + 1;
        let fail = |what: &dyn Display| Error::invalid(format!("{name}:{number}: {what}"));
        let bytes = read_bounded(&mut input, &mut line).map_err(|error| fail(&error))?;
        if bytes == 0 {
            return Ok(place);
        }
        let ended = line.ends_with(b"\n");
        if bytes - u64::from(ended) > MAX_LINE_BYTES as u64 {
            notes.malformed += 1;
            let size = bytes - u64::from(ended);
            notes.note(
                &name,
                number,
                format!("skipped: {size} bytes, where a turn has at most {MAX_LINE_BYTES}"),
            );
            if !ended {
                return Ok(place);
            }
            place = Place { bytes: place.bytes + bytes, lines: place.lines + 1 };
            continue;
        }
        let text = line.trim_ascii();
        match SessionEntry::parse(text) {
            _ if text.is_empty() => (),
            Ok(entry) => take(number, entry, text, notes)?,
            Err(what) => {
                notes.malformed += 1;
                notes.note(&name, number, format!("skipped: {what}"));
                if !ended {
                    return Ok(place);
                }
            }
        }
        place = Place { bytes: place.bytes + bytes, lines: place.lines + u64::from(ended) };
    }
}

/// Reads a line with its end into `line`, and returns its length in bytes. A line that is too long is read to its end, and only its last bytes are
/// kept, so that memory stays bounded. The recorder of a session reads its stream by it too.
///
/// # Errors
/// When it can't be read.
pub(super) fn read_bounded(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<u64> {
    let mut bytes = 0;
    loop {
        line.clear();
        // Two more than a line may have, because a line at the limit with its newline must not look cut.
        let most = MAX_LINE_BYTES as u64 + 2;
        let read = input.by_ref().take(most).read_until(b'\n', line)? as u64;
        bytes += read;
        if read < most || line.ends_with(b"\n") {
            // The line may have ended exactly at the end of a full part.
            return Ok(bytes);
        }
    }
}
