//! Parquet files that may be anything: what a footer and the headers of pages claim is held against the file's size before anything is
//! allocated for it, and what panics in decoding becomes an error. The reader below takes both for granted.
//!
//! The two steps are footer validation and page header validation; rows then come out in batches of up to 8,192, row group by row group,
//! or of up to 1,024 through a row filter (predicate pushdown). Without the two steps a file of a kilobyte could end the process, because
//! the Parquet reader allocates what a header claims and panics on what it doesn't expect. Users' price files and tables are read through
//! it, and Morta's own tables. `compact` and `pages` check what a file claims, `stored` maps its types, `decode` fills `cells`.

mod cells;
mod compact;
mod decode;
mod pages;
mod stored;

pub(crate) use cells::{ColumnCells, TextCells};
pub(crate) use stored::{StoredColumn, StoredKind};

use crate::io::limits::Limit;
use crate::io::text::folded;
use decode::Decoder;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use std::cell::Cell;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Once};

/// Largest footer, bytes (our choice: some hundred thousand columns). The file states the length, so without a bound it would decide how much is allocated.
const FOOTER_BYTES_MAX: u64 = 64 << 20;
/// Text that is decoded at once, bytes, about. Our choice, because it is a small part of the half gigabyte that a refusal may cost
/// ([`crate::io::limits`]): where rows may be long, fewer of them are decoded at once.
const BATCH_BYTES: u64 = 32 << 20;
/// Rows decoded at once, where texts allow it.
const BATCH_ROWS: u64 = 8_192;
/// The same where most rows are passed over: a few pages of the longest column, so that the rest of them needn't be decompressed.
const FILTERED_ROWS: u64 = 1_024;
/// A file's last bytes: the footer's length and the format's name.
const TAIL_BYTES: u64 = 8;
const MAGIC: &[u8] = b"PAR1";

/// Why a file can't be what it claims to be (corrupt Parquet file).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsound {
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
        /// The mistake.
        why: String,
    },
    /// It can't be decoded.
    #[error("row group {group}, column {column}: {why}")]
    Decoding {
        /// Which group of rows, from 1.
        group: usize,
        /// Name of the column.
        column: String,
        /// What the reader says.
        why: String,
    },
}

impl Unsound {
    /// The remedy, for the end of a message (error hint).
    pub(crate) const fn remedy(&self) -> &'static str {
        match self {
            Self::Footer(_) => "it was cut off or overwritten: write it again",
            Self::Column { .. } | Self::Decoding { .. } => {
                "write it with Snappy or zstd compression, or none"
            }
        }
    }
}

/// A file whose footer and pages can be what they claim to be (validated Parquet file).
pub(crate) struct Sound {
    file: File,
    reader: SerializedFileReader<File>,
    pub(crate) columns: Vec<StoredColumn>,
    page_bytes_max: u64,
}

/// A record batch: some rows, as columns in the order in which these were asked for.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// The columns, in the order of `cells`.
    pub columns: Arc<[StoredColumn]>,
    /// Their cells.
    pub cells: Vec<ColumnCells>,
    /// How many rows.
    pub rows: usize,
}

/// Which rows are wanted, going by the first columns (predicate pushdown). A batch without any is passed over; others come out whole.
#[derive(Clone)]
pub(crate) struct Filter {
    /// How many columns it looks at.
    pub columns: usize,
    /// Whether it wants a row of these.
    pub wants: Arc<Wants>,
}

/// Decides whether a row is wanted, from the columns that a filter looks at and the number of the row.
pub(crate) type Wants = dyn Fn(&[ColumnCells], usize) -> bool + Send + Sync;

/// Streams the record batches of a file; nothing follows an error.
pub(crate) struct GuardedBatches {
    reader: SerializedFileReader<File>,
    columns: Arc<[StoredColumn]>,
    filter: Option<Filter>,
    batch_rows: usize,
    /// The group that comes next, by number from 0, and what is left of the one before it.
    group: usize,
    decoders: Vec<Decoder>,
    rows_left: usize,
}

