//! Reads tables of a user's own, CSV or Parquet, the columns that are asked for. It is the data frame of `morta stats`: columns of numbers,
//! booleans or labels, with missing values where cells are empty. Every mistake is one line that names the file and, as far as they exist,
//! row, column, value and remedy. What a missing value means is the caller's to choose, by the method: `numbers` refuses it,
//! `numbers_or_none` keeps it. A name that ends in `.parquet` is read as Parquet, all else as text. Sweep reports read their own tables by
//! it too. `csv_file` and `parquet_file` read, `texts` bounds their texts, `only` filters rows.

mod csv_file;
mod only;
mod parquet_file;
mod texts;

pub use only::{NotAFilter, Only};

use crate::io::as_written::numbers::is_blank;
use crate::io::error::{Error, Result};
use crate::io::limits::{Limit, Limits};
use crate::io::text::{is_obeyed, nearest, quoted};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Longest list of columns that an error repeats.
const COLUMNS_SHOWN: usize = 60;

/// A data frame: some columns of a user's table, all of one length.
#[derive(Debug)]
pub struct TableFile {
    /// What to call the file.
    name: String,
    columns: Vec<Column>,
    /// The line of each row, where the file has lines.
    lines: Option<Vec<u64>>,
    rows: usize,
}

/// A column as it was read: its name and a cell for each row.
#[derive(Debug)]
struct Column {
    name: String,
    cells: Vec<Cell>,
}

/// One value as the file has it.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Missing,
    Text(Arc<str>),
    Number(f64),
    Flag(bool),
}

impl Cell {
    /// As a number, if it is one; `None` for other text.
    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.parse().ok(),
            Self::Flag(_) | Self::Missing => None,
        }
    }

    /// Whether it is a whole number that no `f64` is equal to, as beyond 2^53.
    fn is_rounded(&self) -> bool {
        match self {
            // 2^53 has sixteen digits: most texts need no second look.
            Self::Text(text) if text.len() > 15 => match (text.parse::<i128>(), self.number()) {
                (Ok(whole), Some(number)) => number as i128 != whole,
                _ => false,
            },
            Self::Text(_) | Self::Number(_) | Self::Flag(_) | Self::Missing => false,
        }
    }

    /// As true or false: `true`, `false` in any case, 1 or 0.
    fn flag(&self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(*flag),
            Self::Text(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Self::Text(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => match self.number() {
                Some(1.0) => Some(true),
                Some(0.0) => Some(false),
                _ => None,
            },
        }
    }

    fn label(&self) -> Arc<str> {
        match self {
            Self::Missing => "".into(),
            Self::Text(text) => Arc::clone(text),
            Self::Number(number) => number.to_string().into(),
            Self::Flag(flag) => flag.to_string().into(),
        }
    }
}

/// The inferred data type of a column, as its first cell that isn't empty shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Numbers.
    Number,
    /// True and false.
    Flag,
    /// Anything else.
    Text,
}

