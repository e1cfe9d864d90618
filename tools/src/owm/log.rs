//! Actions on a store as lines of the command log (JSON Lines) of an event-sourced store: trade, close, equity, belief, reflection, and
//! plan made, carried out, cancelled or expired. `carry_out` applies one line. Commands, imports, servers and the replay of the store's
//! own log all go through it, so that actions change a store in one way only; recalls are no actions, and `open_store` notes them. A line
//! without an action is a trade.
//!
//! Lines are applied in the order of the calls; `remember` and `import` sort them by time first. Nothing is saved here: the caller saves
//! the store, or appends the line to its log, and hands the effect to `Account::count`, which makes the plans that follow from trades and
//! equities. A trade with an id, a close, an equity, a belief, a reflection or a plan that was read
//! before changes nothing (idempotent). A trade without an id gets a new one here: `remember` and `import` recognise its content by
//! `same` before they call, a server doesn't. A plan cancelled twice is an error.

use super::context::GivenContext;
use super::inferred;
use super::mistake::{Mistake, moment, within, within_if_given, without_place};
use super::outcome::{Times, TradeClose, settle, times};
use super::reflection;
use super::store::Store;
use morta_memories::owm::context::{Regime, Session, VolatilityRegime};
use morta_memories::owm::episodic::{Direction, Domain, EpisodicMemory};
use morta_memories::owm::induction::Names;
use morta_memories::owm::prospective::{Plan, PlanStatus, PlannedAction, TriggerType, USUAL_EXPIRY_DAYS};
use morta_memories::owm::score::DAY_S;
use morta_memories::owm::semantic::{BeliefSource, Beta, Predicate, Scope, SemanticMemory};
use morta_memories::owm::trigger::Trigger;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A number of a line is 0 or its magnitude lies in this range: squares of it and their inverses, summed over any number of trades, stay within an
/// `f64`.
const SIZE_MIN: f64 = 1e-30;
const SIZE_MAX: f64 = 1e30;

/// What a line of the command log has done to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEffect {
    /// A trade was added; true if it formed a belief.
    Trade(bool),
    /// An open trade was completed; true if it formed a belief.
    Closed(bool),
    /// The equity was updated.
    Equity,
    /// A belief was added.
    Belief,
    /// A plan was made, carried out, cancelled or expired.
    Plan,
    /// The store already had the trade.
    Known,
    /// The store is unchanged.
    Nothing,
}

/// Carries out one line of the command log: parses, validates and applies it.
///
/// # Errors
/// When the line is invalid. The store is unchanged then, except for new names of strategies and symbols.
pub fn carry_out(store: &mut Store, line: &str) -> Result<LineEffect, Mistake> {
    let mut fields: Map<String, Value> = serde_json::from_str(line)
        .map_err(|error| Mistake::NotJson { column: error.column(), what: without_place(&error) })?;
    for (name, value) in &fields {
        refuse_too_far(name, value)?;
    }
    let action = fields.remove("action").unwrap_or_else(|| Value::from("remember_trade"));
    let timestamp = fields.remove("timestamp").ok_or(Mistake::NoTimestamp)?;
    let now_s = moment("timestamp", &timestamp)?;
    // A user may read the same log again with more at its end. Trades are recognised by their content, and repeating an equity changes nothing; a
    // repeated belief, reflection or plan would be added twice, so their lines are noted.
    let is_once = matches!(action.as_str(), Some("seed_belief" | "reflect" | "create_trading_plan"));
    if is_once && store.has_line(line) {
        return Ok(LineEffect::Known);
    }
    let done = match action.as_str() {
        Some("remember_trade") => trade(store, read(fields)?, now_s),
        Some("close_trade") => read::<TradeClose>(fields)?.close(store, now_s),
        Some("reflect") => reflection::reflect(store, read(fields)?, now_s),
        Some("update_equity") => equity(store, &read(fields)?, now_s),
        Some("seed_belief") => belief(store, read(fields)?, now_s),
        Some("create_trading_plan") => plan(store, read(fields)?, now_s),
        Some("carry_out_plan") => follow(store, read(fields)?, now_s, PlanStatus::Triggered),
        Some("cancel_plan") => follow(store, read(fields)?, now_s, PlanStatus::Cancelled),
        Some("expire_plan") => follow(store, read(fields)?, now_s, PlanStatus::Expired),
        _ => Err(Mistake::UnknownAction(action)),
    }?;
    if is_once {
        store.note_line(line);
    }
    store.advance(now_s);
    Ok(done)
}

