//! Replay: what was lived through is read again, in batches; outcomes are traced back to their decisions, some episodes are
//! gone through with something made worse, and what may come is played through.

mod replayed;
pub mod triage;

pub use replayed::Replayed;
pub use triage::{Triage, TriageConfig, Verdict};

use crate::dream::account::Question;
use crate::dream::circumstances::Circumstances;
use crate::dream::tier::{DreamTier, Operation};
use crate::dream::view::DreamView;
use crate::episode::{Claim, EpisodeRecord, Grimoire};
use crate::llm::{
    BaseRate, Correction, CreditBrief, EpisodeBrief, Level, Prospect, ReadingMethod, Task, WhatIf,
};
use crate::market::{Regime, Strategy};
use crate::replay::{
    self, AnticipatoryTrajectory, CausalGraph, CreditAssignment, PerturbationKind, PerturbedReplay,
};
use morta_base::{EpisodeId, Stream};
use std::collections::{BTreeMap, BTreeSet};

/// Most rules in force that are shown with a batch.
const RULES_SHOWN: usize = 3;
/// Most episodes named as the source of a prospect's best answer.
const SOURCES: usize = 10;

/// Everything replay works out before anything is asked.
#[derive(Clone, Debug)]
pub(crate) struct ReplayPlan {
    /// Which episodes are read together.
    pub batches: Vec<Vec<EpisodeId>>,
    /// Outcomes traced back.
    pub credits: Vec<CreditAssignment>,
    /// Episodes gone through with something made worse.
    pub what_ifs: Vec<WhatIf>,
    /// What each of the chosen counts for in a mean.
    pub weights: BTreeMap<EpisodeId, f64>,
    /// How they are to be read.
    pub method: ReadingMethod,
}

/// Plans the replay of chosen episodes, all of them in the Grimoire.
pub(crate) fn plan(
    replayed: &[Replayed],
    size: usize,
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
    stream: &mut Stream,
) -> ReplayPlan {
    let config = &view.config.replay;
    let chosen: &[EpisodeId] = &replayed.iter().map(|replayed| replayed.episode).collect::<Vec<_>>();
    let batches = replay::batches(chosen, grimoire, size, config);
    ReplayPlan {
        batches: batches
            .iter()
            .take(view.config.max_batches as usize)
            .map(|batch| batch.episodes().collect())
            .collect(),
        credits: replay::reverse_replays(chosen, grimoire, &config.reverse, stream),
        what_ifs: what_ifs(chosen, grimoire, view, now, stream),
        weights: weights(replayed, grimoire, view.config.reading.correction),
        method: ReadingMethod::new(level(replayed, view.config.reading.correction), &view.config.reading),
    }
}

/// What each of the chosen counts for. A scar is shown, but weighs nothing.
fn weights(replayed: &[Replayed], grimoire: &Grimoire, correction: Correction) -> BTreeMap<EpisodeId, f64> {
    let weight = |replayed: &Replayed| {
        let is_fair = grimoire.get(replayed.episode).is_some_and(|episode| grimoire.is_fair(episode));
        match correction {
            _ if !is_fair => 0.0,
            Correction::AsDrawn => replayed.importance_weight,
            Correction::None | Correction::Usual => 1.0,
        }
    };
    replayed.iter().map(|replayed| (replayed.episode, weight(replayed))).collect()
}

/// Where the level of what is read comes from, by how the episodes were chosen.
fn level(replayed: &[Replayed], correction: Correction) -> Level {
    match correction {
        Correction::Usual => Level::Shrunk,
        Correction::AsDrawn if replayed.iter().any(|replayed| replayed.reason.is_by_merit()) => Level::Usual,
        Correction::AsDrawn | Correction::None => Level::Replayed,
    }
}

