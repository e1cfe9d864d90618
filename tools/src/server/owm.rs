//! Outcome-weighted memory as MCP tools (function calling) on one store, with the names and arguments of TradeMemory's tools; agents that
//! know TradeMemory's server need no new prompt. A call without a moment happens now. `recall_memories` scores the whole store unless
//! `whole` is false, the reverse of the command's default.
//!
//! Trades are on the disk before the answer, because an agent takes it as done. With a shared database, its new trades are taken in
//! before each call; a failure to write to it afterwards is a note in the answer, and no error, while a failure to read or write it
//! before is an error of the call. An open trade is closed by `remember_trade` with its id and its end.

use super::progress::Progress;
use super::{ToolSpec, Toolbox, count, moment, needed, now, number, optional, read, switch, text};
use crate::owm::context::{GivenContext, field, lenient_fields, moment_s};
use crate::owm::open_store::{Acted, OpenStore};
use crate::owm::plans::plans_at;
use crate::owm::priced::Prices;
use crate::owm::recall::recall_question;
use crate::owm::report::{self, About};
use crate::owm::shared_db::{self, SharedDb};
use crate::owm::store::Store;
use morta_lab::error::{Error, Result};
use morta_memories::owm::prospective::{ActionType, PlanStatus};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The MCP tools that ask and change one store of trade memories.
pub struct OwmTools {
    // A mutex suffices: a store of ten thousand trades answers in less time than sending the answer takes.
    store: Mutex<OpenStore>,
    /// TradeMemory's database, if the store is shared.
    db: Option<Mutex<SharedDb>>,
    prices: Prices,
}

impl OwmTools {
    /// Makes the tools for a store, which the first trade creates if it doesn't exist.
    ///
    /// # Errors
    /// When the shared database can't be opened.
    pub fn new(store: PathBuf, db: Option<&Path>, prices: Prices) -> Result<Self> {
        let db = db.map(SharedDb::open).transpose()?.map(Mutex::new);
        Ok(Self { store: Mutex::new(OpenStore::new(store)), db, prices })
    }

    /// Reads the trades that TradeMemory has written since the last call.
    fn take_in_shared(&self) -> Result<()> {
        let Some(db) = &self.db else { return Ok(()) };
        let mut db = db.lock().unwrap_or_else(PoisonError::into_inner);
        if db.has_changed()? {
            let folder = self.store().folder().to_owned();
            shared_db::take_in(&folder, &db, &mut |_| ()).inspect_err(|_| db.look_again())?;
            // Commands without `--db` may have added trades that the database lacks.
            db.write(self.store().now()?, None)?;
        }
        Ok(())
    }

    /// Writes an action's trade and its consequences into TradeMemory's database.
    fn share(&self, store: &Store, action: &Map<String, Value>) -> Result<()> {
        let Some(db) = &self.db else { return Ok(()) };
        let id = action.get("id").and_then(Value::as_str);
        // Without a trade the action changes beliefs, plans or the affective state alone; the empty id writes no trade.
        db.lock().unwrap_or_else(PoisonError::into_inner).write(store, Some(id.unwrap_or_default()))?;
        Ok(())
    }

    /// The store, also after a panic: a call that panicked has changed nothing that isn't read from the disk again.
    fn store(&self) -> MutexGuard<'_, OpenStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries out an action; without a moment it happens now.
    fn take_in(&self, name: &str, mut arguments: Map<String, Value>) -> Result<Value> {
        arguments.insert("action".to_owned(), name.into());
        if name == "remember_trade" && !self.prices.is_empty() {
            // Prices need the moment already here. It is a little earlier than the lock of the store, so that the trade may at worst count as late.
            arguments.entry("timestamp").or_insert_with(now);
            self.prices.complete(&mut arguments)?;
        }
        let mut store = self.store();
        let Acted { account, action } = store.act(arguments)?;
        let mut answer = serde_json::to_value(account)?;
        answer["timestamp"] = action["timestamp"].clone();
        let store = store.now()?;
        let shared = self.share(store, &action);
        let plan = store.mind().plans().last();
        match name {
            "remember_trade" => {
                let id = action["id"].as_str().unwrap_or_default();
                answer["id"] = id.into();
                let context = store.episode_number(id).ok().and_then(|number| store.context(number));
                answer["context"] = json!(context);
                if let Some(why) = without_r(&action) {
                    answer["note"] = why.into();
                }
            }
            "create_trading_plan" => answer["plan"] = plan.map_or(Value::Null, |plan| store.plan(plan)),
            "carry_out_plan" | "cancel_plan" => {
                let it = store.mind().plans().iter().find(|plan| action["plan"] == plan.id);
                answer["plan"] = it.map_or(Value::Null, |plan| store.plan(plan));
            }
            _ => {}
        }
        // A failure to share isn't returned as an error: the trade is stored, and an agent that received an error would report it again.
        if let Err(error) = shared {
            answer["note"] = format!("taken in, and shared with the next call that can: {error}").into();
        }
        Ok(answer)
    }
}