impl Sound {
    /// Opens a file whose pages may need so many bytes at once (footer and page header validation).
    ///
    /// # Errors
    /// When it isn't Parquet, or claims what can't be.
    pub(crate) fn open(file: File, page_bytes_max: u64) -> Result<Self, Unsound> {
        let footer = |why: &dyn std::fmt::Display| Unsound::Footer(folded(why));
        check_footer(&file)?;
        let copy = file.try_clone().map_err(|error| footer(&error))?;
        let opened = caught(|| {
            let reader = SerializedFileReader::new(copy).map_err(|error| footer(&error))?;
            let columns = stored::columns(reader.metadata().file_metadata().schema_descr());
            Ok((reader, columns))
        });
        let (reader, columns) = opened.unwrap_or_else(|panic| Err(Unsound::Footer(panic)))?;
        check_groups(&file, reader.metadata())?;
        Ok(Self { file, reader, columns, page_bytes_max })
    }

    /// The number of rows of all row groups, as the footer claims it (row count).
    pub(crate) fn rows(&self) -> u64 {
        self.reader.metadata().row_groups().iter().map(|group| group.num_rows().max(0) as u64).sum()
    }

    /// Reads some columns, by their places among all, and passes over what a filter doesn't want (column projection). Columns that can't be read are
    /// to be refused before.
    ///
    /// # Errors
    /// When their pages claim what can't be.
    pub(crate) fn read(self, places: &[usize], filter: Option<Filter>) -> Result<GuardedBatches, Unsound> {
        let Self { file, reader, columns, page_bytes_max } = self;
        let columns: Arc<[StoredColumn]> = places.iter().map(|place| columns[*place].clone()).collect();
        let text_bytes = check_pages(&file, reader.metadata(), &columns, page_bytes_max)?;
        let rows_max = if filter.is_some() { FILTERED_ROWS } else { BATCH_ROWS };
        let batch_rows = (BATCH_BYTES / text_bytes.max(1)).clamp(1, rows_max) as usize;
        Ok(GuardedBatches {
            reader,
            columns,
            filter,
            batch_rows,
            group: 0,
            decoders: Vec::new(),
            rows_left: 0,
        })
    }
}

impl Iterator for GuardedBatches {
    type Item = Result<Batch, Unsound>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_wanted().transpose();
        // After an error decoders of different columns may stand at different rows, and going on would mix them.
        if matches!(next, Some(Err(_))) {
            (self.group, self.rows_left) = (self.reader.metadata().num_row_groups(), 0);
        }
        next
    }
}

