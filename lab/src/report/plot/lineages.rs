//! Lineages as rows, lives as bars coloured by their cause of death, and inheritances as arrows between lives. It is a timeline
//! (Gantt chart) of generations, with x in ticks: a family tree whose arrows are bequests. The report of a run chooses rows, bars and
//! arrows and limits their number. Lives stand on one time axis, because the order of a death and an inheritance is what the figure shows.

use super::scale::Scale;
use super::{Anchor, Canvas, Figure, WIDTH, text_width};

/// One life as a bar on its lineage's row, in ticks (timeline bar).
#[derive(Clone, Debug)]
pub(crate) struct LifeBar {
    /// Number of its row, from 0.
    pub row: usize,
    pub from: f64,
    pub to: f64,
    pub colour: usize,
    /// The tooltip.
    pub tooltip: String,
}

/// An inheritance, drawn as an arrow from giver to heir (a directed edge of the genealogy).
#[derive(Clone, Debug)]
pub(crate) struct Arrow {
    /// Row and time of the giver's end.
    pub from: (usize, f64),
    /// Row and time at which the heir took it.
    pub to: (usize, f64),
    pub tooltip: String,
}

/// A plot of lineages, before it is drawn (Gantt chart).
#[derive(Clone, Debug)]
pub(crate) struct Lineages<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub x_label: &'a str,
    /// Labels of the rows.
    pub rows: &'a [String],
    pub bars: &'a [LifeBar],
    pub arrows: &'a [Arrow],
    /// Names of the colours.
    pub colours: &'a [(String, usize)],
    /// The last time.
    pub until: f64,
}

/// Height of a row, CSS pixels (our choice: the least at which names of rows don't touch, because forty rows should fit a screen).
const ROW: f64 = 17.0;

impl Lineages<'_> {
    /// Draws it; `None` without rows (timeline as SVG). It renders the genealogy.
    pub(crate) fn draw(&self) -> Option<Figure> {
        if self.rows.is_empty() {
            return None;
        }
        let names = self.rows.iter().map(|name| text_width(name)).fold(0.0, f64::max);
        let (left, right, top) = (names + 18.0, WIDTH - 24.0, 8.0);
        let bottom = top + ROW * self.rows.len() as f64;
        let time = Scale::new((0.0, self.until), (left, right));
        let middle = |row: usize| top + ROW * (row as f64 + 0.5);
        let mut canvas = Canvas::default();
        canvas.datum(["row", "what", "from", "to", "cause", "shown"]);
        for (value, label) in time.ticks(8) {
            canvas.line((time.at(value), top), (time.at(value), bottom), "grid");
            canvas.text((time.at(value), bottom + 17.0), Anchor::Middle, "tick", &label);
        }
        for (row, name) in self.rows.iter().enumerate() {
            canvas.text((left - 8.0, middle(row) + 4.0), Anchor::End, "tick", name);
        }
        for bar in self.bars {
            let (from, to) = (time.at(bar.from), time.at(bar.to));
            // A pixel less, so that lives of one cause in sequence are told apart; a pixel at least, so that none disappears.
            let width = (to - from - 1.0).max(1.0);
            let class = format!("f{}", bar.colour);
            let named = self.colours.iter().find(|(_, colour)| *colour == bar.colour);
            let cause = named.map_or("", |(name, _)| name.as_str());
            let (from_tick, to_tick) = (bar.from.to_string(), bar.to.to_string());
            canvas.datum([&self.rows[bar.row], "life", &from_tick, &to_tick, cause, &bar.tooltip]);
            canvas.series(cause, |canvas| {
                canvas.titled_rect((from, middle(bar.row) - 4.5), (width, 9.0), &class, &bar.tooltip);
            });
        }
        for arrow in self.arrows {
            let (x1, y1) = (time.at(arrow.from.1), middle(arrow.from.0));
            let (x2, y2) = (time.at(arrow.to.1), middle(arrow.to.0));
            let bend = ((x2 - x1).abs() / 2.0).clamp(10.0, 60.0);
            let tooltip = super::escape(&arrow.tooltip);
            let (from_tick, to_tick) = (arrow.from.1.to_string(), arrow.to.1.to_string());
            canvas.datum([&self.rows[arrow.to.0], "inheritance", &from_tick, &to_tick, "", &arrow.tooltip]);
            canvas.raw(format_args!(
                "<path d=\"M{x1:.1} {y1:.1}C{:.1} {y1:.1} {:.1} {y2:.1} {x2:.1} {y2:.1}\" class=\"arrow\"><title>{tooltip}</title></path>\
                 <path d=\"M{x2:.1} {y2:.1}l-6 -3v6Z\" class=\"tip\"/>",
                x1 + bend,
                x2 - bend
            ));
        }
        canvas.line((left, bottom), (right, bottom), "axis");
        canvas.label_below((left, right), bottom, self.x_label);
        let entry = |(name, colour): &(String, usize)| (format!("f{colour}"), name.clone());
        let entries: Vec<_> = self.colours.iter().map(entry).collect();
        let height = bottom + 48.0 + canvas.legend((left, bottom + 48.0), right - left, &entries);
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, height)))
    }
}
