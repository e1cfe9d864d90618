//! A heat map (heatmap): a value for each pair of two settings, in a sweep's report the mean of the primary measure. One hue (sequential
//! colour scale), stronger in proportion from the least to the largest value; every value is written in its cell, because shades can't be
//! read as numbers. A cell without a value is dashed. Effects with a sign have a map of their own (`super::phase`).

use super::scale::Scale;
use super::{Anchor, Canvas, Figure, WIDTH, text_width};
use crate::io::text::markup::shortened;

/// A heat map, before it is drawn (heatmap specification).
#[derive(Clone, Debug)]
pub(crate) struct HeatMap<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    /// The setting of the rows, and its values.
    pub rows: (&'a str, &'a [String]),
    /// The setting of the columns, and its values.
    pub columns: (&'a str, &'a [String]),
    /// Row by row: the value and how it is written.
    pub cells: &'a [Vec<Option<(f64, String)>>],
}

/// Height of a row, CSS pixels. Our choice, because a figure has to fit into each cell.
const ROW: f64 = 28.0;
/// Strength of the colour of the largest value. Text in the colour of the ink stays readable on it, in light and in dark.
const STRONGEST: f64 = 0.62;

impl HeatMap<'_> {
    /// Draws it; `None` when no cell has a value (heatmap as SVG). It renders the values by a color scale.
    pub(crate) fn draw(&self) -> Option<Figure> {
        let known = || self.cells.iter().flatten().flatten().map(|(value, _)| *value);
        let (low, high) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
        if low > high {
            return None;
        }
        let strength = Scale::new((low, high), (0.04, STRONGEST));
        let names = self.rows.1.iter().map(|name| text_width(&shortened(name, 36))).fold(0.0, f64::max);
        let (left, top) = (names.max(text_width(self.rows.0)) + 24.0, 48.0);
        let width = ((WIDTH - left - 8.0) / self.columns.1.len() as f64).min(150.0);
        let letters = (width / 6.6).max(2.0) as usize;
        let mut canvas = Canvas::default();
        canvas.datum([self.rows.0, self.columns.0, "value"]);
        let middle = left + width * self.columns.1.len() as f64 / 2.0;
        canvas.text((middle, 16.0), Anchor::Middle, "strong", self.columns.0);
        canvas.text((left - 12.0, top - 10.0), Anchor::End, "strong", self.rows.0);
        for (column, name) in self.columns.1.iter().enumerate() {
            let x = left + width * (column as f64 + 0.5);
            canvas.text((x, top - 10.0), Anchor::Middle, "tick", &shortened(name, letters));
        }
        for (row, (name, cells)) in self.rows.1.iter().zip(self.cells).enumerate() {
            let y = top + ROW * row as f64;
            canvas.text((left - 12.0, y + ROW / 2.0 + 4.0), Anchor::End, "label", &shortened(name, 36));
            for (at, cell) in cells.iter().enumerate() {
                let x = left + width * at as f64;
                let (place, size) = ((x + 1.0, y + 1.0), (width - 2.0, ROW - 2.0));
                let Some((value, text)) = cell else {
                    canvas.rect(place, size, "none");
                    continue;
                };
                let share = strength.at(*value);
                canvas.datum([name, &self.columns.1[at], &value.to_string()]);
                canvas.raw(format_args!("<g fill-opacity=\"{share:.2}\">"));
                canvas.rect(place, size, "cell");
                canvas.raw("</g>");
                canvas.text((x + width / 2.0, y + ROW / 2.0 + 4.0), Anchor::Middle, "label", text);
                let (row, column) = (self.rows.0, self.columns.0);
                let tooltip = format!("{row} = {name}, {column} = {}: {text}", self.columns.1[at]);
                canvas.titled_rect(place, size, "over", &tooltip);
            }
        }
        let height = top + ROW * self.rows.1.len() as f64 + 8.0;
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, height)))
    }
}
