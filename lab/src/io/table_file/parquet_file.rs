//! Tables in Parquet for `morta stats`: numbers, booleans and text. Only the wanted columns are decoded (column projection); a wanted
//! column of another type, such as a timestamp, is refused. A whole number beyond 2^53 that no float holds stays text, because as a float
//! it would be another number; it is refused where numbers are asked for. Rows and memory are bounded before anything is decoded.

use super::texts::{Texts, TooMuchText};
use super::{Cell, Column, TableFile, places, refuse_unless_small, too_many};
use crate::io::error::{Error, Result};
use crate::io::limits::{Limit, Limits};
use crate::io::parquet_guard::{ColumnCells, Sound, StoredKind, Unsound};
use crate::io::text::folded;
use std::fs::File;

/// Reads the wanted columns of a Parquet file; `name` is what to call the file.
pub(super) fn read(file: File, name: &str, wanted: &[&str], limits: &Limits) -> Result<TableFile> {
    let unreadable = |error: &Unsound| {
        Error::at(name, format!("can't be read as Parquet ({}): {}", folded(error), error.remedy()))
    };
    let sound = Sound::open(file, limits.most(Limit::PageBytes)).map_err(|error| unreadable(&error))?;
    if sound.rows() > limits.most(Limit::TableRows) {
        return Err(too_many(name, limits));
    }
    refuse_unless_small(name, sound.rows(), wanted.len(), limits)?;
    let rows = usize::try_from(sound.rows()).unwrap_or(usize::MAX);
    let header: Vec<&str> = sound.columns.iter().map(|column| column.name.as_str()).collect();
    let places = places(name, &header, wanted)?;
    for place in &places {
        let column = &sound.columns[*place];
        if !column.is_read() || matches!(column.kind, StoredKind::Timestamp { .. }) {
            let problem = OtherType(column.kind.clone());
            return Err(Error::invalid(format!("{name}: {} {problem}", column.name)));
        }
    }
    let reader = sound.read(&places, None);
    let mut texts = Texts::new(limits);
    let column = |name: &&str| Column { name: (*name).to_owned(), cells: Vec::with_capacity(rows) };
    let mut columns: Vec<Column> = wanted.iter().map(column).collect();
    for batch in reader.map_err(|error| unreadable(&error))? {
        let batch = batch.map_err(|error| unreadable(&error))?;
        for ((column, cells), stored) in columns.iter_mut().zip(&batch.cells).zip(&*batch.columns) {
            for row in 0..batch.rows {
                let cell = cell(cells, &stored.kind, row, &mut texts);
                let cell =
                    cell.map_err(|problem| Error::invalid(format!("{name}: {} {problem}", column.name)))?;
                column.cells.push(cell);
            }
        }
    }
    let rows = columns.first().map_or(0, |column| column.cells.len());
    Ok(TableFile { name: name.to_owned(), columns, lines: None, rows })
}

/// Neither numbers, true or false, nor text.
#[derive(Debug, thiserror::Error)]
#[error("is of type {0}: must be a number, true or false, or text")]
struct OtherType(StoredKind);

fn cell(cells: &ColumnCells, kind: &StoredKind, row: usize, texts: &mut Texts) -> Result<Cell, TooMuchText> {
    let unsigned = *kind == StoredKind::Int { bits: 64, signed: false };
    let found = match cells {
        ColumnCells::Int(cells) => {
            let whole = |cell: i64| if unsigned { cell.cast_unsigned().into() } else { i128::from(cell) };
            cells[row].map(|cell| integer(whole(cell), texts)).transpose()?
        }
        ColumnCells::Float(cells) => cells[row].map(Cell::Number),
        ColumnCells::Bool(cells) => cells[row].map(Cell::Flag),
        ColumnCells::Text(cells) => {
            cells.get(row).map(|text| texts.keep(text).map(Cell::Text)).transpose()?
        }
    };
    Ok(found.unwrap_or(Cell::Missing))
}

/// A whole number; as text beyond 2^53, because as a float it would be another number.
fn integer(whole: i128, texts: &mut Texts) -> Result<Cell, TooMuchText> {
    let number = whole as f64;
    if number as i128 == whole {
        Ok(Cell::Number(number))
    } else {
        texts.keep(&whole.to_string()).map(Cell::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::time::{Duration, Instant};

    /// A few kilobytes that would be 4 GB if each row had its own label.
    #[test]
    fn a_long_label_in_every_row_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.parquet");
        let schema = parse_message_type("message table { required binary label (utf8); }").unwrap();
        let file = File::create(&path).unwrap();
        let mut writer = SerializedFileWriter::new(file, schema.into(), Default::default()).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let labels = vec![ByteArray::from("x".repeat(20_000).as_str()); 200_000];
        column.typed::<ByteArrayType>().write_batch(&labels, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        assert!(std::fs::metadata(&path).unwrap().len() < 100_000);
        let begun = Instant::now();
        let error =
            read(File::open(&path).unwrap(), "labels.parquet", &["label"], &Limits::default()).unwrap_err();
        let expected = "labels.parquet: label has a text of 20000 bytes, and the most is 10000: shorten it, or allow more with --at-most cell-bytes=N";
        assert_eq!(error.to_string(), expected);
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    /// As `checks/pyarrow_fixture.py` wrote it.
    #[test]
    fn files_of_pyarrow_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pyarrow.parquet");
        std::fs::write(&path, include_bytes!("pyarrow.parquet")).unwrap();
        let read =
            |wanted: &[&str]| read(File::open(&path).unwrap(), "pyarrow.parquet", wanted, &Limits::default());
        let names =
            ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double"];
        let table = read(&names).unwrap();
        let column = |name: &str| table.cells(name);
        let number = Cell::Number;
        // The largest is no number here, which would be one more: it stays what was written.
        for (name, greatest) in [("int64", i128::from(i64::MAX)), ("uint64", i128::from(u64::MAX))] {
            assert_eq!(column(name)[2], Cell::Text(greatest.to_string().into()), "{name}");
        }
        for (name, least, greatest) in [
            ("int8", -128.0, 127.0),
            ("int16", -32_768.0, 32_767.0),
            ("int32", f64::from(i32::MIN), f64::from(i32::MAX)),
            ("uint8", 0.0, 255.0),
            ("uint16", 0.0, 65_535.0),
            ("uint32", 0.0, f64::from(u32::MAX)),
            ("float", -0.5, f64::from(0.1_f32)),
            ("double", -0.5, 0.1),
        ] {
            assert_eq!(column(name), [number(least), Cell::Missing, number(greatest)], "{name}");
        }
        let table = read(&["text", "large", "category", "flag"]).unwrap();
        let text = |text: &str| Cell::Text(text.into());
        for name in ["text", "large", "category"] {
            assert_eq!(table.cells(name), [text("a"), Cell::Missing, text("ü")], "{name}");
        }
        assert_eq!(table.cells("flag"), [Cell::Flag(true), Cell::Missing, Cell::Flag(false)]);
        for (name, kind) in [
            ("date", "Date32"),
            ("time", "Time64(µs)"),
            ("stamp", "Timestamp(ns)"),
            ("moment", "Timestamp(ms, \"UTC\")"),
            ("decimal", "Decimal128(10, 2)"),
            ("binary", "Binary"),
            ("list", "List"),
            ("struct", "Struct"),
        ] {
            let error = read(&[name]).unwrap_err().to_string();
            let expected = format!(
                "pyarrow.parquet: {name} is of type {kind}: must be a number, true or false, or text"
            );
            assert_eq!(error, expected);
        }
    }
}
