//! A table whose columns are known only at run time, written as CSV, as Parquet or as both with the same rows. It is a data frame
//! writer with a dynamic schema: a CSV writer and a Parquet writer under one. Results, contrasts and sensitivity are in both files, because
//! spreadsheets read CSV and types survive only in Parquet; learning curves are Parquet alone, timings and the results of a sweep that
//! still runs CSV alone. The files of a table have temporary names until all are whole. Only `lives.parquet` of a sweep is not written by
//! it: its rows are copied from the tables of the cells.

use crate::io::error::{Context as _, Result};
use crate::io::table::{Cells, ColumnKind, FileColumn};
use crate::run::run_folder::RunFolder;
use crate::run::run_folder::WrittenTable;
use crate::run::run_folder::hashing_file::HashingFile;
use crate::run::run_folder::writer::Encoder;
use std::fmt::Display;

/// One cell of a table with a dynamic schema: a tagged union of the scalar types that columns have, and null.
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
    /// Makes a float, or a null where there is none.
    pub(crate) fn float_or_null(value: Option<f64>) -> Self {
        value.map_or(Self::Null, Self::Float)
    }

    /// Puts it into a column of this kind.
    fn fill(&self, kind: ColumnKind, cells: &mut impl Cells) {
        match (kind, self) {
            (kind, Self::Null) => cells.nothing(kind),
            (ColumnKind::Int, Self::Int(value)) => cells.int(Some(*value)),
            (ColumnKind::Float, Self::Float(value)) => cells.float(Some(*value)),
            (ColumnKind::Float, Self::Int(value)) => cells.float(Some(*value as f64)),
            (ColumnKind::Bool, Self::Bool(value)) => cells.flag(Some(*value)),
            (ColumnKind::Text, Self::Text(value)) => cells.text(Some(value)),
            (_, datum) => unreachable!("{datum:?} doesn't go into its column"),
        }
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

/// A table being written (table writer of a dataframe: CSV writer and Parquet writer).
pub(crate) struct Frame {
    folder: RunFolder,
    stem: &'static str,
    rows: u64,
    csv: Option<csv::Writer<HashingFile>>,
    parquet: Option<Encoder>,
    kinds: Vec<ColumnKind>,
}

/// The files of a table: CSV for people and spreadsheets, Parquet where types and sizes matter (output formats).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Files {
    /// `STEM.csv`.
    Csv,
    /// `STEM.parquet`.
    Parquet,
    /// Both.
    Both,
}

impl Frame {
    /// Begins a table under temporary names (temporary files): the header of the CSV, the encoder of the Parquet.
    pub(super) fn create(
        folder: &RunFolder,
        stem: &'static str,
        columns: &[FileColumn],
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
            parquet = Some(Encoder::create(folder, &format!("{stem}.parquet"), columns)?);
        }
        let kinds = columns.iter().map(|column| column.kind).collect();
        Ok(Self { folder: folder.clone(), stem, rows: 0, csv, parquet, kinds })
    }

    /// Appends a row to both writers (appends a row).
    ///
    /// # Panics
    /// When the row has not as many cells as there are columns, or with a Parquet file a value is of another kind than its column.
    pub(super) fn row(&mut self, row: &[Datum]) -> Result<()> {
        assert_eq!(row.len(), self.kinds.len(), "a row has all its cells");
        self.rows += 1;
        if let Some(csv) = &mut self.csv {
            csv.write_record(row.iter().map(Datum::written)).with_context(|| format!("{}.csv", self.stem))?;
        }
        if let Some(parquet) = &mut self.parquet {
            let kinds = self.kinds.iter();
            parquet.add(|cells| row.iter().zip(kinds).for_each(|(datum, kind)| datum.fill(*kind, cells)))?;
        }
        Ok(())
    }

    /// Closes both files and gives them their names by an atomic rename.
    pub(super) fn finish(self) -> Result<Vec<WrittenTable>> {
        let mut files = Vec::new();
        if let Some(csv) = self.csv {
            let out = csv.into_inner().map_err(|error| error.into_error());
            files.push(
                out.with_context(|| format!("{}.csv", self.stem))?
                    .finish(&format!("{}.csv", self.stem), self.rows)?,
            );
        }
        if let Some(parquet) = self.parquet {
            files.push(parquet.finish()?);
        }
        // Both are whole before either gets its name, so that a failure while one is written leaves both as they were.
        for file in &files {
            self.folder.put_in_place(&file.name)?;
        }
        Ok(files)
    }
}
