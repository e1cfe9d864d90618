//! The simulated model: an honest statistical reader. It answers only from what is in the task, less sharply and
//! less truthfully the lower its tier, so a better selection of episodes really gives better lessons.

use crate::base::Stream;
use crate::episode::{Claim, Context, ContextPattern, VolatilityBand};
use crate::llm::{EpisodeBrief, Pattern, Reply, Task, TierConfig};
use crate::market::{Regime, Strategy};
use std::collections::BTreeMap;

/// Episodes an effect needs.
const LEAST_SUPPORT: usize = 2;
/// Imagined episodes of zero result that every mean is shrunk by.
const SHRINKAGE: f64 = 2.0;
/// Effects smaller than this aren't reported, in R.
const LEAST_EFFECT_R: f64 = 0.1;
/// What a counterfactual gain counts for, because the road not taken was seen only afterwards.
const HINDSIGHT_DISCOUNT: f64 = 0.5;

/// Answers a task.
pub fn answer(task: &Task, tier: &TierConfig, stream: &mut Stream) -> Reply {
    match task {
        Task::FindPatterns { episodes } => Reply::Patterns(find_patterns(episodes, tier, stream)),
        Task::Counterfactual { episode } => Reply::Lesson(counterfactual(episode)),
        Task::Consolidate { patterns } => Reply::Consolidated(consolidate(patterns, tier)),
    }
}

fn find_patterns(episodes: &[EpisodeBrief], tier: &TierConfig, stream: &mut Stream) -> Vec<Pattern> {
    let read: Vec<f64> =
        episodes.iter().map(|episode| episode.realised_r + tier.reading_noise_r * stream.normal()).collect();
    let mut found: Vec<(f64, Pattern)> = group(episodes, tier.depth)
        .into_iter()
        .filter_map(|((strategy, pattern), members)| {
            let support = members.len() as f64;
            let sum: f64 = members.iter().map(|&member| read[member]).sum();
            let expected_r = sum / (support + SHRINKAGE);
            let evidence = expected_r.abs() * support.sqrt();
            let learned_from = members.iter().map(|&member| episodes[member].id).collect();
            let claim = Claim { strategy, pattern, expected_r };
            (members.len() >= LEAST_SUPPORT && expected_r.abs() >= LEAST_EFFECT_R)
                .then_some((evidence, Pattern { claim, learned_from }))
        })
        .collect();
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut patterns: Vec<Pattern> = found.into_iter().map(|(_, pattern)| pattern).collect();
    patterns.truncate(tier.max_patterns as usize);
    if !episodes.is_empty() && stream.chance(tier.hallucination_rate) {
        patterns.truncate(tier.max_patterns as usize - 1);
        patterns.push(hallucinate(stream));
    }
    patterns
}

/// Which episodes fall under which subject, for all circumstances of up to `depth` features.
fn group(episodes: &[EpisodeBrief], depth: u32) -> BTreeMap<(Strategy, ContextPattern), Vec<usize>> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, episode) in episodes.iter().enumerate() {
        for pattern in generalisations(&episode.context, depth) {
            groups.entry((episode.strategy, pattern)).or_default().push(index);
        }
    }
    groups
}

/// The circumstances from general to particular: regime, then volatility, liquidity and session.
fn generalisations(context: &Context, depth: u32) -> impl Iterator<Item = ContextPattern> {
    let mut pattern = ContextPattern::of_regime(context.regime);
    let mut patterns = vec![pattern];
    pattern.volatility = Some(VolatilityBand::of(context.volatility_quintile));
    patterns.push(pattern);
    pattern.liquidity = Some(context.liquidity);
    patterns.push(pattern);
    pattern.session = Some(context.session);
    patterns.push(pattern);
    patterns.into_iter().take(depth as usize)
}

fn hallucinate(stream: &mut Stream) -> Pattern {
    let strategy = Strategy::ALL[stream.below(Strategy::COUNT)];
    let pattern = ContextPattern::of_regime(Regime::ALL[stream.below(Regime::COUNT)]);
    let claim = Claim { strategy, pattern, expected_r: stream.between(-0.6, 0.6) };
    Pattern { claim, learned_from: Vec::new() }
}

fn counterfactual(episode: &EpisodeBrief) -> Option<Pattern> {
    let strategy = episode.better_strategy?;
    let expected_r = HINDSIGHT_DISCOUNT * (episode.realised_r + episode.regret);
    (expected_r >= LEAST_EFFECT_R).then(|| Pattern {
        claim: Claim { strategy, pattern: ContextPattern::of_regime(episode.context.regime), expected_r },
        learned_from: vec![episode.id],
    })
}

