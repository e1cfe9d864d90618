//! Market contexts and moments in JSON. It parses timestamps (RFC 3339 or Unix epoch) and market context fields. There are two parsers.
//! `GivenContext` is strict: a list, an object or an unknown label is an error, because the caller knows the format. `lenient_fields` has a
//! lenient schema for what other programs and agents write: unknown labels are kept under another name, so that nothing an agent says is
//! lost.

use super::mistake::Mistake;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use morta_memories::owm::context::{ContextVector, Regime, Session, VolatilityRegime};
use morta_memories::owm::trigger::FieldValue;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A market context as a caller gave it: the typed part (feature vector), and all fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub(crate) struct GivenContext {
    /// The fields that similarity is computed from.
    pub vector: ContextVector,
    /// Every field, those of `vector` included.
    pub fields: Map<String, Value>,
}

impl TryFrom<Map<String, Value>> for GivenContext {
    type Error = Mistake;

    fn try_from(fields: Map<String, Value>) -> Result<Self, Mistake> {
        for (name, value) in &fields {
            if value.is_array() || value.is_object() {
                return Err(Mistake::NoScalar(name.clone()));
            }
        }
        let number = |name: &str| match fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) => Ok(Some(number)),
                None => Err(Mistake::NotANumber { name: format!("context.{name}"), value: value.clone() }),
            },
        };
        let drawdown_pct = number("drawdown_pct")?;
        if let Some(drawdown) = drawdown_pct.filter(|drawdown| !(0.0..=1.0).contains(drawdown)) {
            return Err(Mistake::NoDrawdown(drawdown));
        }
        let vector = ContextVector {
            regime: label(&fields, "regime")?,
            volatility_regime: label(&fields, "volatility_regime")?,
            session: label(&fields, "session")?,
            atr_d1: number("atr_d1")?,
            atr_h1: number("atr_h1")?,
            spread_as_atr_pct: number("spread_as_atr_pct")?,
            drawdown_pct,
            price: number("price")?,
        };
        Ok(Self { vector, fields })
    }
}

/// The fields of a context as agents and other programs write it: an object, a text that holds one, or free words (lenient parsing). Fields of
/// nested objects are lifted to the top, unless the top has the name. A label outside our vocabulary is kept as `<name>_as_told`, so that it is
/// neither lost nor mistaken for one of ours.
pub(crate) fn lenient_fields(written: &Value) -> Map<String, Value> {
    let object = match written {
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::from_iter([("market_context".to_owned(), written.clone())]),
        },
        Value::Object(fields) => fields.clone(),
        _ => Map::new(),
    };
    let (nested, plain): (Vec<_>, Vec<_>) = object.into_iter().partition(|(_, value)| value.is_object());
    let mut fields = Map::new();
    for (name, value) in plain.into_iter().filter(|(_, value)| !value.is_array() && !value.is_null()) {
        insert_lenient(&mut fields, name, value);
    }
    for (_, inner) in nested {
        for (name, value) in lenient_fields(&inner) {
            fields.entry(name).or_insert(value);
        }
    }
    fields
}

/// Adds a field; common synonyms of sessions (`tokyo`, `ny`) are normalised first.
pub(super) fn insert_lenient(fields: &mut Map<String, Value>, name: String, value: Value) {
    let word = value.as_str().map(|word| word.trim().to_lowercase().replace([' ', '-'], "_"));
    let session = word.as_deref().map(|word| match word {
        "asian" | "tokyo" | "sydney" => "asia",
        "new_york" | "ny" | "us" => "newyork",
        "europe" | "european" => "london",
        other => other,
    });
    let labelled = match name.as_str() {
        "regime" => word.map(Value::from).filter(is_label::<Regime>),
        "volatility_regime" => word.map(Value::from).filter(is_label::<VolatilityRegime>),
        "session" => session.map(Value::from).filter(is_label::<Session>),
        _ => Some(value.clone()),
    };
    match labelled {
        Some(value) => fields.insert(name, value),
        None => fields.insert(format!("{name}_as_told"), value),
    };
}

fn is_label<T: serde::de::DeserializeOwned>(word: &Value) -> bool {
    serde_json::from_value::<T>(word.clone()).is_ok()
}

fn label<T: serde::de::DeserializeOwned>(
    fields: &Map<String, Value>,
    name: &str,
) -> Result<Option<T>, Mistake> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => serde_json::from_value(value.clone())
            .map(Some)
            .map_err(|source| Mistake::NoLabel { name: name.to_owned(), source }),
    }
}

/// Converts a JSON scalar to the value that a trigger's condition compares. None for a missing field, null, lists and objects.
pub fn field<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<FieldValue<'a>> {
    match fields.get(name)? {
        Value::Number(number) => number.as_f64().map(FieldValue::Number),
        Value::String(text) => Some(FieldValue::Text(text)),
        Value::Bool(flag) => Some(FieldValue::Flag(*flag)),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Parses a timestamp as seconds since 1970; none if it can't be read. A moment without a zone is taken as UTC, because the clocks of
/// agents' programs write UTC.
pub(crate) fn moment_s(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let text = text.trim();
            let local =
                || text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp());
            let time: Timestamp = text.parse().ok().or_else(local)?;
            Some(time.as_second() as f64 + f64::from(time.subsec_nanosecond()) / 1e9)
        }
        _ => None,
    }
}

/// Formats a moment (timestamp) as the log has it: RFC 3339, or plain seconds where `Timestamp` can't represent it.
pub fn written(moment_s: f64) -> Value {
    let whole = moment_s.floor();
    let nanoseconds = ((moment_s - whole) * 1e9) as i32;
    match Timestamp::new(whole as i64, nanoseconds) {
        Ok(time) => Value::from(time.to_string()),
        Err(_) => Value::from(moment_s),
    }
}
