//! Episodes as columns, for recall. A pass in single precision with a bound on its error finds every episode that could be among the best,
//! and only those are scored exactly by `super::recall::recall_shelf`. The result therefore equals a scoring of all episodes to the last
//! bit; where the bandwidths of likeness change, the columns are made anew. It is a columnar layout for a top-k search with SIMD and
//! exact re-ranking. It exists because an exact score takes several exponentials and a power for each episode. Numbers outside the bound's
//! range make every episode a contender.

use super::context::ContextVector;
use super::episodic::EpisodicMemory;
use super::recall::Query;
use super::score::{
    DAY_S, GREAT_GAIN_R, GREAT_LOSS_R, GREATEST_LOSS_R, Outcomes, ScoreConfig, confidence_factor,
};
use morta_base::screen::{ErrorBound, Screen};
use morta_base::wide::{EXP2_ERROR, Pass, Simd, Width, exp2_neg};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Episodes in a block. Our choice: its rows of all columns fit the first-level cache.
const BLOCK: usize = 64;
/// Magnitudes for which the error bound holds: single precision is far from its limits there. With others all episodes are scored exactly.
const MAGNITUDES: Range<f64> = 1e-12..1e12;
/// Size of the table of label codes. Three labels of 4 known values and unknown need 125; a power of two, so that the index needs no bounds
/// check.
const LABELS: usize = 128;
/// Bound on the relative error of a score in single precision, without the part that depends on the query: the error of its two powers, and
/// 1e-4 for all other operations, which is generous.
const ROUNDING: f64 = 2.0 * EXP2_ERROR + 1e-4;
/// Classes of outcomes with different affect factors.
const CLASSES: usize = 5;
/// Contenders of a block up to which the measures are computed for each alone. The vector code computes them for the whole block, which is wasted
/// on a few.
const FEW: usize = 8;
/// Added to the bound on a likeness: more than all roundings can add.
const GENEROUS: f32 = 1e-3;
/// The stored moment of an episode whose moment is unknown. A finite number instead of NaN, because JSON has no NaN.
const UNKNOWN: f32 = f32::MAX;

/// The columns of episodes that recall reads, oldest first (struct of arrays).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Columns {
    /// Days since the origin; [`UNKNOWN`] without a moment.
    made_days: Vec<f32>,
    /// Codes of the labels.
    labels: Vec<u8>,
    /// Classes of the outcomes for the affect factor.
    classes: Vec<u8>,
    /// Outcomes in R; 0 while unknown.
    pnl_r: Vec<f64>,
    /// Whether the outcome is known.
    known: Vec<bool>,
    /// Confidence factors.
    trust: Vec<f32>,
    /// 1/(h·v) of every measure v with the bandwidth h of the moment of storing; 0 for an unknown measure or a measure of 0. The inverse is
    /// stored, so that the pass has no division.
    inverses: [Vec<f32>; 5],
    /// The first known moment, in seconds.
    origin_s: Option<f64>,
    /// Largest distance from the origin, in days: the error bound of recency grows with it.
    span_days: f64,
    /// Whether a number is outside [`MAGNITUDES`].
    beyond: bool,
}

/// Does the same to each column.
macro_rules! of_each {
    ($columns:expr, $column:ident => $act:expr) => {{
        of_each!($columns, $column => $act, made_days labels classes pnl_r known trust);
        for $column in &mut $columns.inverses {
            $act;
        }
    }};
    ($columns:expr, $column:ident => $act:expr, $($name:ident)*) => {
        $({
            let $column = &mut $columns.$name;
            $act;
        })*
    };
}

impl Columns {
    /// Number of episodes, the length of each column.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether every column has this length: checked when a shelf is deserialized.
    pub(super) fn are_of(&self, episodes: usize) -> bool {
        let lengths = [
            self.made_days.len(),
            self.labels.len(),
            self.classes.len(),
            self.pnl_r.len(),
            self.known.len(),
            self.trust.len(),
        ];
        let measures = self.inverses.iter().map(Vec::len);
        lengths.into_iter().chain(measures).all(|length| length == episodes)
    }

