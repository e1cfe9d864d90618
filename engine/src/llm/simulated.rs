//! The simulated model: an honest statistical reader. It answers only from the content of the task (`Read` from the briefing), less sharply
//! and less truthfully the lower its tier, so that a better selection of episodes really yields better lessons. A reader that knew the
//! market would make every selection look good.
//!
//! It is a mock (fake, simulated) language model: a shrinkage estimator with noise. Results are in R, temperatures from 0 to 2; noise and
//! the rate of hallucination are the tier's times temperature / .4. A pattern of a batch takes two episodes and .1 R at least; the lesson
//! of a counterfactual rests on its one episode and is free of noise. A batch, a morning's planning, an imagination, a consolidation and a
//! reading give no more patterns than the tier's `max_patterns`. A hallucination takes the last place and names no episode. The broker,
//! which asks it where `llm.mode` is "simulated" (the default), cuts the reply off at the token limit.

use crate::episode::{Claim, ContextPattern, HeldPattern};
use crate::llm::reader::{HINDSIGHT_DISCOUNT, LEAST_EFFECT_R, Reader, hallucinate};
use crate::llm::{
    BaseRate, Branch, CreditBrief, EpisodeBrief, ReadingMethod, Reply, SourcedClaim, Task, TierConfig,
    WhatIf, affect, imagined, level, reading, subjects,
};
use crate::market::{Held, Strategy};
use morta_base::Stream;
use std::collections::BTreeMap;

/// Fewest episodes behind an effect.
const LEAST_SUPPORT: usize = 2;
/// Factor on the reading noise of a traced outcome. Our choice: credit assignment must be worth its cost, and can't make reading
/// perfect.
const TRACED_NOISE: f64 = 0.5;
/// Share of an effect that is lost when all its episodes fail under the perturbations tried on them. Our choice; the greater part
/// of their influence is through guards, which say when to hold less.
const FRAGILITY: f64 = 0.25;

/// Answers a task with a fake completion, at a sampling temperature, deterministic given the random stream. Of the briefing only the task
/// [`Task::Read`] makes use.
pub fn answer(
    task: &Task,
    briefing: Option<&str>,
    tier: &TierConfig,
    temperature: f64,
    stream: &mut Stream,
) -> Reply {
    let reader = Reader::at(tier, temperature);
    match task {
        Task::Dissolve { memories, .. } => Reply::Fragment(imagined::dissolve(memories, temperature, stream)),
        Task::Observe { fragments } => Reply::Observed(imagined::observe(fragments, &reader, stream)),
        Task::FindPatterns { batch, episodes, credits, what_ifs, base_rates, rules, method, .. } => {
            let beside = Beside { credits, what_ifs, base_rates, rules, method };
            let patterns = find_patterns(episodes, &beside, &reader, stream);
            Reply::Patterns { batch: *batch, patterns, answers: Box::default() }
        }
        Task::Anticipate { prospects, .. } => {
            let responses = imagined::anticipate(prospects, &reader, stream);
            Reply::Anticipated { responses, guards: Vec::new() }
        }
        Task::Counterfactual { episode, branch } => {
            let (outcome_r, lesson, confidence) = counterfactual(episode, branch);
            Reply::Lesson { episode: episode.id, branch: *branch, outcome_r, lesson, confidence }
        }
        Task::Imagine { mode, seeds, rule, situation } => {
            let (rule, situation) = (rule.as_ref(), situation.as_deref());
            let ideas = imagined::imagine(*mode, seeds, rule, situation, &reader, stream);
            Reply::Imagined { mode: *mode, ideas }
        }
        Task::Threaten { kind, episodes } => {
            let (loss_r, responses) = imagined::threaten(episodes, &reader, stream);
            Reply::Threat { kind: *kind, loss_r, responses }
        }
        Task::Reappraise { episodes } => Reply::Reappraised(imagined::reappraise(episodes, &reader, stream)),
        Task::Consolidate { patterns } => Reply::Consolidated(consolidate(patterns, tier)),
        Task::Recrystallise { patterns } => Reply::KeptInMind(imagined::keep_in_mind(patterns)),
        Task::Appraise(brief) => affect::appraise(brief, &reader, stream),
        Task::Reflect { themes } => affect::reflect(themes, &reader, stream),
        Task::Read => Reply::Stances(reading::stances(briefing.unwrap_or_default(), &reader, stream)),
    }
}

