//! Streaming Parquet: rows go in one at a time and are encoded in batches, a row group goes out whenever it is full, and the bytes are
//! hashed on their way. The same rows always give the same bytes. It is a Parquet writer with bounded memory: the batches end at fixed
//! numbers of cells and bytes, whatever the threads do. Bytes are reproducible, because a folder is verified by its hashes. The caller
//! gives the finished file its name.

use crate::io::error::{Context as _, Result};
use crate::io::parquet_guard::ColumnCells;
use crate::io::table::{FileColumn, FillRow, RowBuilder, TableRow};
use crate::run::run_folder::hashing_file::HashingFile;
use crate::run::run_folder::layout::{GROUP_ROWS, properties, schema};
use crate::run::run_folder::{RunFolder, WrittenTable};
use bytes::Bytes;
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnWriter, get_column_writer};
use parquet::errors::Result as ParquetResult;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use std::io::Write as _;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

/// Cells, or bytes of text, that are encoded together: few enough to be in the cache still, and to be all that is not yet encoded of a
/// group. What is encoded waits in compressed pages until its group is full.
const BATCH_CELLS: usize = 1 << 14;
const BATCH_TEXT_BYTES: usize = 64 << 10;

/// One table of rows `R` on its way to the disk (typed Parquet writer).
pub(crate) struct TableWriter<R> {
    table: Encoder,
    rows: PhantomData<fn(R)>,
}

impl<R: TableRow> TableWriter<R> {
    /// Begins the table under its temporary name (temporary file).
    ///
    /// # Errors
    /// When the file can't be made.
    pub(crate) fn create(folder: &RunFolder) -> Result<Self> {
        let columns: Vec<FileColumn> = R::TABLE.columns.iter().map(FileColumn::from).collect();
        Ok(Self { table: Encoder::create(folder, R::TABLE.file, &columns)?, rows: PhantomData })
    }

    /// Appends the row that is made from this source.
    ///
    /// # Errors
    /// When the file can't be written.
    pub(crate) fn add<Source>(&mut self, source: &Source) -> Result<()>
    where
        R: FillRow<Source>,
    {
        self.table.add(|cells| R::fill(source, cells))
    }

    /// Writes what is left; the file keeps its temporary name (Parquet footer).
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn finish(self) -> Result<WrittenTable> {
        self.table.finish()
    }
}

/// The encoder of any table, apart from the type of its rows: only `fill` depends on that (Parquet encoder).
pub(crate) struct Encoder {
    name: String,
    /// By column, whether a cell may be missing.
    nullable: Vec<bool>,
    /// Cells that aren't encoded yet.
    cells: Vec<ColumnCells>,
    waiting_rows: usize,
    waiting_text_bytes: usize,
    /// Encoded columns of the group that isn't full; none before its first batch.
    chunks: Vec<Chunk>,
    group_rows: usize,
    rows: u64,
    out: SerializedFileWriter<HashingFile>,
}

/// A column of a group that isn't full yet.
struct Chunk {
    out: ColumnWriter<'static>,
    pages: Pages,
}

/// Encoded pages. All columns of a group grow at once, and the file has them one after another, so they wait here.
#[derive(Clone, Default)]
struct Pages(Arc<Mutex<Vec<u8>>>);

/// A panic while it is locked ends the table.
const LOCKED: &str = "pages are locked while one is added";

impl PageWriter for Pages {
    fn write_page(&mut self, page: CompressedPage) -> ParquetResult<PageWriteSpec> {
        let mut pages = self.0.lock().expect(LOCKED);
        let begin = pages.len() as u64;
        let mut out = TrackedWrite::new(&mut *pages);
        let mut written = SerializedPageWriter::new(&mut out).write_page(page)?;
        out.flush()?;
        written.offset += begin;
        Ok(written)
    }

    fn close(&mut self) -> ParquetResult<()> {
        Ok(())
    }
}

impl Encoder {
    /// Begins a table under its temporary name (temporary file).
    ///
    /// # Errors
    /// When the file can't be made.
    pub(crate) fn create(folder: &RunFolder, name: &str, columns: &[FileColumn]) -> Result<Self> {
        let file = HashingFile::create(folder, name)?;
        let begin = || SerializedFileWriter::new(file, schema(columns)?, Arc::new(properties(columns)));
        let out = begin().with_context(|| format!("{name} can't be begun"))?;
        Ok(Self {
            name: name.to_owned(),
            nullable: columns.iter().map(|column| column.nullable).collect(),
            cells: columns.iter().map(|column| ColumnCells::new(column.kind)).collect(),
            waiting_rows: 0,
            waiting_text_bytes: 0,
            chunks: Vec::new(),
            group_rows: 0,
            rows: 0,
            out,
        })
    }

    /// Adds the row that this fills (appends a row).
    ///
    /// # Errors
    /// When the file can't be written.
    pub(crate) fn add(&mut self, fill: impl FnOnce(&mut RowBuilder<'_>)) -> Result<()> {
        let mut row = RowBuilder::new(&mut self.cells);
        fill(&mut row);
        // A missing cell would shift all later rows of its column, and the file would still be readable.
        assert!(row.is_complete(), "a row of {} has all its cells", self.name);
        self.waiting_text_bytes += row.text_bytes;
        self.waiting_rows += 1;
        self.group_rows += 1;
        self.rows += 1;
        let is_full = self.group_rows == GROUP_ROWS;
        let waiting_cells = self.waiting_rows * self.cells.len();
        if is_full || waiting_cells >= BATCH_CELLS || self.waiting_text_bytes >= BATCH_TEXT_BYTES {
            self.encode().with_context(|| format!("{} can't be written", self.name))?;
        }
        if is_full { self.end_group() } else { Ok(()) }
    }

    fn encode(&mut self) -> ParquetResult<()> {
        if self.waiting_rows == 0 {
            return Ok(());
        }
        if self.chunks.is_empty() {
            self.chunks.extend(self.out.schema_descr().columns().iter().map(|column| {
                let pages = Pages::default();
                let properties = self.out.properties().clone();
                let out = get_column_writer(column.clone(), properties, Box::new(pages.clone()));
                Chunk { out, pages }
            }));
        }
        for ((cells, chunk), nullable) in self.cells.iter_mut().zip(&mut self.chunks).zip(&self.nullable) {
            cells.encode(&mut chunk.out, *nullable)?;
        }
        (self.waiting_rows, self.waiting_text_bytes) = (0, 0);
        Ok(())
    }

    fn end_group(&mut self) -> Result<()> {
        let mut write = || {
            let mut group = self.out.next_row_group()?;
            for Chunk { out, pages } in self.chunks.drain(..) {
                let closed = out.close()?;
                let pages = std::mem::take(&mut *pages.0.lock().expect(LOCKED));
                group.append_column(&Bytes::from(pages), closed)?;
            }
            group.close()
        };
        write().with_context(|| format!("{} can't be written", self.name))?;
        self.group_rows = 0;
        Ok(())
    }

    /// Writes the last rows; the file keeps its temporary name (Parquet footer).
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn finish(mut self) -> Result<WrittenTable> {
        if self.group_rows > 0 {
            self.encode().with_context(|| format!("{} can't be written", self.name))?;
            self.end_group()?;
        }
        let file = self.out.into_inner().with_context(|| format!("{} can't be ended", self.name))?;
        file.finish(&self.name, self.rows)
    }
}
