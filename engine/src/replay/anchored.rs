//! Deviation-anchored replay: what-ifs whose size comes from what was measured. Execution that was off by fifteen
//! basis points is asked how it would have borne fifty, a hundred, two hundred.

use crate::episode::EpisodeRecord;
use crate::replay::course::Accounts;
use crate::replay::perturbed::Tolerance;
use morta_base::{Bps, EpisodeId};
use serde::{Deserialize, Serialize};

/// What deviated from its prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deviation {
    /// Slippage, in bps of the stake.
    Slippage,
    /// Gas, in bps of the predicted gas.
    Gas,
}

/// One what-if.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnchoredCase {
    /// The deviation supposed, in the bps of its kind.
    pub deviation_bps: Bps,
    /// What the trade would have made, in R.
    pub perturbed_r: f64,
    /// Whether that is above what counts as survival.
    pub survives: bool,
}

/// What-ifs anchored in one measured deviation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnchoredReplay {
    /// The episode.
    pub episode: EpisodeId,
    /// What deviated.
    pub deviation: Deviation,
    /// By how much it did, above 0 when the world was worse than predicted.
    pub measured_bps: Bps,
    /// One case for each multiple.
    pub cases: Vec<AnchoredCase>,
    /// The deviation from which the trade would not have survived.
    pub tolerates: Tolerance,
}

/// Supposes, for each measured deviation of an episode, its size times each multiple, always to the worse:
/// R − (multiple·|measured| − measured)·(R of one basis point).
///
/// Nothing for episodes without a verification or a known R, nor for a deviation of zero: there is no anchor.
pub fn anchored_replays(episode: &EpisodeRecord, multiples: &[f64], survival_r: f64) -> Vec<AnchoredReplay> {
    let (Some(verification), Some(accounts)) = (episode.verification, Accounts::of(episode)) else {
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
                AnchoredCase { deviation_bps, perturbed_r, survives: perturbed_r > survival_r }
            };
            let headroom_r = accounts.net_r - survival_r;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::ReplayConfig;
    use crate::replay::course::tests::trade;

    /// 15 bps of 1,000 dollars at 100 dollars a R: one bps is 0.001 R. At 50, 100 and 200 bps the trade has 35, 85
    /// and 185 bps less; 0.5 R last to 515 bps.
    #[test]
    fn fifteen_basis_points_become_50_100_200() {
        let replays = anchored_replays(&trade(), &ReplayConfig::default().deviation_multiples, 0.0);
        let slippage = &replays[0];
        assert_eq!((slippage.deviation, slippage.measured_bps), (Deviation::Slippage, 15.0));
        let expected = [(50.0, 0.465), (100.0, 0.415), (200.0, 0.315)];
        for (case, (bps, r)) in slippage.cases.iter().zip(expected) {
            assert!(
                (case.deviation_bps - bps).abs() < 1e-9 && (case.perturbed_r - r).abs() < 1e-9,
                "{case:?}"
            );
            assert!(case.survives);
        }
        match slippage.tolerates {
            Tolerance::Below(bps) => assert!((bps - 515.0).abs() < 1e-9, "{bps}"),
            other => panic!("{other:?}"),
        }
    }

    /// Gas of one dollar where half was predicted is 10,000 bps off; one bps of half a dollar is 0.0000005 R.
    #[test]
    fn gas_is_measured_against_its_prediction() {
        let replays = anchored_replays(&trade(), &[2.0], 0.0);
        assert_eq!((replays[1].deviation, replays[1].measured_bps), (Deviation::Gas, 10_000.0));
        assert!((replays[1].cases[0].perturbed_r - 0.495).abs() < 1e-9);
    }

    /// Execution better than predicted still anchors: by its size, to the worse.
    #[test]
    fn a_lucky_deviation_is_turned_around() {
        let mut lucky = trade();
        lucky.verification.as_mut().unwrap().predicted_slippage_bps = 30.0;
        let replays = anchored_replays(&lucky, &[1.0], 0.0);
        assert_eq!(replays[0].measured_bps, -10.0);
        assert!((replays[0].cases[0].perturbed_r - 0.48).abs() < 1e-9);
    }

    #[test]
    fn without_a_deviation_there_is_no_anchor() {
        let mut exact = trade();
        let verification = exact.verification.as_mut().unwrap();
        verification.predicted_slippage_bps = verification.realised_slippage_bps;
        verification.predicted_gas = verification.realised_gas;
        assert_eq!(anchored_replays(&exact, &[1.0], 0.0), []);
        exact.verification = None;
        assert_eq!(anchored_replays(&exact, &[1.0], 0.0), []);
    }
}
