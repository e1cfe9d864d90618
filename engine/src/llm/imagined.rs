//! The simulated model's imagination: fragments, prospects, creative ideas, threats. Like its reading it answers only from
//! what is in the task.

use crate::episode::{Claim, Context, ContextPattern, VolatilityBand};
use crate::llm::reader::{HINDSIGHT_DISCOUNT, LEAST_EFFECT_R, Reader, SHRINKAGE, hallucinate};
use crate::llm::{CreativeMode, EpisodeBrief, Fragment, Pattern, Prospect};
use crate::market::{LiquidityClass, Regime, Strategy};
use morta_base::{EpisodeId, Stream};
use std::collections::BTreeMap;

/// Circumstances, action and outcome from three memories, or from two when there are no more; nothing from fewer.
pub(super) fn dissolve(memories: &[EpisodeBrief], stream: &mut Stream) -> Option<Fragment> {
    if memories.len() < 2 {
        return None;
    }
    let mut places: Vec<usize> = (0..memories.len()).collect();
    let mut draw = || places.remove(stream.below(places.len()));
    let (context, action) = (draw(), draw());
    let outcome = if places.is_empty() { context } else { places.remove(stream.below(places.len())) };
    let (context, action, outcome) = (&memories[context], &memories[action], &memories[outcome]);
    let claim = Claim::of_worth(
        action.strategy,
        ContextPattern::of_regime(context.context.regime),
        HINDSIGHT_DISCOUNT * outcome.realised_r,
    );
    Some(Fragment {
        context_from: context.id,
        action_from: action.id,
        outcome_from: outcome.id,
        claim,
        novelty: 0.0,
        relevance: 0.0,
        coherence: 0.0,
    })
}

/// novelty^.5 · relevance^.3 · coherence^.2 for each fragment (digest section 8), read with the tier's noise.
pub(super) fn observe(fragments: &[Fragment], reader: &Reader<'_>, stream: &mut Stream) -> Vec<f64> {
    /// A judgement on a scale of 1 blurs less than a result on a scale of several R.
    const NOISE: f64 = 0.25;
    let score = |f: &Fragment| {
        use morta_base::math::pow;
        pow(f.novelty, 0.5) * pow(f.relevance, 0.3) * pow(f.coherence, 0.2)
    };
    fragments
        .iter()
        .map(|fragment| (score(fragment) + NOISE * reader.noise_r * stream.normal()).clamp(0.0, 1.0))
        .collect()
}

/// The best answer to each prospect for which anything is known, the likeliest first.
pub(super) fn anticipate(prospects: &[Prospect], reader: &Reader<'_>, stream: &mut Stream) -> Vec<Pattern> {
    let mut answers: Vec<(f64, Pattern)> = Vec::new();
    for prospect in prospects {
        let noise = reader.noise_r * stream.normal();
        let Some((strategy, r)) = prospect.best_response else { continue };
        let support = prospect.known_from.len() as f64;
        let expected_r = r + noise / (1.0 + support).sqrt();
        let pattern = ContextPattern::of_regime(prospect.regime);
        if expected_r.abs() >= LEAST_EFFECT_R {
            let claim = Claim::of_worth(strategy, pattern, expected_r);
            answers.push((prospect.confidence, Pattern { claim, learned_from: prospect.known_from.clone() }));
        }
    }
    answers.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    answers.truncate(reader.tier.max_patterns as usize);
    answers.into_iter().map(|(_, pattern)| pattern).collect()
}

/// One idea that departs from the seeds in the way asked for, and with the tier's rate something from nowhere.
pub(super) fn imagine(
    mode: CreativeMode,
    seeds: &[EpisodeBrief],
    rule: Option<&Claim>,
    reader: &Reader<'_>,
    stream: &mut Stream,
) -> Vec<Pattern> {
    let read: Vec<f64> =
        seeds.iter().map(|seed| seed.realised_r + reader.noise_r * stream.normal()).collect();
    let by_result = |a: &usize, b: &usize| read[*a].total_cmp(&read[*b]);
    let best = (0..seeds.len()).max_by(by_result);
    let worst = (0..seeds.len()).min_by(by_result);
    let idea = match mode {
        CreativeMode::Combinational | CreativeMode::Stochastic => {
            best.and_then(|best| combine(seeds, best, read[best], rule))
        }
        CreativeMode::Exploratory => best.map(|best| push(&seeds[best], read[best], reader, stream)),
        CreativeMode::Transformational => worst.map(|worst| turn_around(&seeds[worst], read[worst])),
    };
    let mut ideas: Vec<Pattern> =
        idea.into_iter().filter(|idea| idea.claim.expected_r.abs() >= LEAST_EFFECT_R).collect();
    if !seeds.is_empty() && stream.chance(reader.invention) {
        ideas.push(hallucinate(stream));
    }
    ideas
}

