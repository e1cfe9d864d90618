//! Text whose lines and whose length are bounded (decompression bomb, zip bomb): a few kilobytes of gzip can hold a line of gigabytes.
//! Limits are bytes, and rows for the number of lines (`crate::io::limits`). A reader beyond its limit ends in an error that names the
//! limit to raise, so that memory is never taken for what a user can't have meant. Text of price files and of `morta stats` passes
//! `BoundedLines` once it is decompressed; logs and stores of the memory tools, and the input of `morta score`, are read by `log_bytes`, or
//! streamed through `Bounded`.

use crate::io::limits::{Limit, Limits};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A reader with a byte limit: it wraps another reader, and ends in an error where the limit is exceeded.
pub struct Bounded<R> {
    from: R,
    left: u64,
    most: u64,
    limit: Limit,
}

impl<R: Read> Bounded<R> {
    /// Bounds the bytes of a reader by a limit; the read that exceeds it is an error.
    pub fn new(from: R, limit: Limit, limits: &Limits) -> Self {
        let most = limits.most(limit);
        Self { from, left: most, most, limit }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        self.left =
            self.left.checked_sub(count as u64).ok_or_else(|| too_large(self.limit, self.most, "bytes"))?;
        Ok(count)
    }
}

fn too_large(limit: Limit, most: u64, of: &str) -> io::Error {
    let problem = format!("it holds more than {most} {of}: split it, {}", limit.remedy());
    io::Error::new(io::ErrorKind::FileTooLarge, problem)
}

/// Reads all bytes of a log or a store, or of standard input for `-`, up to the size limit of logs.
///
/// # Errors
/// When it can't be read, is no file, or holds more than a log may.
pub fn log_bytes(path: &Path, limits: &Limits) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    if path == Path::new("-") {
        Bounded::new(io::stdin().lock(), Limit::LogBytes, limits).read_to_end(&mut content)?;
        return Ok(content);
    }
    let file = File::open(path)?;
    // What says how long it is needn't be read to be refused.
    let most = limits.most(Limit::LogBytes);
    if file.metadata()?.len() > most {
        return Err(too_large(Limit::LogBytes, most, "bytes"));
    }
    Bounded::new(file, Limit::LogBytes, limits).read_to_end(&mut content)?;
    Ok(content)
}

/// Reads a log or a store as UTF-8 text, as [`log_bytes`] does its bytes.
///
/// # Errors
/// Besides, when it isn't UTF-8.
pub fn log_text(path: &Path, limits: &Limits) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    String::from_utf8(log_bytes(path, limits)?).map_err(no_text)
}

/// Reads on until a line is too long, or the whole is (line length limit). Line ends within quotes don't end a line, because the reader of a
/// row keeps all of it.
pub(crate) struct BoundedLines<R> {
    from: Bounded<R>,
    /// Lines that have ended.
    lines: u64,
    /// Bytes of the current line so far.
    in_line: u64,
    quotes: Quotes,
    line_max: u64,
    /// What has more lines than this has too many rows, or next to none: empty lines are no rows, and cost time all the same.
    lines_max: u64,
    rows: Limit,
    rows_max: u64,
}

/// Where a text is with regard to quotes, as CSV has them: they open at the beginning of a field, and two of them within are one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    FieldBegins,
    Outside,
    Inside,
    /// After a quote that closes, unless another follows.
    Closing,
}

impl Quotes {
    fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::FieldBegins | Self::Closing, b'"') => Self::Inside,
            (Self::Inside, b'"') => Self::Closing,
            (Self::Inside, _) => Self::Inside,
            (_, b',' | b'\n' | b'\r') => Self::FieldBegins,
            _ => Self::Outside,
        }
    }
}

impl<R: Read> BoundedLines<R> {
    /// Bounds a text, whose length when decompressed has a limit of its own, as have its rows (line length limit).
    /// It also has a line limit and a row limit.
    pub(crate) fn new(from: R, whole: Limit, rows: Limit, limits: &Limits) -> Self {
        let (from, line_max) = (Bounded::new(from, whole, limits), limits.most(Limit::LineBytes));
        let rows_max = limits.most(rows);
        let lines_max = rows_max.saturating_mul(2).saturating_add(2);
        Self { from, lines: 0, in_line: 0, quotes: Quotes::FieldBegins, line_max, lines_max, rows, rows_max }
    }

