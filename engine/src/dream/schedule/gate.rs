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

morta_base::words! {
    /// Why a golem may not dream now.
    pub enum Refusal {
        /// Too few episodes.
        TooFewEpisodes = "too_few_episodes",
        /// Too little left for inference.
        LlmShareTooLow = "llm_share_too_low",
        /// In its last phase.
        Terminal = "terminal",
        /// Something is under way on the market.
        ActionPending = "action_pending",
        /// Its money lasts for a few hours only: it goes into dying well.
        OutOfTime = "out_of_time",
        /// Not urgent enough, or not in this mode.
        NotUrgent = "not_urgent",
        /// Too many are dreaming already.
        TooManyDreaming = "too_many_dreaming",
        /// The budget or the cycles of this sleep window are used up.
        WindowSpent = "window_spent",
        /// The month's budget is used up.
        MonthSpent = "month_spent",
    }
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
