//! Who may dream now. Golems ask; the scheduler holds each request against the gate and answers with a budget.

use crate::base::{GolemId, LetterId, Usdc};
use crate::dream::DreamConfig;
use crate::dream::config::ScheduleMode;
use crate::dream::urgency::{UrgencyInputs, dream_urgency};
use crate::mortality::Phase;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a golem says of itself when it asks, or that it has woken up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamRequest {
    /// May I dream?
    MayI {
        /// What presses.
        inputs: UrgencyInputs,
        /// Behavioural phase.
        phase: Phase,
        /// Share of the purse left for inference.
        llm_share: f64,
        /// Episodes in memory.
        episodes: u32,
        /// Whether a position is open or an order is out.
        action_pending: bool,
    },
    /// I have woken up, or died in my sleep.
    Awake,
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
    /// Not urgent enough.
    NotUrgent,
    /// Too many are dreaming already.
    TooManyDreaming,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamAnswer {
    /// Sleep well.
    Granted {
        /// Urgency when asked.
        urgency: f64,
        /// Most the cycle may spend on inference.
        budget: Usdc,
    },
    /// Not now.
    Refused {
        /// Urgency when asked.
        urgency: f64,
        /// Why.
        reason: Refusal,
    },
}

/// The gate, and who is behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamScheduler {
    config: DreamConfig,
    dreaming: BTreeSet<GolemId>,
}

impl DreamScheduler {
    /// Nobody dreams yet.
    pub fn new(config: DreamConfig) -> Self {
        Self { config, dreaming: BTreeSet::new() }
    }

    /// How many golems are dreaming.
    pub fn dreaming(&self) -> usize {
        self.dreaming.len()
    }

    /// Handles this tick's letters in their order.
    pub fn step(&mut self, letters: Vec<(LetterId, DreamRequest)>) -> Vec<(LetterId, DreamAnswer)> {
        letters
            .into_iter()
            .filter_map(|(letter, request)| match request {
                DreamRequest::Awake => {
                    self.dreaming.remove(&letter.golem);
                    None
                }
                DreamRequest::MayI { .. } => Some((letter, self.decide(letter.golem, &request))),
            })
            .collect()
    }

    fn decide(&mut self, golem: GolemId, request: &DreamRequest) -> DreamAnswer {
        let DreamRequest::MayI { inputs, phase, llm_share, episodes, action_pending } = request else {
            unreachable!("only questions are decided");
        };
        let urgency = dream_urgency(inputs, *phase);
        let full = self.config.schedule.max_concurrent;
        let reason = if *phase == Phase::Terminal {
            Refusal::Terminal
        } else if *episodes < self.config.min_episodes {
            Refusal::TooFewEpisodes
        } else if *llm_share < self.config.budget.min_llm_share {
            Refusal::LlmShareTooLow
        } else if *action_pending {
            Refusal::ActionPending
        } else if self.config.schedule.mode == ScheduleMode::Autonomous && urgency < self.threshold(*phase) {
            Refusal::NotUrgent
        } else if full > 0 && self.dreaming.len() >= full as usize {
            Refusal::TooManyDreaming
        } else {
            self.dreaming.insert(golem);
            let budget = Usdc::from_dollars(self.config.budget.core_cycle_max_usdc);
            return DreamAnswer::Granted { urgency, budget };
        };
        DreamAnswer::Refused { urgency, reason }
    }

    /// .8 thriving, .7 stable, .6 otherwise (spec; digest section 20).
    fn threshold(&self, phase: Phase) -> f64 {
        let thriving = self.config.schedule.autonomous_threshold;
        match phase {
            Phase::Thriving => thriving,
            Phase::Stable => thriving - 0.1,
            _ => thriving - 0.2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(config: DreamConfig, change: impl Fn(&mut DreamRequest)) -> DreamAnswer {
        let mut request = DreamRequest::MayI {
            inputs: UrgencyInputs { novelty: 1.0, ..UrgencyInputs::default() },
            phase: Phase::Thriving,
            llm_share: 0.3,
            episodes: 60,
            action_pending: false,
        };
        change(&mut request);
        let letter = LetterId { golem: GolemId::founder(0), number: 0 };
        DreamScheduler::new(config).step(vec![(letter, request)])[0].1
    }

    fn refusal(config: DreamConfig, change: impl Fn(&mut DreamRequest)) -> Option<Refusal> {
        match ask(config, change) {
            DreamAnswer::Granted { .. } => None,
            DreamAnswer::Refused { reason, .. } => Some(reason),
        }
    }

    #[test]
    fn the_four_preconditions() {
        let config = DreamConfig::default;
        assert_eq!(refusal(config(), |_| ()), None);
        let few = |r: &mut DreamRequest| {
            if let DreamRequest::MayI { episodes, .. } = r {
                *episodes = 49
            }
        };
        assert_eq!(refusal(config(), few), Some(Refusal::TooFewEpisodes));
        let poor = |r: &mut DreamRequest| {
            if let DreamRequest::MayI { llm_share, .. } = r {
                *llm_share = 0.149
            }
        };
        assert_eq!(refusal(config(), poor), Some(Refusal::LlmShareTooLow));
        let dying = |r: &mut DreamRequest| {
            if let DreamRequest::MayI { phase, .. } = r {
                *phase = Phase::Terminal
            }
        };
        assert_eq!(refusal(config(), dying), Some(Refusal::Terminal));
        let busy = |r: &mut DreamRequest| {
            if let DreamRequest::MayI { action_pending, .. } = r {
                *action_pending = true
            }
        };
        assert_eq!(refusal(config(), busy), Some(Refusal::ActionPending));
    }

    #[test]
    fn autonomous_mode_wants_urgency() {
        let mut config = DreamConfig::default();
        config.schedule.mode = ScheduleMode::Autonomous;
        assert_eq!(refusal(config, |_| ()), Some(Refusal::NotUrgent));
    }

    #[test]
    fn the_number_of_dreamers_is_bounded() {
        let mut config = DreamConfig::default();
        config.schedule.max_concurrent = 1;
        let mut scheduler = DreamScheduler::new(config);
        let request = DreamRequest::MayI {
            inputs: UrgencyInputs::default(),
            phase: Phase::Stable,
            llm_share: 1.0,
            episodes: 50,
            action_pending: false,
        };
        let letter = |lineage| LetterId { golem: GolemId::founder(lineage), number: 0 };
        let answers = scheduler.step(vec![(letter(0), request.clone()), (letter(1), request.clone())]);
        assert!(matches!(answers[1].1, DreamAnswer::Refused { reason: Refusal::TooManyDreaming, .. }));
        scheduler.step(vec![(letter(0), DreamRequest::Awake)]);
        assert!(matches!(scheduler.step(vec![(letter(1), request)])[0].1, DreamAnswer::Granted { .. }));
    }
}
