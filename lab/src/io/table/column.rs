//! The fixed properties of a table and its columns (table schema, column metadata): name, unit, data type, whether null is allowed, the
//! description in the reference page `docs/src/tables.md`. All is `const`, so that a column that doesn't exist is a compile error. A column
//! kind is a data type: int64, float64, bool or string. Only tables whose columns are known at run time, such as a sweep's joined tables,
//! have a dynamic schema (`FileColumn`).

use super::cell::Cell;
use super::unit::ColumnUnit;
use crate::io::parquet_guard::StoredKind;

/// The schema of one table, as [`table!`](crate::table) declares it.
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
    /// Looks up a column by its name. In a `const` it is looked up while the program is built, so a column that is renamed can't be asked
    /// for by its old name.
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

/// The schema of one column of a declared table: name, type, unit and description.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name, with the unit where a name would be misread without.
    pub name: &'static str,
    /// What its cells hold.
    pub kind: ColumnKind,
    /// Whether a cell may be empty.
    pub nullable: bool,
    /// Unit of its values.
    pub unit: ColumnUnit,
    /// What it means, when it is counted, and when it is empty.
    pub about: &'static str,
    /// Whether its texts hardly ever repeat: a dictionary (dictionary encoding) of them would be a waste, and zstd is worth its room.
    pub unique: bool,
}

morta_base::words! {
    /// The data type of a column: int64, float64, bool or string.
    pub enum ColumnKind {
        /// Whole numbers of 64 bits, signed: differences of ticks may be negative.
        Int = "int64",
        /// Real numbers of 64 bits.
        Float = "float64",
        /// True and false.
        Bool = "bool",
        /// Text in UTF-8.
        Text = "string",
    }
}

impl ColumnKind {
    /// The type as a Parquet file has it, for comparison with a schema that was read (physical type).
    pub const fn stored(self) -> StoredKind {
        match self {
            Self::Int => StoredKind::INT64,
            Self::Float => StoredKind::Float64,
            Self::Bool => StoredKind::Bool,
            Self::Text => StoredKind::Text,
        }
    }
}

impl Column {
    /// A column whose cells are read back as `T` (typed column).
    pub(crate) const fn from_cell<T: Cell>(
        name: &'static str,
        unit: ColumnUnit,
        about: &'static str,
    ) -> Self {
        // The first line of a doc comment begins with a space.
        let about = about.trim_ascii();
        Self { name, kind: T::KIND, nullable: T::NULLABLE, unit, about, unique: false }
    }

    /// Turns off dictionary encoding, for texts that hardly ever repeat (high cardinality).
    pub const fn unique(mut self) -> Self {
        self.unique = true;
        self
    }
}

/// The schema of a column that is written, declared or found at run time.
#[derive(Clone, Debug)]
pub struct FileColumn {
    /// The column, as the header has it.
    pub name: String,
    /// What its cells hold.
    pub kind: ColumnKind,
    /// Whether a cell may be empty.
    pub nullable: bool,
    /// Unit of its values, in words.
    pub unit: &'static str,
    /// What it means.
    pub about: String,
    /// Whether its texts hardly ever repeat.
    pub unique: bool,
}

impl From<&Column> for FileColumn {
    fn from(column: &Column) -> Self {
        let Column { name, kind, nullable, unit, about, unique } = *column;
        Self { name: name.to_owned(), kind, nullable, unit: unit.name(), about: about.to_owned(), unique }
    }
}
