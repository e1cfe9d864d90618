//! Parquet files of anybody's, column by column.

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;

/// Rows of a group, as other writers have it unless told otherwise.
const GROUP_ROWS: usize = 1 << 20;

/// The cells of a column.
pub enum Cells {
    Float(Vec<Option<f64>>),
    Int(Vec<i64>),
    Flag(Vec<bool>),
    Text(Vec<ByteArray>),
}

impl Cells {
    pub fn floats(cells: impl IntoIterator<Item = f64>) -> Self {
        Self::Float(cells.into_iter().map(Some).collect())
    }

    pub fn texts<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> Self {
        Self::Text(cells.into_iter().map(|text| text.as_ref().into()).collect())
    }

    fn len(&self) -> usize {
        match self {
            Self::Float(cells) => cells.len(),
            Self::Int(cells) => cells.len(),
            Self::Flag(cells) => cells.len(),
            Self::Text(cells) => cells.len(),
        }
    }

    fn field(&self, name: &str) -> Arc<Type> {
        let (physical, repetition, logical) = match self {
            Self::Float(_) => (Physical::DOUBLE, Repetition::OPTIONAL, None),
            Self::Int(_) => (Physical::INT64, Repetition::REQUIRED, None),
            Self::Flag(_) => (Physical::BOOLEAN, Repetition::REQUIRED, None),
            Self::Text(_) => (Physical::BYTE_ARRAY, Repetition::REQUIRED, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(name, physical);
        Arc::new(field.with_repetition(repetition).with_logical_type(logical).build().unwrap())
    }
}

/// The file with these columns.
pub fn packed(columns: &[(&str, Cells)], properties: WriterProperties) -> Vec<u8> {
    let fields = columns.iter().map(|(name, cells)| cells.field(name)).collect();
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build().unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    let rows = columns[0].1.len();
    for begin in (0..rows).step_by(GROUP_ROWS) {
        let rows = begin..rows.min(begin + GROUP_ROWS);
        let mut group = writer.next_row_group().unwrap();
        for (_, cells) in columns {
            let mut column = group.next_column().unwrap().unwrap();
            match cells {
                Cells::Float(cells) => {
                    let levels: Vec<i16> =
                        cells[rows.clone()].iter().map(|cell| i16::from(cell.is_some())).collect();
                    let values: Vec<f64> = cells[rows.clone()].iter().copied().flatten().collect();
                    column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)
                }
                Cells::Int(cells) => {
                    column.typed::<Int64Type>().write_batch(&cells[rows.clone()], None, None)
                }
                Cells::Flag(cells) => {
                    column.typed::<BoolType>().write_batch(&cells[rows.clone()], None, None)
                }
                Cells::Text(cells) => {
                    column.typed::<ByteArrayType>().write_batch(&cells[rows.clone()], None, None)
                }
            }
            .unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}
