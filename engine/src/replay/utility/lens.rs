//! One situation, converted to single precision for the screening pass, with a bound on how far that pass may be off
//! (floating-point error analysis). The bound is partly relative and partly absolute. Where single precision can't hold the numbers, or
//! the bound is above 3 %, there is no lens and everything is scored exactly. The lens changes the speed of a choice and never the
//! choice.

use super::Scorer;
use crate::episode::grimoire::{Direction, Marks};
use crate::replay::bias::MoodPreference;
use crate::replay::decay::Decay;
use crate::replay::legacy;
use morta_base::screen::ErrorBound;
use morta_base::wide::EXP2_ERROR;
use morta_base::{Tick, math};

/// More than the sum of all roundings in a product of a dozen factors (12 · 6·10⁻⁸), with those of exponents up to 80, whose
/// rounding is multiplied by up to 80 · ln 2.
const ROUNDING: f64 = 5e-5;
/// Above this relative error the screen keeps so many candidates that working out all of them is as fast.
const MOST_ERROR: f64 = 0.03;
/// Up to this weight of spacing the factor 1 − spacing stays at .1 or more, so that its error is a bounded share of it; above, it
/// may be near 0 and the error is counted as absolute.
const SPACING_LEAVES_SOMETHING: f64 = 0.9;
/// Magnitudes that single precision represents with room for products of two of them.
const MAGNITUDES: std::ops::Range<f64> = 1e-30..1e30;
/// Squares of lengths that it represents, whose product with another is still a normal number.
const SQUARES: std::ops::Range<f32> = 1e-12..1e12;

/// Everything a pass needs that isn't in the columns: the query of the screening pass, computed beforehand.
#[derive(Clone, Debug)]
pub(super) struct Lens<'a> {
    /// The market's embedding now.
    pub(super) embedding: &'a [f32],
    /// One over its length; 0 for a length of 0.
    pub(super) inverse_length: f32,
    /// Direction of the market's embedding.
    pub(super) direction: Direction,
    /// One over the yardstick of surprise, as in the two below.
    pub(super) per_surprise: f32,
    pub(super) per_significance: f32,
    pub(super) per_regret: f32,
    /// Weight of surprise in gain, as in the two below.
    pub(super) surprise: f32,
    pub(super) significance: f32,
    pub(super) regret: f32,
    /// Weight of likeness in need.
    pub(super) similarity: f32,
    /// Weight of recency in need.
    pub(super) recency: f32,
    /// The regime now, in the encoding of [`Marks`].
    pub(super) regime: u32,
    /// The regime term of need, of the same regime and of another.
    pub(super) same_regime: f32,
    pub(super) other_regime: f32,
    /// Ticks from the outline's origin.
    pub(super) now: f32,
    /// Halvings of recency in a tick.
    pub(super) recency_per_tick: f32,
    /// Halvings of the spacing penalty in a tick.
    pub(super) spacing_per_tick: f32,
    /// Weight of the spacing penalty.
    pub(super) spacing: f32,
    /// Halvings of gain by one replay.
    pub(super) halvings_per_replay: f32,
    /// Factor on the gain of inherited episodes.
    pub(super) inherited: f32,
    /// Factors of the Curator's tags; no episode has both.
    pub(super) high: f32,
    pub(super) medium: f32,
    /// Factors of mood and legacy, by the kind of episode, where they depend on nothing else.
    pub(super) kinds: Option<Box<[f32; Marks::KINDS]>>,
    /// A mood that depends on more than the kind, and its factor.
    pub(super) mood: Option<(&'a MoodPreference<'a>, f32)>,
    /// How far scores may be off.
    pub(super) error: ErrorBound,
}

