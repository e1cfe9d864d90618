//! Rounds that alternate, and what they come to.

use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Instant;

/// How long each side is measured in a round, about.
const ROUND_NS: f64 = 2e8;
/// Most runs of a side in one round.
const MOST_RUNS: f64 = 500.0;

/// What one side came to, in nanoseconds a run.
struct Side {
    /// The median of each round.
    rounds: Vec<f64>,
    /// The fastest run of all: what is left when others are using the machine.
    fastest: f64,
}

impl Side {
    const fn new() -> Self {
        Self { rounds: Vec::new(), fastest: f64::INFINITY }
    }

    fn add(&mut self, runs: &[f64]) {
        self.rounds.push(median(runs));
        self.fastest = runs.iter().copied().fold(self.fastest, f64::min);
    }
}

/// One comparison.
pub struct Row {
    case: String,
    ours: Side,
    theirs: Side,
}

/// Nanoseconds of each of `runs` runs.
pub fn clocked(runs: usize, mut run: impl FnMut()) -> Vec<f64> {
    let clock = |_| {
        let begun = Instant::now();
        run();
        begun.elapsed().as_nanos() as f64
    };
    (0..runs).map(clock).collect()
}

impl Row {
    /// Alternates rounds. Both sides are asked for a number of runs and answer with the nanoseconds of each; a first run of
    /// both, which prepares them, doesn't count.
    pub fn alternate(
        case: String,
        rounds: usize,
        mut ours: impl FnMut(usize) -> Vec<f64>,
        mut theirs: impl FnMut(usize) -> anyhow::Result<Vec<f64>>,
    ) -> anyhow::Result<Self> {
        ours(1);
        theirs(1)?;
        let runs = |trial: f64| (ROUND_NS / trial).clamp(1.0, MOST_RUNS) as usize;
        let (our_runs, their_runs) = (runs(median(&ours(3))), runs(median(&theirs(3)?)));
        let mut row = Self { case, ours: Side::new(), theirs: Side::new() };
        for _ in 0..rounds {
            row.ours.add(&ours(our_runs));
            row.theirs.add(&theirs(their_runs)?);
        }
        Ok(row)
    }

    /// How many times faster ours is, round by round, rising.
    fn ratios(&self) -> Vec<f64> {
        let rounds = self.theirs.rounds.iter().zip(&self.ours.rounds);
        let mut ratios: Vec<f64> = rounds.map(|(theirs, ours)| theirs / ours).collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    }

    /// The same of the fastest run of each.
    fn of_the_fastest(&self) -> f64 {
        self.theirs.fastest / self.ours.fastest
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (below, above) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
    (below + above) / 2.0
}

fn shown(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.3} ms", ns / 1e6),
    }
}

/// A Markdown table.
pub fn text(about: &Value, rows: &[Row]) -> String {
    let mut text = format!(
        "Peers: {about}\n\n| case | ours | theirs | ratio | range | of the fastest |\n|---|---|---|---|---|---|\n"
    );
    for row in rows {
        let ratios = row.ratios();
        let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
        let (ours, theirs) = (shown(median(&row.ours.rounds)), shown(median(&row.theirs.rounds)));
        let (ratio, fastest) = (median(&ratios), row.of_the_fastest());
        writeln!(
            text,
            "| {} | {ours} | {theirs} | {ratio:.2} | {least:.2} to {most:.2} | {fastest:.2} |",
            row.case
        )
        .expect("a string takes what is written");
    }
    text
}

/// The same as JSON, with every round.
pub fn json(about: &Value, rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let ratios = row.ratios();
        json!({
            "case": row.case,
            "ours_ns": median(&row.ours.rounds),
            "theirs_ns": median(&row.theirs.rounds),
            "ratio": median(&ratios),
            "ratio_least": ratios[0],
            "ratio_most": ratios[ratios.len() - 1],
            "ours_fastest_ns": row.ours.fastest,
            "theirs_fastest_ns": row.theirs.fastest,
            "ratio_of_the_fastest": row.of_the_fastest(),
            "rounds_ours_ns": row.ours.rounds,
            "rounds_theirs_ns": row.theirs.rounds,
        })
    };
    json!({ "peers": about, "rows": rows.iter().map(row).collect::<Vec<Value>>() })
}
