//! A phase map: an effect with a sign at each pair of two settings. Two hues from 0 outwards, alike in strength where effects are alike in
//! size; cells in which nothing is shown are hatched; lines run where the effect is the same. It is a phase diagram as a heatmap with a
//! diverging colour scale, a colour bar and contour lines. Effects are in the unit of the measure; a cell without an effect stays empty.
//! The registered maps of sweeps are drawn with it: the caller says which cells are hatched (interval holds 0) and which bold (the
//! corrected test tells the effect from 0, a verdict that isn't computed here). Uncertain cells are hatched and not left out, because an
//! empty cell would look like one that wasn't run.

use super::contour::{Segment, line_at};
use super::scale::{Scale, tick_label};
use super::{Anchor, Canvas, Figure, WIDTH, text_width};
use crate::io::text::markup::shortened;

/// One cell of the map: an effect, and how it is drawn (heatmap cell).
#[derive(Clone, Debug)]
pub(crate) struct PhaseCell {
    pub effect: f64,
    /// The effect in short, for the inside of the cell.
    pub short: String,
    /// The effect with its interval, for the tooltip.
    pub tooltip: String,
    /// Whether nothing is shown there.
    pub hatched: bool,
    /// Whether its figure is drawn as established, in bold.
    pub established: bool,
}

/// A phase map before it is drawn: a heat map of an effect over two parameters (phase diagram).
#[derive(Clone, Debug)]
pub(crate) struct Phase<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    /// The horizontal setting, and its values.
    pub x: (&'a str, &'a [String]),
    /// The vertical setting, and its values.
    pub y: (&'a str, &'a [String]),
    /// Row by row, the lowest first.
    pub cells: &'a [Vec<Option<PhaseCell>>],
    /// The effect with its unit.
    pub unit: &'a str,
    /// The meaning of a hatched cell.
    pub hatched: &'a str,
    /// The meaning of a value in bold.
    pub established: &'a str,
}

/// Strength of the colour of the largest effect. Text in the colour of the ink stays readable on it, in light and in dark.
const STRONGEST: f64 = 0.62;
/// Sizes of a cell, in CSS pixels.
const CELL_WIDTH_MAX: f64 = 132.0;
const CELL_HEIGHT: std::ops::RangeInclusive<f64> = 22.0..=46.0;
/// Room for the colours' scale at the right.
const SCALE_WIDTH: f64 = 128.0;
/// Steps of that scale (our choice): odd, so that one step is the colour of 0, and enough that a reader sees no edges.
const STEPS: usize = 31;
/// About how many marks the scale has, and lines of equal effect the map.
const MARKS: u32 = 4;

/// Where the words of the legend begin, from its left.
const LEGEND_LEFT: f64 = 36.0;
const LEGEND_NOTE: &str = "no effect; thin lines: the effects that the scale has marks at";

/// From one line of a hatched cell to the next, across, CSS pixels (our choice): nearer lines would hide the figure in the cell.
const HATCH_STEP: f64 = 9.0;

/// Measures of the layout in CSS pixels, and the number of rows.
struct Place {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    rows: usize,
}

impl Place {
    /// The upper left corner of a cell; rows count from the bottom.
    fn corner(&self, row: usize, column: usize) -> (f64, f64) {
        (self.left + self.width * column as f64, self.top + self.height * (self.rows - 1 - row) as f64)
    }

    /// The middle of the lattice's place, where whole numbers are middles of cells.
    fn at(&self, (column, row): (f64, f64)) -> (f64, f64) {
        let x = self.left + self.width * (column + 0.5);
        (x, self.top + self.height * (self.rows as f64 - 0.5 - row))
    }
}

