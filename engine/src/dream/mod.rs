//! Dreaming: its schedule and budget, its five phases, and the integration of what it concludes (dream architecture, "the
//! three-phase cycle").
//!
//! A dream can't act. Its code gets a [`DreamView`], which only reads a golem's memory and has no path to the market, and returns
//! a [`DreamReport`]; [`integration`] applies the report and is the only room that can change a playbook. The spec enforces that
//! with a tool hook at run time; here the types do, so that a dream that trades doesn't compile.
//!
//! Each rule of the dream architecture, where it is, and the test that holds it. The schedule has its own table in [`schedule`];
//! the selection of episodes, in [`crate::replay`].
//!
//! | rule | where | test |
//! |---|---|---|
//! | five phases in order, budget by behavioural phase | [`DreamPhase::allowance`], [`schedule::allocation`] | `the_table_and_its_override`, `a_rich_dream_goes_through_everything` |
//! | no budget exceeded, no token beyond a limit | [`account::Account`] | `a_phase_is_never_exceeded`, `budgets_and_limits_hold_to_the_last_token` |
//! | CORE: compressed replay, one counterfactual, integration | [`tier::DreamTier`] | `a_lightweight_dream_is_short_and_plain` |
//! | thalamic gate | [`onset::thalamic_gate`] | `the_gate_closes` |
//! | executive loosener | [`onset::executive_loosener`] | `the_temperature_rises_along_a_cosine` |
//! | Dalí interrupt, four partials of 80 tokens, depth by phase | [`onset`] | `the_depth_table`, `budgets_and_limits_hold_to_the_last_token` |
//! | fragments from two or three episodes | [`crate::llm::Fragment`] | `a_fragment_never_happened` |
//! | homuncular observer | [`crate::llm::simulated`] | `the_observer_weighs_novelty_most` |
//! | targeted incubation | [`onset`] | `the_keyword_is_embedded_by_the_trades_that_it_speaks_of`, `the_keyword_is_near_by_halves` |
//! | batches, reverse, forward and perturbed replay | [`nrem`] | `a_rich_dream_goes_through_everything` |
//! | preserve, abstract, forget | [`nrem::triage`] | `three_fates`, `only_what_was_replayed_is_forgotten_and_the_buffer_is_bounded` |
//! | counterfactuals to a depth | [`rem`] | `ways_not_taken_come_in_order_of_control`, `a_counterfactual_favours_what_would_have_paid` |
//! | Boden's three kinds by phase, creative floor, stochastic activation | [`rem::creative`] | `modes_by_phase`, `the_three_kinds_of_creativity`, `creative_work_keeps_its_floor` |
//! | threats: taxonomy, priority, factors, rehearsal | [`rem::threat`], [`crate::episode::ThreatRecord`] | `five_threats_a_tier`, `priorities_by_hand`, `acute_threats_press_in_wild_and_thin_markets`, `five_rehearsals_halve_the_arousal` |
//! | depotentiation A·(1 − δ) | [`integration`] | `a_rich_dream_goes_through_everything` |
//! | intensity by uncertainty | [`imagination::Intensity`] | `the_intensity_table` |
//! | six output classes, dedup | [`integration`] | `likeness_is_the_cosine_of_the_features`, `the_same_subject_is_staged_once` |
//! | staging: +.1, −.05, .7, .1, ten places, 5,000 ticks | [`integration::beliefs`] | `five_confirmations_promote`, `three_contradictions_refute`, `waiting_too_long_expires`, `the_cap_holds_and_promotion_takes_five` |
//! | admission gate | [`integration::admission`] | `small_stale_and_denied_claims_are_rejected` |
//! | the playbook has one writer; a dream can't act | [`integration::beliefs`], [`integration::playbook`], [`DreamView`] | `compile_fail` doctests |
//! | journal, self-assessed quality | [`journal`] | `self_assessment_by_hand` |
//! | interrupted dreams keep what they found | [`cycle`] | `death_in_sleep_keeps_the_journal` |
//! | does it learn? | [`integration`] | example `learning` |
//!
//! Not built, and why: escalation to the large model for complex episodes of replay (steps inside a trade are learnt from without
//! a model), checks whether a guard is feasible (a guard takes away a part of the stake, which is always feasible), automatic
//! re-estimation of the observer's bias (it is a key), Venice routing, session branching (out of scope). Costs are in dollars, times in
//! ticks, results in R. The field's terms: offline learning, memory consolidation in sleep, experience replay, generative replay.

pub mod account;
pub mod circumstances;
pub mod config;
pub mod cycle;
pub mod imagination;
pub mod integration;
pub mod journal;
pub mod micro;
pub mod nrem;
pub mod onset;
pub mod pace;
pub mod phase;
pub mod rem;
pub mod report;
pub mod schedule;
pub mod scheduler;
pub mod tier;
pub mod urgency;
pub mod view;
mod wake;

pub use circumstances::Circumstances;
pub use config::DreamConfig;
pub use cycle::{DreamCycle, DreamStep};
pub use integration::beliefs::{Belief, BeliefEntry, Beliefs, Status};
pub use journal::DreamJournalEntry;
pub use phase::DreamPhase;
pub use report::{DreamNote, DreamReport};
pub use schedule::{
    DreamOrder, DreamRefusal, DreamScope, DreamTrigger, Petition, Timetable, WakeReason, WakeSource,
};
pub use scheduler::{DreamAnswer, DreamRequest, DreamScheduler};
pub use tier::DreamTier;
pub use view::DreamView;
