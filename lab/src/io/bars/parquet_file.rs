//! Bars in Parquet. Times are timestamps, texts, or whole seconds since 1970-01-01 UTC.

use super::check::{Checked, time_s, whole_seconds};
use super::columns::{Columns, PRICE, TIME, VOLUME};
use super::error::RowError;
use super::{BarsError, Days, too_many_rows};
use crate::io::limits::{Limit, Limits};
use crate::io::parquet_guard::{Batch, ColumnCells, Sound, StoredKind, Unsound};
use morta_engine::market::{Bar, Ohlc, RawBar};
use parquet::basic::TimeUnit;
use std::fs::File;

/// Reads a file; `name` is what to call it.
pub fn read(file: File, name: &str, days: Days, limits: &Limits) -> Result<Vec<Bar>, BarsError> {
    let wrong = |what: &dyn std::fmt::Display| {
        let what = what.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        BarsError::Content(format!("{name}: {what}"))
    };
    let unreadable =
        |error: &Unsound| wrong(&format!("can't be read as Parquet ({error}): {}", error.remedy()));
    let sound = Sound::open(file, limits.of(Limit::PageBytes)).map_err(|error| unreadable(&error))?;
    let rows_max = limits.of(Limit::BarsRows);
    if sound.rows() > rows_max {
        return Err(wrong(&too_many_rows(rows_max)));
    }
    let names: Vec<&str> = sound.columns().iter().map(|column| column.name.as_str()).collect();
    let places = Columns::find(&names).map_err(|what| wrong(&what))?.places();
    // The same again among those that are read.
    let names: Vec<&str> = places.iter().map(|place| names[*place]).collect();
    let columns = Columns::find(&names).map_err(|what| wrong(&what))?;
    if sound.rows() > 0 {
        let kinds: Vec<&StoredKind> = places.iter().map(|place| &sound.columns()[*place].kind).collect();
        check_kinds(&kinds, &columns).map_err(|what| wrong(&format!("row 1: {what}")))?;
    }
    let reader = sound.read(&places, None).map_err(|error| unreadable(&error))?;
    let mut checked = Checked::new(days, limits);
    let mut row = 0_u64;
    for batch in reader {
        let batch = batch.map_err(|error| unreadable(&error))?;
        for index in 0..batch.rows {
            row += 1;
            raw_bar(&batch, index, &columns)
                .and_then(|raw| checked.take(raw))
                .map_err(|what| wrong(&format!("row {row}: {what}")))?;
        }
    }
    Ok(checked.bars)
}

fn check_kinds(kinds: &[&StoredKind], columns: &Columns) -> Result<(), RowError> {
    let other = |place: usize, what, must| RowError::OtherType { what, found: kinds[place].clone(), must };
    match kinds[columns.time] {
        StoredKind::Timestamp { .. } | &StoredKind::INT64 | StoredKind::Text => {}
        _ => return Err(other(columns.time, TIME, "timestamp, a text or whole seconds")),
    }
    let prices = [Some(columns.price), columns.ask].into_iter().flatten();
    let prices = prices.flat_map(|side| side.into_iter().zip(PRICE));
    for (place, what) in prices.chain(columns.volume.map(|place| (place, VOLUME))) {
        match kinds[place] {
            StoredKind::Float64 | StoredKind::Float32 | StoredKind::Int { bits: 32 | 64, signed: true } => {}
            _ => return Err(other(place, what, "float or an integer")),
        }
    }
    Ok(())
}

fn raw_bar(batch: &Batch, row: usize, columns: &Columns) -> Result<RawBar, RowError> {
    let field = |place: usize, what: &'static str| {
        let number = match &batch.cells[place] {
            ColumnCells::Int(cells) => cells[row].map(|whole| whole as f64),
            cells => cells.float(row),
        };
        number.ok_or(RowError::Null { what, must: "number" })
    };
    let side = |places: [usize; 4]| -> Result<Ohlc, RowError> {
        Ok(Ohlc {
            open: field(places[0], PRICE[0])?,
            high: field(places[1], PRICE[1])?,
            low: field(places[2], PRICE[2])?,
            close: field(places[3], PRICE[3])?,
        })
    };
    Ok(RawBar {
        open_time_s: time(&batch.cells[columns.time], &batch.columns[columns.time].kind, row)?,
        price: side(columns.price)?,
        ask: columns.ask.map(side).transpose()?,
        volume: columns.volume.map(|place| field(place, VOLUME)).transpose()?,
    })
}

fn time(cells: &ColumnCells, kind: &StoredKind, row: usize) -> Result<i64, RowError> {
    let null = RowError::Null { what: TIME, must: "time" };
    if let ColumnCells::Text(texts) = cells {
        return time_s(texts.get(row).ok_or(null)?);
    }
    let per_second = match kind {
        StoredKind::Timestamp { unit: TimeUnit::MILLIS, .. } => 1_000,
        StoredKind::Timestamp { unit: TimeUnit::MICROS, .. } => 1_000_000,
        StoredKind::Timestamp { unit: TimeUnit::NANOS, .. } => 1_000_000_000,
        _ => return whole_seconds(cells.int(row).ok_or(null)?),
    };
    Ok(cells.int(row).ok_or(null)?.div_euclid(per_second))
}
