//! Lines of equal value over a lattice, by marching squares (Lorensen and Cline 1987, in the plane): within each square of four known
//! values the line runs straight between the places on its edges where the value is met. They are the contour lines (isolines) of a phase
//! map, whose cells are the points; coordinates count points from 0, columns first, and the caller turns them into pixels. A square that
//! lacks a value has none. The lines are straight in each square, because a lattice of a dozen points says no more.

/// A piece of a line, in places of the lattice: whole numbers are its points, columns first (isoline segment).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub from: (f64, f64),
    pub to: (f64, f64),
}

/// Finds the pieces of the contour line at a level, of values at the points of a lattice (scalar field on a regular grid): rows of the same
/// length. Squares that lack a value have none.
pub(super) fn line_at(lattice: &[Vec<Option<f64>>], level: f64) -> Vec<Segment> {
    let mut found = Vec::new();
    for (row, pair) in lattice.windows(2).enumerate() {
        let columns = pair[0].windows(2).zip(pair[1].windows(2)).enumerate();
        for (column, (low, high)) in columns {
            if let (Some(a), Some(b), Some(c), Some(d)) = (low[0], low[1], high[1], high[0]) {
                let corner = (column as f64, row as f64);
                found.extend(in_square([a, b, c, d], corner, level));
            }
        }
    }
    found
}

/// The corners of a square, around it from its lower left one.
const CORNERS: [(f64, f64); 4] = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];

fn in_square(values: [f64; 4], (x, y): (f64, f64), level: f64) -> Vec<Segment> {
    let is_above = values.map(|value| value >= level);
    let crossing = |edge: usize| {
        let next = (edge + 1) % 4;
        (is_above[edge] != is_above[next]).then(|| {
            let share = (level - values[edge]) / (values[next] - values[edge]);
            let (from, to) = (CORNERS[edge], CORNERS[next]);
            (x + from.0 + share * (to.0 - from.0), y + from.1 + share * (to.1 - from.1))
        })
    };
    let met: Vec<(f64, f64)> = (0..4).filter_map(crossing).collect();
    match met.as_slice() {
        [from, to] => vec![Segment { from: *from, to: *to }],
        // A saddle: two lines are possible, and the mean of the four corners decides which corners belong together (the usual rule of marching squares).
        [a, b, c, d] => {
            let middle = values.iter().sum::<f64>() / 4.0 >= level;
            if middle == is_above[0] {
                vec![Segment { from: *a, to: *b }, Segment { from: *c, to: *d }]
            } else {
                vec![Segment { from: *d, to: *a }, Segment { from: *b, to: *c }]
            }
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(rows: &[&[f64]]) -> Vec<Vec<Option<f64>>> {
        rows.iter().map(|row| row.iter().copied().map(Some).collect()).collect()
    }

    /// On a plane that rises from left to right the line stands upright where the value is met.
    #[test]
    fn a_plane_has_straight_lines() {
        let plane = lattice(&[&[0.0, 4.0, 8.0], &[0.0, 4.0, 8.0]]);
        assert_eq!(line_at(&plane, 1.0), [Segment { from: (0.25, 0.0), to: (0.25, 1.0) }]);
        assert_eq!(line_at(&plane, 9.0), []);
        assert_eq!(line_at(&plane, 6.0), [Segment { from: (1.5, 0.0), to: (1.5, 1.0) }]);
    }

    /// Two high corners across from each other: they are joined where the middle is high, and cut off where it is low.
    #[test]
    fn a_saddle_is_settled_by_its_middle() {
        let high = line_at(&lattice(&[&[3.0, -1.0], &[-1.0, 3.0]]), 0.0);
        assert_eq!(high[0], Segment { from: (0.75, 0.0), to: (1.0, 0.25) }, "around the lower right corner");
        let low = line_at(&lattice(&[&[1.0, -3.0], &[-3.0, 1.0]]), 0.0);
        assert_eq!(low[0], Segment { from: (0.0, 0.25), to: (0.25, 0.0) }, "around the lower left corner");
        assert_eq!((high.len(), low.len()), (2, 2));
    }

    #[test]
    fn squares_that_lack_a_value_have_no_line() {
        let torn = [vec![Some(-1.0), Some(1.0)], vec![Some(-1.0), None]];
        assert_eq!(line_at(&torn, 0.0), []);
    }
}
