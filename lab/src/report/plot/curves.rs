//! Curves over an axis, as lines or as steps, with bands; one panel, or many small ones with the same axes. They are the line charts and
//! step charts of a report: Kaplan-Meier curves with censoring marks and a number-at-risk table, learning curves with a confidence band,
//! small multiples (facets). x and y are in data units; pixels are CSS pixels of the SVG; either axis may be logarithmic (base 10), and its
//! values must then be above 0. The caller computes bands, and puts the curve that all panels repeat into each. A chart is only drawn:
//! points must be sorted by x, and what is missing must be left out by the caller.

use super::scale::Scale;
use super::{Anchor, COLOURS, Canvas, Figure, WIDTH, cell};
use crate::io::text::markup::{escape, shortened};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A data point of a curve, with its error band where there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlottedPoint {
    /// Along the axis below.
    pub x: f64,
    /// Along the axis at the side.
    pub y: f64,
    /// Low and high, in the unit of y.
    pub band: Option<(f64, f64)>,
}

/// One curve of a chart: a named series of points, with what belongs to it.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Written at its end, or in the legend.
    pub name: String,
    /// Number of its colour, from 0; colours come again after `COLOURS`.
    pub colour: usize,
    /// By ascending x.
    pub points: Vec<PlottedPoint>,
    /// Places of lives that were censored, drawn as short strokes on the curve.
    pub censored: Vec<(f64, f64)>,
    /// Single worlds behind a mean, drawn as faint dots.
    pub worlds: Vec<(f64, f64)>,
}

impl Curve {
    /// Makes a line series of points alone, without censored lives or dots of worlds.
    pub fn new(name: impl Into<String>, colour: usize, points: Vec<PlottedPoint>) -> Self {
        Self { name: name.into(), colour, points, ..Self::default() }
    }
}

/// A panel (subplot): curves in one frame.
#[derive(Clone, Debug)]
pub struct CurvePanel {
    /// Written above it; empty when there is only one.
    pub title: String,
    /// Drawn in this order, the last on top.
    pub curves: Vec<Curve>,
}

/// Panels as the rows and columns of a factorial design, row by row (small multiples).
#[derive(Clone, Debug)]
pub struct Grid {
    /// The factor of the rows, and its levels.
    pub rows: (String, Vec<String>),
    /// The factor of the columns, and its levels.
    pub columns: (String, Vec<String>),
}

/// How many lives are at risk under a curve, at the times of `Chart::risk_times` (number at risk row).
#[derive(Clone, Debug)]
pub struct AtRiskRow {
    /// The curve.
    pub name: String,
    /// Number of its colour.
    pub colour: usize,
    /// One number for each of the times.
    pub lives: Vec<u64>,
}

/// A line chart, before it is drawn.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Name of its file, without the ending.
    pub name: String,
    /// Its caption, one line.
    pub title: String,
    /// The same in sentences, for screen readers.
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
    pub panels: Vec<CurvePanel>,
    /// Whether each panel has a y axis of its own, named by its title: for quantities that can't share one.
    pub own_y: bool,
    /// The layout of panels of a factorial design; without one, panels fill rows from left to right.
    pub grid: Option<Grid>,
    /// Values of x at which lives at risk are listed.
    pub risk_times: Vec<f64>,
    /// Written below a single panel.
    pub at_risk: Vec<AtRiskRow>,
}

/// How far bands may widen the axis, in the spread of the curves; beyond that they are cut, because a single wide band would flatten all curves.
const BAND_ROOM: f64 = 1.0;
/// Most panels side by side; in narrower ones the ticks of the axis would touch.
const COLUMNS: usize = 4;
/// About how many ticks an axis of ages has, below each of which lives at risk are counted.
const RISK_TICKS: u32 = 7;
/// Least distance between strokes of censored lives, in pixels: nearer ones would be a band that hides the curve.
const STROKES_APART: f64 = 6.0;
/// Height of a line of words below a legend.
const LEGEND_LINE: f64 = 16.0;
/// The legend's name for the curve that each of many panels has for itself.
const PANELS_OWN: &str = "the arm named at the panel";

impl Chart {
    /// Draws the chart as SVG; `None` when there is no point at all.
    pub fn draw(&self) -> Option<Figure> {
        let x = self.range(&self.panels, |point, reach| reach(point.x))?;
        let y = match self.y_range {
            Some(range) => range,
            None => self.reach_of_y(&self.panels)?,
        };
        let mut canvas = Canvas::default();
        canvas.datum(["panel", "series", "kind", &self.x_label, &self.y_label, "low", "high"]);
        let height = if self.own_y {
            self.stacked(&mut canvas, x)
        } else if self.panels.len() == 1 {
            self.single(&mut canvas, x, y)
        } else {
            self.many(&mut canvas, x, y)
        };
        Some(canvas.figure(&self.name, &self.title, &self.description, (WIDTH, height)))
    }