impl TableFile {
    /// Reads the wanted columns of a CSV or Parquet file, `-` being CSV on standard input.
    pub fn read(path: &Path, wanted: &[&str], limits: &Limits) -> Result<Self> {
        let mut distinct: Vec<&str> = Vec::new();
        wanted.iter().for_each(|name| {
            if !distinct.contains(name) {
                distinct.push(name)
            }
        });
        let table = if path == Path::new("-") {
            csv_file::read(std::io::stdin().lock(), "standard input", &distinct, limits)?
        } else {
            let name = path.display().to_string();
            let unreadable =
                |error: std::io::Error| Error::invalid(format!("{name}: can't be read: {error}"));
            let file = File::open(path).map_err(unreadable)?;
            let about = file.metadata().map_err(unreadable)?;
            if about.is_dir() {
                return Err(Error::invalid(format!("{name}: is a folder: name a CSV or Parquet file")));
            }
            let (bytes, most) = (about.len(), limits.most(Limit::TableBytes));
            if bytes > most {
                let remedy = Limit::TableBytes.remedy();
                return Err(Error::invalid(format!(
                    "{name}: {bytes} bytes, and the most is {most}: split it, {remedy}"
                )));
            }
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("parquet") => parquet_file::read(file, &name, &distinct, limits)?,
                _ => csv_file::read(file, &name, &distinct, limits)?,
            }
        };
        if table.rows == 0 {
            return Err(Error::at(table.name, "there are no rows"));
        }
        Ok(table)
    }

    /// The file name, as messages give it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes an error about one row, counted from 0, which names the file and the line or, in Parquet, the row from 1.
    pub fn mistake(&self, row: usize, problem: impl std::fmt::Display) -> Error {
        Error::invalid(match &self.lines {
            Some(lines) => format!("{}:{}: {problem}", self.name, lines[row]),
            None => format!("{}: row {}: {problem}", self.name, row + 1),
        })
    }

    fn cells(&self, column: &str) -> &[Cell] {
        let found = self.columns.iter().find(|known| known.name == column);
        &found.expect("the columns were asked for when the file was read").cells
    }

    fn each<T>(&self, column: &str, remedy: &str, value: impl Fn(&Cell) -> Option<T>) -> Result<Vec<T>> {
        let read = |(row, cell): (usize, &Cell)| match value(cell) {
            Some(value) => Ok(value),
            None => {
                let label = cell.label();
                let found = if *cell == Cell::Missing {
                    "is empty".to_owned()
                } else {
                    format!("= {}", quoted(&label))
                };
                // Where a value isn't known no other one is right, so that what is left is to do without the row. A blank of line ends or
                // marks can't be typed, and would break the line of the error.
                let without = if is_blank(&label) && !label.contains(is_obeyed) {
                    format!("; --only '{column}!={label}' leaves out rows where it isn't known")
                } else {
                    String::new()
                };
                Err(self.mistake(row, format!("{column} {found}: {remedy}{without}")))
            }
        };
        self.cells(column).iter().enumerate().map(read).collect()
    }

    /// Refuses a column with a whole number beyond 2^53: it would be rounded to another `f64`, and two ids could become
    /// one.
    fn refuse_rounded(&self, column: &str) -> Result<()> {
        let Some(row) = self.cells(column).iter().position(Cell::is_rounded) else { return Ok(()) };
        let shown = quoted(&self.cells(column)[row].label());
        let remedy = "whole numbers beyond 2^53 would be rounded: write it in a larger unit, or with a decimal point if rounding does no harm";
        Err(self.mistake(row, format!("{column} = {shown}: {remedy}")))
    }

    /// Reads a numeric column, of finite numbers; booleans of Parquet are 1 and 0, the text `true` is refused.
    pub fn numbers(&self, column: &str) -> Result<Vec<f64>> {
        self.refuse_rounded(column)?;
        self.each(column, "must be a finite number", |cell| match cell {
            Cell::Flag(flag) => Some(f64::from(u8::from(*flag))),
            cell => cell.number().filter(|number| number.is_finite()),
        })
    }

    /// Reads a boolean column, of true and false or 1 and 0.
    pub fn flags(&self, column: &str) -> Result<Vec<bool>> {
        self.each(
            column,
            "must be true, false, 1 or 0; or name the value that is meant, as in COLUMN=VALUE",
            Cell::flag,
        )
    }

    /// Reads a string column of labels, with nothing missing.
    pub fn labels(&self, column: &str) -> Result<Vec<Arc<str>>> {
        self.each(column, "must name something", |cell| (*cell != Cell::Missing).then(|| cell.label()))
    }

    /// A column as text; none where a cell is empty (nullable string column).
    pub(crate) fn labels_or_none(&self, column: &str) -> Vec<Option<Arc<str>>> {
        self.cells(column).iter().map(|cell| (*cell != Cell::Missing).then(|| cell.label())).collect()
    }

    /// A column of finite numbers; none where a cell is empty (nullable numeric column). Booleans are refused here.
    pub(crate) fn numbers_or_none(&self, column: &str) -> Result<Vec<Option<f64>>> {
        self.refuse_rounded(column)?;
        self.each(column, "must be a finite number, or empty", |cell| match cell {
            Cell::Missing => Some(None),
            cell => cell.number().filter(|number| number.is_finite()).map(Some),
        })
    }

    /// Infers the data type of a column from its first cell that isn't empty.
    pub fn kind(&self, column: &str) -> CellKind {
        match self.cells(column).iter().find(|cell| **cell != Cell::Missing) {
            Some(cell) if cell.number().is_some() => CellKind::Number,
            Some(cell) if cell.flag().is_some() => CellKind::Flag,
            _ => CellKind::Text,
        }
    }
}

