//! What is fixed about a table and its columns.

use super::cell::Cell;
use super::unit::Unit;
use arrow_schema::{DataType, Field};
use std::collections::HashMap;

/// One table, as [`table!`](crate::table) declares it.
#[derive(Clone, Copy, Debug)]
pub struct TableSpec {
    /// Its file.
    pub file: &'static str,
    /// What a row is.
    pub about: &'static str,
    /// Its columns, in their order.
    pub columns: &'static [Column],
    /// The column that says at which tick a row was written, if there is one.
    pub tick: Option<&'static str>,
}

impl TableSpec {
    /// A column by its name. In a `const` it is looked up while the program is built, so a column that is renamed can't be asked for by
    /// its old name.
    ///
    /// # Panics
    /// When there is none.
    pub const fn column(&self, name: &str) -> &'static Column {
        let mut place = 0;
        while place < self.columns.len() {
            if same(self.columns[place].name, name) {
                return &self.columns[place];
            }
            place += 1;
        }
        panic!("the table declares no column of this name")
    }
}

/// `==` of texts, which constants can't use.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut place = 0;
    while place < a.len() && place < b.len() && a[place] == b[place] {
        place += 1;
    }
    place == a.len() && place == b.len()
}

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name, with the unit where a name would be misread without.
    pub name: &'static str,
    /// What its cells hold.
    pub kind: Kind,
    /// Whether a cell may be empty.
    pub nullable: bool,
    /// What its values are measured in.
    pub unit: Unit,
    /// What it means, when it is counted, and when it is empty.
    pub about: &'static str,
    /// Whether its texts hardly ever repeat: a dictionary of them would be a waste, and zstd is worth its room.
    pub unique: bool,
}

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers of 64 bits, signed: differences of ticks may be negative.
    Int,
    /// Real numbers of 64 bits.
    Float,
    /// True and false.
    Bool,
    /// Text in UTF-8.
    Text,
}

impl Kind {
    /// As Arrow has it.
    pub const fn data_type(self) -> DataType {
        match self {
            Self::Int => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::Bool => DataType::Boolean,
            Self::Text => DataType::Utf8,
        }
    }

    /// As the data dictionary has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int => "int64",
            Self::Float => "float64",
            Self::Bool => "bool",
            Self::Text => "string",
        }
    }
}

impl Column {
    /// A column whose cells are read back as `T`.
    pub const fn of<T: Cell>(name: &'static str, unit: Unit, about: &'static str) -> Self {
        // The first line of a doc comment begins with a space.
        let about = about.trim_ascii();
        Self { name, kind: T::KIND, nullable: T::NULLABLE, unit, about, unique: false }
    }

    /// The same, of texts that hardly ever repeat.
    pub const fn unique(mut self) -> Self {
        self.unique = true;
        self
    }

    /// As Arrow has it, described.
    pub fn field(&self) -> Field {
        let field = Field::new(self.name, self.kind.data_type(), self.nullable);
        described(field, self.unit.name(), self.about)
    }
}

/// A field that says itself what its column means and in which unit: in Python,
/// `pyarrow.parquet.read_schema(file).field(name).metadata`. What is empty is left out.
pub fn described(field: Field, unit: &str, about: &str) -> Field {
    let metadata = [("unit", unit), ("meaning", about)];
    let metadata = metadata.into_iter().filter(|(_, text)| !text.is_empty());
    field.with_metadata(
        metadata.map(|(key, text)| (key.to_owned(), text.to_owned())).collect::<HashMap<_, _>>(),
    )
}
