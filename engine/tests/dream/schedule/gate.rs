use crate::common::dream::petition;
use morta_engine::dream::schedule::EconomicStage;
use morta_engine::dream::schedule::config::EpisodesByPhase;
use morta_engine::dream::schedule::gate::refusal;
use morta_engine::dream::{DreamConfig, DreamRefusal, DreamTrigger, Petition};
use morta_engine::mortality::Phase;

#[test]
fn the_four_preconditions() {
    let config = DreamConfig::default();
    let refused = |change: &dyn Fn(&mut Petition)| {
        let mut petition = petition(DreamTrigger::Directive);
        change(&mut petition);
        refusal(&petition, &config)
    };
    assert_eq!(refused(&|_| ()), None);
    assert_eq!(refused(&|p| p.episodes = 49), Some(DreamRefusal::TooFewEpisodes));
    assert_eq!(refused(&|p| p.episodes = 50), None);
    assert_eq!(refused(&|p| p.llm_share = 0.149), Some(DreamRefusal::LlmShareTooLow));
    assert_eq!(refused(&|p| p.llm_share = 0.15), None);
    assert_eq!(refused(&|p| p.phase = Phase::Terminal), Some(DreamRefusal::Terminal));
    assert_eq!(refused(&|p| p.action_pending = true), Some(DreamRefusal::ActionPending));
    assert_eq!(refused(&|p| p.stage = EconomicStage::OutOfTime), Some(DreamRefusal::OutOfTime));
    assert_eq!(refused(&|p| p.stage = EconomicStage::Consolidating), None);
}

#[test]
fn emergencies_are_exempt_from_the_last_phase_and_from_the_economic_clock() {
    let config = DreamConfig::default();
    let mut dying = petition(DreamTrigger::Emergency);
    dying.phase = Phase::Terminal;
    dying.stage = EconomicStage::OutOfTime;
    assert_eq!(refusal(&dying, &config), None);
    dying.action_pending = true;
    assert_eq!(refusal(&dying, &config), Some(DreamRefusal::ActionPending));
}

#[test]
fn the_first_dream_may_depend_on_the_phase() {
    let mut config = DreamConfig::default();
    config.schedule.min_episodes_by_phase =
        Some(EpisodesByPhase { thriving: 200, stable: 150, conservation: 100, declining: 50 });
    let mut young = petition(DreamTrigger::Window);
    assert_eq!(refusal(&young, &config), Some(DreamRefusal::TooFewEpisodes));
    young.phase = Phase::Declining;
    assert_eq!(refusal(&young, &config), None);
}
