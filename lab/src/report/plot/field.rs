//! Maps of a grid: one or two quantities at each place (a grid world heatmap). Replications show with them where replay runs in a maze, and
//! its need and gain. A quantity is 0 or more; its shade goes by its share of the largest value on its map, which stands in the map's
//! title. Walls have none; starts and goals have letters. Each map has its own scale, because need and gain differ by orders of magnitude.

use super::{Anchor, Canvas, Figure, WIDTH};
use crate::io::text::figure;

/// One map (grid heatmap).
#[derive(Clone, Debug)]
pub(crate) struct FieldMap {
    /// Written above it.
    pub title: String,
    /// The number of a colour and the value of each place, row by row, 0 or more. The first layer has the upper left half of a place, a second
    /// one the lower right; alone it has the whole.
    pub layers: Vec<(usize, Vec<f64>)>,
}

/// Heat maps of a grid world, before they are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    /// Places in a row.
    pub columns: usize,
    /// Letters on places: starts, goals.
    pub letters: &'a [(usize, String)],
    /// By place.
    pub walls: &'a [bool],
    pub maps: &'a [FieldMap],
    /// Colours with their meanings.
    pub legend: &'a [(usize, String)],
}

/// Maps side by side (our choice): with more, a place of a map is too small for its letter.
const ACROSS: usize = 2;
const GAP: f64 = 24.0;
const TITLE: f64 = 22.0;

impl Fields<'_> {
    /// Draws it; `None` when there is nothing of anything (grid heatmap as SVG). It renders the heat map.
    pub(crate) fn draw(&self) -> Option<Figure> {
        let most =
            |map: &FieldMap| map.layers.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max);
        if self.maps.iter().all(|map| most(map) <= 0.0) {
            return None;
        }
        let place = ((WIDTH - GAP) / ACROSS as f64 - 2.0) / self.columns as f64;
        let rows = self.walls.len().div_ceil(self.columns);
        let mut canvas = Canvas::default();
        canvas.datum(["map", "layer", "row", "column", "value"]);
        for (nth, map) in self.maps.iter().enumerate() {
            let left = 1.0 + (nth % ACROSS) as f64 * (WIDTH / ACROSS as f64 + GAP / 4.0);
            let top = (nth / ACROSS) as f64 * (rows as f64 * place + TITLE + GAP) + TITLE;
            let title = format!("{} (most: {})", map.title, figure(most(map)));
            canvas.text((left, top - 7.0), Anchor::Start, "panel", &title);
            self.draw_map(&mut canvas, map, most(map), (left, top), place);
        }
        let below = self.maps.len().div_ceil(ACROSS) as f64 * (rows as f64 * place + TITLE + GAP);
        let legend: Vec<_> =
            self.legend.iter().map(|(colour, name)| (format!("f{colour}"), name.clone())).collect();
        let height = below + canvas.legend((1.0, below), WIDTH, &legend) + 4.0;
        Some(canvas.figure(self.name, self.title, self.description, (WIDTH, height)))
    }

    fn draw_map(&self, canvas: &mut Canvas, map: &FieldMap, most: f64, (left, top): (f64, f64), place: f64) {
        for (state, is_wall) in self.walls.iter().enumerate() {
            let (x, y) =
                (left + (state % self.columns) as f64 * place, top + (state / self.columns) as f64 * place);
            if *is_wall {
                canvas.rect((x, y), (place, place), "f6");
                continue;
            }
            for (layer, (colour, values)) in map.layers.iter().enumerate() {
                let share = if most > 0.0 { values[state] / most } else { 0.0 };
                let (right, bottom) = (x + place, y + place);
                let corner = if layer == 0 { (x, y) } else { (right, bottom) };
                let shape = match map.layers.len() {
                    1 => format!("M{x:.1} {y:.1}H{right:.1}V{bottom:.1}H{x:.1}Z"),
                    _ => format!("M{:.1} {:.1}L{right:.1} {y:.1}L{x:.1} {bottom:.1}Z", corner.0, corner.1),
                };
                let known = self.legend.iter().find(|(number, _)| number == colour);
                let layer = known.map_or("", |(_, name)| name.as_str());
                let (row, column) = (state / self.columns, state % self.columns);
                let (row, column) = (row.to_string(), column.to_string());
                canvas.datum([&map.title, layer, &row, &column, &values[state].to_string()]);
                canvas.raw(format_args!("<g fill-opacity=\"{share:.2}\">"));
                canvas.path(&shape, &format!("f{colour}"));
                canvas.raw("</g>");
            }
            canvas.rect((x, y), (place, place), "border");
        }
        for (state, letter) in self.letters {
            let x = left + ((state % self.columns) as f64 + 0.5) * place;
            let y = top + ((state / self.columns) as f64 + 0.5) * place + 4.0;
            canvas.text((x, y), Anchor::Middle, "strong halo", letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_has_no_value_and_nothing_at_all_no_figure() {
        let walls = [false, true, false, false];
        let drawn = |values: [f64; 4]| {
            let maps =
                [FieldMap { title: "m".to_owned(), layers: vec![(0, values.to_vec()), (1, vec![0.0; 4])] }];
            let (letters, legend) = (&[(0, "A".to_owned())][..], &[(0, "forward".to_owned())][..]);
            let (name, title, description) = ("f", "", "");
            Fields { name, title, description, columns: 2, letters, walls: &walls, maps: &maps, legend }
                .draw()
        };
        let body = drawn([1.0, 9.0, 0.5, 0.0]).unwrap().inline();
        assert_eq!((body.matches("<path").count(), body.matches("class=\"f6\"").count()), (6, 1));
        assert!(drawn([0.0; 4]).is_none());
    }
}
