//! The table of a sensitivity analysis: a row for each figure of each key. It is a tidy table (long format) of Morris effects, in the
//! measure's unit, or Sobol indices, shares whose estimates may lie outside 0 to 1. Every figure has its interval, because a rank alone
//! says nothing; a level of luck stands only beside `mu_star` of the mean over worlds. Figures are computed by the analysis and are written
//! here.

use crate::io::table::table;
use morta_stats::sensitivity::worlds::FigureSpread;

/// One sensitivity index, of one key or of two together: a row of the table of sensitivity.
#[derive(Clone, Copy, Debug, Default)]
pub struct SensitivityFigure<'a> {
    /// The design.
    pub design: &'static str,
    /// What is moved.
    pub measure: &'a str,
    /// The cohort it is taken of.
    pub cohort: &'a str,
    /// The key that moves it.
    pub key: &'a str,
    /// The other key of a pair.
    pub with: Option<&'a str>,
    /// Where the key was moved.
    pub range: Option<&'a str>,
    /// Its rank in this measure.
    pub rank: Option<u64>,
    /// Which figure.
    pub index: &'static str,
    /// What it is of.
    pub of: &'static str,
    /// The figure with its errors.
    pub spread: Option<&'a FigureSpread>,
    /// The null level of the figure: its size by luck alone.
    pub luck: Option<f64>,
    /// p-value of the effects against luck.
    pub p: Option<f64>,
    /// The same, corrected.
    pub corrected_p: Option<f64>,
    /// Trajectories or base samples that tell of the key.
    pub rows: Option<u64>,
    /// Worlds.
    pub worlds: u64,
    /// Whether the key changed no byte.
    pub changed_no_byte: Option<bool>,
}

table! {
    /// One figure of a sensitivity analysis: how much a key moves a measure. What `analysis.json` says of it, in rows; `sensitivity.csv` has the
    /// same. There is none where the sweep's design is another than `morris` or `sobol`.
    pub struct SensitivityRow in "sensitivity.parquet" from row: SensitivityFigure<'_>;

    /// The design: `morris` or `sobol`.
    design: String, Word = row.design;
    /// What is moved.
    measure: String, Name = row.measure;
    /// The cohort it is taken of; `all` is everybody.
    cohort: String, Name = row.cohort;
    /// The key that moves it.
    key: String, Name = row.key;
    /// The other key of a pair; empty elsewhere.
    with: Option<String>, Name = row.with;
    /// The range or the values that the key was moved in; empty of pairs.
    range: Option<String>, Text = row.range;
    /// Place of the key among all, from 1: those that move the measure most come first; empty of pairs.
    rank: Option<u64>, Number = row.rank;
    /// Which figure. Of `morris`: `mu` the mean elementary effect, `mu_star` the mean of their sizes, `sigma` their standard deviation. Of
    /// `sobol`: `first` the first-order index, `total` the total one, `interaction` total less first order, `second` that of a pair.
    index: String, Word = row.index;
    /// What it is of: `mean` the mean over worlds (of `sigma` and of the indices with what luck adds taken out) or `world` each world,
    /// averaged.
    of: String, Word = row.of;
    /// The figure: effects in the measure's unit over the key's whole range, indices as shares of the variance; empty where it can't be
    /// computed, and `analysis.json` says why.
    value: Option<f64>, OfRow = row.spread.map(|found| found.value);
    /// Lower end of its interval, rows of the design and worlds both taken as drawn; empty without a figure.
    low: Option<f64>, OfRow = row.spread.map(|found| found.interval.low);
    /// Upper end.
    high: Option<f64>, OfRow = row.spread.map(|found| found.interval.high);
    /// Standard error from there being so many trajectories or base samples, by resampling them; empty without a figure.
    rows_error: Option<f64>, OfRow = row.spread.map(|found| found.rows_error);
    /// Standard error from there being so many worlds, by leaving out each of them; empty where one fewer leave no figure.
    worlds_error: Option<f64>, OfRow = row.spread.and_then(|found| found.worlds_error);
    /// What luck alone would leave of `mu_star` of the mean in so many of 100 cases as the level of intervals says; empty elsewhere.
    // Without it a key of no effect would still have a rank.
    luck: Option<f64>, OfRow = row.luck;
    /// How likely luck alone would be to leave effects of the key's size on the mean over worlds; the same for all figures of a key, and empty
    /// of pairs.
    p: Option<f64>, Share = row.p;
    /// The same, corrected for the number of keys by Holm's rule; empty of pairs.
    corrected_p: Option<f64>, Share = row.corrected_p;
    /// Trajectories or base samples that tell of the key; empty of pairs.
    rows: Option<u64>, Count = row.rows;
    /// Worlds that every point was lived in.
    worlds: u64, Count = row.worlds;
    /// Whether moving the key changed no byte of any log; empty of pairs.
    changed_no_byte: Option<bool>, Flag = row.changed_no_byte;
}
