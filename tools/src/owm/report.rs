//! Reports on a store as JSON objects, for `morta-memory owm state`, `analysis`, `performance` and `trade`, and for the server's tools.
//! Win rates and confidence are 0 to 1, results are R, profits are in the account's currency. An unknown strategy or symbol gives an
//! empty answer with a note, an unknown trade id is an error. Open trades and decisions not to trade are counted apart, because they have
//! no result.

use super::context::written;
use super::mistake::Mistake;
use super::store::Store;
use morta_lab::error::{Error, Result};
use morta_memories::owm::episodic::{Domain, EpisodicMemory, Shelf};
use morta_memories::owm::induction::Names;
use morta_memories::owm::procedural::ProceduralMemory;
use morta_memories::owm::semantic::SemanticMemory;
use serde_json::{Value, json};

/// Number of beliefs that an analysis recommends to test.
const TEST_FIRST: usize = 3;

/// Reports the affective state of a store, i.e. mood, drawdown and streaks, as an object: `current_drawdown_pct` is a share of peak equity,
/// `drawdown_state` that drawdown as a share of the largest acceptable one.
pub fn state(store: &Store) -> Value {
    let affect = store.mind().affect();
    let moment = |moment: &morta_memories::owm::affective::AffectMoment| {
        json!({
            "timestamp": written(moment.timestamp_s),
            "confidence": moment.confidence,
            "risk_appetite": moment.risk_appetite,
            "equity": moment.equity,
        })
    };
    json!({
        "confidence_level": affect.confidence,
        "confidence_by_strategy": store.confidence().collect::<std::collections::BTreeMap<_, _>>(),
        "risk_appetite": affect.risk_appetite,
        "momentum_bias": affect.momentum_bias,
        "peak_equity": affect.peak_equity,
        "current_equity": affect.current_equity,
        "current_drawdown_pct": affect.drawdown(),
        "drawdown_state": affect.drawdown_state,
        "max_acceptable_drawdown": store.mind().config().affect.max_drawdown,
        "consecutive_wins": affect.consecutive_wins,
        "consecutive_losses": affect.consecutive_losses,
        "last_updated": written(affect.updated_s),
        "episodes": store.mind().shelves().iter().map(|shelf| shelf.records().len()).sum::<usize>(),
        "open_trades": store.open_trades().count(),
        "beliefs": store.mind().beliefs().len(),
        "plans": store.mind().plans().len(),
        "history": affect.history.iter().map(moment).collect::<Vec<_>>(),
    })
}

/// Filters a report by strategy and symbol; all count where none is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// The strategy.
    pub strategy: Option<&'a str>,
    /// The symbol.
    pub symbol: Option<&'a str>,
}

impl About<'_> {
    /// Their numbers. An unknown name isn't an error of the command: an agent asks a new store before its first trade, and gets an empty answer with
    /// a note.
    fn numbers(self, store: &Store) -> Result<(Option<u16>, Option<u16>), Mistake> {
        let strategy = self.strategy.map(|name| store.strategy(name)).transpose()?;
        Ok((strategy, self.symbol.map(|name| store.symbol(name)).transpose()?))
    }
}

/// Reports the habits (behavioural biases) and beliefs of a store, as an object, the least certain beliefs apart, because one more trade
/// moves them most.
pub fn analysis(store: &Store, about: About<'_>) -> Value {
    let (strategy, symbol) = match about.numbers(store) {
        Ok(numbers) => numbers,
        Err(unknown) => return json!({ "habits": [], "beliefs": [], "note": unknown.to_string() }),
    };
    let wanted = |of: Option<u16>, number: Option<u16>| of.is_none() || number.is_none() || of == number;
    let is_about =
        |domain: Domain| wanted(Some(domain.strategy), strategy) && wanted(Some(domain.symbol), symbol);
    let mind = store.mind();
    let habits = mind.habits().iter().filter(|habit| is_about(habit.domain));
    let beliefs = mind
        .beliefs()
        .iter()
        .filter(|belief| wanted(belief.scope.strategy, strategy) && wanted(belief.scope.symbol, symbol));
    // The least certain belief is tested first, because one more outcome moves it most (the specification's exploration of uncertain knowledge,
    // section 2.2).
    let mut uncertain: Vec<&SemanticMemory> = beliefs.clone().collect();
    uncertain.sort_by(|a, b| b.belief.variance().total_cmp(&a.belief.variance()));
    json!({
        "habits": habits.map(|habit| shown(store, habit)).collect::<Vec<_>>(),
        "beliefs": beliefs.map(|belief| store.belief(belief, store.last_s(), None)).collect::<Vec<_>>(),
        "test_first": uncertain.iter().take(TEST_FIRST).map(|belief| belief.id).collect::<Vec<_>>(),
    })
}