/// The perturbed share of the chosen. An episode whose execution was measured is also asked how it would have borne the
/// multiples of what was measured.
fn what_ifs(
    chosen: &[EpisodeId],
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
    stream: &mut Stream,
) -> Vec<WhatIf> {
    let config = &view.config.replay;
    let plan = replay::plan_perturbations(chosen, grimoire, config.perturbation_rate, stream);
    let mut what_ifs = Vec::new();
    for (episode, kind) in plan {
        let magnitude = kind.magnitude(&config.perturbations);
        let perturbed = replay::perturb(episode, kind, magnitude, &config.perturbations, now.tick_seconds);
        what_ifs.extend(perturbed.map(|replayed| in_words(&replayed)));
        let survival_r = config.perturbations.survival_r;
        for anchored in replay::anchored_replays(episode, &config.deviation_multiples, survival_r) {
            let Some(worst) = anchored.cases.last() else { continue };
            what_ifs.push(WhatIf {
                episode: episode.id,
                change: format!(
                    "{} off by {:.0} bps, not {:.0}",
                    anchored.deviation, worst.deviation_bps, anchored.measured_bps
                ),
                perturbed_r: worst.perturbed_r,
                breaks: !worst.survives && episode.realised_r > survival_r,
            });
        }
    }
    what_ifs
}

fn in_words(replayed: &PerturbedReplay) -> WhatIf {
    let magnitude = replayed.magnitude;
    let change = match replayed.kind {
        PerturbationKind::Slippage => format!("{magnitude:.1} times the slippage"),
        PerturbationKind::Latency => format!("the entry {magnitude:.0} blocks late"),
        PerturbationKind::GasSpike => format!("{magnitude:.1} times the gas"),
        PerturbationKind::DataDropout => format!("no prices for {magnitude:.0} minutes"),
        PerturbationKind::Liquidity => format!("{:.0} % of the liquidity gone", 100.0 * magnitude),
        PerturbationKind::Decoupling => format!("{:.0} % of common movement gone", 100.0 * magnitude),
    };
    WhatIf { episode: replayed.episode, change, perturbed_r: replayed.perturbed_r, breaks: replayed.breaks() }
}

/// The question a batch is.
pub(crate) fn question(
    batch: &[EpisodeId],
    plan: &ReplayPlan,
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
    tier: DreamTier,
) -> Question {
    let remembered = batch.iter().filter_map(|id| grimoire.get(*id));
    let weight = |episode: &EpisodeRecord| plan.weights.get(&episode.id).copied().unwrap_or(1.0);
    let brief = |episode| EpisodeBrief { weight: weight(episode), ..EpisodeBrief::from(episode) };
    let episodes: Vec<EpisodeBrief> = remembered.map(brief).collect();
    let base_rates = match plan.method.level {
        Level::Replayed => Vec::new(),
        Level::Shrunk | Level::Usual => base_rates(&episodes, grimoire),
    };
    let credits = plan.credits.iter().filter(|credit| batch.contains(&credit.episode)).map(in_brief);
    let what_ifs = plan.what_ifs.iter().filter(|what_if| batch.contains(&what_if.episode)).cloned();
    let speaks_of_it = |claim: &Claim| episodes.iter().any(|episode| episode.strategy == claim.strategy);
    let rules = view.rules.iter().map(|rule| rule.claim).filter(speaks_of_it).take(RULES_SHOWN);
    let task = Task::FindPatterns {
        credits: credits.collect(),
        what_ifs: what_ifs.collect(),
        base_rates,
        rules: rules.collect(),
        episodes,
        method: plan.method.clone(),
    };
    let temperature = view.config.imagination.analytic_temperature;
    Question { task, tier: tier.model(Operation::Reading, now.uncertainty), temperature }
}

/// The usual result of every subject that a batch speaks of.
fn base_rates(episodes: &[EpisodeBrief], grimoire: &Grimoire) -> Vec<BaseRate> {
    let traded = episodes.iter().filter(|episode| episode.traded);
    let subjects: BTreeSet<(Strategy, Regime)> =
        traded.map(|episode| (episode.strategy, episode.context.regime)).collect();
    let rate = |(strategy, regime): (Strategy, Regime)| {
        let told = grimoire.evidence().filter(|e| e.strategy == strategy && e.context.regime == regime);
        let (trades, sum) = told.fold((0, 0.0), |(trades, sum), e| (trades + 1, sum + e.realised_r));
        BaseRate { strategy, regime, trades, mean_r: sum / f64::from(trades.max(1)) }
    };
    subjects.into_iter().map(rate).collect()
}

fn in_brief(credit: &CreditAssignment) -> CreditBrief {
    let pivotal = credit.pivotal.map(|place| {
        let step = credit.steps[place as usize];
        (step.kind, step.share)
    });
    CreditBrief { episode: credit.episode, pivotal, forecast_error_r: credit.forecast_error_r }
}