fn consolidate(patterns: &[Pattern], tier: &TierConfig) -> Vec<Pattern> {
    let mut subjects: BTreeMap<(Strategy, ContextPattern), (f64, f64, Pattern)> = BTreeMap::new();
    for pattern in patterns {
        let weight = pattern.learned_from.len().max(1) as f64;
        let key = (pattern.claim.strategy, pattern.claim.pattern);
        let (sum, weights, merged) = subjects
            .entry(key)
            .or_insert_with(|| (0.0, 0.0, Pattern { claim: pattern.claim, learned_from: Vec::new() }));
        *sum += weight * pattern.claim.expected_r;
        *weights += weight;
        merged.learned_from.extend(&pattern.learned_from);
        merged.learned_from.sort_unstable();
        merged.learned_from.dedup();
    }
    let mut merged: Vec<Pattern> = subjects
        .into_values()
        .map(|(sum, weights, mut pattern)| {
            pattern.claim.expected_r = sum / weights;
            pattern
        })
        .filter(|pattern| pattern.claim.expected_r.abs() >= LEAST_EFFECT_R)
        .collect();
    let evidence = |p: &Pattern| p.claim.expected_r.abs() * (p.learned_from.len() as f64).sqrt();
    merged.sort_by(|a, b| evidence(b).total_cmp(&evidence(a)));
    merged.truncate(tier.max_patterns as usize);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Purpose, WorldSeed};
    use crate::episode::grimoire::tests::episode;
    use crate::llm::Tier;

    fn brief(number: u32, strategy: Strategy, regime: Regime, realised_r: f64) -> EpisodeBrief {
        let mut brief = EpisodeBrief::from(&episode(number, 10));
        (brief.strategy, brief.context.regime, brief.realised_r) = (strategy, regime, realised_r);
        brief
    }

    fn perfect() -> TierConfig {
        TierConfig { reading_noise_r: 0.0, hallucination_rate: 0.0, ..TierConfig::of(Tier::T0) }
    }

    fn stream(tick: u64) -> Stream {
        WorldSeed(1).world(Purpose::LlmReader, 0, tick)
    }

    /// Three results of .8, .6 and 1.0 with two imagined zeros: 2.4 / 5 = .48.
    #[test]
    fn a_perfect_reader_reports_the_shrunken_mean() {
        let episodes = vec![
            brief(0, Strategy::Breakout, Regime::Volatile, 0.8),
            brief(1, Strategy::Breakout, Regime::Volatile, 0.6),
            brief(2, Strategy::Breakout, Regime::Volatile, 1.0),
            brief(3, Strategy::Breakout, Regime::RangeBound, -1.0),
        ];
        let reply = answer(&Task::FindPatterns { episodes }, &perfect(), &mut stream(0));
        let Reply::Patterns(patterns) = reply else { panic!("{reply:?}") };
        assert_eq!(patterns.len(), 1, "one episode is no pattern: {patterns:?}");
        assert!((patterns[0].claim.expected_r - 0.48).abs() < 1e-12);
        assert_eq!(patterns[0].learned_from.len(), 3);
    }

    /// The share of replies about nothing that contain a claim is the hallucination rate.
    #[test]
    fn tiers_hallucinate_at_their_rate() {
        let tier = TierConfig { hallucination_rate: 0.2, ..perfect() };
        let task = Task::FindPatterns { episodes: vec![brief(0, Strategy::Momentum, Regime::Volatile, 0.0)] };
        let made_up = (0..5_000)
            .filter(|&tick| matches!(answer(&task, &tier, &mut stream(tick)), Reply::Patterns(p) if !p.is_empty()))
            .count();
        // Four standard errors of a share of .2 in 5,000.
        assert!((1_000.0 - made_up as f64).abs() < 4.0 * (5_000.0_f64 * 0.2 * 0.8).sqrt(), "{made_up}");
    }

    #[test]
    fn a_counterfactual_favours_what_would_have_paid() {
        let mut regretted = brief(0, Strategy::Momentum, Regime::Volatile, -1.0);
        (regretted.regret, regretted.better_strategy) = (2.0, Some(Strategy::MeanReversion));
        let lesson = counterfactual(&regretted).unwrap();
        assert_eq!(lesson.claim.strategy, Strategy::MeanReversion);
        assert_eq!(lesson.claim.expected_r, 0.5);
        regretted.better_strategy = None;
        assert_eq!(counterfactual(&regretted), None);
    }

    #[test]
    fn consolidation_weighs_by_support() {
        let find = |r: f64, support: u32| Pattern {
            claim: Claim {
                strategy: Strategy::Momentum,
                pattern: ContextPattern::of_regime(Regime::Volatile),
                expected_r: r,
            },
            learned_from: (0..support).map(|n| episode(n, 0).id).collect(),
        };
        let merged = consolidate(&[find(0.6, 2), find(0.2, 2), find(0.4, 4)], &perfect());
        assert_eq!(merged.len(), 1);
        assert!((merged[0].claim.expected_r - 0.4).abs() < 1e-12);
        assert_eq!(merged[0].learned_from.len(), 4);
    }
}