/// A store sums numbers, their squares and their ratios. An overflow would be written as a number that no JSON parser reads, and the store would be
/// lost.
fn refuse_too_far(name: &str, value: &Value) -> Result<(), Mistake> {
    match value {
        Value::Number(number) => {
            let size = number.as_f64().map_or(f64::INFINITY, f64::abs);
            let is_kept = size == 0.0 || (SIZE_MIN..=SIZE_MAX).contains(&size);
            let far = || Mistake::TooFar { name: name.to_owned(), value: value.clone() };
            is_kept.then_some(()).ok_or_else(far)
        }
        Value::Array(values) => values.iter().try_for_each(|value| refuse_too_far(name, value)),
        Value::Object(fields) => {
            fields.iter().try_for_each(|(key, value)| refuse_too_far(&format!("{name}.{key}"), value))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

fn read<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, Mistake> {
    Ok(serde_json::from_value(Value::Object(fields))?)
}

/// A trade, closed or open.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trade {
    id: Option<String>,
    symbol: String,
    #[serde(alias = "strategy")]
    strategy_name: String,
    direction: Direction,
    entry_price: f64,
    exit_price: Option<f64>,
    pnl: Option<f64>,
    pnl_r: Option<f64>,
    lot_size: Option<f64>,
    hold_duration_seconds: Option<f64>,
    max_adverse_excursion: Option<f64>,
    #[serde(default = "half")]
    confidence: Option<f64>,
    reflection: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    context: Map<String, Value>,
    market_context: Option<String>,
    context_regime: Option<Value>,
    context_volatility_regime: Option<Value>,
    context_session: Option<Value>,
    context_atr_d1: Option<Value>,
    context_atr_h1: Option<Value>,
    equity: Option<f64>,
    last_price_change: Option<f64>,
    signal_time: Option<Value>,
    entry_time: Option<Value>,
    target_time: Option<Value>,
    exit_time: Option<Value>,
    entry_timing: Option<f64>,
    exit_timing: Option<f64>,
}

// The specification's confidence of a trade that names none.
const fn half() -> Option<f64> {
    Some(0.5)
}

impl Trade {
    /// The context, completed from words and from the moment of the entry.
    fn given_context(&mut self, entered_s: f64) -> Result<GivenContext, Mistake> {
        let mut fields = std::mem::take(&mut self.context);
        let named = [
            ("regime", self.context_regime.take()),
            ("volatility_regime", self.context_volatility_regime.take()),
            ("session", self.context_session.take()),
            ("atr_d1", self.context_atr_d1.take()),
            ("atr_h1", self.context_atr_h1.take()),
            ("market_context", self.market_context.take().map(Value::from)),
        ];
        for (name, value) in named {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value);
            }
        }
        let words = fields.get("market_context").and_then(Value::as_str).map(str::to_owned);
        inferred::complete(&mut fields, words.as_deref(), entered_s);
        GivenContext::try_from(fields)
    }

    fn times(&self, now_s: f64) -> Result<Times, Mistake> {
        let [signal, entry, target, exit] = times([
            ("signal_time", &self.signal_time),
            ("entry_time", &self.entry_time),
            ("target_time", &self.target_time),
            ("exit_time", &self.exit_time),
        ])?;
        // A trade is reported when it is closed; its entry lies the holding time before.
        let entry = entry.or(self.hold_duration_seconds.map(|held_s| exit.unwrap_or(now_s) - held_s));
        Ok(Times { signal, entry, target, exit: exit.or(Some(now_s)) })
    }

    /// The trade as the end of an open trade with the same id.
    fn into_close(self, id: String) -> TradeClose {
        TradeClose {
            id,
            exit_price: self.exit_price,
            pnl: self.pnl,
            pnl_r: self.pnl_r,
            hold_duration_seconds: self.hold_duration_seconds,
            max_adverse_excursion: self.max_adverse_excursion,
            reflection: self.reflection,
            tags: Vec::new(),
            equity: self.equity,
            last_price_change: self.last_price_change,
            target_time: self.target_time,
            exit_time: self.exit_time,
        }
    }

    /// Whether an episode is this trade. Only fields that both have are compared: a field that one report lacks is no difference.
    fn is_same(&self, store: &Store, episode: &EpisodicMemory, now_s: f64) -> bool {
        let pairs = [
            (Some(episode.entry_price), Some(self.entry_price)),
            (episode.exit_price, self.exit_price),
            (episode.pnl, self.pnl),
            (episode.pnl_r, self.pnl_r),
            // A format with a mandatory size writes 0 for an unknown one.
            (episode.lots.filter(|lots| *lots != 0.0), self.lot_size.filter(|lots| *lots != 0.0)),
        ];
        let same =
            |(held, given): (Option<f64>, Option<f64>)| held.is_none() || given.is_none() || held == given;
        let at_once = episode.made_s.is_none_or(|made_s| (made_s - now_s).abs() < 1.0);
        self.is_like(store, episode) && at_once && pairs.into_iter().all(same)
    }

    /// Whether an episode has the strategy, symbol and direction of this trade.
    fn is_like(&self, store: &Store, episode: &EpisodicMemory) -> bool {
        let names = store.names();
        episode.direction == self.direction
            && names.strategy(episode.domain.strategy).eq_ignore_ascii_case(&self.strategy_name)
            && names.symbol(episode.domain.symbol).eq_ignore_ascii_case(&self.symbol)
    }
}

