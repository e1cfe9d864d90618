//! The columns of tables.

use arrow_array::ArrayRef;
use arrow_array::builder::{ArrayBuilder as _, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_schema::{DataType, Field};
use std::mem;
use std::sync::Arc;

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
            Self::Int(builder) => {
                let fresh = Int64Builder::with_capacity(room(builder.len()));
                Arc::new(mem::replace(builder, fresh).finish())
            }
            Self::Float(builder) => {
                let fresh = Float64Builder::with_capacity(room(builder.len()));
                Arc::new(mem::replace(builder, fresh).finish())
            }
            Self::Bool(builder) => {
                let fresh = BooleanBuilder::with_capacity(room(builder.len()));
                Arc::new(mem::replace(builder, fresh).finish())
            }
            Self::Text(builder) => {
                let bytes = builder.values_slice().len();
                let fresh = StringBuilder::with_capacity(room(builder.len()), room(bytes));
                Arc::new(mem::replace(builder, fresh).finish())
            }
        }
    }
}

/// In few sizes, so that memory is used again.
fn room(needed: usize) -> usize {
    needed.next_power_of_two()
}
