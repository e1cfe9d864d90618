//! Ranked bars: one or two figures for each row, with intervals, and a mark for comparison. It is a horizontal bar chart (tornado chart)
//! with error bars. Sensitivity reports draw Morris effects with it, the mark at the size that luck alone would have, and Sobol indices
//! without a mark; replications draw runs of replay and deaths, the mark at the published figure. The caller sorts the rows, because only
//! it knows what they rank by. Bars begin at 0; a row without a figure has a text alone.

use super::scale::Scale;
use super::{Anchor, Canvas, Figure, WIDTH, range, text_width};
use crate::io::text::figure;
use crate::io::text::markup::shortened;

/// One row of ranked bars: a key or a figure with its bars and mark (tornado chart row).
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub name: String,
    /// For each kind of bar, in the order of the kinds: the value with its interval.
    pub bars: Vec<Option<RankedBar>>,
    /// A value to compare the bars with, in their unit: the level of the null distribution, or a published figure; none without a mark.
    pub mark: Option<f64>,
    /// The figures in words, at the right.
    pub value_text: String,
    /// Whether its name is drawn as established, in bold.
    pub established: bool,
}

/// A value with its confidence interval, drawn as a bar with an error bar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankedBar {
    pub value: f64,
    pub interval: (f64, f64),
}

/// A plot of ranked bars, before it is drawn (horizontal bar chart).
#[derive(Clone, Debug)]
pub(crate) struct RankedBars<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub x_label: &'a str,
    /// Names of the kinds of bars, in the order of the rows' bars.
    pub kinds: &'a [&'a str],
    /// Name of the mark; empty without marks.
    pub mark: &'a str,
    pub rows: &'a [Ranked],
}

/// Height of a bar, and what is between two rows.
const BAR: f64 = 9.0;
const GAP: f64 = 12.0;
/// Most letters of a row's name (our choice: about a third of the width, so that the bars keep the rest).
const LETTERS: usize = 46;

impl RankedBars<'_> {
    /// Draws it; `None` when no row has a bar (horizontal bar chart as SVG).
    pub(crate) fn draw(&self) -> Option<Figure> {
        let known = || self.rows.iter().flat_map(|row| row.bars.iter().flatten());
        known().next()?;
        let names =
            self.rows.iter().map(|row| text_width(&shortened(&row.name, LETTERS))).fold(0.0, f64::max);
        let texts_width = self.rows.iter().map(|row| text_width(&row.value_text)).fold(0.0, f64::max);
        let (left, right) = (names + 24.0, WIDTH - texts_width - 24.0);
        let row_height = BAR * self.kinds.len() as f64 + GAP;
        let (top, bottom) = (8.0, 8.0 + row_height * self.rows.len() as f64);
        let marks = || self.rows.iter().filter_map(|row| row.mark);
        let low = known().map(|bar| bar.interval.0.min(bar.value)).fold(0.0, f64::min);
        let high = known().map(|bar| bar.interval.1.max(bar.value)).chain(marks()).fold(0.0, f64::max);
        let room = (high - low) * 0.03;
        let scale = Scale::new((if low < 0.0 { low - room } else { 0.0 }, high + room), (left, right));
        let mut canvas = Canvas::default();
        canvas.datum(["row", "kind", self.x_label, "low", "high"]);
        for index in (0..self.rows.len()).step_by(2) {
            canvas.rect((0.0, top + row_height * index as f64), (WIDTH, row_height), "row");
        }
        canvas.ticks_below(&scale, 6, bottom);
        canvas.line((left, bottom), (right, bottom), "axis");
        canvas.line((scale.at(0.0), top), (scale.at(0.0), bottom), "zero");
        for (index, row) in self.rows.iter().enumerate() {
            row.draw(&mut canvas, self.kinds, &scale, left, (top + row_height * index as f64, row_height));
        }
        canvas.label_below((left, right), bottom, self.x_label);
        let height = bottom + 48.0 + canvas.legend((left, bottom + 48.0), right - left, &self.legend());
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, height)))
    }

    /// The names of the kinds of bars, and of the mark where there is one.
    fn legend(&self) -> Vec<(String, String)> {
        let kinds = self.kinds.iter().enumerate().map(|(kind, name)| (colour(kind), (*name).to_owned()));
        let mark = (!self.mark.is_empty()).then(|| ("tip".to_owned(), self.mark.to_owned()));
        kinds.chain(mark).collect()
    }
}

fn colour(kind: usize) -> String {
    format!("f{}", if kind == 0 { 5 } else { 4 })
}

impl Ranked {
    fn draw(&self, canvas: &mut Canvas, kinds: &[&str], scale: &Scale, left: f64, (y, height): (f64, f64)) {
        let middle = y + height / 2.0;
        let class = if self.established { "strong" } else { "label" };
        canvas.text((left - 12.0, middle + 4.0), Anchor::End, class, &shortened(&self.name, LETTERS));
        canvas.text((WIDTH - 8.0, middle + 4.0), Anchor::End, "tick", &self.value_text);
        for (kind, bar) in self.bars.iter().enumerate() {
            let Some(bar) = bar else { continue };
            let top = y + GAP / 2.0 + BAR * kind as f64;
            let (from, to) = (scale.at(bar.value.min(0.0)), scale.at(bar.value.max(0.0)));
            let RankedBar { value, interval } = bar;
            let (least, most) = (interval.0.to_string(), interval.1.to_string());
            canvas.datum([&self.name, kinds[kind], &value.to_string(), &least, &most]);
            let tooltip = format!("{}, {}: {} {}", self.name, kinds[kind], figure(*value), range(*interval));
            canvas.titled_rect((from, top), (to - from, BAR - 1.0), &colour(kind), &tooltip);
            let (low, high) = (scale.at(bar.interval.0), scale.at(bar.interval.1));
            let at = top + (BAR - 1.0) / 2.0;
            canvas.line((low, at), (high, at), "axis");
            for end in [low, high] {
                canvas.line((end, at - 3.0), (end, at + 3.0), "axis");
            }
        }
        if let Some(mark) = self.mark {
            canvas.datum([&self.name, "mark", &mark.to_string(), "", ""]);
            let x = scale.at(mark);
            canvas.rect((x - 1.25, y + 2.0), (2.5, height - 4.0), "tip");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_has_its_whisker_and_every_row_its_mark() {
        let bar = |value: f64| Some(RankedBar { value, interval: (value - 0.1, value + 0.1) });
        let row = |bars, mark| Ranked {
            name: "a".to_owned(),
            bars,
            mark,
            value_text: "1".to_owned(),
            established: true,
        };
        let drawn = |rows: &[Ranked]| {
            let kinds = ["one", "two"];
            RankedBars {
                name: "r",
                title: "",
                description: "",
                x_label: "",
                kinds: &kinds,
                mark: "luck",
                rows,
            }
            .draw()
        };
        let body = drawn(&[row(vec![bar(0.5), bar(-0.2)], Some(0.3)), row(vec![bar(0.1), None], None)])
            .unwrap()
            .inline();
        // Three bars and two swatches; one mark and one swatch of it.
        assert_eq!((body.matches("class=\"f5\"").count(), body.matches("class=\"f4\"").count()), (3, 2));
        assert_eq!(body.matches("class=\"tip\"").count(), 2);
        assert!(drawn(&[row(vec![None, None], Some(1.0))]).is_none());
    }
}