    /// Round times from 0 to the last one, at which lives at risk are counted: those at which a chart of the same range has its axis ticks
    /// (number at risk).
    pub(crate) fn risk_times(last: f64) -> Vec<f64> {
        Scale::new((0.0, last), (0.0, WIDTH)).ticks(RISK_TICKS).into_iter().map(|(time, _)| time).collect()
    }

    /// The values, and their bands as far as these leave the values visible.
    fn reach_of_y(&self, panels: &[CurvePanel]) -> Option<(f64, f64)> {
        let (low, high) = self.range(panels, |point, reach| reach(point.y))?;
        let bands = self.range(panels, |point, reach| {
            if let Some((low, high)) = point.band {
                reach(low);
                reach(high);
            }
        });
        let room = if high > low { BAND_ROOM * (high - low) } else { f64::INFINITY };
        let (least, most) = bands.unwrap_or((low, high));
        Some((low.min(least.max(low - room)), high.max(most.min(high + room))))
    }

    fn range(
        &self,
        panels: &[CurvePanel],
        look: impl Fn(&PlottedPoint, &mut dyn FnMut(f64)),
    ) -> Option<(f64, f64)> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points) {
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

    fn frame(&self, x: Scale, y: Scale) -> Frame<'_> {
        Frame { x, y, chart: self }
    }

    fn single(&self, canvas: &mut Canvas, x: (f64, f64), y: (f64, f64)) -> f64 {
        let names = self.at_risk.iter().map(|row| super::text_width(&short(&row.name))).fold(0.0, f64::max);
        let left = if self.at_risk.is_empty() { 72.0 } else { (names + 48.0).max(72.0) };
        let (right, top, bottom) = (WIDTH - 24.0, 14.0, 304.0);
        let frame = self.frame(self.x_scale(x, (left, right)), self.y_scale(y, (bottom, top), 5));
        let panel = &self.panels[0];
        let across = if self.at_risk.is_empty() { 8 } else { RISK_TICKS };
        frame.axes(canvas, (left, right, top, bottom), (across, 5), (true, true));
        canvas.upright((left - 50.0, (top + bottom) / 2.0), "label", &self.y_label);
        canvas.label_below((left, right), bottom, &self.x_label);
        frame.panel(canvas, panel);
        let mut below = bottom + 48.0;
        if !self.at_risk.is_empty() {
            canvas.text((left, below + 12.0), Anchor::Start, "strong", "Lives at risk");
            below += 18.0;
            for row in &self.at_risk {
                canvas.series(&row.name, |canvas| {
                    canvas.rect((6.0, below + 4.0), (10.0, 9.0), &format!("f{}", row.colour % COLOURS));
                    canvas.text((left - 24.0, below + 12.0), Anchor::End, "label", &short(&row.name));
                    for (time, lives) in self.risk_times.iter().zip(&row.lives) {
                        let at = (frame.x.at(*time), below + 12.0);
                        canvas.text(at, Anchor::Middle, "tick", &lives.to_string());
                    }
                });
                below += 16.0;
            }
            below += 8.0;
        }
        below + self.legend(canvas, (left, below), right - left) + 6.0
    }

    /// Lines with their dashes and names: of all curves, or where panels repeat one, of that and the panels' own. Returns its height.
    fn legend(&self, canvas: &mut Canvas, place: (f64, f64), width: f64) -> f64 {
        let mut entries: Vec<(usize, &str)> = Vec::new();
        for curve in self.panels.iter().flat_map(|panel| &panel.curves) {
            if !entries.contains(&(curve.colour, curve.name.as_str())) {
                entries.push((curve.colour, &curve.name));
            }
        }
        if entries.len() < 2 {
            return 0.0;
        }
        let is_shared = |colour: usize| entries.iter().filter(|(other, _)| *other == colour).count() > 1;
        let mut shown: Vec<(String, String)> = Vec::new();
        for (colour, name) in &entries {
            // A colour that means another arm in every panel is explained once.
            let name = if self.panels.len() > 1 && is_shared(*colour) { PANELS_OWN } else { name };
            let entry = (format!("l{}", colour % COLOURS), name.to_owned());
            if !shown.contains(&entry) {
                shown.push(entry);
            }
        }
        let strokes =
            self.panels.iter().flat_map(|panel| &panel.curves).any(|curve| !curve.censored.is_empty());
        let height = canvas.legend(place, width, &shown);
        if strokes {
            canvas.text((place.0, place.1 + height + 11.0), Anchor::Start, "tick", "| lives censored there");
            return height + LEGEND_LINE;
        }
        height
    }

    /// One panel under the other, each with the y axis that its title names.
    fn stacked(&self, canvas: &mut Canvas, x: (f64, f64)) -> f64 {
        let (left, right, height, gap) = (72.0, WIDTH - 24.0, 170.0, 34.0);
        let mut top = 24.0;
        for (place, panel) in self.panels.iter().enumerate() {
            let bottom = top + height;
            let (low, high) = self.reach_of_y(std::slice::from_ref(panel)).unwrap_or((0.0, 1.0));
            let low = if self.zero_line { low.min(0.0) } else { low };
            let y = self.y_scale((low, high), (bottom, top), 4);
            let frame = self.frame(self.x_scale(x, (left, right)), y);
            let is_last = place + 1 == self.panels.len();
            frame.axes(canvas, (left, right, top, bottom), (8, 4), (is_last, true));
            canvas.text((left, top - 8.0), Anchor::Start, "panel", &panel.title);
            frame.panel(canvas, panel);
            top = bottom + gap;
        }
        let bottom = top - gap;
        canvas.label_below((left, right), bottom, &self.x_label);
        bottom + 48.0 + self.legend(canvas, (left, bottom + 48.0), right - left) + 6.0
    }

    fn many(&self, canvas: &mut Canvas, x: (f64, f64), y: (f64, f64)) -> f64 {
        let usual = self.panels.len().min(COLUMNS);
        let columns = self.grid.as_ref().map_or(usual, |grid| grid.columns.1.len());
        let rows = self.panels.len().div_ceil(columns);
        let (gap, title, panel_height) = (14.0, 20.0, 122.0);
        let side = self.grid.as_ref().map_or(0.0, |_| 24.0);
        let left = 72.0 + side;
        let head = self.grid.as_ref().map_or(6.0, |_| 26.0);
        let width = (WIDTH - left - 16.0 - gap * (columns - 1) as f64) / columns as f64;
        let letters = (width / 6.6) as usize;
        for (index, panel) in self.panels.iter().enumerate() {
            let (column, row) = (index % columns, index / columns);
            let from = left + column as f64 * (width + gap);
            let top = head + row as f64 * (panel_height + title + gap) + title;
            let (to, bottom) = (from + width, top + panel_height);
            let frame = self.frame(self.x_scale(x, (from, to)), self.y_scale(y, (bottom, top), 4));
            let last_in_column = index + columns >= self.panels.len();
            frame.axes(canvas, (from, to, top, bottom), (3, 4), (last_in_column, column == 0));
            match &self.grid {
                None => {
                    canvas.text((from, top - 6.0), Anchor::Start, "panel", &shortened(&panel.title, letters))
                }
                Some(grid) => {
                    if row == 0 {
                        let level = shortened(&grid.columns.1[column], letters);
                        canvas.text((f64::midpoint(from, to), top - 8.0), Anchor::Middle, "panel", &level);
                    }
                    if column == 0 {
                        let level = shortened(&grid.rows.1[row], (panel_height / 6.6) as usize);
                        canvas.upright((34.0, f64::midpoint(top, bottom)), "panel", &level);
                    }
                }
            }
            frame.panel(canvas, panel);
        }
        let bottom = head + rows as f64 * (panel_height + title + gap);
        if let Some(grid) = &self.grid {
            canvas.text((left, 14.0), Anchor::Start, "label", &format!("{} \u{2192}", grid.columns.0));
            canvas.upright(
                (14.0, bottom / 2.0),
                "label",
                &format!("{} \u{2190}   ({})", grid.rows.0, self.y_label),
            );
        } else {
            canvas.upright((18.0, bottom / 2.0), "label", &self.y_label);
        }
        canvas.text(((left + WIDTH - 16.0) / 2.0, bottom + 26.0), Anchor::Middle, "label", &self.x_label);
        bottom + 38.0 + self.legend(canvas, (left, bottom + 38.0), WIDTH - left) + 6.0
    }
}

