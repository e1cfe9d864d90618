//! A table with a row for each arm in each world (long format), turned into scores by arm and world (pivot). Two scores of an arm in one
//! world are refused, because nothing says which counts. An arm may lack worlds: `compare` and `calibration`, which read it, pair the
//! worlds that two arms share. A score must be a finite number.

use super::groups::Names;
use crate::io::error::Result;
use crate::io::limits::Limits;
use crate::io::table_file::{Only, TableFile};
use crate::io::text::quoted;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Which table is read, and which of its columns are arm, world and score.
#[derive(Clone, Debug)]
pub struct PairedColumns {
    /// A table with a header, CSV or Parquet, a row for each arm in each world; `-` reads CSV from standard input.
    pub file: PathBuf,
    /// The column of scores: numbers.
    pub score: String,
    /// The column of arms.
    pub arm: String,
    /// The column of worlds (seeds): rows with the same value were run under the same luck.
    pub pair: String,
    /// The arm that the others are compared with; the first by name when none.
    pub baseline: Option<String>,
    /// Only rows with all these values count.
    pub only: Vec<Only>,
}

/// Scores of an arm by world (score map).
pub(super) type Scores = BTreeMap<Arc<str>, f64>;

/// The scores of a table (score matrix): a nested map by arm and world.
pub(crate) struct PairedTable {
    /// Name of the file in reports and errors.
    pub file: String,
    /// The arms.
    pub names: Names,
    /// By arm.
    pub scores: BTreeMap<String, Scores>,
    /// The baseline's worlds, in the order of the file.
    pub worlds: Vec<Arc<str>>,
}

impl PairedTable {
    /// Reads it (pivot of a long table); a duplicate of arm and world is refused.
    ///
    /// # Errors
    /// When a column is missing or holds what can't be, there are no two arms, or an arm has two scores in a world.
    pub(super) fn read(columns: &PairedColumns, limits: &Limits) -> Result<Self> {
        let table = TableFile::read_only(
            &columns.file,
            &[&columns.score, &columns.arm, &columns.pair],
            &columns.only,
            limits,
        )?;
        let arms = table.labels(&columns.arm)?;
        let names = Names::from_labels(table.name(), &columns.arm, &arms, columns.baseline.as_deref())?;
        let (numbers, pairs) = (table.numbers(&columns.score)?, table.labels(&columns.pair)?);
        let mut scores: BTreeMap<String, Scores> = BTreeMap::new();
        let mut worlds = Vec::new();
        for (row, (arm, (world, score))) in arms.into_iter().zip(pairs.into_iter().zip(numbers)).enumerate() {
            if *arm == *names.baseline() {
                worlds.push(Arc::clone(&world));
            }
            let of_arm = scores.entry(arm.to_string()).or_default();
            if of_arm.contains_key(&world) {
                let (pair, column) = (&columns.pair, &columns.arm);
                return Err(table.mistake(
                    row,
                    format!(
                        "{column} {} has a score for {pair} {} already: one row for each arm in each world",
                        quoted(&arm),
                        quoted(&world)
                    ),
                ));
            }
            of_arm.insert(world, score);
        }
        Ok(Self { file: table.name().to_owned(), names, scores, worlds })
    }
}
