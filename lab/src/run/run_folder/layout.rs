//! The layout of tables in Parquet: schema, compression (Snappy, zstd), dictionary encoding and page statistics of each column. It is
//! chosen by column, because names repeat and figures don't. `writer` uses it for all tables of runs and sweeps; no key changes it, because
//! the bytes of a table are part of what is compared. Whole numbers are INT64, others DOUBLE; missing values are null.

use crate::io::table::{ColumnKind, FileColumn};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::{Type, TypePtr};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Rows of a row group (Parquet row group size). Our choice: pages of one group wait in memory until it is full, and a reader that skips
/// groups by their statistics skips in these steps.
pub(crate) const GROUP_ROWS: usize = 16_384;
/// Bytes of a page before it is compressed: some copies of it are made on the way, and those of a megabyte are fresh memory each time.
const PAGE_BYTES: usize = 256 << 10;
/// The footer's entry that says of every column its unit and meaning; in Python,
/// `json.loads(pyarrow.parquet.read_schema(file).metadata[b"morta:columns"])`.
const COLUMNS_KEY: &str = "morta:columns";

/// Snappy, which needs no room: the contexts of zstd take hundreds of kilobytes for each column, and a run's tables have hundreds of
/// columns (compression and dictionary encoding). Only text that hardly ever repeats is worth it. Dictionaries are for names: those of
/// numbers take 70 KB a column from the first row on, and gain a hundredth of a run's size.
pub(crate) fn properties(columns: &[FileColumn]) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_data_page_size_limit(PAGE_BYTES)
        .set_key_value_metadata(Some(vec![KeyValue::new(COLUMNS_KEY.to_owned(), described(columns))]));
    for column in columns.iter().filter(|column| column.unique || column.kind != ColumnKind::Text) {
        properties = properties.set_column_dictionary_enabled(column.name.as_str().into(), false);
    }
    // Least and greatest of a page are for queries that skip pages: by tick or number, hardly ever by a measured value. Keeping them for
    // those was a hundredth of a run's time.
    for column in columns.iter().filter(|column| matches!(column.kind, ColumnKind::Float | ColumnKind::Text))
    {
        properties =
            properties.set_column_statistics_enabled(column.name.as_str().into(), EnabledStatistics::None);
    }
    for column in columns.iter().filter(|column| column.unique) {
        let zstd = Compression::ZSTD(ZstdLevel::default());
        properties = properties.set_column_compression(column.name.as_str().into(), zstd);
    }
    properties.build()
}

/// `{"NAME": {"unit": "...", "meaning": "..."}}`; what is empty is left out.
fn described(columns: &[FileColumn]) -> String {
    let column = |column: &FileColumn| {
        let properties = [("unit", column.unit), ("meaning", &column.about)];
        let properties = properties.into_iter().filter(|(_, text)| !text.is_empty());
        let properties: Map<_, _> = properties.map(|(key, text)| (key.to_owned(), text.into())).collect();
        (column.name.clone(), Value::Object(properties))
    };
    Value::Object(columns.iter().map(column).collect()).to_string()
}

/// The columns as Parquet has them (Parquet schema).
///
/// # Errors
/// When Parquet allows no such columns.
pub(crate) fn schema(columns: &[FileColumn]) -> Result<TypePtr> {
    let field = |column: &FileColumn| {
        let (physical, logical, converted) = match column.kind {
            ColumnKind::Int => (Physical::INT64, None, ConvertedType::NONE),
            ColumnKind::Float => (Physical::DOUBLE, None, ConvertedType::NONE),
            ColumnKind::Bool => (Physical::BOOLEAN, None, ConvertedType::NONE),
            ColumnKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), ConvertedType::UTF8),
        };
        let field = Type::primitive_type_builder(&column.name, physical)
            .with_repetition(if column.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED })
            .with_logical_type(logical)
            .with_converted_type(converted);
        field.build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_>>()?;
    Type::group_type_builder("schema").with_fields(fields).build().map(Arc::new)
}
