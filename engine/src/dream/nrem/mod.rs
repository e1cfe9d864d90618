//! NREM replay: remembered episodes are read in batches, outcomes are traced back to decisions, some episodes are perturbed, and
//! prospects are projected forward (dream architecture, phase 1).
//!
//! Everything but the reading is arithmetic and is planned before a question is asked, so that the plan is known when money is divided.
//! Results are in R, money is in dollars, sizes are numbers of episodes. `cycle` makes the plan once, when the dream begins, from episodes
//! that `replay` has chosen, and asks its questions in the replay stage. The tier's model reads (`DreamTier::reader`); for want of money a
//! smaller one does (in rich dreams the small one the first batch alone), and batches that can't be paid even so are dropped. Findings of
//! the reading are staged at waking like all others. In neuroscience this is slow-wave sleep with hippocampal replay; in engineering, a
//! batch plan under a token budget. `replayed` and `reading` are the rows of the log, `robustness` and `scars` draw guards without a model,
//! `triage` sorts what was read.

mod reading;
mod replayed;
mod robustness;
mod scars;
pub mod triage;

pub use reading::{ReadBatch, WorsenedReplay, Worsening};
pub use replayed::{ChosenTerms, Replayed};
pub use triage::{Triage, TriageConfig, TriageVerdict};

use crate::dream::account::Question;
use crate::dream::circumstances::Circumstances;
use crate::dream::schedule::DreamScope;
use crate::dream::tier::DreamOperation;
use crate::dream::view::DreamView;
use crate::episode::{Claim, EpisodeRecord, Grimoire};
use crate::llm::prompt::what_if_bytes;
use crate::llm::{
    BaseRate, CreditBrief, EpisodeBrief, Level, MorningSituation, Prospect, ReadingMethod, SourcedClaim,
    Task, Tier, WhatIf,
};
use crate::market::{Regime, Strategy};
use crate::replay::causal::CausalStore;
use crate::replay::{self, AnticipatoryTrajectory, CausalGraph, CreditAssignment, Tolerance};
use morta_base::dot::cosine_similarity;
use morta_base::{EpisodeId, GolemId, Stream, Usdc};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Most rules in force shown with a batch. Our choice: the spec shows "relevant sections" of the playbook, and each rule costs
/// tokens in every batch.
const RULES_SHOWN: usize = 3;
/// Trades of similar markets shown with the morning's prospects. Our choice: the specs name no number, and each costs as much as
/// a prospect.
const ALIKE_SHOWN: usize = 3;
/// Most episodes named as the source of a prospect's best response. They stand in events, so they are bounded.
const SOURCES: usize = 10;

/// The plan of a dream's replay, worked out before anything is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReplayPlan {
    /// Batches, each with the model that is to read it.
    pub batches: Vec<PlannedBatch>,
    /// Outcomes traced back.
    pub credits: Vec<CreditAssignment>,
    /// Episodes replayed with something made worse.
    pub tried: Vec<WorsenedReplay>,
    /// Guards against what trades bear too little of, and against what preceded deaths.
    pub guards: Vec<SourcedClaim>,
    /// Weight of each chosen episode in a mean.
    pub weights: BTreeMap<EpisodeId, f64>,
    /// The method of reading.
    pub method: ReadingMethod,
    /// Causal knowledge, with the episodes since the last dream.
    pub known: Option<Box<CausalStore>>,
    /// Prospects by that knowledge.
    pub trajectories: Vec<AnticipatoryTrajectory>,
}

/// Episodes of one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlannedBatch {
    /// Episodes in the order of reading.
    pub episodes: Vec<EpisodeId>,
    /// The model that is to read them.
    pub tier: Tier,
}

/// Limits on what a dream may read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReadingMeans {
    /// Episodes in a batch.
    pub size: usize,
    /// Most batches.
    pub batches: usize,
    /// Money of the phase.
    pub money: Usdc,
}

