//! Parquet files that may be anything: what a footer and the headers of pages claim is held against the file's size before anything is
//! allocated for it, and what panics in decoding becomes an error. The reader below takes both for granted.

mod compact;
mod pages;

use crate::limits::Limit;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowFilter};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;
use std::cell::Cell;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Largest footer, bytes: some hundred thousand columns.
const FOOTER_BYTES_MAX: u64 = 64 << 20;
/// About as much text is decoded at once, bytes.
const BATCH_BYTES: u64 = 32 << 20;
/// Rows decoded at once, where texts allow it.
const BATCH_ROWS: u64 = 8_192;
/// A file's last bytes: the footer's length and the format's name.
const TAIL_BYTES: u64 = 8;
const MAGIC: &[u8] = b"PAR1";

/// Why a file can't be what it claims to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsound {
    /// It has no such footer.
    #[error("it is no Parquet file, or its footer is damaged: {0}")]
    Footer(String),
    /// What a column claims to hold can't be there.
    #[error("column {column}, row group {group}: {why}")]
    Column {
        /// Name of the column.
        column: String,
        /// Which group of rows, from 1.
        group: usize,
        /// What is wrong.
        why: String,
    },
    /// It can't be decoded.
    #[error("row group {group}{}: {why}", .column.as_ref().map_or(String::new(), |column| format!(", column {column}")))]
    Decoding {
        /// Which group of rows, from 1.
        group: usize,
        /// The column, where one alone can't be decoded.
        column: Option<String>,
        /// What the reader says.
        why: String,
    },
}

/// A file whose footer and pages can be what they claim to be.
pub struct Sound {
    file: File,
    builder: ParquetRecordBatchReaderBuilder<File>,
}

/// Batches of rows; nothing comes after an error.
pub struct Batches {
    file: File,
    reader: Option<ParquetRecordBatchReader>,
    /// Rows that each group ends before.
    ends: Vec<u64>,
    mask: ProjectionMask,
    batch_rows: usize,
    /// That have come out so far.
    rows: u64,
    /// Whether some didn't come out, so that their number doesn't tell how far it was read.
    is_filtered: bool,
}

impl Sound {
    /// Opens a file.
    ///
    /// # Errors
    /// When it isn't Parquet, or claims what can't be.
    pub fn open(file: File) -> Result<Self, Unsound> {
        let footer = |why: &dyn std::fmt::Display| Unsound::Footer(one_line(why));
        check_footer(&file)?;
        let copy = || file.try_clone().map_err(|error| footer(&error));
        let opened =
            caught(|| ParquetRecordBatchReaderBuilder::try_new(copy()?).map_err(|error| footer(&error)));
        let builder = opened.unwrap_or_else(|panic| Err(Unsound::Footer(panic)))?;
        check_groups(&file, builder.metadata())?;
        Ok(Self { file, builder })
    }

    /// Its columns.
    pub fn schema(&self) -> SchemaRef {
        self.builder.schema().clone()
    }

    /// Its columns as Parquet has them.
    pub fn parquet_schema(&self) -> &SchemaDescriptor {
        self.builder.parquet_schema()
    }

    /// Rows of all groups.
    pub fn rows(&self) -> u64 {
        self.builder.metadata().row_groups().iter().map(|group| group.num_rows().max(0) as u64).sum()
    }

    /// Reads some columns.
    ///
    /// # Errors
    /// When their pages claim what can't be, or can't be read.
    pub fn read(self, mask: ProjectionMask) -> Result<Batches, Unsound> {
        self.read_where(mask, None)
    }

    /// Reads some columns of the rows that a filter keeps.
    ///
    /// # Errors
    /// When their pages claim what can't be, or can't be read.
    pub fn read_where(self, mask: ProjectionMask, filter: Option<RowFilter>) -> Result<Batches, Unsound> {
        let Self { file, builder } = self;
        let is_filtered = filter.is_some();
        let text_bytes = check_pages(&file, builder.metadata(), &mask)?;
        let batch_rows = (BATCH_BYTES / text_bytes.max(1)).clamp(1, BATCH_ROWS) as usize;
        let ends = builder.metadata().row_groups().iter().scan(0, |end, group| {
            *end += group.num_rows().max(0) as u64;
            Some(*end)
        });
        let ends: Vec<u64> = ends.collect();
        let mut building = builder.with_projection(mask.clone()).with_batch_size(batch_rows);
        if let Some(filter) = filter {
            building = building.with_row_filter(filter);
        }
        let built = caught(|| building.build().map_err(|error| one_line(&error)));
        let reader = built.flatten().map_err(|why| Unsound::Decoding { group: 1, column: None, why })?;
        Ok(Batches { file, reader: Some(reader), ends, mask, batch_rows, rows: 0, is_filtered })
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, Unsound>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        let next = caught(|| reader.next().map(|batch| batch.map_err(|error| one_line(&error))));
        let why = match next {
            Ok(None) => return None,
            Ok(Some(Ok(batch))) => {
                self.rows += batch.num_rows() as u64;
                return Some(Ok(batch));
            }
            Ok(Some(Err(why))) | Err(why) => why,
        };
        self.reader = None;
        let (group, column) = self.culprit();
        Some(Err(Unsound::Decoding { group: group + 1, column, why }))
    }
}

impl Batches {
    /// The groups that the batch which failed is of, by number from 0.
    fn suspects(&self) -> std::ops::Range<usize> {
        let group_of = |row: u64| self.ends.iter().position(|end| row < *end);
        let (first, end) = (group_of(self.rows).unwrap_or(0), self.ends.len().max(1));
        let last = group_of(self.rows + self.batch_rows as u64 - 1).filter(|_| !self.is_filtered);
        first..last.map_or(end, |last| last + 1)
    }