/// The other contents of a batch.
struct Beside<'a> {
    credits: &'a [CreditBrief],
    what_ifs: &'a [WhatIf],
    base_rates: &'a [BaseRate],
    rules: &'a [Claim],
    method: &'a ReadingMethod,
}

fn find_patterns(
    episodes: &[EpisodeBrief],
    beside: &Beside<'_>,
    reader: &Reader<'_>,
    stream: &mut Stream,
) -> Vec<SourcedClaim> {
    let tier = reader.tier;
    let is_traced = |id| beside.credits.iter().any(|credit| credit.episode == id);
    let broken = |id| {
        let tried = beside.what_ifs.iter().filter(|what_if| what_if.episode == id);
        tried.map(|what_if| what_if.broken).fold(0.0, f64::max)
    };
    let read: Vec<f64> = episodes
        .iter()
        .map(|episode| {
            let noise = if is_traced(episode.id) { TRACED_NOISE } else { 1.0 } * reader.noise_r;
            episode.realised_r + noise * stream.normal()
        })
        .collect();
    let episodes = &weighed_by_entry(episodes, beside.credits);
    let readings = level::readings(episodes, &read, beside.base_rates, beside.method.level);
    let mut found: Vec<(bool, f64, SourcedClaim)> =
        subjects::groups(episodes, beside.method, tier.depth, LEAST_SUPPORT)
            .into_iter()
            .filter_map(|((strategy, pattern), members)| {
                let mean = level::sum_up(members.iter().map(|&m| (episodes[m].weight, readings[m])))?;
                let broken: f64 = members.iter().map(|&member| broken(episodes[member].id)).sum();
                let expected_r = mean.mean * (1.0 - FRAGILITY * broken / members.len() as f64);
                if expected_r.abs() < LEAST_EFFECT_R {
                    return None;
                }
                let evidence = expected_r.abs() * mean.effective_size.sqrt();
                let learned_from = members.iter().map(|&member| episodes[member].id).collect();
                let claim = Claim::of_worth(strategy, pattern, expected_r);
                let covers =
                    |rule: &Claim| members.iter().all(|&m| rule.applies(strategy, &episodes[m].context));
                let is_news = beside
                    .rules
                    .iter()
                    .any(|rule| rule.kind() == claim.kind() && covers(rule) && !rule.agrees_with(&claim));
                Some((is_news, evidence, SourcedClaim { claim, learned_from }))
            })
            .collect();
    // Lines are few, and a contradiction of a rule in force changes most, so it comes first. Tried and lost: the rule as the
    // prior that means are shrunk to. It was drawn from such episodes itself, and would be found again for having been found
    // before.
    found.sort_by(|(a_is_news, a, _), (b_is_news, b, _)| b_is_news.cmp(a_is_news).then(b.total_cmp(a)));
    let mut patterns: Vec<SourcedClaim> = found.into_iter().map(|(_, _, pattern)| pattern).collect();
    patterns.truncate(tier.max_patterns as usize);
    if !episodes.is_empty() && stream.chance(reader.invention) {
        patterns.truncate(tier.max_patterns as usize - 1);
        patterns.push(hallucinate(stream));
    }
    patterns
}

/// The episodes, each traced one weighted by the part of its entry: (1 + s)/2, s the entry's share of all movement, over the mean
/// of that among traced gains, or among traced losses. A trade whose result was made by its exit says less of the entry, but not
/// nothing. The means keep gains and losses in balance: gains take time, so their entries have the smaller share (.30, against
/// .56 of losses, in `scenarios/nightly.toml`), and losses are traced more often. By bare shares every claim would be too low.
fn weighed_by_entry(episodes: &[EpisodeBrief], credits: &[CreditBrief]) -> Vec<EpisodeBrief> {
    let traced = |episode: &EpisodeBrief| {
        let credit = credits.iter().find(|credit| credit.episode == episode.id)?;
        Some((episode.realised_r > 0.0, 0.5 * (1.0 + credit.entry_share)))
    };
    let weights: Vec<Option<(bool, f64)>> = episodes.iter().map(traced).collect();
    let mean_of = |gained: bool| {
        let alike = weights.iter().flatten().filter(|(sign, _)| *sign == gained);
        let (count, sum) = alike.fold((0.0, 0.0), |(count, sum), (_, weight)| (count + 1.0, sum + weight));
        sum / f64::max(count, 1.0)
    };
    let means = [mean_of(false), mean_of(true)];
    let weighed = |(episode, weight): (&EpisodeBrief, &Option<(bool, f64)>)| {
        let factor = weight.map_or(1.0, |(gained, weight)| weight / means[usize::from(gained)]);
        EpisodeBrief { weight: episode.weight * factor, ..episode.clone() }
    };
    episodes.iter().zip(&weights).map(weighed).collect()
}

