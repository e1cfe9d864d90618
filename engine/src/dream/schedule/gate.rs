//! The gate: the four preconditions of every dream, whatever its trigger (dream architecture, "DreamScheduler gate"), and a fifth of ours, that the
//! economic clock leaves time: a golem with a few hours to live has better uses for its money. Urgency and shares run from 0 to 1, money is
//! in dollars. It is an admission control (guard clauses): the first failing condition is the reason that is reported. Whether urgency
//! suffices and whether the budget does is decided after it, by the scheduler. The golem asks the same gate first and doesn't write a
//! petition that fails it; an urgency that would suffice decays meanwhile, and so does a directive. A petition by the interval is written
//! all the same, to learn the reason, unless something is pending.

use crate::dream::DreamConfig;
use crate::dream::schedule::{DreamTrigger, EconomicStage};
use crate::dream::urgency::UrgencyTerms;
use crate::mortality::Phase;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// The figures by which a golem petitions to dream: an admission request with the facts to check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Petition {
    /// Its trigger.
    pub trigger: DreamTrigger,
    /// Urgency, 0 to 1: what is left of a directive, 1 in an emergency, and the score of the terms at other times.
    pub urgency: f64,
    /// The terms of urgency.
    pub terms: UrgencyTerms,
    /// The threshold that urgency must reach, 0 to 1. It is always here, and compared only where urgency is the trigger.
    pub threshold: f64,
    /// Behavioural phase.
    pub phase: Phase,
    /// Episodes in memory.
    pub episodes: u32,
    /// The inference compartment over the whole purse as both are now, 0 to 1.
    pub llm_share: f64,
    /// What is left in the inference compartment.
    pub llm_left: Usdc,
    /// Whether an order has no answer yet, or a position is open where `dream.schedule.position_is_pending` counts that.
    pub action_pending: bool,
    /// The stage of its economic clock.
    pub stage: EconomicStage,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// Start of the open sleep window, seconds since 1970-01-01 UTC; none when no window is open.
    pub window: Option<i64>,
}

morta_base::words! {
    /// Why a golem may not dream now. The reason code of a denied request (admission control).
    pub enum DreamRefusal {
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

/// Returns the first precondition that fails (admission control): not terminal, enough episodes, enough left for inference, nothing
/// pending; and the economic clock. The emergency dream is exempt from the first and the last (ruling 8: the spec's own gate would
/// otherwise refuse the dream that it schedules at terminal entry).
pub fn refusal(petition: &Petition, config: &DreamConfig) -> Option<DreamRefusal> {
    let emergency = petition.trigger == DreamTrigger::Emergency;
    let by_phase = &config.schedule.min_episodes_by_phase;
    let min_episodes = by_phase.map_or(config.min_episodes, |by_phase| by_phase!(by_phase, petition.phase));
    if petition.phase == Phase::Terminal && !emergency {
        Some(DreamRefusal::Terminal)
    } else if petition.episodes < min_episodes {
        Some(DreamRefusal::TooFewEpisodes)
    } else if petition.llm_share < config.budget.min_llm_share {
        Some(DreamRefusal::LlmShareTooLow)
    } else if petition.action_pending {
        Some(DreamRefusal::ActionPending)
    } else if petition.stage == EconomicStage::OutOfTime && !emergency {
        Some(DreamRefusal::OutOfTime)
    } else {
        None
    }
}
