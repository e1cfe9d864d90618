//! Bars in text, plain or compressed with gzip: its columns apart by any of the usual signs, under a header or without one. These are CSV
//! exports of OHLC bars, such as those of MetaTrader, Stooq and Barchart. The text is held in memory within the laboratory's limits and
//! read twice: once to settle the decimal sign and the order of dates, once for the rows, which are checked on the way. Rows of two symbols
//! are refused; a row without any price is left out and counted. Exports are read as they are, because a user who edits a file of prices by
//! hand makes mistakes that nobody sees.

use super::about::About;
use super::check::Checked;
use super::columns::{self, Columns, VOLUME};
use super::error::{COMMAND, RowError};
use super::times::{self, Times};
use super::{BarsError, BarsFile, BarsOptions};
use crate::io::as_written::numbers::{self, Decimal};
use crate::io::as_written::{Shown, delimited, encoding, moments};
use crate::io::bounded_lines::BoundedLines;
use crate::io::limits::{Limit, Limits};
use crate::io::text::quoted;
use csv::StringRecord;
use morta_engine::market::{BarError, RawBar};
use std::fs::File;
use std::io::Read;

/// Names that make a line a header: a time and three prices. Fewer are found by chance in the titles that programs put above a table.
const HEADER_NAMES: usize = 4;

/// Reads a file; `name` is what to call it (CSV reader of OHLC bars).
pub(super) fn read(
    file: File,
    name: &str,
    options: &BarsOptions,
    limits: &Limits,
) -> Result<BarsFile, BarsError> {
    let text = encoding::decompressed(file).map_err(|error| BarsError::Unreadable(error.to_string()))?;
    rows(text, name, options, limits)
}

/// Where the table of a text is, and how it is written (CSV dialect).
struct Layout {
    delimiter: u8,
    /// The line of the header, 0 where there is none.
    header: usize,
    /// The last line that isn't of the rows.
    above: usize,
    names: Vec<String>,
    columns: Columns,
    decimal: Decimal,
}

