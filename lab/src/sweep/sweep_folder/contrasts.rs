//! The table of contrasts: a row for each place where one arm was held against another. It is a tidy table (long format) of paired effects
//! with t confidence intervals, in the measure's unit. It is in rows, so that a plot of one's own needs no nested JSON. Figures are
//! computed by the analysis; a sweep without ladder, contrasts or map has no such table.

use crate::io::table::table;
use morta_stats::Interval;

/// A treatment effect with its place, i.e. rung and point: a row of the table of contrasts.
#[derive(Clone, Copy, Debug)]
pub struct ContrastCell<'a> {
    /// What it is part of.
    pub part: &'static str,
    /// The arm of interest.
    pub treated: &'a str,
    /// The arm that is taken from it.
    pub control: &'a str,
    /// What they are compared in.
    pub measure: &'a str,
    /// The cohort it is taken of.
    pub cohort: &'a str,
    /// The rung of the ladder, if there is one.
    pub rung: Option<&'a str>,
    /// Where it is in the map, if it is part of one.
    pub point: Option<(&'a str, &'a str)>,
    /// Worlds in which both arms have a value.
    pub worlds: u64,
    /// Mean of the treated arm, in the measure's unit.
    pub treated_mean: Option<f64>,
    /// Mean of the control, in the measure's unit.
    pub control_mean: Option<f64>,
    /// Mean difference, in the measure's unit.
    pub effect: Option<f64>,
    /// Its interval.
    pub interval: Option<Interval>,
    /// p-value of the test.
    pub p: Option<f64>,
    /// The same, corrected.
    pub corrected_p: Option<f64>,
}

table! {
    /// One arm less another, world by world, at one place: on a rung of the ladder or in a cell of the map. What `analysis.json` says of them,
    /// in rows; `contrasts.csv` has the same. There is none where the sweep's file has no ladder, contrasts or map.
    pub struct ContrastRow in "contrasts.parquet" from row: ContrastCell<'_>;

    /// What it is part of: `ladder`, `ladder_difference` (a rung less the primary rung) or `map`.
    part: String, Word = row.part;
    /// The arm of interest.
    treated: String, Name = row.treated;
    /// The arm that is taken from it.
    control: String, Name = row.control;
    /// What they are compared in.
    measure: String, Name = row.measure;
    /// The cohort it is taken of; `all` is everybody.
    cohort: String, Name = row.cohort;
    /// The rung; empty without a ladder.
    rung: Option<String>, Name = row.rung;
    /// Value of the map's horizontal axis; empty outside of maps.
    x: Option<String>, Name = row.point.map(|(x, _)| x);
    /// Value of the map's vertical axis; empty outside of maps.
    y: Option<String>, Name = row.point.map(|(_, y)| y);
    /// Worlds in which both arms have a value.
    worlds: u64, Count = row.worlds;
    /// Mean of the treated arm over those worlds, in the measure's unit; empty without worlds, and of differences between rungs.
    treated_mean: Option<f64>, OfRow = row.treated_mean;
    /// Mean of the control over those worlds; likewise.
    control_mean: Option<f64>, OfRow = row.control_mean;
    /// Mean difference, in the measure's unit; empty without worlds.
    effect: Option<f64>, OfRow = row.effect;
    /// Lower end of its t interval; empty where there is none.
    low: Option<f64>, OfRow = row.interval.map(|interval| interval.low);
    /// Upper end of its t interval; empty where there is none.
    high: Option<f64>, OfRow = row.interval.map(|interval| interval.high);
    /// p of the test; empty where it can't be computed.
    p: Option<f64>, Share = row.p;
    /// The same, corrected for its family; empty where it can't be computed.
    corrected_p: Option<f64>, Share = row.corrected_p;
}
