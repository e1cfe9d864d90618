//! Files of users: read within limits, written whole or not at all, refused in a line. Nothing here knows a world. In the field's words:
//! input validation, parsers, file formats, resource limits. They are apart from the rest, because nothing of a user's file may be trusted:
//! its size, its encoding, its numbers, its names. `bars` reads prices, `table_file` a user's tables, `table` Morta's own, all Parquet by
//! way of `parquet_guard`; `as_written` settles numbers and dates of text. `limits` and `bounded_lines` bound sizes; `whole_file` and
//! `write_lock` are for writing. `text`, `short_names` and `pointer` word what people see, `web` serves it. `error` has the error type,
//! `in_order` shares work among threads, `machine` knows the available memory.

pub mod as_written;
pub mod bars;
pub mod bounded_lines;
pub mod error;
pub(crate) mod in_order;
pub mod limits;
pub(crate) mod locked;
pub mod machine;
pub(crate) mod parquet_guard;
pub(crate) mod pointer;
pub(crate) mod short_names;
pub mod table;
pub mod table_file;
pub mod text;
pub mod web;
pub mod whole_file;
pub mod write_lock;
