//! The shape of `analysis.json`: the serialized results of an experiment (effect sizes, confidence intervals, p-values, verdicts). Values
//! are in the unit of their measure; what can't be computed has its reason in the place of a number. The file is written when a sweep ends
//! or is stopped, and the HTML page, `morta list` and `morta stats across` read it. Reasons take the place of missing numbers, because an
//! empty field could mean a bug.

use super::compare::{DecisionRules, Family};
use super::contrast::Contrast;
use super::factorial::FactorialReport;
use super::gap::GapEnds;
use super::ladder::LadderReport;
use super::looks::LookReport;
use super::map::MapReport;
use super::profile::ProfileReport;
use super::rule::RuleReport;
use super::sensitivity::SensitivityReport;
use super::specification::SpecificationCurve;
use super::survival::SurvivalReport;
use crate::io::error::{Error, Result};
use crate::io::text::json_file;
use crate::sweep::sweep_file::{Correction, Direction, Sweep, Test};
use crate::sweep::sweep_folder::{ANALYSIS, Counts};
use morta_stats::aggregate::Estimate;
use morta_stats::ranking::Ranking;
use morta_stats::{Computed, Interval};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Version of the shape of `analysis.json` (format version).
pub(super) const FORMAT: u32 = 2;

/// The analysis of an experiment, as `analysis.json` holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Analysis {
    pub(super) format: u32,
    /// The sweep.
    pub name: String,
    /// What was expected, in the words of the registration.
    pub hypothesis: Option<String>,
    /// Which cells were to be left out, in its words. A failed cell takes the other cell of its pair with it.
    pub exclusions: Option<String>,
    /// Whether the registered comparison decides.
    pub standing: Standing,
    /// How many cells there are, and how many have ended.
    pub cells: Counts,
    /// Seed of bootstraps and permutations.
    pub seed: u64,
    /// Resamples of each bootstrap, and draws of a permutation test that can't be exact.
    pub resamples: u32,
    /// The registered looks up to the one it stopped at; none where only the end is looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<LookReport>,
    /// The measure that decides.
    pub primary: PrimaryResult,
    /// Measures that decide nothing.
    pub secondary: Vec<Secondary>,
    /// Survival, if it was registered.
    pub survival: Option<SurvivalReport>,
    /// What the registered rule makes of its criteria, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleReport>,
    /// Main effects, interactions and the best arm, of a grid of two factors or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factorial: Option<FactorialReport>,
    /// Contrasts by rung of the ladder, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<LadderReport>,
    /// The map, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapReport>,
    /// One question asked in every way that the design has, where contrasts or a map ask one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub specification_curves: Vec<SpecificationCurve>,
    /// Which keys move which measures, where the design asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<SensitivityReport>,
    /// The competences of every arm's memory, where they differ in memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<ProfileReport>,
    /// A sentence for each arm that is compared and for each pair of the rule, to quote; none of a sensitivity analysis.
    pub sentences: Vec<String>,
}

/// The format of an `analysis.json` that this build doesn't read: the verdicts of another build may say other things by the same words
/// (format mismatch).
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error(
    "{ANALYSIS} has format {0} of another build, and this build reads format {FORMAT}: look at it by the build that sweep.json names, or live \
     the sweep again into another folder"
)]
pub(crate) struct OtherFormat(u64);

impl Analysis {
    /// The analysis that was written into a sweep's folder (deserialization); `None` while there is none.
    ///
    /// # Errors
    /// When it is damaged.
    pub(crate) fn written(dir: &Path) -> Result<Option<std::result::Result<Self, OtherFormat>>> {
        let path = dir.join(ANALYSIS);
        if !path.exists() {
            return Ok(None);
        }
        let damaged = |reason: String| Error::at(&path, format!("is damaged: {reason}"));
        let text = std::fs::read_to_string(&path).map_err(|error| damaged(error.to_string()))?;
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if let Some(format) = value["format"].as_u64().filter(|format| *format != u64::from(FORMAT)) {
            return Ok(Some(Err(OtherFormat(format))));
        }
        serde_json::from_value(value)
            .map(|analysis| Some(Ok(analysis)))
            .map_err(|error| damaged(error.to_string()))
    }

    /// The text of `analysis.json`.
    ///
    /// # Errors
    /// When a figure isn't a number.
    pub(crate) fn to_json(&self) -> Result<String> {
        Ok(json_file(self)?)
    }
}

/// Whether the registered comparison decides (pre-registered) or not (exploratory), and why it doesn't.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Whether it does.
    pub decides: bool,
    /// Why it doesn't.
    pub because: Vec<String>,
}

