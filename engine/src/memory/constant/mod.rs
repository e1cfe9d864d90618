//! `constant`: the best fixed policy of a market, the lower bound of memories beside `none` and `random`. It learns nothing and
//! reads no circumstances. A market in which it comes near to `oracle-as-read` can't show the worth of memory, because there is
//! nothing to know but an average.
//!
//! The policy is a list of strategies by asset. Of those that signal, the first of the list is traded; strategies not in the list
//! never are. It is fitted beforehand on worlds of the same market ([`paper`]) and shipped as numbers with the scenario: fitted
//! at the start of a run, it could see the run's own worlds. Expected results are in R. It is the best static policy in hindsight (static
//! regret benchmark) without context. A scenario with a cohort of `constant` is refused where its market isn't the one that the policy
//! was fitted in (by the digest of its `[market]` table).

mod config;
pub mod paper;

pub use config::{ConstantCell, ConstantConfig, digest};

use crate::market::Strategy;
use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth, Outlook, Split,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use morta_base::Tick;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// R between two places of the list: so far above any temperature of choice that the order holds, whatever the trades take in
/// time.
const STEP_R: f64 = 1e6;

/// The policy's entry for one strategy of one asset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Known {
    /// Its place in the order of preference; `None` where it is never taken.
    place: Option<u32>,
    expected_r: f64,
}

/// A context-free (static) policy, a ranking of actions: by asset and strategy; `None` for pairs that never signalled in the worlds of the
/// fit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Policy(Vec<[Option<Known>; Strategy::COUNT]>);

impl Policy {
    /// Makes a lookup table by asset from the fitted table, for the assets of a scenario in their order; cells of unknown assets are left
    /// out.
    pub fn from_table(config: &ConstantConfig, symbols: &[String]) -> Self {
        let mut known = vec![[None; Strategy::COUNT]; symbols.len()];
        for (place, cell) in (0..).zip(&config.cells) {
            let asset = symbols.iter().position(|symbol| *symbol == cell.asset);
            let ConstantCell { takes, expected_r, .. } = *cell;
            if let Some(asset) = asset {
                let place = takes.then_some(place);
                known[asset][cell.strategy.index()] = Some(Known { place, expected_r });
            }
        }
        Self(known)
    }

    fn advise_on(&self, candidate: &Candidate) -> Advice {
        let own = self.0.get(usize::from(candidate.asset)).and_then(|own| own[candidate.strategy.index()]);
        let place = own.and_then(|own| own.place);
        let choice = |place| Outlook { expected_r: -STEP_R * f64::from(place), held_ticks: Some(0.0) };
        Advice {
            // Of a pair that never signalled in the worlds of the fit only its cost is known.
            expected_r: own.map_or(-candidate.cost_r, |own| own.expected_r),
            confidence: 1.0,
            veto: place.is_none(),
            split: place.map(|place| Split { gate: Outlook::ALWAYS, choice: choice(place) }),
            ..Advice::prior(candidate)
        }
    }
}

/// A fixed-policy baseline (non-contextual bandit's best arm): it neither learns nor bequeaths.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Constant {
    #[serde(with = "morta_base::shared")]
    policy: Arc<Policy>,
}

impl FamilyMember for Constant {
    fn empty(_: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        Self { policy: Arc::clone(&keys.shared.constant) }
    }

    // Asked where a plan changes (a branch, for example); a checkpoint has the policy itself.
    fn rebind(&mut self, keys: &MemoryKeys<'_>, _: Tick) {
        self.policy = Arc::clone(&keys.shared.constant);
    }
}

impl MemoryArchitecture for Constant {
    fn advise(&self, _: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.extend(candidates.iter().map(|candidate| self.policy.advise_on(candidate)));
    }

    /// A fixed policy learns nothing.
    fn explores(&self) -> bool {
        false
    }

    fn observe(&mut self, _: &Experience<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::memory::candidate;

    #[test]
    fn the_list_says_what_is_taken_and_what_comes_first() {
        let cell =
            |strategy, takes, expected_r| ConstantCell { asset: "A".to_owned(), strategy, takes, expected_r };
        let cells = vec![
            cell(Strategy::Breakout, true, 0.1),
            cell(Strategy::Momentum, true, 0.9),
            cell(Strategy::MeanReversion, false, 0.2),
        ];
        let config = ConstantConfig { cells, ..ConstantConfig::default() };
        let policy = Policy::from_table(&config, &["A".to_owned()]);
        let [breakout, momentum, reversion, unknown] =
            [Strategy::Breakout, Strategy::Momentum, Strategy::MeanReversion, Strategy::TrendFollowing]
                .map(|strategy| policy.advise_on(&candidate(strategy, 0.3)));
        // The order is the list's and not that of expected results.
        assert!(breakout.choice().expected_r > momentum.choice().expected_r + 1e5);
        assert_eq!((breakout.expected_r, momentum.expected_r, reversion.expected_r), (0.1, 0.9, 0.2));
        assert_eq!(
            [&breakout, &momentum, &reversion, &unknown].map(|advice| advice.veto),
            [false, false, true, true]
        );
        assert_eq!(momentum.gate(), Outlook::ALWAYS);
    }
}
