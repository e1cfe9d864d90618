//! Deviation-anchored replay: what-ifs whose size comes from a measured deviation. By the default multiples (3⅓, 6⅔ and 13⅓) a trade whose
//! execution was off by fifteen basis points is tested at fifty, a hundred and two hundred (replay spec, "deviation-anchored replay":
//! anchored sizes are realistic, invented ones are not). It is sensitivity analysis (stress testing) with empirically scaled shocks.
//! Deviations are in basis points (of the stake for slippage, of the predicted gas for gas), above 0 where the world was worse than
//! predicted; results are in R. A dream makes these what-ifs of every chosen trade that has a verification, a known R and a deviation other
//! than 0, and draws guards where several trades of a strategy fail. Of each series it keeps the case of the last multiple and the share of
//! cases that fail, which is 0 for a trade that fails without them too; those with a share above 0 are counted and shown to the model with
//! the batch that reads the episode.

use crate::episode::EpisodeRecord;
use crate::replay::course::Accounts;
use crate::replay::perturbed::{SURVIVAL_R, Tolerance};
use morta_base::{Bps, EpisodeId};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// What deviated from its prediction: a source of implementation shortfall (execution cost).
    pub enum Deviation {
        /// Slippage, in bps of the stake.
        Slippage = "slippage",
        /// Gas, in bps of the predicted gas.
        Gas = "gas",
    }
}

/// One what-if at one multiple of the deviation: a stress test case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnchoredCase {
    /// The supposed deviation, in the bps of its kind.
    pub deviation_bps: Bps,
    /// Result of the trade under it, in R.
    pub perturbed_r: f64,
    /// Whether that is above `SURVIVAL_R`.
    pub survives: bool,
}

/// What-ifs anchored in one observed deviation: a series of stress tests, in the order of the configured multiples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnchoredReplay {
    /// The episode.
    pub episode: EpisodeId,
    /// What deviated.
    pub deviation: Deviation,
    /// The observed deviation, above 0 when the world was worse than predicted.
    pub measured_bps: Bps,
    /// One case for each multiple.
    pub cases: Vec<AnchoredCase>,
    /// The deviation from which the trade fails.
    pub tolerates: Tolerance,
}

/// Stress tests an episode by multiples of an observed shock: for each measured deviation, supposes its size times each multiple, always to
/// the worse: R − (multiple·|measured| − measured)·(R of one basis point). The measured deviation is taken off again, because the result
/// holds it already.
///
/// Nothing for episodes without a verification or a known R, nor for a deviation of zero: there is no anchor.
pub fn anchored_replays(episode: &EpisodeRecord, multiples: &[f64]) -> Vec<AnchoredReplay> {
    let (Some(verification), Some(accounts)) = (episode.verification, Accounts::from_episode(episode)) else {
        return Vec::new();
    };
    let r_per_bps = |dollars: f64| dollars / 1e4 / accounts.dollars_per_r;
    let slippage = (verification.slippage_deviation_bps(), r_per_bps(episode.stake.dollars()));
    let gas = (verification.gas_deviation_bps(), r_per_bps(verification.predicted_gas.dollars()));
    [(Deviation::Slippage, slippage), (Deviation::Gas, gas)]
        .into_iter()
        .filter(|(_, (measured_bps, r_of_one))| *measured_bps != 0.0 && *r_of_one > 0.0)
        .map(|(deviation, (measured_bps, r_of_one))| {
            let case = |multiple: &f64| {
                let deviation_bps = multiple * measured_bps.abs();
                let perturbed_r = accounts.net_r - (deviation_bps - measured_bps) * r_of_one;
                AnchoredCase { deviation_bps, perturbed_r, survives: perturbed_r > SURVIVAL_R }
            };
            let headroom_r = accounts.net_r - SURVIVAL_R;
            let tolerates = if headroom_r <= 0.0 {
                Tolerance::None
            } else {
                Tolerance::Below(measured_bps + headroom_r / r_of_one)
            };
            let cases = multiples.iter().map(case).collect();
            AnchoredReplay { episode: episode.id, deviation, measured_bps, cases, tolerates }
        })
        .collect()
}
