//! Lines of session logs, with their numbers and bytes; what is wrong with a line is named and counted.

use crate::failure::UserError;
use morta_memories::dark_pawns::{MAX_LINE_BYTES, SessionEntry};
use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Most notes that are printed.
const MAX_NOTES: u64 = 20;

/// What was odd, on standard error, the first of it in full.
#[derive(Debug, Default)]
pub struct Notes {
    told: u64,
    /// Lines that are no turns.
    pub malformed: u64,
}

impl Notes {
    /// Something odd at a line.
    pub fn note(&mut self, place: &str, number: u64, what: impl Display) {
        self.told += 1;
        if self.told <= MAX_NOTES {
            eprintln!("note: {place}:{number}: {what}");
        }
    }

    /// Says what wasn't printed.
    pub fn close(&self) {
        if self.told > MAX_NOTES {
            eprintln!("note: and {} more", self.told - MAX_NOTES);
        }
        if self.malformed > 0 {
            eprintln!("note: {} lines skipped that are no turns", self.malformed);
        }
    }
}

/// How far a log was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Bytes.
    pub bytes: u64,
    /// Lines.
    pub lines: u64,
}

/// Opens a log, or standard input for `-`.
pub fn open(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    let file = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(std::io::Error::from(std::io::ErrorKind::IsADirectory)),
        false => Ok(file),
    });
    Ok(Box::new(file.map_err(|error| UserError::new(format!("{}: {error}", path.display())))?))
}

/// Every turn of a log from a place on, handed over with the number of its line. Returns how far it was read: a last line without
/// its end that is no turn may still be growing, and is left for the next time.
pub fn turns(
    path: &Path,
    from: Place,
    notes: &mut Notes,
    mut take: impl FnMut(u64, SessionEntry, &[u8], &mut Notes) -> anyhow::Result<()>,
) -> anyhow::Result<Place> {
    let name = path.display().to_string();
    let input: Box<dyn Read> = if from.bytes == 0 {
        open(path)?
    } else {
        let fail = |error| UserError::new(format!("{name}: {error}"));
        let mut file = File::open(path).map_err(fail)?;
        file.seek(SeekFrom::Start(from.bytes)).map_err(fail)?;
        Box::new(file)
    };
    let mut input = BufReader::new(input);
    let (mut line, mut place) = (Vec::new(), from);
    loop {
        line.clear();
        let number = place.lines + 1;
        let fail = |what: &dyn Display| UserError::new(format!("{name}:{number}: {what}"));
        let most = MAX_LINE_BYTES as u64 + 1;
        input.by_ref().take(most).read_until(b'\n', &mut line).map_err(|error| fail(&error))?;
        let ended = line.ends_with(b"\n");
        if line.is_empty() {
            return Ok(place);
        }
        if line.len() - usize::from(ended) > MAX_LINE_BYTES || (line.len() as u64 == most && !ended) {
            return Err(fail(&format!("the line is longer than {MAX_LINE_BYTES} bytes; split or remove it")));
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
        place = Place { bytes: place.bytes + line.len() as u64, lines: place.lines + u64::from(ended) };
    }
}