fn short(name: &str) -> String {
    shortened(name, 28)
}

/// The axes of one panel with its chart (plot area).
struct Frame<'a> {
    x: Scale,
    y: Scale,
    chart: &'a Chart,
}

impl Frame<'_> {
    fn axes(
        &self,
        canvas: &mut Canvas,
        (left, right, top, bottom): (f64, f64, f64, f64),
        (across, up): (u32, u32),
        (label_x, label_y): (bool, bool),
    ) {
        let zero_line = self.chart.zero_line;
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

    /// All that a panel shows: worlds lie behind bands, bands behind curves. Everything drawn is in the page as data too, with its place, for the script of
    /// the page.
    fn panel(&self, canvas: &mut Canvas, panel: &CurvePanel) {
        for curve in &panel.curves {
            canvas.series(&curve.name, |canvas| {
                self.worlds(canvas, panel, curve);
                self.band(canvas, curve);
            });
        }
        for curve in &panel.curves {
            canvas.series(&curve.name, |canvas| {
                self.curve(canvas, panel, curve);
                self.censored(canvas, curve);
            });
        }
        let ((left, right), (from, to)) = (self.x.pixels(), self.x.range());
        let (bottom, top) = self.y.pixels();
        let (powers, steps) = (u8::from(self.chart.x_powers), u8::from(self.chart.steps));
        canvas.raw(format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" class=\"over\" data-panel=\"{}\" data-from=\"{from}\" \
             data-to=\"{to}\" data-powers=\"{powers}\" data-steps=\"{steps}\"/>",
            right - left,
            bottom - top,
            escape(&panel.title)
        ));
    }

    /// Dots of single worlds; of those that fall on one pixel one is drawn, so that a page of a thousand worlds stays small.
    fn worlds(&self, canvas: &mut Canvas, panel: &CurvePanel, curve: &Curve) {
        let mut drawn = BTreeSet::new();
        for (x, y) in &curve.worlds {
            canvas.datum([&panel.title, &curve.name, "world", &x.to_string(), &y.to_string(), "", ""]);
            let at = (self.x.at(*x), self.y.at(*y));
            if self.y.holds(*y) && drawn.insert((at.0.round() as i64, at.1.round() as i64)) {
                canvas.dot(at, 1.6, &format!("world f{}", curve.colour % COLOURS));
            }
        }
    }

    /// Strokes at censored lives (censoring marks). Of those that would touch one is drawn, because a row of them would look like a band.
    fn censored(&self, canvas: &mut Canvas, curve: &Curve) {
        let mut last = f64::NEG_INFINITY;
        for (x, y) in &curve.censored {
            let at = (self.x.at(*x), self.y.at(*y));
            if at.0 - last >= STROKES_APART {
                last = at.0;
                let class = format!("censored l{}", curve.colour % COLOURS);
                canvas.line((at.0, at.1 - 4.0), (at.0, at.1 + 4.0), &class);
            }
        }
    }

    /// Points in pixels. A point at nearly the same place as the one before is left out, but for the last: a curve of a million steps would be megabytes of
    /// page.
    fn thinned<'a>(&self, points: &'a [PlottedPoint]) -> Vec<&'a PlottedPoint> {
        let mut kept: Vec<&PlottedPoint> = Vec::new();
        for point in points {
            let near = kept.len() > 1 && self.x.at(point.x) - self.x.at(kept[kept.len() - 2].x) < 0.7;
            if near {
                kept.pop();
            }
            kept.push(point);
        }
        kept
    }

    fn curve(&self, canvas: &mut Canvas, panel: &CurvePanel, curve: &Curve) {
        let mut path = String::new();
        for (index, point) in self.thinned(&curve.points).into_iter().enumerate() {
            let (low, high) = (cell(point.band.map(|band| band.0)), cell(point.band.map(|band| band.1)));
            let (px, py) = (point.x.to_string(), point.y.to_string());
            canvas.datum([&panel.title, &curve.name, "curve", &px, &py, &low, &high]);
            let (x, y) = (self.x.at(point.x), self.y.at(point.y));
            let write = match (index, self.chart.steps) {
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
                let at =
                    |point: &&PlottedPoint| (self.x.at(point.x), self.y.at(point.band.map_or(point.y, of)));
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
        if !self.chart.steps {
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

    fn chart(points: Vec<PlottedPoint>, steps: bool) -> Chart {
        let curves = vec![Curve::new("a", 0, points)];
        Chart {
            name: "c".to_owned(),
            steps,
            panels: vec![CurvePanel { title: String::new(), curves }],
            ..Chart::default()
        }
    }

    #[test]
    fn a_hundred_thousand_steps_are_drawn_as_few() {
        let point =
            |n: u32| PlottedPoint { x: f64::from(n), y: 1.0 - f64::from(n) / 1e5, band: Some((0.0, 1.0)) };
        let figure = chart((0..100_000).map(point).collect(), true).draw().unwrap();
        assert!(figure.inline().len() < 200_000, "{}", figure.inline().len());
        assert!(figure.inline().contains("H836.0V304.0"), "the last point is there");
    }

    /// Two worlds give intervals that are ten times as wide as the curves. Drawn in full, they would flatten the curves to one line.
    #[test]
    fn wide_bands_leave_the_curves_visible() {
        let point = |x: f64, y: f64| PlottedPoint { x, y, band: Some((y - 100.0, y + 100.0)) };
        let drawn = chart(vec![point(0.0, 0.0), point(1.0, 2.0)], false);
        assert_eq!(drawn.reach_of_y(&drawn.panels), Some((-2.0, 4.0)));
        let level = chart(vec![point(0.0, 1.0)], false);
        assert_eq!(level.reach_of_y(&level.panels), Some((-99.0, 101.0)));
    }

    #[test]
    fn nothing_to_draw_is_no_figure() {
        assert!(chart(Vec::new(), false).draw().is_none());
    }
}
