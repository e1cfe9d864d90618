//! Falling asleep (dream architecture, "hypnagogic engine"; digest section 8): partial completions at a high temperature, cut off
//! before they settle into something conventional.
//!
//! Symbols: pull = (.05 + surprise)^.6 · (.4 recency + .3 salience + .3·open·likeness + .2·nearness to the keyword), surprise in R, at
//! least 0, open the thalamic gate from 1 to 0, all other terms in [0, 1]. The weights and the exponent are H02's; .2 is the spec's
//! incubation bias. Temperature = low + (peak − low)·(1 − cos π·progress)/2. It is divergent idea generation by high sampling temperature
//! with early stopping, then a critic. Scores run from 0 to 1, temperatures from 0 to 2. Dreams of the tier `hardened` alone have an
//! onset, unless they only consolidate; that tier is by default of thriving, stable and conserving golems. The small model is asked. Fragments that the
//! observer keeps become findings of little confidence (.10 to .20), tested awake like all others.

pub mod config;

pub use config::HypnagogiaConfig;

use crate::dream::account::Question;
use crate::dream::circumstances::Circumstances;
use crate::dream::tier::DreamOperation;
use crate::dream::view::DreamView;
use crate::episode::{Claim, ContextPattern, Grimoire};
use crate::llm::{EpisodeBrief, Fragment, Task};
use crate::market::Regime;
use morta_base::dot::cosine_similarity;
use morta_base::{Stream, math};

/// The share of the market that the thalamic gate lets through (sensory gating), 1 awake to 0 asleep (Magnin et al. 2010). It closes evenly
/// over the Dalí cycles, so that the present chooses memories less and less; with a single cycle it is closed. Evenly is our choice: the
/// spec says "progressively".
pub fn thalamic_gate(cycle: u32, cycles: u32) -> f64 {
    if cycles <= 1 { 0.0 } else { 1.0 - f64::from(cycle) / f64::from(cycles - 1) }
}

/// The deepest temperature of a phase (Hori's stages: microdreams at 1.2 to 1.5, alpha dropout at 1.0 to 1.2). Thriving golems
/// reach the high end, stable ones two fifths of the range (1.2 with the defaults, the border of the two stages), others stay at
/// the low end.
fn deepest(phase: crate::mortality::Phase, config: &HypnagogiaConfig) -> f64 {
    use crate::mortality::Phase;
    let depth = match phase {
        Phase::Thriving => 1.0,
        Phase::Stable => 0.4,
        _ => 0.0,
    };
    config.temperature_low + depth * (config.temperature_high - config.temperature_low)
}

/// The executive loosener: within a Dalí cycle the temperature rises from the low one to the cycle's peak along half a cosine as `progress`
/// goes from 0 to 1 (cosine annealing). After the first cycle the peak is drawn in to 80 % (H02's re-annealing), but not below where it
/// began.
pub fn executive_loosener(
    cycle: u32,
    progress: f64,
    phase: crate::mortality::Phase,
    config: &HypnagogiaConfig,
) -> f64 {
    let low = config.temperature_low;
    let peak = deepest(phase, config) * if cycle == 0 { 1.0 } else { config.reanneal };
    let peak = peak.max(low);
    low + (peak - low) * 0.5 * (1.0 - math::cos(std::f64::consts::PI * progress))
}

/// The questions of an onset: the partials of each Dalí cycle, each cut off after eighty tokens and asked apart, because one long
/// completion would follow a single branch.
pub(crate) fn drift(
    view: &DreamView<'_>,
    grimoire: &Grimoire,
    now: &Circumstances,
    keyword: Option<Claim>,
    stream: &mut Stream,
) -> Vec<Question> {
    let config = &view.config.hypnagogia;
    let cycles = config.cycles(now.phase, now.uncertainty);
    // Once for all cycles: what is remembered of the keyword stays as it is while they go on.
    let theme = keyword.and_then(|keyword| theme(&keyword, grimoire));
    let near = |slot| nearness(keyword.as_ref(), theme.as_deref(), grimoire, slot);
    let mut questions = Vec::new();
    for cycle in 0..cycles {
        let open = thalamic_gate(cycle, cycles);
        let weights = pull(view, grimoire, near, open);
        for partial in 0..config.partials {
            let memories = draw(grimoire, &weights, MEMORIES, stream);
            let progress = f64::from(partial + 1) / f64::from(config.partials);
            let task = Task::Dissolve { memories, keyword: keyword.map(|claim| claim.to_string()) };
            let temperature = executive_loosener(cycle, progress, now.phase, config);
            questions.push(Question::in_rich_dream(task, DreamOperation::Edge, temperature));
        }
    }
    questions
}

/// Memories that a fragment is made from. The digest (section 8) has context, action and outcome from 2 to 3 different episodes; our choice, twice as many
/// to draw them from.
const MEMORIES: usize = 6;

