//! Small Parquet files for tests (test fixtures), written with any schema. It exists because hostile files
//! can't be had from a well-meaning writer.

use super::{ColumnCells, TextCells};
use parquet::basic::Repetition;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// A column of texts (string column fixture).
pub(crate) fn texts(texts: &[&str]) -> ColumnCells {
    let mut cells = TextCells::default();
    texts.iter().for_each(|text| cells.push(Some(text)));
    ColumnCells::Text(cells)
}

/// A file with columns as Parquet's own language names them, and their cells group by group (Parquet fixture).
pub(crate) fn written(
    fields: &str,
    groups: impl IntoIterator<Item = Vec<ColumnCells>>,
    properties: WriterProperties,
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message table {{ {fields} }}")).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema.clone(), Arc::new(properties)).unwrap();
    for columns in groups {
        let mut group = writer.next_row_group().unwrap();
        for (mut cells, field) in columns.into_iter().zip(schema.get_fields()) {
            let mut column = group.next_column().unwrap().expect("there are as many fields");
            let nullable = field.get_basic_info().repetition() == Repetition::OPTIONAL;
            cells.encode(column.untyped(), nullable).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}
