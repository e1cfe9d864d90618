//! The catalogue of outcome-weighted memory: synonyms of argument names and words, the schemas of answers, a store's beliefs, state, plans
//! and performance as MCP resources, and prompts for before and after a trade. A resource has the answer of the tool of the same content.
//! Synonyms are there because agents that know TradeMemory or a broker write those names.

use super::Toolbox as _;
use super::catalog::{Catalog, OtherName, OtherWord, answer_with, json_content, list_of, of_type, prompt};
use super::owm::OwmTools;
use morta_lab::error::Result;
use rmcp::model::{Prompt, Resource, ResourceContents};
use serde_json::{Map, Value, json};

const fn name(tool: &'static str, name: &'static str, means: &'static str) -> OtherName {
    OtherName { tool, name, means }
}

const fn word(argument: &'static str, word: &'static str, means: &'static str) -> OtherWord {
    OtherWord { argument, word, means }
}

/// Synonyms that other tools and brokers use.
const NAMES: [OtherName; 16] = [
    name("remember_trade", "side", "direction"),
    name("remember_trade", "r_multiple", "pnl_r"),
    name("remember_trade", "profit", "pnl"),
    name("remember_trade", "mae", "max_adverse_excursion"),
    name("remember_trade", "lots", "lot_size"),
    name("remember_trade", "account_equity", "equity"),
    name("get_trade_reflection", "id", "trade_id"),
    name("carry_out_plan", "plan_id", "plan"),
    name("cancel_plan", "plan_id", "plan"),
    name("check_active_plans", "session", "current_context.session"),
    name("", "strategy", "strategy_name"),
    name("", "ticker", "symbol"),
    name("", "instrument", "symbol"),
    name("", "regime", "context_regime"),
    name("", "atr_d1", "context_atr_d1"),
    name("recall_memories", "k", "limit"),
];

/// Synonyms that traders and other classifiers use.
const WORDS: [OtherWord; 16] = [
    word("direction", "buy", "long"),
    word("direction", "bought", "long"),
    word("direction", "sell", "short"),
    word("direction", "sold", "short"),
    word("context_regime", "bullish", "trending_up"),
    word("context_regime", "bull", "trending_up"),
    word("context_regime", "uptrend", "trending_up"),
    word("context_regime", "trend_up", "trending_up"),
    word("context_regime", "bearish", "trending_down"),
    word("context_regime", "bear", "trending_down"),
    word("context_regime", "downtrend", "trending_down"),
    word("context_regime", "trend_down", "trending_down"),
    word("context_regime", "range_bound", "ranging"),
    word("context_regime", "sideways", "ranging"),
    word("context_regime", "range", "ranging"),
    word("context_regime", "high_volatility", "volatile"),
];

/// The resources: URI, name, the tool with the same answer, and a description.
const READ: [(&str, &str, &str, &str); 4] = [
    ("owm://beliefs", "beliefs", "get_behavioral_analysis", "Habits and beliefs that the trades have led to"),
    ("owm://state", "state of mind", "get_agent_state", "Confidence, appetite for risk, drawdown, streaks"),
    ("owm://plans", "plans", "check_active_plans", "All plans, with their status"),
    ("owm://performance", "performance", "get_strategy_performance", "How strategies have done on symbols"),
];

impl Catalog for OwmTools {
    fn other_names(&self) -> &'static [OtherName] {
        &NAMES
    }

    fn other_words(&self) -> &'static [OtherWord] {
        &WORDS
    }

    fn answer(&self, tool: &str) -> Value {
        let object = || of_type("object");
        let objects = || list_of(object());
        match tool {
            "remember_trade" => answer_with(&[("trades", of_type("integer")), ("id", of_type("string"))]),
            "update_equity" => answer_with(&[("equities", of_type("integer"))]),
            "create_trading_plan" | "carry_out_plan" | "cancel_plan" => {
                answer_with(&[("plans", of_type("integer")), ("plan", object())])
            }
            "recall_memories" => answer_with(&[("ranked", objects())]),
            "get_behavioral_analysis" => answer_with(&[("habits", objects()), ("beliefs", objects())]),
            "get_agent_state" => answer_with(&[("episodes", of_type("integer"))]),
            "check_active_plans" => answer_with(&[("plans", objects())]),
            "get_strategy_performance" => answer_with(&[("performance", objects())]),
            "get_trade_reflection" => answer_with(&[("id", of_type("string")), ("trade", object())]),
            _ => object(),
        }
    }

    fn resources(&self) -> Result<Vec<Resource>> {
        let resource = |(uri, name, _, about): (&str, &str, &str, &str)| {
            Resource::new(uri, name).with_description(about).with_mime_type("application/json")
        };
        Ok(READ.into_iter().map(resource).collect())
    }

    fn read_resource(&self, uri: &str) -> Result<Option<ResourceContents>> {
        let Some((_, _, tool, _)) = READ.iter().find(|(known, ..)| *known == uri) else { return Ok(None) };
        json_content(uri, &self.call(tool, Map::new(), None)?)
    }

    fn prompts(&self) -> Vec<Prompt> {
        let before = "Ask the memory before a trade: what it remembers of the like, the state of mind, the plans that apply.";
        let coming = [
            ("symbol", "the instrument, as in XAUUSD", true),
            ("strategy_name", "the strategy, by its name", false),
            ("market_context", "the market in words", false),
        ];
        let after = "Tell the memory of a trade that is over, with what there is to learn from it.";
        let trade = ("trade", "the trade, in words: instrument, direction, prices, result", true);
        vec![prompt("before_a_trade", before, &coming), prompt("after_a_trade", after, &[trade])]
    }

    fn prompt(&self, name: &str, arguments: &Map<String, Value>) -> Result<String> {
        let given =
            |name: &str| arguments.get(name).and_then(Value::as_str).map(str::trim).unwrap_or_default();
        if name == "after_a_trade" {
            return Ok(format!(
                "This trade is over: {}\n\nCall remember_trade with its symbol, direction, entry_price, exit_price, pnl, pnl_r (profit in units of \
                 what was risked) and strategy_name. Say in market_context and context_regime what the market was like when it was entered, and in \
                 reflection the one thing to do otherwise next time. Leave out what you don't know: nothing is better than a guess.",
                given("trade")
            ));
        }
        let named: Map<String, Value> = ["symbol", "strategy_name", "market_context"]
            .into_iter()
            .filter(|name| !given(name).is_empty())
            .map(|name| (name.to_owned(), given(name).into()))
            .collect();
        Ok(format!(
            "I am about to trade {}. First look at my memory:\n\
             1. recall_memories with {}: what happened in the like, and why it ranks first.\n\
             2. get_agent_state: whether I am on a losing streak, and what my appetite for risk is.\n\
             3. check_active_plans with the present as current_context: whether a plan applies.\n\
             Then say in at most five lines whether the memory speaks for or against this trade, by which trades (their ids), and what would change your \
             mind. If it remembers too little to say, say that.",
            given("symbol"),
            json!(named)
        ))
    }
}
