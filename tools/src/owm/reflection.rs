//! A reflection on trades (post-trade review, the action `reflect`) becomes a plan (prospective memory). The fields are those of section
//! 2.5 of the specification. A plan is made only where a pattern is named, because a lesson without a condition is never due; a pattern
//! needs a regime, strategy or symbol. Its trigger holds when all of those hold. `trigger_type` serves another action,
//! `create_trading_plan` in `log`.

use super::log::LineEffect;
use super::mistake::{Mistake, within};
use super::store::Store;
use morta_memories::owm::context::Regime;
use morta_memories::owm::intentions::Pattern;
use morta_memories::owm::prospective::{ActionType, TriggerType};
use morta_memories::owm::trigger::Trigger;
use serde::Deserialize;
use serde_json::Value;

/// A reflection as a caller writes it (post-trade review): a pattern with its conditions, an action and the trades that support it, or no
/// pattern.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reflection {
    pattern_detected: Option<Found>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    regime: Option<Regime>,
    #[serde(default, alias = "strategy_name")]
    strategy: Option<String>,
    symbol: Option<String>,
    recommended_action: ActionType,
    suggested_magnitude: Option<f64>,
    confidence: f64,
    #[serde(default)]
    supporting_trade_ids: Vec<String>,
    explanation: String,
}

/// Turns the pattern of a reflection into a plan; without a pattern nothing changes.
///
/// # Errors
/// When the pattern names no condition or a wrong confidence, or trades that the store doesn't hold.
pub(super) fn reflect(store: &mut Store, reflection: Reflection, now_s: f64) -> Result<LineEffect, Mistake> {
    let Some(found) = reflection.pattern_detected else { return Ok(LineEffect::Nothing) };
    let mut trigger = Trigger::default();
    if let Some(regime) = found.regime {
        trigger = trigger.and_is("regime", regime.name());
    }
    for (field, word) in [("strategy", found.strategy), ("symbol", found.symbol)] {
        if let Some(word) = word {
            trigger = trigger.and_is(field, &word);
        }
    }
    if trigger.conditions.is_empty() {
        return Err(Mistake::PatternOfNothing("regime, strategy or symbol"));
    }
    let supporting = found.supporting_trade_ids.iter().map(|id| store.episode_number(id));
    let pattern = Pattern {
        trigger,
        action: found.recommended_action,
        magnitude: found.suggested_magnitude,
        confidence: within("pattern_detected.confidence", found.confidence, 0.0, 1.0)?,
        supporting: supporting.collect::<Result<_, _>>()?,
        explanation: found.explanation,
    };
    store.mind_mut().plan(pattern.into_plan(now_s));
    Ok(LineEffect::Plan)
}

/// Removes a trigger's `type` and returns it, if it is a type of trigger, as in the specification's example (trigger type). Any other `type`
/// stays: it is a condition on the signal.
pub(super) fn trigger_type(trigger: &mut Value) -> Option<TriggerType> {
    let fields = trigger.as_object_mut()?;
    let kind = serde_json::from_value(fields.get("type")?.clone()).ok()?;
    fields.remove("type");
    Some(kind)
}
