//! How tables are laid out in Parquet.

use arrow_schema::{DataType, Schema};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

/// Rows of a row group.
pub const GROUP_ROWS: usize = 16_384;
/// Bytes of a page before it is compressed: some copies of it are made on the way, and those of a megabyte are fresh memory each time.
const PAGE_BYTES: usize = 256 << 10;

/// Snappy, which needs no room: the contexts of zstd take hundreds of kilobytes for each column, and a run's tables have hundreds of
/// columns. Only text that hardly ever repeats is worth it. Dictionaries are for names: those of numbers take 70 KB a column from the
/// first row on, and gain a hundredth of a run's size.
pub fn properties<'a>(schema: &Schema, unique_texts: impl IntoIterator<Item = &'a str>) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_data_page_size_limit(PAGE_BYTES)
        .set_max_row_group_row_count(Some(GROUP_ROWS));
    for field in schema.fields().iter().filter(|field| *field.data_type() != DataType::Utf8) {
        properties = properties.set_column_dictionary_enabled(field.name().as_str().into(), false);
    }
    for name in unique_texts {
        properties = properties
            .set_column_dictionary_enabled(name.into(), false)
            .set_column_compression(name.into(), Compression::ZSTD(ZstdLevel::default()));
    }
    properties.build()
}