/// How things may go.
pub(crate) fn prospects(
    graph: &CausalGraph,
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
) -> Vec<AnticipatoryTrajectory> {
    let present = (view.now.tick, &now.context);
    replay::anticipate(grimoire, graph, present, &now.positions, &view.config.replay.forward)
}

/// The question that plays the morning through.
pub(crate) fn anticipate(
    trajectories: &[AnticipatoryTrajectory],
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
) -> Question {
    let prospect = |trajectory: &AnticipatoryTrajectory| {
        let regime = trajectory.terminal_state.regime;
        let known_from = trajectory.best_response.map_or_else(Vec::new, |(strategy, _)| {
            let told =
                |episode: &&EpisodeRecord| episode.strategy == strategy && episode.context.regime == regime;
            grimoire.evidence().filter(told).map(|episode| episode.id).take(SOURCES).collect()
        });
        Prospect {
            hypothesis: trajectory.hypothesis.to_string(),
            regime,
            best_response: trajectory.best_response.filter(|_| !known_from.is_empty()),
            known_from,
            confidence: trajectory.confidence,
            breaking: trajectory.breaking().count() as u32,
        }
    };
    Question {
        task: Task::Anticipate { prospects: trajectories.iter().map(prospect).collect() },
        tier: DreamTier::Hardened.model(Operation::Reading, now.uncertainty),
        temperature: view.config.imagination.analytic_temperature,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::{episode, id};
    use crate::episode::{GrimoireConfig, Provenance};
    use crate::replay::SelectionReason;
    use morta_base::GolemId;

    fn grimoire(scars_as_evidence: bool) -> Grimoire {
        let mut grimoire =
            Grimoire::new(GrimoireConfig { scars_as_evidence, ..GrimoireConfig::default() }, 2);
        for (number, r, provenance) in [
            (0, 0.5, Provenance::Own),
            (1, 0.1, Provenance::Own),
            (2, -3.0, Provenance::Predecessor(GolemId::founder(9))),
        ] {
            let mut new = episode(number, 10);
            (new.realised_r, new.provenance) = (r, provenance);
            grimoire.insert(new, 10);
        }
        grimoire
    }

    fn chosen(reason: SelectionReason) -> Vec<Replayed> {
        let one = |number| Replayed { episode: id(number), utility: 0.5, reason, importance_weight: 0.25 };
        (0..3).map(one).collect()
    }

    /// What was drawn counts by its importance weight, what was taken in order counts alike, and a scar counts for nothing.
    #[test]
    fn weights_follow_how_episodes_were_chosen() {
        let drawn = chosen(SelectionReason::DrawnByPriority);
        let of = |correction, scars| {
            weights(&drawn, &grimoire(scars), correction).into_values().collect::<Vec<_>>()
        };
        assert_eq!(of(Correction::AsDrawn, false), [0.25, 0.25, 0.0]);
        assert_eq!(of(Correction::AsDrawn, true), [0.25; 3]);
        assert_eq!(of(Correction::Usual, false), [1.0, 1.0, 0.0]);
        assert_eq!(level(&drawn, Correction::AsDrawn), Level::Replayed);
        assert_eq!(level(&chosen(SelectionReason::Drawn), Correction::AsDrawn), Level::Replayed);
        assert_eq!(level(&chosen(SelectionReason::TopUtility), Correction::AsDrawn), Level::Usual);
        assert_eq!(level(&chosen(SelectionReason::TopUtility), Correction::None), Level::Replayed);
        assert_eq!(level(&drawn, Correction::Usual), Level::Shrunk);
    }

    /// (.5 + .1)/2 = .3; with the scar −.8.
    #[test]
    fn scars_are_left_out_of_what_is_usual() {
        let rate = |scars| {
            let grimoire = grimoire(scars);
            let shown: Vec<EpisodeBrief> = grimoire.records().iter().map(EpisodeBrief::from).collect();
            let [rate] = base_rates(&shown, &grimoire)[..] else { panic!("one subject") };
            (rate.trades, rate.mean_r)
        };
        let ((few, without), (all, with)) = (rate(false), rate(true));
        assert_eq!((few, all), (2, 3));
        assert!((without - 0.3).abs() < 1e-12 && (with + 0.8).abs() < 1e-12, "{without} {with}");
    }
}