/// The result of the alternative, the lesson, and its confidence. Gains of hindsight count half ([`HINDSIGHT_DISCOUNT`]).
fn counterfactual(episode: &EpisodeBrief, branch: &Branch) -> (f64, Option<SourcedClaim>, f64) {
    let pattern = ContextPattern::from_regime(episode.context.regime);
    let lesson = |strategy, expected_r: f64| {
        (expected_r.abs() >= LEAST_EFFECT_R).then(|| SourcedClaim {
            claim: Claim::of_worth(strategy, pattern, expected_r),
            learned_from: vec![episode.id],
        })
    };
    let (outcome_r, lesson) = match *branch {
        Branch::OtherStrategy { strategy, result_r } if result_r > 0.0 => {
            (result_r, lesson(strategy, HINDSIGHT_DISCOUNT * result_r))
        }
        Branch::OtherStrategy { result_r, .. } => (result_r, None),
        Branch::StayingOut if episode.realised_r < 0.0 => {
            (0.0, lesson(episode.strategy, HINDSIGHT_DISCOUNT * episode.realised_r))
        }
        Branch::StayingOut => (0.0, None),
        // The cost of staying in from there.
        Branch::LeavingEarlier { result_r, held } => {
            let lost = HINDSIGHT_DISCOUNT * (episode.realised_r - result_r);
            (result_r, held.and_then(|held| staying(episode, held, lost)))
        }
        // The gain of staying in from there: an entry at that point and staying at it are the same position.
        Branch::EnteringLater { result_r, held } => {
            (result_r, staying(episode, held, HINDSIGHT_DISCOUNT * result_r))
        }
    };
    let gain = (outcome_r - episode.realised_r).max(0.0);
    (outcome_r, lesson, HINDSIGHT_DISCOUNT * gain / (1.0 + gain))
}

/// A lesson on staying in positions of that state, whatever the market at their entry.
fn staying(episode: &EpisodeBrief, held: Held, expected_r: f64) -> Option<SourcedClaim> {
    let pattern = ContextPattern { held: Some(HeldPattern::from_held(held)), ..ContextPattern::default() };
    let claim = Claim::of_worth(episode.strategy, pattern, expected_r);
    (expected_r.abs() >= LEAST_EFFECT_R).then(|| SourcedClaim { claim, learned_from: vec![episode.id] })
}