    fn count(&mut self, bytes: u64) -> io::Result<()> {
        self.in_line += bytes;
        if self.in_line <= self.line_max {
            return Ok(());
        }
        let (line, most, remedy) = (self.lines + 1, self.line_max, Limit::LineBytes.remedy());
        let problem = format!("line {line} is longer than {most} bytes: shorten it, {remedy}");
        Err(io::Error::new(io::ErrorKind::FileTooLarge, problem))
    }

    fn end_line(&mut self) -> io::Result<()> {
        (self.lines, self.in_line) = (self.lines + 1, 0);
        if self.lines > self.lines_max {
            Err(too_large(self.rows, self.rows_max, "rows, or empty lines"))
        } else {
            Ok(())
        }
    }

    fn count_quoted(&mut self, bytes: &[u8]) -> io::Result<()> {
        for byte in bytes {
            self.quotes = self.quotes.after(*byte);
            self.count(1)?;
            if *byte == b'\n' && self.quotes != Quotes::Inside {
                self.end_line()?;
            }
        }
        Ok(())
    }

    /// Most texts have no quotes at all, and then only their line ends matter.
    fn count_plain(&mut self, bytes: &[u8]) -> io::Result<()> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.count(part.len() as u64)?;
            if part.ends_with(b"\n") {
                self.end_line()?;
            }
        }
        if let Some(last) = bytes.last() {
            self.quotes = Quotes::Outside.after(*last);
        }
        Ok(())
    }
}

impl<R: Read> Read for BoundedLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        let read = &buffer[..count];
        if self.quotes == Quotes::Inside || read.contains(&b'"') {
            self.count_quoted(read)?;
        } else {
            self.count_plain(read)?;
        }
        Ok(count)
    }
}

/// Words the parse error of a malformed CSV file with its line number.
pub fn csv_fault(name: &str, error: &csv::Error) -> String {
    let place = error.position().map_or(String::new(), |position| format!(":{}", position.line()));
    let problem = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} columns, and the heading has {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => "the text is not UTF-8".to_owned(),
        csv::ErrorKind::Io(error) => format!("can't be read: {error}"),
        _ => error.to_string(),
    };
    format!("{name}{place}: {problem}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_and_long_texts_end_in_an_error_before_they_are_kept() {
        let line_max = Limit::LineBytes.usual();
        let read = |text: &mut dyn Read, bytes_max: u64| {
            let mut kept = Vec::new();
            let mut bounded =
                BoundedLines::new(text, Limit::TableBytes, Limit::TableRows, &Limits::default());
            bounded.from.left = bytes_max;
            let found = bounded.read_to_end(&mut kept);
            found.map_err(|error| (error.to_string(), kept.len()))
        };
        let line = format!("{}\n", "x".repeat(line_max as usize - 1));
        let three = line.repeat(3);
        assert_eq!(read(&mut three.as_bytes(), u64::MAX), Ok(three.len()));
        let mut endless = line.as_bytes().chain(io::repeat(0));
        let (message, kept) = read(&mut endless, u64::MAX).unwrap_err();
        let remedy = "shorten it, or allow more with --at-most line-bytes=N";
        assert_eq!(message, format!("line 2 is longer than 1048576 bytes: {remedy}"));
        assert!(kept as u64 <= 2 * line_max + 1, "{kept}");
        // A quote that never closes makes one row of all the lines.
        let mut open = b"a,b\n1,5\"\n2,\"".chain(io::repeat(b'\n'));
        let (message, kept) = read(&mut open, u64::MAX).unwrap_err();
        assert!(
            message.starts_with("line 3 is longer than 1048576 bytes") && kept < 2 << 20,
            "{message} {kept}"
        );
        let row = "1,\"a \"\"quoted\"\"\nword\",5\"\n".repeat(100_000);
        assert_eq!(read(&mut row.as_bytes(), u64::MAX), Ok(row.len()));
        let (message, _) = read(&mut io::repeat(b'\n'), u64::MAX).unwrap_err();
        assert!(message.ends_with("split it, or allow more with --at-most table-rows=N"), "{message}");
        let (message, _) = read(&mut io::repeat(b'\n'), 1_000_000).unwrap_err();
        assert!(message.ends_with("split it, or allow more with --at-most table-bytes=N"), "{message}");
    }
}
