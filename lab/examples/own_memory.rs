//! A memory architecture of one's own, put to the test. It is defined here, checked against the memory contract (conformance), lives in one
//! recorded world, and is compared with remembering nothing in a preregistered sweep over the same seeds (20 worlds unless WORLDS says
//! another number). The output is the report of the check, the run's digest, a line for each life and the sentences of the analysis;
//! results are in R. The documentation of memories in Rust shows the two anchored parts of this file, and a test runs it.
//!
//! `cargo run --release -p morta-lab --example own_memory -- [WORLDS]`
#![allow(clippy::print_stdout, reason = "an example that says what came of it")]

use morta_engine::market::{PositionSide, Regime, Strategy};
use morta_engine::memory::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryName, MemoryRegistry,
};
use morta_lab::conformance::{ConformanceBounds, check};
use morta_lab::scenario_file::{self, Overrides};
use morta_lab::sweep_file;
use morta_lab::text::View as _;
use morta_lab::{Laboratory, RunFolder, RunOptions, SweepOptions, run};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

// ANCHOR: memory
/// Remembers the mean R of each strategy, side and regime, and trusts it the more the oftener it was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Ledger {
    /// How many outcomes the prior counts as.
    prior_weight: f64,
    /// Outcomes and their sum, in R.
    seen: BTreeMap<(Regime, Strategy, PositionSide), (u32, f64)>,
}

/// What a scenario may say of it, in `[memory.own.ledger]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Parameters {
    prior_weight: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { prior_weight: 5.0 }
    }
}

impl MemoryArchitecture for Ledger {
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.extend(candidates.iter().map(|candidate| {
            let key = (moment.context.regime, candidate.strategy, candidate.side);
            Advice::mean(candidate, self.prior_weight, self.seen.get(&key).copied().unwrap_or_default())
        }));
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        let episode = experience.episode;
        let key = (episode.context.regime, episode.strategy, episode.side);
        let (count, sum_r) = self.seen.entry(key).or_default();
        *count += 1;
        *sum_r += episode.realised_r;
    }
}
// ANCHOR_END: memory

// ANCHOR: registry
/// The shipped memories, and the one above.
fn memories() -> Result<MemoryRegistry, Box<dyn std::error::Error>> {
    let mut registry = MemoryRegistry::default();
    registry.register("ledger", "Means by regime, strategy and side", |birth| {
        let Parameters { prior_weight } = birth.parameters()?;
        Ok(Ledger { prior_weight, seen: BTreeMap::new() })
    })?;
    Ok(registry)
}
// ANCHOR_END: registry

/// The shipped market in which there is something to learn; the arms say who lives in it.
const WORLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/controls/learnable.toml");

/// The question, written down before anybody lives: these seeds were not used to choose anything above.
const QUESTION: &str = r#"
name = "own-memory"
scenario = "WORLD"
seeds = { first = 501, count = WORLDS }

[[arms]]
name = "none"
set = { cohorts = [{ name = "golems", golems = 8, memory = "none" }] }

[[arms]]
name = "ledger"
set = { cohorts = [{ name = "golems", golems = 8, memory = "ledger" }], memory.own.ledger.prior_weight = 5.0 }

[preregistration]
hypothesis = "Who remembers means by regime, strategy and side makes more than who remembers nothing."
baseline = "none"
analysis = "The sum of R over the same time, paired by world."
test = "paired_permutation"
correction = "holm"
alpha = 0.05
effect_of_interest = 50.0
power = 0.9

[preregistration.primary]
measure = "total_r"
direction = "more"
cohort = "golems"
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let worlds = std::env::args().nth(1).unwrap_or_else(|| "20".to_owned());
    let memories = memories()?;

    // Whether the laboratory can rely on it.
    let report = check(&memories, &MemoryName::from_static("ledger"), &ConformanceBounds::default())?;
    report.lines().iter().for_each(|line| println!("{line}"));

    // One world of it, kept in a folder and looked into.
    let room = tempfile::tempdir()?;
    let own = r#"cohorts=[{ name = "golems", golems = 8, memory = "ledger" }]"#;
    let overrides = Overrides { set: vec![own.to_owned()], ..Overrides::default() };
    let laboratory = Laboratory::with_memories(memories);
    let scenario = scenario_file::load(Path::new(WORLD), &overrides, &laboratory)?;
    let summary = run(&scenario, RunOptions::into_folder(room.path().join("run")))?;
    println!("digest {}", summary.manifest.digest);
    for life in RunFolder::open(&room.path().join("run"))?.lives()? {
        let life = life?;
        println!("{}, memory {}: {} trades, {:+.1} R", life.golem, life.memory, life.trades, life.total_r);
    }

    // The question, in as many worlds as asked for.
    let file = room.path().join("question.toml");
    std::fs::write(&file, QUESTION.replace("WORLDS", &worlds).replace("WORLD", WORLD))?;
    let sweep = sweep_file::load(&file, None, None, &laboratory)?;
    let summary = sweep.run(&room.path().join("sweep"), SweepOptions::default())?;
    summary.analysis.sentences.iter().for_each(|sentence| println!("{sentence}"));
    Ok(())
}
