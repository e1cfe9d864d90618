//! What a store says of its owner: the state of mind, habits and beliefs.

use super::context::written;
use super::mistake::Mistake;
use super::store::Store;
use crate::error::Error;
use morta_memories::owm::episodic::{Domain, Shelf};
use morta_memories::owm::induction::Names;
use morta_memories::owm::procedural::ProceduralMemory;
use serde_json::{Value, json};
use std::path::Path;

/// The state of mind that a store holds, as an object.
///
/// # Errors
/// [`Error::Invalid`] when the store can't be read.
pub fn state(store: &Path) -> crate::Result<Value> {
    let store = Store::open(store)?;
    let affect = store.mind().affect();
    let moment = |moment: &morta_memories::owm::affective::AffectMoment| {
        json!({
            "timestamp": written(moment.timestamp_s),
            "confidence": moment.confidence,
            "risk_appetite": moment.risk_appetite,
            "equity": moment.equity,
        })
    };
    Ok(json!({
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
    }))
}

/// The habits and beliefs that a store holds, as an object; of one strategy or symbol only where they are named.
///
/// # Errors
/// [`Error::Invalid`] when the store can't be read, or hasn't met a name.
pub fn analysis(folder: &Path, strategy: Option<&str>, symbol: Option<&str>) -> crate::Result<Value> {
    let store = Store::open(folder)?;
    let known = |number: Result<u16, Mistake>| {
        number.map_err(|what| Error::invalid(format!("{}: {what}", folder.display())))
    };
    let strategy = strategy.map(|name| known(store.strategy(name))).transpose()?;
    let symbol = symbol.map(|name| known(store.symbol(name))).transpose()?;
    let wanted = |of: Option<u16>, number: Option<u16>| of.is_none() || number.is_none() || of == number;
    let about =
        |domain: Domain| wanted(Some(domain.strategy), strategy) && wanted(Some(domain.symbol), symbol);
    let mind = store.mind();
    let habits = mind.habits().iter().filter(|habit| about(habit.domain));
    let beliefs = mind
        .beliefs()
        .iter()
        .filter(|belief| wanted(belief.scope.strategy, strategy) && wanted(belief.scope.symbol, symbol));
    Ok(json!({
        "habits": habits.map(|habit| shown(&store, habit)).collect::<Vec<_>>(),
        "beliefs": beliefs.map(|belief| store.belief(belief)).collect::<Vec<_>>(),
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
