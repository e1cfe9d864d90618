//! Statistics of a table of the caller's own (`morta stats`): lives with censoring, arms compared in the same worlds, and whether the tests
//! keep the error rate they claim. The mathematics is that of [`morta_stats`]; here tables are read and results are put into words. Tables
//! of users go through the same tests and verdicts as sweeps do, so that both can be calibrated by the same runs. `compare` and
//! `calibration` read a table by `paired`, `survival` reads lives and fits the model of `cox`, `groups` names groups and baseline. `across`
//! alone reads folders of sweeps and no table.

mod across;
mod calibration;
mod compare;
mod cox;
mod groups;
mod paired;
mod survival;

pub use across::{Across, RegisteredComparison};
pub use calibration::{CalibrationOptions, CalibrationReport, TestCalibration};
pub use compare::{ArmSummary, ArmsCompared, ArmsComparison, ArmsOptions};
pub use cox::{CoxReport, ReferenceLevel};
pub use paired::PairedColumns;
pub use survival::{AtRisk, GroupSurvival, SurvivalAnalysis, SurvivalDifference, SurvivalOptions};