/// A note on a closed trade without R.
fn without_r(action: &Map<String, Value>) -> Option<&'static str> {
    let has = |name: &str| action.get(name).is_some_and(Value::is_number);
    ((has("pnl") || has("exit_price")) && !has("pnl_r")).then_some(
        "no pnl_r: beliefs, performance and equity move by the sign of the result; quality (0.5), Kelly fractions and confidence need what was risked",
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecallArguments {
    whole: Option<bool>,
    symbol: Option<String>,
    market_context: Option<String>,
    context_regime: Option<Value>,
    context_atr_d1: Option<Value>,
    strategy_name: Option<String>,
    memory_types: Option<Value>,
    limit: Option<u64>,
    now: Option<Value>,
}

impl RecallArguments {
    fn question(self) -> Value {
        let given = |mut fields: Value| {
            fields.as_object_mut().into_iter().for_each(|fields| fields.retain(|_, value| !value.is_null()));
            fields
        };
        let context = given(json!({
            "market_context": self.market_context, "regime": self.context_regime, "atr_d1": self.context_atr_d1,
        }));
        given(json!({
            "now": self.now.unwrap_or_else(now), "query_context": context, "symbol": self.symbol,
            "strategy_name": self.strategy_name, "memory_types": self.memory_types, "limit": self.limit,
        }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    strategy_name: Option<String>,
    symbol: Option<String>,
}

impl Wanted {
    fn about(&self) -> About<'_> {
        About { strategy: self.strategy_name.as_deref(), symbol: self.symbol.as_deref() }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Present {
    current_context: Option<Map<String, Value>>,
    context_regime: Option<Value>,
    context_atr_d1: Option<Value>,
    now: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    trade_id: String,
}

impl Toolbox for OwmTools {
    fn name(&self) -> &'static str {
        "morta-owm"
    }

    fn about(&self) -> &'static str {
        "Outcome-weighted memory of trades. Recall before a trade, remember after it, look at your habits and state of mind, plan ahead."
    }

    fn tools(&self) -> Vec<ToolSpec> {
        let regime = || {
            json!({ "type": "string", "enum": ["trending_up", "trending_down", "ranging", "volatile"],
                "description": "the market's regime" })
        };
        let moment = || moment("when, as 2026-02-01T14:00:00Z; now when left out");
        let object = |about: &str| json!({ "type": "object", "description": about });
        let strategy = || text("the strategy, by its name");
        let symbol = || text("the instrument, as in XAUUSD");
        let about = || vec![optional("strategy_name", strategy()), optional("symbol", symbol())];
        vec![
            ToolSpec {
                name: "remember_trade",
                about: "Take in a trade. Without exit_price, pnl and pnl_r it is kept as open and moves nothing; tell of it again with the same id and \
                        its end.",
                arguments: vec![
                    needed("symbol", symbol()),
                    needed("direction", json!({ "type": "string", "enum": ["long", "short"] })),
                    needed("entry_price", number("price of the entry")),
                    optional("exit_price", number("price of the exit")),
                    optional("pnl", number("profit, in money")),
                    optional("pnl_r", number("profit, in units of what was risked")),
                    needed("strategy_name", strategy()),
                    optional("market_context", text("the market in words")),
                    optional("context_regime", regime()),
                    optional("context_atr_d1", number("average true range of a day, in units of price")),
                    optional("confidence", number("how sure you were, 0 to 1")),
                    optional("reflection", text("what there is to learn from it")),
                    optional("max_adverse_excursion", number("furthest loss on the way, in R")),
                    optional("id", text("any text, once; numbered when left out")),
                    optional("lot_size", number("size, in lots")),
                    optional("hold_duration_seconds", number("how long it was held")),
                    optional(
                        "context",
                        object("further fields of the context: see `morta-memory owm --help`"),
                    ),
                    optional("timestamp", moment()),
                    optional("trade_id", text("the same as id")),
                    optional("tags", json!({ "type": "array", "items": { "type": "string" } })),
                    optional("entry_timestamp", super::moment("when it was entered")),
                    optional(
                        "exit_timestamp",
                        super::moment("when it was left; both give how long it was held"),
                    ),
                    optional(
                        "equity",
                        number("the account's equity after it; the last one and the pnl when left out"),
                    ),
                ],
                writes: true,
            },
            ToolSpec {
                name: "update_equity",
                about: "The account's equity, also in hours without trades: drawdown and appetite for risk follow from it.",
                arguments: vec![needed("equity", number("in money")), optional("timestamp", moment())],
                writes: true,
            },
            ToolSpec {
                name: "recall_memories",
                about: "What is remembered for the present, the best first, with every factor of its score: outcome (Q), likeness (Sim), recency (Rec), \
                        confidence (Conf), state of mind (Aff).",
                arguments: vec![
                    optional("symbol", symbol()),
                    optional("market_context", text("the market in words")),
                    optional("context_regime", regime()),
                    optional("context_atr_d1", number("average true range of a day, in units of price")),
                    optional("strategy_name", strategy()),
                    optional(
                        "memory_types",
                        json!({ "type": "array", "items": { "type": "string", "enum": ["episodic", "semantic", "prospective"] },
                            "description": "episodic and semantic when left out" }),
                    ),
                    optional("limit", count("most memories; 10 when left out")),
                    optional("now", moment()),
                    optional(
                        "whole",
                        switch(
                            "false: only the newest five trades and three beliefs for each memory wanted are looked at, as the original does; true when left out",
                        ),
                    ),
                ],
                // A recall is counted in the store.
                writes: true,
            },
            ToolSpec {
                name: "get_behavioral_analysis",
                about: "Habits: what was really done, biases, drift, stakes against Kelly's; and the beliefs.",
                arguments: about(),
                writes: false,
            },
            ToolSpec {
                name: "get_agent_state",
                about: "The state of mind: confidence, appetite for risk, drawdown, streaks.",
                arguments: Vec::new(),
                writes: false,
            },
            ToolSpec {
                name: "create_trading_plan",
                about: "Plan what to do when something is the case.",
                arguments: vec![
                    needed(
                        "trigger_condition",
                        object(
                            "fields of a context with values or comparisons (gt, gte, lt, lte, eq, ne, in); all must hold",
                        ),
                    ),
                    needed(
                        "planned_action",
                        object("type (adjust_param, skip_trade, force_exit, alert), parameter, magnitude"),
                    ),
                    needed("reasoning", text("why")),
                    optional(
                        "expiry_days",
                        json!({ "type": ["number", "null"], "description": "30 when left out; null: never" }),
                    ),
                    optional("priority", number("0 to 1; 0.5 when left out")),
                    optional(
                        "trigger_type",
                        json!({ "type": "string", "description": "market_condition, time, event or state" }),
                    ),
                    optional(
                        "expiry_condition",
                        object("circumstances in which it is void from then on, as a trigger_condition"),
                    ),
                    optional("timestamp", moment()),
                ],
                writes: true,
            },
            ToolSpec {
                name: "carry_out_plan",
                about: "A plan was carried out; what came of it may be reported later, by calling this again.",
                arguments: vec![
                    needed("plan", count("the id of the plan")),
                    optional("outcome_pnl_r", number("what came of it, in R")),
                    optional("outcome_reflection", text("what is thought of it")),
                    optional("timestamp", moment()),
                ],
                writes: true,
            },
            ToolSpec {
                name: "cancel_plan",
                about: "A plan isn't wanted any more.",
                arguments: vec![needed("plan", count("the id of the plan")), optional("timestamp", moment())],
                writes: true,
            },
            ToolSpec {
                name: "check_active_plans",
                about: "The plans that apply in a context; all of them, with their status, without one.",
                arguments: vec![
                    optional("current_context", object("fields of the present")),
                    optional("context_regime", regime()),
                    optional("context_atr_d1", number("average true range of a day, in units of price")),
                    optional("now", moment()),
                ],
                // A plan whose expiry condition holds in this context is expired for good.
                writes: true,
            },
            ToolSpec {
                name: "get_strategy_performance",
                about: "How strategies have done on symbols, with the habits that go with it.",
                arguments: about(),
                writes: false,
            },
            ToolSpec {
                name: "get_trade_reflection",
                about: "A trade with what was said of it, the beliefs it bore on and the plans it led to.",
                arguments: vec![needed("trade_id", text("the id of a trade"))],
                writes: false,
            },
        ]
    }

    fn call(&self, tool: &str, arguments: Map<String, Value>, _: Option<&Progress>) -> Result<Value> {
        self.take_in_shared()?;
        match tool {
            "remember_trade" => self.take_in(tool, original_trade(arguments)),
            "create_trading_plan" => {
                let (plan, note) = original_plan(arguments);
                let mut answer = self.take_in(tool, plan)?;
                if let Some(note) = note {
                    answer["note"] = note.into();
                }
                Ok(answer)
            }
            "update_equity" | "carry_out_plan" | "cancel_plan" => self.take_in(tool, arguments),
            "recall_memories" => {
                let request: RecallArguments = read(arguments)?;
                let whole = request.whole.unwrap_or(true);
                Ok(serde_json::to_value(recall_question(&mut self.store(), request.question(), whole)?)?)
            }
            "get_agent_state" => {
                let Nothing {} = read(arguments)?;
                Ok(report::state(self.store().now()?))
            }
            "get_behavioral_analysis" => {
                let named: Wanted = read(arguments)?;
                Ok(report::analysis(self.store().now()?, named.about()))
            }
            "get_strategy_performance" => {
                let named: Wanted = read(arguments)?;
                Ok(report::performance(self.store().now()?, named.about()))
            }
            "get_trade_reflection" => {
                report::reflection(self.store().now()?, &read::<Named>(arguments)?.trade_id)
            }
            "check_active_plans" => self.check_plans(read(arguments)?),
            _ => Err(Error::invalid(format!("there is no tool {tool}"))),
        }
    }
}

impl OwmTools {
    fn check_plans(&self, present: Present) -> Result<Value> {
        let refuse = |what: &dyn std::fmt::Display| Error::invalid(format!("arguments: {what}"));
        let named = [("regime", present.context_regime), ("atr_d1", present.context_atr_d1)];
        let mut context = present.current_context;
        for (name, value) in named {
            if let Some(value) = value {
                context.get_or_insert_default().entry(name).or_insert(value);
            }
        }
        let context = context.map(GivenContext::try_from).transpose();
        let context = context.map_err(|what| refuse(&format!("current_context: {what}")))?;
        let now = present.now.unwrap_or_else(now);
        let now_s = moment_s(&now)
            .ok_or_else(|| refuse(&format!("now = {now}: write a moment as 2026-02-01T14:00:00Z")))?;
        let mut store = self.store();
        // A plan whose expiry condition holds once is expired for good.
        let over: Vec<u32> = match &context {
            None => Vec::new(),
            Some(context) => {
                let plans = store.now()?.mind().plans().iter();
                let active = plans.filter(|plan| plan.status == PlanStatus::Active);
                let over = active.filter(|plan| plan.is_over(|name| field(&context.fields, name)));
                over.map(|plan| plan.id).collect()
            }
        };
        for plan in over {
            let action = json!({ "action": "expire_plan", "plan": plan, "timestamp": now });
            store.act(action.as_object().cloned().unwrap_or_default())?;
        }
        Ok(plans_at(store.now()?, context.as_ref(), Some(now_s)))
    }
}

/// Converts the arguments of TradeMemory's tool, which names the id and the moments of entry and exit differently.
fn original_trade(mut arguments: Map<String, Value>) -> Map<String, Value> {
    for (theirs, ours) in
        [("trade_id", "id"), ("entry_timestamp", "entry_time"), ("exit_timestamp", "exit_time")]
    {
        if let Some(value) = arguments.remove(theirs) {
            arguments.entry(ours).or_insert(value);
        }
    }
    let moment = |name: &str| arguments.get(name).and_then(moment_s);
    if let (Some(entry), Some(exit)) = (moment("entry_time"), moment("exit_time"))
        && exit >= entry
    {
        arguments.entry("hold_duration_seconds").or_insert_with(|| (exit - entry).into());
    }
    // Free words stay words; an object, or a text that holds one, is a context.
    if let Some(written) = arguments.remove("market_context") {
        let mut context = lenient_fields(&written);
        if let Some(Value::Object(given)) = arguments.remove("context") {
            context.extend(lenient_fields(&given.into()));
        }
        arguments.insert("context".to_owned(), context.into());
    }
    if let Some(Value::String(side)) = arguments.get_mut("direction") {
        *side = match side.to_lowercase().as_str() {
            "buy" => "long".to_owned(),
            "sell" => "short".to_owned(),
            other => other.to_owned(),
        };
    }
    arguments
}

/// Converts the arguments of TradeMemory's tool: its kinds of triggers have other names, its conditions say `atr_d1_min` for "at least", and its
/// actions have any name. Returns the plan, with a note on a converted action.
fn original_plan(mut arguments: Map<String, Value>) -> (Map<String, Value>, Option<String>) {
    if let Some(Value::String(kind)) = arguments.get_mut("trigger_type") {
        let known = match kind.as_str() {
            "time_based" => "time",
            "drawdown" | "streak" | "affective" => "state",
            "regime" | "price" | "volatility" => "market_condition",
            other => other,
        };
        *kind = known.to_owned();
    }
    if let Some(Value::Object(trigger)) = arguments.get_mut("trigger_condition") {
        for (ending, comparison) in [("_min", "gte"), ("_max", "lte")] {
            let bounds: Vec<String> = trigger.keys().filter(|name| name.ends_with(ending)).cloned().collect();
            for bound in bounds {
                let Some(value) = trigger.remove(&bound) else { continue };
                let field = bound.trim_end_matches(ending).to_owned();
                let tests = trigger.entry(field).or_insert_with(|| json!({}));
                if let Some(tests) = tests.as_object_mut() {
                    tests.insert(comparison.to_owned(), value);
                }
            }
        }
    }
    let note = arguments.get_mut("planned_action").and_then(Value::as_object_mut).and_then(original_action);
    (arguments, note)
}

/// Replaces an action that isn't one of the document's four by the one with the same effect, or by an alert, because an agent's own word would
/// otherwise lose the plan.
fn original_action(action: &mut Map<String, Value>) -> Option<String> {
    let kind = action.get("type")?.as_str()?.to_owned();
    let is_ours = serde_json::from_value::<ActionType>(kind.clone().into()).is_ok();
    let known = |name: &String| ["type", "parameter", "magnitude"].contains(&name.as_str());
    if is_ours && action.keys().all(known) {
        return None;
    }
    let number =
        ["magnitude", "factor", "by", "multiplier"].iter().find_map(|name| action.get(*name)?.as_f64());
    let does = kind.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| does.contains(word));
    let (ours, parameter) = if is_ours {
        (kind.as_str(), action.get("parameter").and_then(Value::as_str).map(str::to_owned))
    } else if has(&["size", "lot", "position"])
        && has(&["reduce", "decrease", "increase", "scale", "halve", "adjust"])
    {
        ("adjust_param", Some("lot_size".to_owned()))
    } else if has(&["skip", "avoid", "no_trade", "stay_out"]) {
        ("skip_trade", None)
    } else if has(&["exit", "close"]) {
        ("force_exit", None)
    } else {
        ("alert", Some(kind.clone()))
    };
    let rest: Vec<&str> = action.keys().filter(|name| !known(name)).map(String::as_str).collect();
    let note = format!(
        "planned_action.type = {kind:?} was read as {ours}; of its other fields ({}) only a factor is kept",
        rest.join(", ")
    );
    *action = json!({ "type": ours, "parameter": parameter, "magnitude": number })
        .as_object()
        .cloned()
        .unwrap_or_default();
    Some(note)
}

/// An empty set of arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}
