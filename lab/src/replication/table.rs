//! Tables of a replication, for pandas: `pandas.read_csv("figures.csv")`. An empty field is a missing value. They are CSV exports with a
//! header: estimates with confidence intervals beside the published figures, one row per seed for anybody's own tests, and comparisons
//! between orders of replay as ratios, below 1 where the arm took less. They hold every seed, so that a reader can test with another
//! method.

use super::Replicated;
use crate::io::error::{Error, Result};
use morta_base::moments;
use morta_replications::comparison::effort;
use morta_replications::figure::Estimate;
use morta_replications::registered::Outcome;

fn csv(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(head)?;
    for row in rows {
        out.write_record(row)?;
    }
    out.into_inner().map_err(|error| Error::failed(error.to_string()))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Writes the estimates as CSV: one row a figure.
///
/// # Errors
/// When a row can't be written.
pub fn figures_csv(of: &Replicated) -> Result<Vec<u8>> {
    let head = [
        "replication", "world", "arm", "measure", "published", "from", "range_low", "range_high", "ours",
        "low", "high", "seeds", "inside", "note",
    ];
    let rows = of.rows.iter().map(|row| {
        let ours = |part: fn(&Estimate) -> f64| number(row.ours.as_ref().map(part));
        vec![
            of.file.name.clone(),
            row.world.clone(),
            row.arm.clone(),
            row.measure.clone(),
            number(row.published),
            row.from.clone(),
            number(row.range.map(|range| range[0])),
            number(row.range.map(|range| range[1])),
            ours(|ours| ours.value),
            ours(|ours| ours.low),
            ours(|ours| ours.high),
            row.ours.map_or_else(String::new, |ours| ours.seeds.to_string()),
            row.inside.map_or_else(String::new, |inside| inside.to_string()),
            row.note.clone(),
        ]
    });
    csv(&head, rows)
}

/// Writes the raw results as CSV: one row a seed, in each arm and world.
///
/// # Errors
/// When a row can't be written.
pub fn seeds_csv(of: &Replicated) -> Result<Vec<u8>> {
    let head = [
        "replication", "world", "arm", "seed", "maze", "effort", "backups", "forward_at_start",
        "forward_at_goal", "reverse_at_start", "reverse_at_goal", "agreement", "deaths", "steps_by_lap",
    ];
    let rows = of.cells.iter().zip(&of.outcomes).map(|(cell, outcome)| {
        let (world, arm) = (&of.file.worlds[cell.world].name, &of.file.arms[cell.arm].name);
        let mut row = vec![of.file.name.clone(), world.clone(), arm.clone(), cell.seed.to_string()];
        let maze = of.file.worlds[cell.world].mazes.map(|mazes| mazes.block(cell.seed));
        row.push(maze.map_or_else(String::new, |maze| maze.to_string()));
        row.push(effort(outcome).to_string());
        match outcome {
            Outcome::Updates(_) => row.resize(head.len(), String::new()),
            Outcome::Life(life) => {
                row.push(life.backups.to_string());
                row.extend(life.runs.iter().map(u32::to_string));
                row.push(number(moments::mean(&life.agreements)));
                row.push(life.deaths.as_ref().map_or_else(String::new, |deaths| deaths.len().to_string()));
                row.push(life.steps.iter().map(u32::to_string).collect::<Vec<String>>().join(" "));
            }
        }
        row
    });
    csv(&head, rows)
}

/// Writes the paired comparisons as CSV: one row a comparison.
///
/// # Errors
/// When a row can't be written.
pub fn comparison_csv(of: &Replicated) -> Result<Vec<u8>> {
    let head =
        ["replication", "world", "arm", "against", "ratio", "low", "high", "p_holm", "pairs", "finding"];
    let rows = of.ratios.iter().map(|ratio| {
        vec![
            of.file.name.clone(),
            ratio.world.clone(),
            ratio.arm.clone(),
            ratio.against.clone(),
            ratio.ratio.to_string(),
            ratio.low.to_string(),
            ratio.high.to_string(),
            number(ratio.p),
            ratio.pairs.to_string(),
            ratio.finding.to_string(),
        ]
    });
    csv(&head, rows)
}
