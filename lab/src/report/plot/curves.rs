//! Curves over an axis, as lines or as steps, with bands; one panel, or many small ones with the same axes.

use super::scale::Scale;
use super::{Anchor, COLOURS, Canvas, Figure, WIDTH};
use crate::report::markup::shortened;
use std::fmt::Write as _;

/// A point of a curve, with its band where there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Along the axis below.
    pub x: f64,
    /// Along the axis at the side.
    pub y: f64,
    /// Low and high, in the unit of y.
    pub band: Option<(f64, f64)>,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Written at its end, or in the legend.
    pub name: String,
    /// Number of its colour, from 0; colours come again after [`COLOURS`].
    pub colour: usize,
    /// By ascending x.
    pub points: Vec<Point>,
}

/// What shares one frame.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Written above it; empty when there is only one.
    pub title: String,
    /// Drawn in this order, the last on top.
    pub curves: Vec<Curve>,
}

/// How many lives are at risk under a curve, at the times of [`Chart::risk_times`].
#[derive(Clone, Debug)]
pub struct AtRisk {
    /// The curve.
    pub name: String,
    /// Number of its colour.
    pub colour: usize,
    /// One number for each of the times.
    pub lives: Vec<u64>,
}

/// What is to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Name of its file, without the ending.
    pub name: String,
    /// What it shows, in a line.
    pub title: String,
    /// The same in sentences, for readers who can't see it.
    pub description: String,
    /// What x is, with its unit.
    pub x_label: String,
    /// What y is, with its unit.
    pub y_label: String,
    /// The range of y when it isn't that of the values.
    pub y_range: Option<(f64, f64)>,
    /// Whether a value holds until the next one.
    pub steps: bool,
    /// Whether 0 gets a line of its own.
    pub zero_line: bool,
    /// Whether x goes by powers of ten; all x must be above 0.
    pub x_powers: bool,
    /// Whether y goes by powers of ten; all y must be above 0.
    pub y_powers: bool,
    /// Side by side, with the same axes.
    pub panels: Vec<Panel>,
    /// Values of x at which lives at risk are told.
    pub risk_times: Vec<f64>,
    /// Written below a single panel.
    pub at_risk: Vec<AtRisk>,
}

/// How far bands may widen the axis, in the spread of the curves; beyond that they are cut.
const BAND_ROOM: f64 = 1.0;
/// Panels side by side.
const COLUMNS: usize = 4;

impl Chart {
    /// Draws it; `None` when there is no point at all.
    pub fn draw(&self) -> Option<Figure> {
        let x = self.range(|point, reach| reach(point.x))?;
        let y = match self.y_range {
            Some(range) => range,
            None => self.reach_of_y()?,
        };
        let mut canvas = Canvas::default();
        let height = if self.panels.len() == 1 {
            self.single(&mut canvas, x, y)
        } else {
            self.many(&mut canvas, x, y)
        };
        Some(canvas.figure(&self.name, &self.title, &self.description, (WIDTH, height)))
    }

    /// The values, and their bands as far as these leave the values visible.
    fn reach_of_y(&self) -> Option<(f64, f64)> {
        let (low, high) = self.range(|point, reach| reach(point.y))?;
        let bands = self.range(|point, reach| {
            if let Some((low, high)) = point.band {
                reach(low);
                reach(high);
            }
        });
        let room = if high > low { BAND_ROOM * (high - low) } else { f64::INFINITY };
        let (least, most) = bands.unwrap_or((low, high));
        Some((low.min(least.max(low - room)), high.max(most.min(high + room))))
    }