fn rows(from: impl Read, name: &str, options: &BarsOptions, limits: &Limits) -> Result<BarsFile, BarsError> {
    let in_file = |problem: &dyn std::fmt::Display| BarsError::Content(format!("{name}: {problem}"));
    let mut bytes = Vec::new();
    let mut bounded = BoundedLines::new(from, Limit::BarsBytes, Limit::BarsRows, limits);
    bounded.read_to_end(&mut bytes).map_err(|error| in_file(&format!("can't be read: {error}")))?;
    // Almost all files are UTF-8 as they are, and need no copy. A zero byte is valid UTF-8 but means UTF-16, so it is looked for instead of trusting the check.
    let is_plain = !bytes.iter().take(4_096).any(|byte| *byte == 0) && std::str::from_utf8(&bytes).is_ok();
    let (text, encoding) = match String::from_utf8(bytes) {
        Ok(text) if is_plain => (text, None),
        Ok(text) => encoding::text(text.as_bytes()),
        Err(error) => encoding::text(error.as_bytes()),
    };
    let text = delimited::with_plain_line_ends(text);
    let at =
        |line: u64, problem: &dyn std::fmt::Display| BarsError::Content(format!("{name}:{line}: {problem}"));
    let content = text.trim_start_matches(|sign: char| sign.is_whitespace() || sign == '\u{feff}');
    if content.is_empty() {
        return Err(in_file(&"is empty"));
    }
    if content.starts_with(['[', '{']) {
        return Err(at(1, &"is JSON: write the rows as CSV or Parquet, as to_csv of pandas does"));
    }
    let mut layout = layout(&text).map_err(|(line, problem)| at(line, &problem))?;
    let mut about = About::of_text(encoding, layout.delimiter, layout.header, &layout.names, &layout.columns);
    let order = written_alike(&text, &mut layout, options, &mut about)
        .map_err(|(line, problem)| at(line, &problem))?;
    let mut times = Times::new(&layout.names[layout.columns.time], options.zone.clone(), order);
    let mut checked = Checked::new(options.days, options.keeps_rows, limits);
    let mut symbol: Option<String> = None;
    let wrong = |(line, problem): (u64, RowError), times: &Times| {
        let unsorted =
            matches!(problem, RowError::Bar(BarError::NotAscending { .. }) | RowError::NotDescending { .. });
        let hint = match problem {
            _ if unsorted && times.is_local && times.has_clock => {
                ". The times name no zone and are read as UTC: where clocks are turned back an hour is there twice, unless --zone names theirs"
            }
            RowError::Bar(BarError::OutsideRange { .. }) if layout.header == 0 => {
                ". Without a header the columns after the time are taken for open, high, low and close: name them if they are others"
            }
            _ => "",
        };
        at(line, &format!("{problem}{hint}"))
    };
    let mut reader = delimited::reader(&text, layout.delimiter);
    let mut row = StringRecord::new();
    // A line of words that ends the file, as Barchart writes where it is from; anywhere else it is a row that has lost its cells.
    let mut note: Option<(u64, RowError)> = None;
    while reader.read_record(&mut row).map_err(|error| in_file(&error))? {
        let line = row.position().map_or(0, csv::Position::line);
        if line <= layout.above as u64 {
            continue;
        }
        let is_blank = |cell: &str| cell.trim().is_empty();
        // A header that is there again stands where files were put one after another.
        if row.iter().all(is_blank) || row.iter().eq(layout.names.iter().map(String::as_str)) {
            continue;
        }
        let expected = layout.names.len();
        // Empty cells beyond the header are a delimiter at the end of the line; others may be a decimal comma that was read as a delimiter.
        if row.len() < expected || row.iter().skip(expected).any(|cell| !is_blank(cell)) {
            let problem = RowError::OtherLength { found: row.len(), expected };
            let is_words =
                row.len() == 1 && row[0].trim().contains(' ') && moments::written(&row[0]).is_none();
            if is_words && note.is_none() {
                note = Some((line, problem));
                continue;
            }
            return Err(wrong(note.unwrap_or((line, problem)), &times));
        }
        if let Some(note) = note {
            return Err(wrong(note, &times));
        }
        // A day without trades, as data frames hold it: left out and counted, because a price that was made up would be traded on.
        let prices = layout.columns.price.iter().chain(layout.columns.ask.iter().flatten());
        if prices.map(|place| &row[*place]).all(numbers::is_blank) {
            about.left_out += 1;
            continue;
        }
        if let Some(place) = layout.columns.symbol {
            let first = symbol.get_or_insert_with(|| row[place].to_owned());
            // Prices of two assets in one series would look like jumps of one.
            if *first != row[place] {
                let problem = RowError::OtherSymbol { first: first.clone(), other: row[place].to_owned() };
                return Err(wrong((line, problem), &times));
            }
        }
        raw_bar(&row, line, &layout, &mut times)
            .map_err(|problem| (line, problem))
            .and_then(|raw| checked.take(line, raw))
            .map_err(|problem| wrong(problem, &times))?;
    }
    checked.end().map_err(|problem| wrong(problem, &times))?;
    about.take(&times, &checked, "line");
    about.remarks.extend(note.map(|(line, _)| format!("line {line}, the last, holds words and isn't read")));
    Ok(BarsFile::new(checked, about))
}

/// Finds the header, or that there is none. Lines above it (titles, notes of a program) are skipped, so a header is known by the names that it has.
fn layout(text: &str) -> Result<Layout, (u64, String)> {
    let delimiter = delimited::delimiter(text, columns::known);
    let lines = delimited::lines(text, delimiter, delimited::LOOKED_AT);
    let first = |least: usize| lines.iter().position(|(_, cells)| columns::known(cells) >= least);
    let header = first(HEADER_NAMES + 1).or_else(|| first(HEADER_NAMES));
    let decimal = Decimal::Point;
    if header.is_none()
        && let Some((line, cells)) = lines.iter().find(|(_, cells)| cells.iter().any(|cell| !cell.is_empty()))
        && let Some(columns) = by_position(cells)
    {
        let names = (1..=cells.len()).map(|column| format!("column {column}")).collect();
        return Ok(Layout { delimiter, header: 0, above: line - 1, names, columns, decimal });
    }
    let header = header.or_else(|| first(1)).unwrap_or(0);
    let Some((line, names)) = lines.get(header) else { return Err((1, "has no table".to_owned())) };
    let (mut names, mut above) = (names.clone(), *line);
    // yfinance since 0.2.50: two lines more, of which the second begins with the name of the times.
    if let [(_, tickers), (last, index), ..] = &lines[header + 1..]
        && tickers.first().is_some_and(|cell| cell.eq_ignore_ascii_case("ticker"))
    {
        names[0].clone_from(&index[0]);
        above = *last;
    }
    // A header may end in a sign that rows don't.
    while names.last().is_some_and(|name| name.trim().is_empty()) {
        names.pop();
    }
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    let columns = Columns::find(&borrowed).map_err(|problem| (*line as u64, problem.to_string()))?;
    Ok(Layout { delimiter, header: *line, above, names, columns, decimal })
}

