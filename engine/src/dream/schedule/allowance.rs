//! The money that a golem may still spend on dreams: per cycle, per sleep window, per month (dream architecture, "compute
//! budget").
//!
//! A grant books its whole budget at once, and the unspent rest is returned when the golem wakes, so that the caps hold at every
//! moment; booking only what is spent would let a second dream begin on the same money. A dream that was interrupted (by the spec that
//! wastes the rest of the budget), or ended with answers still out, returns nothing. Amounts are in whole micro-dollars, times in simulated
//! seconds since 1970. It is a quota (spending cap, rate limit) with pre-authorisation. The scheduler keeps one for each golem and asks it
//! last. It moves no money: the golem's purse pays each answer. Window caps count for the tier `hardened` alone, and there for dreams whose
//! trigger is the window.

use crate::dream::DreamConfig;
use crate::dream::schedule::{Dollars, DreamRefusal, DreamTrigger, Petition};
use crate::dream::tier::DreamTier;
use crate::mortality::Phase;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// Least share of a cycle's cap that must be left for it to be worth falling asleep. Our choice: a cycle with less asks next to nothing.
const WORTHWHILE_SHARE: f64 = 0.1;

/// Seconds of a month: 30 days.
const MONTH_S: i64 = 30 * 86_400;

/// The month (billing period) of a simulated time: blocks of 30 days since 1970-01-01 UTC, because a calendar would need time zones.
pub const fn month_of(time_s: i64) -> i64 {
    time_s.div_euclid(MONTH_S)
}

/// One golem's account: a quota ledger with pre-authorised spending, by month and by sleep window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    month: i64,
    month_spent: Usdc,
    /// Start of the window that the session counts for.
    session: Option<i64>,
    session_spent: Usdc,
    session_cycles: u32,
    /// The grant of the dream under way, and whether it counts for the session.
    granted: Option<(Usdc, bool)>,
}

impl Allowance {
    /// Grants a cycle within its quotas and books its budget (pre-authorisation).
    ///
    /// # Errors
    /// When too little of the window's, the month's or the purse's money is left, or the window's cycles are used up.
    pub fn grant(&mut self, petition: &Petition, config: &DreamConfig) -> Result<Usdc, DreamRefusal> {
        assert!(self.granted.is_none(), "a golem dreams one dream at a time");
        self.turn_the_page(petition);
        let budget = &config.budget;
        let hardened = config.tier == DreamTier::Hardened;
        let session = hardened && petition.trigger == DreamTrigger::Window;
        let month_left = budget.monthly_max.0 - self.month_spent;
        let cap = cycle_max(petition, config);
        let worthwhile = cap.scaled(WORTHWHILE_SHARE).max(Usdc(1));
        let mut amount = cap.min(month_left).min(petition.llm_left);
        if session {
            let session_left = budget.per_session_max.0 - self.session_spent;
            if self.session_cycles >= max_cycles(petition.phase, config) || session_left < worthwhile {
                return Err(DreamRefusal::WindowSpent);
            }
            amount = amount.min(session_left);
        }
        if month_left < worthwhile {
            return Err(DreamRefusal::MonthSpent);
        }
        if petition.llm_left < worthwhile {
            return Err(DreamRefusal::LlmShareTooLow);
        }
        self.month_spent += amount;
        if session {
            self.session_spent += amount;
            self.session_cycles += 1;
        }
        self.granted = Some((amount, session));
        Ok(amount)
    }

    fn turn_the_page(&mut self, petition: &Petition) {
        let month = month_of(petition.time_s);
        if month != self.month {
            (self.month, self.month_spent) = (month, Usdc::ZERO);
        }
        if petition.window.is_some() && petition.window != self.session {
            (self.session, self.session_spent, self.session_cycles) = (petition.window, Usdc::ZERO, 0);
        }
    }

    /// Settles the grant of a dream that ends: the rest of its budget is refunded, unless it was wasted. Its cost is booked for the month
    /// and the window that it was granted in.
    pub fn settle(&mut self, spent: Usdc, wasted: bool) {
        let Some((granted, session)) = self.granted.take() else { return };
        let used = if wasted { granted.max(spent) } else { spent };
        self.month_spent += used - granted;
        if session {
            self.session_spent += used - granted;
        }
    }

    /// Whether a dream is under way: true while there is a pending authorisation.
    pub fn is_dreaming(&self) -> bool {
        self.granted.is_some()
    }

    /// The month (billing period) of the last grant or request, by `month_of`.
    pub fn month(&self) -> i64 {
        self.month
    }

    /// Usage of that billing period: the money booked in that month, the grant of a dream under way in full.
    pub fn month_spent(&self) -> Usdc {
        self.month_spent
    }

    /// Usage of the session: the money booked in the last sleep window.
    pub fn session_spent(&self) -> Usdc {
        self.session_spent
    }
}

/// Most the emergency dream of a hardened golem may spend: it comes out of the death reserve. The least that the dream architecture gives any cycle
/// ("dream duration": a declining golem's $0.05). No consequence was found of half and twice as much (`scenarios/sensitivity`).
const EMERGENCY_MAX: Dollars = Dollars::micros(50_000);

/// Most one cycle may spend. Core: one cap in every phase. Hardened: `per_cycle_max` and the phase's own cap.
fn cycle_max(petition: &Petition, config: &DreamConfig) -> Usdc {
    let budget = &config.budget;
    let cap = match (config.tier, petition.phase) {
        (DreamTier::Core, _) => return budget.core_cycle_max_usdc.0,
        (DreamTier::Hardened, _) if petition.trigger == DreamTrigger::Emergency => EMERGENCY_MAX,
        (DreamTier::Hardened, Phase::Terminal) => return Usdc::ZERO,
        (DreamTier::Hardened, phase) => by_phase!(budget.cycle_max_by_phase, phase),
    };
    cap.0.min(budget.per_cycle_max.0)
}

/// Most cycles in one window, hardened.
fn max_cycles(phase: Phase, config: &DreamConfig) -> u32 {
    if phase == Phase::Terminal { 0 } else { by_phase!(config.budget.max_cycles_per_window, phase) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::dream::petition;

    #[test]
    fn the_month_is_a_hard_cap_of_both_tiers() {
        let mut config = DreamConfig::default();
        config.budget.monthly_max = Dollars::micros(4_000);
        let mut allowance = Allowance::default();
        let now = petition(DreamTrigger::Interval);
        assert_eq!(allowance.grant(&now, &config), Ok(Usdc(3_000)));
        allowance.settle(Usdc(3_000), false);
        assert_eq!(allowance.grant(&now, &config), Ok(Usdc(1_000)));
        allowance.settle(Usdc(1_000), false);
        assert_eq!(allowance.grant(&now, &config), Err(DreamRefusal::MonthSpent));
        let next_month = Petition { time_s: now.time_s + MONTH_S, ..now };
        assert_eq!(allowance.grant(&next_month, &config), Ok(Usdc(3_000)));
    }
}
