//! Which keys of a scenario move which measures, and which of them act together.
//!
//! Every point of the design is lived in the same worlds. Each figure has two readings.
//!
//! | reading | is | holds besides |
//! |---|---|---|
//! | of the mean | the effect of a key on the mean over worlds; keys are ranked by it | what luck adds, taken out where the figure allows it, else compared with what luck alone would leave |
//! | within a world | the figure as SALib computes it in each world, averaged over worlds | luck: a key that merely sends a world down another path has a share, and so has whatever acts differently in one world than in another |
//!
//! Intervals hold both sources of error: rows of the design are resampled, worlds are left out one at a time. Worlds aren't resampled,
//! because a world that is drawn twice would look like one without luck.
//!
//! It is global sensitivity analysis: Morris screening and Sobol indices of a stochastic simulation. A key matters where its p against
//! luck, corrected by Holm over all keys of one measure (measures aren't corrected for one another), is at most .05; nothing of it is
//! registered, and the points are compared with no baseline.

mod morris;
mod outputs;
mod sentence;
mod sobol;
pub(crate) mod table;

pub use morris::MorrisFigures;
pub use sobol::{PairSensitivity, SobolFigures};

use super::Question;
use super::compare::Basis;
use crate::sweep::sweep_file::LeftOut;
use crate::sweep::sweep_file::sensitivity::{DesignRows, SensitivityDesign};
use crate::sweep::sweep_file::{Axis, Design};
use morta_base::WorldSeed;
use morta_stats::Computed;
use morta_stats::bootstrap::Bootstrap;
use morta_stats::multiple::holm;
use morta_stats::sensitivity::worlds::{FigureSpread, Luck};
use outputs::Outputs;
use serde::{Deserialize, Serialize};

/// A figure computed from some rows of the design and some worlds, by their places; `None` where these don't define it.
type Statistic<'a> = dyn Fn(&[usize], &[usize]) -> Option<f64> + 'a;

/// Resamples of the rows of a design. Our choice: the interval is a normal one, so resamples give a standard deviation alone, which 1,000
/// know to some 2 %.
const RESAMPLES: u32 = 1_000;
/// Draws of signs for each key that is corrected for, and bounds of their number. The smallest p is 1/(draws + 1); times the number of keys
/// it must still be below [`ALPHA`], or no key could matter in a large scenario.
const DRAWS_PER_KEY: usize = 100;
const DRAWS: std::ops::RangeInclusive<usize> = 2_000..=20_000;
/// Streams of random numbers, apart from those of comparisons.
const PART_OF_ROWS: u32 = 2_000;
const PART_OF_LUCK: u32 = 3_000;
/// Error rate (significance level) at which a key is said to matter, corrected for the number of keys. Our choice: a screening isn't
/// registered, so .05 as usual.
pub(crate) const ALPHA: f64 = 0.05;

/// The sensitivity analysis, as `sensitivity` of `analysis.json` holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SensitivityReport {
    /// The design: `morris` or `sobol`.
    pub design: Design,
    /// Trajectories, or base samples.
    pub rows: u64,
    /// Points that differ, those that are left out not counted.
    pub points: u64,
    /// Worlds that every point was lived in.
    pub worlds: u64,
    /// Confidence level of intervals, in (0, 1).
    pub confidence: f64,
    /// Points with invalid scenarios; effects that need them are dropped.
    pub left_out: Vec<LeftOut>,
    /// Keys that changed no byte of any log: whatever they stand for never happens here.
    pub changed_no_byte: Vec<String>,
    /// The measures that the file names.
    pub measures: Vec<MeasureSensitivity>,
}

/// The sensitivity of one measure (model output): its ranking of keys by effects or indices.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MeasureSensitivity {
    /// Its name.
    pub measure: String,
    /// Its unit.
    pub unit: String,
    /// The cohort.
    pub cohort: String,
    /// The keys, those that move it most first.
    pub keys: Vec<KeySensitivity>,
    /// Pairs of keys, those that do most together first; empty where they weren't asked about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PairSensitivity>,
    /// The result in sentences.
    pub sentences: Vec<String>,
}

/// The sensitivity of a measure to one key (factor).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeySensitivity {
    /// The key, or the name of the axis.
    pub key: String,
    /// The range or the values it was moved in.
    pub range: String,
    /// Trajectories or base samples in which it is moved and both ends were lived.
    pub rows: u64,
    /// The null distribution of its effects: the size below which they stay by luck alone at the level of the intervals, and the p-value.
    pub luck: Computed<Luck>,
    /// p of that, corrected for the number of keys by Holm's rule; a key without effects counts as 1.
    pub corrected_p: f64,
    /// Whether no log changed by a byte when it was moved.
    pub changed_no_byte: bool,
    /// Its elementary effects; none of another design.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub morris: Option<MorrisFigures>,
    /// Its shares of variance; none of another design.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sobol: Option<SobolFigures>,
}

