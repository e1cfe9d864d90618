//! The plans of a store, or those that apply now (`morta-memory owm plans`). They are prospective memory: triggers
//! (conditions on the market context) with actions and an expiry. Plans past their expiry are shown as expired, and the store isn't
//! changed. A plan is only listed and never carried out, because the user trades. The server's `check_active_plans` uses `plans_at`, and
//! itself expires plans whose expiry condition holds.

use super::context::{GivenContext, field, written};
use super::files;
use super::mistake::moment;
use super::store::Store;
use morta_lab::error::{Error, Result};
use morta_memories::owm::prospective::{applicable, expire};
use serde_json::{Value, json};
use std::path::Path;

/// The plans of a store with their status at a moment, as an object: those whose trigger holds in the context of a file, or all (active
/// plans). Without a moment, the store's last one. The store isn't changed.
///
/// # Errors
/// [`Error::Invalid`] when the store or the context can't be read, or the moment can't be parsed.
pub fn plans(store: &Path, context: Option<&Path>, now: Option<&str>) -> Result<Value> {
    let now_s = now.map(|now| {
        let value = now.parse::<f64>().map_or_else(|_| Value::from(now), Value::from);
        moment("--now", &value).map_err(|what| Error::invalid(what.to_string()))
    });
    let context = context.map(files::object::<GivenContext>).transpose()?;
    Ok(plans_at(&Store::open_or_empty(store)?, context.as_ref(), now_s.transpose()?))
}

/// As [`plans`], for an open store, a parsed context and a moment in seconds since 1970 (triggered plans).
pub(crate) fn plans_at(store: &Store, context: Option<&GivenContext>, now_s: Option<f64>) -> Value {
    let now_s = now_s.unwrap_or_else(|| store.last_s());
    let mut plans = store.mind().plans().to_vec();
    expire(&mut plans, now_s);
    let plans: Vec<Value> = match context {
        Some(context) => {
            let found = applicable(&plans, now_s, |name| field(&context.fields, name));
            found.into_iter().map(|plan| store.plan(plan)).collect()
        }
        None => plans.iter().map(|plan| store.plan(plan)).collect(),
    };
    json!({ "now": (now_s > f64::MIN).then(|| written(now_s)), "plans": plans })
}
