//! Arms in the same worlds: a column of dots for each, thin lines that join the dots of one world, and means with intervals. The lines show
//! what a paired test sees: a difference may be the same in every world although the columns overlap. It is a paired dot plot (slope chart,
//! parallel coordinates), in the unit of the measure, on the page of `morta stats compare`. Lines join neighbouring columns only, and only
//! where both arms have the world. Intervals are the caller's, of each arm's mean and not of the difference.

use super::scale::Scale;
use super::{Anchor, COLOURS, Canvas, Figure, WIDTH, cell, range};
use crate::io::text::figure;
use crate::io::text::markup::shortened;

/// One arm as a column of dots: its scores by world, its mean and interval (strip plot).
#[derive(Clone, Debug)]
pub(crate) struct PairedColumn {
    pub name: String,
    pub mean: f64,
    pub interval: Option<(f64, f64)>,
    /// By world, in the same order in every column; none where the arm has no score.
    pub scores: Vec<Option<f64>>,
}

/// A paired dot plot, before it is drawn (slope chart).
#[derive(Clone, Debug)]
pub(crate) struct PairedPlot<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub y_label: &'a str,
    /// Names of the worlds.
    pub worlds: &'a [String],
    pub columns: &'a [PairedColumn],
}

const TOP: f64 = 14.0;
const BOTTOM: f64 = 324.0;
const LEFT: f64 = 76.0;
/// Means stand beside the dots of their arm, so that neither hides the other.
const ASIDE: f64 = 14.0;
/// Widest that a column is: lines of two arms would otherwise run the width of a page.
const COLUMN_MAX: f64 = 210.0;

impl PairedPlot<'_> {
    /// Draws it; `None` without scores (paired dot plot as SVG). It renders a paired plot.
    pub(crate) fn draw(&self) -> Option<Figure> {
        let all = || self.columns.iter().flat_map(|column| column.scores.iter().flatten().copied());
        let ends =
            || self.columns.iter().filter_map(|column| column.interval).flat_map(|(low, high)| [low, high]);
        let low = all().chain(ends()).fold(f64::INFINITY, f64::min);
        let high = all().chain(ends()).fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return None;
        }
        let y = Scale::rounded((low, high), (BOTTOM, TOP), 5);
        let width = ((WIDTH - LEFT - 24.0) / self.columns.len() as f64).min(COLUMN_MAX);
        let right = LEFT + width * self.columns.len() as f64;
        let middle = |column: usize| LEFT + width * (column as f64 + 0.5);
        let mut canvas = Canvas::default();
        canvas.datum(["arm", "world", self.y_label, "low", "high"]);
        for (value, label) in y.ticks(5) {
            canvas.line(
                (LEFT, y.at(value)),
                (right, y.at(value)),
                if value == 0.0 { "zero" } else { "grid" },
            );
            canvas.text((LEFT - 8.0, y.at(value) + 4.0), Anchor::End, "tick", &label);
        }
        canvas.line((LEFT, TOP), (LEFT, BOTTOM), "axis");
        for world in 0..self.worlds.len() {
            for (place, pair) in self.columns.windows(2).enumerate() {
                if let (Some(from), Some(to)) = (pair[0].scores[world], pair[1].scores[world]) {
                    canvas.line((middle(place), y.at(from)), (middle(place + 1), y.at(to)), "pair");
                }
            }
        }
        let letters = (width / 6.6) as usize;
        for (place, column) in self.columns.iter().enumerate() {
            canvas.text(
                (middle(place), BOTTOM + 18.0),
                Anchor::Middle,
                "label",
                &shortened(&column.name, letters),
            );
            let (low, high) =
                (cell(column.interval.map(|ends| ends.0)), cell(column.interval.map(|ends| ends.1)));
            canvas.datum([&column.name, "mean", &column.mean.to_string(), &low, &high]);
            column.draw(&mut canvas, self.worlds, &y, (middle(place), place % COLOURS));
        }
        canvas.upright((20.0, f64::midpoint(TOP, BOTTOM)), "label", self.y_label);
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, BOTTOM + 32.0)))
    }
}

impl PairedColumn {
    fn draw(&self, canvas: &mut Canvas, worlds: &[String], y: &Scale, (x, colour): (f64, usize)) {
        for (world, score) in worlds.iter().zip(&self.scores) {
            let Some(score) = score else { continue };
            canvas.datum([&self.name, world, &score.to_string(), "", ""]);
            canvas.dot((x, y.at(*score)), 3.0, &format!("world f{colour}"));
            let tooltip = format!("{}, world {world}: {}", self.name, figure(*score));
            canvas.titled_rect((x - 5.0, y.at(*score) - 3.0), (10.0, 6.0), "over", &tooltip);
        }
        let x = x + ASIDE;
        if let Some((low, high)) = self.interval {
            canvas.line((x, y.at(low)), (x, y.at(high)), &format!("whisker l{colour}"));
        }
        canvas.dot((x, y.at(self.mean)), 4.5, &format!("f{colour}"));
        let ends = self.interval.map_or(String::new(), |ends| format!(" {}", range(ends)));
        let tooltip = format!("{}: mean {}{ends}", self.name, figure(self.mean));
        canvas.titled_rect((x - 6.0, y.at(self.mean) - 6.0), (12.0, 12.0), "over", &tooltip);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_join_the_scores_of_one_world() {
        let column = |name: &str, scores: &[Option<f64>]| PairedColumn {
            name: name.to_owned(),
            mean: 1.0,
            interval: Some((0.5, 1.5)),
            scores: scores.to_vec(),
        };
        let worlds = ["1", "2", "3"].map(str::to_owned);
        let drawn = |columns: &[PairedColumn]| {
            PairedPlot { name: "p", title: "", description: "", y_label: "score", worlds: &worlds, columns }
                .draw()
        };
        let columns =
            [column("a", &[Some(1.0), Some(2.0), None]), column("b", &[Some(2.0), Some(1.0), Some(3.0)])];
        let figure = drawn(&columns).unwrap();
        let body = figure.inline();
        assert_eq!((body.matches("\"pair\"").count(), body.matches("class=\"world").count()), (2, 5));
        assert!(figure.csv.contains("b,3,3,,"), "{}", figure.csv);
        assert!(drawn(&[]).is_none());
    }
}