    fn range(&self, look: impl Fn(&Point, &mut dyn FnMut(f64))) -> Option<(f64, f64)> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in self.panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points) {
            look(point, &mut |value| (low, high) = (low.min(value), high.max(value)));
        }
        (low <= high).then_some((low, high))
    }

    fn x_scale(&self, x: (f64, f64), pixels: (f64, f64)) -> Scale {
        if self.x_powers { Scale::of_powers(x, pixels, false) } else { Scale::new(x, pixels) }
    }

    fn y_scale(&self, y: (f64, f64), pixels: (f64, f64), about: u32) -> Scale {
        if self.y_powers { Scale::of_powers(y, pixels, true) } else { Scale::rounded(y, pixels, about) }
    }

    fn single(&self, canvas: &mut Canvas, x: (f64, f64), y: (f64, f64)) -> f64 {
        let names = self.at_risk.iter().map(|row| super::text_width(&short(&row.name))).fold(0.0, f64::max);
        let left = if self.at_risk.is_empty() { 72.0 } else { (names + 48.0).max(72.0) };
        let (right, top, bottom) = (WIDTH - 24.0, 14.0, 304.0);
        let frame = Frame {
            x: self.x_scale(x, (left, right)),
            y: self.y_scale(y, (bottom, top), 5),
            steps: self.steps,
        };
        let panel = &self.panels[0];
        frame.axes(canvas, (left, right, top, bottom), (8, 5), (true, true), self.zero_line);
        canvas.upright((left - 50.0, (top + bottom) / 2.0), "label", &self.y_label);
        canvas.text(((left + right) / 2.0, bottom + 36.0), Anchor::Middle, "label", &self.x_label);
        panel.curves.iter().for_each(|curve| frame.band(canvas, curve));
        panel.curves.iter().for_each(|curve| frame.curve(canvas, curve));
        let mut below = bottom + 48.0;
        if !self.at_risk.is_empty() {
            canvas.text((left, below + 12.0), Anchor::Start, "strong", "Lives at risk");
            below += 18.0;
            for row in &self.at_risk {
                canvas.rect((6.0, below + 4.0), (10.0, 9.0), &format!("f{}", row.colour % COLOURS));
                canvas.text((left - 24.0, below + 12.0), Anchor::End, "label", &short(&row.name));
                for (time, lives) in self.risk_times.iter().zip(&row.lives) {
                    canvas.text(
                        (frame.x.at(*time), below + 12.0),
                        Anchor::Middle,
                        "tick",
                        &lives.to_string(),
                    );
                }
                below += 16.0;
            }
            below += 8.0;
        }
        if panel.curves.len() > 1 {
            let entry = |curve: &Curve| (format!("f{}", curve.colour % COLOURS), curve.name.clone());
            let entries: Vec<_> = panel.curves.iter().map(entry).collect();
            below += canvas.legend((left, below), right - left, &entries);
        }
        below + 6.0
    }

    fn many(&self, canvas: &mut Canvas, x: (f64, f64), y: (f64, f64)) -> f64 {
        let columns = self.panels.len().min(COLUMNS);
        let rows = self.panels.len().div_ceil(columns);
        let (left, gap, title, panel_height) = (72.0, 14.0, 20.0, 122.0);
        let width = (WIDTH - left - 16.0 - gap * (columns - 1) as f64) / columns as f64;
        for (index, panel) in self.panels.iter().enumerate() {
            let (column, row) = (index % columns, index / columns);
            let from = left + column as f64 * (width + gap);
            let top = 6.0 + row as f64 * (panel_height + title + gap) + title;
            let (to, bottom) = (from + width, top + panel_height);
            let frame = Frame {
                x: self.x_scale(x, (from, to)),
                y: self.y_scale(y, (bottom, top), 4),
                steps: self.steps,
            };
            let last_in_column = index + columns >= self.panels.len();
            let labelled = (last_in_column, column == 0);
            frame.axes(canvas, (from, to, top, bottom), (3, 4), labelled, self.zero_line);
            let letters = (width / 6.6) as usize;
            canvas.text((from, top - 6.0), Anchor::Start, "panel", &shortened(&panel.title, letters));
            panel.curves.iter().for_each(|curve| frame.band(canvas, curve));
            panel.curves.iter().for_each(|curve| frame.curve(canvas, curve));
        }
        let bottom = 6.0 + rows as f64 * (panel_height + title + gap);
        canvas.upright((18.0, bottom / 2.0), "label", &self.y_label);
        canvas.text(((left + WIDTH - 16.0) / 2.0, bottom + 26.0), Anchor::Middle, "label", &self.x_label);
        bottom + 38.0
    }
}

fn short(name: &str) -> String {
    shortened(name, 28)
}

struct Frame {
    x: Scale,
    y: Scale,
    steps: bool,
}

impl Frame {
    fn axes(
        &self,
        canvas: &mut Canvas,
        (left, right, top, bottom): (f64, f64, f64, f64),
        (across, up): (u32, u32),
        (label_x, label_y): (bool, bool),
        zero_line: bool,
    ) {
        for (value, label) in self.y.ticks(up) {
            let y = self.y.at(value);
            canvas.line((left, y), (right, y), if zero_line && value == 0.0 { "zero" } else { "grid" });
            if label_y {
                canvas.text((left - 8.0, y + 4.0), Anchor::End, "tick", &label);
            }
        }
        canvas.line((left, bottom), (right, bottom), "axis");
        canvas.line((left, top), (left, bottom), "axis");
        for (value, label) in self.x.ticks(across) {
            let x = self.x.at(value);
            canvas.line((x, bottom), (x, bottom + 4.0), "axis");
            if label_x {
                canvas.text((x, bottom + 17.0), Anchor::Middle, "tick", &label);
            }
        }
    }

