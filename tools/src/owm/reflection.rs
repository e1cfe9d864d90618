//! What a reflection on trades has found becomes a plan. Its fields are those of the document's section 2.5.

use super::log::Done;
use super::mistake::{Mistake, within};
use super::store::Store;
use morta_memories::owm::context::Regime;
use morta_memories::owm::intentions::Pattern;
use morta_memories::owm::prospective::{ActionType, TriggerType};
use morta_memories::owm::trigger::Trigger;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reflection {
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

/// Takes in a reflection; one that has found nothing changes nothing.
///
/// # Errors
/// When its pattern can't be, or names trades that the store doesn't hold.
pub fn reflect(store: &mut Store, told: Reflection, now_s: f64) -> Result<Done, Mistake> {
    let Some(found) = told.pattern_detected else { return Ok(Done::Nothing) };
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
        return Err(Mistake::PatternOfNothing);
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
    Ok(Done::Plan)
}

/// A trigger's `type` that is a kind of trigger says which kind it is (the document's example); anything else is asked of the signal.
pub fn trigger_type(trigger: &mut Value) -> Option<TriggerType> {
    let fields = trigger.as_object_mut()?;
    let kind = serde_json::from_value(fields.get("type")?.clone()).ok()?;
    fields.remove("type");
    Some(kind)
}
