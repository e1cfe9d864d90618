//! Bars in Parquet. They are OHLC bars (candlesticks) as pandas and polars write them. Times are timestamps, days, texts, or whole numbers
//! since 1970-01-01 UTC, whose unit is found by their size. A row without any price (all null) is left out and counted; a row with some is
//! refused. A column of clocks beside the days isn't read here, while in text it is; rows of two symbols are refused, as there. A row group
//! is decoded in batches within the limits of a laboratory, because a small Parquet file can claim terabytes.

use super::about::About;
use super::check::Checked;
use super::columns::{Columns, PRICE, TIME, VOLUME};
use super::error::RowError;
use super::times::Times;
use super::{BarsError, BarsFile, BarsOptions, too_many_rows};
use crate::io::limits::{Limit, Limits};
use crate::io::parquet_guard::{Batch, ColumnCells, Sound, StoredKind, Unsound};
use crate::io::text::folded;
use morta_engine::market::RawBar;
use parquet::basic::TimeUnit;
use std::fs::File;

/// What days are called as a kind of column.
const DAY: &str = "Date32";
const DAY_S: i64 = 86_400;

/// Reads a file; `name` is what to call it (Parquet reader of OHLC bars).
pub(super) fn read(
    file: File,
    name: &str,
    options: &BarsOptions,
    limits: &Limits,
) -> Result<BarsFile, BarsError> {
    let wrong = |problem: &dyn std::fmt::Display| BarsError::Content(format!("{name}: {}", folded(problem)));
    let unreadable =
        |error: &Unsound| wrong(&format!("can't be read as Parquet ({error}): {}", error.remedy()));
    let sound = Sound::open(file, limits.most(Limit::PageBytes)).map_err(|error| unreadable(&error))?;
    let rows_max = limits.most(Limit::BarsRows);
    if sound.rows() > rows_max {
        return Err(wrong(&too_many_rows(rows_max)));
    }
    let names: Vec<String> = sound.columns.iter().map(|column| index_name(&column.name)).collect();
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = Columns::find(&borrowed).map_err(|problem| wrong(&problem))?;
    // A clock of its own would have to be put together with its day: pandas and polars write moments.
    let is_text = |place: &usize| matches!(sound.columns[*place].kind, StoredKind::Text);
    let symbol = found.symbol.filter(is_text);
    let found = Columns { clock: None, symbol, ..found };
    let mut about = About::of_parquet(&names, &found);
    let mut times = Times::new(&names[found.time], options.zone.clone(), options.dates);
    let named = found.named().into_iter().map(|(_, place)| place);
    let places: Vec<usize> = named.chain(symbol).collect();
    // The same again among those that are read.
    let among = |place: usize| places.iter().position(|read| *read == place).unwrap_or_default();
    let columns = Columns {
        time: among(found.time),
        price: found.price.map(among),
        ask: found.ask.map(|ask| ask.map(among)),
        volume: found.volume.map(among),
        symbol: symbol.map(among),
        ..found
    };
    let mut first_symbol: Option<String> = None;
    if sound.rows() > 0 {
        let kinds: Vec<&StoredKind> = places.iter().map(|place| &sound.columns[*place].kind).collect();
        check_kinds(&kinds, &columns).map_err(|problem| wrong(&format!("row 1: {problem}")))?;
    }
    let reader = sound.read(&places, None).map_err(|error| unreadable(&error))?;
    let mut checked = Checked::new(options.days, options.keeps_rows, limits);
    let at_row = |(row, problem): (u64, RowError)| wrong(&format!("row {row}: {problem}"));
    let mut row = 0_u64;
    for batch in reader {
        let batch = batch.map_err(|error| unreadable(&error))?;
        for index in 0..batch.rows {
            row += 1;
            let mut prices = columns.price.iter().chain(columns.ask.iter().flatten());
            if prices.all(|place| batch.cells[*place].is_null(index)) {
                about.left_out += 1;
                continue;
            }
            if let Some(symbol) = columns.symbol.and_then(|place| batch.cells[place].text(index)) {
                let first = first_symbol.get_or_insert_with(|| symbol.to_owned());
                // Prices of two assets in one series would look like jumps of one.
                if first != symbol {
                    let (first, other) = (first.clone(), symbol.to_owned());
                    return Err(at_row((row, RowError::OtherSymbol { first, other })));
                }
            }
            raw_bar(&batch, index, row, &columns, &mut times)
                .map_err(|problem| (row, problem))
                .and_then(|raw| checked.take(row, raw))
                .map_err(at_row)?;
        }
    }
    checked.end().map_err(at_row)?;
    about.take(&times, &checked, "row");
    Ok(BarsFile::new(checked, about))
}