fn consolidate(patterns: &[SourcedClaim], tier: &TierConfig) -> Vec<SourcedClaim> {
    let mut subjects: BTreeMap<(Strategy, ContextPattern), (f64, f64, SourcedClaim)> = BTreeMap::new();
    for pattern in patterns {
        let weight = pattern.learned_from.len().max(1) as f64;
        let key = (pattern.claim.strategy, pattern.claim.pattern);
        let (sum, weights, merged) = subjects
            .entry(key)
            .or_insert_with(|| (0.0, 0.0, SourcedClaim { claim: pattern.claim, learned_from: Vec::new() }));
        *sum += weight * pattern.claim.expected_r;
        *weights += weight;
        merged.learned_from.extend(&pattern.learned_from);
        merged.learned_from.sort_unstable();
        merged.learned_from.dedup();
    }
    let mut merged: Vec<SourcedClaim> = subjects
        .into_values()
        .map(|(sum, weights, mut pattern)| {
            pattern.claim.expected_r = sum / weights;
            pattern
        })
        .filter(|pattern| pattern.claim.expected_r.abs() >= LEAST_EFFECT_R)
        .collect();
    let evidence = |p: &SourcedClaim| p.claim.expected_r.abs() * (p.learned_from.len() as f64).sqrt();
    merged.sort_by(|a, b| evidence(b).total_cmp(&evidence(a)));
    merged.truncate(tier.max_patterns as usize);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::{brief, episode};
    use crate::episode::ClaimKind;
    use crate::llm::Tier;
    use crate::market::{Held, HoldStage, OpenBand, Regime, SignalNow};

    fn perfect() -> TierConfig {
        TierConfig { reading_noise_r: 0.0, hallucination_rate: 0.0, ..TierConfig::for_tier(Tier::T0) }
    }

    #[test]
    fn a_counterfactual_favours_what_would_have_paid() {
        let regretted = brief(0, Strategy::Momentum, Regime::Volatile, -1.0);
        let other = Branch::OtherStrategy { strategy: Strategy::MeanReversion, result_r: 1.0 };
        let (outcome_r, lesson, confidence) = counterfactual(&regretted, &other);
        let claim = lesson.unwrap().claim;
        assert_eq!((claim.strategy, claim.expected_r, outcome_r), (Strategy::MeanReversion, 0.5, 1.0));
        // Two R better: .5 · 2/3.
        assert!((confidence - 1.0 / 3.0).abs() < 1e-12);
        let lesson = counterfactual(&regretted, &Branch::StayingOut).1.unwrap();
        assert_eq!((lesson.claim.strategy, lesson.claim.expected_r), (Strategy::Momentum, -0.5));
        let poor = Branch::OtherStrategy { strategy: Strategy::MeanReversion, result_r: -0.2 };
        assert_eq!(counterfactual(&regretted, &poor).1, None);
    }

    /// Left at +.6 R instead of −.4 R: staying in from such a state cost 1 R, of which `HINDSIGHT_DISCOUNT` leaves half. Without the state
    /// there is no lesson, because a claim about leaving must say from which state.
    #[test]
    fn leaving_earlier_teaches_when_to_leave() {
        let regretted = brief(0, Strategy::Momentum, Regime::Volatile, -0.4);
        let held = Held { stage: HoldStage::Early, open: OpenBand::Ahead, signal: SignalNow::Gone };
        let leaving = |held| counterfactual(&regretted, &Branch::LeavingEarlier { result_r: 0.6, held });
        let (outcome_r, lesson, _) = leaving(Some(held));
        let claim = lesson.unwrap().claim;
        assert_eq!((outcome_r, claim.kind(), claim.strategy), (0.6, ClaimKind::Exit, Strategy::Momentum));
        assert!(
            (claim.expected_r + 0.5).abs() < 1e-12
                && claim.pattern.held == Some(HeldPattern::from_held(held))
        );
        assert_eq!(leaving(None).1, None);
    }

    /// It ended at −.4 R and had stood at −1.2 R: an entry there made .8 R, of which hindsight counts half, and staying does as
    /// well.
    #[test]
    fn entering_later_teaches_when_to_stay() {
        let regretted = brief(0, Strategy::Momentum, Regime::Volatile, -0.4);
        let held = Held { stage: HoldStage::Early, open: OpenBand::Behind, signal: SignalNow::Stands };
        let (outcome_r, lesson, _) =
            counterfactual(&regretted, &Branch::EnteringLater { result_r: 0.8, held });
        let claim = lesson.unwrap().claim;
        assert_eq!((outcome_r, claim.kind()), (0.8, ClaimKind::Exit));
        assert!(
            (claim.expected_r - 0.4).abs() < 1e-12
                && claim.pattern.held == Some(HeldPattern::from_held(held))
        );
    }

    #[test]
    fn consolidation_weighs_by_support() {
        let find = |r: f64, support: u32| SourcedClaim {
            claim: Claim::of_worth(Strategy::Momentum, ContextPattern::from_regime(Regime::Volatile), r),
            learned_from: (0..support).map(|n| episode(n, 0).id).collect(),
        };
        let merged = consolidate(&[find(0.6, 2), find(0.2, 2), find(0.4, 4)], &perfect());
        assert_eq!(merged.len(), 1);
        assert!((merged[0].claim.expected_r - 0.4).abs() < 1e-12);
        assert_eq!(merged[0].learned_from.len(), 4);
    }
}
