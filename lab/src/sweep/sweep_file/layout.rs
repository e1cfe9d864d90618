//! The places of arms in a list or a grid: each is a named arm on a rung of the ladder at a point of the axes.
//!
//! index = (arm · rungs + rung) · points + point, and within a point the last axis is fastest. Ladder, map, contrasts and factorial effects
//! all find their arms by this arithmetic, so that none of them has to parse names.
//!
//! It is index arithmetic in row-major order (mixed radix). It holds for a list and a grid alone: a ladder, contrasts and a map are refused
//! with any other design, because a design that draws its points has no such order. A verdict rule finds the arms that it names by it too,
//! and may name none with another design.

use super::axis::Axis;
use super::config::SweepFile;
use super::value::Design;

/// The shape of a design: its numbers of arms, rungs and points, as the dimensions of a row-major array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    arms: usize,
    rungs: usize,
    /// Values of each axis, the last of them fastest; of a list one number, for its axes go together.
    axes: Vec<usize>,
    /// Whether the axes are combined.
    is_grid: bool,
}

/// The coordinates of one arm in the grid, by number: arm, rung and point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridPlace {
    /// Number of the entry of `[[arms]]`; 0 without any.
    pub arm: usize,
    /// Number of the rung of the ladder; 0 without one.
    pub rung: usize,
    /// Number of the point of the axes; 0 without any.
    pub point: usize,
}

impl Layout {
    /// Makes the row-major grid layout of a sweep whose design is a list or a grid. Of any other design it counts the first axis alone and
    /// means nothing.
    pub fn from_file(file: &SweepFile) -> Self {
        let lengths: Vec<usize> = file.axes.iter().map(Axis::value_count).collect();
        let is_grid = file.design == Design::Grid;
        let axes = if is_grid { lengths } else { lengths.first().copied().into_iter().collect() };
        Self { arms: file.arms.len().max(1), rungs: file.ladder.len().max(1), axes, is_grid }
    }

    /// The number of points of the design: the size of the axes' Cartesian product, or of a list its length.
    pub fn points(&self) -> usize {
        self.axes.iter().product()
    }

    /// Computes the flat index of an arm from its coordinates.
    pub fn index(&self, place: GridPlace) -> usize {
        (place.arm * self.rungs + place.rung) * self.points() + place.point
    }

    /// Computes the coordinates of an arm from its flat index.
    pub fn place(&self, index: usize) -> GridPlace {
        let (before, point) = (index / self.points(), index % self.points());
        GridPlace { arm: before / self.rungs, rung: before % self.rungs, point }
    }

    /// Computes the number of the point with these levels of the axes (mixed radix); of a list, its first level.
    pub fn point(&self, levels: &[usize]) -> usize {
        if !self.is_grid {
            return levels.first().copied().unwrap_or(0);
        }
        self.axes.iter().zip(levels).fold(0, |point, (length, level)| point * length + level)
    }

    /// Computes the factor levels of the axes at a point; for a list, the number of the point.
    pub fn levels(&self, point: usize) -> Vec<usize> {
        let mut left = point;
        let mut levels: Vec<usize> = Vec::with_capacity(self.axes.len());
        for length in self.axes.iter().rev() {
            levels.push(left % length);
            left /= length;
        }
        levels.reverse();
        levels
    }

    /// Lists the numbers of all arms on the same rung and at the same point as one of them.
    pub fn beside(&self, index: usize) -> Vec<usize> {
        let place = self.place(index);
        (0..self.arms).map(|arm| self.index(GridPlace { arm, ..place })).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two arms on three rungs over a grid of two by four: 48 arms, and each is found where it stands.
    #[test]
    fn numbers_and_places_are_one_to_one() {
        let layout = Layout { arms: 2, rungs: 3, axes: vec![2, 4], is_grid: true };
        let mut seen = vec![false; 48];
        for (arm, rung) in (0..2).flat_map(|arm| (0..3).map(move |rung| (arm, rung))) {
            for point in 0..8 {
                let place = GridPlace { arm, rung, point };
                let index = layout.index(place);
                assert_eq!(layout.place(index), place);
                assert!(!std::mem::replace(&mut seen[index], true));
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
        assert!((0..8).all(|point| layout.point(&layout.levels(point)) == point));
        assert_eq!((layout.point(&[1, 1]), layout.point(&[0, 3])), (5, 3));
        assert_eq!(layout.beside(9), [9, 33]);
    }

    #[test]
    fn the_axes_of_a_list_go_together() {
        let layout = Layout { arms: 1, rungs: 1, axes: vec![3], is_grid: false };
        assert_eq!((layout.points(), layout.point(&[2, 2])), (3, 2));
        let bare = Layout { arms: 3, rungs: 2, axes: Vec::new(), is_grid: false };
        assert_eq!((bare.points(), bare.place(5)), (1, GridPlace { arm: 2, rung: 1, point: 0 }));
    }
}
