//! Reads files of price bars: CSV (plain or gzip) and Parquet.
//!
//! Column names decide, in any order: `time_utc`, and either `open`, `high`, `low`, `close` or the same of both sides (`bid_open` …
//! `ask_close`), and `volume` if there is one; other columns are ignored. What programs call these columns, and how they write times and
//! numbers, is known too (`columns`, `times`; `check` has the rules of rows); what can be read in two ways is refused with both. Every row
//! of a file is checked, also those outside the period asked for. Bars are OHLC bars (candlesticks) of one asset: prices in its quote
//! currency, times in seconds since 1970-01-01 UTC. Bars of bid and ask are merged to mid prices and a spread. Scenarios and the `owm`
//! tools read files without options: times that name no zone are of the zone in their column's name, else of UTC, and a file that leaves a
//! decimal sign or an order of dates open is refused with a remedy (`morta bars --out`, which writes a clean file). Every figure of a file
//! is checked before a world is begun, because a bad bar would otherwise end a run after hours.

mod about;
mod check;
mod columns;
mod error;
mod parquet_file;
mod text_file;
mod times;

pub use about::{About, BarsFile, DescribedBars, Gap};
pub use error::{BarsError, NotADay};
pub use jiff::tz::TimeZone;

use crate::io::as_written::moments::DateOrder;
use crate::io::as_written::numbers::Decimal;
use crate::io::limits::{Limit, Limits};

use morta_engine::market::Bar;
use std::fs::File;
use std::path::Path;

/// The date range asked for, half-open: from its start to just before its end, seconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, Default)]
pub struct Days {
    /// Its first second; from the file's beginning when none.
    pub start_s: Option<i64>,
    /// The second after its last; to the file's end when none.
    pub end_s: Option<i64>,
}

impl Days {
    fn contains(&self, time_s: i64) -> bool {
        self.start_s.is_none_or(|start| time_s >= start) && self.end_s.is_none_or(|end| time_s < end)
    }
}

/// What is wanted of a file, and what it doesn't say itself, such as its time zone and date order.
#[derive(Clone, Debug, Default)]
pub struct BarsOptions {
    /// The period.
    pub days: Days,
    /// The zone of times that name none; when none, that in the column's name, else UTC.
    pub zone: Option<TimeZone>,
    /// The decimal sign, where numbers read both ways.
    pub decimal: Option<Decimal>,
    /// The order of day and month, where dates read both ways.
    pub dates: Option<DateOrder>,
    /// Whether rows are kept beside the bars that are made of them.
    pub keeps_rows: bool,
}

/// Computes the Unix timestamp of a day's midnight in UTC (`YYYY-MM-DD`), seconds since 1970-01-01.
///
/// # Errors
/// When the text is no such day.
pub fn day_start_s(day: &str) -> Result<i64, NotADay> {
    if day.len() != "2018-01-31".len() {
        return Err(NotADay);
    }
    let date: jiff::civil::Date = day.parse().map_err(|_| NotADay)?;
    let start = date.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| NotADay)?;
    Ok(start.timestamp().as_second())
}

/// Why a file has too many rows.
fn too_many_rows(most: u64) -> String {
    format!("more than {most} rows: split the file, {}", Limit::BarsRows.remedy())
}

/// Reads the bars of a file in this period, and the BLAKE3 hash of all its bytes, without options.
///
/// # Errors
/// When it can't be read, or a row of it is no bar.
pub fn read(path: &Path, days: Days, limits: &Limits) -> Result<(Vec<Bar>, String), BarsError> {
    open(path, &BarsOptions { days, ..BarsOptions::default() }, limits).map(|file| (file.bars, file.blake3))
}