/// What paid best among the seeds, or the rule when there is one, in the circumstances of another seed.
fn combine(seeds: &[EpisodeBrief], best: usize, r: f64, rule: Option<&Claim>) -> Option<Pattern> {
    let home = seeds[best].context.regime;
    let (strategy, home, r) = match rule {
        Some(rule) if rule.expected_r > r => {
            (rule.strategy, rule.pattern.regime.unwrap_or(home), rule.expected_r)
        }
        _ => (seeds[best].strategy, home, r),
    };
    let elsewhere = seeds.iter().find(|seed| seed.context.regime != home)?;
    Some(Pattern {
        claim: Claim::of_worth(
            strategy,
            ContextPattern::of_regime(elsewhere.context.regime),
            HINDSIGHT_DISCOUNT * r / (1.0 + SHRINKAGE),
        ),
        learned_from: vec![seeds[best].id, elsewhere.id],
    })
}

/// The same strategy at a limit: where it is wildest, calmest or thinnest.
fn push(seed: &EpisodeBrief, r: f64, reader: &Reader<'_>, stream: &mut Stream) -> Pattern {
    let mut pattern = ContextPattern::of_regime(seed.context.regime);
    let limit = stream.below(3);
    if reader.tier.depth > 1 {
        match limit {
            0 => pattern.volatility = Some(VolatilityBand::Wild),
            1 => pattern.volatility = Some(VolatilityBand::Calm),
            _ => pattern.liquidity = Some(LiquidityClass::Thin),
        }
    }
    let expected_r = r / (1.0 + SHRINKAGE);
    Pattern { claim: Claim::of_worth(seed.strategy, pattern, expected_r), learned_from: vec![seed.id] }
}

/// What cost most might pay where it has not been tried: in the opposite kind of market.
fn turn_around(seed: &EpisodeBrief, r: f64) -> Pattern {
    let opposite = match seed.context.regime {
        Regime::TrendingUp | Regime::TrendingDown => Regime::RangeBound,
        Regime::RangeBound => Regime::Volatile,
        Regime::Volatile => Regime::TrendingUp,
    };
    let claim = Claim::of_worth(seed.strategy, ContextPattern::of_regime(opposite), -r / (1.0 + SHRINKAGE));
    Pattern { claim, learned_from: vec![seed.id] }
}

/// The worst of what was lived through under the threat's signs, and the strategy that lost most there, with the circumstances in which it did:
/// as many of them at once as the tier holds together, two at most.
pub(super) fn threaten(
    episodes: &[EpisodeBrief],
    reader: &Reader<'_>,
    stream: &mut Stream,
) -> (Option<f64>, Option<Pattern>) {
    let mut groups: BTreeMap<(Strategy, ContextPattern), (f64, Vec<EpisodeId>)> = BTreeMap::new();
    let mut worst: Option<f64> = None;
    for episode in episodes {
        let read = episode.realised_r + reader.noise_r * stream.normal();
        worst = Some(worst.map_or(read, |worst| worst.min(read)));
        for pattern in signs(&episode.context, reader.tier.depth) {
            let (sum, members) = groups.entry((episode.strategy, pattern)).or_default();
            *sum += read;
            members.push(episode.id);
        }
    }
    let guards = groups.into_iter().map(|((strategy, pattern), (sum, learned_from))| {
        let mean = sum / (learned_from.len() as f64 + SHRINKAGE);
        Pattern { claim: Claim::of_worth(strategy, pattern, mean), learned_from }
    });
    let guard = guards.min_by(|a, b| a.claim.expected_r.total_cmp(&b.claim.expected_r));
    let guard = guard.filter(|guard| guard.claim.expected_r <= -LEAST_EFFECT_R);
    let loss_r = worst.filter(|worst| *worst < 0.0).map(|worst| -worst);
    (loss_r, guard)
}

/// Circumstances that a guard may name: the regime; and, by who holds two together, volatility, depth and gas, and any two of the four.
pub(crate) fn signs(context: &Context, depth: u32) -> Vec<ContextPattern> {
    let regime = ContextPattern::of_regime(context.regime);
    if depth < 2 {
        return vec![regime];
    }
    let volatility = Some(VolatilityBand::of(context.volatility_quintile));
    let (liquidity, gas) = (Some(context.liquidity), Some(context.gas));
    let any = ContextPattern::default();
    vec![
        regime,
        ContextPattern { volatility, ..any },
        ContextPattern { liquidity, ..any },
        ContextPattern { gas, ..any },
        ContextPattern { volatility, ..regime },
        ContextPattern { liquidity, ..regime },
        ContextPattern { gas, ..regime },
        ContextPattern { volatility, liquidity, ..any },
        ContextPattern { volatility, gas, ..any },
        ContextPattern { liquidity, gas, ..any },
    ]
}

