//! Sums of records, field by field (a reduction). Whoever adds a field to such a record and leaves it out of the sum gets a compile error.

/// Implements `+=` for records whose fields all add up.
macro_rules! sums {
    ($($Record:ident { $($field:ident),+ $(,)? })+) => {
        $(impl std::ops::AddAssign for $Record {
            fn add_assign(&mut self, other: Self) {
                let Self { $($field),+ } = other;
                $(self.$field += $field;)+
            }
        })+
    };
}

pub(crate) use sums;
