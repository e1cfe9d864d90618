//! A table with a row for each arm in each world.

use super::groups::Names;
use morta_lab::table_file::{Only, TableFile};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Which table, and what its columns are.
#[derive(clap::Args)]
pub struct PairedArgs {
    /// A table with a header, CSV or Parquet, a row for each arm in each world; - reads CSV from standard input.
    file: PathBuf,
    /// The column of scores: numbers.
    #[arg(long, value_name = "COLUMN")]
    pub score: String,
    /// The column of arms.
    #[arg(long, value_name = "COLUMN")]
    arm: String,
    /// The column of worlds (seeds): rows with the same value were run under the same luck.
    #[arg(long, value_name = "COLUMN")]
    pair: String,
    /// The arm that the others are compared with; the first by name when left out.
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Only rows with this value, as in cohort=all; may be given several times.
    #[arg(long, value_name = "COLUMN=VALUE")]
    only: Vec<Only>,
}

/// Scores of an arm by world.
pub type Scores = BTreeMap<String, f64>;

/// What it holds.
pub struct PairedTable {
    /// What to call the file.
    pub file: String,
    /// The arms.
    pub names: Names,
    /// By arm.
    pub scores: BTreeMap<String, Scores>,
    /// The baseline's worlds, in the order of the file.
    pub worlds: Vec<String>,
}

impl PairedTable {
    /// Reads it.
    ///
    /// # Errors
    /// When a column is missing or holds what can't be, there are no two arms, or an arm has two scores in a world.
    pub fn read(args: &PairedArgs) -> anyhow::Result<Self> {
        let table = TableFile::read_only(&args.file, &[&args.score, &args.arm, &args.pair], &args.only)?;
        let arms = table.labels(&args.arm)?;
        let names = Names::of(table.name(), &args.arm, &arms, args.baseline.as_deref())?;
        let (numbers, pairs) = (table.numbers(&args.score)?, table.labels(&args.pair)?);
        let mut scores: BTreeMap<String, Scores> = BTreeMap::new();
        let mut worlds = Vec::new();
        for (row, (arm, (world, score))) in arms.into_iter().zip(pairs.into_iter().zip(numbers)).enumerate() {
            if arm == names.baseline() {
                worlds.push(world.clone());
            }
            let of_arm = scores.entry(arm.clone()).or_default();
            if of_arm.contains_key(&world) {
                let (pair, column) = (&args.pair, &args.arm);
                return Err(table.mistake(
                    row,
                    format!("{column} {arm:?} has a score for {pair} {world:?} already: one row for each arm in each world"),
                ).into());
            }
            of_arm.insert(world, score);
        }
        Ok(Self { file: table.name().to_owned(), names, scores, worlds })
    }
}