    /// The outcomes from an index on, as borrowed slices of R and of known flags.
    pub(super) fn outcomes(&self, from: usize) -> Outcomes<'_> {
        Outcomes { pnl_r: &self.pnl_r[from..], known: &self.known[from..] }
    }

    /// Appends an episode (a row).
    pub(super) fn push(&mut self, memory: &EpisodicMemory, config: &ScoreConfig) {
        let days = memory.made_s.map(|made| {
            let days = (made - *self.origin_s.get_or_insert(made)) / DAY_S;
            self.span_days = self.span_days.max(days.abs());
            days as f32
        });
        self.made_days.push(days.unwrap_or(UNKNOWN));
        self.labels.push(label_code(&memory.context));
        self.classes.push(outcome_class(memory.pnl_r));
        self.pnl_r.push(memory.pnl_r.unwrap_or(0.0));
        self.known.push(memory.pnl_r.is_some());
        self.trust.push(confidence_factor(memory.confidence) as f32);
        self.beyond |= memory.pnl_r.is_some_and(|r| r.abs() >= MAGNITUDES.end);
        let measures = memory.context.measures().into_iter().zip(config.similarity.bandwidths);
        for (column, (value, bandwidth)) in self.inverses.iter_mut().zip(measures) {
            let value = value.filter(|value| *value != 0.0);
            self.beyond |= value.is_some_and(|value| !MAGNITUDES.contains(&value.abs()));
            column.push(value.map_or(0.0, |value| (1.0 / (bandwidth * value)) as f32));
        }
    }

    /// Inserts an episode (a row) before the one at an index.
    pub(super) fn insert(&mut self, place: usize, memory: &EpisodicMemory, config: &ScoreConfig) {
        self.push(memory, config);
        of_each!(self, column => column[place..].rotate_right(1));
    }

    /// Evicts the `count` oldest episodes (FIFO).
    pub(super) fn forget_oldest(&mut self, count: usize) {
        of_each!(self, column => column.drain(..count));
    }

    /// Removes the episode (row) at an index.
    pub(super) fn remove(&mut self, place: usize) {
        of_each!(self, column => column.remove(place));
    }

    /// Indices, in rising order, that contain all of the `limit` best scores from index `from` on, and few others (top-k candidates). All indices
    /// when the error bound doesn't hold or is too large.
    pub(super) fn contenders(
        &self,
        from: usize,
        query: &Query,
        sigma_r: f64,
        limit: usize,
        config: &ScoreConfig,
    ) -> Vec<u32> {
        let lens = Lens::new(self, query, sigma_r, config);
        let everything = || (from as u32..self.len() as u32).collect();
        if self.beyond || lens.error >= 0.1 || self.len() - from <= limit {
            return everything();
        }
        // The pass's exponential stops at 2^−80, while the exact one goes on to 0: hence an absolute error of 2^−75. Scores of exactly 0 tie, and
        // the earlier episode wins.
        let error = ErrorBound { relative: lens.error, absolute: 2.65e-23 };
        let screen = Screen::new(limit, error);
        let mut places = Width::Widest.run(Search { columns: self, lens: &lens, from, screen }).into_places();
        places.sort_unstable();
        places
    }

    /// Scores the episodes of a block that could be among the best if every measure were equal to the present one. The measures cost most, so a
    /// block with few such episodes computes them for these alone.
    #[inline(always)]
    fn look(
        &self,
        lens: &Lens<'_>,
        block: Range<usize>,
        worth: &mut [f32],
        likeness: &mut [f32],
        screen: &mut Screen,
    ) {
        let mut could = [0_u8; BLOCK];
        for ((could, &worth), &alike) in could.iter_mut().zip(&*worth).zip(&*likeness) {
            *could = u8::from((alike + lens.most_measured) * worth >= screen.cut());
        }
        let could = &could[..block.len()];
        let count = could.iter().filter(|could| **could > 0).count();
        if count > FEW {
            self.measures(lens, block.clone(), likeness);
            worth.iter_mut().zip(&*likeness).for_each(|(worth, alike)| *worth *= alike);
            screen.look_along(block.start as u32, worth);
        } else if count > 0 {
            for (offset, _) in could.iter().enumerate().filter(|(_, could)| **could > 0) {
                let place = block.start + offset;
                let mut alike = [likeness[offset]];
                self.measures(lens, place..place + 1, &mut alike);
                screen.look(std::iter::once((place as u32, worth[offset] * alike[0])));
            }
        }
    }

    /// The part of the similarity that equal labels earn.
    #[inline(always)]
    fn labels(&self, lens: &Lens<'_>, block: Range<usize>, likeness: &mut [f32]) {
        for (alike, &label) in likeness.iter_mut().zip(&self.labels[block]) {
            *alike = lens.labels[usize::from(label) % LABELS];
        }
    }

    /// Adds the part of the similarity that measures earn. Each loop is over one column, because a compiler makes vector code of a loop
    /// over one array.
    #[inline(always)]
    fn measures(&self, lens: &Lens<'_>, block: Range<usize>, likeness: &mut [f32]) {
        for (column, measure) in self.inverses.iter().zip(&lens.measures) {
            if measure.weight == 0.0 {
                continue;
            }
            for (alike, &inverse) in likeness.iter_mut().zip(&column[block.clone()]) {
                let z = measure.inverse_bandwidth - measure.now * inverse;
                let earned = measure.weight * exp_neg(0.5 * z * z);
                *alike += if inverse != 0.0 { earned } else { 0.0 };
            }
        }
    }

    /// The product of quality, confidence factor and affect factor.
    #[inline(always)]
    fn weigh(&self, lens: &Lens<'_>, block: Range<usize>, worth: &mut [f32]) {
        let rows = self.pnl_r[block.clone()].iter().zip(&self.trust[block.clone()]);
        for (worth, (&pnl_r, &trust)) in worth.iter_mut().zip(rows) {
            let x = lens.steepness * pnl_r as f32;
            let power = exp_neg(x.abs());
            *worth = trust * if x < 0.0 { power } else { 1.0 } / (1.0 + power);
        }
        for (worth, &class) in worth.iter_mut().zip(&self.classes[block]) {
            *worth *= lens.affect[usize::from(class) % lens.affect.len()];
        }
    }

    /// Multiplies by recency. The default exponent ½ has a path of its own, because a square root is far cheaper than a power.
    #[inline(always)]
    fn fade(&self, lens: &Lens<'_>, block: Range<usize>, worth: &mut [f32]) {
        let made = &self.made_days[block];
        if lens.config.episodic_decay == 0.5 {
            for (worth, &made) in worth.iter_mut().zip(made) {
                let age = lens.now_days - made;
                let left = 1.0 / (1.0 + if age > 0.0 { age } else { 0.0 } * lens.inverse_tau).sqrt();
                *worth *= if made == UNKNOWN { 0.5 } else { left };
            }
        } else {
            for (worth, &made) in worth.iter_mut().zip(made) {
                let age = (made != UNKNOWN).then(|| f64::from(lens.now_days - made));
                *worth *= lens.config.episodic_recency(age) as f32;
            }
        }
    }
}