/// Reports the performance by strategy and symbol, as an object: win rate, profit factor, mean R, and the habits. Open trades, and
/// decisions not to trade, are counted apart.
pub fn performance(store: &Store, about: About<'_>) -> Value {
    let mut habits = analysis(store, about);
    let Ok((strategy, symbol)) = about.numbers(store) else {
        return json!({ "performance": [], "habits": [], "note": habits["note"].take() });
    };
    let names = store.names();
    let is = |wanted: Option<u16>, number: u16| wanted.is_none_or(|wanted| wanted == number);
    let domains = store.mind().shelves().iter().filter_map(|shelf| {
        let domain = shelf.records().first()?.domain;
        let (own, of) = (names.strategy(domain.strategy), names.symbol(domain.symbol));
        (is(strategy, domain.strategy) && is(symbol, domain.symbol)).then(|| {
            let mut row = results(shelf.records());
            (row["strategy"], row["symbol"]) = (own.into(), of.into());
            row
        })
    });
    json!({ "performance": domains.collect::<Vec<_>>(), "habits": habits["habits"].take() })
}

/// Statistics of a shelf's trades. Open ones count in `trades` and `without_result` alone.
fn results(trades: &[EpisodicMemory]) -> Value {
    let pnls: Vec<f64> = trades.iter().filter_map(|trade| trade.pnl).collect();
    let rs: Vec<f64> = trades.iter().filter_map(|trade| trade.pnl_r).collect();
    // A trade without an R is won or lost by its profit.
    let results: Vec<f64> = trades.iter().filter_map(|trade| trade.pnl_r.or(trade.pnl)).collect();
    let wins = results.iter().filter(|result| **result > 0.0).count();
    let mean =
        |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let sum_of = |is_gain: bool| pnls.iter().filter(|pnl| (**pnl > 0.0) == is_gain).sum::<f64>().abs();
    let (gains, losses) = (sum_of(true), sum_of(false));
    json!({
        "trades": trades.len(),
        "without_result": trades.len() - results.len(),
        "wins": wins,
        "win_rate": (!results.is_empty()).then(|| wins as f64 / results.len() as f64),
        "total_pnl": pnls.iter().sum::<f64>(),
        "avg_pnl": mean(&pnls),
        "profit_factor": (losses > 0.0).then(|| gains / losses),
        "avg_pnl_r": mean(&rs),
        "best_pnl_r": rs.iter().copied().reduce(f64::max),
        "worst_pnl_r": rs.iter().copied().reduce(f64::min),
    })
}

/// Reports a trade with its reflection (post-trade review), the beliefs that it confirmed or contradicted, and the plans derived from it.
///
/// # Errors
/// [`Error::Invalid`] when there is no such trade.
pub fn reflection(store: &Store, id: &str) -> Result<Value> {
    let shown = |what: String| Error::at(store.folder(), what);
    let number = store.episode_number(id).map_err(|what| shown(what.to_string()))?;
    let trade = store.kept(id).ok_or_else(|| shown(format!("trade {id:?} was forgotten (capacity)")))?;
    let mind = store.mind();
    let bears_on = |belief: &SemanticMemory| {
        let (_, confirms) = store.evidence(belief).into_iter().find(|(of, _)| *of == number)?;
        let mut row = store.belief(belief, store.last_s(), None);
        row["borne_out"] = confirms.into();
        Some(row)
    };
    let plans = mind.plans().iter().filter(|plan| plan.source_episodic.contains(&number));
    Ok(json!({
        "id": id,
        "trade": store.episode(trade, store.last_s()),
        "reflection": trade.reflection,
        "beliefs": mind.beliefs().iter().filter_map(bears_on).collect::<Vec<_>>(),
        "plans": plans.map(|plan| store.plan(plan)).collect::<Vec<_>>(),
    }))
}

fn shown(store: &Store, habit: &ProceduralMemory) -> Value {
    let names = store.names();
    json!({
        "strategy": names.strategy(habit.domain.strategy),
        "symbol": names.symbol(habit.domain.symbol),
        "episodes": store.mind().shelf(habit.domain).map_or(0, |shelf: &Shelf| shelf.records().len()),
        "window_size": habit.window_size,
        "trades_in_window": habit.trades,
        "actual_win_rate": habit.actual_win_rate,
        "actual_avg_pnl_r": habit.actual_avg_pnl_r,
        "actual_avg_hold_seconds": habit.actual_avg_hold_seconds,
        "actual_entry_timing_bias": habit.actual_entry_timing_bias,
        "actual_exit_timing_bias": habit.actual_exit_timing_bias,
        "actual_avg_lots": habit.actual_avg_lots,
        "actual_lot_variance": habit.actual_lot_variance,
        "actual_lot_fraction_vs_kelly": habit.actual_lot_fraction_vs_kelly,
        "disposition_effect": habit.disposition_effect,
        "loss_aversion": habit.loss_aversion,
        "recency_bias": habit.recency_bias,
        "behavior_stability": habit.behavior_stability,
        "kelly_fraction": habit.kelly_fraction,
        "expected_win_rate": habit.expected_win_rate,
        "expected_avg_pnl_r": habit.expected_avg_pnl_r,
        "drift_detected": habit.drift.direction.is_some(),
        "drift_direction": habit.drift.direction,
        "drift_magnitude": habit.drift.magnitude,
        "last_updated": written(habit.updated_s),
    })
}
