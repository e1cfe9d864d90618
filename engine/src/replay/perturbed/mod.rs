//! Perturbed replay: recomputes a trade's result in a worse world, to see whether it would have survived (Deperrois et al. 2022;
//! replay spec, "perturbed replay").
//!
//! The answer comes from the episode's own costs, its stake and its result over time. The spec asks a language model; arithmetic was
//! preferred, because a model's answers would have to be checked against the same figures. [`perturb`] has the formulas. It is
//! stress testing (sensitivity analysis, robustness) of single trades. Results are in R; each magnitude has the unit of its kind: a
//! factor, blocks of 12 seconds, minutes, or a share. A dream perturbs a random part of the trades it has chosen (as many as
//! `perturbation_rate`, default .3, of all chosen episodes); several that break call for a guard, and perturbed results enter the claims
//! about stakes, where such claims are drawn (not by default).

use crate::episode::{EpisodeKind, EpisodeRecord, Grimoire};
use crate::replay::course::{Accounts, ResultCourse};
use crate::replay::prioritization::draw::without_replacement;
use morta_base::keys;
use morta_base::{EpisodeId, Stream};
use serde::{Deserialize, Serialize};

keys! {
    /// How large each perturbation is.
    pub struct PerturbationConfig {
        /// Factor on slippage.
        slippage_factor: f64 = 2.0, in 1.0..=100.0, "factor";
        /// Delay of the entry in blocks.
        latency_blocks: f64 = 3.0, in 0.0..=10_000.0, "blocks";
        /// Factor on gas.
        gas_factor: f64 = 5.0, in 1.0..=1_000.0, "factor";
        /// Minutes without prices.
        dropout_minutes: f64 = 10.0, in 0.0..=10_000.0, "minutes";
        /// Share of the pool's liquidity that is gone.
        liquidity_loss: f64 = 0.5, in 0.0..=0.99, "share";
        /// Share of the movement common to the assets that is gone (the default: they decouple).
        decoupling: f64 = 1.0, in 0.0..=1.0, "share";
    }
}

// The spec's table gives each perturbation a size and leaves open what it costs a trade; these three constants are ours.

/// Seconds in a block: Ethereum's slot time, since the spec's "3 blocks" are of its chain.
const BLOCK_SECONDS: f64 = 12.0;
/// Share of the slippage that is price impact, and so grows as liquidity falls; the rest stays. Our choice, the middle: an episode doesn't
/// tell impact from spread, and at either end thin pools would cost nothing or all of the slippage anew.
const IMPACT_SHARE: f64 = 0.5;
/// Share of a trade's gross result that is owed to movement common to the assets. Our choice: large, because crypto assets mostly
/// move together; 1 would leave a decoupled trade nothing.
const COMMON_SHARE: f64 = 0.7;
/// Result in R above which a trade survives (break-even): the spec asks "would the strategy still have been profitable?", so it must gain.
/// What-ifs from measured deviations (`anchored`) go by it too.
pub(crate) const SURVIVAL_R: f64 = 0.0;

morta_base::words! {
    /// What is made worse: a stress scenario of cost, delay, missing data or decoupling. The magnitude's unit follows from the kind.
    pub enum PerturbationKind {
        /// Slippage; magnitude: a factor from 1.
        Slippage = "slippage",
        /// The entry comes late; magnitude: blocks.
        Latency = "latency",
        /// Gas; magnitude: a factor from 1.
        GasSpike = "gas_spike",
        /// No prices when it was time to leave; magnitude: minutes.
        DataDropout = "data_dropout",
        /// Less liquidity; magnitude: the share that is gone, under 1.
        Liquidity = "liquidity",
        /// Assets stop moving together; magnitude: the share of common movement that is gone, to 1.
        Decoupling = "decoupling",
    }
}

impl PerturbationKind {
    /// The configured magnitude of the shock, in the kind's unit.
    pub fn magnitude(self, config: &PerturbationConfig) -> f64 {
        match self {
            Self::Slippage => config.slippage_factor,
            Self::Latency => config.latency_blocks,
            Self::GasSpike => config.gas_factor,
            Self::DataDropout => config.dropout_minutes,
            Self::Liquidity => config.liquidity_loss,
            Self::Decoupling => config.decoupling,
        }
    }
}

/// The break-even point of a stress test: how large a perturbation a trade survives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tolerance {
    /// None: it fails without it too.
    None,
    /// Less than this magnitude.
    Below(f64),
    /// Any.
    Any,
}

/// One episode, replayed with something made worse: a stress test result of one trade.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerturbedReplay {
    /// The episode.
    pub episode: EpisodeId,
    /// What was made worse.
    pub kind: PerturbationKind,
    /// By how much, in the kind's unit.
    pub magnitude: f64,
    /// Realised result, in R.
    pub realised_r: f64,
    /// Result under the perturbation, in R.
    pub perturbed_r: f64,
    /// Whether that is above `SURVIVAL_R`.
    pub survives: bool,
    /// The magnitude from which it fails.
    pub tolerates: Tolerance,
    /// The magnitude from which it is not entered, if known beforehand; `None` for delays and missing prices, which can't be. No
    /// rule reads it.
    pub changes_decision: Option<Tolerance>,
}

impl Tolerance {
    /// The break-even magnitude, from which it fails; `None` if it fails without or survives at any.
    pub const fn limit(self) -> Option<f64> {
        match self {
            Self::Below(magnitude) => Some(magnitude),
            Self::None | Self::Any => None,
        }
    }
}

impl PerturbedReplay {
    /// Whether the perturbation breaks a trade that otherwise survived. Only then is there a case for a guard: a trade that fails anyway
    /// says nothing of the perturbation.
    pub fn breaks(&self) -> bool {
        !self.survives && self.tolerates != Tolerance::None
    }
}