/// Reads the OHLC bars of a file, with what is to be said of how they were read. A name that ends in `.parquet` or `.pq` is read as
/// Parquet, all else as text.
///
/// # Errors
/// When it can't be read, a row of it is no bar, or it can be read in two ways.
pub fn open(path: &Path, options: &BarsOptions, limits: &Limits) -> Result<BarsFile, BarsError> {
    let unreadable = |error: std::io::Error| BarsError::Unreadable(error.to_string());
    // Before it is opened: opening a pipe without a writer would wait for ever.
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(BarsError::Unreadable("it is not a file".to_owned()));
    }
    let most = limits.most(Limit::BarsBytes);
    if about.len() > most {
        let why =
            format!("{} bytes, and the most is {most}: split it, {}", about.len(), Limit::BarsBytes.remedy());
        return Err(BarsError::Unreadable(why));
    }
    let file = File::open(path).map_err(unreadable)?;
    let name = path.display().to_string();
    let read = match path.extension().and_then(|extension| extension.to_str()) {
        Some("parquet" | "pq") => parquet_file::read(file, &name, options, limits)?,
        _ => text_file::read(file, &name, options, limits)?,
    };
    // What can't be used needn't be hashed, however long it is.
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path).map_err(unreadable)?).map_err(unreadable)?;
    Ok(BarsFile { blake3: hasher.finalize().to_hex().to_string(), ..read })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::parquet_guard::{ColumnCells, test_file};
    use std::io::Write;

    const CSV: &str =
        "time_utc,open,high,low,close\n2020-01-01T00:00:00Z,1,2,1,2\n2020-01-02T00:00:00Z,2,3,2,3\n";

    fn parquet(path: &Path, time: &str, times: ColumnCells, close: f64) {
        let two = |first: f64, second: f64| ColumnCells::Float(vec![Some(first), Some(second)]);
        let columns = vec![two(2.0, close), two(1.0, 2.0), two(2.0, 3.0), two(1.0, 2.0), times];
        // As pandas and pyarrow write it by default.
        let properties = parquet::file::properties::WriterProperties::builder()
            .set_compression(parquet::basic::Compression::SNAPPY)
            .build();
        let prices =
            "optional double close; optional double low; optional double high; optional double open;";
        let fields = format!("{prices} optional {time};");
        std::fs::write(path, test_file::written(&fields, [columns], properties)).unwrap();
    }

    const MILLIS: &str = "int64 time_utc (timestamp(millis, false))";
    const TEXT: &str = "binary time_utc (utf8)";

    /// The same bars, whatever the file they come from.
    #[test]
    fn csv_gzip_and_parquet_hold_the_same_bars() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("x.csv"), CSV).unwrap();
        let mut gzip =
            flate2::write::GzEncoder::new(File::create(at("x.csv.gz")).unwrap(), Default::default());
        gzip.write_all(CSV.as_bytes()).unwrap();
        gzip.finish().unwrap();
        let seconds = [1_577_836_800_i64, 1_577_923_200];
        let times = |unit: i64| ColumnCells::Int(seconds.iter().map(|second| Some(second * unit)).collect());
        parquet(&at("stamps.parquet"), MILLIS, times(1_000), 3.0);
        parquet(&at("seconds.parquet"), "int64 time_utc", times(1), 3.0);
        let micros = "int64 time_utc (timestamp_micros)";
        parquet(&at("micros.parquet"), micros, times(1_000_000), 3.0);
        let nanos = "int64 time_utc (timestamp(nanos, true))";
        parquet(&at("nanos.parquet"), nanos, times(1_000_000_000), 3.0);
        let texts = ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"];
        parquet(&at("texts.parquet"), TEXT, test_file::texts(&texts), 3.0);
        let (expected, hash) = read(&at("x.csv"), Days::default(), &Limits::default()).unwrap();
        assert_eq!(expected.len(), 2);
        assert_eq!(hash, blake3::hash(CSV.as_bytes()).to_hex().to_string());
        for name in [
            "x.csv.gz", "stamps.parquet", "seconds.parquet", "micros.parquet", "nanos.parquet",
            "texts.parquet",
        ] {
            assert_eq!(read(&at(name), Days::default(), &Limits::default()).unwrap().0, expected, "{name}");
        }
        let first_day = Days { start_s: None, end_s: Some(day_start_s("2020-01-02").unwrap()) };
        assert_eq!(read(&at("stamps.parquet"), first_day, &Limits::default()).unwrap().0, expected[..1]);
        parquet(&at("bad.parquet"), TEXT, test_file::texts(&texts), f64::NAN);
        match read(&at("bad.parquet"), Days::default(), &Limits::default()) {
            Err(BarsError::Content(line)) => {
                assert!(
                    line.ends_with("bad.parquet: row 2: close is NaN, which is not a price above 0"),
                    "{line}"
                );
            }
            other => panic!("{other:?}"),
        }
    }

    /// As in text: prices of two assets in one series would look like jumps of one. A column of one symbol does no harm.
    #[test]
    fn parquet_rows_of_two_symbols_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (symbols, refused) in [(["GLD", "GLD"], false), (["GLD", "SLV"], true)] {
            let two = |first: f64, second: f64| ColumnCells::Float(vec![Some(first), Some(second)]);
            let times = test_file::texts(&["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"]);
            let columns = vec![
                test_file::texts(&symbols),
                two(2.0, 3.0),
                two(1.0, 2.0),
                two(2.0, 3.0),
                two(1.0, 2.0),
                times,
            ];
            let prices = ["close", "low", "high", "open"].map(|name| format!("optional double {name};"));
            let fields = format!("optional binary ticker (utf8); {} optional {TEXT};", prices.concat());
            let path = folder.path().join("two.parquet");
            std::fs::write(&path, test_file::written(&fields, [columns], Default::default())).unwrap();
            let found = read(&path, Days::default(), &Limits::default()).map(|(bars, _)| bars.len());
            if refused {
                let Err(BarsError::Content(line)) = found else { panic!("{found:?}") };
                assert!(line.contains("row 2") && line.contains("GLD") && line.contains("SLV"), "{line}");
            } else {
                assert_eq!(found.unwrap(), 2);
            }
        }
    }

    #[test]
    fn a_gzip_file_cut_short_is_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv.gz");
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        gzip.write_all(CSV.as_bytes()).unwrap();
        let whole = gzip.finish().unwrap();
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert!(matches!(read(&path, Days::default(), &Limits::default()), Err(BarsError::Content(_))));
    }

    #[test]
    fn days_begin_at_midnight_utc() {
        for (day, expected) in [
            ("1970-01-02", Ok(86_400)),
            ("2018-01-31", Ok(1_517_356_800)),
            ("2018-02-30", Err(NotADay)),
            ("2018-1-31", Err(NotADay)),
            ("20180131  ", Err(NotADay)),
            ("yesterday!", Err(NotADay)),
        ] {
            assert_eq!(day_start_s(day), expected, "{day}");
        }
    }
}