impl Phase<'_> {
    /// Draws it; `None` when no cell has an effect (phase diagram as SVG). It renders the heat map.
    pub(crate) fn draw(&self) -> Option<Figure> {
        let known = || self.cells.iter().flatten().flatten();
        let most = known().map(|cell| cell.effect.abs()).fold(0.0, f64::max);
        known().next()?;
        // All effects are 0: the scale still needs a width.
        let most = if most > 0.0 { most } else { 1.0 };
        let place = self.place();
        let mut canvas = Canvas::default();
        canvas.datum([self.y.0, self.x.0, self.unit, "shown"]);
        self.colours(&mut canvas, &place, most);
        self.lines(&mut canvas, &place, most);
        self.values(&mut canvas, &place);
        self.axes(&mut canvas, &place);
        let right = place.left + place.width * self.x.1.len() as f64;
        self.scale(&mut canvas, (right + 26.0, place.top), most);
        let bottom = place.top + place.height * place.rows as f64 + 54.0;
        let height = bottom + self.legend(&mut canvas, (place.left, bottom));
        // Few columns don't fill a plot's width; empty space would make the rest small on a narrow page, which scales the figure down.
        let width = (right + SCALE_WIDTH).max(place.left + self.legend_width()).min(WIDTH);
        Some(canvas.figure(self.name, self.title, self.description, (width, height + 8.0)))
    }

    fn legend_width(&self) -> f64 {
        let widths = [self.hatched, self.established, LEGEND_NOTE].map(text_width);
        LEGEND_LEFT + widths.into_iter().fold(0.0, f64::max)
    }

    fn place(&self) -> Place {
        let names = self.y.1.iter().map(|name| text_width(&shortened(name, 24))).fold(0.0, f64::max);
        let left = names + 44.0;
        let rows = self.y.1.len();
        let width = ((WIDTH - left - SCALE_WIDTH) / self.x.1.len() as f64).min(CELL_WIDTH_MAX);
        let height = (width * 0.62).clamp(*CELL_HEIGHT.start(), *CELL_HEIGHT.end());
        Place { left, top: 24.0, width, height, rows }
    }

    fn colours(&self, canvas: &mut Canvas, place: &Place, most: f64) {
        for (row, cells) in self.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let ((x, y), size) = (place.corner(row, column), (place.width, place.height));
                let Some(cell) = cell else {
                    canvas.rect((x + 1.0, y + 1.0), (size.0 - 2.0, size.1 - 2.0), "none");
                    continue;
                };
                tinted(canvas, (x, y), size, cell.effect / most);
                if cell.hatched {
                    hatched(canvas, (x, y), size);
                }
                canvas.rect((x, y), size, "border");
            }
        }
    }

    fn lines(&self, canvas: &mut Canvas, place: &Place, most: f64) {
        let effect = |cell: &Option<PhaseCell>| cell.as_ref().map(|cell| cell.effect);
        let lattice: Vec<Vec<_>> = self.cells.iter().map(|row| row.iter().map(effect).collect()).collect();
        for (level, _) in Scale::new((-most, most), (0.0, 1.0)).ticks(MARKS) {
            let is_nil = level.abs() < most * 1e-9;
            let class = if is_nil { "contour nil" } else { "contour" };
            let mut path = String::new();
            for Segment { from, to } in line_at(&lattice, if is_nil { 0.0 } else { level }) {
                let ((x1, y1), (x2, y2)) = (place.at(from), place.at(to));
                path += &format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
            }
            if !path.is_empty() {
                canvas.path(&path, class);
            }
        }
    }

    fn values(&self, canvas: &mut Canvas, place: &Place) {
        for (row, cells) in self.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let Some(cell) = cell else { continue };
                let (x, y) = place.corner(row, column);
                let room = text_width(&cell.short) < place.width - 4.0;
                let class = if cell.established { "strong halo" } else { "label halo" };
                if room {
                    let middle = (x + place.width / 2.0, y + place.height / 2.0 + 4.5);
                    canvas.text(middle, Anchor::Middle, class, &cell.short);
                }
                canvas.titled_rect((x, y), (place.width, place.height), "over", &cell.tooltip);
                canvas.datum([&self.y.1[row], &self.x.1[column], &cell.effect.to_string(), &cell.tooltip]);
            }
        }
    }

    fn axes(&self, canvas: &mut Canvas, place: &Place) {
        let bottom = place.top + place.height * place.rows as f64;
        for (row, name) in self.y.1.iter().enumerate() {
            let (x, y) = place.corner(row, 0);
            canvas.text((x - 8.0, y + place.height / 2.0 + 4.0), Anchor::End, "tick", &shortened(name, 24));
        }
        let letters = (place.width / 6.4).max(3.0) as usize;
        for (column, name) in self.x.1.iter().enumerate() {
            let x = place.left + place.width * (column as f64 + 0.5);
            canvas.text((x, bottom + 16.0), Anchor::Middle, "tick", &shortened(name, letters));
        }
        let middle = place.left + place.width * self.x.1.len() as f64 / 2.0;
        canvas.text((middle, bottom + 36.0), Anchor::Middle, "strong", &shortened(self.x.0, 80));
        let up = (f64::midpoint(place.top, bottom), 14.0);
        canvas.upright((up.1, up.0), "strong", &shortened(self.y.0, 40));
    }

    /// The colour bar: colours with their values, from the most positive effect to the most negative.
    fn scale(&self, canvas: &mut Canvas, (left, top): (f64, f64), most: f64) {
        let height = (CELL_HEIGHT.end() * self.y.1.len() as f64).clamp(110.0, 220.0);
        let step = height / STEPS as f64;
        for index in 0..STEPS {
            let share = 1.0 - 2.0 * index as f64 / (STEPS - 1) as f64;
            tinted(canvas, (left, top + step * index as f64), (16.0, step + 0.3), share);
        }
        canvas.rect((left, top), (16.0, height), "border");
        let scale = Scale::new((-most, most), (top + height - step / 2.0, top + step / 2.0));
        for (value, label) in scale.ticks(MARKS) {
            canvas.line((left + 16.0, scale.at(value)), (left + 20.0, scale.at(value)), "axis");
            let label = if value > 0.0 { format!("+{label}") } else { label };
            canvas.text((left + 24.0, scale.at(value) + 4.0), Anchor::Start, "tick", &label);
        }
        canvas.text((left, top - 9.0), Anchor::Start, "tick", &shortened(self.unit, 18));
    }

    /// The legend of hatching, bold figures and lines; returns its height.
    fn legend(&self, canvas: &mut Canvas, (left, top): (f64, f64)) -> f64 {
        hatched(canvas, (left, top + 1.0), (22.0, 13.0));
        canvas.rect((left, top + 1.0), (22.0, 13.0), "border");
        canvas.text((left + LEGEND_LEFT, top + 12.0), Anchor::Start, "label", self.hatched);
        canvas.text((left, top + 32.0), Anchor::Start, "strong", "\u{b1}1.2");
        canvas.text((left + LEGEND_LEFT, top + 32.0), Anchor::Start, "label", self.established);
        canvas.line((left, top + 48.0), (left + 22.0, top + 48.0), "contour nil");
        canvas.text((left + LEGEND_LEFT, top + 52.0), Anchor::Start, "label", LEGEND_NOTE);
        60.0
    }
}

