//! The summary of a run, for people and for machines (text and JSON), as `morta run` prints it (`morta watch` prints the text alone):
//! counts, the digest, and in the text R a golem-tick and a trade, regret a trade and USDC a life of each cohort. `acceleration` is
//! simulated seconds a second of wall time. One world shows no effect, and the sentence says so. `next_steps` suggests commands, because a
//! first run raises questions that only a sweep answers.

use crate::io::text::{COLUMN_MAX, View, date};
use crate::run::foreign_memory::ProcessCost;
use crate::run::model_endpoint::CounterValues;
use crate::run::notes::dreams;
use crate::run::run_folder::tables::{CohortTotals, ModelTotals};
use crate::run::run_folder::{Manifest, Totals};
use serde::{Serialize, Serializer};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The run summary: its folder, its manifest, the totals, and the costs of a real model and of memory processes.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// Its folder; none when nothing was written.
    pub dir: Option<PathBuf>,
    /// The manifest of the folder.
    pub manifest: Manifest,
    /// Sums over the run.
    pub totals: Totals,
    /// Counts of calls to a real model, if one was connected.
    pub calls: Option<CounterValues>,
    /// Cost of memories in processes of their own.
    pub processes: Vec<ProcessCost>,
}

impl Serialize for RunSummary {
    /// The figures; the manifest lies in the folder.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { dir, manifest, totals, calls, processes } = self;
        let wall_s = manifest.observed.wall_s;
        let mut figures = serde_json::json!({
            "run_dir": dir,
            "seed": manifest.seed,
            "ticks": manifest.ticks,
            "born": totals.born,
            "alive": totals.alive,
            "deaths": totals.deaths,
            "max_generation": totals.max_generation,
            "episodes": totals.episodes,
            "dreams": totals.dreams,
            "rules_admitted": totals.rules_admitted,
            "bloodstains_left": totals.bloodstains_left,
            "bloodstains_drawn": totals.bloodstains_drawn,
            "inference_cost_usd": totals.inference_paid.dollars(),
            "digest": manifest.digest,
            "wall_s": wall_s,
            "golem_ticks_per_s": manifest.golem_ticks as f64 / wall_s,
            "acceleration": manifest.simulated_s as f64 / wall_s,
            "ledger_conserved": manifest.ledger_conserved,
            "interrupted": manifest.interrupted,
        });
        if totals.model.questions > 0 {
            figures["model"] = serde_json::json!(totals.model);
        }
        if let Some(calls) = calls {
            figures["endpoint"] = serde_json::json!(calls);
        }
        if !processes.is_empty() {
            figures["memory_processes"] = serde_json::json!(processes);
        }
        figures.serialize(serializer)
    }
}

impl View for RunSummary {
    fn lines(&self) -> Vec<String> {
        let mut page = String::new();
        lines(&mut page, self.dir.as_deref(), &self.manifest, &self.totals)
            .expect("writing to a string does not fail");
        if let Some(calls) = &self.calls {
            writeln!(page, "endpoint     {calls}").expect("writing to a string does not fail");
        }
        for ProcessCost { memory, calls, mean_us } in &self.processes {
            writeln!(page, "process      {memory}: {calls} calls, {mean_us:.0} µs each")
                .expect("writing to a string does not fail");
        }
        for said in [self.sentence(), self.nobody_dreamed()].into_iter().flatten() {
            writeln!(page, "\n{said}").expect("writing to a string does not fail");
        }
        page.trim_end().lines().map(str::to_owned).collect()
    }
}

fn lines(page: &mut String, dir: Option<&Path>, manifest: &Manifest, totals: &Totals) -> std::fmt::Result {
    let wall_s = manifest.observed.wall_s;
    let days = manifest.simulated_s as f64 / 86_400.0;
    let until = if manifest.interrupted { " (interrupted; the tables are complete up to there)" } else { "" };
    writeln!(page, "{}, seed {}: {} ticks{until}", manifest.name, manifest.seed, manifest.ticks)?;
    if let Some((first, last)) = totals.time_span_s() {
        writeln!(page, "{} to {} UTC", date(first), date(last))?;
    }
    writeln!(
        page,
        "{days:.0} days, lived by {} in {wall_s:.2} s: {:.1e} times faster than life, {:.2e} golem-ticks a second",
        manifest.observed.driver,
        manifest.simulated_s as f64 / wall_s,
        manifest.golem_ticks as f64 / wall_s,
    )?;
    writeln!(page)?;
    cohorts(page, &totals.cohorts)?;
    writeln!(page)?;
    let causes: Vec<String> = totals.deaths.iter().map(|(cause, n)| format!("{cause} {n}")).collect();
    let of = if causes.is_empty() { String::new() } else { format!(" ({})", causes.join(", ")) };
    writeln!(
        page,
        "lives        {} born, {} died{of}, {} alive; highest generation {}",
        totals.born, totals.died, totals.alive, totals.max_generation
    )?;
    writeln!(
        page,
        "minds        {} trades, {} dreams, {} rules entered a playbook, {:.4} USDC of inference",
        totals.trades,
        totals.dreams,
        totals.rules_admitted,
        totals.inference_paid.dollars()
    )?;
    if totals.model.questions > 0 {
        let ModelTotals { questions, usable_at_once, usable_when_asked_again, input_tokens, output_tokens } =
            totals.model;
        writeln!(
            page,
            "model        {questions} questions: {usable_at_once} usable replies at once, {usable_when_asked_again} when asked again; \
             {input_tokens} tokens read, {output_tokens} written"
        )?;
    }
    writeln!(
        page,
        "bloodstains  {} left, {} drawn by successors",
        totals.bloodstains_left, totals.bloodstains_drawn
    )?;
    let money = if manifest.ledger_conserved {
        "conserved to the micro-dollar"
    } else {
        "NOT CONSERVED: please report"
    };
    writeln!(page, "money        {money}")?;
    match manifest.observed.directives_given {
        0 => {}
        given => writeln!(
            page,
            "steered      {given} directives of its owner, in the manifest's scenario as if planned"
        )?,
    }
    writeln!(page, "digest       {}", manifest.digest)?;
    let Some(dir) = dir else { return writeln!(page, "written to   nowhere") };
    writeln!(page, "written to   {}", dir.display())
}

