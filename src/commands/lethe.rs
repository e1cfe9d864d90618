//! `morta lethe`: shows what a Lethe holds.

use crate::output;
use morta_actors::{LetheContent, RunId, StoredBloodstain};
use morta_lab::lethe_start;
use morta_lab::run_folder::tables::kind_of;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta lethe`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of a Lethe (lethe.persist), or of a finished run.
    folder: PathBuf,

    /// List at most this many bloodstains, those of the last deaths of each run first.
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What a Lethe holds.
#[derive(Debug, Serialize)]
struct Lethe {
    bloodstains: usize,
    damaged: u64,
    missing: u64,
    by_cause: BTreeMap<&'static str, u64>,
    by_kind: BTreeMap<&'static str, u64>,
    runs: Vec<Run>,
    latest: Vec<Left>,
}

/// One run that has left something.
#[derive(Debug, Serialize)]
struct Run {
    run: String,
    name: String,
    seed: u64,
    ticks: u64,
    bloodstains: u64,
    first_died_tick: Option<u64>,
    last_died_tick: Option<u64>,
    earlier_runs: usize,
}

/// One bloodstain.
#[derive(Debug, Serialize)]
struct Left {
    run: String,
    bloodstain: String,
    kind: &'static str,
    cause: &'static str,
    died_tick: u64,
    quality: f64,
    claim: Option<String>,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let content =
        LetheContent::read(&args.folder).map_err(|error| lethe_start::told(&args.folder, &error))?;
    lethe_start::warn(&content, &args.folder.display().to_string());
    let lethe = look(&content, args.limit);
    if args.json {
        output::line(serde_json::to_string_pretty(&lethe)?)?;
    } else {
        lines(&lethe).iter().try_for_each(output::line)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn look(content: &LetheContent, limit: usize) -> Lethe {
    let (mut by_cause, mut by_kind) = (BTreeMap::new(), BTreeMap::new());
    let mut died: BTreeMap<RunId, (u64, u64, u64)> = BTreeMap::new();
    for StoredBloodstain { run, bloodstain } in &content.bloodstains {
        *by_cause.entry(bloodstain.cause.name()).or_default() += 1;
        *by_kind.entry(kind_of(&bloodstain.bequest)).or_default() += 1;
        let (count, first, last) = died.entry(*run).or_insert((0, u64::MAX, 0));
        (*count, *first, *last) = (*count + 1, (*first).min(bloodstain.died), (*last).max(bloodstain.died));
    }
    let runs = content.runs.iter().map(|(id, record)| {
        let found = died.get(id);
        Run {
            run: id.to_string(),
            name: record.name.clone(),
            seed: record.seed,
            ticks: record.ticks,
            bloodstains: found.map_or(0, |(count, ..)| *count),
            first_died_tick: found.map(|(_, first, _)| *first),
            last_died_tick: found.map(|(.., last)| *last),
            earlier_runs: record.ancestors.len(),
        }
    });
    let mut latest: Vec<&StoredBloodstain> = content.bloodstains.iter().collect();
    latest.sort_by_key(|stored| std::cmp::Reverse(stored.bloodstain.died));
    latest.truncate(limit);
    Lethe {
        bloodstains: content.bloodstains.len(),
        damaged: content.damaged,
        missing: content.missing,
        by_cause,
        by_kind,
        runs: runs.collect(),
        latest: latest.into_iter().map(left).collect(),
    }
}

fn left(stored: &StoredBloodstain) -> Left {
    let bloodstain = &stored.bloodstain;
    let claim = match &bloodstain.bequest {
        morta_engine::lethe::Bequest::Lesson(lesson) => Some(lesson.claim.to_string()),
        morta_engine::lethe::Bequest::Scar(_) => None,
    };
    Left {
        run: stored.run.to_string(),
        bloodstain: bloodstain.id.to_string(),
        kind: kind_of(&bloodstain.bequest),
        cause: bloodstain.cause.name(),
        died_tick: bloodstain.died,
        quality: bloodstain.quality(),
        claim,
    }
}

fn lines(lethe: &Lethe) -> Vec<String> {
    let counts = |counts: &BTreeMap<&str, u64>| {
        let each: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        each.join(", ")
    };
    let Lethe { bloodstains, damaged, missing, .. } = lethe;
    let mut lines = vec![format!("{bloodstains} bloodstains of {} runs", lethe.runs.len())];
    if *bloodstains > 0 {
        lines.push(format!("  died of: {}", counts(&lethe.by_cause)));
        lines.push(format!("  kinds: {}", counts(&lethe.by_kind)));
    }
    if damaged + missing > 0 {
        lines.push(format!("  {damaged} records damaged and left out, {missing} bloodstains missing"));
    }
    for run in &lethe.runs {
        let Run { name, seed, ticks, bloodstains, earlier_runs, .. } = run;
        let died = match (run.first_died_tick, run.last_died_tick) {
            (Some(first), Some(last)) => format!(", died at {first} to {last}"),
            _ => String::new(),
        };
        let earlier =
            if *earlier_runs > 0 { format!(", knew of {earlier_runs} earlier runs") } else { String::new() };
        let id = &run.run[..8];
        lines.push(format!(
            "run {id} ({name}, seed {seed}): {ticks} ticks, {bloodstains} bloodstains{died}{earlier}"
        ));
    }
    lines.extend(lethe.latest.iter().map(|left| {
        let Left { run, bloodstain, kind, cause, died_tick, quality, claim } = left;
        let claim = claim.as_ref().map_or(String::new(), |claim| format!(": {claim}"));
        format!(
            "  {} {bloodstain}, {kind}{claim}; died at {died_tick} of {cause}, quality {quality:.2}",
            &run[..8]
        )
    }));
    lines
}