fn trade(store: &mut Store, mut trade: Trade, now_s: f64) -> Result<LineEffect, Mistake> {
    let times = trade.times(now_s)?;
    let context = trade.given_context(times.entry.unwrap_or(now_s))?;
    let id = trade.id.take().unwrap_or_else(|| store.free_id());
    if store.has_seen(&id) {
        let ends = trade.exit_price.is_some() || trade.pnl.is_some() || trade.pnl_r.is_some();
        let known = store.kept(&id);
        return match known {
            Some(open) if ends && !open.is_closed() => {
                if !trade.is_like(store, open) {
                    return Err(Mistake::AnotherTrade(id));
                }
                trade.into_close(id).close(store, now_s)
            }
            Some(kept) if !trade.is_same(store, kept, now_s) => Err(Mistake::IdAgain(id)),
            // A forgotten trade was taken in once as well; adding it again would count its outcome twice.
            Some(_) | None => Ok(LineEffect::Known),
        };
    }
    within_if_given("confidence", trade.confidence, 0.0, 1.0)?;
    within_if_given("lot_size", trade.lot_size, 0.0, 1e12)?;
    within_if_given("hold_duration_seconds", trade.hold_duration_seconds, 0.0, 1e12)?;
    within_if_given("equity", trade.equity, -1e15, 1e15)?;
    within_if_given("entry_timing", trade.entry_timing, -1.0, 1.0)?;
    within_if_given("exit_timing", trade.exit_timing, -1.0, 1.0)?;
    let domain = Domain {
        strategy: store.learn_strategy(&trade.strategy_name)?,
        symbol: store.learn_symbol(&trade.symbol)?,
    };
    let episode = EpisodicMemory {
        made_s: Some(now_s),
        context: context.vector,
        exit_price: trade.exit_price,
        lots: trade.lot_size,
        pnl: trade.pnl,
        pnl_r: trade.pnl_r,
        hold_s: trade.hold_duration_seconds,
        max_adverse_excursion: trade.max_adverse_excursion,
        reflection: trade.reflection,
        confidence: trade.confidence,
        tags: trade.tags,
        entry_timing: trade.entry_timing.or_else(|| times.entry_timing(trade.hold_duration_seconds)),
        exit_timing: trade.exit_timing.or_else(|| times.exit_timing(trade.hold_duration_seconds)),
        ..EpisodicMemory::decided(store.number_of(&id), domain, trade.direction, trade.entry_price)
    };
    let formed = store.remember(episode, context.fields)?;
    store.expire_plans(&id);
    settle(store, trade.direction, trade.last_price_change, (trade.equity, trade.pnl), now_s);
    Ok(LineEffect::Trade(formed))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Equity {
    equity: f64,
}

fn equity(store: &mut Store, report: &Equity, now_s: f64) -> Result<LineEffect, Mistake> {
    within("equity", report.equity, -1e15, 1e15)?;
    store.take_equity(report.equity, now_s);
    Ok(LineEffect::Equity)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Belief {
    proposition: String,
    outcome: Predicate,
    validity_conditions: Value,
    #[serde(default, alias = "strategy")]
    strategy_name: Option<String>,
    symbol: Option<String>,
    regime: Option<Regime>,
    volatility_regime: Option<VolatilityRegime>,
    session: Option<Session>,
    alpha: Option<f64>,
    beta: Option<f64>,
    confidence: Option<f64>,
    sample_size: Option<u32>,
}

fn belief(store: &mut Store, seed: Belief, now_s: f64) -> Result<LineEffect, Mistake> {
    let usual = match (seed.confidence, seed.sample_size) {
        (Some(confidence), Some(cases)) => {
            Beta::migrated(within("confidence", confidence, 0.0, 1.0)?, f64::from(cases))
        }
        (None, None) => Beta::SEEDED,
        _ => return Err(Mistake::HalfAPattern),
    };
    let belief = Beta { alpha: seed.alpha.unwrap_or(usual.alpha), beta: seed.beta.unwrap_or(usual.beta) };
    let validity = Trigger::from_json(&seed.validity_conditions)
        .map_err(|source| Mistake::Trigger { key: "validity_conditions", source })?;
    let scope = Scope {
        strategy: seed.strategy_name.map(|name| store.learn_strategy(&name)).transpose()?,
        symbol: seed.symbol.map(|name| store.learn_symbol(&name)).transpose()?,
        regime: seed.regime,
        volatility_regime: seed.volatility_regime,
        session: seed.session,
    };
    let source = BeliefSource::Seeded;
    let mut memory =
        SemanticMemory::new(seed.proposition, seed.outcome, belief, scope, validity, source, now_s)?;
    memory.sample_size = seed.sample_size.unwrap_or(0);
    store.mind_mut().believe(memory);
    Ok(LineEffect::Belief)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewPlan {
    trigger_condition: Value,
    planned_action: PlannedAction,
    reasoning: String,
    #[serde(default = "thirty")]
    expiry_days: Option<f64>,
    #[serde(default = "half")]
    priority: Option<f64>,
    trigger_type: Option<TriggerType>,
    #[serde(default)]
    source_episodic_ids: Vec<String>,
    #[serde(default)]
    source_semantic_ids: Vec<u32>,
    expiry_condition: Option<Value>,
}

const fn thirty() -> Option<f64> {
    Some(USUAL_EXPIRY_DAYS)
}

fn plan(store: &mut Store, mut new: NewPlan, now_s: f64) -> Result<LineEffect, Mistake> {
    let usual = TriggerType::MarketCondition;
    let kind = reflection::trigger_type(&mut new.trigger_condition).or(new.trigger_type).unwrap_or(usual);
    let trigger = Trigger::from_json(&new.trigger_condition)
        .map_err(|source| Mistake::Trigger { key: "trigger_condition", source })?;
    let over = new.expiry_condition.as_ref().map(Trigger::from_json).transpose();
    let over = over.map_err(|source| Mistake::Trigger { key: "expiry_condition", source })?;
    let days = new.expiry_days.map(|days| within("expiry_days", days, 0.0, 1e6)).transpose()?;
    let sources = new.source_episodic_ids.iter().map(|id| store.episode_number(id));
    let plan = Plan {
        trigger_type: kind,
        priority: within("priority", new.priority.unwrap_or(0.5), 0.0, 1.0)?,
        expiry_s: days.map(|days| now_s + days * DAY_S),
        source_episodic: sources.collect::<Result<_, _>>()?,
        source_semantic: new.source_semantic_ids,
        expiry_condition: over,
        ..Plan::new(trigger, new.planned_action, new.reasoning, now_s, 0.0)
    };
    store.mind_mut().plan(plan);
    Ok(LineEffect::Plan)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Follow {
    plan: u32,
    outcome_pnl_r: Option<f64>,
    outcome_reflection: Option<String>,
}

fn follow(store: &mut Store, report: Follow, now_s: f64, status: PlanStatus) -> Result<LineEffect, Mistake> {
    let plans = store.mind_mut().plans_mut();
    let Some(plan) = plans.iter_mut().find(|plan| plan.id == report.plan) else {
        return Err(Mistake::NoPlan(report.plan));
    };
    let again = status == PlanStatus::Triggered && plan.status == status;
    if !again && !plan.is_valid(now_s) {
        return Err(Mistake::PlanIsOver(report.plan));
    }
    if status != PlanStatus::Triggered {
        plan.status = status;
    } else if !again {
        plan.carry_out(now_s);
    }
    plan.outcome_pnl_r = report.outcome_pnl_r.or(plan.outcome_pnl_r);
    plan.outcome_reflection = report.outcome_reflection.or(plan.outcome_reflection.take());
    Ok(LineEffect::Plan)
}
