//! Three clocks (money, knowledge, chance), the vitality worked out from money, knowledge and age, the phases of a life, and death.
//!
//! | rule of the digest | where | held by |
//! |---|---|---|
//! | section 11: vitality and phases | `vitality` | `vitality_matches_the_digest`, `phases_rise_late_and_fall_at_once` |
//! | section 11: reserve, three rules of ruin, survival pressure | `economic` | `the_reserve_covers_dying`, `three_rules_of_ruin`, `survival_pressure_by_hand` |
//! | section 11: partitions, rebalancing, the legacy of the terminal | `purse` | `the_legacy_is_put_aside_for_good` |
//! | section 11: credit ladder | `ladder` | `down_at_once_and_up_late`, `each_rung_does_its_own` |
//! | section 11: fitness in three forms, by domain and by regime | `fitness` | `domains_learn_at_their_own_pace`, `each_regime_has_an_accuracy_of_its_own`, `r_squared_by_hand` |
//! | our own: fitness as skill | `skill`, `forecasts` | `skill_by_hand`, `repeating_a_reference_has_no_skill`, `each_strategy_has_one_place` |
//! | section 11: senescence in stages, staleness | `senescence` | `stages_and_their_ways_back`, `two_rules_of_death_and_staleness` |
//! | section 11: hazard, its table and its medians | `hazard` | `hazard_and_survival_match_the_digest`, `lives_end_as_the_formula_says` |
//! | section 11: the oracle life | `oracle_life` | `the_oracle_life_adds_up` |
//! | sections 2, 3, 15: what phases change | `phase_effects` | `every_effect_in_every_phase` |
//! | section 13: tiers, budgets, dynamic reserve | `thanatopsis` | `tiers_and_their_budgets`, `the_harder_survival_the_more_goes_into_dying` |
//! | section 13: arc, turning points, landmarks | `narrative` | `arcs_at_their_limits`, `the_five_sharpest_turns_are_kept` |
//!
//! The vocabulary is that of survival analysis: hazard rate, senescence, frailty, cause of death. Fitness, vitality, pressure and shares
//! run from 0 to 1; money is in dollars, age in ticks. The golem's room reads the clocks once a tick until the golem begins to die;
//! formulas and state machines are here. A clock kills only golems of mortal cohorts, and only where that clock is on; planned kills and
//! faults end immortals too.

pub mod cause;
pub mod config;
pub mod economic;
pub mod epistemic;
pub mod fitness;
pub mod forecasts;
pub mod hazard;
pub mod kill;
pub mod ladder;
pub mod narrative;
#[cfg(test)]
mod oracle_life;
pub mod phase_effects;
pub mod purse;
pub mod reading;
pub mod senescence;
pub mod skill;
pub mod thanatopsis;
pub mod vitality;

pub use cause::{Cause, Clock};
pub use config::{EpistemicDeath, MortalityConfig};
pub use epistemic::{Epistemics, Observed};
pub use forecasts::{CandidateForecast, SettledForecast};
pub use hazard::hazard;
pub use kill::Kill;
pub use ladder::Rung;
pub use purse::{Compartment, Purse};
pub use reading::{MortalityReading, ReadingRing};
pub use thanatopsis::{DyingPhase, TestamentTier};
pub use vitality::{Phase, urgency, vitality};
