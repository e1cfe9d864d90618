//! Tables in Parquet: numbers, true and false, text.

use super::{Cell, Column, ROWS_MAX, TableFile, places, too_many};
use crate::error::Error;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;

/// Rows decoded at once.
const BATCH_ROWS: usize = 8_192;

/// Reads the wanted columns; `name` is what to call the file.
pub fn read(file: File, name: &str, wanted: &[&str]) -> crate::Result<TableFile> {
    let unreadable = |error: &dyn std::fmt::Display| {
        let what = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        Error::invalid(format!(
            "{name}: can't be read as Parquet ({what}): write it with Snappy or zstd compression, or none"
        ))
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| unreadable(&error))?;
    let rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(usize::MAX);
    if rows > ROWS_MAX {
        return Err(too_many(name));
    }
    let schema = builder.schema().clone();
    let header: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let places = places(name, &header, wanted)?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), places.iter().copied());
    let reader = builder.with_projection(mask).with_batch_size(BATCH_ROWS).build();
    let column = |name: &&str| Column { name: (*name).to_owned(), cells: Vec::with_capacity(rows) };
    let mut columns: Vec<Column> = wanted.iter().map(column).collect();
    for batch in reader.map_err(|error| unreadable(&error))? {
        let batch = batch.map_err(|error| unreadable(&error))?;
        for column in &mut columns {
            let array = batch.column_by_name(&column.name).expect("the projection keeps what is wanted");
            for row in 0..array.len() {
                let cell = cell(array.as_ref(), row);
                let cell = cell.map_err(|what| Error::invalid(format!("{name}: {} {what}", column.name)))?;
                column.cells.push(cell);
            }
        }
    }
    let rows = columns.first().map_or(0, |column| column.cells.len());
    Ok(TableFile { name: name.to_owned(), columns, lines: None, rows })
}

/// A column of a type that is neither a number, true or false, nor text.
#[derive(Debug, thiserror::Error)]
#[error("is of type {0}: must be a number, true or false, or text")]
struct OtherType(DataType);

fn cell(array: &dyn Array, row: usize) -> Result<Cell, OtherType> {
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
        DataType::Utf8 => Cell::Text(array.as_string::<i32>().value(row).into()),
        DataType::LargeUtf8 => Cell::Text(array.as_string::<i64>().value(row).into()),
        DataType::Utf8View => Cell::Text(array.as_string_view().value(row).into()),
        other => return Err(OtherType(other.clone())),
    })
}
