//! The part of a sweep file about a sensitivity analysis: its measures, and the number of points of its design. The number of points is the
//! sample size of the screening. It is reckoned before the points are made, so that an impossible design is refused at once. Named arms, a
//! registration and keys of the other design are refused here: a sensitivity analysis explores, and has no baseline. Sobol takes at most
//! 128 axes.

pub mod config;
mod design;

pub use config::SensitivityConfig;
pub use design::{AxisChoice, BaseRow, DesignPoint, DesignRows, SensitivityDesign, TrajectoryStep};

use super::config::SweepFile;
use super::value::Design;
use morta_base::TableChecker;
use morta_stats::sensitivity::saltelli::FACTORS_MAX;

impl SweepFile {
    /// The settings of a sensitivity analysis; `None` for another kind of design.
    pub fn sensitivity(&self) -> Option<&SensitivityConfig> {
        self.sensitivity.as_ref().filter(|_| self.design.is_sensitivity())
    }

    /// Most points that the design has; points with equal values are lived once.
    pub(super) fn sensitivity_points(&self) -> usize {
        let axes = self.axes.len();
        let Some(config) = self.sensitivity() else { return 0 };
        let (rows, each) = match (self.design, config.second_order) {
            (Design::Morris, _) => (config.trajectories(), axes + 1),
            (_, false) => (config.base_samples.unwrap_or(0), axes + 2),
            (_, true) => (config.base_samples.unwrap_or(0), 2 * axes + 2),
        };
        (rows as usize).saturating_mul(each)
    }

    pub(super) fn check_sensitivity(&self, table: &mut TableChecker<'_>) {
        let (morris, sobol) = (self.design == Design::Morris, self.design == Design::Sobol);
        let Some(config) = &self.sensitivity else {
            let remedy = "say which measures are asked about: sensitivity = { measures = [\"...\"] }";
            table.demand(!morris && !sobol, "sensitivity", "nothing", remedy);
            return;
        };
        if !morris && !sobol {
            let remedy = "only design = \"morris\" and design = \"sobol\" have it: leave it out";
            table.demand(false, "sensitivity", "with another design", remedy);
            return;
        }
        let alone =
            "a sensitivity analysis varies keys and nothing else: put what all points share into [set]";
        table.demand(self.arms.is_empty(), "arms", "with a sensitivity analysis", alone);
        let untested = "a sensitivity analysis explores, and has no baseline: leave it out, and confirm what it finds in worlds of their own";
        table.demand(
            self.preregistration.is_none(),
            "preregistration",
            "with a sensitivity analysis",
            untested,
        );
        let most = "has at most 128 axes, for the sequence it is made of has 256 dimensions: screen with \"morris\" first";
        table.demand(
            !sobol || self.axes.len() <= FACTORS_MAX,
            "design",
            format!("{} axes", self.axes.len()),
            most,
        );
        let mut own = table.table("sensitivity");
        for (key, given, belongs, design) in [
            ("trajectories", config.trajectories.is_some(), morris, "morris"),
            ("levels", config.levels.is_some(), morris, "morris"),
            ("base_samples", config.base_samples.is_some(), sobol, "sobol"),
            ("second_order", config.second_order, sobol, "sobol"),
        ] {
            let remedy = format!("only design = \"{design}\" has it: leave it out");
            own.demand(belongs || !given, key, "with another design", remedy);
        }
        let given = config.base_samples.is_some();
        own.demand(
            !sobol || given,
            "base_samples",
            "nothing",
            "say how many base samples there are, such as 64",
        );
        for (index, axis) in self.axes.iter().enumerate() {
            axis.check_moves(&mut table.table(&format!("axes.{index}")));
        }
    }
}
