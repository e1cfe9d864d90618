//! The daimon: affect. Happenings are felt as pleasure, arousal and dominance (PAD), move a golem's mood, and through the mood its
//! decisions. Everything here is a function of values; [`Affect`] is the state, and `golem::affect` moves it. Its keys are the `[daimon]`
//! table; affect is on by default. The right column names the tests that hold each rule.
//!
//! | rule (digest section 10) | code | held by |
//! |---|---|---|
//! | strong feelings are appraised by a model, mode `chain` | [`chain`] | `a_model_appraises_what_is_strong` |
//! | Plutchik's names by octant | [`Emotion`] | `octants_have_their_names` |
//! | the rule table | [`appraise`] | `the_rule_table`, `only_large_misses_surprise` |
//! | the trigger: new, strong or mandatory | [`Trigger`] | `the_new_the_strong_and_the_grave_are_felt` |
//! | mood, event form .95 | [`Mood::feel`] | `a_mood_moves_by_intensity` |
//! | residual-driven rates, losses ×1.6 | [`Mood::follow`] | `losses_move_a_mood_faster` |
//! | tick appraisal, mood .9 | [`tick_appraisal`] | `a_tick_is_appraised_by_the_formula` |
//! | personality, 5 % every 10 ticks | [`personality`] | `its_nature_draws_a_mood_back`, `experience_bends_slowly_and_not_without_end` |
//! | anxiety, vertigo, dread, their blend | [`mortality_affect`](mod@mortality_affect) | `money_running_out_is_felt`, `knowledge_running_out_is_felt`, `chance_is_dreaded_within_bounds`, `the_strongest_names_the_blend` |
//! | temperature and inverse temperature | [`behaviour`] | `temperature_and_its_inverse` |
//! | stakes by feeling | [`BehaviourConfig::risk_factor`] | `feelings_change_stakes` |
//! | probe threshold | `behaviour::probe_factor` | `the_anxious_probe_and_the_content_do_not` |
//! | share threshold | [`share_threshold`] | `sharing_by_hazard_and_mood` |
//! | action score (section 1) | [`behaviour::action_score`] | `the_dying_reach_for_gain` |
//! | contagion | [`contagion`] | `a_third_of_the_others_moods_is_caught`, `arousal_rises_by_no_more_than_its_limit`, `half_is_left_after_six_hours` |
//! | somatic markers | [`somatic`] | `valence_of_trades`, `a_marker_moves_by_fifteen_per_cent`, `the_nearest_speak_loudest` |
//! | rumination guard | [`rumination`] | `memories_come_back_about_every_two_hundred_ticks`, `nothing_is_brooded_over_for_ever` |
//! | grief, 100 ticks | [`grief`] | `grief_passes`, `a_death_in_the_family_is_grieved` |
//! | learned helplessness (section 9) | [`helplessness`] | `two_hundred_ticks_are_averaged` |
//! | a mood is reported when it has moved by .15 | [`Affect::news`] | `a_mood_is_reported_when_it_has_moved` |

pub mod affect;
pub mod appraisal;
pub mod behaviour;
pub mod cause;
pub mod chain;
pub mod config;
pub mod contagion;
pub mod grief;
pub mod helplessness;
pub mod label;
pub mod mood;
pub mod mortality_affect;
pub mod pad;
pub mod personality;
pub mod rumination;
pub mod somatic;
pub mod summary;
pub mod tag;
pub mod tick_appraisal;
pub mod trigger;

pub use affect::{Affect, Rhythm, Shift};
pub use appraisal::{Appraisal, Happening, RuleTable, appraise};
pub use behaviour::{BehaviourConfig, share_threshold};
pub use cause::MoodCause;
pub use config::{AffectMode, DaimonConfig};
pub use label::Emotion;
pub use mood::Mood;
pub use mortality_affect::mortality_affect;
pub use pad::Pad;
pub use summary::AffectSummary;
pub use tag::{ArousalTag, Felt};
pub use trigger::Trigger;
