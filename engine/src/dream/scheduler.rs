//! The dream scheduler: holds each petition against the gate, the mode and the golem's allowance, and answers with a budget (dream
//! architecture, "DreamScheduler gate": all triggers pass one `shouldDream()`). Budgets are in dollars, urgency runs from 0 to 1. It is a
//! job scheduler with admission control and a concurrency limit (semaphore). It is one of the shared services: letters of a tick are served
//! at the barrier, in the order of golems, and answered in the next. It knows no golem, so all facts come with the petition. A refused
//! golem waits before it asks again: ten ticks in an emergency or, with the tier `hardened`, in a window, else its interval. Once the
//! window's money or the month's is spent, it waits for the next window and gives an emergency up. A refused directive lapses.

use crate::dream::DreamConfig;
use crate::dream::schedule::allowance::month_of;
use crate::dream::schedule::{Allowance, DreamRefusal, DreamTrigger, Petition, ScheduleMode, gate};
use crate::dream::urgency::UrgencyTerms;
use crate::phase::phase;
use morta_base::{GolemId, LetterId, Usdc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A golem's request to the scheduler: it asks to dream (job submission), or reports that it is awake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamRequest {
    /// May I dream?
    MayI(Box<Petition>),
    /// I have woken up, or died in my sleep, or never fell asleep.
    Awake {
        /// What the dream cost.
        spent: Usdc,
        /// Whether what was left of its budget is lost.
        wasted: bool,
    },
}

/// The scheduler's response to a request: granted, or refused with a reason.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamAnswer {
    /// Sleep well.
    Granted {
        /// What made the golem ask.
        trigger: DreamTrigger,
        /// Urgency when asked.
        urgency: f64,
        /// What urgency was made of.
        terms: UrgencyTerms,
        /// Most the cycle may spend on inference.
        budget: Usdc,
    },
    /// Not now.
    Refused {
        /// What made the golem ask.
        trigger: DreamTrigger,
        /// Urgency when asked.
        urgency: f64,
        /// Why.
        reason: DreamRefusal,
    },
}

/// The state of the job scheduler, which has a concurrency limit and quotas: its keys, the allowances of all golems and the number of
/// dreamers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamScheduler {
    /// Not part of a snapshot: the plan has it.
    #[serde(skip)]
    config: DreamConfig,
    allowances: BTreeMap<GolemId, Allowance>,
    dreaming: u32,
    /// The month of the last petition.
    month: i64,
}

impl DreamScheduler {
    /// Goes on by these keys: after loading from a snapshot, which has none, and at a hot reload.
    pub fn rebind(&mut self, config: DreamConfig) {
        self.config = config;
    }

    /// The idle scheduler before the first dream.
    pub fn new(config: DreamConfig) -> Self {
        Self { config, allowances: BTreeMap::new(), dreaming: 0, month: 0 }
    }

    /// Number of golems that are dreaming: the active jobs.
    pub fn dreaming(&self) -> usize {
        self.dreaming as usize
    }

    /// The allowance (quota) of a golem, if it has dreamt this month.
    pub fn allowance(&self, golem: GolemId) -> Option<&Allowance> {
        self.allowances.get(&golem)
    }

    /// Handles this tick's letters in their order.
    pub fn step(&mut self, letters: Vec<(LetterId, DreamRequest)>) -> Vec<(LetterId, DreamAnswer)> {
        phase!("dream scheduler");
        letters
            .into_iter()
            .filter_map(|(letter, request)| match request {
                DreamRequest::Awake { spent, wasted } => {
                    self.wake(letter.golem, spent, wasted);
                    None
                }
                DreamRequest::MayI(petition) => Some((letter, self.answer(letter.golem, &petition))),
            })
            .collect()
    }

    fn wake(&mut self, golem: GolemId, spent: Usdc, wasted: bool) {
        if let Some(allowance) = self.allowances.get_mut(&golem)
            && allowance.is_dreaming()
        {
            allowance.settle(spent, wasted);
            self.dreaming -= 1;
        }
    }

    fn answer(&mut self, golem: GolemId, petition: &Petition) -> DreamAnswer {
        let Petition { trigger, urgency, terms, .. } = *petition;
        match self.decide(golem, petition) {
            Ok(budget) => DreamAnswer::Granted { trigger, urgency, terms, budget },
            Err(reason) => DreamAnswer::Refused { trigger, urgency, reason },
        }
    }

    /// The spec's `shouldDream()`: every trigger passes the same gate. The allowance comes last, because it books the money.
    fn decide(&mut self, golem: GolemId, petition: &Petition) -> Result<Usdc, DreamRefusal> {
        if let Some(reason) = gate::refusal(petition, &self.config) {
            return Err(reason);
        }
        if !self.permits(petition) {
            return Err(DreamRefusal::NotUrgent);
        }
        let full = self.config.schedule.max_concurrent;
        if full > 0 && self.dreaming >= full {
            return Err(DreamRefusal::TooManyDreaming);
        }
        self.forget_last_month(petition.time_s);
        let budget = self.allowances.entry(golem).or_default().grant(petition, &self.config)?;
        self.dreaming += 1;
        Ok(budget)
    }

    /// Whether the mode grants such a trigger: a window is permission enough ("the window itself is the permission"), urgency
    /// must reach the threshold.
    fn permits(&self, petition: &Petition) -> bool {
        let mode = self.config.schedule.mode;
        match petition.trigger {
            DreamTrigger::Directive | DreamTrigger::Emergency => true,
            DreamTrigger::Interval => mode == ScheduleMode::Interval,
            DreamTrigger::Window => mode.keeps_windows() && petition.window.is_some(),
            _ => mode.heeds_urgency() && petition.urgency >= petition.threshold,
        }
    }

    /// Drops allowances of past months: they bound nothing any more, and most of their holders are dead.
    fn forget_last_month(&mut self, time_s: i64) {
        let month = month_of(time_s);
        if month != self.month {
            self.month = month;
            self.allowances.retain(|_, allowance| allowance.is_dreaming() || allowance.month() == month);
        }
    }
}
