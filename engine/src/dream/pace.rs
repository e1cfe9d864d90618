//! Duration of a dream and number of its questions (dream architecture, "dream duration" and "session branching"): a timetable with a
//! deadline (timeout).
//!
//! Times are in ticks, turns are questions. By default there is no deadline: without `keep` a dream lasts as long as its answers take,
//! unless `timeout_ticks` is set (where `keep` sets one too, the earlier counts). With `keep`, phases get their shares of the time as of
//! the money, so that a rich dream isn't over in the ticks that a poor one takes; that counts for full dreams of the tier `hardened`. At
//! the deadline the dream ends with what it has; late answers are paid and dropped. The lookup tables are by behavioural phase; the limit
//! of questions (60) is a request quota that `cycle` counts down.

use crate::dream::circumstances::Circumstances;
use crate::dream::phase::DreamPhase;
use crate::dream::schedule::{DreamScope, PhaseBudgets, by_phase};
use crate::dream::tier::DreamTier;
use crate::mortality::Phase;
use crate::replay::Uncertainty;
use morta_base::keys;
use morta_base::{TableChecker, Tick};
use serde::{Deserialize, Serialize};

keys! {
    /// The `[dream.pace]` table: the limits of a cycle (dream architecture, "dream duration" and "session branching").
    pub struct PaceConfig {
        /// Whether a full cycle of the hardened tier takes the time of its behavioural phase: the least of it for a golem that is sure of
        /// its predictions, the most for one that is very unsure, the middle between. Each phase of the cycle begins when its share of
        /// the time has come, as its share of the money is. Off, a cycle takes as long as its questions take.
        keep: bool = false;
        // Dream architecture, "dream duration": 30–60, 20–40, 10–20 and 5–10 ticks by phase.
        /// Least ticks of such a cycle.
        least_ticks: TicksByPhase = TicksByPhase { thriving: 30, stable: 20, conservation: 10, declining: 5 };
        /// Most ticks of such a cycle; at this age it is over, whatever answers are still out.
        most_ticks: TicksByPhase = TicksByPhase { thriving: 60, stable: 40, conservation: 20, declining: 10 };
        /// Ticks after which any cycle is over, whatever answers are still out (our own key, for both tiers); left out: none but
        /// `most_ticks`.
        #[serde(skip_serializing_if = "Option::is_none")]
        timeout_ticks: Option<u64> = None, in 1..=1_000_000_000, "ticks";
        // Dream architecture, "Pi session branching": about 60 turns for HARDENED.
        /// Most questions in one cycle.
        max_turns: u32 = 60, in 1..=100_000, "questions";
    }
    also least_is_no_more_than_most;
}

keys! {
    /// A number of ticks for each phase that dreams.
    #[derive(Copy, Eq)]
    pub struct TicksByPhase {
        /// Of a thriving golem.
        thriving: u64, in 0..=1_000_000, "ticks";
        /// Of a stable golem.
        stable: u64, in 0..=1_000_000, "ticks";
        /// Of a conserving golem.
        conservation: u64, in 0..=1_000_000, "ticks";
        /// Of a declining golem, and of a terminal one.
        declining: u64, in 0..=1_000_000, "ticks";
    }
}

impl TicksByPhase {
    const fn for_phase(&self, phase: Phase) -> u64 {
        by_phase!(self, phase)
    }
}

impl PaceConfig {
    fn least_is_no_more_than_most(&self, table: &mut TableChecker<'_>) {
        for phase in [Phase::Thriving, Phase::Stable, Phase::Conservation, Phase::Declining] {
            let (least, most) = (self.least_ticks.for_phase(phase), self.most_ticks.for_phase(phase));
            let remedy = format!("it may be at most what `most_ticks` says of the same phase, {most}");
            table.demand(least <= most, "least_ticks", least, remedy);
        }
    }
}

/// The pace of one dream: a time budget with a deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    began: Tick,
    /// Ticks that it is meant to take.
    aim: Tick,
    /// Ticks after which it ends, whatever answers are still out.
    most: Option<Tick>,
}

impl Pace {
    /// The pace of a dream that begins now: its target duration and deadline, from tier, scope, phase and uncertainty.
    pub fn new(began: Tick, now: &Circumstances, config: &PaceConfig) -> Self {
        let keeps = config.keep && now.tier == DreamTier::Hardened && now.scope == DreamScope::Full;
        if !keeps {
            return Self { began, aim: 0, most: config.timeout_ticks };
        }
        let (least, most) = (config.least_ticks.for_phase(now.phase), config.most_ticks.for_phase(now.phase));
        let aim = match now.uncertainty {
            Uncertainty::Low => least,
            Uncertainty::Medium => least + (most - least) / 2,
            Uncertainty::High => most,
        };
        Self { began, aim, most: Some(config.timeout_ticks.map_or(most, |timeout| timeout.min(most))) }
    }

    /// The earliest tick at which a phase may begin: after its predecessors' shares of the time, which are those of the money. For none,
    /// the tick at which the cycle is to end.
    pub fn opens(&self, phase: Option<DreamPhase>, money: &PhaseBudgets) -> Tick {
        let Some(phase) = phase else { return self.began + self.aim };
        let all = money.total().0.max(1) as u64;
        let before = DreamPhase::ALL.into_iter().take_while(|earlier| *earlier != phase);
        let spent: u64 = before.map(|earlier| earlier.allowance(money).0.max(0) as u64).sum();
        self.began + self.aim * spent / all
    }

    /// Whether the time has run out (timeout); never without a deadline.
    pub fn is_over(&self, now: Tick) -> bool {
        self.most.is_some_and(|most| now > self.began + most)
    }
}
