//! The simulated model's imagination: fragments, prospects, creative ideas, threats. Like its reading it uses only the content of the task.
//! It is a mock language model for generative tasks: recombination, extrapolation and threat simulation.
//!
//! Results are in R, scores from 0 to 1, temperatures from 0 to 2. Noise and the rate of hallucination are the tier's times temperature /
//! .4, so a hot imagination is wilder; recombination draws by the temperature itself. Claims of less than .1 R are not reported, fragments
//! and hallucinations aside. Of what is made here only ideas may be hallucinated; in a reappraisal the same rate is that of episodes
//! missed. A `prospect` is a possible course of the market, a `guard` a claim of loss that warns against a strategy. `signs` is also used
//! by the scars of a dream's replay.

use crate::episode::{Claim, Context, ContextPattern, Feature, VolatilityBand};
use crate::llm::reader::{HINDSIGHT_DISCOUNT, LEAST_EFFECT_R, Reader, SHRINKAGE, hallucinate};
use crate::llm::{CreativeMode, EpisodeBrief, Fragment, PartWorth, Prospect, SourcedClaim, UnmetSituation};
use crate::market::{LiquidityClass, Regime, Strategy};
use morta_base::{EpisodeId, Stream};
use std::collections::BTreeMap;

/// Circumstances, action and outcome from three memories, or from two when there are no more; `None` for fewer. The second and
/// third are drawn by e^(likeness/temperature), likeness being the share of market features that both memories have alike: the
/// warmer, the less alike are the memories that are combined (a softmax, as a model's own sampling is).
pub(super) fn dissolve(memories: &[EpisodeBrief], temperature: f64, stream: &mut Stream) -> Option<Fragment> {
    if memories.len() < 2 {
        return None;
    }
    let context = stream.below(memories.len());
    let mut weights: Vec<f64> =
        memories.iter().map(|other| softly(likeness(&memories[context], other), temperature)).collect();
    weights[context] = 0.0;
    let action = stream.weighted(&weights)?;
    weights[action] = 0.0;
    let outcome = stream.weighted(&weights).unwrap_or(context);
    Some(Fragment::of(&memories[context], &memories[action], &memories[outcome]))
}

/// Share of market features that two memories have alike, 0 to 1.
fn likeness(a: &EpisodeBrief, b: &EpisodeBrief) -> f64 {
    let first = ContextPattern::from_context(&a.context, Feature::OF_MARKET);
    first.named(&b.context).filter(|alike| *alike).count() as f64 / Feature::OF_MARKET.len() as f64
}

/// e^((likeness − 1)/temperature), at most 1. At a temperature near 0 only the most similar memories are drawn.
fn softly(likeness: f64, temperature: f64) -> f64 {
    /// At a lower temperature unlike memories would have a weight of 0, and a draw might have nothing to draw from.
    const COLDEST: f64 = 0.01;
    morta_base::math::exp((likeness - 1.0) / temperature.max(COLDEST))
}

