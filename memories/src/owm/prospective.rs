//! Prospective memory: plans with a trigger, an action and an expiry (digest section 9). They are intentions (if-then rules). A plan action
//! adjusts a parameter, skips the trade (skip trade, a veto), forces an exit or alerts; priorities are 0 to 1, moments are seconds,
//! expiries days. A new plan expires, after 30 days by default, because a plan for one market must not fire in another; only a plan read
//! from a tool's log may lack an expiry. Nothing acts here: the caller asks `applicable` at a decision, carries the actions out, and calls
//! `expire`. A golem's memory `owm` knows two actions: it vetoes a skipped trade, and it scales sizes where the parameter is `lots`; in
//! `bardo+owm` plans have no effect. The `owm` tools only report plans.

use super::score::DAY_S;
use super::trigger::{FieldValue, Trigger};
use serde::{Deserialize, Serialize};

/// Days after which a plan expires by default (digest section 2: the document's value).
pub const USUAL_EXPIRY_DAYS: f64 = 30.0;

morta_base::words! {
    /// The kind of a plan's trigger: market condition, time, event or own state (trigger type, event type). It is a label; only the trigger
    /// decides.
    pub enum TriggerType {
        /// A condition of the market: a regime, a price.
        MarketCondition = "market_condition",
        /// A moment, or the time of day.
        Time = "time",
        /// An event.
        Event = "event",
        /// The trader's own state: its drawdown, a streak.
        State = "state",
    }

    /// The kind of a plan's action: adjust a parameter, skip the trade (veto), force an exit, or alert.
    pub enum ActionType {
        /// Changes a parameter.
        AdjustParam = "adjust_param",
        /// Skips the trade.
        SkipTrade = "skip_trade",
        /// Closes the open position.
        ForceExit = "force_exit",
        /// Notifies the user and changes nothing.
        Alert = "alert",
    }
}

/// The action of a plan, as JSON has it: kind, parameter and magnitude.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedAction {
    /// The kind of action.
    #[serde(rename = "type")]
    pub kind: ActionType,
    /// Name of the parameter to change, such as `lots`.
    pub parameter: Option<String>,
    /// Magnitude of the change: a factor for sizes.
    pub magnitude: Option<f64>,
}

morta_base::words! {
    /// Status of a plan (state machine): active, triggered, expired or cancelled.
    pub enum PlanStatus {
        /// The plan waits for its trigger.
        Active = "active",
        /// The plan was carried out.
        Triggered = "triggered",
        /// The plan expired before it was carried out.
        Expired = "expired",
        /// The plan was cancelled.
        Cancelled = "cancelled",
    }
}

/// A plan: the action to take once a trigger holds, until an expiry (implementation intention).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Its number, in the order of making.
    pub id: u32,
    /// The kind of its trigger.
    pub trigger_type: TriggerType,
    /// The trigger.
    pub trigger: Trigger,
    /// The action.
    pub action: PlannedAction,
    /// Its status.
    pub status: PlanStatus,
    /// Priority, 0 to 1.
    pub priority: f64,
    /// The last moment at which it is valid, in seconds; `None` if it never expires.
    pub expiry_s: Option<f64>,
    /// Ids of the episodes that it follows from.
    pub source_episodic: Vec<u64>,
    /// Numbers of the beliefs that it follows from.
    pub source_semantic: Vec<u32>,
    /// The reason for it, as text.
    pub reasoning: String,
    /// The moment at which it was carried out, in seconds.
    pub triggered_s: Option<f64>,
    /// Its outcome, in R.
    pub outcome_pnl_r: Option<f64>,
    /// A reflection on its outcome.
    pub outcome_reflection: Option<String>,
    /// The moment at which it was made, in seconds.
    pub created_s: f64,
    /// A condition that ends the plan for good, besides its expiry.
    pub expiry_condition: Option<Trigger>,
}

impl Plan {
    /// Makes an active plan that is valid for `days`: a market condition of (default) priority ½. `Mind::plan` gives it its number.
    pub fn new(
        trigger: Trigger,
        action: PlannedAction,
        reasoning: impl Into<String>,
        now_s: f64,
        days: f64,
    ) -> Self {
        Self {
            id: 0,
            trigger_type: TriggerType::MarketCondition,
            trigger,
            action,
            status: PlanStatus::Active,
            priority: 0.5,
            expiry_s: Some(now_s + days * DAY_S),
            source_episodic: Vec::new(),
            source_semantic: Vec::new(),
            reasoning: reasoning.into(),
            triggered_s: None,
            outcome_pnl_r: None,
            outcome_reflection: None,
            created_s: now_s,
            expiry_condition: None,
        }
    }

    /// Whether it is active and hasn't expired. It is still valid at its expiry, because the document compares strictly.
    pub fn is_valid(&self, now_s: f64) -> bool {
        self.status == PlanStatus::Active && self.expiry_s.is_none_or(|expiry| now_s <= expiry)
    }

    /// Whether it is active, hasn't expired by time or condition, and its trigger holds.
    pub fn applies<'a>(&self, now_s: f64, field: impl Fn(&str) -> Option<FieldValue<'a>>) -> bool {
        self.is_valid(now_s) && !self.is_over(&field) && self.trigger.holds(field)
    }

    /// Whether its expiry condition holds; false without one.
    pub fn is_over<'a>(&self, field: impl Fn(&str) -> Option<FieldValue<'a>>) -> bool {
        self.expiry_condition.as_ref().is_some_and(|condition| condition.holds(field))
    }

    /// Notes that it was carried out (mark as done). It doesn't apply again.
    pub const fn carry_out(&mut self, now_s: f64) {
        self.status = PlanStatus::Triggered;
        self.triggered_s = Some(now_s);
    }
}

/// Marks active plans whose expiry has passed as expired (time-to-live). A golem's memory calls it at its upkeep, the `owm` tools on a copy
/// of the plans before they answer about them.
pub fn expire(plans: &mut [Plan], now_s: f64) {
    let late = plans.iter_mut().filter(|plan| plan.status == PlanStatus::Active && !plan.is_valid(now_s));
    late.for_each(|plan| plan.status = PlanStatus::Expired);
}

/// Marks active plans whose expiry condition holds as expired (conditional expiry). Such a plan doesn't return when the condition ends. The
/// `owm` tools call it with the context of a trade; plans of golems have no such condition.
pub fn expire_by<'a>(plans: &mut [Plan], field: impl Fn(&str) -> Option<FieldValue<'a>>) {
    let over = plans.iter_mut().filter(|plan| plan.status == PlanStatus::Active && plan.is_over(&field));
    over.for_each(|plan| plan.status = PlanStatus::Expired);
}

/// Selects the active plans that apply now, by falling priority, and of equal ones the oldest first (our choice, because the document
/// leaves ties open).
pub fn applicable<'p, 'a>(
    plans: &'p [Plan],
    now_s: f64,
    field: impl Fn(&str) -> Option<FieldValue<'a>>,
) -> Vec<&'p Plan> {
    let mut found: Vec<&Plan> = plans.iter().filter(|plan| plan.applies(now_s, &field)).collect();
    found.sort_by(|a, b| b.priority.total_cmp(&a.priority).then(a.created_s.total_cmp(&b.created_s)));
    found
}
