//! Keys and tables of earlier builds that are constants now: deprecated configuration keys. No shipped file set them, and no spec asks for a
//! choice there, or no consequence of one was found; where a spec gives the value, the constant cites it. A file or flag that sets one is
//! refused with the value it always has; manifests of earlier builds are read without them, so that their folders stay readable. The value
//! here is text for that message and is computed with nowhere.

use super::spelling::same_key;
use morta_base::keys::for_each_table;
use serde_json::Value;

/// Each with the value that it has for ever, so that its refusal can say what holds; empty for tables, and where nothing is left that would
/// read it. `*` stands for every entry of a list or table.
const FIXED: [(&str, &str); 148] = [
    ("clade.bloodstain_weight", "0.05"),
    ("clade.fragment_threshold", "0.6"),
    ("clade.provenance_weight", "0.15"),
    ("clade.quality_weight", "0.15"),
    ("clade.semantic_weight", "0.4"),
    ("clade.temporal_weight", "0.25"),
    ("curator.corroboration_step", "0.1"),
    ("curator.edit_r", "0.25"),
    ("daimon.behaviour.risk_high_intensity", "0.5"),
    ("daimon.behaviour.risk_medium_intensity", "0.25"),
    ("daimon.chain.under_way", "1"),
    ("daimon.faint", "0.05"),
    ("daimon.grief.pull", "0.05"),
    ("daimon.grief.withdrawal", "0.5"),
    ("daimon.mortality.interval_ticks", "10"),
    ("daimon.mortality.trend_ticks", "100"),
    ("daimon.personality.drift", "0.001"),
    ("daimon.personality.drift_limit", "0.3"),
    ("daimon.rules.curator_cycle", "[0.3, -0.1, 0.3, 0.3]"),
    ("daimon.rumination.arousal_min", "0.3"),
    ("daimon.rumination.strength", "0.5"),
    ("daimon.rumination.times_max", "3"),
    ("daimon.somatic.gut_weight_r", "0.05"),
    ("daimon.somatic.softening", "0.1"),
    ("daimon.somatic.tell_distance", "0.4"),
    ("daimon.surprise_ticks", "10"),
    ("dream.budget.emergency_cycle_max", "0.05"),
    ("dream.budget.worthwhile_share", "0.1"),
    ("dream.clocks.quality_dreams", "5"),
    ("dream.consolidation.admission.freshness_half_life_ticks", "2160"),
    ("dream.consolidation.denied_from", "0.5"),
    ("dream.consolidation.max_journal_entries", "32"),
    ("dream.consolidation.max_rules", "50"),
    ("dream.consolidation.revision_r", "0.25"),
    ("dream.consolidation.staging.exit_margin_r", "0"),
    ("dream.consolidation.staging.sequential.null_r", "0"),
    ("dream.consolidation.staging.sequential.spread_r", "1"),
    ("dream.consolidation.staging.sequential.spread_weight", "10"),
    ("dream.consolidation.staging.size_margin_r", "0"),
    ("dream.hypnagogia.memories", "6"),
    ("dream.imagination.recent_loss_ticks", "2160"),
    ("dream.imagination.seeds", "3"),
    ("dream.micro.anomaly_above", "0.7"),
    ("dream.micro.confident_from", "0.5"),
    ("dream.micro.insights", "10"),
    ("dream.micro.match_above", "0.8"),
    ("dream.micro.match_step", "0.1"),
    ("dream.reading.correction", "\"as_drawn\""),
    ("dream.replay.causal.half_life_ticks", ""),
    ("dream.replay.causal.link_fired", "5"),
    ("dream.replay.causal.max_lag_ticks", "540"),
    ("dream.replay.causal.min_fired", "2"),
    ("dream.replay.causal.min_lift", "1.2"),
    ("dream.replay.causal.prior", "2"),
    ("dream.replay.causal.recent_episodes", "200"),
    ("dream.replay.credit.passes", "1"),
    ("dream.replay.forward.break_r", "0"),
    ("dream.replay.forward.lagged_after_ticks", "500"),
    ("dream.replay.forward.prior", "2"),
    ("dream.replay.importance_exponent", "1"),
    ("dream.replay.legacy.boost", "2"),
    ("dream.replay.legacy.min_episodes", "2"),
    ("dream.replay.legacy.transferable_share", "0.5"),
    ("dream.replay.lifecycle_gap_ticks", "15"),
    ("dream.replay.mood.known_good_surprise", "0.5"),
    ("dream.replay.mood.novelty_share", "0.05"),
    ("dream.replay.mood.recent_ticks", "2160"),
    ("dream.replay.mood.warning_r", "-1"),
    ("dream.replay.perturbations.block_seconds", "12"),
    ("dream.replay.perturbations.common_share", "0.7"),
    ("dream.replay.perturbations.impact_share", "0.5"),
    ("dream.replay.perturbations.survival_r", "0"),
    ("dream.replay.primitives", ""),
    ("dream.replay.priority_exponent", "0.6"),
    ("dream.replay.priority_floor", "0.001"),
    ("dream.replay.stakes.max_claims", "3"),
    ("dream.replay.stakes.what_if_weight", "0.5"),
    ("dream.urgency.reflect_arousal", "0.5"),
    ("dream.urgency.reflect_surprise", "0.5"),
    ("golem.holding.scaling.least", "0"),
    ("golem.min_stake_usdc", "0.1"),
    ("golem.mutation", "0.3"),
    ("golem.rate_window_ticks", "1000"),
    ("lethe.vote_after_uses", "3"),
    ("lethe.withdraw_refuted", "true"),
    ("market.assets.*.source.jump_rate", "0.001"),
    ("market.assets.*.source.jump_volatility", "0.01"),
    ("market.assets.*.source.volatility_of_volatility", "0.04"),
    ("market.assets.*.source.volatility_reversion", "0.02"),
    ("market.drift.changes.*.over_ticks", "0"),
    ("market.drift.laws.*.correlation", ""),
    ("market.drift.laws.*.fee_bps", ""),
    ("market.drift.laws.*.half_spread_bps", ""),
    ("market.drift.laws.*.jump_rate", ""),
    ("market.drift.laws.*.jump_volatility", ""),
    ("market.drift.laws.*.mean_regime_ticks", ""),
    ("market.drift.laws.*.regimes.*.volatility_multiple", ""),
    ("market.drift.laws.*.regimes.range_bound.autocorrelation", ""),
    ("market.drift.laws.*.regimes.volatile.autocorrelation", ""),
    ("market.drift.laws.*.transitions", ""),
    ("market.drift.laws.*.volatility_of_volatility", ""),
    ("market.drift.laws.*.volatility_reversion", ""),
    ("market.gas.reversion", "0.05"),
    ("market.pool.depth_reversion", "0.01"),
    ("market.pool.depth_volatility", "0.02"),
    ("market.shocks.crisis.side", "\"either\""),
    ("memory.bardo.anti_weight", "4"),
    ("memory.bardo.holding.capacity", "200"),
    ("memory.bardo.holding.prior_weight", "3"),
    ("memory.bardo.hypothesis_weight", ""),
    ("memory.bardo.insight_weight", ""),
    ("memory.bardo.prior_weight", "3"),
    ("memory.bardo.reading.tokens_per_claim", "20"),
    ("memory.bardo.reading.tokens_per_episode", "40"),
    ("memory.bardo.recall.max_weight", "40"),
    ("memory.bardo.recall.min_similarity", "0"),
    ("memory.bardo.recall.regime_mismatch", "0.1"),
    ("memory.bardo.restore_after", "3"),
    ("memory.bardo.restore_confidence", "0.3"),
    ("memory.bardo.rule_weight", ""),
    ("memory.bardo.veto_below_r", "-0.3"),
    ("memory.bardo.weigh_by", "\"evidence\""),
    ("memory.generative_agents.importance_weight", "1"),
    ("memory.generative_agents.prior_weight", "3"),
    ("memory.generative_agents.recency_weight", "1"),
    ("memory.generative_agents.tier", "\"t0\""),
    ("memory.generative_agents.tokens_per_answer", "60"),
    ("memory.generative_agents.tokens_per_record", "40"),
    ("memory.window.prior_weight", "3"),
    ("mortality.economic.ladder.hysteresis", "0.02"),
    ("mortality.epistemic.skill.doubt_r2", "20"),
    ("mortality.epistemic.skill.persistence_window", "20"),
    ("mortality.phases.conservation_stake", "0.75"),
    ("mortality.phases.declining_stake", "0.5"),
    ("mortality.phases.exploration", "true"),
    ("mortality.phases.notable_surprise_r", "0.5"),
    ("mortality.phases.terminal_stake", "0"),
    ("mortality.stochastic.frailty_form", "\"log_normal\""),
    ("mortality.thanatopsis.review_asks", "true"),
    ("mortality.vitality_step", "0.05"),
    ("pheromones.loss_r", "1"),
    ("pheromones.opportunity_half_life_hours", "12"),
    ("pheromones.regime_mismatch", "0.5"),
    ("pheromones.wake_above", "0.8"),
    ("pheromones.wisdom_half_life_hours", "168"),
    ("population.succession_delay_ticks", "1"),
    ("succession.explorers", "\"newborns\""),
    ("succession.redemptive_bonus", "0.05"),
];

