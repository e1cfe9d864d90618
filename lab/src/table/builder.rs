//! Cells on their way to a file.

use super::cell::Cells;
use super::column::Kind;
use arrow_array::ArrayRef;
use arrow_array::builder::{ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use std::fmt::{Display, Write as _};

/// A column's cells until they are written.
pub enum Builder {
    /// Of a column of whole numbers.
    Int(Int64Builder),
    /// Of a column of real numbers.
    Float(Float64Builder),
    /// Of a column of true and false.
    Bool(BooleanBuilder),
    /// Of a column of text.
    Text(StringBuilder),
}

impl Builder {
    /// No cells yet.
    pub fn new(kind: Kind) -> Self {
        match kind {
            Kind::Int => Self::Int(Int64Builder::new()),
            Kind::Float => Self::Float(Float64Builder::new()),
            Kind::Bool => Self::Bool(BooleanBuilder::new()),
            Kind::Text => Self::Text(StringBuilder::new()),
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

/// The cells of one row, each going to the builder of its column.
pub struct RowBuilder<'a> {
    builders: std::slice::IterMut<'a, Builder>,
    /// Bytes of text that were added, names aside.
    pub text_bytes: usize,
}

impl<'a> RowBuilder<'a> {
    /// Begins a row.
    pub fn new(builders: &'a mut [Builder]) -> Self {
        Self { builders: builders.iter_mut(), text_bytes: 0 }
    }

    fn next(&mut self) -> &mut Builder {
        self.builders.next().expect("a row has as many cells as its table has columns")
    }

    /// Whether every column has got its cell.
    pub fn is_complete(&self) -> bool {
        self.builders.len() == 0
    }
}

/// Kinds can't differ: the declaration that fills a cell also says which builder its column has.
const SAME: &str = "a cell is of the kind of its column";

impl Cells for RowBuilder<'_> {
    fn int(&mut self, value: Option<i64>) {
        let Builder::Int(builder) = self.next() else { unreachable!("{SAME}") };
        builder.append_option(value);
    }

    fn float(&mut self, value: Option<f64>) {
        let Builder::Float(builder) = self.next() else { unreachable!("{SAME}") };
        builder.append_option(value);
    }

    fn flag(&mut self, value: Option<bool>) {
        let Builder::Bool(builder) = self.next() else { unreachable!("{SAME}") };
        builder.append_option(value);
    }

    fn text(&mut self, value: Option<&str>) {
        self.text_bytes += value.map_or(0, str::len);
        let Builder::Text(builder) = self.next() else { unreachable!("{SAME}") };
        builder.append_option(value);
    }

    /// Without a detour over a text of its own. Its bytes aren't counted: that would move the ends of batches, and with them the bytes of
    /// files.
    fn name(&mut self, value: impl Display) {
        let Builder::Text(builder) = self.next() else { unreachable!("{SAME}") };
        write!(builder, "{value}").expect("memory can be written to");
        builder.append_value("");
    }
}