/// The columns of a file without a header: a time, or a day and a clock, then open, high, low, close and perhaps a volume. So do Binance,
/// Kraken, HistData and MetaTrader 4 write them.
fn by_position(cells: &[String]) -> Option<Columns> {
    let is_time = |cell: &String| moments::written(cell).is_some() || cell.parse::<i64>().is_ok();
    let is_number = |cell: &String| numbers::written(cell).is_some_and(|number| number.unit.is_none());
    let has_clock = cells.get(1).is_some_and(|cell| cell.contains(':') && moments::is_clock(cell));
    let from = 1 + usize::from(has_clock);
    let are_prices = cells.get(from..from + 4)?.iter().all(is_number);
    (is_time(&cells[0]) && are_prices).then(|| Columns {
        time: 0,
        clock: has_clock.then_some(1),
        price: [from, from + 1, from + 2, from + 3],
        ask: None,
        volume: cells.get(from + 4).filter(|cell| is_number(cell)).map(|_| from + 4),
        symbol: None,
    })
}

/// Settles the decimal sign and the order of dates by all rows of a text, where one row may leave them open.
fn written_alike(
    text: &str,
    layout: &mut Layout,
    options: &BarsOptions,
    about: &mut About,
) -> Result<Option<moments::DateOrder>, (u64, String)> {
    let columns = &layout.columns;
    // A program that puts commas between columns has points in numbers, unless quotes say otherwise; MetaTrader always has.
    let is_metatrader = layout.names[columns.time].starts_with('<');
    let is_plain = layout.delimiter == b',' && !text.contains('"');
    let settles_decimal = options.decimal.is_none() && !is_metatrader && !is_plain;
    let (mut decimals, mut orders) = (Shown::default(), Shown::default());
    let is_year_first = |cell: &str| cell.bytes().take(4).filter(u8::is_ascii_digit).count() == 4;
    let mut reader = delimited::reader(text, layout.delimiter);
    let mut row = StringRecord::new();
    while reader.read_record(&mut row).unwrap_or(false) {
        let line = row.position().map_or(0, csv::Position::line) as usize;
        if line <= layout.above {
            continue;
        }
        let conflict = |problem: String| (line as u64, problem);
        if let Some(cell) =
            row.get(columns.time).filter(|cell| options.dates.is_none() && !is_year_first(cell.trim()))
            && let Some(written) =
                moments::written(cell).filter(|written| !times::may_begin_with_year(written, cell))
        {
            orders.take(line, cell, written.evidence()).map_err(|((first, other, _), _)| {
                let (name, cell, other) = (&layout.names[columns.time], quoted(cell), quoted(&other));
                conflict(format!("{name} = {cell} and {other} on line {first} have day and month in two orders: write them in one"))
            })?;
        }
        if settles_decimal {
            let sides = columns.price.iter().chain(columns.ask.iter().flatten());
            for cell in sides.filter_map(|place| row.get(*place)) {
                let Some(written) = numbers::written(cell) else { continue };
                decimals.take(line, cell, written.evidence()).map_err(|((first, other, before), way)| {
                    let (cell, other) = (quoted(cell), quoted(&other));
                    conflict(format!("{cell} has a decimal {way}, and {other} on line {first} a decimal {before}: write prices in one way"))
                })?;
            }
        }
    }
    layout.decimal = match (options.decimal.or(decimals.way()), &decimals.both) {
        (Some(decimal), _) => decimal,
        (None, Some((line, cell))) if layout.delimiter != b',' || cell.contains(',') => {
            let by = |decimal| {
                numbers::written(cell).and_then(|written| written.value(decimal)).unwrap_or_default()
            };
            let (point, comma, cell) = (by(Decimal::Point), by(Decimal::Comma), quoted(cell));
            return Err((
                *line as u64,
                format!(
                    "{cell} is {point} with a decimal point and {comma} with a decimal comma, and no other price says which: say --decimal point or --decimal comma to {COMMAND}"
                ),
            ));
        }
        _ => Decimal::Point,
    };
    about.decimal = layout.decimal;
    about.dates = options.dates.or(orders.way());
    Ok(about.dates)
}