/// Memories that are bounds and learn nothing: the suggested comparison of any other memory is with `none`.
const BOUNDS: [&str; 4] = ["none", "random", "constant", "oracle"];

impl RunSummary {
    /// Why golems that could dream never did: by default they need more episodes than a short life has.
    fn nobody_dreamed(&self) -> Option<String> {
        let scenario = &self.manifest.scenario;
        let could = scenario.dream.enabled && scenario.cohorts.iter().any(|one| dreams(one.memory.as_str()));
        (could && self.totals.dreams == 0).then(|| {
            format!(
                "Nobody dreamed: a golem does once it has {} episodes (dream.min_episodes), and when dream.schedule lets it.",
                scenario.dream.min_episodes
            )
        })
    }

    /// Words the result of the world in a sentence, with what one world can't show; none where no golem lived.
    pub fn sentence(&self) -> Option<String> {
        let lived: Vec<&CohortTotals> =
            self.totals.cohorts.iter().filter(|one| one.lived_ticks > 0).collect();
        let earned = |one: &CohortTotals| format!("{:+.4} R a golem-tick", one.r_per_tick().unwrap_or(0.0));
        let base = lived.iter().find(|one| one.memory == "none").or_else(|| lived.first())?;
        let others: Vec<&&CohortTotals> = lived.iter().filter(|one| one.name != base.name).collect();
        let Some(first) = others.first() else {
            return Some(format!(
                "In this world {} earned {}; without a cohort beside it, one of memory `none` say, that tells nothing of its memory.",
                base.name,
                earned(base)
            ));
        };
        let others_earned =
            others.iter().map(|one| format!("{} {}", one.name, earned(one))).collect::<Vec<_>>().join(", ");
        let memory = &first.memory;
        Some(format!(
            "In this world {} earned {}, and {others_earned}: one world can't say what of that is {memory} and what is luck.",
            base.name,
            earned(base)
        ))
    }

    /// Suggests commands to type next: for a cause of death, for the page, and for the same question in twenty worlds. `scenario` is the
    /// file that was lived, with flags of what was changed in it.
    pub fn next_steps(&self, scenario: Option<&str>) -> Vec<(String, String)> {
        let Some(dir) = &self.dir else { return Vec::new() };
        let dir = dir.display();
        let look = match self.totals.telling_death {
            Some(golem) => (format!("Why {golem} died"), format!("morta inspect {dir} death {golem}")),
            None => ("Who lived".to_owned(), format!("morta inspect {dir} lives")),
        };
        let mut steps = vec![look, ("All of it on a page".to_owned(), format!("morta report {dir}"))];
        let studied = self.totals.cohorts.iter().find(|one| !BOUNDS.contains(&one.memory.as_str()));
        steps.push(match scenario.zip(studied) {
            Some((file, studied)) => {
                let memory = &studied.memory;
                (
                    "Is it luck".to_owned(),
                    format!("morta sweep {file} --vary memory={memory},none --worlds 20"),
                )
            }
            None => ("Check it".to_owned(), format!("morta verify {dir}")),
        });
        steps
    }
}

fn cohorts(page: &mut String, cohorts: &[CohortTotals]) -> std::fmt::Result {
    let widest =
        |of: fn(&CohortTotals) -> usize| cohorts.iter().map(of).max().unwrap_or(0).clamp(6, COLUMN_MAX);
    let (width, wide) = (widest(|cohort| cohort.name.len()), widest(|cohort| cohort.memory.len()));
    writeln!(
        page,
        "{:width$}  {:>wide$}  {:>6}  {:>10}  {:>8}  {:>7}  {:>8}  {:>7}  {:>9}  {:>12}  {:>6}",
        "cohort",
        "memory",
        "lives",
        "mean ticks",
        "trades",
        "won %",
        "R a tick",
        "mean R",
        "regret R",
        "USDC a life",
        "dreams"
    )?;
    for cohort in cohorts {
        let (trades, lives) = (cohort.trades.max(1) as f64, cohort.lives.max(1) as f64);
        writeln!(
            page,
            "{:width$}  {:>wide$}  {:>6}  {:>10.0}  {:>8}  {:>7.1}  {:>+8.4}  {:>+7.3}  {:>9.3}  {:>+12.3}  {:>6}",
            cohort.name,
            cohort.memory,
            cohort.lives,
            cohort.lived_ticks as f64 / lives,
            cohort.trades,
            100.0 * cohort.wins as f64 / trades,
            cohort.r_per_tick().unwrap_or(0.0),
            cohort.mean_r().unwrap_or(0.0),
            cohort.total_regret_r / trades,
            cohort.pnl.dollars() / lives,
            cohort.dreams + cohort.sleeps,
        )?;
    }
    Ok(())
}