    /// Points in pixels; those that fall on nearly the same place as the one before are left out, all but the last of them.
    fn thinned<'a>(&self, points: &'a [Point]) -> Vec<&'a Point> {
        let mut kept: Vec<&Point> = Vec::new();
        for point in points {
            let near = kept.len() > 1 && self.x.at(point.x) - self.x.at(kept[kept.len() - 2].x) < 0.7;
            if near {
                kept.pop();
            }
            kept.push(point);
        }
        kept
    }

    fn curve(&self, canvas: &mut Canvas, curve: &Curve) {
        let mut path = String::new();
        for (index, point) in self.thinned(&curve.points).into_iter().enumerate() {
            let (x, y) = (self.x.at(point.x), self.y.at(point.y));
            let write = match (index, self.steps) {
                (0, _) => write!(path, "M{x:.1} {y:.1}"),
                (_, true) => write!(path, "H{x:.1}V{y:.1}"),
                (_, false) => write!(path, "L{x:.1} {y:.1}"),
            };
            write.expect("writing to a string does not fail");
        }
        canvas.path(&path, &format!("curve l{}", curve.colour % COLOURS));
    }

    fn band(&self, canvas: &mut Canvas, curve: &Curve) {
        let banded = curve.points.split(|point| point.band.is_none());
        for stretch in banded.filter(|stretch| stretch.len() > 1) {
            let kept = self.thinned(stretch);
            let edge = |of: fn((f64, f64)) -> f64| {
                let at = |point: &&Point| (self.x.at(point.x), self.y.at(point.band.map_or(point.y, of)));
                self.corners(kept.iter().map(at).collect())
            };
            let (upper, lower) = (edge(|(_, high)| high), edge(|(low, _)| low));
            let mut path = String::new();
            for (index, (x, y)) in upper.into_iter().chain(lower.into_iter().rev()).enumerate() {
                let start = if index == 0 { 'M' } else { 'L' };
                write!(path, "{start}{x:.1} {y:.1}").expect("writing to a string does not fail");
            }
            path.push('Z');
            canvas.path(&path, &format!("band f{}", curve.colour % COLOURS));
        }
    }

    /// The corners of a line through points; a step keeps its height up to the next point.
    fn corners(&self, points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
        if !self.steps {
            return points;
        }
        let mut corners = Vec::with_capacity(2 * points.len());
        let mut height = None;
        for (x, y) in points {
            corners.extend(height.map(|height| (x, height)));
            corners.push((x, y));
            height = Some(y);
        }
        corners
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<Point>, steps: bool) -> Chart {
        let curves = vec![Curve { name: "a".to_owned(), colour: 0, points }];
        Chart {
            name: "c".to_owned(),
            steps,
            panels: vec![Panel { title: String::new(), curves }],
            ..Chart::default()
        }
    }

    #[test]
    fn a_hundred_thousand_steps_are_drawn_as_few() {
        let point = |n: u32| Point { x: f64::from(n), y: 1.0 - f64::from(n) / 1e5, band: Some((0.0, 1.0)) };
        let figure = chart((0..100_000).map(point).collect(), true).draw().unwrap();
        assert!(figure.inline().len() < 200_000, "{}", figure.inline().len());
        assert!(figure.inline().contains("H836.0V304.0"), "the last point is there");
    }

    /// Two worlds give intervals that are ten times as wide as anything else in a plot.
    #[test]
    fn wide_bands_leave_the_curves_visible() {
        let point = |x: f64, y: f64| Point { x, y, band: Some((y - 100.0, y + 100.0)) };
        let drawn = chart(vec![point(0.0, 0.0), point(1.0, 2.0)], false);
        assert_eq!(drawn.reach_of_y(), Some((-2.0, 4.0)));
        let level = chart(vec![point(0.0, 1.0)], false);
        assert_eq!(level.reach_of_y(), Some((-99.0, 101.0)));
    }

    #[test]
    fn nothing_to_draw_is_no_figure() {
        assert!(chart(Vec::new(), false).draw().is_none());
    }
}
