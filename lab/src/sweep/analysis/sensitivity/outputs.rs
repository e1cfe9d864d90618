//! The results of the cells of a sensitivity analysis, by point of its design (model outputs): one measure, in its unit, at each point in
//! each world. Points that were left out stay in the list, because rows of a design name points by number.

use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_file::sensitivity::{DesignRows, SensitivityDesign};
use std::collections::BTreeMap;

/// One measure at every point, in every world (model outputs): a borrowed view of the results matrix.
pub(crate) struct Outputs<'a> {
    /// The arm of each point; none where the point is left out.
    pub arms: &'a [Option<usize>],
    /// By arm and world.
    pub values: &'a [Vec<Option<f64>>],
    /// How many worlds there are.
    pub worlds: usize,
}

impl Outputs<'_> {
    /// Looks up the model output at a point in a world; `None` where the point is left out, the cell failed, or the measure isn't defined.
    pub(super) fn at(&self, point: usize, world: usize) -> Option<f64> {
        self.values[self.arms[point]?][world]
    }
}

/// The arm of each point (arm index by design point).
pub(super) fn arms(sweep: &Sweep, design: &SensitivityDesign) -> Vec<Option<usize>> {
    let named: BTreeMap<&str, usize> =
        sweep.arms.iter().enumerate().map(|(place, arm)| (arm.name.as_str(), place)).collect();
    design.points.iter().map(|point| named.get(point.name.as_str()).copied()).collect()
}

/// Whether moving an axis never changed the log of any world, where both ends of the move were lived; false where none was (inert factor).
/// Digests decide and not the measure, because a key may change other things and leave the measure as it is.
pub(super) fn changed_no_byte(
    design: &SensitivityDesign,
    arms: &[Option<usize>],
    digests: &[Vec<Option<String>>],
    axis: usize,
) -> bool {
    let pairs: Vec<(usize, usize)> = match &design.rows {
        DesignRows::Morris(all) => {
            let steps = all.iter().flatten().filter(|step| step.axis == axis);
            steps.map(|step| (step.before, step.after)).collect()
        }
        DesignRows::Sobol(all) => all.iter().map(|row| (row.a, row.ab[axis])).collect(),
    };
    let mut compared = false;
    for (before, after) in pairs.into_iter().filter(|(before, after)| before != after) {
        let (Some(before), Some(after)) = (arms[before], arms[after]) else { continue };
        for (one, other) in digests[before].iter().zip(&digests[after]) {
            if let (Some(one), Some(other)) = (one, other) {
                if one != other {
                    return false;
                }
                compared = true;
            }
        }
    }
    compared
}
