//! Grimoires to replay, and situations to replay them in.

use crate::common::episodes::episode;
use morta_base::{BloodstainId, GolemId, Tick};
use morta_engine::episode::{DreamPriority, Episode, Grimoire, GrimoireConfig, Provenance};
use morta_engine::market::{Regime, Strategy};
use morta_engine::replay::{PadBias, ReplayContext, ReplayMode};
use proptest::prelude::*;

pub const STAIN: Provenance =
    Provenance::Bloodstain(BloodstainId { golem: GolemId { lineage: 7, generation: 0 }, number: 0 });

pub fn context(tick: Tick) -> ReplayContext<'static> {
    ReplayContext {
        tick,
        embedding: &[1.0, 0.0],
        regime: Regime::TrendingUp,
        pad_bias: None,
        affect: false,
        mode: ReplayMode::Normal,
        legacy: 0.0,
    }
}

prop_compose! {
    pub fn any_episode()(
        closed in 0_u64..3_000,
        numbers in (0.0_f64..4.0, 0.0_f64..1.0, 0.0_f64..3.0, -3.0_f64..3.0),
        kinds in (0_usize..4, 0_usize..6, any::<bool>()),
        arousal in 0.0_f64..1.0,
        embedding in (-4.0_f32..4.0, -4.0_f32..4.0),
    ) -> Episode {
        let mut lived = episode(0, closed);
        (lived.surprise, lived.significance, lived.regret, lived.realised_r) = numbers;
        lived.context.regime = Regime::ALL[kinds.0];
        lived.strategy = Strategy::ALL[kinds.1];
        lived.provenance = if kinds.2 { STAIN } else { Provenance::Own };
        lived.arousal = arousal;
        lived.embedding = vec![embedding.0, embedding.1].into();
        lived
    }
}

prop_compose! {
    /// A Grimoire of 1 to `most` episodes, some replayed, some tagged.
    pub fn any_grimoire(most: usize)(
        episodes in prop::collection::vec((any_episode(), 0_u32..4, 0_u8..3), 1..=most),
    ) -> Grimoire {
        let mut grimoire = Grimoire::new(GrimoireConfig { capacity: 1_000, ..GrimoireConfig::default() }, 2);
        for (number, (mut lived, replays, tag)) in episodes.into_iter().enumerate() {
            lived.id.number = number as u32;
            let id = lived.id;
            grimoire.insert(lived, 0);
            for replay in 0..replays {
                grimoire.mark_replayed(id, u64::from(replay) * 900, 0.5);
            }
            let tags = [DreamPriority::Normal, DreamPriority::Medium, DreamPriority::High];
            grimoire.tag(id, tags[usize::from(tag)]);
        }
        grimoire
    }
}

pub const BIASES: [Option<PadBias>; 7] = [
    None,
    Some(PadBias::Anxious),
    Some(PadBias::Confident),
    Some(PadBias::Depleted),
    Some(PadBias::Despairing),
    Some(PadBias::Hostile),
    Some(PadBias::Disdainful),
];
