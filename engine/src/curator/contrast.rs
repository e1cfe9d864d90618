//! The contrast of a strategy's gains and losses, at a visit that finds ten trades or more since its last one (by default): which
//! circumstance differed between them? (ExpeL; digest section 3.)
//!
//! Each single circumstance divides the trades into those with it and those without; the one with the largest |mean R with − mean R without| is named.
//! Single ones, because ten trades can't bear out a combination: with seven features most pairs would be shared by too few. It is a greedy
//! decision stump: a split on one feature by the difference in means, in R. One strategy's trades are compared among themselves because
//! a difference between strategies would otherwise pass for one of circumstances. The trades are all since the strategy's last contrast:
//! the memory hands them over once there are `contrast_every`, and begins anew.

use crate::curator::distil::{coherence, trusted};
use crate::curator::letter::{Conclusion, Operation};
use crate::curator::{CuratorConfig, CuratorReport, CuratorRequest};
use crate::episode::{Claim, ContextPattern, Feature};
use crate::llm::EpisodeBrief;
use morta_base::moments;

/// Adds, for each strategy that is due, the one circumstance that best separates its gains from its losses, if any does.
/// A circumstance is considered when as many trades as a cluster needs have it and as many don't, and when those that have it agree in
/// sign as insights must. Known subjects, and those added in this cycle, are left out: votes judge them.
pub(super) fn contrast(request: &CuratorRequest, config: &CuratorConfig, report: &mut CuratorReport) {
    for trades in &request.contrasts {
        let Some(found) = most_telling(trades, config) else { continue };
        let known = request.insights.iter().any(|known| known.claim.same_subject(&found.claim));
        let said = report.operations.iter().any(
            |operation| matches!(operation, Operation::Add(new) if new.claim.same_subject(&found.claim)),
        );
        if !known && !said {
            report.operations.push(Operation::Add(trusted(found, config)));
        }
    }
}

/// Features in the order in which they are tried: of circumstances that separate equally well, the first is named. A fixed order of its own, because the
/// order of [`Feature`] is that of recorded bytes, and changes of it must not change insights.
const TRIED: [Feature; Feature::OF_MARKET.len()] = [
    Feature::Session,
    Feature::Liquidity,
    Feature::Volatility,
    Feature::Regime,
    Feature::Asset,
    Feature::Gas,
    Feature::Shock,
];

/// Every single circumstance of any of the trades, in a fixed order.
fn circumstances(trades: &[EpisodeBrief]) -> Vec<ContextPattern> {
    let of = |feature: Feature| {
        let each = trades.iter().map(move |trade| ContextPattern::from_context(&trade.context, [feature]));
        let mut patterns: Vec<ContextPattern> = each.collect();
        patterns.sort();
        patterns.dedup();
        patterns
    };
    TRIED.into_iter().flat_map(of).collect()
}

fn most_telling(trades: &[EpisodeBrief], config: &CuratorConfig) -> Option<Conclusion> {
    let strategy = trades.first()?.strategy;
    let mut best: Option<(f64, Conclusion)> = None;
    for pattern in circumstances(trades) {
        let (with, without): (Vec<&EpisodeBrief>, Vec<&EpisodeBrief>) =
            trades.iter().partition(|trade| pattern.matches(&trade.context));
        if with.len().min(without.len()) < config.cluster_size as usize {
            continue;
        }
        let mean = |of: &[&EpisodeBrief]| {
            moments::mean(of.iter().map(|trade| trade.realised_r)).expect("clusters have members")
        };
        let gains = with.iter().filter(|trade| trade.realised_r > 0.0).count() as u32;
        let losses = with.len() as u32 - gains;
        let found = Conclusion {
            claim: Claim::of_worth(strategy, pattern, mean(&with)),
            confidence: 0.0,
            confirmed: gains.max(losses),
            contradicted: gains.min(losses),
            learned_from: with.iter().map(|trade| trade.id).collect(),
        };
        let difference = (found.claim.expected_r - mean(&without)).abs();
        if coherence(&found) > config.coherence && best.as_ref().is_none_or(|(most, _)| difference > *most) {
            best = Some((difference, found));
        }
    }
    best.map(|(_, found)| found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::market::Session;

    #[test]
    fn the_circumstance_that_separates_gains_from_losses_is_found() {
        let trade = |number: u32| {
            let mut brief = EpisodeBrief::from(&episode(number, 1));
            let asia = number < 5;
            brief.context.session = if asia { Session::Asia } else { Session::Europe };
            brief.realised_r = if asia { -1.0 } else { 0.5 };
            brief.context.volatility_quintile = 1 + (number % 5) as u8;
            brief
        };
        let trades: Vec<EpisodeBrief> = (0..10).map(trade).collect();
        let request = CuratorRequest { contrasts: vec![trades.clone()], ..CuratorRequest::default() };
        let (mut report, config) = (CuratorReport::default(), CuratorConfig::default());
        contrast(&request, &config, &mut report);
        let [Operation::Add(found)] = &report.operations[..] else { panic!("{report:?}") };
        assert_eq!(found.claim.pattern.session, Some(Session::Asia));
        assert_eq!((found.claim.expected_r, found.confirmed, found.learned_from.len()), (-1.0, 5, 5));
        assert!((found.confidence - 0.45).abs() < 1e-12);
        // Without a circumstance that separates them, nothing is added.
        let alike: Vec<EpisodeBrief> = trades
            .into_iter()
            .map(|trade| EpisodeBrief { context: episode(0, 1).context, ..trade })
            .collect();
        let request = CuratorRequest { contrasts: vec![alike], ..CuratorRequest::default() };
        let mut report = CuratorReport::default();
        contrast(&request, &config, &mut report);
        assert_eq!(report.operations, []);
    }
}