/// pandas calls an index without a name so.
fn index_name(name: &str) -> String {
    if name == "__index_level_0__" { String::from("datetime") } else { name.to_owned() }
}

fn check_kinds(kinds: &[&StoredKind], columns: &Columns) -> Result<(), RowError> {
    let other =
        |place: usize, column, must| RowError::OtherType { column, found: kinds[place].clone(), must };
    match kinds[columns.time] {
        StoredKind::Timestamp { .. } | StoredKind::Int { bits: 64, .. } | StoredKind::Text => {}
        StoredKind::Other(name) if name == DAY => {}
        _ => return Err(other(columns.time, TIME, "timestamp, a text or a whole number since 1970")),
    }
    let prices = [Some(columns.price), columns.ask].into_iter().flatten();
    let prices = prices.flat_map(|side| side.into_iter().zip(PRICE));
    for (place, column) in prices.chain(columns.volume.map(|place| (place, VOLUME))) {
        match kinds[place] {
            StoredKind::Float64 | StoredKind::Float32 | StoredKind::Int { bits: 32 | 64, .. } => {}
            _ => return Err(other(place, column, "float or an integer")),
        }
    }
    Ok(())
}

fn raw_bar(
    batch: &Batch,
    row: usize,
    place: u64,
    columns: &Columns,
    times: &mut Times,
) -> Result<RawBar, RowError> {
    let field = |place: usize, column: &'static str| {
        let number = match &batch.cells[place] {
            ColumnCells::Int(cells) => cells[row].map(|whole| whole as f64),
            cells => cells.float(row),
        };
        number.ok_or(RowError::Null { column, must: "number" })
    };
    let open_time_s = time(&batch.cells[columns.time], &batch.columns[columns.time].kind, row, place, times)?;
    let (price, ask) = columns.sides(field)?;
    Ok(RawBar {
        open_time_s,
        price,
        ask,
        // A data frame has no other number where there is none.
        volume: columns.volume.and_then(|place| field(place, VOLUME).ok()).filter(|volume| !volume.is_nan()),
    })
}

fn time(
    cells: &ColumnCells,
    kind: &StoredKind,
    row: usize,
    place: u64,
    times: &mut Times,
) -> Result<i64, RowError> {
    let null = RowError::Null { column: TIME, must: "time" };
    if let ColumnCells::Text(texts) = cells {
        return times.text(texts.get(row).ok_or(null)?, place);
    }
    let count = cells.int(row).ok_or(null)?;
    let (seconds, is_utc) = match kind {
        StoredKind::Timestamp { unit: TimeUnit::MILLIS, utc } => (count.div_euclid(1_000), *utc),
        StoredKind::Timestamp { unit: TimeUnit::MICROS, utc } => (count.div_euclid(1_000_000), *utc),
        StoredKind::Timestamp { unit: TimeUnit::NANOS, utc } => (count.div_euclid(1_000_000_000), *utc),
        StoredKind::Other(_) => (count.saturating_mul(DAY_S), false),
        _ => return Ok(times.count(count, place)),
    };
    if is_utc { Ok(times.taken(seconds)) } else { times.local_seconds(seconds) }
}
