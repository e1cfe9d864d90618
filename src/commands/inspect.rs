//! `morta inspect RUN`: a read-only query (drill-down) of a run folder: lives, one golem, a decision, a death, a dream, a playbook, a
//! lineage, as text or JSON. Text ends with the commands that lead on. It shows single golems, because sums hide why one died. Only a
//! finished run is opened. `Args` has the CLI arguments of a query with JSON output.

use clap::Subcommand;
use morta_base::{DreamId, GolemId, Lineage, Tick};
use morta_console::output::{self, Printable as _};
use morta_lab::inspect::leads_on::LeadsOn;
use morta_lab::inspect::{death, decision, dream, golem, lineage, lives, playbook};
use morta_lab::run_folder::{FinishedRun, RunFolder};
use morta_lab::text::View;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta inspect`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder that `morta run` wrote.
    run: PathBuf,
    #[command(subcommand)]
    what: What,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long, global = true)]
    json: bool,
    /// Show at most this many lives, decisions or trades.
    #[arg(long, global = true)]
    limit: Option<usize>,
}

#[derive(Subcommand)]
enum What {
    /// Who lived, for how long, and what they died of, by cohort.
    Lives,
    /// One golem's life and how it decided: which memories spoke, with what weight, and which dead golem they came from.
    Golem {
        /// Lineage and generation, as in L3.G1.
        id: GolemId,
        /// Show the decision of this tick whole.
        #[arg(long, value_name = "TICK")]
        decision: Option<Tick>,
    },
    /// Why a golem died, what it left, who drew it and what came of it.
    Death {
        /// Lineage and generation, as in L3.G1.
        id: GolemId,
    },
    /// The rules a golem lived by, as Markdown: when each was staged, admitted and retired, and what it was learned from.
    Playbook {
        /// Lineage and generation, as in L3.G1.
        id: GolemId,
    },
    /// One dream as a story: why it was dreamt, what was replayed and why, what was learned and what became of it.
    Dream {
        /// A golem and the number of its dream, as in L3.G1.D0.
        id: DreamId,
        /// Show every prompt to a real model and every reply.
        #[arg(long)]
        prompts: bool,
    },
    /// The generations of a lineage, and the bloodstains passed along.
    Lineage {
        /// As in L3 or 3.
        #[arg(value_parser = parse_lineage)]
        id: Lineage,
    },
}

/// Runs the command: prints a view of a life, death, dream, decision or lineage.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let run = RunFolder::open(&args.run)?;
    let (limit, json) = (args.limit, args.json);
    match args.what {
        What::Lives => print(&run, &lives::look(&run, limit.unwrap_or(40))?, json),
        What::Golem { id, decision: None } => print(&run, &golem::look(&run, id, limit.unwrap_or(3))?, json),
        What::Golem { id, decision: Some(tick) } => print(&run, &decision::look(&run, id, tick)?, json),
        What::Death { id } => print(&run, &death::look(&run, id, limit.unwrap_or(5))?, json),
        What::Playbook { id } => print(&run, &playbook::look(&run, id)?, json),
        What::Dream { id, prompts } => print(&run, &dream::look(&run, id, prompts)?, json),
        What::Lineage { id } => print(&run, &lineage::look(&run, id)?, json),
    }
}

/// Prints a view and, as text, the commands that lead on from it.
fn print(run: &FinishedRun, view: &(impl View + LeadsOn), json: bool) -> anyhow::Result<ExitCode> {
    let code = view.print(json)?;
    if !json {
        let dir = run.dir().display();
        let next = view.next(run).into_iter();
        let steps = next.map(|next| (next.about.to_owned(), format!("morta inspect {dir} {}", next.command)));
        output::steps(&steps.collect::<Vec<_>>())?;
    }
    Ok(code)
}

fn parse_lineage(text: &str) -> anyhow::Result<Lineage> {
    let digits = text.strip_prefix(['L', 'l']).unwrap_or(text);
    digits.parse().map_err(|_| anyhow::anyhow!("`{text}` is not a lineage: write L3 or 3"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lineages_have_two_spellings() {
        assert_eq!((parse_lineage("L3").unwrap(), parse_lineage("3").unwrap()), (3, 3));
        assert!(parse_lineage("L3.G1").is_err());
    }
}