impl KeySensitivity {
    /// The figure by which keys are ranked: μ*, or the total index, of the mean where it is known. μ itself would rank a key last that
    /// moves the measure up in one place and down in another.
    pub fn size(&self) -> Option<&FigureSpread> {
        let morris = self.morris.as_ref().map(|figures| &figures.mu_star);
        let figure = morris.or_else(|| self.sobol.as_ref().map(SobolFigures::usual_total));
        figure.and_then(Computed::known)
    }

    /// Whether its effect on the mean over worlds is beyond luck: the corrected p is at most the significance level `ALPHA`.
    pub fn matters(&self) -> bool {
        self.corrected_p <= ALPHA
    }
}

/// The effects of a key by row and world.
type Effects = Vec<Vec<Option<f64>>>;

/// What is known of luck in the effects of a key, one of so many.
fn luck(effects: &[Vec<Option<f64>>], keys: usize, level: f64, place: usize) -> Computed<Luck> {
    let draws = (DRAWS_PER_KEY * keys).clamp(*DRAWS.start(), *DRAWS.end()) as u32;
    Luck::by_flipping(effects, level, draws, WorldSeed(0), PART_OF_LUCK + place as u32).into()
}

impl SensitivityReport {
    /// The report of a sweep whose design asks for one.
    pub(super) fn from_sweep(basis: &Basis<'_>) -> Option<Self> {
        let (sweep, digests) = (basis.sweep, &basis.rules.lived.0);
        let config = sweep.file.sensitivity()?;
        let design = SensitivityDesign::from_file(&sweep.file)?;
        let arms = outputs::arms(sweep, &design);
        let still: Vec<bool> = (0..sweep.file.axes.len())
            .map(|axis| outputs::changed_no_byte(&design, &arms, digests, axis))
            .collect();
        let measure = |name: &String| {
            let question = basis.question(name, &config.cohort);
            let outputs = Outputs { arms: &arms, values: &question.values, worlds: sweep.worlds() as usize };
            of_measure(basis, question, &design.rows, &outputs, &still)
        };
        let named = sweep.file.axes.iter().zip(&still);
        Some(Self {
            design: sweep.file.design,
            rows: match &design.rows {
                DesignRows::Morris(trajectories) => trajectories.len() as u64,
                DesignRows::Sobol(samples) => samples.len() as u64,
            },
            points: sweep.arms.len() as u64,
            worlds: sweep.worlds(),
            confidence: basis.rules.options.level,
            left_out: sweep.left_out.clone(),
            changed_no_byte: named.filter(|(_, still)| **still).map(|(axis, _)| axis.key.clone()).collect(),
            measures: config.measures.iter().map(measure).collect(),
        })
    }

    /// Whether it is a screening by elementary effects (Morris screening).
    pub(crate) fn is_morris(&self) -> bool {
        self.design == Design::Morris
    }

    /// The name of its rows (trajectories or samples).
    pub(crate) fn rows_name(&self) -> &'static str {
        if self.is_morris() { "trajectories" } else { "base samples" }
    }
}

fn of_measure(
    basis: &Basis<'_>,
    question: &Question,
    rows: &DesignRows,
    outputs: &Outputs<'_>,
    still: &[bool],
) -> MeasureSensitivity {
    let (axes, level) = (&basis.sweep.file.axes, basis.rules.options.level);
    let bootstrap = Bootstrap { resamples: RESAMPLES, level, seed: WorldSeed(0), part: PART_OF_ROWS };
    let key = |(place, axis): (usize, &Axis)| {
        let (morris, sobol, effects) = match rows {
            DesignRows::Morris(trajectories) => {
                let effects = morris::effects(trajectories, place, outputs);
                (Some(MorrisFigures::from_effects(&effects, outputs.worlds, &bootstrap)), None, effects)
            }
            DesignRows::Sobol(samples) => {
                let (figures, effects) = sobol::of_key(samples, place, outputs, &bootstrap);
                (None, Some(figures), effects)
            }
        };
        KeySensitivity {
            key: axis.key.clone(),
            range: axis.shown(),
            rows: effects.len() as u64,
            luck: luck(&effects, axes.len(), level, place),
            corrected_p: 1.0,
            changed_no_byte: still[place],
            morris,
            sobol,
        }
    };
    let mut keys: Vec<KeySensitivity> = axes.iter().enumerate().map(key).collect();
    let p_values: Vec<f64> = keys.iter().map(|key| key.luck.known().map_or(1.0, |luck| luck.p)).collect();
    let corrected = holm(&p_values).expect("p-values are from 0 to 1");
    keys.iter_mut().zip(corrected).for_each(|(key, p)| key.corrected_p = p);
    let size = |key: &KeySensitivity| key.size().map_or(f64::NEG_INFINITY, |size| size.value);
    keys.sort_by(|one, other| size(other).total_cmp(&size(one)));
    let pairs = match rows {
        DesignRows::Sobol(samples) => sobol::pairs(samples, axes, outputs, &bootstrap),
        DesignRows::Morris(_) => Vec::new(),
    };
    let mut found = MeasureSensitivity {
        measure: question.measure.name.to_owned(),
        unit: question.measure.unit.to_owned(),
        cohort: question.cohort.clone(),
        keys,
        pairs,
        sentences: Vec::new(),
    };
    found.sentences = sentence::all(&found, outputs.worlds);
    found
}