/// A rectangle in the colour of an effect, which is a share of the largest one, -1 to 1.
fn tinted(canvas: &mut Canvas, place: (f64, f64), size: (f64, f64), share: f64) {
    let class = if share >= 0.0 { "gain" } else { "loss" };
    canvas.raw(format_args!("<g fill-opacity=\"{:.3}\">", share.abs().min(1.0) * STRONGEST));
    canvas.rect(place, size, class);
    canvas.raw("</g>");
}

/// Slanting lines within a rectangle. They are drawn one by one: a pattern would have to be named by a reference, and a page has none.
fn hatched(canvas: &mut Canvas, (x, y): (f64, f64), (width, height): (f64, f64)) {
    let mut path = String::new();
    let mut start = HATCH_STEP;
    while start < width + height {
        let (from, to) = (start.min(width), start.min(height));
        let (x1, y1) = (x + from, y + start - from);
        let (x2, y2) = (x + start - to, y + to);
        path += &format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
        start += HATCH_STEP;
    }
    canvas.path(&path, "hatch");
}

/// An effect in as few digits as distinguish it from its neighbours: to a hundredth of the largest one, or finer (number formatting).
pub(crate) fn short(effect: f64, most: f64) -> String {
    if most <= 0.0 {
        return "0".to_owned();
    }
    let label = tick_label(effect, 10_f64.powf((most / 100.0).log10().floor()));
    let is_nil = label.chars().all(|c| !c.is_ascii_digit() || c == '0');
    match (is_nil, effect > 0.0) {
        (true, _) => label.trim_start_matches('\u{2212}').to_owned(),
        (false, true) => format!("+{label}"),
        (false, false) => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(effect: f64, hatched: bool) -> Option<PhaseCell> {
        Some(PhaseCell {
            effect,
            short: short(effect, 2.0),
            tooltip: String::new(),
            hatched,
            established: !hatched,
        })
    }

    fn drawn(cells: &[Vec<Option<PhaseCell>>]) -> Option<Figure> {
        let names = ["1".to_owned(), "2".to_owned()];
        let axis = ("axis", &names[..]);
        let (title, description, unit, hatched, established) = ("", "", "R", "", "");
        Phase { name: "map", title, description, x: axis, y: axis, cells, unit, hatched, established }.draw()
    }

    /// Colours are alike in strength on both sides of 0, the first row is the lowest, and what isn't shown is hatched.
    #[test]
    fn cells_stand_where_they_belong() {
        let body = drawn(&[vec![cell(-2.0, false), cell(1.0, true)], vec![cell(2.0, false), None]])
            .unwrap()
            .inline();
        assert!(body.contains("<g fill-opacity=\"0.620\"><rect"), "{body}");
        let strong = body.matches("fill-opacity=\"0.620\"").count();
        // Two cells and the two ends of the scale.
        assert_eq!((strong, body.matches("fill-opacity=\"0.310\"").count()), (4, 1));
        assert_eq!(body.matches("class=\"hatch\"").count(), 2, "one cell and the legend");
        let height = |text: &str| {
            let before = body.split(&format!(">{text}</text>")).next().unwrap();
            let y = before.rsplit("y=\"").next().unwrap();
            y.split('"').next().unwrap().parse::<f64>().unwrap()
        };
        assert!(height("\u{2212}2.00") > height("+2.00"));
        assert!(body.contains("class=\"none\""));
        assert!(!body.contains("viewBox=\"0 0 860 "), "two columns don't take the whole width: {body}");
        assert!(drawn(&[vec![None, None]]).is_none());
    }

    #[test]
    fn figures_are_short_enough_for_a_cell() {
        assert_eq!(
            (short(0.012_34, 0.05), short(-31.2, 180.0)),
            ("+0.0123".to_owned(), "\u{2212}31".to_owned())
        );
        let nil = [short(0.0, 0.0), short(-0.000_01, 2.0), short(0.004, 2.0)];
        assert_eq!(nil, ["0", "0.00", "0.00"].map(str::to_owned));
    }
}
