//! Streaming Parquet: rows go in one at a time, a row group goes out whenever enough have come together, and the bytes
//! are hashed on their way. The same rows always give the same bytes.

use crate::run_folder::{RunFolder, TableFile};
use anyhow::Context as _;
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use morta_engine::base::{GolemId, Usdc};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

/// Rows of a row group: large enough to compress well, small enough that all tables together hold some tens of MB.
const GROUP_ROWS: usize = 16_384;
/// Bytes of text after which a row group ends early; payloads of dreams run to kilobytes.
const GROUP_TEXT_BYTES: usize = 16 << 20;

/// One column: its name, with the unit, and what it holds.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    kind: Kind,
    nullable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// 64 bits, signed: differences of ticks may be negative.
    Int,
    Float,
    Bool,
    Text,
    /// Text that hardly ever repeats: a dictionary would be a waste.
    UniqueText,
}

impl Column {
    const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, nullable: false }
    }

    /// May be empty.
    pub const fn or_null(mut self) -> Self {
        self.nullable = true;
        self
    }

    fn field(&self) -> Field {
        let data_type = match self.kind {
            Kind::Int => DataType::Int64,
            Kind::Float => DataType::Float64,
            Kind::Bool => DataType::Boolean,
            Kind::Text | Kind::UniqueText => DataType::Utf8,
        };
        Field::new(self.name, data_type, self.nullable)
    }
}

/// A column of whole numbers.
pub const fn int(name: &'static str) -> Column {
    Column::new(name, Kind::Int)
}

/// A column of real numbers; also of money, in dollars.
pub const fn float(name: &'static str) -> Column {
    Column::new(name, Kind::Float)
}

/// A column of yes and no.
pub const fn flag(name: &'static str) -> Column {
    Column::new(name, Kind::Bool)
}

/// A column of names.
pub const fn text(name: &'static str) -> Column {
    Column::new(name, Kind::Text)
}

/// A column of text that hardly ever repeats.
pub const fn unique_text(name: &'static str) -> Column {
    Column::new(name, Kind::UniqueText)
}

enum Builder {
    Int(Int64Builder),
    Float(Float64Builder),
    Bool(BooleanBuilder),
    Text(StringBuilder),
}

impl Builder {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Int => Self::Int(Int64Builder::new()),
            Kind::Float => Self::Float(Float64Builder::new()),
            Kind::Bool => Self::Bool(BooleanBuilder::new()),
            Kind::Text | Kind::UniqueText => Self::Text(StringBuilder::new()),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Int(builder) => Arc::new(builder.finish()),
            Self::Float(builder) => Arc::new(builder.finish()),
            Self::Bool(builder) => Arc::new(builder.finish()),
            Self::Text(builder) => Arc::new(builder.finish()),
        }
    }
}

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
    pub fn create(
        folder: &RunFolder,
        name: &'static str,
        columns: &'static [Column],
    ) -> anyhow::Result<Self> {
        let schema: SchemaRef = Arc::new(Schema::new(columns.iter().map(Column::field).collect::<Vec<_>>()));
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(GROUP_ROWS));
        for column in columns.iter().filter(|column| column.kind == Kind::UniqueText) {
            properties = properties.set_column_dictionary_enabled(column.name.into(), false);
        }
        let file = HashingFile::create(folder, name)?;
        let out = ArrowWriter::try_new(file, schema.clone(), Some(properties.build()))
            .with_context(|| format!("{name} can't be begun"))?;
        let builders = columns.iter().map(|column| Builder::new(column.kind)).collect();
        Ok(Self { name, columns, schema, builders, waiting_rows: 0, waiting_text_bytes: 0, rows: 0, out })
    }

    /// Begins a row; its cells follow in the order of the columns, then [`Row::end`].
    pub fn row(&mut self) -> Row<'_> {
        Row { table: self, next: 0 }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        if self.waiting_rows == 0 {
            return Ok(());
        }
        let arrays = self.builders.iter_mut().map(Builder::finish).collect();
        let write = || {
            let batch = RecordBatch::try_new(self.schema.clone(), arrays)?;
            self.out.write(&batch)?;
            self.out.flush()
        };
        write().with_context(|| format!("{} can't be written", self.name))?;
        (self.waiting_rows, self.waiting_text_bytes) = (0, 0);
        Ok(())
    }

    /// Writes what is left; the file keeps its temporary name.
    pub fn finish(mut self) -> anyhow::Result<TableFile> {
        self.flush()?;
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

    /// Three columns: lineage, generation, and both as a name.
    pub fn golem(&mut self, id: GolemId) -> &mut Self {
        self.int(id.lineage).int(id.generation).text(id.to_string())
    }

    /// The row is complete.
    pub fn end(&mut self) -> anyhow::Result<()> {
        let table = &mut *self.table;
        assert_eq!(self.next, table.columns.len(), "a row of {} has all its cells", table.name);
        table.rows += 1;
        table.waiting_rows += 1;
        if table.waiting_rows >= GROUP_ROWS || table.waiting_text_bytes >= GROUP_TEXT_BYTES {
            table.flush()?;
        }
        Ok(())
    }

    fn misplaced(&self, what: &str) -> ! {
        let column = self.table.columns[self.next - 1].name;
        unreachable!("{what} doesn't go into column {column} of {}", self.table.name)
    }
}

/// A file under its temporary name that knows its size and hash when it ends.
pub struct HashingFile {
    out: BufWriter<File>,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl HashingFile {
    /// Begins the file.
    pub fn create(folder: &RunFolder, name: &str) -> anyhow::Result<Self> {
        let path = folder.partial(name);
        let file = File::create(&path).with_context(|| format!("{} can't be made", path.display()))?;
        Ok(Self { out: BufWriter::new(file), hasher: blake3::Hasher::new(), bytes: 0 })
    }

    /// Brings everything to the disk.
    pub fn finish(mut self, name: &str, rows: u64) -> anyhow::Result<TableFile> {
        let sync = self.out.flush().and_then(|()| self.out.get_ref().sync_all());
        sync.with_context(|| format!("{name} can't be brought to the disk"))?;
        let blake3 = self.hasher.finalize().to_hex().to_string();
        Ok(TableFile { name: name.to_owned(), rows, bytes: self.bytes, blake3 })
    }
}

impl Write for HashingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
