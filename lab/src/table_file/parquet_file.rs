//! Tables in Parquet: numbers, true and false, text.

use super::texts::{Texts, TooMuchText};
use super::{Cell, Column, TableFile, places, refuse_unless_small, too_many};
use crate::error::{Error, Result};
use crate::limits::Limit;
use crate::parquet_guard::Sound;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use std::fs::File;

/// Reads the wanted columns; `name` is what to call the file.
pub fn read(file: File, name: &str, wanted: &[&str]) -> Result<TableFile> {
    let unreadable = |error: &dyn std::fmt::Display| {
        let what = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        Error::invalid(format!(
            "{name}: can't be read as Parquet ({what}): write it with Snappy or zstd compression, or none"
        ))
    };
    let sound = Sound::open(file).map_err(|error| unreadable(&error))?;
    if sound.rows() > Limit::TableRows.now() {
        return Err(too_many(name));
    }
    refuse_unless_small(name, sound.rows(), wanted.len())?;
    let rows = usize::try_from(sound.rows()).unwrap_or(usize::MAX);
    let schema = sound.schema();
    let header: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let places = places(name, &header, wanted)?;
    let mask = ProjectionMask::roots(sound.parquet_schema(), places.iter().copied());
    let reader = sound.read(mask);
    let mut texts = Texts::default();
    let column = |name: &&str| Column { name: (*name).to_owned(), cells: Vec::with_capacity(rows) };
    let mut columns: Vec<Column> = wanted.iter().map(column).collect();
    for batch in reader.map_err(|error| unreadable(&error))? {
        let batch = batch.map_err(|error| unreadable(&error))?;
        for column in &mut columns {
            let array = batch.column_by_name(&column.name).expect("the projection keeps what is wanted");
            for row in 0..array.len() {
                let cell = cell(array.as_ref(), row, &mut texts);
                let cell = cell.map_err(|what| Error::invalid(format!("{name}: {} {what}", column.name)))?;
                column.cells.push(cell);
            }
        }
    }
    let rows = columns.first().map_or(0, |column| column.cells.len());
    Ok(TableFile { name: name.to_owned(), columns, lines: None, rows })
}

/// Why a cell can't be used.
#[derive(Debug, thiserror::Error)]
enum WrongCell {
    /// It is neither a number, true or false, nor text.
    #[error("is of type {0}: must be a number, true or false, or text")]
    OtherType(DataType),
    #[error("{0}")]
    Text(#[from] TooMuchText),
}

fn cell(array: &dyn Array, row: usize, texts: &mut Texts) -> Result<Cell, WrongCell> {
    if array.is_null(row) {
        return Ok(Cell::Missing);
    }
    Ok(match array.data_type() {
        DataType::Float64 => Cell::Number(array.as_primitive::<Float64Type>().value(row)),
        DataType::Float32 => Cell::Number(array.as_primitive::<Float32Type>().value(row).into()),
        DataType::Int64 => Cell::Number(array.as_primitive::<Int64Type>().value(row) as f64),
        DataType::Int32 => Cell::Number(array.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int16 => Cell::Number(array.as_primitive::<Int16Type>().value(row).into()),
        DataType::Int8 => Cell::Number(array.as_primitive::<Int8Type>().value(row).into()),
        DataType::UInt64 => Cell::Number(array.as_primitive::<UInt64Type>().value(row) as f64),
        DataType::UInt32 => Cell::Number(array.as_primitive::<UInt32Type>().value(row).into()),
        DataType::UInt16 => Cell::Number(array.as_primitive::<UInt16Type>().value(row).into()),
        DataType::UInt8 => Cell::Number(array.as_primitive::<UInt8Type>().value(row).into()),
        DataType::Boolean => Cell::Flag(array.as_boolean().value(row)),
        DataType::Utf8 => Cell::Text(texts.keep(array.as_string::<i32>().value(row))?),
        DataType::LargeUtf8 => Cell::Text(texts.keep(array.as_string::<i64>().value(row))?),
        DataType::Utf8View => Cell::Text(texts.keep(array.as_string_view().value(row))?),
        other => return Err(WrongCell::OtherType(other.clone())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
    use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    /// A few kilobytes that would be 4 GB if each row had its own label.
    #[test]
    fn a_long_label_in_every_row_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.parquet");
        let (rows, label) = (Int32Array::from(vec![0; 200_000]), StringArray::from(vec!["x".repeat(20_000)]));
        let column = Arc::new(DictionaryArray::new(rows, Arc::new(label))) as ArrayRef;
        let batch = RecordBatch::try_from_iter([("label", column)]).unwrap();
        let options = ArrowWriterOptions::new().with_skip_arrow_metadata(true);
        let file = File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new_with_options(file, batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        assert!(std::fs::metadata(&path).unwrap().len() < 100_000);
        let begun = Instant::now();
        let error = read(File::open(&path).unwrap(), "labels.parquet", &["label"]).unwrap_err();
        let expected = "labels.parquet: label has a text of 20000 bytes, and the most is 10000: shorten it, or allow more with --at-most cell-bytes=N";
        assert_eq!(error.to_string(), expected);
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}
