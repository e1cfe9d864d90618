//! A wish to dream.

use morta_base::Usdc;
use morta_engine::dream::schedule::EconomicStage;
use morta_engine::dream::urgency::UrgencyTerms;
use morta_engine::dream::{DreamTrigger, Petition};
use morta_engine::mortality::Phase;

/// A petition that every gate lets through.
pub fn petition(trigger: DreamTrigger) -> Petition {
    Petition {
        trigger,
        urgency: 0.0,
        terms: UrgencyTerms::default(),
        threshold: 0.8,
        phase: Phase::Thriving,
        episodes: 60,
        llm_share: 0.3,
        llm_left: Usdc::from_dollars(10.0),
        action_pending: false,
        stage: EconomicStage::Ample,
        time_s: 1_577_836_800,
        window: None,
    }
}
