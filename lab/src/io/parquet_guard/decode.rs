//! The cells of one column in one row group of Parquet, decoded a batch at a time, so that a group of any size needs the memory of a batch
//! only. Nulls are put back by their definition levels. Sizes of pages were checked before (`super::pages`); a panic of the Parquet library
//! in here is caught by the caller. Fixed-length byte arrays are refused.

use super::cells::{ColumnCells, TextCells};
use super::stored::StoredKind;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};

/// A column on its way out of a group of rows (column chunk decoder).
pub(crate) struct Decoder {
    reader: ColumnReader,
    kind: StoredKind,
}

impl Decoder {
    /// Makes a decoder of a column chunk that stands at the first row of its row group.
    pub(super) fn new(reader: ColumnReader, kind: StoredKind) -> Self {
        Self { reader, kind }
    }

    /// The cells of the next rows (decode a batch).
    ///
    /// # Errors
    /// When they can't be decoded, or there are fewer.
    pub(super) fn read(&mut self, rows: usize) -> Result<ColumnCells> {
        let unsigned = self.kind == StoredKind::Int { bits: 32, signed: false };
        Ok(match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => ColumnCells::Bool(cells(reader, rows)?.collect()),
            ColumnReader::Int32ColumnReader(reader) => {
                let whole = |cell: i32| if unsigned { i64::from(cell.cast_unsigned()) } else { cell.into() };
                ColumnCells::Int(cells(reader, rows)?.map(|cell| cell.map(whole)).collect())
            }
            ColumnReader::Int64ColumnReader(reader) => ColumnCells::Int(cells(reader, rows)?.collect()),
            ColumnReader::Int96ColumnReader(reader) => {
                ColumnCells::Int(cells(reader, rows)?.map(|cell| cell.map(|time| time.to_nanos())).collect())
            }
            ColumnReader::FloatColumnReader(reader) => {
                ColumnCells::Float(cells(reader, rows)?.map(|cell| cell.map(f64::from)).collect())
            }
            ColumnReader::DoubleColumnReader(reader) => ColumnCells::Float(cells(reader, rows)?.collect()),
            ColumnReader::ByteArrayColumnReader(reader) => {
                let mut texts = TextCells::default();
                for cell in cells(reader, rows)? {
                    texts.push(cell.as_ref().map(|bytes| bytes.as_utf8()).transpose()?);
                }
                ColumnCells::Text(texts)
            }
            ColumnReader::FixedLenByteArrayColumnReader(_) => {
                return Err(ParquetError::General(format!("{} is not read", self.kind)));
            }
        })
    }

    /// Passes rows over (skip rows). It has the column reader skip records.
    ///
    /// # Errors
    /// When there are fewer, or what is before them can't be decoded.
    pub(super) fn skip(&mut self, rows: usize) -> Result<()> {
        let skipped = match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::Int32ColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::Int96ColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::FloatColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::DoubleColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(rows),
        };
        all(skipped?, rows)
    }
}

/// The next cells of a flat column: its levels say which rows have a value, and there are none when every row must.
fn cells<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
) -> Result<impl Iterator<Item = Option<T::T>> + use<T>> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let (found, ..) = reader.read_records(rows, Some(&mut levels), None, &mut values)?;
    all(found, rows)?;
    let mut values = values.into_iter();
    Ok((0..rows).map(move |row| if levels.get(row) == Some(&0) { None } else { values.next() }))
}

fn all(found: usize, rows: usize) -> Result<()> {
    if found == rows {
        return Ok(());
    }
    Err(ParquetError::General(format!("{found} rows where {rows} should be")))
}
