//! Micro-consolidation: every minute of waking time, a glance at what is new. It changes what is remembered of insights
//! and episodes, and how urgent a dream is.
//!
//! Invariant: it never touches the playbook; it is given no way to.
//!
//! ```compile_fail
//! fn rewrite(mind: &mut morta_engine::dream::micro::WakingMind<'_>) {
//!     mind.playbook.clear();
//! }
//! ```

use crate::dream::integration::beliefs::{Belief, InsightsMut};
use crate::episode::{ContextPattern, DreamPriority, EpisodeKind, EpisodeRecord, Grimoire};
use morta_base::EpisodeId;
use morta_base::dot::cosine_similarity;
use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// The `[dream.micro]` table (our own: the spec gives the numbers, but no keys).
    pub struct MicroConfig {
        /// Whether there is any, for golems that dream.
        enabled: bool = true;
        /// Simulated seconds between two passes of a waking golem; with longer ticks, every tick.
        interval_seconds: u32 = 60, in 1..=86_400, "seconds";
        /// Newest episodes looked at in a pass, each once.
        episodes: u32 = 5, in 1..=100, "episodes";
        /// Insights they are held against, those spoken of most often first.
        insights: u32 = 10, in 1..=1_000, "insights";
        /// Likeness above which an episode that agrees strengthens an insight.
        match_above: f64 = 0.8, in 0.0..=1.0, "similarity";
        /// What the insight's strength gains.
        match_step: f64 = 0.1, in 0.0..=10.0, "strength";
        /// Likeness above which an episode that disagrees is an anomaly.
        anomaly_above: f64 = 0.7, in 0.0..=1.0, "share";
        /// Confidence from which an insight can be contradicted so.
        confident_from: f64 = 0.5, in 0.0..=1.0, "confidence";
    }
}

/// The parts of a memory that a pass may change.
#[derive(Debug)]
pub struct WakingMind<'a> {
    /// Episodes: anomalies are tagged.
    pub grimoire: &'a mut Grimoire,
    /// Insights: matches strengthen them.
    pub insights: InsightsMut<'a>,
}

/// What a pass found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MicroOutcome {
    /// Insights strengthened, counted once for each episode.
    pub matches: u32,
    /// Episodes that contradict a confident insight; tagged for the next dream.
    pub anomalies: u32,
}

impl MicroOutcome {
    /// Whether it leaves a pattern unresolved.
    pub fn unresolved(&self) -> bool {
        self.anomalies > 0
    }
}

/// Looks at the episodes that are new since the last pass, oldest first; of more than the configured number, at the newest.
pub fn consolidate(mind: &mut WakingMind<'_>, fresh: &[EpisodeId], config: &MicroConfig) -> MicroOutcome {
    let mut outcome = MicroOutcome::default();
    let newest = &fresh[fresh.len().saturating_sub(config.episodes as usize)..];
    for id in newest {
        glance(*id, mind, config, &mut outcome);
    }
    outcome
}

fn glance(id: EpisodeId, mind: &mut WakingMind<'_>, config: &MicroConfig, outcome: &mut MicroOutcome) {
    let Some(episode) = mind.grimoire.get(id).filter(|episode| episode.kind == EpisodeKind::Trade) else {
        return;
    };
    for insight in mind.insights.iter_mut() {
        insight.standing.accesses += u32::from(insight.claim.applies(episode.strategy, &episode.context));
    }
    let mut order: Vec<usize> = (0..mind.insights.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(mind.insights.at(*place).standing.accesses));
    let mut anomalous = false;
    for place in order.into_iter().take(config.insights as usize) {
        let insight = mind.insights.at_mut(place);
        let likeness = likeness(episode, insight, mind.grimoire);
        let agrees = (insight.claim.expected_r > 0.0) == (episode.realised_r > 0.0);
        if agrees && likeness > config.match_above {
            insight.standing.strength += config.match_step;
            outcome.matches += 1;
        }
        anomalous |=
            !agrees && likeness > config.anomaly_above && insight.confidence >= config.confident_from;
    }
    if anomalous {
        mind.grimoire.tag(id, DreamPriority::High);
        outcome.anomalies += 1;
    }
}

/// How much an episode is of the kind an insight speaks of, in [0, 1]: 0 for another strategy; else the mean of two halves,
/// the share of the circumstances named by the insight that hold for the episode (1 when it names none), and the cosine,
/// at least 0, between the episode's embedding and the centroid of those the insight was learned from. When none of these
/// is in the Grimoire any more, or the episode isn't, the circumstances alone decide.
pub fn likeness(episode: &EpisodeRecord, insight: &Belief, grimoire: &Grimoire) -> f64 {
    if episode.strategy != insight.claim.strategy {
        return 0.0;
    }
    let circumstances = circumstances(&insight.claim.pattern, episode);
    match grimoire.embedding_of(episode.id).zip(centroid(insight, grimoire)) {
        None => circumstances,
        Some((embedding, centroid)) => {
            0.5 * (circumstances + cosine_similarity(embedding, &centroid).max(0.0))
        }
    }
}

fn circumstances(pattern: &ContextPattern, episode: &EpisodeRecord) -> f64 {
    let named: Vec<bool> = pattern.named(&episode.context).collect();
    if named.is_empty() {
        return 1.0;
    }
    named.iter().filter(|holds| **holds).count() as f64 / named.len() as f64
}

