//! Replay: which episodes a dreaming golem goes through again, in what order, and what it learns from each.
//!
//! Everything here turns a read-only [`Grimoire`](crate::episode::Grimoire) into plain data: scores, selections, batches,
//! what-ifs. Invariant: nothing in this room calls a language model, and nothing can write to a playbook. The replay spec
//! ("dual-system integration") demands that, so that nothing that was only dreamed steers decisions untested: the Integration
//! phase of the dream decides about the data.
//!
//! Each rule of the replay spec, where it is, and the test that holds it:
//!
//! | rule | where | test |
//! |---|---|---|
//! | gain × need with every term | [`Formula::terms`], of an episode [`Scorer::terms`] | `utility_by_hand`, `another_regime_and_a_market_at_a_right_angle` |
//! | decay and spacing both apply (ruling 1) | [`Scorer::terms`] | `decay_and_spacing_both_apply`, `five_replays_leave_0_44_and_ten_0_20` |
//! | half-lives, or the literal e-fold (ruling 2) | [`DecayForm`] | `both_forms_at_known_points`, `the_e_fold_form_is_the_literal_spec` |
//! | normalisation by the 95th percentile (ruling 3) | [`Scale`] | `terms_are_shares_of_the_yardstick`, `partial_sorting_finds_the_same_quantile` |
//! | boosts multiply (ruling 4), bloodstain on gain | [`Scorer::terms`] | `bloodstain_gain_of_the_spec`, `boosts_multiply_and_may_exceed_one` |
//! | the column pass is the single score | [`Scorer::utilities`] | `the_column_pass_has_the_bits_of_the_single_score`, `golden_scores` |
//! | the best without working out all | [`Scorer::best`] | `the_pass_gives_what_working_out_all_gives`, `thousands_are_as_good_as_worked_out`, `however_slots_are_divided` |
//! | two passes, threshold, never repeats | [`select`] | `selections_fit_and_never_repeat`, `the_oldest_third_gets_the_reserved_place` |
//! | diversity by regime, time and feeling | [`selection`] | `diversity_is_honoured_where_there_is_room` |
//! | proportional and rank sampling, importance weights | [`prioritization`] | `importance_weights_of_few_draws_are_schauls`, `inclusion_is_what_draws_say_and_undoes_the_priorities`, `both_ways_have_the_law_of_successive_sampling`, `proportional_sampling_follows_utility`, `rank_sampling_follows_the_rank` |
//! | "what confused me" | [`ReplayMode`] | `a_confused_golem_goes_by_surprise` |
//! | legacy by Hayflick ratio | [`LegacyConfig`] | `the_turn_runs_from_0_70_to_0_85` |
//! | PAD biases, sampled once; creative floor | [`PadBias`], [`creative_share`] | `moods_by_octant`, `each_mood_is_drawn_to_its_object`, `creative_work_keeps_its_floor` |
//! | batches of 5, 10 or 15, lifecycles together | [`batch`] | `uncertainty_sets_the_size`, `a_lifecycle_stays_in_one_batch` |
//! | reverse replay, rate by outcome, losses first | [`reverse`] | `credit_by_hand`, `the_rate_grows_with_the_outcome_and_losses_come_first` |
//! | credit inside a trade, backwards or forwards | [`credit`] | `backwards_one_pass_reaches_the_first_step`, `a_state_that_is_left_costs_nothing_before` |
//! | how much to put in, by growth (Kelly) | [`stakes`](mod@stakes) | `gains_are_staked_on_and_losses_are_not`, `where_much_is_at_risk_a_gain_may_be_staked_on_too_much` |
//! | forward replay: three kinds of trajectory over a causal graph, five hops | [`forward`], [`causal`] | `continuation_by_hand`, `an_experienced_regime_is_switched_to`, `a_silent_edge_fires`, `the_walk_is_breadth_first_and_bounded` |
//! | six perturbations, tolerance, rate | [`perturbed`] | `the_rate_is_met_and_all_kinds_occur` |
//! | deviation-anchored perturbation | [`anchored`] | `fifteen_basis_points_become_50_100_200` |
//! | compositional primitives | [`primitive`] | `labels_by_hand`, `only_what_was_met_apart_is_put_together` |
//! | strengthening +.5 by replay, +1 by life | [`ReplayConfig::strength_per_replay`], [`crate::memory::bardo`] | `the_least_retained_leaves` |
//! | Curator's tags and boost | [`crate::curator`] | `what_disagrees_or_is_rare_is_tagged`, `boosts_multiply_and_may_exceed_one` |
//! | seventeen metrics, predictive accuracy | [`ReplayMetrics`] | `there_are_seventeen_figures`, `accuracy_is_a_share_of_the_decided` |
//!
//! In reinforcement learning this is prioritised experience replay; in neuroscience, hippocampal replay. Utilities have no unit, results
//! are in R, times in ticks. Only dreams replay, and dreaming is off by default (`dream.enabled`); `morta score` chooses episodes by the
//! same code without a simulation, and `morta loadtest` scores those of living golems.

mod course;
mod exp2;
mod similarity;

pub mod anchored;
pub mod batch;
pub mod bias;
pub mod causal;
pub mod config;
pub mod credit;
pub mod decay;
pub mod forward;
pub mod legacy;
pub mod metrics;
pub mod perturbed;
pub mod primitive;
pub mod prioritization;
pub mod reverse;
pub mod scale;
pub mod selection;
pub mod stakes;
pub mod utility;

pub use anchored::{AnchoredCase, AnchoredReplay, Deviation, anchored_replays};
pub use batch::{Batch, Uncertainty, batch_size, batches, lifecycles};
pub use bias::{MoodConfig, Moods, PadBias, creative_share};
pub use causal::{CausalConfig, CausalEdge, CausalGraph, Hop, MarketCondition, MarketConditions};
pub use config::{GainWeights, IntensityConfig, NeedWeights, ReplayConfig};
pub use credit::{
    CreditConfig, CreditOrder, CreditedSteps, HoldState, StayValue, StayValues, assign_to_steps,
};
pub use decay::{Decay, DecayForm, replay_decay};
pub use forward::{
    AnticipatoryTrajectory, ForwardConfig, Hypothesis, PositionOutlook, anticipate, in_need_of_attention,
};
pub use legacy::LegacyConfig;
pub use metrics::{LiveVerdicts, ReplayMetrics, predictive_accuracy};
pub use perturbed::{
    PerturbationConfig, PerturbationKind, PerturbedReplay, Tolerance, perturb, plan_perturbations,
};
pub use primitive::{Neighbours, Primitive, PrimitiveLedger, PrimitiveSet, label};
pub use prioritization::Prioritization;
pub use reverse::{CreditAssignment, ReverseConfig, StepCredit, assign_credit, reverse_replays};
pub use scale::Scale;
pub use selection::{
    NotSelected, Selected, Selection, SelectionPass, SelectionReason, cut_down, reserved_places, select,
};
pub use utility::{Formula, Ingredients, Ranked, ReplayContext, ReplayMode, Scorer, UtilityTerms};
