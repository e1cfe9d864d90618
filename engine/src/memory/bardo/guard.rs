//! Guards by scars: where a predecessor or a bloodstain was hurt in a similar moment, less is staked.
//!
//! A scar was chosen because of how it ended, so it is no evidence of the mean result of such trades; it only shows what can
//! happen. Therefore it adds nothing to the expected R, and takes away part of the position instead.
//! (`memory.bardo.grimoire.scars_as_evidence` is the alternative, in which the worst trades of the dead lower every mean.) Likeness is a
//! cosine from −1 to 1, the taken share from 0 to 1: by default a scar at least .8 alike, of the same strategy and asset, halves the
//! position. In the field: case-based risk management, a nearest-neighbour rule of position sizing.

use crate::episode::{EpisodeKind, Grimoire};
use crate::memory::{Candidate, DecisionContext, GuardConfig, GuardScope, Voice, VoiceSource};
use morta_base::dot::cosine_similarity;

/// The warning of the most similar scar of those that concern the candidate; of equals that of the first slot. Only one warns:
/// several scars of one crash are one event, and their factors would multiply.
pub(super) fn warning(
    grimoire: &Grimoire,
    candidate: &Candidate,
    moment: &DecisionContext<'_>,
    config: &GuardConfig,
) -> Option<Voice> {
    if config.size_factor >= 1.0 {
        return None;
    }
    let mut nearest: Option<(f64, usize)> = None;
    let (inherited, strategies) = (grimoire.inherited(), grimoire.strategies());
    let any_strategy = config.scope == GuardScope::Asset;
    // Columns first: a record is much larger, and asked for at every decision.
    let concerns =
        |&slot: &usize| inherited[slot] && (any_strategy || strategies[slot] == candidate.strategy);
    for slot in (0..grimoire.len()).filter(concerns) {
        let scar = grimoire.record(slot);
        let hurt = scar.kind == EpisodeKind::Trade && scar.realised_r < 0.0;
        if !hurt || scar.asset != candidate.asset {
            continue;
        }
        let similarity = cosine_similarity(moment.embedding, grimoire.embedding(slot));
        if similarity >= config.min_similarity && nearest.is_none_or(|(best, _)| similarity > best) {
            nearest = Some((similarity, slot));
        }
    }
    let scar = grimoire.record(nearest?.1);
    Some(Voice::new(VoiceSource::Guard(scar.id), scar.provenance, 1.0 - config.size_factor, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::common::memory::{candidate, moment};
    use crate::episode::{GrimoireConfig, Provenance};
    use crate::market::Strategy;
    use crate::memory::Advice;
    use morta_base::{BloodstainId, GolemId};

    const FROM: Provenance = Provenance::Bloodstain(BloodstainId { golem: GolemId::founder(3), number: 1 });

    /// Cosines to the present market are 1 for the first, .6 for the second.
    fn grimoire() -> Grimoire {
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        for (number, embedding) in [(0, [1.0, 0.0]), (1, [0.6, 0.8])] {
            let mut scar = episode(number, 1);
            (scar.provenance, scar.realised_r, scar.embedding) = (FROM, -2.0, embedding.to_vec().into());
            grimoire.insert(scar, 1);
        }
        grimoire
    }

    fn warned(grimoire: &Grimoire, strategy: Strategy, asset: u8, embedding: [f32; 2]) -> Option<Voice> {
        warned_by(grimoire, strategy, asset, embedding, &GuardConfig::default())
    }

    fn warned_by(
        grimoire: &Grimoire,
        strategy: Strategy,
        asset: u8,
        embedding: [f32; 2],
        config: &GuardConfig,
    ) -> Option<Voice> {
        let moment = moment(2, grimoire.record(0).context, &embedding);
        warning(grimoire, &Candidate { asset, ..candidate(strategy, 0.2) }, &moment, config)
    }

    #[test]
    fn the_likest_scar_of_the_same_trade_warns() {
        let grimoire = grimoire();
        let scar = grimoire.record(0);
        let (strategy, asset) = (scar.strategy, scar.asset);
        let voice = warned(&grimoire, strategy, asset, [2.0, 0.0]).unwrap();
        assert_eq!((voice.source, voice.provenance), (VoiceSource::Guard(scar.id), FROM));
        assert_eq!(warned(&grimoire, strategy, asset, [-1.0, 0.0]), None, "another market");
        assert_eq!(warned(&grimoire, strategy, asset + 1, [1.0, 0.0]), None, "another asset");
        let other = if strategy == Strategy::Breakout { Strategy::Momentum } else { Strategy::Breakout };
        assert_eq!(warned(&grimoire, other, asset, [1.0, 0.0]), None, "another strategy");
        let all = GuardConfig { scope: GuardScope::Asset, ..GuardConfig::default() };
        assert_eq!(
            warned_by(&grimoire, other, asset, [1.0, 0.0], &all),
            Some(voice),
            "whatever is done there"
        );
        assert_eq!(warned_by(&grimoire, other, asset + 1, [1.0, 0.0], &all), None);
    }

    #[test]
    fn an_own_loss_is_no_scar() {
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        let mut own = episode(0, 1);
        (own.realised_r, own.embedding) = (-2.0, vec![1.0, 0.0].into());
        let (strategy, asset) = (own.strategy, own.asset);
        grimoire.insert(own, 1);
        assert_eq!(warned(&grimoire, strategy, asset, [1.0, 0.0]), None);
    }

    /// The expectation stays the prior's .2, and of its size of .95 half is left.
    #[test]
    fn a_warning_halves_the_size_and_expects_nothing() {
        let grimoire = grimoire();
        let scar = grimoire.record(0);
        let guard = warned(&grimoire, scar.strategy, scar.asset, [1.0, 0.0]).unwrap();
        let advice = Advice::balanced(&candidate(scar.strategy, 0.2), 3.0, [guard].iter());
        assert!((advice.expected_r - 0.2).abs() < 1e-12 && advice.confidence == 0.0, "{advice:?}");
        assert!((advice.size_multiplier - 0.475).abs() < 1e-12, "{}", advice.size_multiplier);
    }
}
