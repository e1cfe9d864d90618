//! The script of pages (reports, and worlds that are watched): their answers to a pointer and to keys.

/// Style of it.
pub const POINTER_STYLE: &str = include_str!("pointer.css");
/// Values under the pointer, legends that switch, tables that sort and filter. It asks nobody for anything, and a page without it has the same content.
pub const POINTER: &str = include_str!("pointer.js");
