//! Guards against perturbations that trades don't survive (replay spec, "perturbed replay", questions 3 and 4).
//!
//! A perturbation is usual in some circumstances: dear gas, thin pools, wild prices. Of a strategy's trades that were replayed
//! with one, and paid as they were, let b be the share that fails under it; let r be the result of each under the worst that was tried, in
//! R, each trade counted once. Where at least two paying ones were tried, b is at least a half and Σr / (n + 2) is a loss beyond the least
//! effect, the guard says: in these circumstances, less of this strategy. (The half and the shrinkage are our choice; the latter is that of
//! threats.) It is tested awake, like any guard, by what a smaller stake saves.
//!
//! No model is asked: what a trade bears follows from its own accounts. Tried and lost: a discount alone (a claim whose trades
//! all break is worth a quarter less), by which perturbations changed the size of claims and no golem's conduct. In engineering, guards
//! from failed stress tests. Results are in R, shares run from 0 to 1. The least effect is `LEAST_EFFECT_R` of the reader; scars are left
//! out, unless `scars_as_evidence` counts them. The claim's R is the growth that half the stake saves, not the loss itself
//! (`Claim::as_guard`).

use crate::dream::nrem::{WorsenedReplay, Worsening};
use crate::episode::{Claim, ContextPattern, Grimoire, VolatilityBand};
use crate::llm::SourcedClaim;
use crate::llm::reader::{LEAST_EFFECT_R, SHRINKAGE};
use crate::market::{GasClass, LiquidityClass, Strategy};
use crate::replay::{Deviation, PerturbationKind};
use morta_base::EpisodeId;
use std::collections::BTreeMap;

/// Fewest trades behind a guard.
const FEWEST: usize = 2;
/// Least share of the paying trades that must fail under a perturbation.
const MOST_FAIL: f64 = 0.5;

/// The worst result of one trade under the perturbations of the same circumstances.
#[derive(Clone, Copy, Default)]
struct Trial {
    /// In R.
    worst_r: f64,
    /// Whether it gained as it was, nothing made worse.
    would_have_paid: bool,
    /// The largest share of cases in which it failed, 0 to 1.
    broken: f64,
}

/// The guards that trials call for, by strategy and circumstances.
pub(super) fn guards(tried: &[WorsenedReplay], grimoire: &Grimoire, usual_risk: f64) -> Vec<SourcedClaim> {
    let mut groups: BTreeMap<(Strategy, ContextPattern), BTreeMap<EpisodeId, Trial>> = BTreeMap::new();
    for trial in tried {
        let Some(episode) = grimoire.get(trial.episode).filter(|episode| grimoire.is_fair(episode)) else {
            continue;
        };
        let Some(circumstances) = circumstances(trial.change) else { continue };
        let group = groups.entry((episode.strategy, circumstances)).or_default();
        let known = group.entry(episode.id).or_insert(Trial { worst_r: f64::INFINITY, ..Trial::default() });
        known.worst_r = known.worst_r.min(trial.perturbed_r);
        known.would_have_paid |= episode.realised_r > 0.0;
        known.broken = known.broken.max(trial.broken);
    }
    groups.into_iter().filter_map(|(subject, trials)| guard(subject, &trials, usual_risk)).collect()
}

fn guard(
    (strategy, pattern): (Strategy, ContextPattern),
    trials: &BTreeMap<EpisodeId, Trial>,
    usual_risk: f64,
) -> Option<SourcedClaim> {
    let paying: Vec<&Trial> = trials.values().filter(|trial| trial.would_have_paid).collect();
    let failing: f64 = paying.iter().map(|trial| trial.broken).sum();
    let sum: f64 = trials.values().map(|trial| trial.worst_r).sum();
    let mean = sum / (trials.len() as f64 + SHRINKAGE);
    let calls_for_one =
        paying.len() >= FEWEST && failing >= MOST_FAIL * paying.len() as f64 && mean <= -LEAST_EFFECT_R;
    let claim = Claim::of_worth(strategy, pattern, mean).as_guard(usual_risk);
    calls_for_one.then(|| SourcedClaim { claim, learned_from: trials.keys().copied().collect() })
}

/// The circumstances in which a perturbation is usual; `None` for decoupling, which no claim can name.
fn circumstances(change: Worsening) -> Option<ContextPattern> {
    let any = ContextPattern::default();
    let dear_gas = ContextPattern { gas: Some(GasClass::Spike), ..any };
    let thin_pool = ContextPattern { liquidity: Some(LiquidityClass::Thin), ..any };
    let wild_prices = ContextPattern { volatility: Some(VolatilityBand::Wild), ..any };
    match change {
        Worsening::Perturbed { kind, .. } => match kind {
            PerturbationKind::GasSpike => Some(dear_gas),
            PerturbationKind::Slippage | PerturbationKind::Liquidity => Some(thin_pool),
            PerturbationKind::Latency | PerturbationKind::DataDropout => Some(wild_prices),
            PerturbationKind::Decoupling => None,
        },
        Worsening::Deviating { deviation, .. } => Some(match deviation {
            Deviation::Gas => dear_gas,
            Deviation::Slippage => thin_pool,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::{episode, holding, id};
    use crate::episode::Episode;

    fn grimoire(results: &[f64]) -> Grimoire {
        let strategy = Strategy::Momentum;
        let lived = |(&realised_r, number)| Episode { strategy, realised_r, ..episode(number, 10) };
        holding(10, results.iter().zip(0..).map(lived))
    }

    fn gas(number: u32, perturbed_r: f64, broken: f64) -> WorsenedReplay {
        WorsenedReplay {
            episode: id(number),
            change: Worsening::Perturbed { kind: PerturbationKind::GasSpike, magnitude: 5.0 },
            perturbed_r,
            breaks: broken > 0.0,
            broken,
            tolerated: None,
        }
    }

    /// Two that paid and fail in dear gas with −.6 and −.8 R, and one that lost anyway, −1.2: (−.6 − .8 − 1.2)/(3 + 2) = −.52 R.
    #[test]
    fn a_perturbation_that_most_trades_fail_calls_for_a_guard() {
        let grimoire = grimoire(&[0.3, 0.2, -0.5]);
        let tried = [gas(0, -0.6, 1.0), gas(1, -0.8, 1.0), gas(2, -1.2, 0.0)];
        let [found] = &guards(&tried, &grimoire, 0.1)[..] else { panic!("one guard") };
        let pattern = ContextPattern { gas: Some(GasClass::Spike), ..ContextPattern::default() };
        let worth = Claim::of_worth(Strategy::Momentum, pattern, -0.52).as_guard(0.1);
        assert!(found.claim.same_subject(&worth), "{}", found.claim);
        assert!((found.claim.expected_r - worth.expected_r).abs() < 1e-12);
        assert_eq!(found.learned_from, [0, 1, 2].map(id));
    }

    /// One of three that paid fails: no guard; nor of one trade, nor where most fail and little is lost.
    #[test]
    fn a_perturbation_that_most_trades_survive_needs_no_guard() {
        let three = grimoire(&[0.3, 0.2, 0.9]);
        let one_fails = [gas(0, -0.9, 1.0), gas(1, -0.9, 0.0), gas(2, -0.9, 0.0)];
        assert!(guards(&one_fails, &three, 0.1).is_empty());
        assert!(guards(&one_fails[..1], &three, 0.1).is_empty());
        let by_little = [gas(0, -0.01, 1.0), gas(1, -0.02, 1.0)];
        assert!(guards(&by_little, &three, 0.1).is_empty());
    }
}