impl<'a> Lens<'a> {
    /// `None` where single precision can't be trusted.
    pub(super) fn for_scorer(scorer: &'a Scorer<'a>) -> Option<Self> {
        let (config, outline) = (scorer.config, scorer.grimoire.outline());
        let (gain, need) = (&config.gain_weights, &config.need_weights);
        let yardsticks =
            [scorer.formula.per_surprise, scorer.formula.per_significance, scorer.formula.per_regret];
        let square = scorer.probe.square();
        let is_trusted = outline.is_trusted()
            && yardsticks.into_iter().all(|inverse| inverse == 0.0 || MAGNITUDES.contains(&inverse))
            && (square == 0.0 || SQUARES.contains(&square))
            && MAGNITUDES.contains(&scorer.formula.spacing.per_tick());
        let error = error(scorer);
        if !is_trusted || error.relative > MOST_ERROR {
            return None;
        }
        let inverse_length = if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 };
        Some(Self {
            embedding: scorer.context.embedding,
            inverse_length,
            direction: Direction::from_embedding(scorer.context.embedding, inverse_length),
            per_surprise: scorer.formula.per_surprise as f32,
            per_significance: scorer.formula.per_significance as f32,
            per_regret: scorer.formula.per_regret as f32,
            surprise: gain.surprise as f32,
            significance: gain.significance as f32,
            regret: gain.regret as f32,
            similarity: need.similarity as f32,
            recency: need.recency as f32,
            regime: scorer.context.regime.index() as u32,
            same_regime: need.regime as f32,
            other_regime: (need.regime * config.regime_mismatch) as f32,
            now: outline.moment(scorer.context.tick) as f32,
            recency_per_tick: scorer.formula.recency.per_tick() as f32,
            spacing_per_tick: scorer.formula.spacing.per_tick() as f32,
            spacing: config.spacing_weight as f32,
            halvings_per_replay: halvings_per_replay(config.replay_decay),
            inherited: config.bloodstain_boost as f32,
            high: config.curator_boost as f32,
            medium: config.curator_boost_medium as f32,
            kinds: kinds(scorer),
            mood: scorer
                .drawn
                .as_ref()
                .filter(|drawn| drawn.by_kind().is_none())
                .map(|drawn| (drawn, config.bias_weight as f32)),
            error,
        })
    }
}

/// −log₂ of the decay, so that n replays leave 2^(−n·this). A decay of 0 would be infinite, and 0 · ∞ isn't a number: it becomes
/// a large number, of which one replay leaves 2⁻⁸⁰ at most.
fn halvings_per_replay(decay: f64) -> f32 {
    const AS_GOOD_AS_NOTHING: f64 = 1_000.0;
    if decay > 0.0 {
        (-math::ln(decay) / std::f64::consts::LN_2).min(AS_GOOD_AS_NOTHING) as f32
    } else {
        AS_GOOD_AS_NOTHING as f32
    }
}

fn kinds(scorer: &Scorer<'_>) -> Option<Box<[f32; Marks::KINDS]>> {
    let drawn = scorer.drawn.as_ref().and_then(MoodPreference::by_kind);
    if drawn.is_none() && scorer.transfer.is_none() {
        return None;
    }
    let mood = |kind: usize| {
        if drawn.is_some_and(|drawn| drawn[kind]) { scorer.config.bias_weight } else { 1.0 }
    };
    Some(Box::new(std::array::from_fn(|kind| (mood(kind) * scorer.legacy_factor(kind)) as f32)))
}

/// How far scores of the pass may be from utilities.
///
/// Every factor is a sum of products of non-negative numbers, so relative errors of single precision add up to little
/// ([`ROUNDING`]), beside those of the three powers of two and of moments rounded to single precision. Two terms are off by more
/// than a share of themselves: the likeness, of numbers of 16 bits, whose sum has terms of both signs, and 1 − spacing. Were the
/// bound too small, the pass would leave out an episode that belongs to the best, and no test of single scores would notice;
/// `the_pass_gives_what_working_out_all_gives` holds it.
fn error(scorer: &Scorer<'_>) -> ErrorBound {
    let (config, outline) = (scorer.config, scorer.grimoire.outline());
    let epsilon = f64::from(f32::EPSILON);
    let now: Tick = scorer.context.tick;
    let span = outline.span().max(outline.moment(now).abs());
    let moments = |decay: Decay| 2.0 * epsilon * span * decay.per_tick();
    let at_least_1 = |factor: f64| factor.max(1.0);
    let legacy = if scorer.transfer.is_some() { legacy::BOOST } else { 1.0 };
    let most = at_least_1(config.bloodstain_boost)
        * at_least_1(config.curator_boost.max(config.curator_boost_medium))
        * at_least_1(config.bias_weight)
        * at_least_1(legacy);
    let roundings_of_dot = 4.0 * (scorer.grimoire.dimensions() as f64 + 16.0) * epsilon;
    let mut error = ErrorBound {
        relative: ROUNDING + 2.0 * EXP2_ERROR + moments(scorer.formula.recency),
        absolute: most * config.need_weights.similarity * (outline.directions().error() + roundings_of_dot),
    };
    let of_spacing = config.spacing_weight * (EXP2_ERROR + ROUNDING + moments(scorer.formula.spacing));
    if config.spacing_weight <= SPACING_LEAVES_SOMETHING {
        error.relative += of_spacing / (1.0 - config.spacing_weight);
    } else {
        error.absolute += most * of_spacing;
    }
    error
}
