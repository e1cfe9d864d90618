//! The four preconditions of every dream, whatever made a golem want it.

use crate::dream::DreamConfig;
use crate::dream::schedule::{DreamTrigger, EconomicStage};
use crate::dream::urgency::UrgencyTerms;
use crate::mortality::Phase;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// What a golem says of itself when it wants to dream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Petition {
    /// What made it want to.
    pub trigger: DreamTrigger,
    /// Urgency, 0 to 1.
    pub urgency: f64,
    /// What it is made of.
    pub terms: UrgencyTerms,
    /// Urgency that must be reached, when urgency is the reason.
    pub threshold: f64,
    /// Behavioural phase.
    pub phase: Phase,
    /// Episodes in memory.
    pub episodes: u32,
    /// Share of the purse left for inference.
    pub llm_share: f64,
    /// What is left for inference.
    pub llm_left: Usdc,
    /// Whether something is under way: on the market, or a question that was never heard out.
    pub action_pending: bool,
    /// What the money left allows.
    pub stage: EconomicStage,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// When the open sleep window began, if one is open.
    pub window: Option<i64>,
}

/// Why a golem may not dream now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Too few episodes.
    TooFewEpisodes,
    /// Too little left for inference.
    LlmShareTooLow,
    /// In its last phase.
    Terminal,
    /// Something is under way on the market.
    ActionPending,
    /// Its money lasts for a few hours only: it goes into dying well.
    OutOfTime,
    /// Not urgent enough, or not in this mode.
    NotUrgent,
    /// Too many are dreaming already.
    TooManyDreaming,
    /// The budget or the cycles of this sleep window are used up.
    WindowSpent,
    /// The month's budget is used up.
    MonthSpent,
}

/// The first precondition that fails: not terminal, enough episodes, enough left for inference, nothing under way; and
/// the economic clock. The emergency dream is exempt from the first and the last (ruling 8).
pub fn refusal(petition: &Petition, config: &DreamConfig) -> Option<Refusal> {
    let emergency = petition.trigger == DreamTrigger::Emergency;
    let by_phase = &config.schedule.min_episodes_by_phase;
    let min_episodes = by_phase.map_or(config.min_episodes, |by_phase| by_phase.of(petition.phase));
    if petition.phase == Phase::Terminal && !emergency {
        Some(Refusal::Terminal)
    } else if petition.episodes < min_episodes {
        Some(Refusal::TooFewEpisodes)
    } else if petition.llm_share < config.budget.min_llm_share {
        Some(Refusal::LlmShareTooLow)
    } else if petition.action_pending {
        Some(Refusal::ActionPending)
    } else if petition.stage == EconomicStage::OutOfTime && !emergency {
        Some(Refusal::OutOfTime)
    } else {
        None
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::dream::schedule::config::EpisodesByPhase;

    /// A petition that every gate lets through.
    pub(crate) fn petition(trigger: DreamTrigger) -> Petition {
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

    #[test]
    fn the_four_preconditions() {
        let config = DreamConfig::default();
        let refused = |change: &dyn Fn(&mut Petition)| {
            let mut petition = petition(DreamTrigger::Directive);
            change(&mut petition);
            refusal(&petition, &config)
        };
        assert_eq!(refused(&|_| ()), None);
        assert_eq!(refused(&|p| p.episodes = 49), Some(Refusal::TooFewEpisodes));
        assert_eq!(refused(&|p| p.episodes = 50), None);
        assert_eq!(refused(&|p| p.llm_share = 0.149), Some(Refusal::LlmShareTooLow));
        assert_eq!(refused(&|p| p.llm_share = 0.15), None);
        assert_eq!(refused(&|p| p.phase = Phase::Terminal), Some(Refusal::Terminal));
        assert_eq!(refused(&|p| p.action_pending = true), Some(Refusal::ActionPending));
        assert_eq!(refused(&|p| p.stage = EconomicStage::OutOfTime), Some(Refusal::OutOfTime));
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
        assert_eq!(refusal(&dying, &config), Some(Refusal::ActionPending));
    }

    #[test]
    fn the_first_dream_may_depend_on_the_phase() {
        let mut config = DreamConfig::default();
        config.schedule.min_episodes_by_phase =
            Some(EpisodesByPhase { thriving: 200, stable: 150, conservation: 100, declining: 50 });
        let mut young = petition(DreamTrigger::Window);
        assert_eq!(refusal(&young, &config), Some(Refusal::TooFewEpisodes));
        young.phase = Phase::Declining;
        assert_eq!(refusal(&young, &config), None);
    }
}
