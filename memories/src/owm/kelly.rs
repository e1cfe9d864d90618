//! Stakes by the Kelly criterion (digest section 10; Kelly 1956). A stake is a share of equity (position sizing, bet sizing), at least 0;
//! results are R. A fraction of Kelly is staked (a quarter by default), because estimates from memory are uncertain. A golem's memory
//! divides the stake by the golem's usual risk and clamps the ratio to .5 to 1.5 by default, so that a stake of 0 halves a position there
//! and forbids none; where too few memories are recalled, it takes the key `cold_size` (1, the usual size). Plans (`owm`) or Bardo's guards
//! and stakes (`bardo+owm`) multiply the result. The `owm` tools only answer with the share and, given equity, stop and tick value, with
//! `lots`; the validation trades those lots.

use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// How a stake follows from what is remembered.
    pub struct KellyConfig {
        /// Share of the full Kelly fraction that is dared.
        fractional: f64 = 0.25, in 0.0..=1.0, "share";
        /// Most memories that are asked.
        memories: u32 = 50, in 1..=100_000, "memories";
        /// Fewest memories that are believed.
        least_memories: u32 = 10, in 1..=100_000, "memories";
        /// Largest fraction of equity; 0 for no limit.
        cap: f64 = 0.0, in 0.0..=1_000.0, "factor";
    }
}

/// A recalled outcome with its recall score, which is its weight in the stake (a weighted outcome). The `owm` tools also read it from the
/// JSON of a question about stakes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recollection {
    /// Recall score, 0 or more.
    pub score: f64,
    /// Outcome in R; `None` if it is unknown.
    pub pnl_r: Option<f64>,
}

/// The classic Kelly fraction (p·b − q)/b, where gains are b times the loss and q = 1 − p (Kelly criterion). It may be negative; it is used
/// only to compare a trader's actual sizes with.
pub fn classic(win_probability: f64, payoff: f64) -> f64 {
    (win_probability * payoff - (1.0 - win_probability)) / payoff
}

/// The general Kelly fraction p/a − q/b, where a is the mean loss and b the mean gain, in R; equal to the classic one for a = 1
/// (Kelly criterion).
pub fn general(win_probability: f64, mean_loss: f64, mean_gain: f64) -> f64 {
    win_probability / mean_loss - (1.0 - win_probability) / mean_gain
}

/// The share of equity to stake, from recalled outcomes: the general fraction of score-weighted gains and losses, times the fractional share and the
/// risk appetite; at least 0 (weighted Kelly criterion). With W the sum of all scores and W₊ that of gains, p = W₊/W: a zero or unknown outcome only
/// adds to W. 0 with too few memories, without gains or without losses. The original stakes its cap without losses; the document rejects that.
pub fn from_memory(recalled: &[Recollection], risk_appetite: f64, config: &KellyConfig) -> f64 {
    if recalled.len() < config.least_memories as usize {
        return 0.0;
    }
    let all: f64 = recalled.iter().map(|memory| memory.score).sum();
    let side = |sign: f64| {
        let outcomes = recalled.iter().filter_map(|memory| memory.pnl_r.map(|r| (memory.score, r * sign)));
        outcomes
            .filter(|(_, size)| *size > 0.0)
            .fold((0.0, 0.0), |(scores, sizes), (score, size)| (scores + score, sizes + score * size))
    };
    let ((gain_scores, gains), (loss_scores, losses)) = (side(1.0), side(-1.0));
    if gain_scores <= 0.0 || loss_scores <= 0.0 {
        return 0.0;
    }
    let full = general(gain_scores / all, losses / loss_scores, gains / gain_scores);
    let dared = (full * config.fractional * risk_appetite).max(0.0);
    if config.cap > 0.0 { dared.min(config.cap) } else { dared }
}

/// Lots for a fraction of equity: fraction·equity/(stop·tick value) (lot size). `stop` is the stop's distance in ticks, `tick_value` the
/// money a tick is worth for one lot. 0 without a positive risk.
pub fn lots(fraction: f64, equity: f64, stop: f64, tick_value: f64) -> f64 {
    let risk = stop * tick_value;
    if risk > 0.0 { fraction * equity / risk } else { 0.0 }
}
