//! Streaming Parquet: rows go in one at a time, some are encoded at once, a row group goes out whenever it is full, and the bytes
//! are hashed on their way. The same rows always give the same bytes.

use crate::error::Context as _;
use crate::run_folder::column::{Builder, Column, Kind};
use crate::run_folder::hashing_file::HashingFile;
use crate::run_folder::layout::properties;
use crate::run_folder::{RunFolder, TableFile};
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use morta_engine::base::{GolemId, Usdc};
use parquet::arrow::ArrowWriter;
use std::fmt::{Display, Write as _};
use std::sync::Arc;

/// Cells, or bytes of text, that are encoded together: few enough to be in the cache still, and to be all that is not yet encoded of a
/// group. What is encoded waits in compressed pages until its group is full.
const BATCH_CELLS: usize = 1 << 14;
const BATCH_TEXT_BYTES: usize = 64 << 10;

/// One table on its way to the disk.
pub struct TableWriter {
    name: &'static str,
    columns: &'static [Column],
    schema: SchemaRef,
    builders: Vec<Builder>,
    waiting_rows: usize,
    waiting_text_bytes: usize,
    rows: u64,
    out: ArrowWriter<HashingFile>,
}

impl TableWriter {
    /// Begins the table under its temporary name.
    pub fn create(folder: &RunFolder, name: &'static str, columns: &'static [Column]) -> crate::Result<Self> {
        let schema: SchemaRef = Arc::new(Schema::new(columns.iter().map(Column::field).collect::<Vec<_>>()));
        let unique = columns.iter().filter(|column| column.kind == Kind::UniqueText);
        let properties = properties(&schema, unique.map(|column| column.name));
        let file = HashingFile::create(folder, name)?;
        let out = ArrowWriter::try_new(file, schema.clone(), Some(properties))
            .with_context(|| format!("{name} can't be begun"))?;
        let builders = columns.iter().map(|column| Builder::new(column.kind)).collect();
        Ok(Self { name, columns, schema, builders, waiting_rows: 0, waiting_text_bytes: 0, rows: 0, out })
    }

    /// Begins a row; its cells follow in the order of the columns, then [`Row::end`].
    pub fn row(&mut self) -> Row<'_> {
        Row { table: self, next: 0 }
    }

    fn encode(&mut self) -> crate::Result<()> {
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

    /// Writes what is left; the file keeps its temporary name.
    pub fn finish(mut self) -> crate::Result<TableFile> {
        self.encode()?;
        let file = self.out.into_inner().with_context(|| format!("{} can't be ended", self.name))?;
        file.finish(self.name, self.rows)
    }
}

/// A row being written.
pub struct Row<'a> {
    table: &'a mut TableWriter,
    next: usize,
}

impl Row<'_> {
    fn builder(&mut self) -> &mut Builder {
        self.next += 1;
        &mut self.table.builders[self.next - 1]
    }

    /// A whole number.
    pub fn int<T: TryInto<i64>>(&mut self, value: T) -> &mut Self {
        self.int_or_null(Some(value))
    }

    /// A whole number, if there is one.
    pub fn int_or_null<T: TryInto<i64>>(&mut self, value: Option<T>) -> &mut Self {
        let value = value.map(|value| {
            value.try_into().unwrap_or_else(|_| unreachable!("ticks and counts stay below 2^63"))
        });
        match self.builder() {
            Builder::Int(builder) => builder.append_option(value),
            _ => self.misplaced("a whole number"),
        }
        self
    }

    /// A real number.
    pub fn float(&mut self, value: f64) -> &mut Self {
        self.float_or_null(Some(value))
    }

    /// A real number, if there is one.
    pub fn float_or_null(&mut self, value: Option<f64>) -> &mut Self {
        match self.builder() {
            Builder::Float(builder) => builder.append_option(value),
            _ => self.misplaced("a real number"),
        }
        self
    }

    /// Money, in dollars.
    pub fn usdc(&mut self, value: Usdc) -> &mut Self {
        self.float(value.dollars())
    }

    /// Money, if there is any to speak of.
    pub fn usdc_or_null(&mut self, value: Option<Usdc>) -> &mut Self {
        self.float_or_null(value.map(Usdc::dollars))
    }

    /// Yes or no.
    pub fn flag(&mut self, value: bool) -> &mut Self {
        self.flag_or_null(Some(value))
    }

    /// Yes or no, if it is known.
    pub fn flag_or_null(&mut self, value: Option<bool>) -> &mut Self {
        match self.builder() {
            Builder::Bool(builder) => builder.append_option(value),
            _ => self.misplaced("yes or no"),
        }
        self
    }

    /// Text.
    pub fn text(&mut self, value: impl AsRef<str>) -> &mut Self {
        self.text_or_null(Some(value))
    }

    /// Text, if there is any.
    pub fn text_or_null(&mut self, value: Option<impl AsRef<str>>) -> &mut Self {
        let value = value.as_ref().map(AsRef::as_ref);
        self.table.waiting_text_bytes += value.map_or(0, str::len);
        match self.builder() {
            Builder::Text(builder) => builder.append_option(value),
            _ => self.misplaced("text"),
        }
        self
    }

    /// Something with a name, if there is one: written without a detour.
    pub fn name_or_null(&mut self, value: Option<impl Display>) -> &mut Self {
        let Some(value) = value else { return self.text_or_null(None::<&str>) };
        match self.builder() {
            Builder::Text(builder) => {
                write!(builder, "{value}").expect("memory can be written to");
                builder.append_value("");
            }
            _ => self.misplaced("text"),
        }
        self
    }

    /// Something with a name.
    pub fn name(&mut self, value: impl Display) -> &mut Self {
        self.name_or_null(Some(value))
    }

    /// Three columns: lineage, generation, and both as a name; the lineage of one of an earlier run is that of its own run, which
    /// the name tells.
    pub fn golem(&mut self, id: GolemId) -> &mut Self {
        self.int(id.slot()).int(id.generation).name(id)
    }

    /// The row is complete.
    pub fn end(&mut self) -> crate::Result<()> {
        let table = &mut *self.table;
        assert_eq!(self.next, table.columns.len(), "a row of {} has all its cells", table.name);
        table.rows += 1;
        table.waiting_rows += 1;
        let waiting_cells = table.waiting_rows * table.columns.len();
        if waiting_cells >= BATCH_CELLS || table.waiting_text_bytes >= BATCH_TEXT_BYTES {
            table.encode()?;
        }
        Ok(())
    }

    fn misplaced(&self, what: &str) -> ! {
        let column = self.table.columns[self.next - 1].name;
        unreachable!("{what} doesn't go into column {column} of {}", self.table.name)
    }
}