/// Weights of a memory's rank (H02: .4 recency + .3 salience + .3 PAD cosine). The cosine here is of markets and not of moods,
/// because episodes carry no whole mood.
const RECENCY_WEIGHT: f64 = 0.4;
const SALIENCE_WEIGHT: f64 = 0.3;
const LIKENESS_WEIGHT: f64 = 0.3;
/// Added to every surprise, so that a memory without any can come up.
const LEAST_SURPRISE: f64 = 0.05;
/// The least rank, so that the weights of a draw aren't all 0. Our choice: too small to matter beside any other rank.
const LEAST_RANK: f64 = 1e-6;

/// How strongly each memory comes up, by the formula above, for the latest, the strongly felt and those about to fade; 0 for
/// others.
fn pull(view: &DreamView<'_>, grimoire: &Grimoire, near: impl Fn(usize) -> f64, open: f64) -> Vec<f64> {
    let config = &view.config.hypnagogia;
    let now = view.now.tick;
    let mut weights = vec![0.0; grimoire.len()];
    for slot in pool(view, grimoire) {
        let episode = grimoire.record(slot);
        // A fragment states its outcome, and a scar's outcome is the worst of another golem's life.
        if !grimoire.is_fair(episode) {
            continue;
        }
        let age = now.saturating_sub(episode.closed) as f64;
        let recency = math::half_life_decay(age, view.config.replay.recency_half_life_ticks);
        let likeness = cosine_similarity(grimoire.embedding(slot), view.now.embedding).max(0.0);
        let rank = RECENCY_WEIGHT * recency
            + SALIENCE_WEIGHT * f64::from(grimoire.arousal()[slot])
            + LIKENESS_WEIGHT * open * likeness
            + config.incubation_bias * near(slot);
        // A memory without surprise must stay possible: .05 is added to every surprise. Our choice; without it the power would be
        // 0.
        weights[slot] =
            math::pow(LEAST_SURPRISE + episode.surprise, config.surprise_exponent) * rank.max(LEAST_RANK);
    }
    weights
}

fn pool(view: &DreamView<'_>, grimoire: &Grimoire) -> Vec<usize> {
    let config = &view.config.hypnagogia;
    let now = view.now.tick;
    let all = || (0..grimoire.len()).collect::<Vec<usize>>();
    let mut recent = all();
    recent.sort_by_key(|&slot| std::cmp::Reverse((grimoire.closed()[slot], grimoire.record(slot).id)));
    recent.truncate(config.recent_pool as usize);
    let felt = |slot: &usize| f64::from(grimoire.arousal()[*slot]) >= config.salience;
    let mut salient: Vec<usize> = all().into_iter().filter(felt).collect();
    salient.sort_by(|&a, &b| grimoire.arousal()[b].total_cmp(&grimoire.arousal()[a]).then(a.cmp(&b)));
    salient.truncate(config.salient_pool as usize);
    let mut fading: Vec<(f64, usize)> =
        all().into_iter().map(|slot| (grimoire.retention(slot, now), slot)).collect();
    fading.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    fading.truncate(config.fading_pool as usize);
    let mut pool = recent;
    pool.extend(salient);
    pool.extend(fading.into_iter().map(|(_, slot)| slot));
    pool.sort_unstable();
    pool.dedup();
    pool
}

/// Draws different memories in proportion to their pull; a memory that was drawn weighs nothing for the next.
fn draw(grimoire: &Grimoire, weights: &[f64], count: usize, stream: &mut Stream) -> Vec<EpisodeBrief> {
    let mut weights = weights.to_vec();
    let mut drawn = Vec::with_capacity(count);
    for _ in 0..count {
        let Some(slot) = stream.weighted(&weights) else { break };
        weights[slot] = 0.0;
        drawn.push(EpisodeBrief::from(grimoire.record(slot)));
    }
    drawn
}

/// The keyword's embedding: the centroid of the trades that it speaks of. `None` where the golem remembers none, as of a predecessor's
/// untested hypothesis. (Dream architecture, "targeted dream incubation": a keyword is embedded, and its cosine to a memory is
/// the bias. Our keyword is a claim and has no text, so its embedding is that of what it is about.)
fn theme(keyword: &Claim, grimoire: &Grimoire) -> Option<Vec<f32>> {
    let of_it = grimoire.evidence().filter(|trade| keyword.applies(trade.strategy, &trade.context));
    grimoire.centroid(of_it.map(|trade| trade.id))
}

/// Nearness of a memory to the keyword, 0 to 1: the cosine to its embedding, or by halves where it has none; 0 without a keyword.
fn nearness(keyword: Option<&Claim>, theme: Option<&[f32]>, grimoire: &Grimoire, slot: usize) -> f64 {
    match (theme, keyword) {
        (Some(theme), _) => cosine_similarity(grimoire.embedding(slot), theme).max(0.0),
        (None, Some(keyword)) => {
            let episode = grimoire.record(slot);
            relevance(keyword, episode.strategy, episode.context.regime)
        }
        (None, None) => 0.0,
    }
}

