//! The columns of a file: what their cells are, going by physical, logical and converted types. This is schema mapping: the Parquet schema
//! becomes column data types as Arrow names them (int64, double, string, timestamp, decimal). A type that nothing here decodes keeps its
//! name (`StoredKind::Other`), and a reader that wants such a column refuses the file; price files read days (`Date32`) nevertheless. Names
//! are Arrow's, because that is how pandas and polars call types in their own messages.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type};
use std::fmt;

/// A column, as a file has it (Parquet column schema).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredColumn {
    /// Its name.
    pub name: String,
    /// What its cells are.
    pub kind: StoredKind,
    /// Whether a cell may be empty.
    pub nullable: bool,
    /// Its number among those that hold values; none when it is made of several or repeats.
    pub leaf: Option<usize>,
}

impl StoredColumn {
    /// Whether there is anything to decode it by (supported data type).
    pub(crate) fn is_read(&self) -> bool {
        !matches!(self.kind, StoredKind::Other(_))
    }
}

/// What the cells of a column are (Arrow data type). Shown as Arrow calls it, and with it pandas and polars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredKind {
    /// True and false.
    Bool,
    /// Whole numbers.
    Int {
        /// Their width.
        bits: u8,
        /// Whether they may be below 0.
        signed: bool,
    },
    /// Real numbers of 32 bits.
    Float32,
    /// Real numbers of 64 bits.
    Float64,
    /// Text in UTF-8.
    Text,
    /// Moments since 1970-01-01.
    Timestamp {
        /// What they are counted in.
        unit: TimeUnit,
        /// Whether the file says that they are of UTC.
        utc: bool,
    },
    /// Something that isn't read.
    Other(String),
}

impl StoredKind {
    /// Whole numbers of 64 bits, signed.
    pub const INT64: Self = Self::Int { bits: 64, signed: true };

    fn from_descriptor(column: &ColumnDescriptor) -> Self {
        let (logical, converted) = (column.logical_type_ref(), column.converted_type());
        let int = |bits, signed| Self::Int { bits, signed };
        let timestamp = |unit, utc| Self::Timestamp { unit, utc };
        let other = |name: &str| Self::Other(name.to_owned());
        match (column.physical_type(), logical, converted) {
            (_, Some(LogicalType::Unknown), _) => other("Null"),
            (_, Some(LogicalType::Decimal(decimal)), _) => Self::decimal(decimal.precision, decimal.scale),
            (_, None, ConvertedType::DECIMAL) => Self::decimal(column.type_precision(), column.type_scale()),
            (Physical::BOOLEAN, ..) => Self::Bool,
            (Physical::INT32 | Physical::INT64, Some(LogicalType::Integer(whole)), _) => {
                u8::try_from(whole.bit_width).map_or(other("Int"), |bits| int(bits, whole.is_signed))
            }
            (Physical::INT32, None, ConvertedType::NONE | ConvertedType::INT_32) => int(32, true),
            (Physical::INT32, None, ConvertedType::INT_8) => int(8, true),
            (Physical::INT32, None, ConvertedType::INT_16) => int(16, true),
            (Physical::INT32, None, ConvertedType::UINT_8) => int(8, false),
            (Physical::INT32, None, ConvertedType::UINT_16) => int(16, false),
            (Physical::INT32, None, ConvertedType::UINT_32) => int(32, false),
            (Physical::INT32, Some(LogicalType::Date), _) | (Physical::INT32, None, ConvertedType::DATE) => {
                other("Date32")
            }
            (Physical::INT64, None, ConvertedType::NONE | ConvertedType::INT_64) => Self::INT64,
            (Physical::INT64, None, ConvertedType::UINT_64) => int(64, false),
            (Physical::INT64, Some(LogicalType::Timestamp(time)), _) => {
                timestamp(time.unit, time.is_adjusted_to_u_t_c)
            }
            (Physical::INT64, None, ConvertedType::TIMESTAMP_MILLIS) => timestamp(TimeUnit::MILLIS, true),
            (Physical::INT64, None, ConvertedType::TIMESTAMP_MICROS) => timestamp(TimeUnit::MICROS, true),
            (Physical::INT32, Some(LogicalType::Time(time)), _) => {
                Self::Other(format!("Time32({})", unit_name(time.unit)))
            }
            (Physical::INT64, Some(LogicalType::Time(time)), _) => {
                Self::Other(format!("Time64({})", unit_name(time.unit)))
            }
            (Physical::INT32, None, ConvertedType::TIME_MILLIS) => other("Time32(ms)"),
            (Physical::INT64, None, ConvertedType::TIME_MICROS) => other("Time64(µs)"),
            (Physical::INT96, ..) => timestamp(TimeUnit::NANOS, false),
            (Physical::FLOAT, ..) => Self::Float32,
            (Physical::DOUBLE, ..) => Self::Float64,
            (Physical::BYTE_ARRAY, Some(LogicalType::String | LogicalType::Json), _)
            | (Physical::BYTE_ARRAY, None, ConvertedType::UTF8 | ConvertedType::JSON) => Self::Text,
            (Physical::BYTE_ARRAY, ..) => other("Binary"),
            (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16), _) => other("Float16"),
            (Physical::FIXED_LEN_BYTE_ARRAY, None, ConvertedType::INTERVAL) => other("Interval(DayTime)"),
            (Physical::FIXED_LEN_BYTE_ARRAY, ..) => {
                Self::Other(format!("FixedSizeBinary({})", column.type_length()))
            }
            (physical, logical, converted) => Self::Other(match logical {
                Some(logical) => format!("{physical} ({logical:?})"),
                None => format!("{physical} ({converted})"),
            }),
        }
    }

    fn decimal(precision: i32, scale: i32) -> Self {
        // What 128 bits hold.
        let bits = if precision > 38 { 256 } else { 128 };
        Self::Other(format!("Decimal{bits}({precision}, {scale})"))
    }
}

