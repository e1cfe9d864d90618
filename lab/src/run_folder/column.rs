//! The columns of tables.

use arrow_array::ArrayRef;
use arrow_array::builder::{ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_schema::{DataType, Field};

/// One column: its name, with the unit, and what it holds.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    pub kind: Kind,
    nullable: bool,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 64 bits, signed: differences of ticks may be negative.
    Int,
    Float,
    Bool,
    Text,
    /// Text that hardly ever repeats: a dictionary would be a waste.
    UniqueText,
}

impl Kind {
    /// The same in Arrow's words.
    pub const fn data_type(self) -> DataType {
        match self {
            Self::Int => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::Bool => DataType::Boolean,
            Self::Text | Self::UniqueText => DataType::Utf8,
        }
    }
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

    /// The same in Arrow's words.
    pub fn field(&self) -> Field {
        Field::new(self.name, self.kind.data_type(), self.nullable)
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

/// A column's cells until they are written.
pub enum Builder {
    Int(Int64Builder),
    Float(Float64Builder),
    Bool(BooleanBuilder),
    Text(StringBuilder),
}

impl Builder {
    /// No cells yet.
    pub fn new(kind: Kind) -> Self {
        match kind {
            Kind::Int => Self::Int(Int64Builder::new()),
            Kind::Float => Self::Float(Float64Builder::new()),
            Kind::Bool => Self::Bool(BooleanBuilder::new()),
            Kind::Text | Kind::UniqueText => Self::Text(StringBuilder::new()),
        }
    }

    /// Hands over the cells and begins anew, with room for as many: growing takes memory of every size on the way.
    pub fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Int(builder) => renew(Int64Builder::with_capacity(room(builder.len())), builder),
            Self::Float(builder) => renew(Float64Builder::with_capacity(room(builder.len())), builder),
            Self::Bool(builder) => renew(BooleanBuilder::with_capacity(room(builder.len())), builder),
            Self::Text(builder) => {
                let (cells, bytes) = (room(builder.len()), room(builder.values_slice().len()));
                renew(StringBuilder::with_capacity(cells, bytes), builder)
            }
        }
    }
}

fn renew<B: ArrayBuilder>(fresh: B, builder: &mut B) -> ArrayRef {
    std::mem::replace(builder, fresh).finish()
}

/// In few sizes, so that memory is used again.
fn room(needed: usize) -> usize {
    needed.next_power_of_two()
}
