//! Intentions: if this, then that, until then (digest section 9).

use super::score::DAY_S;
use super::trigger::{FieldValue, Trigger};
use serde::{Deserialize, Serialize};

/// Days after which a plan is void unless it says otherwise (digest section 2).
pub const USUAL_EXPIRY_DAYS: f64 = 30.0;

morta_base::words! {
    /// What sets a plan off.
    pub enum TriggerType {
        /// What the market does: a regime, a price.
        MarketCondition = "market_condition",
        /// A moment, or the time of day.
        Time = "time",
        /// Something that happens.
        Event = "event",
        /// The trader's own state: its drawdown, a streak.
        State = "state",
    }

    /// What a plan does.
    pub enum ActionType {
        /// Changes a parameter.
        AdjustParam = "adjust_param",
        /// Leaves a trade out.
        SkipTrade = "skip_trade",
        /// Closes what is open.
        ForceExit = "force_exit",
        /// Tells somebody, and changes nothing.
        Alert = "alert",
    }
}

/// The action of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedAction {
    /// What it does.
    #[serde(rename = "type")]
    pub kind: ActionType,
    /// The parameter that is changed, as in `lots`.
    pub parameter: Option<String>,
    /// By how much: a factor for sizes.
    pub magnitude: Option<f64>,
}

morta_base::words! {
    /// Where a plan stands.
    pub enum PlanStatus {
        /// Waits for its trigger.
        Active = "active",
        /// Was carried out.
        Triggered = "triggered",
        /// Waited too long.
        Expired = "expired",
        /// Was taken back.
        Cancelled = "cancelled",
    }
}

/// An intention: what to do once a trigger holds, until an expiry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Its number, in the order of making.
    pub id: u32,
    /// What kind of thing sets it off.
    pub trigger_type: TriggerType,
    /// When it is set off.
    pub trigger: Trigger,
    /// What it does.
    pub action: PlannedAction,
    /// Where it stands.
    pub status: PlanStatus,
    /// How important it is, 0 to 1.
    pub priority: f64,
    /// The last moment it is valid, in seconds; `None` for ever.
    pub expiry_s: Option<f64>,
    /// Episodes it comes from.
    pub source_episodic: Vec<u64>,
    /// Beliefs it comes from.
    pub source_semantic: Vec<u32>,
    /// Why it was made.
    pub reasoning: String,
    /// When it was carried out, in seconds.
    pub triggered_s: Option<f64>,
    /// What came of it, in R.
    pub outcome_pnl_r: Option<f64>,
    /// What was thought of it afterwards.
    pub outcome_reflection: Option<String>,
    /// When it was made, in seconds.
    pub created_s: f64,
    /// Circumstances in which it is void from then on, besides its last moment.
    pub expiry_condition: Option<Trigger>,
}

impl Plan {
    /// A new plan, to be valid for so many days.
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

    /// Whether it is waiting and its time isn't over.
    pub fn is_valid(&self, now_s: f64) -> bool {
        self.status == PlanStatus::Active && self.expiry_s.is_none_or(|expiry| now_s <= expiry)
    }

    /// Whether it applies now.
    pub fn applies<'a>(&self, now_s: f64, field: impl Fn(&str) -> Option<FieldValue<'a>>) -> bool {
        self.is_valid(now_s) && !self.is_over(&field) && self.trigger.holds(field)
    }

    /// Whether the present is one in which it is void.
    pub fn is_over<'a>(&self, field: impl Fn(&str) -> Option<FieldValue<'a>>) -> bool {
        self.expiry_condition.as_ref().is_some_and(|condition| condition.holds(field))
    }

    /// Notes that it was carried out.
    pub const fn carry_out(&mut self, now_s: f64) {
        self.status = PlanStatus::Triggered;
        self.triggered_s = Some(now_s);
    }
}

/// Marks plans whose time is over.
pub fn expire(plans: &mut [Plan], now_s: f64) {
    let late = plans.iter_mut().filter(|plan| plan.status == PlanStatus::Active && !plan.is_valid(now_s));
    late.for_each(|plan| plan.status = PlanStatus::Expired);
}

/// Marks plans that are void in the present.
pub fn expire_by<'a>(plans: &mut [Plan], field: impl Fn(&str) -> Option<FieldValue<'a>>) {
    let over = plans.iter_mut().filter(|plan| plan.status == PlanStatus::Active && plan.is_over(&field));
    over.for_each(|plan| plan.status = PlanStatus::Expired);
}

/// The plans that apply now, the most important first, then the oldest.
pub fn applicable<'p, 'a>(
    plans: &'p [Plan],
    now_s: f64,
    field: impl Fn(&str) -> Option<FieldValue<'a>>,
) -> Vec<&'p Plan> {
    let mut found: Vec<&Plan> = plans.iter().filter(|plan| plan.applies(now_s, &field)).collect();
    found.sort_by(|a, b| b.priority.total_cmp(&a.priority).then(a.created_s.total_cmp(&b.created_s)));
    found
}
