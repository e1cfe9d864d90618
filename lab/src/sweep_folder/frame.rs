//! A table whose columns are known only at run time, written as CSV and as Parquet with the same rows.

use crate::error::{Context as _, Result};
use crate::run_folder::RunFolder;
use crate::run_folder::TableFile;
use crate::run_folder::hashing_file::HashingFile;
use crate::run_folder::layout::{GROUP_ROWS, properties};
use crate::table::{Builder, Cells, Column, Kind, described};
use arrow_array::RecordBatch;
use arrow_schema::{Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use std::fmt::Display;
use std::sync::Arc;

/// A column of such a table.
#[derive(Clone, Debug)]
pub struct FrameColumn {
    /// The column, as the header has it.
    pub name: String,
    /// What its cells hold.
    pub kind: Kind,
    /// What its values are measured in.
    pub unit: &'static str,
    /// What it means.
    pub about: String,
}

impl From<&Column> for FrameColumn {
    fn from(column: &Column) -> Self {
        let Column { name, kind, unit, about, .. } = column;
        Self { name: (*name).to_owned(), kind: *kind, unit: unit.name(), about: (*about).to_owned() }
    }
}

/// One cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// Nothing.
    Null,
    /// A whole number.
    Int(i64),
    /// A real number.
    Float(f64),
    /// Yes or no.
    Bool(bool),
    /// Text.
    Text(String),
}

impl Datum {
    /// A real number, if there is one.
    pub fn float_or_null(value: Option<f64>) -> Self {
        value.map_or(Self::Null, Self::Float)
    }

    /// As it is written in CSV; nothing is an empty field.
    pub(super) fn written(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Int(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Bool(value) => value.to_string(),
            Self::Text(value) => value.clone(),
        }
    }
}

/// A row being put together.
impl Cells for Vec<Datum> {
    fn int(&mut self, value: Option<i64>) {
        self.push(value.map_or(Datum::Null, Datum::Int));
    }

    fn float(&mut self, value: Option<f64>) {
        self.push(Datum::float_or_null(value));
    }

    fn flag(&mut self, value: Option<bool>) {
        self.push(value.map_or(Datum::Null, Datum::Bool));
    }

    fn text(&mut self, value: Option<&str>) {
        self.push(value.map_or(Datum::Null, |text| Datum::Text(text.to_owned())));
    }

    fn name(&mut self, value: impl Display) {
        self.push(Datum::Text(value.to_string()));
    }
}

/// A table being written.
pub struct Frame {
    folder: RunFolder,
    stem: &'static str,
    rows: u64,
    csv: Option<csv::Writer<HashingFile>>,
    parquet: Option<ParquetSide>,
}

struct ParquetSide {
    schema: SchemaRef,
    builders: Vec<Builder>,
    waiting: usize,
    out: ArrowWriter<HashingFile>,
}

/// Which files a table becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// `STEM.csv`.
    Csv,
    /// `STEM.parquet`.
    Parquet,
    /// Both.
    Both,
}

impl Frame {
    /// Begins a table under temporary names.
    pub fn create(
        folder: &RunFolder,
        stem: &'static str,
        columns: &[FrameColumn],
        files: Files,
    ) -> Result<Self> {
        let mut csv = None;
        if files != Files::Parquet {
            let mut out = csv::Writer::from_writer(HashingFile::create(folder, &format!("{stem}.csv"))?);
            out.write_record(columns.iter().map(|column| &column.name))?;
            csv = Some(out);
        }
        let mut parquet = None;
        if files != Files::Csv {
            parquet =
                Some(ParquetSide::create(HashingFile::create(folder, &format!("{stem}.parquet"))?, columns)?);
        }
        Ok(Self { folder: folder.clone(), stem, rows: 0, csv, parquet })
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When a value is of another kind than its column.
    pub fn row(&mut self, row: &[Datum]) -> Result<()> {
        self.rows += 1;
        if let Some(csv) = &mut self.csv {
            csv.write_record(row.iter().map(Datum::written)).with_context(|| format!("{}.csv", self.stem))?;
        }
        if let Some(parquet) = &mut self.parquet {
            parquet.row(row).with_context(|| format!("{}.parquet", self.stem))?;
        }
        Ok(())
    }

    /// Ends the files and gives them their names.
    pub fn finish(self) -> Result<Vec<TableFile>> {
        let mut files = Vec::new();
        if let Some(csv) = self.csv {
            let out = csv.into_inner().map_err(|error| error.into_error());
            files.push(
                out.with_context(|| format!("{}.csv", self.stem))?
                    .finish(&format!("{}.csv", self.stem), self.rows)?,
            );
        }
        if let Some(mut parquet) = self.parquet {
            parquet.flush()?;
            files.push(parquet.out.into_inner()?.finish(&format!("{}.parquet", self.stem), self.rows)?);
        }
        for file in &files {
            self.folder.put_in_place(&file.name)?;
        }
        Ok(files)
    }
}

impl ParquetSide {
    fn create(file: HashingFile, columns: &[FrameColumn]) -> Result<Self> {
        // Nullable, all of them: the CSV beside it can't tell an empty text from none either.
        let field = |column: &FrameColumn| {
            let field = Field::new(&column.name, column.kind.data_type(), true);
            described(field, column.unit, &column.about)
        };
        let schema: SchemaRef = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let out = ArrowWriter::try_new(file, schema.clone(), Some(properties(&schema, [])))?;
        let builders = columns.iter().map(|column| Builder::new(column.kind)).collect();
        Ok(Self { schema, builders, waiting: 0, out })
    }

    fn row(&mut self, row: &[Datum]) -> Result<()> {
        assert_eq!(row.len(), self.builders.len(), "a row has all its cells");
        for (builder, datum) in self.builders.iter_mut().zip(row) {
            match (builder, datum) {
                (Builder::Int(cells), Datum::Int(value)) => cells.append_value(*value),
                (Builder::Int(cells), Datum::Null) => cells.append_null(),
                (Builder::Float(cells), Datum::Float(value)) => cells.append_value(*value),
                (Builder::Float(cells), Datum::Int(value)) => cells.append_value(*value as f64),
                (Builder::Float(cells), Datum::Null) => cells.append_null(),
                (Builder::Bool(cells), Datum::Bool(value)) => cells.append_value(*value),
                (Builder::Bool(cells), Datum::Null) => cells.append_null(),
                (Builder::Text(cells), Datum::Text(value)) => cells.append_value(value),
                (Builder::Text(cells), Datum::Null) => cells.append_null(),
                (_, datum) => unreachable!("{datum:?} doesn't go into its column"),
            }
        }
        self.waiting += 1;
        if self.waiting >= GROUP_ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        if self.waiting > 0 {
            let arrays = self.builders.iter_mut().map(Builder::finish).collect();
            self.out.write(&RecordBatch::try_new(self.schema.clone(), arrays)?)?;
            self.out.flush()?;
            self.waiting = 0;
        }
        Ok(())
    }
}
