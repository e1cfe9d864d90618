//! The JavaScript of pages (reports, and worlds that are watched): tooltips under the pointer, series shown and hidden by a click or a key. It uses
//! no library and no network, and everything on a page can be read without it. It is one script for reports and the live view, so that a figure
//! answers alike in both.

/// The stylesheet (CSS) of tooltips and legends.
pub(crate) const POINTER_STYLE: &str = include_str!("pointer.css");
/// Values under the pointer, legends that switch, tables that sort and filter. It asks nobody for anything, and a page without it has the same content.
pub const POINTER: &str = include_str!("pointer.js");
