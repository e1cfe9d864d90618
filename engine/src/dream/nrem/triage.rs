//! Memory triage: which episodes are kept whole, which are reduced to their outcome, which are forgotten (Stickgold & Walker
//! 2013; dream architecture, phase 1). The cut-offs are ours; the specs name none. Utilities have no unit. It is memory triage: retention
//! and selective forgetting. Episodes are sorted because a Grimoire is bounded, and one that has taught its rule needs no chain of
//! decisions any more. Only verdicts are made here; integration carries them out at waking, and a broken dream's are dropped.
//! Abstentions that were read are sorted too: with 0 R they contradict a claim of gain and no claim of loss.
//! The table is a retention policy, with pruning thresholds.

use crate::dream::nrem::replayed::Replayed;
use crate::episode::{Claim, Grimoire};
use crate::llm::SourcedClaim;
use morta_base::EpisodeId;
use morta_base::keys;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

keys! {
    /// The `[dream.consolidation.triage]` table: the cut-offs, which the specs leave open.
    // Dream architecture, phase 1.
    pub struct TriageConfig {
        /// Utility from which an episode is kept whole even when a rule was drawn from it.
        // Our choices, around the least utility of .1 at which an episode is replayed at all: .12 is hardly above it, .4 is what
        // few reach unboosted.
        preserve_utility: f64 = 0.4, in 0.0..=10.0, "utility";
        /// Utility below which a contradicted episode is let go.
        forget_utility: f64 = 0.12, in 0.0..=10.0, "utility";
        /// Replays before this one that an episode must have had to be let go.
        forget_after_replays: u32 = 1, in 0..=1_000, "replays";
    }
}

morta_base::words! {
    /// The fate of an episode. A retention class: keep, compress to the gist, or prune.
    pub enum TriageVerdict {
        /// Kept as it is.
        Preserve = "preserve",
        /// A rule was drawn from it: its outcome is kept, the way there let go.
        Abstract = "abstract",
        /// Removed at integration.
        Forget = "forget",
    }
}

/// One retention decision, with its grounds, for the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Triage {
    /// The episode.
    pub episode: EpisodeId,
    /// Its replay utility.
    pub utility: f64,
    /// Whether a pattern or a rule on its subject says the opposite of how it came out.
    pub contradicted: bool,
    /// The decision.
    pub verdict: TriageVerdict,
    /// Whether a model made it. Read as false from logs of builds that didn't ask.
    #[serde(default)]
    pub by_model: bool,
}

/// Sorts the episodes that were read (triage, selective forgetting). An episode is forgotten when it is of little use, has been replayed
/// before and contradicts what is known; an inherited one, a scar, never is, because its knowledge can't be lived through again. It is
/// abstracted when a pattern rests on it and it is of no great use by itself. A model's verdict overrides the formula, but never lets an
/// inherited one be forgotten.
pub fn triage(
    replayed: &[Replayed],
    patterns: &[SourcedClaim],
    rules: impl Iterator<Item = Claim> + Clone,
    said: &BTreeMap<EpisodeId, TriageVerdict>,
    grimoire: &Grimoire,
    config: &TriageConfig,
) -> Vec<Triage> {
    let decide = |replayed: &Replayed| {
        let slot = grimoire.slot_of(replayed.episode)?;
        let episode = grimoire.record(slot);
        let against = |claim: Claim| {
            claim.applies(episode.strategy, &episode.context)
                && (claim.expected_r > 0.0) != (episode.realised_r > 0.0)
        };
        let mut claims = patterns.iter().map(|pattern| pattern.claim).chain(rules.clone());
        let contradicted = claims.any(against);
        let used = patterns.iter().any(|pattern| pattern.learned_from.contains(&replayed.episode));
        let often = grimoire.replay_count()[slot] >= config.forget_after_replays;
        let said = said.get(&replayed.episode).copied();
        let said = said.filter(|verdict| *verdict != TriageVerdict::Forget || !episode.is_inherited());
        let by_formula = if replayed.utility < config.forget_utility
            && contradicted
            && !used
            && often
            && !episode.is_inherited()
        {
            TriageVerdict::Forget
        } else if used && replayed.utility < config.preserve_utility {
            TriageVerdict::Abstract
        } else {
            TriageVerdict::Preserve
        };
        let (verdict, by_model) = (said.unwrap_or(by_formula), said.is_some());
        Some(Triage { episode: replayed.episode, utility: replayed.utility, contradicted, verdict, by_model })
    };
    replayed.iter().filter_map(decide).collect()
}
