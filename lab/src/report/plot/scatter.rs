//! Points of a plane, up to 14 of them named, those with the largest x first. It is the scatter plot of Morris screening, mu* against
//! sigma, with point labels that don't overlap and tooltips for all. Both axes begin at 0, and a dotted line marks where both values are
//! equal. Only outer points have names, because the crowd near 0 is what doesn't matter.

use super::scale::Scale;
use super::{Anchor, Canvas, Figure, WIDTH, text_width};
use crate::io::text::figure;
use crate::io::text::markup::{escape, shortened};

/// One labelled point of the scatter plot.
#[derive(Clone, Debug)]
pub(crate) struct ScatterPoint {
    pub name: String,
    pub x: f64,
    pub y: f64,
    /// Whether it is drawn as established, in blue and with a bold name.
    pub established: bool,
}

/// What is to be drawn: both axes from 0 on, with the line on which they are equal (scatter plot specification).
#[derive(Clone, Debug)]
pub(crate) struct Scatter<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub x_label: &'a str,
    pub y_label: &'a str,
    /// What the line of equal values is called.
    pub line: &'a str,
    pub points: &'a [ScatterPoint],
}

const HEIGHT: f64 = 380.0;
const LEFT: f64 = 76.0;
/// Most points that are named, the largest first (our choice): more names would cover points. Tooltips name all.
const NAMED_MAX: usize = 14;
/// Least distance between the lines of two names, CSS pixels: the height of a label, so that none covers another.
const LINE: f64 = 13.0;
const LETTERS: usize = 46;

impl Scatter<'_> {
    /// Draws it; `None` without a point away from 0 (scatter plot as SVG). It renders the scatter chart.
    pub(crate) fn draw(&self) -> Option<Figure> {
        let reach = |of: fn(&ScatterPoint) -> f64| self.points.iter().map(of).fold(0.0, f64::max);
        let (x_high, y_high) = (reach(|point| point.x), reach(|point| point.y));
        if x_high <= 0.0 {
            return None;
        }
        // Names stand to the right of their points.
        let room =
            self.points.iter().map(|point| text_width(&shortened(&point.name, LETTERS))).fold(0.0, f64::max);
        let (right, bottom) = (WIDTH - room - 16.0, HEIGHT - 48.0);
        let x = Scale::new((0.0, x_high * 1.02), (LEFT, right));
        let y_high = if y_high > 0.0 { y_high } else { x_high };
        let y = Scale::new((0.0, y_high * 1.08), (bottom, 12.0));
        let mut canvas = Canvas::default();
        canvas.datum(["point", self.x_label, self.y_label]);
        canvas.ticks_below(&x, 6, bottom);
        for (value, label) in y.ticks(5) {
            canvas.line((LEFT, y.at(value)), (right, y.at(value)), "grid");
            canvas.text((LEFT - 8.0, y.at(value) + 4.0), Anchor::End, "tick", &label);
        }
        canvas.line((LEFT, bottom), (right, bottom), "axis");
        canvas.line((LEFT, 12.0), (LEFT, bottom), "axis");
        let equal = x_high.min(y_high);
        canvas.line((x.at(0.0), y.at(0.0)), (x.at(equal), y.at(equal)), "zero");
        let (end, height) = (x.at(equal), (y.at(equal) - 4.0).max(10.0));
        // A steep line ends beside the axis, and its name has room on the other side alone.
        let (side, anchor) =
            if end < LEFT + 80.0 { (end + 6.0, Anchor::Start) } else { (end - 6.0, Anchor::End) };
        canvas.text((side, height), anchor, "tick", self.line);
        self.draw_points(&mut canvas, &x, &y);
        canvas.text(((LEFT + right) / 2.0, bottom + 38.0), Anchor::Middle, "label", self.x_label);
        canvas.upright((14.0, (12.0 + bottom) / 2.0), "label", self.y_label);
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, HEIGHT)))
    }

    /// The points, and names where there is room for them.
    fn draw_points(&self, canvas: &mut Canvas, x: &Scale, y: &Scale) {
        let mut order: Vec<&ScatterPoint> = self.points.iter().collect();
        order.sort_by(|one, other| other.x.total_cmp(&one.x));
        let mut named: Vec<(f64, f64, f64)> = Vec::new();
        for point in order {
            let at = (x.at(point.x), y.at(point.y));
            let class = if point.established { "f0" } else { "f6" };
            canvas.datum([&point.name, &point.x.to_string(), &point.y.to_string()]);
            let tooltip = format!("{}: {}, {}", point.name, figure(point.x), figure(point.y));
            canvas.raw(format_args!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" class=\"{class}\"><title>{}</title></circle>",
                at.0,
                at.1,
                escape(&tooltip)
            ));
            let name = shortened(&point.name, LETTERS);
            let (from, to) = (at.0 + 8.0, at.0 + 8.0 + text_width(&name));
            let overlaps =
                |(line, left, end): &(f64, f64, f64)| (line - at.1).abs() < LINE && from < *end && *left < to;
            if named.len() < NAMED_MAX && !named.iter().any(overlaps) {
                let class = if point.established { "strong" } else { "label" };
                canvas.text((from, at.1 + 4.0), Anchor::Start, class, &name);
                named.push((at.1, from, to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_lie_on_one_another() {
        let point =
            |name: &str, x: f64, y: f64| ScatterPoint { name: name.to_owned(), x, y, established: x > 0.5 };
        let drawn = |points: &[ScatterPoint]| {
            Scatter { name: "s", title: "", description: "", x_label: "", y_label: "", line: "", points }
                .draw()
        };
        let points = [point("far", 1.0, 0.5), point("near", 0.999, 0.5), point("low", 0.2, 0.0)];
        let body = drawn(&points).unwrap().inline();
        assert_eq!(body.matches("<circle").count(), 3);
        assert!(
            body.contains(">far</text>") && !body.contains(">near</text>") && body.contains(">low</text>")
        );
        assert!(drawn(&[point("still", 0.0, 0.0)]).is_none());
    }
}
