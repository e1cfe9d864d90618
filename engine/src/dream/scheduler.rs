//! Who may dream now. Golems ask when they want to; the scheduler holds each petition against the gate, the mode and the
//! golem's allowance, and answers with a budget.

use crate::dream::DreamConfig;
use crate::dream::schedule::allowance::month_of;
use crate::dream::schedule::{Allowance, DreamTrigger, Petition, Refusal, ScheduleMode, gate};
use crate::dream::urgency::UrgencyTerms;
use crate::phase::phase;
use morta_base::{GolemId, LetterId, Usdc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a golem writes: that it wants to dream, or that it has woken up.
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

/// The answer.
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
        reason: Refusal,
    },
}

/// The gate, who is behind it, and what everybody may still spend.
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
    /// Gives a scheduler that was loaded its keys back.
    pub fn rebind(&mut self, config: DreamConfig) {
        self.config = config;
    }

    /// Nobody dreams yet.
    pub fn new(config: DreamConfig) -> Self {
        Self { config, allowances: BTreeMap::new(), dreaming: 0, month: 0 }
    }

    /// How many golems are dreaming.
    pub fn dreaming(&self) -> usize {
        self.dreaming as usize
    }

    /// What a golem has booked, if it has dreamt this month.
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

    /// `shouldDream()`: every trigger passes the same gate.
    fn decide(&mut self, golem: GolemId, petition: &Petition) -> Result<Usdc, Refusal> {
        if let Some(reason) = gate::refusal(petition, &self.config) {
            return Err(reason);
        }
        if !self.permits(petition) {
            return Err(Refusal::NotUrgent);
        }
        let full = self.config.schedule.max_concurrent;
        if full > 0 && self.dreaming >= full {
            return Err(Refusal::TooManyDreaming);
        }
        self.forget_last_month(petition.time_s);
        let budget = self.allowances.entry(golem).or_default().grant(petition, &self.config)?;
        self.dreaming += 1;
        Ok(budget)
    }

    /// Whether the mode grants such a trigger: a window is permission enough, urgency must reach the threshold.
    fn permits(&self, petition: &Petition) -> bool {
        let mode = self.config.schedule.mode;
        match petition.trigger {
            DreamTrigger::Directive | DreamTrigger::Emergency => true,
            DreamTrigger::Interval => mode == ScheduleMode::Interval,
            DreamTrigger::Window => mode.keeps_windows() && petition.window.is_some(),
            _ => mode.heeds_urgency() && petition.urgency >= petition.threshold,
        }
    }

    /// Accounts of past months are of no use any more, and most of their holders are dead.
    fn forget_last_month(&mut self, time_s: i64) {
        let month = month_of(time_s);
        if month != self.month {
            self.month = month;
            self.allowances.retain(|_, allowance| allowance.is_dreaming() || allowance.month() == month);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dream::DreamTier;
    use crate::dream::schedule::Dollars;
    use crate::dream::schedule::gate::tests::petition;
    use crate::mortality::Phase;
    use proptest::prelude::*;

    fn letter(lineage: u32) -> LetterId {
        LetterId { golem: GolemId::founder(lineage), number: 0 }
    }

    fn ask(scheduler: &mut DreamScheduler, lineage: u32, petition: Petition) -> Result<Usdc, Refusal> {
        match scheduler.step(vec![(letter(lineage), DreamRequest::MayI(Box::new(petition)))])[0].1 {
            DreamAnswer::Granted { budget, .. } => Ok(budget),
            DreamAnswer::Refused { reason, .. } => Err(reason),
        }
    }

    fn scheduler(mode: ScheduleMode) -> DreamScheduler {
        let mut config = DreamConfig::default();
        config.schedule.mode = mode;
        DreamScheduler::new(config)
    }

    #[test]
    fn each_mode_grants_its_own_triggers() {
        let urgent = Petition { urgency: 0.8, ..petition(DreamTrigger::Time) };
        let calm = Petition { urgency: 0.79, ..petition(DreamTrigger::Time) };
        let window = Petition { window: Some(0), ..petition(DreamTrigger::Window) };
        let due = petition(DreamTrigger::Interval);
        let told = petition(DreamTrigger::Directive);
        let dying = Petition { phase: Phase::Terminal, ..petition(DreamTrigger::Emergency) };
        for (mode, [by_urgency, by_window, by_interval]) in [
            (ScheduleMode::Interval, [false, false, true]),
            (ScheduleMode::Owner, [false, true, false]),
            (ScheduleMode::Autonomous, [true, false, false]),
            (ScheduleMode::Hybrid, [true, true, false]),
        ] {
            let granted = |petition: &Petition| ask(&mut scheduler(mode), 0, petition.clone()).is_ok();
            assert_eq!(granted(&urgent), by_urgency, "{mode:?}");
            assert_eq!(granted(&window), by_window, "{mode:?}");
            assert_eq!(granted(&due), by_interval, "{mode:?}");
            assert!(!granted(&calm), "{mode:?}");
            assert!(granted(&told) && granted(&dying), "{mode:?}");
        }
    }

    #[test]
    fn no_trigger_passes_a_closed_gate() {
        for trigger in [DreamTrigger::Directive, DreamTrigger::Emergency, DreamTrigger::Interval] {
            let poor = Petition { llm_share: 0.1, ..petition(trigger) };
            let found = ask(&mut scheduler(ScheduleMode::Interval), 0, poor);
            assert_eq!(found, Err(Refusal::LlmShareTooLow));
        }
    }

    #[test]
    fn the_number_of_dreamers_is_bounded() {
        let mut config = DreamConfig::default();
        config.schedule.max_concurrent = 1;
        let mut scheduler = DreamScheduler::new(config);
        let told = || petition(DreamTrigger::Directive);
        assert!(ask(&mut scheduler, 0, told()).is_ok());
        assert_eq!(ask(&mut scheduler, 1, told()), Err(Refusal::TooManyDreaming));
        let awake = DreamRequest::Awake { spent: Usdc::ZERO, wasted: false };
        scheduler.step(vec![(letter(0), awake.clone()), (letter(1), awake)]);
        assert_eq!(scheduler.dreaming(), 0, "who did not dream does not wake");
        assert!(ask(&mut scheduler, 1, told()).is_ok());
    }

    #[test]
    fn accounts_of_past_months_are_dropped() {
        let mut scheduler = scheduler(ScheduleMode::Interval);
        let now = petition(DreamTrigger::Directive);
        for lineage in 0..3 {
            ask(&mut scheduler, lineage, now.clone()).unwrap();
        }
        for lineage in 0..2 {
            let awake = DreamRequest::Awake { spent: Usdc(10), wasted: false };
            scheduler.step(vec![(letter(lineage), awake)]);
        }
        let later = Petition { time_s: now.time_s + 31 * 86_400, ..now };
        ask(&mut scheduler, 9, later).unwrap();
        assert!(scheduler.allowance(GolemId::founder(0)).is_none());
        assert!(scheduler.allowance(GolemId::founder(2)).is_some(), "it is still dreaming");
    }

    proptest! {
        /// Many golems, many dreams, some interrupted: nobody ever exceeds the month.
        #[test]
        fn nobody_exceeds_the_month(
            monthly in 1_i64..20_000,
            asks in prop::collection::vec((0_u32..4, 0.0..=1.0_f64, any::<bool>()), 1..80),
        ) {
            let mut config = DreamConfig { tier: DreamTier::Hardened, ..DreamConfig::default() };
            config.budget.monthly_max = Dollars::micros(monthly);
            config.budget.per_cycle_max = Dollars::micros(7_000);
            let mut scheduler = DreamScheduler::new(config);
            let mut used: BTreeMap<u32, i64> = BTreeMap::new();
            for (lineage, share, wasted) in asks {
                let Ok(budget) = ask(&mut scheduler, lineage, petition(DreamTrigger::Directive)) else { continue };
                let spent = Usdc((budget.0 as f64 * share).floor() as i64);
                *used.entry(lineage).or_default() += if wasted { budget.0 } else { spent.0 };
                scheduler.step(vec![(letter(lineage), DreamRequest::Awake { spent, wasted })]);
            }
            prop_assert!(used.values().all(|sum| *sum <= monthly), "{used:?}");
            for (lineage, sum) in used {
                let booked = scheduler.allowance(GolemId::founder(lineage)).unwrap().month_spent();
                prop_assert_eq!(booked, Usdc(sum));
            }
        }
    }
}
