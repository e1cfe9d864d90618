//! A forest plot: estimates with their intervals, one under the other, against zero. Each row is a point estimate with its confidence
//! interval, as in a meta-analysis, but without a pooled estimate. Sweeps and `morta stats compare` draw differences in the unit of the
//! measure with it, sweeps also shares of the gap, replications natural logarithms of ratios. Which rows are established (blue and bold) is
//! the caller's verdict and isn't read off the interval here. Zero is always in the range, because the question is on which side of it an
//! interval lies.

use super::scale::Scale;
use super::{Anchor, Canvas, Figure, WIDTH, cell, text_width};
use crate::io::text::markup::shortened;

/// One row of the forest plot: a point estimate with its confidence interval.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    pub name: String,
    pub value: f64,
    pub interval: Option<(f64, f64)>,
    /// Single worlds, drawn as faint dots behind it; empty where they aren't known.
    pub worlds: Vec<f64>,
    /// The figures in words, at the right.
    pub value_text: String,
    /// Whether it is drawn as established, in blue and bold.
    pub established: bool,
}

/// A forest plot, before it is drawn (forest plot specification).
#[derive(Clone, Debug)]
pub(crate) struct Forest<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub x_label: &'a str,
    /// Differences smaller than this don't matter: a zone around zero.
    pub zone: Option<f64>,
    pub rows: &'a [Estimate],
}

/// Height of a row, CSS pixels (our choice: a line of words and its air, so that sixty rows fit a screen and a half).
const ROW: f64 = 22.0;

impl Forest<'_> {
    /// Draws it; `None` without rows (forest plot as SVG). It renders the chart.
    pub(crate) fn draw(&self) -> Option<Figure> {
        if self.rows.is_empty() {
            return None;
        }
        let names = self.rows.iter().map(|row| text_width(&shortened(&row.name, 42))).fold(0.0, f64::max);
        let texts_width = self.rows.iter().map(|row| text_width(&row.value_text)).fold(0.0, f64::max);
        let (left, right) = (names + 24.0, WIDTH - texts_width - 24.0);
        let (top, bottom) = (10.0, 10.0 + ROW * self.rows.len() as f64);
        let zone = self.zone.unwrap_or(0.0);
        let reach = |row: &Estimate| {
            let (low, high) = row.interval.unwrap_or((row.value, row.value));
            row.worlds.iter().fold((low, high), |(low, high), world| (low.min(*world), high.max(*world)))
        };
        // Zero and the whole zone are always in view: an estimate can't be judged against what matters when the axis leaves it out.
        let low = self.rows.iter().map(|row| reach(row).0).fold(-zone, f64::min);
        let high = self.rows.iter().map(|row| reach(row).1).fold(zone, f64::max);
        let room = (high - low) * 0.04;
        let scale = Scale::new((low - room, high + room), (left, right));
        let mut canvas = Canvas::default();
        canvas.datum(["row", "kind", self.x_label, "low", "high"]);
        for index in (0..self.rows.len()).step_by(2) {
            canvas.rect((0.0, top + ROW * index as f64), (WIDTH, ROW), "row");
        }
        if self.zone.is_some() {
            canvas.rect((scale.at(-zone), top), (scale.at(zone) - scale.at(-zone), bottom - top), "zone");
        }
        canvas.ticks_below(&scale, 6, bottom);
        canvas.line((left, bottom), (right, bottom), "axis");
        canvas.line((scale.at(0.0), top), (scale.at(0.0), bottom), "zero");
        for (index, row) in self.rows.iter().enumerate() {
            let y = top + ROW * (index as f64 + 0.5);
            let colour = if row.established { 0 } else { 6 };
            let class = if row.established { "strong" } else { "label" };
            canvas.text((left - 12.0, y + 4.0), Anchor::End, class, &shortened(&row.name, 42));
            let (low, high) = (cell(row.interval.map(|ends| ends.0)), cell(row.interval.map(|ends| ends.1)));
            canvas.datum([&row.name, "estimate", &row.value.to_string(), &low, &high]);
            for world in &row.worlds {
                canvas.datum([&row.name, "world", &world.to_string(), "", ""]);
                canvas.dot((scale.at(*world), y), 2.4, &format!("world f{colour}"));
            }
            if let Some((low, high)) = row.interval {
                let (from, to) = (scale.at(low), scale.at(high));
                let stroke = if row.established { "whisker l0" } else { "whisker axis" };
                canvas.line((from, y), (to, y), stroke);
                for end in [from, to] {
                    canvas.line((end, y - 4.0), (end, y + 4.0), stroke);
                }
            }
            canvas.rect((scale.at(row.value) - 4.0, y - 4.0), (8.0, 8.0), &format!("f{colour}"));
            canvas.text((WIDTH - 8.0, y + 4.0), Anchor::End, "tick", &row.value_text);
            let tooltip = format!("{}: {}", row.name, row.value_text);
            canvas.titled_rect((left, y - ROW / 2.0), (right - left, ROW), "over", &tooltip);
        }
        canvas.label_below((left, right), bottom, self.x_label);
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, bottom + 48.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(rows: &[Estimate]) -> Option<Figure> {
        Forest { name: "f", title: "", description: "", x_label: "", zone: None, rows }.draw()
    }

    #[test]
    fn a_row_without_an_interval_is_a_point() {
        let row = |interval| Estimate {
            name: "a".to_owned(),
            value: 0.5,
            interval,
            worlds: vec![0.2, 0.8],
            value_text: "0.5".to_owned(),
            established: true,
        };
        let whiskers = |figure: Option<Figure>| figure.unwrap().inline().matches("whisker").count();
        assert_eq!(whiskers(forest(&[row(None)])), 0);
        assert_eq!(whiskers(forest(&[row(None), row(Some((0.1, 0.9)))])), 3);
        assert!(forest(&[]).is_none());
        let drawn = forest(&[row(Some((0.1, 0.9)))]).unwrap();
        assert_eq!(drawn.inline().matches("class=\"world").count(), 2, "single worlds lie behind the mean");
        assert_eq!(drawn.csv, "row,kind,,low,high\na,estimate,0.5,0.1,0.9\na,world,0.2,,\na,world,0.8,,\n");
    }
}