fn raw_bar(row: &StringRecord, line: u64, layout: &Layout, times: &mut Times) -> Result<RawBar, RowError> {
    let Layout { columns, decimal, .. } = layout;
    let number = |place: usize, column: &'static str| -> Result<f64, RowError> {
        let text = row.get(place).unwrap_or_default().trim();
        let plain = if *decimal == Decimal::Point { text.parse().ok() } else { None };
        let written = || numbers::written(text).filter(|number| number.unit.as_deref() != Some("%"));
        let read = plain.or_else(|| {
            let written = written()?;
            // Investing.com's volumes: 61.37M.
            let times = match written.unit.as_deref().filter(|_| column == VOLUME) {
                Some("K") => 1e3,
                Some("M") => 1e6,
                Some("B") => 1e9,
                _ => 1.0,
            };
            Some(written.value(*decimal)? * times)
        });
        read.ok_or_else(|| RowError::NoNumber { column, text: text.to_owned() })
    };
    let day = row.get(columns.time).unwrap_or_default();
    let open_time_s = match columns.clock.and_then(|place| row.get(place)) {
        Some(cell) => match times::clock(cell) {
            Some(clock) => times.text(&format!("{} {clock}", day.trim()), line)?,
            // Beside a date, a column called time may hold whole moments.
            None => times.text(cell, line)?,
        },
        None => times.text(day, line)?,
    };
    let volume = columns.volume.filter(|place| !row.get(*place).is_none_or(numbers::is_blank));
    let (price, ask) = columns.sides(number)?;
    Ok(RawBar { open_time_s, price, ask, volume: volume.map(|place| number(place, VOLUME)).transpose()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_engine::market::Bar;

    fn read_text(text: &str) -> Result<BarsFile, BarsError> {
        rows(text.as_bytes(), "x.csv", &BarsOptions::default(), &Limits::default())
    }

    fn check(text: &str, rows: usize) {
        assert_eq!(read_text(text).unwrap().bars.len(), rows, "{text}");
    }

    fn refused(text: &str, message: &str) {
        assert_eq!(read_text(text).unwrap_err().to_string(), message, "{text}");
    }

    #[test]
    fn rows_become_bars_or_a_line_that_says_where() {
        let file =
            |rows: &str| format!("time_utc,open,high,low,close\n2020-01-01T00:00:00Z,1,2,1,2\n{rows}\n");
        check(&file("2020-01-01T01:00:00Z,1,2,1,2"), 2);
        check(&file("1577840400,1,2,1,2"), 2);
        refused(
            &file("2020-01-01T00:00:00Z,1,2,1,2"),
            "x.csv:3: time_utc 2020-01-01T00:00:00Z is not after the row before it (2020-01-01T00:00:00Z): sort the rows, each time once",
        );
        refused(
            &file("2020-01-01T01:00:00Z,1,2,1,NaN"),
            "x.csv:3: close is NaN, which is not a price above 0",
        );
        refused(&file("2020-01-01T01:00:00Z,1,2,1,"), "x.csv:3: close = \"\": must be a number");
        refused(&file("2020-01-01T01:00:00Z,1,2"), "x.csv:3: 3 columns, and the heading has 5");
        for (unit, count) in
            [("ms", 1_577_840_400_000_i64), ("µs", 1_577_840_400_000_000), ("ns", 1_577_840_400_000_000_000)]
        {
            let found = read_text(&file(&format!("{count},1,2,1,2"))).unwrap();
            assert_eq!(found.bars[1].open_time_s, 1_577_840_400, "{unit}");
            assert!(
                found.about.remarks[0].contains("seconds since 1970"),
                "{unit}: {:?}",
                found.about.remarks
            );
        }
        refused("", "x.csv: is empty");
        refused(
            "[[1577840400000,1,2,1,2]]",
            "x.csv:1: is JSON: write the rows as CSV or Parquet, as to_csv of pandas does",
        );
        check(&file("\"Downloaded from Barchart.com as of 04-01-2024 01:01am CDT\""), 1);
        refused(&file("a note\n2020-01-01T01:00:00Z,1,2,1,2"), "x.csv:3: 1 columns, and the heading has 5");
        refused(&file("a note\nanother note"), "x.csv:3: 1 columns, and the heading has 5");
        let one = "x.csv:1: has no column open: one price a row makes no bar; put the prices of a step together first, as resample(\"1D\").ohlc() of \
                   pandas does, or name the columns time_utc and open, high, low, close";
        refused("observation_date,SP500\n2024-01-02,4742.83\n", one);
        refused("Date,Close\n1/2/2024 16:00:00,4742.83\n", one);
        refused(
            &file("noon,1,2,1,2"),
            "x.csv:3: time_utc = \"noon\": must be a time like 2018-01-31T12:00:00Z",
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
        let error = read(file, "bomb.csv.gz", &BarsOptions::default(), &Limits::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "bomb.csv.gz: can't be read: line 2 is longer than 1048576 bytes: shorten it, or allow more with --at-most line-bytes=N"
        );
    }

    /// Hours of two days of January 2023 in the ways of programs, made here after the shape of their exports: the same bars of them all.
    #[test]
    fn one_table_in_the_ways_of_programs() {
        type Row = [f64; 6];
        let rows: Vec<Row> = (0..40)
            .map(|hour| {
                let open = 1234.5 + f64::from(hour * 37 % 11) / 8.0;
                let close = 1234.5 + f64::from(hour * 53 % 13) / 8.0;
                [
                    f64::from(hour),
                    open,
                    open.max(close) + 0.25,
                    open.min(close) - 0.25,
                    close,
                    f64::from(100 + hour),
                ]
            })
            .collect();
        // 2023-01-02 in UTC.
        let at = |row: &Row| jiff::Timestamp::from_second(1_672_617_600 + row[0] as i64 * 3_600).unwrap();
        let table = |header: &str, line: &dyn Fn(&Row) -> String| {
            format!("{header}{}", rows.iter().map(|row| line(row) + "\n").collect::<String>())
        };
        let prices =
            |row: &Row, apart: &str| row[1..].iter().map(f64::to_string).collect::<Vec<_>>().join(apart);
        // A time, the prices and whatever else is in a row.
        let times = |header: &str, time: &dyn Fn(&Row) -> String, apart: &str, rest: &str| {
            table(header, &|row| format!("{}{apart}{}{rest}", time(row), prices(row, apart)))
        };
        let english = |row: &Row| {
            let text = |price: &f64| format!("\"1,{:06.2}\"", price - 1000.0);
            row[1..5].iter().map(text).collect::<Vec<_>>().join(",")
        };
        let german = |row: &Row| prices(row, ";").replace('.', ",");
        let zoned = |zone: &'static str, form: &'static str| {
            move |row: &Row| at(row).in_tz(zone).unwrap().strftime(form).to_string()
        };
        let form = |form: &'static str| zoned("UTC", form);
        let counted = |per_second: i64| move |row: &Row| (at(row).as_second() * per_second).to_string();
        let plain = times("time_utc,open,high,low,close,volume\n", &|row| at(row).to_string(), ",", "");
        let expected = read_text(&plain).unwrap().bars;
        let newest_first = |text: String| {
            let (header, rest) = text.split_once('\n').unwrap();
            let (second, rest) = rest.split_once('\n').unwrap();
            let rest: Vec<&str> = rest.lines().rev().collect();
            format!("{header}\n{second}\n{}\n", rest.join("\n"))
        };
        let iso = form("%Y-%m-%d %H:%M:%S");
        let offset = "%Y-%m-%d %H:%M:%S%:z";
        let either = |row: &Row| counted(if row[0] < 20.0 { 1_000 } else { 1_000_000 })(row);
        let binance = |time: &dyn Fn(&Row) -> String| times("", time, ",", ",1,2,3,4,5,0");
        let dukascopy = |header: &str, time: &dyn Fn(&Row) -> String| times(header, time, ",", "");
        let downloaded = |columns: &str, per_second: i64, symbol: &str, rest: &str| {
            let header = format!("https://www.CryptoDataDownload.com\n{columns}\n");
            let time = |row: &Row| format!("{},{},{symbol}", counted(per_second)(row), iso(row));
            newest_first(times(&header, &time, ",", rest))
        };
        let files = [
            ("clean", plain.clone()),
            ("marked", format!("\u{feff}{plain}")),
            ("Windows", plain.replace('\n', "\r\n")),
            (
                "yfinance",
                table("Datetime,Open,High,Low,Close,Adj Close,Volume\n", &|row| {
                    let prices = prices(row, ",");
                    let (prices, volume) = prices.rsplit_once(',').unwrap();
                    format!("{},{prices},{},{volume}", zoned("America/New_York", offset)(row), row[4])
                }),
            ),
            (
                "yfinance of two levels",
                times(
                    "Price,Open,High,Low,Close,Volume\nTicker,SPY,SPY,SPY,SPY,SPY\nDatetime,,,,,\n",
                    &zoned("UTC", offset),
                    ",",
                    "",
                ),
            ),
            ("Binance", binance(&counted(1_000))),
            ("Binance, microseconds", binance(&counted(1_000_000))),
            ("Binance, both", times("", &either, ",", "")),
            (
                "Binance futures",
                times(
                    "open_time,open,high,low,close,volume,close_time,count\n",
                    &counted(1_000),
                    ",",
                    ",1,2",
                ),
            ),
            (
                "MetaTrader 5",
                times(
                    "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n",
                    &form("%Y.%m.%d\t%H:%M:%S"),
                    "\t",
                    "\t0\t2",
                ),
            ),
            ("MetaTrader 4", times("", &form("%Y.%m.%d,%H:%M"), ",", "")),
            ("HistData", times("", &form("%Y%m%d %H%M%S"), ";", "")),
            ("TradingView", times("time,open,high,low,close,Volume,Volume MA\n", &counted(1), ",", ",7")),
            (
                "TradingView, ISO",
                times(
                    "time,open,high,low,close,Volume\n",
                    &zoned("Europe/Berlin", "%Y-%m-%dT%H:%M:%S%:z"),
                    ",",
                    "",
                ),
            ),
            (
                "CryptoDataDownload",
                downloaded("unix,date,symbol,open,high,low,close,Volume BTC,Volume USD", 1, "BTC/USD", ",9"),
            ),
            (
                "CryptoDataDownload, milliseconds",
                downloaded(
                    "Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount",
                    1_000,
                    "BTCUSDT",
                    ",9,4",
                ),
            ),
            (
                "Stooq",
                times(
                    "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n",
                    &form("XAUUSD,60,%Y%m%d,%H%M%S"),
                    ",",
                    ",0",
                ),
            ),
            ("Dukascopy", dukascopy("Gmt time,Open,High,Low,Close,Volume\n", &form("%d.%m.%Y %H:%M:%S.000"))),
            (
                "Dukascopy, local",
                dukascopy(
                    "Local time,Open,High,Low,Close,Volume\n",
                    &zoned("Europe/Zurich", "%d.%m.%Y %H:%M:%S.000 GMT+0100"),
                ),
            ),
            (
                "Dukascopy, EET",
                dukascopy(
                    "Time (EET),Open,High,Low,Close,Volume \n",
                    &zoned("Europe/Athens", "%Y.%m.%d %H:%M:%S"),
                ),
            ),
            (
                "decimal commas",
                table("Datum;Erster;Hoch;Tief;Schlusskurs;Volumen\n", &|row| {
                    format!("{};{}", form("%d.%m.%Y %H:%M")(row), german(row))
                }),
            ),
            (
                "groups of thousands",
                table("\"Date\",\"Price\",\"Open\",\"High\",\"Low\"\n", &|row| {
                    let row = [row[0], row[4], row[1], row[2], row[3], row[5]];
                    format!("\"{}\",{}", form("%m/%d/%Y %H:%M")(&row), english(&row))
                }),
            ),
            ("a data frame without a name", times(",Open,High,Low,Close,Volume\n", &iso, ",", "")),
            (
                "rows without prices",
                table("Date,Open,High,Low,Close,Volume\n", &|row| {
                    format!("{},{}\n{},,,,,", iso(row), prices(row, ","), form("%Y-%m-%d %H:30")(row))
                }),
            ),
            ("excel", format!("sep=;\n{}", plain.replace(',', ";"))),
        ];
        for (program, text) in files {
            if program == "groups of thousands" {
                let message = read_text(&text).unwrap_err().to_string();
                assert!(
                    message.contains("2023-02-01 or 2023-01-02: say --dates dmy or --dates mdy"),
                    "{message}"
                );
                let options =
                    BarsOptions { dates: Some(moments::DateOrder::MonthFirst), ..BarsOptions::default() };
                let bars = super::rows(text.as_bytes(), "x.csv", &options, &Limits::default()).unwrap().bars;
                let near = |(bar, other): (&Bar, &Bar)| {
                    bar.open_time_s == other.open_time_s && (bar.low - other.low).abs() < 0.006
                };
                assert!(bars.len() == expected.len() && bars.iter().zip(&expected).all(near));
                continue;
            }
            let found = read_text(&text).map_err(|error| format!("{program}: {error}\n{text:.300}")).unwrap();
            assert_eq!(found.bars, expected, "{program}: {:?}", found.about);
        }
    }

    #[test]
    fn ambiguous_cells_are_refused_with_both_readings() {
        refused(
            "Date;Open;High;Low;Close\n2023-01-02;18.000;18.050;17.980;18.010\n",
            "x.csv:2: \"18.000\" is 18 with a decimal point and 18000 with a decimal comma, and no other price says which: say --decimal \
                 point or --decimal comma to `morta bars FILE --out CLEAN.csv`",
        );
        check("Date;Open;High;Low;Close\n2023-01-02;18.000;18.050,5;17.980;18.010\n", 1);
        refused(
            "Date;Open;High;Low;Close\n2023-01-02;18.5;18,6;17.9;18.1\n",
            "x.csv:2: \"18,6\" has a decimal comma, and \"18.5\" on line 2 a decimal point: write prices in one way",
        );
        refused(
            "date,open,high,low,close\n01/02/2023,1,2,1,2\n",
            "x.csv:2: \"01/02/2023\" is 2023-02-01 or 2023-01-02: say --dates dmy or --dates mdy to `morta bars FILE --out CLEAN.csv`, or write the year first, in four digits",
        );
        check("date,open,high,low,close\n01/02/2023,1,2,1,2\n01/13/2023,1,2,1,2\n", 2);
        refused(
            "date,open,high,low,close\n23-01-02,1,2,1,2\n",
            "x.csv:2: \"23-01-02\" is 2023-01-02 or 2002-01-23: say --dates dmy or --dates mdy to `morta bars FILE --out CLEAN.csv`, or write the year first, in four digits",
        );
        refused(
            "date,open,high,low,close\n2023-01-02,100,5,101,5,99,5,100,5\n",
            "x.csv:2: 9 columns, and the heading has 5: a decimal comma between commas must stand in quotes",
        );
        refused(
            "time,symbol,open,high,low,close\n1672617600,A,1,2,1,2\n1672621200,B,1,2,1,2\n",
            "x.csv:3: \"B\" in a table of \"A\": keep the rows of one market",
        );
        refused(
            "date,open,high,low,close\n2023-01-04,1,2,1,2\n2023-01-02,1,2,1,2\n2023-01-03,1,2,1,2\n",
            "x.csv:3: time_utc 2023-01-02T00:00:00Z is not after that of the row below it (2023-01-03T00:00:00Z), and the newest row is the first: sort the rows, each time once",
        );
        let twice =
            read_text("time,open,high,low,close\n2023-10-29 02:00,1,2,1,2\n2023-10-29 02:00,1,2,1,2\n")
                .unwrap_err()
                .to_string();
        assert!(twice.ends_with("an hour is there twice, unless --zone names theirs"), "{twice}");
        let rounded =
            read_text("time,open,high,low,close\n1672617600,100,100.00000000000001,99,100.00000000000003\n")
                .unwrap();
        assert_eq!((rounded.bars[0].high, rounded.about.remarks.len()), (100.00000000000003, 1));
        refused(
            "1672617600,100,99,101,100\n",
            "x.csv:1: open 100 lies outside low 101 to high 99. Without a header the columns after the time are taken for open, high, low and close: name them if they are others",
        );
    }
}
