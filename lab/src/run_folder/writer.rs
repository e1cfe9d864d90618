//! Streaming Parquet: rows go in one at a time, some are encoded at once, a row group goes out whenever it is full, and the bytes
//! are hashed on their way. The same rows always give the same bytes.

use crate::error::{Context as _, Result};
use crate::run_folder::hashing_file::HashingFile;
use crate::run_folder::layout::properties;
use crate::run_folder::{RunFolder, TableFile};
use crate::table::{Builder, Column, FillRow, RowBuilder, TableRow, TableSpec};
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use std::marker::PhantomData;
use std::sync::Arc;

/// Cells, or bytes of text, that are encoded together: few enough to be in the cache still, and to be all that is not yet encoded of a
/// group. What is encoded waits in compressed pages until its group is full.
const BATCH_CELLS: usize = 1 << 14;
const BATCH_TEXT_BYTES: usize = 64 << 10;

/// One table of rows `R` on its way to the disk.
pub struct TableWriter<R> {
    table: Encoder,
    rows: PhantomData<fn(R)>,
}

impl<R: TableRow> TableWriter<R> {
    /// Begins the table under its temporary name.
    ///
    /// # Errors
    /// When the file can't be made.
    pub fn create(folder: &RunFolder) -> Result<Self> {
        Ok(Self { table: Encoder::create(folder, R::TABLE)?, rows: PhantomData })
    }

    /// Adds the row that is made from this.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn add<Source>(&mut self, source: &Source) -> Result<()>
    where
        R: FillRow<Source>,
    {
        let mut cells = RowBuilder::new(&mut self.table.builders);
        R::fill(source, &mut cells);
        assert!(cells.is_complete(), "a row of {} has all its cells", R::TABLE.file);
        let text_bytes = cells.text_bytes;
        self.table.end_row(text_bytes)
    }

    /// Writes what is left; the file keeps its temporary name.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn finish(self) -> Result<TableFile> {
        self.table.finish()
    }
}

/// What is the same whatever the rows are.
struct Encoder {
    name: &'static str,
    schema: SchemaRef,
    builders: Vec<Builder>,
    waiting_rows: usize,
    waiting_text_bytes: usize,
    rows: u64,
    out: ArrowWriter<HashingFile>,
}

impl Encoder {
    fn create(folder: &RunFolder, table: &TableSpec) -> Result<Self> {
        let name = table.file;
        let fields: Vec<_> = table.columns.iter().map(Column::field).collect();
        let schema: SchemaRef = Arc::new(Schema::new(fields));
        let unique = table.columns.iter().filter(|column| column.unique);
        let properties = properties(&schema, unique.map(|column| column.name));
        let file = HashingFile::create(folder, name)?;
        let out = ArrowWriter::try_new(file, schema.clone(), Some(properties))
            .with_context(|| format!("{name} can't be begun"))?;
        let builders = table.columns.iter().map(|column| Builder::new(column.kind)).collect();
        Ok(Self { name, schema, builders, waiting_rows: 0, waiting_text_bytes: 0, rows: 0, out })
    }

    fn end_row(&mut self, text_bytes: usize) -> Result<()> {
        self.rows += 1;
        self.waiting_rows += 1;
        self.waiting_text_bytes += text_bytes;
        let waiting_cells = self.waiting_rows * self.builders.len();
        if waiting_cells >= BATCH_CELLS || self.waiting_text_bytes >= BATCH_TEXT_BYTES {
            self.encode()?;
        }
        Ok(())
    }

    fn encode(&mut self) -> Result<()> {
        if self.waiting_rows == 0 {
            return Ok(());
        }
        let arrays = self.builders.iter_mut().map(Builder::finish).collect();
        let write = || {
            let batch = RecordBatch::try_new(self.schema.clone(), arrays)?;
            self.out.write(&batch)
        };
        write().with_context(|| format!("{} can't be written", self.name))?;
        (self.waiting_rows, self.waiting_text_bytes) = (0, 0);
        Ok(())
    }

    fn finish(mut self) -> Result<TableFile> {
        self.encode()?;
        let file = self.out.into_inner().with_context(|| format!("{} can't be ended", self.name))?;
        file.finish(self.name, self.rows)
    }
}