/// The primary measure: the one that decides where something is registered (primary endpoint).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PrimaryResult {
    /// Its name.
    pub measure: String,
    /// Its unit.
    pub unit: String,
    /// The cohort.
    pub cohort: String,
    /// Which way is better; none if nothing was registered.
    pub direction: Option<Direction>,
    /// The arm that the others are compared with.
    pub baseline: String,
    /// Level of the arms' own intervals; those of differences have the level that the correction leaves.
    pub confidence: f64,
    /// The registered test; none if nothing was registered, as the three that follow.
    pub test: Option<Test>,
    /// The correction for several comparisons.
    pub correction: Option<Correction>,
    /// The error rate.
    pub alpha: Option<f64>,
    /// The effect of interest δ, in the measure's unit.
    pub effect_of_interest: Option<f64>,
    /// Comparisons that p-values are corrected for: one that can't be computed counts as 1, and arms that lived the same bytes count once.
    pub comparisons: usize,
    /// The arms.
    pub arms: Vec<ArmReport>,
    /// The ends of the gap of which the arms close a share, where a ceiling is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<GapEnds>,
    /// Mean ranks within worlds, in the order of the arms, where there are three or more and a direction is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Computed<Ranking>>,
}

impl PrimaryResult {
    /// The result of the comparisons of its measure (primary endpoint result).
    pub(crate) fn from_sweep(sweep: &Sweep, rules: &DecisionRules<'_>, family: Family) -> Self {
        let registered = sweep.file.preregistration.as_ref();
        Self {
            measure: family.measure.name.to_owned(),
            unit: family.measure.unit.to_owned(),
            cohort: family.cohort,
            direction: registered.map(|registered| registered.primary.direction),
            baseline: sweep.arms[sweep.baseline()].name.clone(),
            confidence: rules.options.level,
            test: registered.map(|registered| registered.test),
            correction: registered.map(|registered| registered.correction),
            alpha: registered.map(|registered| registered.alpha),
            effect_of_interest: registered.map(|registered| registered.effect_of_interest),
            comparisons: rules.comparisons,
            arms: family.arms,
            gap: family.gap,
            ranking: family.ranking,
        }
    }
}

/// A secondary endpoint: a measure that decides nothing, whatever it shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Secondary {
    /// Its name.
    pub measure: String,
    /// Its unit.
    pub unit: String,
    /// The cohort.
    pub cohort: String,
    /// Always false. It is written so that a reader of the JSON alone can't take a secondary measure for a verdict.
    pub decides: bool,
    /// The arms.
    pub arms: Vec<ArmReport>,
    /// The ends of the gap of which the arms close a share, where a ceiling is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<GapEnds>,
}

/// The result of one arm in one measure: its value, the interquartile mean, the difference from the baseline, the share of the gap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArmReport {
    /// The arm.
    pub arm: String,
    /// Its value; none when no world has one.
    pub value: Option<DescribedMeasure>,
    /// The mean of the middle half of its worlds (rliable's), which outliers don't move; of the measures that are tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interquartile_mean: Option<Computed<Estimate>>,
    /// Its difference from the baseline; none for the baseline itself.
    pub difference: Option<Contrast>,
    /// The arm that lived the same bytes in every world, if one did: the baseline, or the first such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<SameAs>,
    /// How much of the gap from its lower end to the registered ceiling it closes, 0 to 1 and beyond; none where no ceiling is
    /// registered, for the two ends, and in a measure without a better side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_of_gap: Option<Computed<Estimate>>,
    /// Cells that failed.
    pub failed: u64,
}

/// The descriptive statistics of a measure over worlds: the mean with standard deviation and t interval.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DescribedMeasure {
    /// Worlds that have a value.
    pub worlds: u64,
    /// Their mean, in the measure's unit.
    pub mean: f64,
    /// Their standard deviation, in the measure's unit; none for one world.
    pub standard_deviation: Option<f64>,
    /// The t interval of the mean.
    pub interval: Computed<Interval>,
}

/// An arm that lived the same bytes as another, so that their difference in keys did nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SameAs {
    /// The other.
    pub arm: String,
    /// The keys in which the two differ, which did nothing.
    pub keys: Vec<String>,
}

impl SameAs {
    /// Two arms of a sweep.
    pub(super) fn from_twin(sweep: &Sweep, arm: usize, twin: usize) -> Self {
        let values = sweep.arms[arm].parameters.iter().zip(&sweep.arms[twin].parameters);
        let keys = sweep.keys.iter().zip(values);
        let keys = keys.filter(|(_, (own, other))| own != other).map(|(key, _)| key.clone()).collect();
        Self { arm: sweep.arms[twin].name.clone(), keys }
    }
}