/// Where the wanted columns stand among those of a file.
fn places(name: &str, header: &[&str], wanted: &[&str]) -> Result<Vec<usize>> {
    if header.is_empty() {
        return Err(Error::invalid(format!(
            "{name}: the file is empty: it needs a line with the names of its columns"
        )));
    }
    let place = |wanted: &&str| {
        let mut found = (0..header.len()).filter(|index| header[*index] == *wanted);
        match (found.next(), found.next()) {
            (Some(index), None) => Ok(index),
            (Some(_), Some(_)) => {
                Err(Error::invalid(format!("{name}: two columns are called `{wanted}`: rename one")))
            }
            (None, _) => {
                let guess = nearest(wanted, header.iter().copied());
                let guess = guess.map_or(String::new(), |guess| format!("did you mean `{guess}`? "));
                let mut there = header.iter().take(COLUMNS_SHOWN).copied().collect::<Vec<_>>().join(", ");
                if header.len() > COLUMNS_SHOWN {
                    there.push_str(", …");
                }
                Err(Error::invalid(format!(
                    "{name}: there is no column `{wanted}`: {guess}its columns are {there}"
                )))
            }
        }
    };
    wanted.iter().map(place).collect()
}

fn too_many(name: &str, limits: &Limits) -> Error {
    let (most, remedy) = (limits.most(Limit::TableRows), Limit::TableRows.remedy());
    Error::invalid(format!("{name}: more than {most} rows: split the file, {remedy}"))
}