/// The answer to a file that sets such a key, by its dotted path (deprecated key message).
pub(crate) fn remedy(path: &str) -> Option<String> {
    let (_, value) = FIXED.iter().find(|(fixed, _)| stands_for(fixed, path))?;
    Some(match *value {
        "" => "is no key any more: leave it out".to_owned(),
        value => format!("is no key any more, but always {value}: leave it out"),
    })
}

fn stands_for(fixed: &str, path: &str) -> bool {
    let (fixed, path) = (fixed.split('.'), path.split('.'));
    fixed.clone().count() == path.clone().count() && fixed.zip(path).all(|(a, b)| a == "*" || same_key(a, b))
}

/// Leaves such keys out of a resolved scenario, so that folders of earlier builds can be read. With another value than its default a
/// key made other lives: those are there to be read, and can't be lived again.
pub(crate) fn leave_out(scenario: &mut Value) {
    for (key, _) in FIXED {
        let (table, name) = key.rsplit_once('.').expect("no table of keys stands by itself");
        for_each_table(scenario, table, &mut |keys| drop(keys.shift_remove(name)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::scenario_schema::{self, Shape};
    use serde_json::json;

    fn is_key(shape: &Shape, path: &[&str]) -> bool {
        let [name, rest @ ..] = path else { return true };
        let is_named = |key: &&str| *name == "*" || key == name;
        let within = |schema| is_key(&scenario_schema::shape(schema), rest);
        match shape {
            Shape::Table(table) => table.keys.iter().any(|(key, schema)| is_named(key) && within(schema)),
            Shape::Tagged(_, tables) => {
                let mut keys = tables.iter().flat_map(|(_, table)| &table.keys);
                keys.any(|(key, schema)| is_named(key) && within(schema))
            }
            Shape::List(item, ..) => *name == "*" && within(item),
            _ => false,
        }
    }

    /// A key that came back would be left out of what earlier builds have written.
    #[test]
    fn no_fixed_key_is_a_key() {
        assert!(FIXED.is_sorted());
        let root = scenario_schema::shape(scenario_schema::root());
        for (path, _) in FIXED {
            assert!(!is_key(&root, &path.split('.').collect::<Vec<_>>()), "{path}");
        }
        for known in ["market.assets.*.source.volatility", "market.drift.laws.*.regimes.*.drift"] {
            assert!(is_key(&root, &known.split('.').collect::<Vec<_>>()), "{known}");
        }
    }

    /// Keys of entries: of each asset, and of the regimes of each law.
    #[test]
    fn keys_in_lists_are_left_out_and_answered() {
        let mut market = json!({ "market": {
            "assets": [{ "symbol": "A", "source": { "kind": "synthetic", "jump_rate": 0.5, "volatility": 0.01 } }],
            "drift": { "laws": [{ "name": "x", "fee_bps": null, "regimes": { "volatile": {
                "drift": 1.0, "volatility_multiple": null, "autocorrelation": 0.1 } } }] } } });
        leave_out(&mut market);
        let kept = json!({ "market": {
            "assets": [{ "symbol": "A", "source": { "kind": "synthetic", "volatility": 0.01 } }],
            "drift": { "laws": [{ "name": "x", "regimes": { "volatile": { "drift": 1.0 } } }] } } });
        assert_eq!(market, kept);
        let answer = remedy("market.assets.0.source.jumpRate").expect("an answer");
        assert_eq!(answer, "is no key any more, but always 0.001: leave it out");
        assert_eq!(remedy("market.drift.laws.2.regimes.trending_up.drift"), None);
    }
}