impl GuardedBatches {
    fn next_wanted(&mut self) -> Result<Option<Batch>, Unsound> {
        while self.has_rows()? {
            let rows = self.rows_left.min(self.batch_rows);
            self.rows_left -= rows;
            let looked_at = self.filter.as_ref().map_or(0, |filter| filter.columns);
            let mut batch = Batch { columns: self.columns.clone(), cells: Vec::new(), rows };
            for column in 0..looked_at {
                batch.cells.push(self.decode(column, |decoder| decoder.read(rows))?);
            }
            let wants = |filter: &Filter| (0..rows).any(|row| (filter.wants)(&batch.cells, row));
            let is_wanted = self.filter.as_ref().is_none_or(wants);
            for column in looked_at..self.columns.len() {
                if is_wanted {
                    batch.cells.push(self.decode(column, |decoder| decoder.read(rows))?);
                } else {
                    self.decode(column, |decoder| decoder.skip(rows))?;
                }
            }
            if is_wanted {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// Whether rows are left, those of the next group if need be.
    fn has_rows(&mut self) -> Result<bool, Unsound> {
        while self.rows_left == 0 {
            let Some(group) = self.reader.metadata().row_groups().get(self.group) else { return Ok(false) };
            self.rows_left = usize::try_from(group.num_rows()).unwrap_or(0);
            self.group += 1;
            self.decoders =
                (0..self.columns.len()).map(|column| self.decoder(column)).collect::<Result<_, _>>()?;
        }
        Ok(true)
    }

    fn decoder(&self, column: usize) -> Result<Decoder, Unsound> {
        let StoredColumn { leaf, kind, .. } = &self.columns[column];
        let begun = caught(|| {
            let leaf = leaf.ok_or_else(|| format!("{kind} is not read"))?;
            let group = self.reader.get_row_group(self.group - 1).map_err(folded)?;
            group.get_column_reader(leaf).map_err(folded)
        });
        let reader = begun.flatten().map_err(|why| self.undecodable(column, why))?;
        Ok(Decoder::new(reader, kind.clone()))
    }

    fn decode<T>(
        &mut self,
        column: usize,
        work: impl FnOnce(&mut Decoder) -> parquet::errors::Result<T>,
    ) -> Result<T, Unsound> {
        let decoder = &mut self.decoders[column];
        let done = caught(|| work(decoder).map_err(folded));
        done.flatten().map_err(|why| self.undecodable(column, why))
    }

    fn undecodable(&self, column: usize, why: String) -> Unsound {
        Unsound::Decoding { group: self.group, column: self.columns[column].name.clone(), why }
    }
}

/// The footer is walked through before the reader makes lists of the lengths it claims.
fn check_footer(file: &File) -> Result<(), Unsound> {
    let unsound = |why: &str| Unsound::Footer(why.to_owned());
    let unreadable = |error: std::io::Error| Unsound::Footer(folded(error));
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
    let bytes = file.metadata().map_err(|error| Unsound::Footer(folded(error)))?.len();
    for (number, group) in groups.iter().enumerate() {
        for column in group.columns() {
            pages::extent(bytes, column).map_err(|why| Unsound::at_chunk(column, number, why))?;
        }
    }
    Ok(())
}

/// The bytes that a row of text may take at most, going by the largest dictionaries and pages of the columns that are read.
fn check_pages(
    file: &File,
    footer: &ParquetMetaData,
    columns: &[StoredColumn],
    most: u64,
) -> Result<u64, Unsound> {
    let mut text_bytes = 0;
    for (number, group) in footer.row_groups().iter().enumerate() {
        text_bytes = text_bytes.max(check_group(file, (number, group), columns, most)?);
    }
    Ok(text_bytes)
}

fn check_group(
    file: &File,
    (number, group): (usize, &RowGroupMetaData),
    columns: &[StoredColumn],
    most: u64,
) -> Result<u64, Unsound> {
    let (mut at_once, mut text_bytes) = (0_u64, 0_u64);
    for column in columns.iter().filter_map(|column| group.columns().get(column.leaf?)) {
        let unsound = |why: String| Unsound::at_chunk(column, number, why);
        let found = pages::check(file, group, column).map_err(unsound)?;
        at_once += found.largest_bytes;
        text_bytes = text_bytes.max(found.text_bytes);
        // One page of each column is in memory at once. Writers make pages of about a megabyte, so an honest file stays far below.
        if at_once > most {
            let remedy = Limit::PageBytes.remedy();
            return Err(unsound(format!(
                "its pages need {at_once} bytes at once, and the most is {most}: write smaller ones, {remedy}"
            )));
        }
    }
    Ok(text_bytes)
}

impl Unsound {
    /// The error of a column in a group of rows, which is counted from 0 here and from 1 in the message.
    fn at_chunk(column: &ColumnChunkMetaData, number: usize, why: String) -> Self {
        Self::Column { column: column.column_path().string(), group: number + 1, why }
    }
}

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Runs work that may panic (`catch_unwind`) because a file is damaged, and returns the panic's message. Nothing is printed: a user's corrupt file is
/// refused in a line, and a backtrace would look like a bug of the program.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // The hook belongs to the whole process, so it is set once, and a flag of the thread says whether its panic is expected; replacing it around each call
    // would silence other threads.
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
        folded(said)
    })
}

#[cfg(test)]
pub(crate) mod test_file;
#[cfg(test)]
mod tests;
