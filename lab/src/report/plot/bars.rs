//! Bars made of parts (stacked bar chart, horizontal): outcomes of the members of each group, as shares of the group, with an axis in
//! percent. A group without members has no bar. Run reports show causes of death by cohort with it, the `openclaw` tools what gates let
//! through. Shares and not counts are drawn, because groups have different sizes; counts stand in the bars, and the size of a group at the
//! right.

use super::{Anchor, Canvas, Figure, WIDTH, text_width};
use crate::io::text::markup::shortened;

/// A stacked bar chart, before it is drawn.
#[derive(Clone, Debug)]
pub struct Bars<'a> {
    /// Name of its file, without the ending.
    pub name: &'a str,
    /// Its caption, one line.
    pub title: &'a str,
    /// The same in sentences, for screen readers.
    pub description: &'a str,
    /// What the axis measures.
    pub x_label: &'a str,
    /// Names of the parts with the numbers of their colours.
    pub parts: &'a [(String, usize)],
    /// Groups with the size of each part, in the order of the parts.
    pub groups: &'a [(String, Vec<u64>)],
}

/// Height of a row, CSS pixels (our choice): a number of the label's size has to fit into a bar.
const ROW: f64 = 30.0;

impl Bars<'_> {
    /// Draws the chart as SVG; `None` where all groups are empty.
    pub fn draw(&self) -> Option<Figure> {
        let size = |parts: &[u64]| parts.iter().sum::<u64>();
        if self.groups.iter().all(|(_, parts)| size(parts) == 0) {
            return None;
        }
        let names = self.groups.iter().map(|(name, _)| text_width(&shortened(name, 32))).fold(0.0, f64::max);
        let (left, right, top) = (names + 24.0, WIDTH - 72.0, 8.0);
        let mut canvas = Canvas::default();
        canvas.datum(["group", "part", "count", "of"]);
        for (index, (name, parts)) in self.groups.iter().enumerate() {
            let y = top + ROW * index as f64;
            let total = size(parts);
            canvas.text((left - 12.0, y + 17.0), Anchor::End, "label", &shortened(name, 32));
            canvas.text((WIDTH - 8.0, y + 17.0), Anchor::End, "tick", &format!("n = {total}"));
            let mut x = left;
            for ((part, colour), count) in self.parts.iter().zip(parts).filter(|(_, count)| **count > 0) {
                let width = (right - left) * *count as f64 / total as f64;
                let tooltip = format!("{name}: {count} of {total}, {part}");
                canvas.datum([name, part, &count.to_string(), &total.to_string()]);
                canvas.series(part, |canvas| {
                    canvas.titled_rect((x, y + 3.0), (width, ROW - 9.0), &format!("f{colour}"), &tooltip);
                    if width > text_width(&count.to_string()) + 8.0 {
                        let class = format!("label on{colour}");
                        canvas.text((x + width / 2.0, y + 17.5), Anchor::Middle, &class, &count.to_string());
                    }
                });
                x += width;
            }
        }
        let bottom = top + ROW * self.groups.len() as f64;
        canvas.line((left, bottom), (right, bottom), "axis");
        for quarter in 0..=4 {
            let x = left + (right - left) * f64::from(quarter) / 4.0;
            canvas.line((x, bottom), (x, bottom + 4.0), "axis");
            canvas.text((x, bottom + 17.0), Anchor::Middle, "tick", &format!("{} %", quarter * 25));
        }
        canvas.label_below((left, right), bottom, self.x_label);
        let entry = |(name, colour): &(String, usize)| (format!("f{colour}"), name.clone());
        let entries: Vec<_> = self.parts.iter().map(entry).collect();
        let height = bottom + 48.0 + canvas.legend((left, bottom + 48.0), right - left, &entries);
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, height)))
    }
}
