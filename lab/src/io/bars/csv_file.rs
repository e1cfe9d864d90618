//! Bars in CSV, plain or compressed with gzip.

use super::check::{Checked, time_s};
use super::columns::{Columns, PRICE, VOLUME};
use super::error::RowError;
use super::{BarsError, Days};
use crate::io::bounded_lines::{BoundedLines, csv_fault};
use crate::io::limits::{Limit, Limits};
use csv::StringRecord;
use flate2::read::MultiGzDecoder;
use morta_engine::market::{Bar, Ohlc, RawBar};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Reads a file; `name` is what to call it.
pub fn read(file: File, name: &str, days: Days, limits: &Limits) -> Result<Vec<Bar>, BarsError> {
    let mut file = BufReader::with_capacity(1 << 16, file);
    let start = file.fill_buf().map_err(|error| BarsError::Unreadable(error.to_string()))?;
    let text: Box<dyn Read> =
        if start.starts_with(&GZIP_MAGIC) { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    rows(text, name, days, limits)
}

fn rows(text: impl Read, name: &str, days: Days, limits: &Limits) -> Result<Vec<Bar>, BarsError> {
    let at = |line: u64, what: &dyn std::fmt::Display| BarsError::Content(format!("{name}:{line}: {what}"));
    let bounded = BoundedLines::new(text, Limit::BarsBytes, Limit::BarsRows, limits);
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(bounded);
    let heading = reader.headers().map_err(|error| broken(name, &error))?;
    let names: Vec<&str> = heading.iter().collect();
    let columns = Columns::find(&names).map_err(|what| at(1, &what))?;
    let mut checked = Checked::new(days, limits);
    let mut row = StringRecord::new();
    while reader.read_record(&mut row).map_err(|error| broken(name, &error))? {
        let line = row.position().map_or(0, csv::Position::line);
        raw_bar(&row, &columns).and_then(|raw| checked.take(raw)).map_err(|what| at(line, &what))?;
    }
    Ok(checked.bars)
}

fn raw_bar(row: &StringRecord, columns: &Columns) -> Result<RawBar, RowError> {
    let number = |place: usize, what: &'static str| -> Result<f64, RowError> {
        let text = row.get(place).unwrap_or_default().trim();
        text.parse().map_err(|_| RowError::NoNumber { what, text: text.to_owned() })
    };
    let side = |places: [usize; 4]| -> Result<Ohlc, RowError> {
        Ok(Ohlc {
            open: number(places[0], PRICE[0])?,
            high: number(places[1], PRICE[1])?,
            low: number(places[2], PRICE[2])?,
            close: number(places[3], PRICE[3])?,
        })
    };
    Ok(RawBar {
        open_time_s: time_s(row.get(columns.time).unwrap_or_default())?,
        price: side(columns.price)?,
        ask: columns.ask.map(side).transpose()?,
        volume: columns.volume.map(|place| number(place, VOLUME)).transpose()?,
    })
}

fn broken(name: &str, error: &csv::Error) -> BarsError {
    BarsError::Content(csv_fault(name, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<usize, &str>) {
        let found = rows(text.as_bytes(), "x.csv", Days::default(), &Limits::default());
        let found = found.map(|bars| bars.len()).map_err(|error| match error {
            BarsError::Unreadable(what) | BarsError::Content(what) => what,
        });
        assert_eq!(found, expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn rows_become_bars_or_a_line_that_says_where() {
        let file =
            |rows: &str| format!("time_utc,open,high,low,close\n2020-01-01T00:00:00Z,1,2,1,2\n{rows}\n");
        check(&file("2020-01-01T01:00:00Z,1,2,1,2"), Ok(2));
        check(&file("1577840400,1,2,1,2"), Ok(2));
        check(
            &file("2020-01-01T00:00:00Z,1,2,1,2"),
            Err(
                "x.csv:3: time_utc 2020-01-01T00:00:00Z is not after the row before it (2020-01-01T00:00:00Z): sort the rows, each time once",
            ),
        );
        check(
            &file("2020-01-01T01:00:00Z,1,2,1,NaN"),
            Err("x.csv:3: close is NaN, which is not a price above 0"),
        );
        check(&file("2020-01-01T01:00:00Z,1,2,1,"), Err("x.csv:3: close = \"\": must be a number"));
        check(&file("2020-01-01T01:00:00Z,1,2"), Err("x.csv:3: 3 columns, and the heading has 5"));
        let in_other_units = |time: &str, unit: &str, divisor: &str| {
            let told = format!(
                "x.csv:3: time_utc = {time}: {unit} since 1970, it seems, where whole seconds are read: divide by {divisor}, \
                 or write times like 2018-01-31T12:00:00Z"
            );
            check(&file(&format!("{time},1,2,1,2")), Err(&told));
        };
        in_other_units("1577840400000", "milliseconds", "1000");
        in_other_units("1577840400000000", "microseconds", "1000000");
        in_other_units("1577840400000000000", "nanoseconds", "1000000000");
        in_other_units("-9223372036854775808", "nanoseconds", "1000000000");
        check(
            &file("noon,1,2,1,2"),
            Err("x.csv:3: time_utc = \"noon\": must be a time like 2018-01-31T12:00:00Z"),
        );
    }

    /// 64 MB of zeros in 64 kB: refused before they are kept.
    #[test]
    fn an_endless_line_in_a_small_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bomb.csv.gz");
        let mut packed =
            flate2::write::GzEncoder::new(File::create(&path).unwrap(), flate2::Compression::best());
        std::io::Write::write_all(&mut packed, b"time_utc,open,high,low,close\n").unwrap();
        std::io::copy(&mut std::io::repeat(0).take(64 << 20), &mut packed).unwrap();
        packed.finish().unwrap();
        let file = File::open(&path).unwrap();
        let error = read(file, "bomb.csv.gz", Days::default(), &Limits::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "bomb.csv.gz: can't be read: line 2 is longer than 1048576 bytes: shorten it, or allow more with --at-most line-bytes=N"
        );
    }
}