/// Refuses more cells than memory is meant for.
fn refuse_unless_small(name: &str, rows: u64, columns: usize, limits: &Limits) -> Result<()> {
    let need = rows.saturating_mul((columns * size_of::<Cell>()) as u64);
    let most = limits.most(Limit::TableMemory);
    if need <= most {
        return Ok(());
    }
    let remedy = Limit::TableMemory.remedy();
    Err(Error::invalid(format!(
        "{name}: {columns} columns of {rows} rows take {need} bytes, and the most is {most}: ask for fewer columns, {remedy}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::parquet_guard::{ColumnCells, test_file};
    use parquet::file::properties::WriterProperties;

    const CSV: &str = "who,t,dead,x\na,3,true,1.5\nb,4,False,2\n";

    fn said<T: std::fmt::Debug>(result: Result<T>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn csv_and_parquet_hold_the_same_table() {
        let folder = tempfile::tempdir().unwrap();
        let (csv, parquet) = (folder.path().join("t.csv"), folder.path().join("t.parquet"));
        std::fs::write(&csv, CSV).unwrap();
        let columns = vec![
            ColumnCells::Float(vec![Some(1.5), Some(2.0)]),
            ColumnCells::Int(vec![Some(3), Some(4)]),
            test_file::texts(&["a", "b"]),
            ColumnCells::Bool(vec![Some(true), Some(false)]),
        ];
        let schema =
            "optional double x; required int64 t; required binary who (utf8); required boolean dead;";
        std::fs::write(&parquet, test_file::written(schema, [columns], WriterProperties::default())).unwrap();
        for path in [csv, parquet] {
            let table = TableFile::read(&path, &["t", "dead", "who", "t"], &Limits::default()).unwrap();
            assert_eq!(table.numbers("t").unwrap(), [3.0, 4.0]);
            assert_eq!(table.flags("dead").unwrap(), [true, false]);
            assert_eq!(table.labels("who").unwrap(), ["a".into(), "b".into()]);
            assert_eq!(table.kind("t"), CellKind::Number);
            assert_eq!((table.kind("dead"), table.kind("who")), (CellKind::Flag, CellKind::Text));
            let error = said(TableFile::read(&path, &["deed"], &Limits::default()));
            assert!(
                error.contains("there is no column `deed`: did you mean `dead`? its columns are "),
                "{error}"
            );
        }
    }

    #[test]
    fn cells_that_cannot_be_used_are_named() {
        let read = |text: &str| csv_file::read(text.as_bytes(), "t.csv", &["a"], &Limits::default()).unwrap();
        assert_eq!(said(read("a\n1\nx\n").numbers("a")), "t.csv:3: a = \"x\": must be a finite number");
        let without = |value: &str| format!("; --only 'a!={value}' leaves out rows where it isn't known");
        let nan = "t.csv:3: a = \"NaN\": must be a finite number".to_owned();
        assert_eq!(said(read("a\n1\nNaN\n").numbers("a")), nan + &without("NaN"));
        let empty = "t.csv:2: a is empty: must name something".to_owned();
        assert_eq!(said(read("a,b\n,1\n").labels("a")), empty + &without(""));
        assert!(!said(read("a\n1\n\"\n\"\n").numbers("a")).contains('\n'), "an error is a line");
        let remedy = "must be true, false, 1 or 0; or name the value that is meant, as in COLUMN=VALUE";
        assert_eq!(said(read("a\n2\n").flags("a")), format!("t.csv:2: a = \"2\": {remedy}"));
    }

    /// As Excel in German, R's write.table, pandas' to_csv("x.csv.gz") and Excel's "Unicode text" write the table of `CSV`.
    #[test]
    fn tables_of_other_programs_are_the_same_table() {
        let tabs = "who\tt\tdead\tx\na\t3\tTRUE\t1.5\nb\t4\tFALSE\t2\n";
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, CSV.as_bytes()).unwrap();
        let wide: Vec<u8> = format!("\u{feff}{tabs}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [
            CSV.as_bytes().to_vec(),
            "\u{feff}who;t;dead;x\r\na;3;true;1,5\r\nb;4;false;2\r\n".as_bytes().to_vec(),
            tabs.as_bytes().to_vec(),
            packed.finish().unwrap(),
            wide,
            b"who|t|dead|x|Gr\xf6\xdfe\na|3|1|1.5|1\nb|4|0|2|2\n".to_vec(),
        ] {
            let table =
                csv_file::read(bytes.as_slice(), "t.csv", &["t", "dead", "who", "x"], &Limits::default())
                    .unwrap();
            assert_eq!(
                (table.numbers("t").unwrap(), table.numbers("x").unwrap()),
                (vec![3.0, 4.0], vec![1.5, 2.0])
            );
            assert_eq!(table.flags("dead").unwrap(), [true, false]);
            assert_eq!(table.labels("who").unwrap(), ["a".into(), "b".into()]);
        }
    }

    #[test]
    fn a_comma_that_may_be_either_is_refused() {
        let read = |text: &str| csv_file::read(text.as_bytes(), "t.csv", &["a"], &Limits::default()).unwrap();
        assert_eq!(read("a;b\n1,234;x\n0,5;y\n").numbers("a").unwrap(), [1.234, 0.5]);
        assert_eq!(
            said(read("a;b\n1,234;x\n2,345;y\n").numbers("a")),
            "t.csv:2: a = \"1,234\": must be a finite number"
        );
        assert_eq!(
            said(read("a;b\n1,5;x\n2.5;y\n").numbers("a")),
            "t.csv:2: a = \"1,5\": must be a finite number"
        );
    }
}
