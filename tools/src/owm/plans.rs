//! The plans of a store, or those that apply now.

use super::context::{GivenContext, field, written};
use super::files;
use super::mistake::moment;
use super::store::Store;
use morta_lab::error::{Error, Result};
use morta_memories::owm::prospective::{applicable, expire};
use serde_json::{Value, json};
use std::path::Path;

/// The plans of a store with their status at a moment, as an object: those that apply in the context that a file holds, or all of them.
/// The moment is the store's last one when none is given. Nothing in the store is changed.
///
/// # Errors
/// [`Error::Invalid`] when the store or the context can't be read, or the moment is none.
pub fn plans(store: &Path, context: Option<&Path>, now: Option<&str>) -> Result<Value> {
    let now_s = now.map(|now| {
        let value = now.parse::<f64>().map_or_else(|_| Value::from(now), Value::from);
        moment("--now", &value).map_err(|what| Error::invalid(what.to_string()))
    });
    let context = context.map(files::object::<GivenContext>).transpose()?;
    plans_at(store, context.as_ref(), now_s.transpose()?)
}

/// The same for a context and a moment, seconds since 1970, that are at hand.
///
/// # Errors
/// [`Error::Invalid`] when the store can't be read.
pub fn plans_at(store: &Path, context: Option<&GivenContext>, now_s: Option<f64>) -> Result<Value> {
    let mut store = Store::open(store)?;
    let now_s = now_s.unwrap_or_else(|| store.last_s());
    expire(store.mind_mut().plans_mut(), now_s);
    let plans: Vec<Value> = match context {
        Some(context) => {
            let found = applicable(store.mind().plans(), now_s, |name| field(&context.fields, name));
            found.into_iter().map(|plan| store.plan(plan)).collect()
        }
        None => store.mind().plans().iter().map(|plan| store.plan(plan)).collect(),
    };
    Ok(json!({ "now": written(now_s), "plans": plans }))
}