/// Stress tests an episode: replays it with something made worse, in a world with ticks of `tick_seconds`.
///
/// With R the realised result, s, g the slippage and gas in R, m the magnitude:
/// slippage R − s(m − 1); gas R − g(m − 1); liquidity R − s·impact·m/(1 − m); decoupling R − common·m·max(R + s + g,
/// 0); latency R minus what had been gained m blocks after the entry; dropout R minus the worst fall within any m
/// minutes of the trade, taken to happen unseen at its end.
///
/// `None` when the episode doesn't have the figures: abstentions, and for all but latency and dropout trades without a verification or
/// without a result.
pub fn perturb(
    episode: &EpisodeRecord,
    kind: PerturbationKind,
    magnitude: f64,
    tick_seconds: f64,
) -> Option<PerturbedReplay> {
    if episode.kind != EpisodeKind::Trade {
        return None;
    }
    let realised_r = episode.realised_r;
    let strain = Strain::for_kind(episode, kind, tick_seconds)?;
    let perturbed_r = realised_r - strain.loss_r(magnitude);
    let is_foreseeable = !matches!(kind, PerturbationKind::Latency | PerturbationKind::DataDropout);
    Some(PerturbedReplay {
        episode: episode.id,
        kind,
        magnitude,
        realised_r,
        perturbed_r,
        survives: perturbed_r > SURVIVAL_R,
        tolerates: strain.tolerance(realised_r - SURVIVAL_R),
        changes_decision: is_foreseeable.then(|| strain.tolerance(episode.expected_r)),
    })
}

/// How a loss in R grows with a perturbation's magnitude (response to the size of the shock).
enum Strain {
    /// cost · (m − 1).
    Factor { cost_r: f64 },
    /// cost · m/(1 − m).
    Shrinking { cost_r: f64 },
    /// cost · m, m at most 1.
    Share { cost_r: f64 },
    /// The gain missed when the entry is m units of time late.
    Delay { course: ResultCourse, ticks_per_unit: f64 },
    /// The worst fall within m units of time.
    Blind { course: ResultCourse, ticks_per_unit: f64 },
}

impl Strain {
    fn for_kind(episode: &EpisodeRecord, kind: PerturbationKind, tick_seconds: f64) -> Option<Self> {
        let accounts = || Accounts::from_episode(episode);
        let course = || ResultCourse::from_episode(episode);
        Some(match kind {
            PerturbationKind::Slippage => Self::Factor { cost_r: accounts()?.slippage_r },
            PerturbationKind::GasSpike => Self::Factor { cost_r: accounts()?.gas_r },
            PerturbationKind::Liquidity => Self::Shrinking { cost_r: accounts()?.slippage_r * IMPACT_SHARE },
            PerturbationKind::Decoupling => {
                Self::Share { cost_r: accounts()?.gross_r().max(0.0) * COMMON_SHARE }
            }
            PerturbationKind::Latency => {
                Self::Delay { course: course(), ticks_per_unit: BLOCK_SECONDS / tick_seconds }
            }
            PerturbationKind::DataDropout => {
                Self::Blind { course: course(), ticks_per_unit: 60.0 / tick_seconds }
            }
        })
    }

    fn loss_r(&self, magnitude: f64) -> f64 {
        match self {
            Self::Factor { cost_r } => cost_r * (magnitude - 1.0),
            Self::Shrinking { cost_r } => cost_r * magnitude / (1.0 - magnitude),
            Self::Share { cost_r } => cost_r * magnitude,
            Self::Delay { course, ticks_per_unit } => course.missed(magnitude * ticks_per_unit),
            Self::Blind { course, ticks_per_unit } => course.worst_fall(magnitude * ticks_per_unit),
        }
    }

    /// The least magnitude whose loss reaches `headroom_r`.
    fn tolerance(&self, headroom_r: f64) -> Tolerance {
        if headroom_r <= 0.0 {
            return Tolerance::None;
        }
        let least = match self {
            Self::Factor { cost_r } => (*cost_r > 0.0).then(|| 1.0 + headroom_r / cost_r),
            Self::Shrinking { cost_r } => (*cost_r > 0.0).then(|| headroom_r / (headroom_r + cost_r)),
            Self::Share { cost_r } => (*cost_r >= headroom_r).then(|| headroom_r / cost_r),
            Self::Delay { course, ticks_per_unit } => {
                course.first_delay_missing(headroom_r).map(|ticks| ticks / ticks_per_unit)
            }
            Self::Blind { course, ticks_per_unit } => {
                course.shortest_window_falling(headroom_r).map(|ticks| ticks / ticks_per_unit)
            }
        };
        least.map_or(Tolerance::Any, Tolerance::Below)
    }
}

/// Draws the episodes to perturb and a kind for each: trades only, as many as the rate's share of all `chosen`, rounded, or all trades if
/// there are fewer, each with one of the six kinds. It takes one number of the stream for each trade and one for each
/// drawn. Trades without the figures of their kind give no result later.
pub fn plan_perturbations<'a>(
    chosen: &[EpisodeId],
    grimoire: &'a Grimoire,
    rate: f64,
    stream: &mut Stream,
) -> Vec<(&'a EpisodeRecord, PerturbationKind)> {
    let remembered = chosen.iter().filter_map(|id| grimoire.get(*id));
    let trades: Vec<&EpisodeRecord> =
        remembered.filter(|episode| episode.kind == EpisodeKind::Trade).collect();
    let count = (chosen.len() as f64 * rate).round() as usize;
    let drawn = without_replacement(count, &vec![1.0; trades.len()], stream);
    let kinds = &PerturbationKind::ALL;
    drawn.into_iter().map(|place| (trades[place], kinds[stream.below(kinds.len())])).collect()
}
