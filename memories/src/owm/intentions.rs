//! The three sources of plans (digest section 9; the document's §2.5): a reflection on trades, a firm belief, and a deep drawdown. The
//! document has one example of each; the thresholds are ours, and keys. Confidence and priority are 0 to 1, drawdowns are shares of the
//! peak, expiries are days (30 by default). The user is the `owm` tools' store, which calls `Mind::make_plans` after each trade, close or
//! equity of its log; a golem's memory has its own rules for plans in the engine. `make_plans` makes no active plan twice, because a belief
//! stays firm for long; plans of reflections (`Pattern::into_plan`) aren't compared. Nothing applies a magnitude here: the tools only
//! report plans.

use super::induction::Names;
use super::mind::Mind;
use super::prospective::{ActionType, Plan, PlannedAction, TriggerType, USUAL_EXPIRY_DAYS};
use super::semantic::Predicate;
use super::trigger::Trigger;
use morta_base::keys;

/// The parameter that a firm belief raises: the plan's magnitude is added to it.
pub const CONFIDENCE: &str = "confidence";
/// The parameter that a deep drawdown lowers: the plan's magnitude is a factor.
pub const LOT_SIZE: &str = "lot_size";

keys! {
    /// When plans are made without being asked for.
    pub struct PlanRules {
        /// Mean of a belief that trades gain from which they are gone into with more confidence; at 1 never.
        boost_above: f64 = 0.75, in 0.0..=1.0, "share";
        /// Outcomes that such a belief must have been held against.
        boost_after: u32 = 10, in 1..=1_000_000, "outcomes";
        /// What is added to confidence.
        boost: f64 = 0.2, in 0.0..=1.0, "confidence";
        /// Drawdown above which trades are made smaller; at 1 never.
        defend_above: f64 = 0.15, in 0.0..=1.0, "share";
        /// Their size then, of the usual one.
        defence_size: f64 = 0.5, in 0.0..=1.0, "factor";
        /// Days for which such a plan is valid.
        days: f64 = USUAL_EXPIRY_DAYS, in 0.0..=100_000.0, "days";
    }
}

/// A pattern that a reflection on trades has found (an if-then rule), as the caller parsed it from a report of trades.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// The situation in which it holds.
    pub trigger: Trigger,
    /// The action to take then.
    pub action: ActionType,
    /// Magnitude of the action; `None` where it has none.
    pub magnitude: Option<f64>,
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// Ids of the trades that support it.
    pub supporting: Vec<u64>,
    /// The reason, as text.
    pub explanation: String,
}

impl Pattern {
    /// Makes the plan that follows from the pattern: its priority is the pattern's confidence, and it expires after the usual days, by the
    /// document's rule.
    pub fn into_plan(self, now_s: f64) -> Plan {
        let parameter = (self.action == ActionType::AdjustParam).then(|| LOT_SIZE.to_owned());
        let action = PlannedAction { kind: self.action, parameter, magnitude: self.magnitude };
        Plan {
            priority: self.confidence,
            source_episodic: self.supporting,
            ..Plan::new(self.trigger, action, self.explanation, now_s, USUAL_EXPIRY_DAYS)
        }
    }
}

impl Mind {
    /// Makes the plans that beliefs and the affective state suggest, except those that are active already. Returns their number.
    pub fn make_plans(&mut self, rules: &PlanRules, names: &dyn Names, now_s: f64) -> u32 {
        let firm = |belief: &&super::semantic::SemanticMemory| {
            rules.boost_above < 1.0
                && belief.predicate == Predicate::Profitable
                && belief.sample_size >= rules.boost_after
                && belief.belief.mean() >= rules.boost_above
        };
        let mut plans: Vec<Plan> = Vec::new();
        for belief in self.beliefs().iter().filter(firm) {
            let mut trigger = belief.validity_conditions.clone();
            let tests =
                |trigger: &Trigger, field: &str| trigger.conditions.iter().any(|one| one.field == field);
            if let Some(strategy) = belief.scope.strategy.filter(|_| !tests(&trigger, "strategy")) {
                trigger = trigger.and_is("strategy", names.strategy(strategy));
            }
            if let Some(regime) = belief.scope.regime.filter(|_| !tests(&trigger, "regime")) {
                trigger = trigger.and_is("regime", regime.name());
            }
            plans.push(Plan {
                priority: belief.belief.mean(),
                source_semantic: vec![belief.id],
                ..Plan::new(
                    trigger,
                    adjust(CONFIDENCE, rules.boost),
                    format!("it is believed that {}", belief.proposition),
                    now_s,
                    rules.days,
                )
            });
        }
        let drawdown = self.affect().drawdown();
        if drawdown > rules.defend_above && rules.defend_above < 1.0 {
            let trigger = Trigger::default().and_above("drawdown_pct", rules.defend_above);
            let reasoning = format!("more than {} is lost from the peak", rules.defend_above);
            let action = adjust(LOT_SIZE, rules.defence_size);
            plans.push(Plan {
                trigger_type: TriggerType::State,
                priority: self.affect().drawdown_state.clamp(0.0, 1.0),
                ..Plan::new(trigger, action, reasoning, now_s, rules.days)
            });
        }
        let mut made = 0;
        for plan in plans {
            let waits = |known: &Plan| {
                known.is_valid(now_s) && known.trigger == plan.trigger && known.action == plan.action
            };
            if !self.plans().iter().any(waits) {
                self.plan(plan);
                made += 1;
            }
        }
        made
    }
}

fn adjust(parameter: &str, magnitude: f64) -> PlannedAction {
    PlannedAction {
        kind: ActionType::AdjustParam,
        parameter: Some(parameter.to_owned()),
        magnitude: Some(magnitude),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{TestNames, episode};
    use super::super::{Mind, MindConfig};
    use super::*;

    /// Ten gains make a belief of mean 11/12 and that one plan; a drawdown of a fifth makes the other.
    #[test]
    fn plans_come_from_firm_beliefs_and_deep_drawdowns_once() {
        let rules = PlanRules::default();
        let mut mind = Mind::new(MindConfig::default(), 1_000.0, 0.0);
        for n in 0..10_u32 {
            assert_eq!(mind.make_plans(&rules, &TestNames, f64::from(n)), 0);
            mind.remember(episode(n.into(), Some(1.0)), &TestNames, f64::from(n)).unwrap();
        }
        assert_eq!(mind.make_plans(&rules, &TestNames, 10.0), 1);
        mind.on_equity(800.0, 11.0);
        assert_eq!(mind.make_plans(&rules, &TestNames, 11.0), 1);
        assert_eq!(mind.make_plans(&rules, &TestNames, 12.0), 0);
        let actions: Vec<_> = mind
            .plans()
            .iter()
            .map(|plan| (plan.action.parameter.as_deref(), plan.action.magnitude))
            .collect();
        assert_eq!(actions, [(Some(CONFIDENCE), Some(0.2)), (Some(LOT_SIZE), Some(0.5))]);
        assert_eq!(
            (mind.plans()[0].source_semantic.as_slice(), mind.plans()[1].trigger_type),
            (&[0][..], TriggerType::State)
        );
    }
}
