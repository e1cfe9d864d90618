//! `morta fit constant SCENARIO`: the best fixed policy of a scenario's market (policy search), the table `[memory.constant]`. It is fitted
//! on worlds of its own seeds (101 to 140 by default), so that the comparison in other worlds is out of sample; the measure is R a
//! golem-tick. The table is printed, or put into the file with `--write`; a scenario with another market refuses it. A constant policy is a
//! baseline, because a memory that can't beat it has learned nothing. `Args` has the CLI arguments for parameter fitting.

use crate::terminal::CellLine;
use clap::Subcommand;
use morta_console::terminal::stop_on_interrupt;
use morta_console::{arguments, output};
use morta_lab::Laboratory;
use morta_lab::constant_fit::{ConstantFitOptions, ConstantFitRequest, LivedPolicy, fit_constant};
use morta_lab::text::figure;
use serde_json::json;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

/// The method of fitting, for the help.
const METHOD: &str = "\
A policy is a list of strategies by asset: whenever free, a golem trades the first of them that speaks, and nothing else ever. Every signal of \
the worlds is paper-traded; lists grow by the cell that gains most R a tick at any place, and the longest of them, and the list of all cells \
that pay by themselves, are changed cell by cell as long as that gains. Golems live by the best list of each length in the same worlds, and the one by which they earn most R a golem-tick is \
taken. Keys of the scenario that are about its cohorts, dreams, deaths on purpose, Lethe and models play no part; its [market], ticks and the rules of \
golems do. The result is the same to the byte on any number of threads.";

/// The flags of `morta fit`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The policy of the memory `constant`: the best fixed one of a market. Prints the table [memory.constant] for the scenario file.
    Constant(ConstantArgs),
}

/// The flags of `morta fit constant`.
#[derive(clap::Args)]
#[command(after_help = METHOD)]
struct ConstantArgs {
    /// The scenario file.
    scenario: PathBuf,

    /// Seeds of the worlds it is fitted on, both included: others than those in which it is compared.
    #[arg(long, value_name = "A..B", value_parser = seeds, default_value = "101..140")]
    worlds: RangeInclusive<u64>,

    /// Change a key of the scenario before, as in `--set market.pool.fee_bps=3`; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Put the table into the scenario file, in place of the one that is there; the rest of the file stays as it is.
    #[arg(long, conflicts_with = "set")]
    write: bool,

    /// Threads; they change nothing but the time. Left out: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,

    /// Print one JSON object: the table, and what golems made by each policy that was tried.
    #[arg(long)]
    json: bool,
}

fn seeds(text: &str) -> Result<RangeInclusive<u64>, &'static str> {
    arguments::from_to(text).ok_or("must be two whole numbers like 101..140, the smaller first")
}

/// Runs the command: policy search for the constant baseline.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let What::Constant(args) = args.what;
    let stop = stop_on_interrupt()?;
    let jobs = args
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get), usize::from);
    let watch = CellLine::new("worlds", args.json);
    let request = ConstantFitRequest { scenario: args.scenario, set: args.set, seeds: args.worlds };
    let fitted = fit_constant(&request, ConstantFitOptions { jobs, stop: &stop, watch: &watch }, laboratory)?;
    if args.write {
        fitted.write(&request.scenario)?;
    }
    if args.json {
        let mut object = serde_json::to_value(&fitted)?;
        object["toml"] = json!(fitted.text());
        return output::json(&object);
    }
    // The figures are TOML comments, so that the whole output can be pasted into a scenario.
    output::line("# R a golem-tick (standard error) by what golems took, in the order of preference:")?;
    fitted.policies.iter().try_for_each(|policy| output::line(format!("#   {}", line(policy))))?;
    if args.write {
        output::line(format!("written to {}", request.scenario.display()))
    } else {
        output::line(fitted.text().trim_end())
    }?;
    Ok(ExitCode::SUCCESS)
}

fn line(policy: &LivedPolicy) -> String {
    let takes: Vec<String> =
        policy.takes.iter().map(|(asset, strategy)| format!("{asset} {strategy}")).collect();
    let takes = if takes.is_empty() { "nothing".to_owned() } else { takes.join(", ") };
    let below = policy.below_best.map_or("the best".to_owned(), |(mean, error)| {
        format!("{} ({}) below the best", figure(mean), figure(error))
    });
    format!("{} ({}), {below}: {takes}", figure(policy.r_per_golem_tick), figure(policy.standard_error))
}