/// Every episode whose feeling could be told from its facts: the weaker the reader, the more it misses.
pub(super) fn reappraise(
    episodes: &[EpisodeBrief],
    reader: &Reader<'_>,
    stream: &mut Stream,
) -> Vec<EpisodeId> {
    let missed = |stream: &mut Stream| stream.chance(reader.invention);
    episodes.iter().filter(|_| !missed(stream)).map(|episode| episode.id).collect()
}

/// What would change most if it were true: the largest effect.
pub(super) fn keep_in_mind(patterns: &[Pattern]) -> Option<Claim> {
    let size = |claim: &Claim| claim.expected_r.abs();
    patterns.iter().map(|pattern| pattern.claim).reduce(|a, b| if size(&b) > size(&a) { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::llm::{Reply, Task, Tier, TierConfig, simulated};
    use morta_base::{Purpose, WorldSeed};

    fn brief(number: u32, strategy: Strategy, regime: Regime, realised_r: f64) -> EpisodeBrief {
        let mut brief = EpisodeBrief::from(&episode(number, 10));
        (brief.strategy, brief.context.regime, brief.realised_r) = (strategy, regime, realised_r);
        brief
    }

    fn ask(task: &Task) -> Reply {
        let mut tier = TierConfig::of(Tier::T2);
        (tier.reading_noise_r, tier.hallucination_rate) = (0.0, 0.0);
        simulated::answer(task, None, &tier, 1.0, &mut WorldSeed(1).world(Purpose::LlmReader, 0, 0))
    }

    fn three() -> Vec<EpisodeBrief> {
        vec![
            brief(0, Strategy::Momentum, Regime::TrendingUp, 1.2),
            brief(1, Strategy::Breakout, Regime::RangeBound, -0.9),
            brief(2, Strategy::MeanReversion, Regime::Volatile, 0.3),
        ]
    }

    #[test]
    fn a_fragment_never_happened() {
        let Reply::Fragment(Some(fragment)) = ask(&Task::Dissolve { memories: three(), keyword: None })
        else {
            panic!("three memories make a fragment")
        };
        assert_ne!(fragment.context_from, fragment.action_from);
        assert_ne!(fragment.action_from, fragment.outcome_from);
        let alone = Task::Dissolve { memories: three()[..1].to_vec(), keyword: None };
        assert_eq!(ask(&alone), Reply::Fragment(None));
    }

    /// .64^.5 · 1^.3 · 1^.2 = .8.
    #[test]
    fn the_observer_weighs_novelty_most() {
        let Reply::Fragment(Some(mut fragment)) = ask(&Task::Dissolve { memories: three(), keyword: None })
        else {
            panic!("three memories make a fragment")
        };
        (fragment.novelty, fragment.relevance, fragment.coherence) = (0.64, 1.0, 1.0);
        let Reply::Observed(scores) = ask(&Task::Observe { fragments: vec![fragment] }) else { panic!() };
        assert!((scores[0] - 0.8).abs() < 1e-12);
    }

    /// 1.2 R halved for hindsight and shrunk by two imagined zeros: .2.
    #[test]
    fn the_three_kinds_of_creativity() {
        let imagine = |mode| match ask(&Task::Imagine { mode, seeds: three(), rule: None, situation: None }) {
            Reply::Imagined { ideas, .. } => ideas[0].claim,
            other => panic!("{other:?}"),
        };
        let combined = imagine(CreativeMode::Combinational);
        assert_eq!(
            (combined.strategy, combined.pattern.regime),
            (Strategy::Momentum, Some(Regime::RangeBound))
        );
        assert!((combined.expected_r - 0.2).abs() < 1e-12);
        let pushed = imagine(CreativeMode::Exploratory);
        assert_eq!((pushed.strategy, pushed.pattern.specificity()), (Strategy::Momentum, 2));
        let turned = imagine(CreativeMode::Transformational);
        assert_eq!((turned.strategy, turned.pattern.regime), (Strategy::Breakout, Some(Regime::Volatile)));
        assert!(turned.expected_r > 0.0);
    }

    #[test]
    fn a_guard_is_against_what_lost() {
        let kind = crate::episode::ThreatKind::FlashCrash;
        let Reply::Threat { loss_r, guard, .. } = ask(&Task::Threaten { kind, episodes: three() }) else {
            panic!()
        };
        assert_eq!(loss_r, Some(0.9));
        assert_eq!(guard.unwrap().claim.strategy, Strategy::Breakout);
    }
}
