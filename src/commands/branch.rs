//! `morta branch RUN --at TICK`: a recorded run is continued from a tick with and without a change. It is a counterfactual (what-if) run
//! with common random numbers, which prints where the two arms diverge and what measures differ. Both arms share their luck, so that the
//! difference is the change's; it is one world, and no test. The branch is a run folder of its own; the parent isn't changed. The world is
//! restored from the run's latest kept checkpoint before the tick and lived again from there; without one, by another build, or of a run
//! that is a branch itself, it is lived again from the start. A run whose memories are processes of their own is refused. The exit code is
//! 1 if money wasn't conserved. `Args` has the CLI arguments to fork a run (what-if analysis).

use crate::commands::run::llm_setting;
use crate::terminal::{DriverArgs, attended};
use anyhow::Context as _;
use morta_base::{BloodstainId, Lineage};
use morta_console::failure::UserError;
use morta_console::output;
use morta_engine::llm::LlmMode;
use morta_engine::memory::{MemoryName, MemoryRegistry};
use morta_lab::Laboratory;
use morta_lab::branch::{Branch, BranchRequest, Branched, DIVERGENCE};
use morta_lab::divergence;
use morta_lab::provenance::Changes;
use morta_lab::run_folder::{RunFolder, RunPlace};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta branch`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A run folder.
    run: PathBuf,

    /// First tick to be lived under the change; everything before is as it was.
    #[arg(long, value_name = "TICK", allow_negative_numbers = true)]
    at: u64,

    #[command(flatten)]
    changes: ChangeArgs,

    /// Ask a real model what the run's cassette lacks, and record it; with --set llm.model=... it is another one from there on.
    #[arg(long, value_parser = ["record"], value_name = "MODE")]
    llm: Option<String>,

    /// Ticks to live from there, instead of up to the run's end; may go beyond it.
    // It may go beyond it, because a change near the run's end shows its effect later.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    ticks: Option<u64>,

    /// Folder that holds the run's files of prices, if they are neither where they were nor above the run's folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    #[command(flatten)]
    driver: DriverArgs,

    /// Folder to write; must not hold anything yet. Left out: a new folder under runs/.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the whole comparison as one JSON object, and no progress.
    #[arg(long)]
    json: bool,
}

/// The flags that say what is changed.
#[derive(clap::Args, Clone, Debug)]
struct ChangeArgs {
    /// Give a key of the scenario another value from there on, as in --set golem.max_position_share=0.1; may be repeated.
    /// Keys that have made the world what it is, such as the seed, the cohorts' sizes or the prices, can't be changed.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Take a bloodstain out of the Lethe, as in --remove-bloodstain L7.G2.B0; what was drawn of it already stays. May be
    /// repeated.
    #[arg(long, value_name = "ID")]
    remove_bloodstain: Vec<String>,

    /// Give the golem that lives in a lineage an empty memory of another architecture, as in --swap-memory 7=none; who
    /// succeeds it has that of its cohort again. May be repeated.
    #[arg(long, value_name = "LINEAGE=ARM")]
    swap_memory: Vec<String>,
}

impl ChangeArgs {
    /// Reads the changes other than settings.
    fn read(&self) -> anyhow::Result<Changes> {
        let mut wrong = Vec::new();
        let mut changes = Changes::default();
        for text in &self.remove_bloodstain {
            match text.parse::<BloodstainId>() {
                Ok(id) if changes.removed_bloodstains.contains(&id) => {
                    wrong.push(format!("--remove-bloodstain {text}: it is named twice"));
                }
                Ok(id) => changes.removed_bloodstains.push(id),
                Err(error) => wrong.push(format!("--remove-bloodstain {text}: {error}")),
            }
        }
        for text in &self.swap_memory {
            match swap(text) {
                Ok((lineage, name)) => {
                    if changes.swapped_memories.insert(lineage, name).is_some() {
                        wrong.push(format!("--swap-memory {text}: lineage {lineage} is named twice"));
                    }
                }
                Err(why) => wrong.push(format!("--swap-memory {text}: {why:#}")),
            }
        }
        if wrong.is_empty() { Ok(changes) } else { Err(UserError::all(wrong)) }
    }
}

fn swap(text: &str) -> anyhow::Result<(Lineage, MemoryName)> {
    let (lineage, arm) =
        text.split_once('=').context("must be a lineage and a memory architecture, as in 7=none")?;
    let number = lineage.trim().trim_start_matches(['L', 'l']);
    let lineage = number
        .parse()
        .map_err(|_| anyhow::anyhow!("`{lineage}` is no lineage: write its number, as in 7=none"))?;
    let name = MemoryName::from(arm.trim());
    MemoryRegistry::default().demand(&name)?;
    Ok((lineage, name))
}

/// Runs the command: a counterfactual branch of a recorded run.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let parent = RunFolder::open(&args.run)?.with_data_in(args.data);
    let changes = args.changes.read()?;
    let record = args.llm.is_some();
    let mut set = args.changes.set;
    if record {
        set.push(llm_setting(LlmMode::Record));
    }
    let request = BranchRequest { at: args.at, ticks: args.ticks, set, changes, record };
    let branch = Branch::prepare(&parent, request, laboratory)?;
    let scenario = branch.scenario();
    let usual = format!("{}-seed{}-at{}", scenario.name, scenario.seed, args.at);
    let place = RunPlace::choose(args.out, &usual)?;
    let dir = place.path();
    let branched = attended(args.json, |control| branch.live(dir, args.driver.into(), control))?;
    print(dir, &branched, args.json)?;
    Ok(if branched.manifest.ledger_conserved { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(dir: &Path, Branched { report, .. }: &Branched, json: bool) -> anyhow::Result<()> {
    if json {
        let mut value = serde_json::to_value(report)?;
        value["run_dir"] = serde_json::to_value(dir)?;
        return output::line(value);
    }
    divergence::text(report).into_iter().try_for_each(output::line)?;
    output::line("")?;
    let dir = dir.display();
    output::line(format!("digest       {}", report.branch_digest))?;
    output::line(format!("written to   {dir}: a run folder, and {DIVERGENCE}"))?;
    output::line(format!("Check it:    morta reproduce {dir}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swaps_are_read_and_refused() {
        let refused = |text| format!("{:#}", swap(text).unwrap_err());
        assert_eq!(swap("7=none").unwrap(), (7, MemoryName::NONE));
        assert_eq!(swap("L12=oracle").unwrap(), (12, MemoryName::from_static("oracle")));
        assert!(refused("7").contains("as in 7=none"));
        assert!(refused("x=none").contains("is no lineage"));
        let unknown = refused("7=wax");
        assert!(unknown.contains("bardo") && unknown.contains("oracle"), "{unknown}");
    }
}