    /// The first group of them with a column that can't be decoded by itself either, and that column.
    fn culprit(&self) -> (usize, Option<String>) {
        let suspects = self.suspects();
        let first = suspects.start;
        let found = suspects.map(|group| (group, self.column_of(group))).find(|(_, column)| column.is_some());
        found.unwrap_or((first, None))
    }

    fn column_of(&self, group: usize) -> Option<String> {
        let open = || ParquetRecordBatchReaderBuilder::try_new(self.file.try_clone().ok()?).ok();
        let columns = open()?.parquet_schema().num_columns();
        let fails = |leaf: &usize| {
            let read = || {
                let builder = open()?;
                let mask = ProjectionMask::leaves(builder.parquet_schema(), [*leaf]);
                let builder = builder.with_projection(mask).with_row_groups(vec![group]);
                let mut batches = builder.with_batch_size(self.batch_rows).build().ok()?;
                batches.all(|batch| batch.is_ok()).then_some(())
            };
            !matches!(caught(read), Ok(Some(())))
        };
        let leaf = (0..columns).filter(|leaf| self.mask.leaf_included(*leaf)).find(fails)?;
        Some(open()?.parquet_schema().column(leaf).path().string())
    }
}

/// The footer is walked through before the reader makes lists of the lengths it claims.
fn check_footer(file: &File) -> Result<(), Unsound> {
    let unsound = |why: &str| Unsound::Footer(why.to_owned());
    let unreadable = |error: std::io::Error| Unsound::Footer(one_line(&error));
    let bytes = file.metadata().map_err(unreadable)?.len();
    let mut file = file;
    if bytes < 2 * MAGIC.len() as u64 + TAIL_BYTES {
        return Err(unsound("the file is too short"));
    }
    let mut tail = [0; TAIL_BYTES as usize];
    file.seek(SeekFrom::Start(bytes - TAIL_BYTES)).map_err(unreadable)?;
    file.read_exact(&mut tail).map_err(unreadable)?;
    let (length, magic) = tail.split_at(4);
    if magic != MAGIC {
        return Err(unsound("it doesn't end with PAR1"));
    }
    let length = u64::from(u32::from_le_bytes(length.try_into().expect("four of eight bytes")));
    if length > bytes - TAIL_BYTES || length > FOOTER_BYTES_MAX {
        return Err(unsound(&format!("a footer of {length} bytes in a file of {bytes}")));
    }
    let mut footer = vec![0; length as usize];
    file.seek(SeekFrom::Start(bytes - TAIL_BYTES - length)).map_err(unreadable)?;
    file.read_exact(&mut footer).map_err(unreadable)?;
    compact::Reader::new(&footer).skip_struct().ok_or_else(|| unsound("its lists are longer than the footer"))
}

/// Whether the groups of rows are as large as the footer says, and their columns where something can be.
fn check_groups(file: &File, footer: &ParquetMetaData) -> Result<(), Unsound> {
    let groups = footer.row_groups();
    let rows = groups.iter().try_fold(0_i64, |rows, group| rows.checked_add(group.num_rows()));
    if groups.iter().any(|group| group.num_rows() < 0) || rows != Some(footer.file_metadata().num_rows()) {
        return Err(Unsound::Footer("the rows of its groups don't add up".to_owned()));
    }
    let bytes = file.metadata().map_err(|error| Unsound::Footer(one_line(&error)))?.len();
    for (number, group) in groups.iter().enumerate() {
        for column in group.columns() {
            pages::extent(bytes, column).map_err(|why| Unsound::of(column, number, why))?;
        }
    }
    Ok(())
}

/// The bytes that a row of text may take at most, going by the largest dictionaries and pages of the columns that are read.
fn check_pages(file: &File, footer: &ParquetMetaData, mask: &ProjectionMask) -> Result<u64, Unsound> {
    let mut text_bytes = 0;
    for (number, group) in footer.row_groups().iter().enumerate() {
        text_bytes = text_bytes.max(check_group(file, number, group, mask)?);
    }
    Ok(text_bytes)
}

fn check_group(
    file: &File,
    number: usize,
    group: &RowGroupMetaData,
    mask: &ProjectionMask,
) -> Result<u64, Unsound> {
    let (mut at_once, mut text_bytes) = (0_u64, 0_u64);
    let read = group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
    for (_, column) in read {
        let told = |why: String| Unsound::of(column, number, why);
        let found = pages::check(file, group, column).map_err(told)?;
        at_once += found.largest_bytes;
        text_bytes = text_bytes.max(found.text_bytes);
        // Writers make pages of about a megabyte.
        let (most, remedy) = (Limit::PageBytes.now(), Limit::PageBytes.remedy());
        if at_once > most {
            return Err(told(format!(
                "its pages need {at_once} bytes at once, and the most is {most}: write smaller ones, {remedy}"
            )));
        }
    }
    Ok(text_bytes)
}

impl Unsound {
    /// Of a column in a group of rows, counted from 0.
    fn of(column: &ColumnChunkMetaData, number: usize, why: String) -> Self {
        Self::Column { column: column.column_path().string(), group: number + 1, why }
    }
}

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Does what may panic because a file is damaged, and gives what the panic said; nothing is printed of it.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !DECODING.get() {
                usual(panic);
            }
        }));
    });
    DECODING.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    DECODING.set(false);
    done.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let said = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it can't be decoded");
        one_line(&said)
    })
}

fn one_line(what: &dyn std::fmt::Display) -> String {
    what.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