/// Plans the replay of chosen episodes, all of them in the Grimoire, and cuts the choice down to what can be paid for. (Before,
/// the choice was kept whole: what exceeded the money was never read, and diversity, which stands last, went first.)
pub(crate) fn plan(
    golem: GolemId,
    chosen: Vec<Replayed>,
    means: &ReadingMeans,
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
    stream: &mut Stream,
) -> (Vec<Replayed>, ReplayPlan) {
    let config = &view.config.replay;
    let ids = |chosen: &[Replayed]| chosen.iter().map(|chosen| chosen.episode).collect::<Vec<_>>();
    let all = ids(&chosen);
    // Prospects come before replay, because they say which past trades matter now. Where nothing is replayed nothing is counted.
    let replays = now.scope != DreamScope::ConsolidationOnly;
    let known = replays.then(|| Box::new(view.causal.after(grimoire, golem, &config.causal)));
    let trajectories =
        known.as_ref().map_or_else(Vec::new, |known| prospects(known.graph(), grimoire, view, now));
    let attention = replay::in_need_of_attention(&trajectories);
    let mut plan = ReplayPlan {
        batches: Vec::new(),
        credits: replay::reverse_replays(&all, grimoire, &attention, &config.reverse, stream),
        tried: tried(&all, grimoire, view, now, stream),
        guards: Vec::new(),
        weights: chosen.iter().map(|chosen| (chosen.episode, chosen.weight)).collect(),
        method: ReadingMethod::new(level(&chosen), &view.config.reading),
        known,
        trajectories,
    };
    let batched = |chosen: &[Replayed], most| -> Vec<PlannedBatch> {
        let batches = replay::batches(&ids(chosen), grimoire, means.size, most).into_iter();
        let batches = batches.map(|batch| batch.episodes().collect::<Vec<_>>());
        let reader =
            |episodes: &[EpisodeId]| now.tier.reader(is_complex(episodes, grimoire), now.uncertainty);
        batches.map(|episodes| PlannedBatch { tier: reader(&episodes), episodes }).collect()
    };
    plan.batches = batched(&chosen, means.batches);
    let there_were = plan.batches.len();
    plan.pay_for(means.money, grimoire, view);
    let mut chosen = chosen;
    if plan.batches.len() < there_were {
        let most = plan.batches.len();
        chosen = replay::cut_down(chosen, most * means.size, config, |chosen| chosen.reason);
        plan.batches = batched(&chosen, most);
        plan.pay_for(means.money, grimoire, view);
    }
    let read: BTreeSet<EpisodeId> = plan.batches.iter().flat_map(|batch| &batch.episodes).copied().collect();
    chosen.retain(|chosen| read.contains(&chosen.episode));
    plan.credits.retain(|credit| read.contains(&credit.episode));
    plan.tried.retain(|tried| read.contains(&tried.episode));
    plan.weights.retain(|episode, _| read.contains(episode));
    let usual_risk = view.config.consolidation.staging.usual_risk;
    plan.guards = robustness::guards(&plan.tried, grimoire, usual_risk);
    let shuffled = view.config.shuffle_outcomes;
    plan.guards.extend(scars::guards(&chosen, grimoire, usual_risk, shuffled, stream));
    // A trade that bears every multiple of its own deviations teaches nothing, and most do: left in, they would fill the prompt.
    let teaches =
        |tried: &WorsenedReplay| tried.broken > 0.0 || matches!(tried.change, Worsening::Perturbed { .. });
    plan.tried.retain(teaches);
    (chosen, plan)
}

impl ReplayPlan {
    /// Keeps the batches that there is money for. The first may be read by a smaller model than it should be, so that an
    /// emergency or a declining golem's dream reads what it can pay.
    fn pay_for(&mut self, money: Usdc, grimoire: &Grimoire, view: &DreamView<'_>) {
        let mut left = money;
        let mut batches = std::mem::take(&mut self.batches);
        for (place, batch) in batches.iter_mut().enumerate() {
            // What-ifs are measured and not written: most are dropped before a question is asked, and their texts took an eighth of a plan's time.
            let tried = self.tried.iter().filter(|trial| batch.episodes.contains(&trial.episode));
            let bytes = tried
                .map(|trial| what_if_bytes(trial.episode, trial.change.text_length(), trial.perturbed_r))
                .sum();
            let most = without_what_ifs(0, batch, self, grimoire, view).most_beside(bytes, view.llm);
            while let Some(lower) = batch.tier.below()
                && most(batch.tier) > left
            {
                // For the first batch a small model is better than none; further batches wait for a model that reads well.
                if place > 0 && lower == Tier::T0 {
                    break;
                }
                batch.tier = lower;
            }
            let most = most(batch.tier);
            if most > left {
                batches.truncate(place);
                break;
            }
            left -= most;
        }
        self.batches = batches;
    }
}

/// Whether most of some episodes took more decisions than the four of the replay spec's example: analysis, entry, hold, exit.
fn is_complex(episodes: &[EpisodeId], grimoire: &Grimoire) -> bool {
    const SIMPLE: usize = 4;
    let steps = episodes.iter().filter_map(|id| grimoire.get(*id)).map(|episode| episode.chain.len());
    2 * steps.filter(|steps| *steps > SIMPLE).count() > episodes.len()
}

/// The level against which effects are read, by how the episodes were chosen. A selection by merit is biased (only wins and
/// surprises were taken), so its own mean is no level.
fn level(replayed: &[Replayed]) -> Level {
    let by_merit = replayed.iter().any(|replayed| replayed.reason.is_by_merit());
    if by_merit { Level::Usual } else { Level::Replayed }
}