/// A pass over the columns from an index on.
struct Search<'a> {
    columns: &'a Columns,
    lens: &'a Lens<'a>,
    from: usize,
    screen: Screen,
}

impl Pass for Search<'_> {
    type Output = Screen;

    #[inline(always)]
    fn run<S: Simd>(mut self, _: S) -> Screen {
        let Self { columns, lens, from, .. } = self;
        let (mut worth, mut likeness) = ([0.0_f32; BLOCK], [0.0_f32; BLOCK]);
        let mut end = columns.len();
        // The newest block first: its recency is highest, so the cut rises early and later blocks are skipped.
        while end > from {
            let block = end.saturating_sub(BLOCK).max(from)..end;
            end = block.start;
            let (worth, likeness) = (&mut worth[..block.len()], &mut likeness[..block.len()]);
            columns.weigh(lens, block.clone(), worth);
            columns.fade(lens, block.clone(), worth);
            columns.labels(lens, block.clone(), likeness);
            columns.look(lens, block, worth, likeness, &mut self.screen);
        }
        self.screen
    }
}

/// e^(−x) for x ≥ 0.
#[inline(always)]
fn exp_neg(x: f32) -> f32 {
    exp2_neg(x * std::f32::consts::LOG2_E)
}

/// A measure of the query, in the form the kernel needs.
#[derive(Clone, Copy, Default)]
struct Measure {
    /// Its share of all weights; 0 for a measure that the query doesn't know.
    weight: f32,
    /// The present value.
    now: f32,
    /// 1/h by the present keys.
    inverse_bandwidth: f32,
}

