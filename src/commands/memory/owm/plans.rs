//! `morta memory owm plans`: the plans of a store, or those that apply now.

use super::context::{GivenContext, field, written};
use super::input;
use super::store::Store;
use crate::failure::UserError;
use crate::output;
use morta_memories::owm::prospective::{applicable, expire};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Args {
    /// The folder of the store.
    store: PathBuf,
    /// The present: a context with all that triggers ask for (strategy and type of the pending signal among it); - reads
    /// standard input. Lists the plans that apply.
    #[arg(long, value_name = "CONTEXT.json")]
    context: Option<PathBuf>,
    /// The moment; the store's last one when left out.
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
}

const HELP: &str = r#"Prints {"now", "plans"}: the plans that apply, the most important first, then the oldest; without
--context all of them, with their status at that moment. Nothing in the store is changed;
morta memory owm remember makes plans, carries them out and cancels them."#;

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut store = Store::open(&args.store)?;
    let now_s = match &args.now {
        Some(now) => {
            let value = now.parse::<f64>().map_or_else(|_| Value::from(now.as_str()), Value::from);
            input::moment("--now", &value).map_err(UserError::new)?
        }
        None => store.last_s(),
    };
    expire(store.mind_mut().plans_mut(), now_s);
    let plans: Vec<Value> = match &args.context {
        Some(path) => {
            let context: GivenContext = input::object(path)?;
            let found = applicable(store.mind().plans(), now_s, |name| field(&context.fields, name));
            found.into_iter().map(|plan| store.plan(plan)).collect()
        }
        None => store.mind().plans().iter().map(|plan| store.plan(plan)).collect(),
    };
    output::line(serde_json::to_string_pretty(&json!({ "now": written(now_s), "plans": plans }))?)?;
    Ok(ExitCode::SUCCESS)
}
