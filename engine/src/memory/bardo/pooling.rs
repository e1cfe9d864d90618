//! Pooling: how far claims and episodes move the expected R of a trade, or of staying in one (`holding`), so that one outcome counts once.
//!
//! The expectation is worked out level by level, from the general to the specific: the prior, claims that name no circumstances,
//! claims that name one, two, and so on, and last the recalled episodes. Each level is the mean of its voices, shrunk towards the
//! level above:
//!
//! ```text
//! m ← (a·m + W·v) / (a + W),  a = min(n, κ),  then n ← a + W
//! ```
//!
//! - m: expected R, at first the prior's; n: the outcomes it rests on, at first the weight of the prior;
//! - v: mean of the level's voices by their weights, R;
//! - W: outcomes behind the level. Claims of one level share most of their outcomes, so they count as the one with the most;
//!   episodes are different outcomes, and count as their sum;
//! - κ: the most outcomes that the level above counts as ([`super::credibility`]).
//!
//! An episode counts even where a claim was drawn from it: its likeness to this very moment is what the claim doesn't know. Tried
//! and lost: to silence an episode as far as a claim on it is trusted. In `drift.toml` with eras of 500 ticks that cost .0011 to
//! .0014 R a golem-tick of .0172 (seeds 1 to 8), because fresh episodes, which show that the law has turned, are the ones that
//! claims have counted last.
//!
//! This is the shrinkage of nested groups (Bühlmann & Straub 1970). The alternative, a sum of all voices (`pooling = "sum"`, the rule of
//! earlier builds), counts one outcome as an episode, as an insight, as a claim under test and as a rule at once. In statistics this is
//! partial pooling, or hierarchical (multilevel) shrinkage.

use crate::memory::Voice;

/// The result of pooling: a posterior mean, with the share that the prior has in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pooled {
    /// Expected result, R.
    pub expected_r: f64,
    /// Share of the prior in it, 0 to 1.
    pub prior_share: f64,
}

/// Hierarchical shrinkage: pools a prior, in R and outcomes, with voices, and notes in each how far it moved the expectation. Voices about
/// the size of a position expect nothing and are left as they are.
pub(super) fn pool<'a>(
    (prior_r, prior_weight): (f64, f64),
    kappa: f64,
    voices: impl IntoIterator<Item = &'a mut Voice>,
) -> Pooled {
    let mut voices: Vec<&mut Voice> =
        voices.into_iter().filter(|voice| !voice.source.is_about_size()).collect();
    // The sort is stable, so that voices of a level stay in their order and the last bit of a sum depends on nothing else.
    voices.sort_by_key(|voice| voice.specificity.unwrap_or(u8::MAX));
    let mut pooled = Pooled { expected_r: prior_r, prior_share: 1.0 };
    let mut rests_on = prior_weight;
    for level in voices.chunk_by_mut(|a, b| a.specificity == b.specificity) {
        let of_claims = level[0].specificity.is_some();
        let sum: f64 = level.iter().map(|voice| voice.weight).sum();
        let behind = if of_claims { level.iter().map(|voice| voice.weight).fold(0.0, f64::max) } else { sum };
        if behind <= 0.0 {
            continue;
        }
        let above = rests_on.min(kappa);
        let say = behind / (above + behind);
        let mut moved = 0.0;
        for voice in level {
            let by = say * voice.weight / sum * (voice.expected_r - pooled.expected_r);
            voice.note_moved(by);
            moved += by;
        }
        pooled.expected_r += moved;
        pooled.prior_share *= 1.0 - say;
        rests_on = above + behind;
    }
    pooled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::Provenance;
    use crate::memory::VoiceSource;
    use morta_base::{EpisodeId, GolemId, RuleId};

    fn rule(number: u32, specificity: u8, weight: f64, expected_r: f64) -> Voice {
        let source = VoiceSource::Rule(RuleId { golem: GolemId::founder(0), number });
        Voice { specificity: Some(specificity), ..Voice::new(source, Provenance::Own, weight, expected_r) }
    }

    fn episode(number: u32, weight: f64, expected_r: f64) -> Voice {
        let source = VoiceSource::Episode(EpisodeId { golem: GolemId::founder(0), number });
        Voice::new(source, Provenance::Own, weight, expected_r)
    }

    fn pooled(mut voices: Vec<Voice>) -> (f64, f64, Vec<f64>) {
        let Pooled { expected_r, prior_share } = pool((0.2, 3.0), 2.0, &mut voices);
        let moved = voices.iter().map(|voice| voice.moved_r.unwrap_or(0.0)).collect();
        (expected_r, prior_share, moved)
    }

    #[test]
    fn each_level_is_shrunk_to_the_one_above() {
        // The prior counts as κ = 2. General: (2·.2 + 6·1)/8 = .8. It counts as 2, too. Specific: (2·.8 + 2·(−.4))/4 = .2.
        let (expected_r, prior_share, moved) = pooled(vec![rule(1, 1, 2.0, -0.4), rule(0, 0, 6.0, 1.0)]);
        assert!((expected_r - 0.2).abs() < 1e-12, "{expected_r}");
        assert!((prior_share - 0.25 * 0.5).abs() < 1e-12, "{prior_share}");
        assert!((moved[0] + 0.6).abs() < 1e-6 && (moved[1] - 0.6).abs() < 1e-6, "{moved:?}");
    }

    #[test]
    fn claims_of_a_level_count_as_the_loudest_and_episodes_as_their_sum() {
        // Twice the same rule: as much as once, (2·.2 + 6·1)/8.
        let twice = pooled(vec![rule(0, 1, 6.0, 1.0), rule(1, 1, 6.0, 1.0)]);
        assert!((twice.0 - 0.8).abs() < 1e-12, "{twice:?}");
        // Two episodes of 3 are 6 outcomes.
        let episodes = pooled(vec![episode(0, 3.0, 1.0), episode(1, 3.0, 1.0)]);
        assert!((episodes.0 - 0.8).abs() < 1e-12, "{episodes:?}");
        assert!((episodes.2[0] - 0.3).abs() < 1e-6, "{episodes:?}");
    }

    #[test]
    fn nothing_moves_the_prior_without_outcomes() {
        assert_eq!(pooled(vec![rule(0, 0, 0.0, 9.0)]), (0.2, 1.0, vec![0.0]));
        assert_eq!(pooled(Vec::new()), (0.2, 1.0, Vec::new()));
        // Without a prior, the first that speaks is believed.
        let mut voices = vec![rule(0, 0, 1.0, 0.7)];
        assert_eq!(pool((0.2, 0.0), 2.0, &mut voices).expected_r, 0.7);
    }

    #[test]
    fn moves_of_all_voices_add_up() {
        let (expected_r, _, moved) = pooled(vec![
            rule(0, 2, 1.5, 0.9),
            episode(0, 0.7, -1.0),
            rule(1, 0, 4.0, -0.3),
            rule(2, 2, 5.0, 0.1),
            episode(1, 0.2, 2.0),
        ]);
        assert!((0.2 + moved.iter().sum::<f64>() - expected_r).abs() < 1e-6);
    }
}
