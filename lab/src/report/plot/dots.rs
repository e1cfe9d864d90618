//! Panels of dots with intervals, side by side: the same rows under several measures, each on a scale of its own that holds 0. It is a
//! dot plot (Cleveland dot plot) with error bars, for the profile of memories in a sweep's report. Each measure has its own scale, because
//! units differ; rows are shared, so that an arm is found in all. A row without a value has a dash.

use super::scale::Scale;
use super::{Anchor, Canvas, Figure, WIDTH, cell, range, text_width};
use crate::io::text::figure;
use crate::io::text::markup::shortened;

/// One measure as a panel of a dot plot, with a dot for each row.
#[derive(Clone, Debug)]
pub(crate) struct DotPanel {
    /// Title of the measure, in a line or two.
    pub title: Vec<String>,
    /// Its unit, and which way is better, with a comma and a blank between them: each part becomes a line below the axis.
    pub unit: String,
    /// By row: the value with its interval, one for each row.
    pub dots: Vec<Option<Dot>>,
}

/// A point estimate with its confidence interval, drawn as a dot with an error bar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dot {
    pub value: f64,
    pub interval: Option<(f64, f64)>,
}

/// A dot plot before it is drawn: its panels, rows and dots.
#[derive(Clone, Debug)]
pub(crate) struct Dots<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub rows: &'a [String],
    pub panels: &'a [DotPanel],
}

/// Heights of a row, of the gap between groups and of a heading, CSS pixels (our choice): lines of words must not touch.
const ROW: f64 = 24.0;
const GAP: f64 = 18.0;
const HEAD: f64 = 16.0;
/// From the unit to which way is better, below it.
const UNIT_LINE: f64 = 14.0;

impl Dots<'_> {
    /// Draws it; `None` when no panel has a dot (dot plot as SVG). It renders the chart.
    pub(crate) fn draw(&self) -> Option<Figure> {
        if self.panels.iter().all(|panel| panel.dots.iter().all(Option::is_none)) {
            return None;
        }
        let names = self.rows.iter().map(|name| text_width(&shortened(name, 22))).fold(0.0, f64::max);
        let left = names + 20.0;
        let width = (WIDTH - left) / self.panels.len() as f64;
        let lines = self.panels.iter().map(|panel| panel.title.len()).max().unwrap_or(0) as f64;
        let top = lines * HEAD + 10.0;
        let bottom = top + ROW * self.rows.len() as f64;
        let mut canvas = Canvas::default();
        canvas.datum(["panel", "row", "value", "low", "high", "unit"]);
        for (row, name) in self.rows.iter().enumerate() {
            let y = top + ROW * row as f64;
            if row % 2 == 0 {
                canvas.rect((0.0, y), (WIDTH, ROW), "row");
            }
            canvas.text((left - 10.0, y + ROW / 2.0 + 4.0), Anchor::End, "label", &shortened(name, 22));
        }
        for (index, panel) in self.panels.iter().enumerate() {
            let from = left + width * index as f64 + GAP / 2.0;
            panel.draw(&mut canvas, self.rows, (from, from + width - GAP), (top, bottom));
        }
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, bottom + 44.0 + UNIT_LINE)))
    }
}

impl DotPanel {
    fn draw(
        &self,
        canvas: &mut Canvas,
        rows: &[String],
        (left, right): (f64, f64),
        (top, bottom): (f64, f64),
    ) {
        let letters = ((right - left) / 6.4) as usize;
        for (line, text) in self.title.iter().enumerate() {
            canvas.text(
                (left, HEAD * (line as f64 + 0.8)),
                Anchor::Start,
                "panel",
                &shortened(text, letters),
            );
        }
        for (line, text) in self.unit.split(", ").enumerate() {
            let y = bottom + 36.0 + UNIT_LINE * line as f64;
            canvas.text((left, y), Anchor::Start, "tick", &shortened(text, letters + 2));
        }
        let reach = |dot: &Dot| dot.interval.unwrap_or((dot.value, dot.value));
        let known = || self.dots.iter().flatten();
        let low = known().map(|dot| reach(dot).0).fold(0.0, f64::min);
        let high = known().map(|dot| reach(dot).1).fold(0.0, f64::max);
        let room = (high - low) * 0.05;
        let scale = Scale::new((low - room, high + room), (left, right));
        canvas.line((left, bottom), (right, bottom), "axis");
        if known().next().is_some() {
            // One mark alone would not show the scale.
            let mut marks = (2..=4).map(|about| scale.ticks(about));
            let marks = marks.find(|some| some.len() > 1).unwrap_or_default();
            canvas.marks_below(&scale, marks, bottom, "tick tight");
            canvas.line((scale.at(0.0), top), (scale.at(0.0), bottom), "zero");
        }
        for (row, dot) in self.dots.iter().enumerate() {
            let y = top + ROW * (row as f64 + 0.5);
            let Some(dot) = dot else {
                canvas.text((f64::midpoint(left, right), y + 4.0), Anchor::Middle, "note", "\u{2013}");
                continue;
            };
            let (from, to) = reach(dot);
            let (low, high) = (cell(dot.interval.map(|ends| ends.0)), cell(dot.interval.map(|ends| ends.1)));
            let value = dot.value.to_string();
            canvas.datum([&self.title.join(" "), &rows[row], &value, &low, &high, &self.unit]);
            canvas.line((scale.at(from), y), (scale.at(to), y), "whisker l0");
            canvas.dot((scale.at(dot.value), y), 4.5, "f0");
            let ends = dot.interval.map_or(String::new(), |ends| format!(" {}", range(ends)));
            let tooltip = format!("{}: {}{ends}", rows[row], figure(dot.value));
            canvas.titled_rect((left, y - ROW / 2.0), (right - left, ROW), "over", &tooltip);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_a_value_have_a_dash() {
        let dot = |value| Some(Dot { value, interval: Some((value - 1.0, value + 1.0)) });
        let panel =
            |dots: Vec<Option<Dot>>| DotPanel { title: vec!["a".to_owned()], unit: "R".to_owned(), dots };
        let rows = ["one".to_owned(), "two".to_owned()];
        let drawn =
            |panels: &[DotPanel]| Dots { name: "d", title: "", description: "", rows: &rows, panels }.draw();
        let body = drawn(&[panel(vec![dot(1.0), None]), panel(vec![dot(-3.0), dot(4.0)])]).unwrap().inline();
        assert_eq!((body.matches("<circle").count(), body.matches(">\u{2013}</text>").count()), (3, 1));
        assert!(drawn(&[panel(vec![None, None])]).is_none());
    }
}