/// A query in single precision, prepared for a pass.
struct Lens<'a> {
    config: &'a ScoreConfig,
    /// The similarity that equal labels earn, by label code.
    labels: [f32; LABELS],
    measures: [Measure; 5],
    /// Upper bound on the part of a similarity that measures earn.
    most_measured: f32,
    /// Affect factors, by class of outcome.
    affect: [f32; CLASSES],
    /// k/σ of the quality's sigmoid, per R.
    steepness: f32,
    /// The present moment, in days since the columns' origin.
    now_days: f32,
    /// 1/τ of recency, per day.
    inverse_tau: f32,
    /// Bound on the relative error of a score.
    error: f64,
}

impl<'a> Lens<'a> {
    fn new(columns: &Columns, query: &Query, sigma_r: f64, config: &'a ScoreConfig) -> Self {
        let similarity = &config.similarity;
        let total = similarity.total_weight();
        let mut measures = [Measure::default(); 5];
        let mut error = ROUNDING;
        for (place, measure) in measures.iter_mut().enumerate() {
            let Some(now) = query.context.measures()[place] else { continue };
            let (weight, bandwidth) = (similarity.measure_weights[place], similarity.bandwidths[place]);
            // z has an error of about two roundings of 1/h. Beyond |z| = 13 the kernel is below 2e-37, so a larger error there doesn't matter.
            error += if weight > 0.0 { 13.0 * 4.0 * f64::from(f32::EPSILON) / bandwidth } else { 0.0 };
            let trusted = now == 0.0 || MAGNITUDES.contains(&now.abs());
            error += if trusted { 0.0 } else { 1.0 };
            *measure = Measure {
                weight: (weight / total) as f32,
                now: now as f32,
                inverse_bandwidth: (1.0 / bandwidth) as f32,
            };
        }
        let now_days = columns.origin_s.map_or(0.0, |origin| (query.now_s - origin) / DAY_S);
        let span_days = columns.span_days.max(now_days.abs());
        error += config.episodic_decay * f64::from(f32::EPSILON) * span_days / config.episodic_tau_days;
        let affect = |r| config.affect_factor(Some(r), &query.mood) as f32;
        Self {
            config,
            labels: std::array::from_fn(|code| (label_weight(code, &query.context, config) / total) as f32),
            measures,
            most_measured: measures.iter().map(|measure| measure.weight).sum::<f32>() + GENEROUS,
            // One outcome of each class of `outcome_class`, in their order.
            affect: [2.0 * GREATEST_LOSS_R, GREATEST_LOSS_R, 0.0, 1.0, 2.0 * GREAT_GAIN_R].map(affect),
            steepness: (config.sensitivity / sigma_r) as f32,
            now_days: now_days as f32,
            inverse_tau: (1.0 / config.episodic_tau_days) as f32,
            error,
        }
    }
}

/// The code of three labels, 0 to 124, in base 5; 4 stands for unknown.
fn label_code(context: &ContextVector) -> u8 {
    let regime = context.regime.map_or(4, |label| label as u8);
    let volatility = context.volatility_regime.map_or(4, |label| label as u8);
    let session = context.session.map_or(4, |label| label as u8);
    regime + 5 * volatility + 25 * session
}

fn label_weight(code: usize, query: &ContextVector, config: &ScoreConfig) -> f64 {
    let similarity = &config.similarity;
    let code = code as u8;
    let same = |own: u8, label: Option<u8>, weight: f64| if label == Some(own) { weight } else { 0.0 };
    same(code % 5, query.regime.map(|label| label as u8), similarity.regime_weight)
        + same(code / 5 % 5, query.volatility_regime.map(|label| label as u8), similarity.volatility_weight)
        + same(code / 25, query.session.map(|label| label as u8), similarity.session_weight)
}

/// The class of an outcome: outcomes of one class have the same affect factor in every state. An unknown outcome is in the class of 0.
fn outcome_class(pnl_r: Option<f64>) -> u8 {
    match pnl_r {
        Some(r) if r < GREATEST_LOSS_R => 0,
        Some(r) if r < GREAT_LOSS_R => 1,
        Some(r) if r > GREAT_GAIN_R => 4,
        Some(r) if r > 0.0 => 3,
        _ => 2,
    }
}