fn centroid(insight: &Belief, grimoire: &Grimoire) -> Option<Vec<f32>> {
    let mut sum = vec![0.0_f32; grimoire.dimensions()];
    let mut count = 0_u32;
    for embedding in insight.learned_from.iter().filter_map(|id| grimoire.embedding_of(*id)) {
        sum.iter_mut().zip(embedding).for_each(|(total, x)| *total += x);
        count += 1;
    }
    // A cosine doesn't mind the length: the sum is as good as the mean.
    (count > 0).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dream::integration::beliefs::Beliefs;
    use crate::episode::grimoire::tests::episode;
    use crate::episode::{Claim, EntryKind, GrimoireConfig};
    use crate::market::Regime;
    use morta_base::RuleId;

    /// Three episodes: two that taught the insight (+1 R at a cosine of 1 with [1, 0]), and the new one.
    fn mind(realised_r: f64, embedding: [f32; 2], confidence: f64) -> (Grimoire, Beliefs) {
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        for number in 0..3 {
            let mut lived = episode(number, u64::from(number));
            lived.embedding = if number == 2 { embedding.into() } else { [1.0, 0.0].into() };
            lived.realised_r = if number == 2 { realised_r } else { 1.0 };
            grimoire.insert(lived, 5);
        }
        let lived = grimoire.record(0).clone();
        let pattern = ContextPattern::of_regime(lived.context.regime);
        let claim = Claim::of_worth(lived.strategy, pattern, 0.5);
        let insight = Belief {
            learned_from: vec![lived.id, EpisodeId { number: 1, ..lived.id }],
            ..Belief::new(RuleId { golem: lived.id.golem, number: 0 }, claim, confidence, 1)
        };
        let mut beliefs = Beliefs::default();
        beliefs.add_candidate(insight, EntryKind::Insight);
        (grimoire, beliefs)
    }

    fn pass(grimoire: &mut Grimoire, beliefs: &mut Beliefs, fresh: usize) -> MicroOutcome {
        let ids: Vec<EpisodeId> = grimoire.records().iter().map(|record| record.id).collect();
        let fresh = &ids[ids.len() - fresh..];
        let mut mind = WakingMind { grimoire, insights: beliefs.insights_mut() };
        consolidate(&mut mind, fresh, &MicroConfig::default())
    }

    /// The regime holds (1) and the cosine of [4, 3] with [1, 0] is .8: a likeness of .9.
    #[test]
    fn a_match_strengthens_and_an_anomaly_is_flagged() {
        let (mut grimoire, mut beliefs) = mind(0.7, [4.0, 3.0], 0.6);
        assert!((likeness(grimoire.record(2), &beliefs.insights()[0], &grimoire) - 0.9).abs() < 1e-6);
        let outcome = pass(&mut grimoire, &mut beliefs, 1);
        assert_eq!(outcome, MicroOutcome { matches: 1, anomalies: 0 });
        assert!((beliefs.insights()[0].standing.strength - 1.1).abs() < 1e-12 && !outcome.unresolved());
        assert_eq!(beliefs.insights()[0].standing.accesses, 1);
        assert_eq!(grimoire.priority()[2], DreamPriority::Normal);

        let (mut grimoire, mut beliefs) = mind(-0.7, [4.0, 3.0], 0.6);
        let outcome = pass(&mut grimoire, &mut beliefs, 1);
        assert_eq!(outcome, MicroOutcome { matches: 0, anomalies: 1 });
        assert!(outcome.unresolved() && beliefs.insights()[0].standing.strength == 1.0);
        assert_eq!(grimoire.priority()[2], DreamPriority::High);
    }

    /// [3, 4] has a cosine of .6: a likeness of .8 is not above .8, but above .7.
    #[test]
    fn likenesses_have_their_own_thresholds() {
        let (mut grimoire, mut beliefs) = mind(0.7, [3.0, 4.001], 0.6);
        assert_eq!(pass(&mut grimoire, &mut beliefs, 1), MicroOutcome::default());
        let (mut grimoire, mut beliefs) = mind(-0.7, [3.0, 4.001], 0.6);
        assert_eq!(pass(&mut grimoire, &mut beliefs, 1).anomalies, 1);
        let (mut grimoire, mut beliefs) = mind(-0.7, [0.0, 1.0], 0.6);
        assert_eq!(pass(&mut grimoire, &mut beliefs, 1).anomalies, 0, "likeness .5");
    }

    #[test]
    fn an_uncertain_insight_can_not_be_contradicted() {
        let (mut grimoire, mut beliefs) = mind(-0.7, [4.0, 3.0], 0.49);
        assert_eq!(pass(&mut grimoire, &mut beliefs, 1), MicroOutcome::default());
    }

    #[test]
    fn what_is_not_new_is_not_looked_at() {
        let (mut grimoire, mut beliefs) = mind(0.7, [4.0, 3.0], 0.6);
        assert_eq!(pass(&mut grimoire, &mut beliefs, 0), MicroOutcome::default());
        // All three are new: each agrees.
        assert_eq!(pass(&mut grimoire, &mut beliefs, 3).matches, 3);
    }

    #[test]
    fn without_its_sources_an_insight_is_known_by_its_circumstances() {
        let (grimoire, mut beliefs) = mind(0.7, [0.0, 1.0], 0.6);
        beliefs.insights_mut().at_mut(0).learned_from.clear();
        assert_eq!(likeness(grimoire.record(2), &beliefs.insights()[0], &grimoire), 1.0);
        beliefs.insights_mut().at_mut(0).claim.pattern = ContextPattern::of_regime(Regime::Volatile);
        let elsewhere = grimoire.record(2).context.regime != Regime::Volatile;
        assert_eq!(likeness(grimoire.record(2), &beliefs.insights()[0], &grimoire) == 0.0, elsewhere);
    }
}