/// Nearness of a strategy in a regime to the keyword: half for each that it shares.
fn relevance(keyword: &Claim, strategy: crate::market::Strategy, regime: Regime) -> f64 {
    let shared = [keyword.strategy == strategy, keyword.pattern.regime.is_none_or(|named| named == regime)];
    0.5 * shared.into_iter().filter(|shared| *shared).count() as f64
}

/// The homuncular observer's question: all fragments at once, each with its novelty, relevance and coherence as computed here, 0 to 1.
///
/// Novelty: 1 − the greatest likeness to a rule, an insight or a claim under test. (H04's code takes the least likeness, by which
/// a copy of a rule would count as novel.) Relevance: nearness to the keyword, or to the present regime when there is none.
/// Coherence: mean likeness of the markets that its three parts come from.
pub(crate) fn observe(
    mut fragments: Vec<Fragment>,
    view: &DreamView<'_>,
    grimoire: &Grimoire,
    now: &Circumstances,
    keyword: Option<Claim>,
) -> Question {
    for fragment in &mut fragments {
        let claim = fragment.claim;
        let most = view.known_claims().map(|known| known.similarity(&claim)).fold(0.0, f64::max);
        fragment.novelty = 1.0 - most;
        let regime = claim.pattern.regime.unwrap_or(now.context.regime);
        let here = Claim { pattern: ContextPattern::from_regime(now.context.regime), ..claim };
        fragment.relevance = relevance(keyword.as_ref().unwrap_or(&here), claim.strategy, regime);
        fragment.coherence = coherence(fragment, grimoire);
    }
    let temperature = view.config.hypnagogia.observer_temperature;
    Question::in_rich_dream(Task::Observe { fragments }, DreamOperation::Edge, temperature)
}

fn coherence(fragment: &Fragment, grimoire: &Grimoire) -> f64 {
    let Fragment { context_from, action_from, outcome_from, .. } = fragment;
    // A forgotten episode has no market any more, so it counts as unlike.
    let likeness = |a, b| {
        let both = grimoire.embedding_of(a).zip(grimoire.embedding_of(b));
        both.map_or(0.0, |(a, b)| 0.5 * (1.0 + cosine_similarity(a, b)))
    };
    (likeness(*context_from, *action_from)
        + likeness(*action_from, *outcome_from)
        + likeness(*context_from, *outcome_from))
        / 3.0
}

/// The fragments that passed the observer, with their confidence: linear from the lowest at the floor to the highest at a score of 1 (.10
/// to .20; dream architecture, "DaliInterrupt").
pub(crate) fn keep(
    fragments: &[Fragment],
    scores: &[f64],
    config: &HypnagogiaConfig,
) -> Vec<(Fragment, f64)> {
    let (low, high) = (config.fragment_confidence_min, config.fragment_confidence_max);
    let kept = fragments.iter().zip(scores).filter_map(|(fragment, score)| {
        let score = (score * config.observer_bias).min(1.0);
        (score > config.floor).then(|| {
            let place = (score - config.floor) / (1.0 - config.floor).max(f64::MIN_POSITIVE);
            (*fragment, low + (high - low) * place)
        })
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_is_near_by_halves() {
        use crate::market::Strategy;
        let keyword = Claim::of_worth(Strategy::Momentum, ContextPattern::from_regime(Regime::Volatile), 0.5);
        assert_eq!(relevance(&keyword, Strategy::Momentum, Regime::Volatile), 1.0);
        assert_eq!(relevance(&keyword, Strategy::Momentum, Regime::RangeBound), 0.5);
        assert_eq!(relevance(&keyword, Strategy::Breakout, Regime::RangeBound), 0.0);
    }

    /// The keyword's trades have markets (3, 0) and (0, 1), the sum of which is (3, 1); another strategy's market isn't in it. A
    /// keyword about what isn't remembered has no embedding.
    #[test]
    fn the_keyword_is_embedded_by_the_trades_that_it_speaks_of() {
        use crate::common::episodes::episode;
        use crate::episode::GrimoireConfig;
        use crate::market::Strategy;
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        let lived = [
            (Strategy::Momentum, [3.0, 0.0]),
            (Strategy::Momentum, [0.0, 1.0]),
            (Strategy::Breakout, [0.0, 9.0]),
        ];
        for (number, (strategy, market)) in lived.into_iter().enumerate() {
            let mut new = episode(number as u32, 10);
            (new.strategy, new.context.regime, new.embedding) = (strategy, Regime::Volatile, market.into());
            grimoire.insert(new, 10);
        }
        let of = |strategy| Claim::of_worth(strategy, ContextPattern::from_regime(Regime::Volatile), 0.5);
        assert_eq!(theme(&of(Strategy::Momentum), &grimoire), Some(vec![3.0, 1.0]));
        assert_eq!(theme(&of(Strategy::OracleArbitrage), &grimoire), None);
    }
}