impl fmt::Display for StoredKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("Boolean"),
            Self::Int { bits, signed } => write!(f, "{}Int{bits}", if *signed { "" } else { "U" }),
            Self::Float32 => f.write_str("Float32"),
            Self::Float64 => f.write_str("Float64"),
            Self::Text => f.write_str("Utf8"),
            Self::Timestamp { unit, utc } => {
                write!(f, "Timestamp({}{})", unit_name(*unit), if *utc { ", \"UTC\"" } else { "" })
            }
            Self::Other(name) => f.write_str(name),
        }
    }
}

fn unit_name(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::MILLIS => "ms",
        TimeUnit::MICROS => "µs",
        TimeUnit::NANOS => "ns",
    }
}

/// The columns of a file, in their order (schema of a Parquet file).
pub(super) fn columns(schema: &SchemaDescriptor) -> Vec<StoredColumn> {
    let mut leaf = 0;
    let column = |field: &parquet::schema::types::TypePtr| {
        let first = leaf;
        leaf += leaves(field);
        let info = field.get_basic_info();
        let repeats = info.has_repetition() && info.repetition() == parquet::basic::Repetition::REPEATED;
        let (kind, leaf) = if field.is_group() || repeats {
            let lists = repeats || info.converted_type() == ConvertedType::LIST;
            (StoredKind::Other(if lists { "List" } else { "Struct" }.to_owned()), None)
        } else {
            (StoredKind::from_descriptor(&schema.column(first)), Some(first))
        };
        let nullable = leaf.is_some_and(|leaf| schema.column(leaf).max_def_level() > 0);
        StoredColumn { name: field.name().to_owned(), kind, nullable, leaf }
    };
    schema.root_schema().get_fields().iter().map(column).collect()
}

/// How many columns of values a field is made of.
fn leaves(field: &Type) -> usize {
    if field.is_group() { field.get_fields().iter().map(|field| leaves(field)).sum() } else { 1 }
}
