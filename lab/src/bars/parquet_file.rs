//! Bars in Parquet. Times are timestamps, texts, or whole seconds since 1970-01-01 UTC.

use super::check::{Checked, time_s};
use super::columns::{Columns, TIME};
use super::error::RowError;
use super::{BarsError, Days, too_many_rows};
use crate::limits::Limit;
use crate::parquet_guard::Sound;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use morta_engine::market::{Bar, Ohlc, RawBar};
use parquet::arrow::ProjectionMask;
use std::fs::File;

/// Reads a file; `name` is what to call it.
pub fn read(file: File, name: &str, days: Days) -> Result<Vec<Bar>, BarsError> {
    let wrong = |what: &dyn std::fmt::Display| {
        let what = what.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        BarsError::Content(format!("{name}: {what}"))
    };
    let unreadable = |error: &dyn std::fmt::Display| {
        wrong(&format!(
            "can't be read as Parquet ({error}): write it with Snappy or zstd compression, or none"
        ))
    };
    let sound = Sound::open(file).map_err(|error| unreadable(&error))?;
    if sound.rows() > Limit::BarsRows.now() {
        return Err(wrong(&too_many_rows()));
    }
    let schema = sound.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let columns = Columns::find(&names).map_err(|what| wrong(&what))?;
    let reader = sound.read(ProjectionMask::all()).map_err(|error| unreadable(&error))?;
    let mut checked = Checked::new(days);
    let mut row = 0_u64;
    for batch in reader {
        let batch = batch.map_err(|error| unreadable(&error))?;
        for index in 0..batch.num_rows() {
            row += 1;
            raw_bar(&batch, index, &columns)
                .and_then(|raw| checked.take(raw))
                .map_err(|what| wrong(&format!("row {row}: {what}")))?;
        }
    }
    Ok(checked.bars)
}

fn raw_bar(batch: &RecordBatch, row: usize, columns: &Columns) -> Result<RawBar, RowError> {
    let field = |place: usize, what: &'static str| number(batch.column(place).as_ref(), row, what);
    let side = |places: [usize; 4]| -> Result<Ohlc, RowError> {
        Ok(Ohlc {
            open: field(places[0], "open")?,
            high: field(places[1], "high")?,
            low: field(places[2], "low")?,
            close: field(places[3], "close")?,
        })
    };
    Ok(RawBar {
        open_time_s: time(batch.column(columns.time).as_ref(), row)?,
        price: side(columns.price)?,
        ask: columns.ask.map(side).transpose()?,
        volume: columns.volume.map(|place| field(place, "volume")).transpose()?,
    })
}

fn number(column: &dyn Array, row: usize, what: &'static str) -> Result<f64, RowError> {
    if column.is_null(row) {
        return Err(RowError::Null { what, must: "number" });
    }
    match column.data_type() {
        DataType::Float64 => Ok(column.as_primitive::<Float64Type>().value(row)),
        DataType::Float32 => Ok(column.as_primitive::<Float32Type>().value(row).into()),
        DataType::Int64 => Ok(column.as_primitive::<Int64Type>().value(row) as f64),
        DataType::Int32 => Ok(column.as_primitive::<Int32Type>().value(row).into()),
        other => Err(RowError::OtherType { what, found: other.clone(), must: "float or an integer" }),
    }
}

fn time(column: &dyn Array, row: usize) -> Result<i64, RowError> {
    if column.is_null(row) {
        return Err(RowError::Null { what: TIME, must: "time" });
    }
    match column.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => {
            Ok(column.as_primitive::<TimestampSecondType>().value(row))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            Ok(column.as_primitive::<TimestampMillisecondType>().value(row).div_euclid(1_000))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Ok(column.as_primitive::<TimestampMicrosecondType>().value(row).div_euclid(1_000_000))
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            Ok(column.as_primitive::<TimestampNanosecondType>().value(row).div_euclid(1_000_000_000))
        }
        DataType::Int64 => Ok(column.as_primitive::<Int64Type>().value(row)),
        DataType::Utf8 => time_s(column.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => time_s(column.as_string::<i64>().value(row)),
        DataType::Utf8View => time_s(column.as_string_view().value(row)),
        other => Err(RowError::OtherType {
            what: TIME,
            found: other.clone(),
            must: "timestamp, a text or whole seconds",
        }),
    }
}
