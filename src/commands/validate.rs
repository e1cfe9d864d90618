//! `morta validate FILE...`: checks scenario files without running them (linter for configuration files): keys, ranges, data files, whether
//! a world can be planned, and whether the cassette of a scenario that replays one can be read. No model is called. `--fix` rewrites old
//! spellings of keys in the valid files. The exit code is 2 if any file has a mistake; notes don't change it. It lists all mistakes,
//! because one at a time takes many tries. `Args` has the CLI arguments for config validation.

use crate::memory_process::MemoryProcessArgs;
use morta_console::failure::UserError;
use morta_console::output;
use morta_lab::Laboratory;
use morta_lab::connection::Connection;
use morta_lab::scenario_file::{self, Overrides, Scenario};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta validate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenario files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change a key of each scenario before checking it, as in `--set market.pool.fee_bps=3`; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Rewrite each valid file to the reference page's spelling of its keys (batchSize becomes batch_size); everything else stays as it is.
    #[arg(long, conflicts_with = "set")]
    fix: bool,
    #[command(flatten)]
    memories: MemoryProcessArgs,

    /// Print one JSON array: for each file whether it is valid, its mistakes, and notes on what may not be meant.
    #[arg(long)]
    json: bool,
}

/// Checks each file; the exit code is 2 if any has a mistake (validation).
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let overrides = Overrides { set: args.set, ..Overrides::default() };
    let laboratory = args.memories.added_to(laboratory)?;
    let mut reports = Vec::new();
    let mut mistakes = Vec::new();
    for file in &args.files {
        match check(file, &overrides, &laboratory) {
            Ok(loaded) => {
                let rewritten = if args.fix { scenario_file::fix(file)? } else { 0 };
                if args.json {
                    reports.push(good(&loaded, rewritten));
                } else {
                    output::line(summary(&loaded, rewritten))?;
                    loaded.notes().iter().try_for_each(|note| output::line(format!("note: {note}")))?;
                }
            }
            Err(error) => {
                let Some(lines) = error.mistakes().map(<[String]>::to_vec) else { return Err(error.into()) };
                reports.push(json!({ "file": file, "ok": false, "mistakes": lines }));
                mistakes.extend(lines);
            }
        }
    }
    if args.json {
        output::json(&reports)?;
        return Ok(ExitCode::from(if mistakes.is_empty() { 0 } else { 2 }));
    }
    if mistakes.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(UserError::all(mistakes)) }
}

fn check(file: &Path, overrides: &Overrides, laboratory: &Laboratory) -> morta_lab::Result<Scenario> {
    let loaded = scenario_file::load(file, overrides, laboratory)?;
    loaded.plan()?;
    Connection::check(&loaded)?;
    Ok(loaded)
}

fn golems(loaded: &Scenario) -> u64 {
    loaded.scenario.cohorts.iter().map(|cohort| u64::from(cohort.golems)).sum()
}

fn summary(loaded: &Scenario, rewritten: usize) -> String {
    let scenario = &loaded.scenario;
    let plural = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let mut parts = vec![
        plural(golems(loaded), "golem"),
        plural(scenario.cohorts.len() as u64, "cohort"),
        plural(scenario.ticks, "tick"),
        plural(scenario.market.assets.len() as u64, "asset"),
    ];
    parts.extend(
        loaded.data.iter().map(|data| format!("{} from {}", plural(data.rows, "bar"), data.path.display())),
    );
    if rewritten > 0 {
        parts.push(format!("{} rewritten", plural(rewritten as u64, "key")));
    }
    format!("{}: ok ({})", loaded.path.display(), parts.join(", "))
}

fn good(loaded: &Scenario, rewritten: usize) -> Value {
    let scenario = &loaded.scenario;
    json!({
        "file": loaded.path,
        "ok": true,
        "name": scenario.name,
        "golems": golems(loaded),
        "cohorts": scenario.cohorts.len(),
        "ticks": scenario.ticks,
        "assets": scenario.market.assets.len(),
        "data": loaded.data,
        "rewritten_keys": rewritten,
        "mistakes": [],
        "notes": loaded.notes(),
    })
}
