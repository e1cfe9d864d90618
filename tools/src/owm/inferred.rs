//! Inference of missing context fields: the market regime from words, the trading session from the hour in UTC. `log` completes every
//! remembered trade by it, at the moment of its entry, `import` every imported one, and `recall` the context of a recall from a store that
//! names its moment. Fields that the caller gave stay. A missing label would match nothing, so that a plain guess is worth more than none.

use morta_memories::owm::context::{Regime, Session};
use serde_json::{Map, Value};

/// The one regime that a description names; none if it names several or none (keyword matching). The document (section 7.3, migration) says
/// "heuristic" and gives no list. The words are our choice, because traders use each of them for one regime only.
pub(crate) fn regime_in(description: &str) -> Option<Regime> {
    let words: [(Regime, &[&str]); 4] = [
        (Regime::TrendingUp, &["trending_up", "trending up", "uptrend", "bullish"]),
        (Regime::TrendingDown, &["trending_down", "trending down", "downtrend", "bearish"]),
        (Regime::Ranging, &["ranging", "range-bound", "range bound", "sideways", "consolidat"]),
        (Regime::Volatile, &["volatile", "whipsaw", "choppy"]),
    ];
    let text = description.to_lowercase();
    let mut named = words.iter().filter(|(_, words)| words.iter().any(|word| text.contains(word)));
    let first = named.next()?.0;
    named.next().is_none().then_some(first)
}

/// The session at a moment, by its hour in UTC (trading session). The document names the four sessions and gives no hours. The hours are
/// our choice, because London opens about 7 UTC and New York about 12, and they overlap until London closes.
pub(crate) fn session_at(moment_s: f64) -> Session {
    match (moment_s / 3_600.0).floor().rem_euclid(24.0) as u32 {
        7..=11 => Session::London,
        12..=15 => Session::Overlap,
        16..=20 => Session::Newyork,
        _ => Session::Asia,
    }
}

/// Adds the regime and the session where a context lacks them (missing labels). A session that is null is left as it is, because `import`
/// marks with it a trade whose hour is unknown.
pub fn complete(context: &mut Map<String, Value>, words: Option<&str>, moment_s: f64) {
    let is_missing = |context: &Map<String, Value>, name: &str| context.get(name).is_none_or(Value::is_null);
    if is_missing(context, "regime")
        && let Some(regime) = words.and_then(regime_in)
    {
        context.insert("regime".to_owned(), regime.name().into());
    }
    if !context.contains_key("session") {
        context.insert("session".to_owned(), session_at(moment_s).name().into());
    }
}
