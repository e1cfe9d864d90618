//! The schedule of dreams: when a golem may dream, for how long and at what price (windows, clocks, caps, alarms).
//!
//! Everything here is a rule without state, but for two: the [`Allowance`] that the [`DreamScheduler`](crate::dream::DreamScheduler)
//! keeps for each golem, and the prices of alarms ([`timetable::Watch`]) that a golem itself keeps while it dreams. Both are in
//! checkpoints. Each rule of the dream architecture, and where it is:
//!
//! | rule | here | its test |
//! |---|---|---|
//! | owner, autonomous, hybrid (and our interval) | [`crate::dream::scheduler`] | `each_mode_grants_its_own_triggers` |
//! | the four preconditions | [`gate`] | `the_four_preconditions` |
//! | sleep windows | [`window`] | `a_window_may_cross_midnight` |
//! | urgency and its terms | [`crate::dream::urgency`] | `a_worked_example` |
//! | accumulation, −0.1 a tick, +0.02 | [`crate::dream::urgency`] | `blocked_urgency_decays_and_comes_back` |
//! | CORE and HARDENED, four caps | [`allowance`] | `no_cap_is_ever_exceeded` |
//! | phase shares and their override | [`allocation`] | `the_table_and_its_override` |
//! | three clocks, dream intensity | [`clocks`] | `clock_urgencies_match_the_digest` |
//! | intensity by uncertainty | [`crate::dream::imagination`], [`crate::dream::tier`] | `the_intensity_table` |
//! | wake interrupts | [`interrupt`], [`timetable`] | `a_window_of_minutes_becomes_ticks` |
//! | micro-consolidation | [`crate::dream::micro`] | `a_match_strengthens_and_an_anomaly_is_flagged` |
//!
//! Urgency runs from 0 to 1, money is in dollars, time in ticks or simulated seconds. The golem weighs its urgency and asks
//! (`golem::sleep_pressure`); the scheduler grants or refuses. In sleep research these are sleep pressure (process S) and windows (process
//! C) of the two-process model.

/// What a table by phase says of a phase. A terminal golem dreams by what holds for a declining one.
macro_rules! by_phase {
    ($table:expr, $phase:expr) => {
        match $phase {
            $crate::mortality::Phase::Thriving => $table.thriving,
            $crate::mortality::Phase::Stable => $table.stable,
            $crate::mortality::Phase::Conservation => $table.conservation,
            $crate::mortality::Phase::Declining | $crate::mortality::Phase::Terminal => $table.declining,
        }
    };
}
pub(super) use by_phase;

pub mod allocation;
pub mod allowance;
pub mod clocks;
pub mod config;
pub mod dollars;
pub mod gate;
pub mod interrupt;
pub mod order;
pub mod timetable;
pub mod trigger;
pub mod window;

pub use allocation::{PhaseBudgets, PhasesConfig};
pub use allowance::Allowance;
pub use clocks::{ClockUrgency, ClocksConfig, EconomicStage, ThreeClockReading};
pub use config::{
    BudgetConfig, DirectiveConfig, InterruptConfig, ScheduleConfig, ScheduleMode, WakeInterruptsConfig,
    WindowsConfig,
};
pub use dollars::Dollars;
pub use gate::{DreamRefusal, Petition};
pub use interrupt::{WakeReason, WakeSource};
pub use order::{DreamOrder, DreamScope};
pub use timetable::Timetable;
pub use trigger::DreamTrigger;
pub use window::SleepWindow;