/// What-ifs of the chosen: the perturbed share of them under one perturbation each, and all whose execution is known under the multiples of
/// its deviation.
fn tried(
    chosen: &[EpisodeId],
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
    stream: &mut Stream,
) -> Vec<WorsenedReplay> {
    let config = &view.config.replay;
    let perturbations = &config.perturbations;
    let plan = replay::plan_perturbations(chosen, grimoire, config.perturbation_rate, stream);
    let perturbed = plan.into_iter().filter_map(|(episode, kind)| {
        let magnitude = kind.magnitude(perturbations);
        let perturbed = replay::perturb(episode, kind, magnitude, now.tick_seconds)?;
        let breaks = perturbed.breaks();
        Some(WorsenedReplay {
            episode: perturbed.episode,
            change: Worsening::Perturbed { kind, magnitude },
            perturbed_r: perturbed.perturbed_r,
            breaks,
            broken: f64::from(u8::from(breaks)),
            tolerated: perturbed.tolerates.limit(),
        })
    });
    let remembered = chosen.iter().filter_map(|id| grimoire.get(*id));
    let deviating = remembered.flat_map(|episode| {
        let anchored = replay::anchored_replays(episode, &config.deviation_multiples);
        anchored.into_iter().filter_map(|anchored| {
            let worst = anchored.cases.last()?;
            let survived = anchored.tolerates != Tolerance::None;
            let failing = anchored.cases.iter().filter(|case| survived && !case.survives).count();
            Some(WorsenedReplay {
                episode: anchored.episode,
                change: Worsening::Deviating {
                    deviation: anchored.deviation,
                    measured_bps: anchored.measured_bps,
                    supposed_bps: worst.deviation_bps,
                },
                perturbed_r: worst.perturbed_r,
                breaks: survived && !worst.survives,
                broken: failing as f64 / anchored.cases.len() as f64,
                tolerated: anchored.tolerates.limit(),
            })
        })
    });
    perturbed.chain(deviating).collect()
}

fn in_words(trial: &WorsenedReplay) -> WhatIf {
    let WorsenedReplay { episode, change, perturbed_r, broken, .. } = *trial;
    WhatIf { episode, change: change.to_string(), perturbed_r, broken }
}

/// The question of one batch; `place` is its place among the batches of the dream.
pub(crate) fn question(
    place: u32,
    batch: &PlannedBatch,
    plan: &ReplayPlan,
    grimoire: &Grimoire,
    view: &DreamView<'_>,
) -> Question {
    let mut question = without_what_ifs(place, batch, plan, grimoire, view);
    if let Task::FindPatterns { what_ifs, .. } = &mut question.task {
        let tried = plan.tried.iter().filter(|trial| batch.episodes.contains(&trial.episode));
        what_ifs.extend(tried.map(in_words));
    }
    question
}

/// The same, with its what-ifs left out.
fn without_what_ifs(
    place: u32,
    PlannedBatch { episodes: batch, tier }: &PlannedBatch,
    plan: &ReplayPlan,
    grimoire: &Grimoire,
    view: &DreamView<'_>,
) -> Question {
    let remembered = batch.iter().filter_map(|id| grimoire.get(*id));
    let weight = |episode: &EpisodeRecord| plan.weights.get(&episode.id).copied().unwrap_or(1.0);
    let brief = |episode| EpisodeBrief { weight: weight(episode), ..EpisodeBrief::from(episode) };
    let episodes: Vec<EpisodeBrief> = remembered.map(brief).collect();
    let base_rates = match plan.method.level {
        Level::Replayed => Vec::new(),
        Level::Usual => base_rates(&episodes, grimoire),
    };
    let credits = plan.credits.iter().filter(|credit| batch.contains(&credit.episode));
    let credits = credits.filter_map(|credit| in_brief(credit, grimoire));
    let speaks_of_it = |claim: &Claim| episodes.iter().any(|episode| episode.strategy == claim.strategy);
    let rules = view.rules.iter().map(|rule| rule.claim).filter(speaks_of_it).take(RULES_SHOWN);
    let task = Task::FindPatterns {
        batch: place,
        credits: credits.collect(),
        what_ifs: Vec::new(),
        base_rates,
        rules: rules.collect(),
        episodes,
        method: plan.method.clone(),
        is_dreamt: true,
    };
    let temperature = view.config.imagination.analytic_temperature;
    Question { task, tier: *tier, temperature }
}

