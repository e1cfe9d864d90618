//! Outcome-weighted memory as tools, by the names and arguments of TradeMemory's.

use super::{ToolSpec, Toolbox, moment, number, read, text};
use crate::owm::context::{GivenContext, moment_s};
use crate::owm::plans::plans_at;
use crate::owm::recall::recall_asked;
use crate::owm::remember::remember_one;
use crate::owm::report;
use jiff::Timestamp;
use morta_lab::error::{Error, Result};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// The tools of one store.
pub struct OwmTools {
    store: PathBuf,
}

impl OwmTools {
    /// Of a store, which is made by the first trade if it isn't there.
    pub fn new(store: PathBuf) -> Self {
        Self { store }
    }

    /// Takes in an action; it happens now, unless it says when.
    fn take_in(&self, action: &str, mut arguments: Map<String, Value>) -> Result<Value> {
        arguments.entry("timestamp").or_insert_with(now);
        arguments.insert("action".to_owned(), action.into());
        Ok(serde_json::to_value(remember_one(&self.store, &Value::Object(arguments))?)?)
    }
}

fn now() -> Value {
    Timestamp::now().to_string().into()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    symbol: Option<String>,
    market_context: Option<String>,
    context_regime: Option<Value>,
    context_atr_d1: Option<Value>,
    strategy_name: Option<String>,
    memory_types: Option<Value>,
    limit: Option<u64>,
    now: Option<Value>,
}

impl Asked {
    fn question(self) -> Value {
        let mut question = json!({ "now": self.now.unwrap_or_else(now) });
        let context = [
            ("market_context", self.market_context.map(Value::from)),
            ("regime", self.context_regime),
            ("atr_d1", self.context_atr_d1),
        ];
        let context: Map<String, Value> =
            context.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        question["query_context"] = Value::Object(context);
        let asked = [
            ("symbol", self.symbol.map(Value::from)),
            ("strategy_name", self.strategy_name.map(Value::from)),
            ("memory_types", self.memory_types),
            ("limit", self.limit.map(Value::from)),
        ];
        for (name, value) in asked {
            if let Some(value) = value {
                question[name] = value;
            }
        }
        question
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    strategy_name: Option<String>,
    symbol: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Present {
    current_context: Option<Map<String, Value>>,
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
        let about = || vec![("strategy_name", strategy(), false), ("symbol", symbol(), false)];
        vec![
            ToolSpec {
                name: "remember_trade",
                about: "Take in a trade. Without exit_price, pnl and pnl_r it is kept as open and moves nothing; tell of it again with the same id and \
                        its end.",
                arguments: vec![
                    ("symbol", symbol(), true),
                    ("direction", json!({ "type": "string", "enum": ["long", "short"] }), true),
                    ("entry_price", number("price of the entry"), true),
                    ("exit_price", number("price of the exit"), false),
                    ("pnl", number("profit, in money"), false),
                    ("pnl_r", number("profit, in units of what was risked"), false),
                    ("strategy_name", strategy(), true),
                    ("market_context", text("the market in words"), false),
                    ("context_regime", regime(), false),
                    ("context_atr_d1", number("average true range of a day, in units of price"), false),
                    ("confidence", number("how sure you were, 0 to 1"), false),
                    ("reflection", text("what there is to learn from it"), false),
                    ("max_adverse_excursion", number("furthest loss on the way, in R"), false),
                    ("id", text("any text, once; numbered when left out"), false),
                    ("lot_size", number("size, in lots"), false),
                    ("hold_duration_seconds", number("how long it was held"), false),
                    (
                        "context",
                        object("further fields of the context: see `morta-memory owm --help`"),
                        false,
                    ),
                    ("equity", number("the account afterwards, in money"), false),
                    ("entry_time", moment(), false),
                    ("exit_time", moment(), false),
                    ("tags", json!({ "type": "array", "items": { "type": "string" } }), false),
                    ("timestamp", moment(), false),
                ],
                writes: true,
            },
            ToolSpec {
                name: "recall_memories",
                about: "What is remembered for the present, the best first, with every factor of its score: outcome (Q), likeness (Sim), recency (Rec), \
                        confidence (Conf), state of mind (Aff).",
                arguments: vec![
                    ("symbol", symbol(), false),
                    ("market_context", text("the market in words"), false),
                    ("context_regime", regime(), false),
                    ("context_atr_d1", number("average true range of a day, in units of price"), false),
                    ("strategy_name", strategy(), false),
                    (
                        "memory_types",
                        json!({ "type": "array", "items": { "type": "string", "enum": ["episodic", "semantic", "prospective"] },
                            "description": "episodic and semantic when left out" }),
                        false,
                    ),
                    (
                        "limit",
                        json!({ "type": "integer", "minimum": 0, "description": "most memories; 10 when left out" }),
                        false,
                    ),
                    ("now", moment(), false),
                ],
                // What is recalled is noted.
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
                    (
                        "trigger_condition",
                        object(
                            "fields of a context with values or comparisons (gt, gte, lt, lte, eq, ne, in); all must hold",
                        ),
                        true,
                    ),
                    (
                        "planned_action",
                        object("type (adjust_param, skip_trade, force_exit, alert), parameter, magnitude"),
                        true,
                    ),
                    ("reasoning", text("why"), true),
                    (
                        "expiry_days",
                        json!({ "type": ["number", "null"], "description": "30 when left out; null: never" }),
                        false,
                    ),
                    ("priority", number("0 to 1; 0.5 when left out"), false),
                    ("trigger_type", text("market_condition, or another kind of trigger"), false),
                    ("timestamp", moment(), false),
                ],
                writes: true,
            },
            ToolSpec {
                name: "check_active_plans",
                about: "The plans that apply in a context; all of them, with their status, without one.",
                arguments: vec![
                    ("current_context", object("fields of the present"), false),
                    ("now", moment(), false),
                ],
                writes: false,
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
                arguments: vec![("trade_id", text("the id of a trade"), true)],
                writes: false,
            },
        ]
    }

    fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Value> {
        match tool {
            "remember_trade" => self.take_in(tool, arguments),
            "create_trading_plan" => self.take_in(tool, arguments),
            "recall_memories" => {
                let asked: Asked = read(arguments)?;
                Ok(serde_json::to_value(recall_asked(&self.store, asked.question())?)?)
            }
            "get_agent_state" => {
                let Nothing {} = read(arguments)?;
                report::state(&self.store)
            }
            "get_behavioral_analysis" => {
                let about: About = read(arguments)?;
                report::analysis(&self.store, about.strategy_name.as_deref(), about.symbol.as_deref())
            }
            "get_strategy_performance" => {
                let about: About = read(arguments)?;
                report::performance(&self.store, about.strategy_name.as_deref(), about.symbol.as_deref())
            }
            "get_trade_reflection" => report::reflection(&self.store, &read::<Named>(arguments)?.trade_id),
            "check_active_plans" => {
                let present: Present = read(arguments)?;
                let refuse = |what: &dyn std::fmt::Display| Error::invalid(format!("arguments: {what}"));
                let context = present.current_context.map(GivenContext::try_from).transpose();
                let context = context.map_err(|what| refuse(&format!("current_context: {what}")))?;
                let now = present.now.unwrap_or_else(now);
                let now_s = moment_s(&now)
                    .ok_or_else(|| refuse(&format!("now = {now}: write a moment as 2026-02-01T14:00:00Z")))?;
                plans_at(&self.store, context.as_ref(), Some(now_s))
            }
            _ => Err(Error::invalid(format!("there is no tool {tool}"))),
        }
    }
}

/// No arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}