/// novelty^.5 · relevance^.3 · coherence^.2 for each fragment (digest section 8), read with a quarter of the reading noise, and kept within
/// 0 to 1.
pub(super) fn observe(fragments: &[Fragment], reader: &Reader<'_>, stream: &mut Stream) -> Vec<f64> {
    /// As in `affect`: noise is in R, and a judgement has a scale of 1.
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

/// The best response to each prospect for which one is known, the likeliest prospect first.
pub(super) fn anticipate(
    prospects: &[Prospect],
    reader: &Reader<'_>,
    stream: &mut Stream,
) -> Vec<SourcedClaim> {
    let mut answers: Vec<(f64, SourcedClaim)> = Vec::new();
    for prospect in prospects {
        let noise = reader.noise_r * stream.normal();
        let Some((strategy, r)) = prospect.best_response else { continue };
        let support = prospect.known_from.len() as f64;
        let expected_r = r + noise / (1.0 + support).sqrt();
        let pattern = ContextPattern::from_regime(prospect.regime);
        if expected_r.abs() >= LEAST_EFFECT_R {
            let claim = Claim::of_worth(strategy, pattern, expected_r);
            answers.push((
                prospect.confidence,
                SourcedClaim { claim, learned_from: prospect.known_from.clone() },
            ));
        }
    }
    answers.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    answers.truncate(reader.tier.max_patterns as usize);
    answers.into_iter().map(|(_, pattern)| pattern).collect()
}

/// One idea that departs from the seeds in the given mode, and at the tier's rate a hallucination, which takes its place where the tier has
/// room for one pattern alone.
pub(super) fn imagine(
    mode: CreativeMode,
    seeds: &[EpisodeBrief],
    rule: Option<&Claim>,
    situation: Option<&UnmetSituation>,
    reader: &Reader<'_>,
    stream: &mut Stream,
) -> Vec<SourcedClaim> {
    let read: Vec<f64> =
        seeds.iter().map(|seed| seed.realised_r + reader.noise_r * stream.normal()).collect();
    let by_result = |a: &usize, b: &usize| read[*a].total_cmp(&read[*b]);
    let best = (0..seeds.len()).max_by(by_result);
    let worst = (0..seeds.len()).min_by(by_result);
    let idea = match mode {
        CreativeMode::Combinational | CreativeMode::Stochastic => {
            let composed = situation.and_then(|situation| compose(situation, reader, stream));
            composed.or_else(|| best.and_then(|best| combine(seeds, best, read[best], rule)))
        }
        CreativeMode::Exploratory => best.map(|best| push(&seeds[best], read[best], reader, stream)),
        CreativeMode::Transformational => worst.map(|worst| turn_around(&seeds[worst], read[worst])),
    };
    let mut ideas: Vec<SourcedClaim> =
        idea.into_iter().filter(|idea| idea.claim.expected_r.abs() >= LEAST_EFFECT_R).collect();
    if !seeds.is_empty() && stream.chance(reader.invention) {
        ideas.truncate(reader.tier.max_patterns as usize - 1);
        ideas.push(hallucinate(stream));
    }
    ideas
}

/// The best of the seeds, or the rule if that is better, in the circumstances of another seed.
fn combine(seeds: &[EpisodeBrief], best: usize, r: f64, rule: Option<&Claim>) -> Option<SourcedClaim> {
    let home = seeds[best].context.regime;
    let (strategy, home, r) = match rule {
        Some(rule) if rule.expected_r > r => {
            (rule.strategy, rule.pattern.regime.unwrap_or(home), rule.expected_r)
        }
        _ => (seeds[best].strategy, home, r),
    };
    let elsewhere = seeds.iter().find(|seed| seed.context.regime != home)?;
    Some(SourcedClaim {
        claim: Claim::of_worth(
            strategy,
            ContextPattern::from_regime(elsewhere.context.regime),
            HINDSIGHT_DISCOUNT * r / (1.0 + SHRINKAGE),
        ),
        learned_from: vec![seeds[best].id, elsewhere.id],
    })
}

/// The strategy that a never-met situation changes most, with its expected R there: its usual result plus each part's
/// addition to it where the part was met, each shrunk by n/(n + 2) for its n trades. Additive, because nothing is known of parts
/// together. `None` where the situation couldn't be recognised awake: the claim could never be tested.
fn compose(situation: &UnmetSituation, reader: &Reader<'_>, stream: &mut Stream) -> Option<SourcedClaim> {
    let pattern = situation.pattern?;
    let drawn = |r: f64, trades: f64| r * trades / (trades + SHRINKAGE);
    let worth = |(strategy, known): (Strategy, &[PartWorth])| {
        let usual = drawn(known[0].usual_r, f64::from(known[0].usual_trades));
        let added = |part: &PartWorth| drawn(part.mean_r - part.usual_r, f64::from(part.trades));
        let mut learned_from: Vec<EpisodeId> = known.iter().flat_map(|part| &part.latest).copied().collect();
        learned_from.sort_unstable();
        learned_from.dedup();
        let fewest = f64::from(known.iter().map(|part| part.trades).min().unwrap_or(0));
        let noise = reader.noise_r * stream.normal() / fewest.max(1.0).sqrt();
        let expected_r = usual + known.iter().map(added).sum::<f64>() + noise;
        SourcedClaim { claim: Claim::of_worth(strategy, pattern, expected_r), learned_from }
    };
    let size = |pattern: &SourcedClaim| pattern.claim.expected_r.abs();
    let most = situation.by_strategy().map(worth).reduce(|a, b| if size(&b) > size(&a) { b } else { a });
    most.filter(|most| size(most) >= LEAST_EFFECT_R)
}

/// The same strategy at an extreme: the wildest, calmest or thinnest market; for a tier of depth 1 in any market of the seed's regime.
fn push(seed: &EpisodeBrief, r: f64, reader: &Reader<'_>, stream: &mut Stream) -> SourcedClaim {
    let mut pattern = ContextPattern::from_regime(seed.context.regime);
    let limit = stream.below(3);
    if reader.tier.depth > 1 {
        match limit {
            0 => pattern.volatility = Some(VolatilityBand::Wild),
            1 => pattern.volatility = Some(VolatilityBand::Calm),
            _ => pattern.liquidity = Some(LiquidityClass::Thin),
        }
    }
    let expected_r = r / (1.0 + SHRINKAGE);
    SourcedClaim { claim: Claim::of_worth(seed.strategy, pattern, expected_r), learned_from: vec![seed.id] }
}

/// The reverse of the worst seed: its strategy in the opposite kind of market.
fn turn_around(seed: &EpisodeBrief, r: f64) -> SourcedClaim {
    let opposite = match seed.context.regime {
        Regime::TrendingUp | Regime::TrendingDown => Regime::RangeBound,
        Regime::RangeBound => Regime::Volatile,
        Regime::Volatile => Regime::TrendingUp,
    };
    let claim = Claim::of_worth(seed.strategy, ContextPattern::from_regime(opposite), -r / (1.0 + SHRINKAGE));
    SourcedClaim { claim, learned_from: vec![seed.id] }
}

/// Most strategies that a rehearsal guards against. Our choice: with the one that serves in their place three responses, as many
/// as an uncertain mind rehearses threats; each is tested awake in a place of its own.
const GUARDED: usize = 2;

/// The worst result under the threat's signs, and the responses to it: guards against the strategies that lost most there, each in the
/// circumstances in which it did (as many at once as the tier holds together, two at most), then the strategy that gained most
/// there, if one did. (Dream architecture: a threat's entry has "rehearsed responses". A guard alone says what not to do.)
pub(super) fn threaten(
    episodes: &[EpisodeBrief],
    reader: &Reader<'_>,
    stream: &mut Stream,
) -> (Option<f64>, Vec<SourcedClaim>) {
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
    let known = groups.into_iter().map(|((strategy, pattern), (sum, learned_from))| {
        let mean = sum / (learned_from.len() as f64 + SHRINKAGE);
        SourcedClaim { claim: Claim::of_worth(strategy, pattern, mean), learned_from }
    });
    let mut known: Vec<SourcedClaim> =
        known.filter(|known| known.claim.expected_r.abs() >= LEAST_EFFECT_R).collect();
    known.sort_by(|a, b| a.claim.expected_r.total_cmp(&b.claim.expected_r));
    let serves = known.pop_if(|best| best.claim.expected_r > 0.0);
    let mut responses: Vec<SourcedClaim> = Vec::with_capacity(GUARDED + 1);
    for guard in known.into_iter().take_while(|known| known.claim.expected_r < 0.0) {
        let is_guarded = responses.iter().any(|other| other.claim.strategy == guard.claim.strategy);
        if responses.len() < GUARDED && !is_guarded {
            responses.push(guard);
        }
    }
    responses.extend(serves);
    responses.truncate(reader.tier.max_patterns as usize);
    let loss_r = worst.filter(|worst| *worst < 0.0).map(|worst| -worst);
    (loss_r, responses)
}

/// Circumstances that a guard may name: the regime; for a tier that holds two together also volatility, depth and gas, and any
/// two of the four.
pub(crate) fn signs(context: &Context, depth: u32) -> Vec<ContextPattern> {
    let regime = ContextPattern::from_regime(context.regime);
    if depth < 2 {
        return vec![regime];
    }
    let volatility = Some(VolatilityBand::from_quintile(context.volatility_quintile));
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

/// Episodes whose feeling was separated from their facts: the weaker the reader, the more it misses.
pub(super) fn reappraise(
    episodes: &[EpisodeBrief],
    reader: &Reader<'_>,
    stream: &mut Stream,
) -> Vec<EpisodeId> {
    let missed = |stream: &mut Stream| stream.chance(reader.invention);
    episodes.iter().filter(|_| !missed(stream)).map(|episode| episode.id).collect()
}

/// The claim of the largest effect (an argmax of |expected R|): if true, it changes most.
pub(super) fn keep_in_mind(patterns: &[SourcedClaim]) -> Option<Claim> {
    let size = |claim: &Claim| claim.expected_r.abs();
    patterns.iter().map(|pattern| pattern.claim).reduce(|a, b| if size(&b) > size(&a) { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::{brief, episode};
    use crate::llm::{Reply, Task, Tier, TierConfig, simulated};
    use morta_base::{Purpose, WorldSeed};

    fn ask(task: &Task) -> Reply {
        let mut tier = TierConfig::for_tier(Tier::T2);
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

    /// Worked out by hand, because a figure of the code's own would agree with any mistake in it: with momentum at .1 R in all its 8
    /// trades, −.5 R in 2 of them in a gas spike and −.9 R in 2 in a crisis, both at once would be worth .1·8/10 − .6·2/4 − 1·2/4 = −.72 R.
    /// Where the situation couldn't be recognised awake, there is no claim about it, because it could never be tested.
    #[test]
    fn parts_met_apart_are_put_together() {
        use crate::market::GasClass;
        use crate::market::ShockKind as Primitive;
        let known = |part, mean_r, first: u32| PartWorth {
            part,
            strategy: Strategy::Momentum,
            mean_r,
            trades: 2,
            latest: (first..first + 2).map(|number| episode(number, 10).id).collect(),
            usual_r: 0.1,
            usual_trades: 8,
        };
        let (crisis, spike) = (Primitive::LiquidityCrisis, Primitive::GasSpike);
        let any = ContextPattern::default();
        let pattern =
            ContextPattern { liquidity: Some(LiquidityClass::Crisis), gas: Some(GasClass::Spike), ..any };
        let ask_about = |pattern| {
            let situation = UnmetSituation {
                parts: "liquidity crisis + gas spike".to_owned(),
                pattern,
                known: vec![known(crisis, -0.9, 0), known(spike, -0.5, 1)],
            };
            let (seeds, situation) = (Vec::new(), Some(Box::new(situation)));
            let mode = CreativeMode::Combinational;
            match ask(&Task::Imagine { mode, seeds, rule: None, situation }) {
                Reply::Imagined { ideas, .. } => ideas,
                other => panic!("{other:?}"),
            }
        };
        let [idea] = &ask_about(Some(pattern))[..] else { panic!("one idea") };
        assert!((idea.claim.expected_r + 0.72).abs() < 1e-12 && idea.claim.pattern == pattern);
        assert_eq!(idea.learned_from.len(), 3, "one trade had both sources");
        assert_eq!(ask_about(None), []);
    }

    /// Of two kinds of memories beside the first, one is alike in all features, and one differs in regime, asset and volatility:
    /// warm, the unlike one comes up nearly as often; at a temperature of .1 hardly ever.
    #[test]
    fn warmth_lets_unlike_memories_run_together() {
        let mut far = brief(2, Strategy::Momentum, Regime::Volatile, 0.3);
        (far.context.asset, far.context.volatility_quintile) = (1, 5);
        let near = || brief(1, Strategy::Momentum, Regime::TrendingUp, 0.3);
        let memories = [brief(0, Strategy::Momentum, Regime::TrendingUp, 0.3), near(), near(), near(), far];
        let far_share = |temperature: f64| {
            let mut stream = WorldSeed(3).world(Purpose::LlmReader, 0, 0);
            let drawn: Vec<Fragment> =
                (0..2_000).filter_map(|_| dissolve(&memories, temperature, &mut stream)).collect();
            let from_near = drawn.iter().filter(|fragment| fragment.context_from != memories[4].id);
            let (all, far) = from_near.fold((0, 0), |(all, far), fragment| {
                (all + 1, far + usize::from(fragment.action_from == memories[4].id))
            });
            far as f64 / all as f64
        };
        // e^(−3/7 / T) beside three of weight 1.
        let expected = |t: f64| {
            let weight = morta_base::math::exp(-3.0 / 7.0 / t);
            weight / (3.0 + weight)
        };
        for temperature in [0.1, 1.0, 1.5] {
            let share = far_share(temperature);
            assert!((share - expected(temperature)).abs() < 0.03, "{temperature}: {share}");
        }
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

    /// An invention comes beside the idea or, where there is room for one pattern, in its place.
    #[test]
    fn no_more_is_imagined_than_there_is_room_for() {
        for room in [1, 2] {
            let mut tier = TierConfig::for_tier(Tier::T2);
            (tier.hallucination_rate, tier.max_patterns) = (1.0, room);
            let mode = CreativeMode::Combinational;
            let task = Task::Imagine { mode, seeds: three(), rule: None, situation: None };
            let mut stream = WorldSeed(1).world(Purpose::LlmReader, 0, 0);
            let reply = simulated::answer(&task, None, &tier, 1.0, &mut stream);
            let Reply::Imagined { ideas, .. } = reply else { panic!("{reply:?}") };
            assert_eq!(ideas.len(), room as usize);
        }
    }

    /// Two strategies lost, each shrunk by two imagined zeros (−.9/3, −.6/3), a third lost least and has no room, one gained (1.2/3).
    #[test]
    fn responses_guard_against_what_lost_and_name_what_served() {
        let kind = crate::episode::ThreatKind::FlashCrash;
        let lost = |number, strategy, r| brief(number, strategy, Regime::Volatile, r);
        let mut episodes = vec![brief(0, Strategy::Momentum, Regime::Volatile, 1.2)];
        episodes.push(lost(1, Strategy::Breakout, -0.9));
        episodes.push(lost(2, Strategy::MeanReversion, -0.3));
        episodes.push(lost(3, Strategy::OracleArbitrage, -0.6));
        let rehearse = |episodes| match ask(&Task::Threaten { kind, episodes }) {
            Reply::Threat { loss_r, responses, .. } => {
                let claim = |response: SourcedClaim| (response.claim.strategy, response.claim.expected_r);
                (loss_r, responses.into_iter().map(claim).collect::<Vec<_>>())
            }
            other => panic!("{other:?}"),
        };
        let (loss_r, responses) = rehearse(episodes.clone());
        assert_eq!(loss_r, Some(0.9));
        let strategies: Vec<Strategy> = responses.iter().map(|(strategy, _)| *strategy).collect();
        assert_eq!(strategies, [Strategy::Breakout, Strategy::OracleArbitrage, Strategy::Momentum]);
        for ((_, r), expected) in responses.iter().zip([-0.3, -0.2, 0.4]) {
            assert!((r - expected).abs() < 1e-12, "{r}");
        }
        let gains_alone = rehearse(episodes[..1].to_vec());
        assert_eq!((gains_alone.0, gains_alone.1.len()), (None, 1));
        assert_eq!(rehearse(Vec::new()), (None, Vec::new()));
    }
}