/// The usual result of every subject in a batch.
fn base_rates(episodes: &[EpisodeBrief], grimoire: &Grimoire) -> Vec<BaseRate> {
    let traded = episodes.iter().filter(|episode| episode.traded);
    let subjects: BTreeSet<(Strategy, Regime)> =
        traded.map(|episode| (episode.strategy, episode.context.regime)).collect();
    let no_trade = |(strategy, regime)| BaseRate { strategy, regime, trades: 0, mean_r: 0.0 };
    let mut rates: Vec<BaseRate> = subjects.into_iter().map(no_trade).collect();
    // One pass over all trades, and not one for each subject: a long life has thousands.
    for trade in grimoire.evidence() {
        let about =
            |rate: &&mut BaseRate| (rate.strategy, rate.regime) == (trade.strategy, trade.context.regime);
        if let Some(rate) = rates.iter_mut().find(about) {
            rate.trades += 1;
            rate.mean_r += trade.realised_r;
        }
    }
    rates.iter_mut().for_each(|rate| rate.mean_r /= f64::from(rate.trades.max(1)));
    rates
}

/// A traced outcome as a reader sees it; `None` where the chain of decisions was dropped.
fn in_brief(credit: &CreditAssignment, grimoire: &Grimoire) -> Option<CreditBrief> {
    let entry_share = credit.entry_share()?;
    let pivotal = credit.pivotal.map(|place| {
        let step = credit.steps[place as usize];
        (step.kind, step.share)
    });
    let chain = grimoire.get(credit.episode)?.chain.iter().rev().copied().collect();
    Some(CreditBrief { episode: credit.episode, chain, pivotal, entry_share })
}

/// The prospects of the present market.
pub(crate) fn prospects(
    graph: &CausalGraph,
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
) -> Vec<AnticipatoryTrajectory> {
    let present = (view.now.tick, &now.context);
    replay::anticipate(grimoire, graph, present, &now.positions, &view.config.replay.forward)
}

/// The question about the prospects, the morning's planning.
pub(crate) fn anticipate(
    trajectories: &[AnticipatoryTrajectory],
    grimoire: &Grimoire,
    view: &DreamView<'_>,
    now: &Circumstances,
) -> Question {
    let prospect = |trajectory: &AnticipatoryTrajectory| {
        let regime = trajectory.terminal_state.regime;
        let known_from = trajectory.best_response.map_or_else(Vec::new, |(strategy, _)| {
            let is_like_it =
                |episode: &&EpisodeRecord| episode.strategy == strategy && episode.context.regime == regime;
            grimoire.evidence().filter(is_like_it).map(|episode| episode.id).take(SOURCES).collect()
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
    let prospects = trajectories.iter().map(prospect).collect();
    let task = Task::Anticipate { prospects, standing: Box::new(standing(grimoire, view, now)) };
    let temperature = view.config.imagination.analytic_temperature;
    Question::in_rich_dream(task, DreamOperation::Reading, temperature)
}

/// The golem's situation: the market, open positions, rules that speak of either, and trades that began in similar markets.
fn standing(grimoire: &Grimoire, view: &DreamView<'_>, now: &Circumstances) -> MorningSituation {
    let is_open = |strategy| now.positions.iter().any(|position| position.strategy == strategy);
    let speaks_of_it = |claim: &Claim| claim.pattern.matches(&now.context) || is_open(claim.strategy);
    let rules = view.rules.iter().map(|rule| rule.claim).filter(speaks_of_it).take(RULES_SHOWN);
    let trades = (0..grimoire.len()).filter(|&slot| grimoire.is_evidence(grimoire.record(slot)));
    let likeness = |slot| cosine_similarity(view.now.embedding, grimoire.embedding(slot));
    let mut alike: Vec<(f64, usize)> = trades.map(|slot| (likeness(slot), slot)).collect();
    alike.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    let brief = |(_, slot)| EpisodeBrief::from(grimoire.record(slot));
    MorningSituation {
        tick: view.now.tick,
        context: now.context,
        price: now.price,
        gas: now.gas,
        positions: now.positions.clone(),
        rules: rules.collect(),
        alike: alike.into_iter().take(ALIKE_SHOWN).map(brief).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::{episode, id};
    use crate::dream::nrem::replayed::samples;
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

    fn chosen(reason: SelectionReason, scars_as_evidence: bool) -> Vec<Replayed> {
        samples::chosen(&[0, 1, 2].map(id), &grimoire(scars_as_evidence), reason, 0.25)
    }

    /// A drawn episode counts by its importance weight, and a scar counts for nothing. What was drawn says its own level, what was taken by merit
    /// doesn't.
    #[test]
    fn weights_follow_how_episodes_were_chosen() {
        let drawn = |scars| chosen(SelectionReason::DrawnByPriority, scars);
        let weights = |scars| drawn(scars).iter().map(|replayed| replayed.weight).collect::<Vec<_>>();
        assert_eq!(weights(false), [0.25, 0.25, 0.0]);
        assert_eq!(weights(true), [0.25; 3]);
        let level_of = |reason| level(&chosen(reason, false));
        assert_eq!(level_of(SelectionReason::DrawnByPriority), Level::Replayed);
        assert_eq!(level_of(SelectionReason::Drawn), Level::Replayed);
        assert_eq!(level_of(SelectionReason::TopUtility), Level::Usual);
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
