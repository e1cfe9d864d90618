//! Reading tables back, row by row; the structs name their columns.

use crate::error::Context as _;
use crate::error::Error;
use crate::lethe_start::EarlierRun;
use crate::run_folder::FinishedRun;
use crate::run_folder::tables::{ids, kind_of};
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array as _, RecordBatch};
use arrow_schema::DataType;
use morta_engine::lethe::{Bequest, Bloodstain};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::ParquetMetaData;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

/// Rows decoded at a time.
pub const BATCH_ROWS: usize = 8_192;

/// One row of a table, as a struct whose fields are columns.
pub trait TableRow: DeserializeOwned {
    /// The file.
    const FILE: &'static str;
}

/// One life, from `lives.parquet`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Life {
    pub lineage: u32,
    pub generation: u32,
    pub golem: String,
    pub cohort_index: u16,
    pub cohort: String,
    pub memory: String,
    pub parent: Option<String>,
    pub born_tick: u64,
    pub ended_tick: u64,
    pub lifespan_ticks: u64,
    pub cause: Option<String>,
    pub censored: bool,
    pub would_have_died_tick: Option<u64>,
    pub would_have_died_cause: Option<String>,
    pub would_have_died_economic_tick: Option<u64>,
    pub would_have_died_epistemic_tick: Option<u64>,
    pub would_have_died_stochastic_tick: Option<u64>,
    pub testament_tier: Option<String>,
    pub stranded_usdc: f64,
    pub snapshots: u64,
    pub senescent_ticks: u64,
    pub rung: String,
    pub first_warning_tick: Option<u64>,
    pub sustainability: Option<f64>,
    pub arc: String,
    pub endowment_usdc: f64,
    pub balance_usdc: f64,
    pub trades: u32,
    pub wins: u32,
    pub total_r: f64,
    pub mean_r: Option<f64>,
    pub pnl_usdc: f64,
    pub total_regret_r: f64,
    pub stayed_out: u32,
    pub dreams: u32,
    pub rules: u32,
    pub bloodstains_drawn: u32,
    pub bloodstains_left: u32,
    pub lessons_inherited: Option<u32>,
    pub lessons_validated: Option<u32>,
    pub lessons_contradicted: Option<u32>,
    pub entries_novel: Option<u32>,
    pub playbook_distance: Option<f64>,
    pub ratchet: Option<f64>,
    pub low_divergence: Option<bool>,
    pub fitness: f64,
    pub vitality: f64,
    pub phase: String,
    pub compute_paid_usdc: f64,
    pub inference_paid_usdc: f64,
    pub gas_paid_usdc: f64,
    pub lethe_paid_usdc: f64,
}

impl TableRow for Life {
    const FILE: &'static str = "lives.parquet";
}

/// One closed trade, from `trades.parquet` (not all of its columns).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trade {
    pub golem: String,
    pub episode: String,
    pub opened_tick: u64,
    pub closed_tick: u64,
    pub asset: String,
    pub strategy: String,
    pub side: String,
    pub regime_read: String,
    pub true_regime: String,
    pub volatility_quintile: u8,
    pub liquidity: String,
    pub stake_usdc: f64,
    pub pnl_usdc: f64,
    pub expected_r: f64,
    pub realised_r: f64,
    pub regret_r: f64,
    pub better_strategy: Option<String>,
    pub exit: String,
    pub explored: bool,
    pub loudest_voice: Option<String>,
    pub bloodstains_heard: Option<String>,
}

impl TableRow for Trade {
    const FILE: &'static str = "trades.parquet";
}

/// Something inherited, from `inheritance.parquet`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draw {
    pub lineage: u32,
    pub golem: String,
    pub source: String,
    pub from_golem: String,
    pub bloodstain: Option<String>,
    pub dead_lineage: Option<u32>,
    pub dead_golem: Option<String>,
    pub drawn_tick: u64,
    pub rank: Option<u32>,
    pub score: Option<f64>,
    pub is_scar: bool,
    pub settled_tick: u64,
    pub item: Option<String>,
    pub claim: Option<String>,
    pub origin: Option<String>,
    pub confidence: Option<f64>,
    pub first_use_tick: Option<u64>,
    pub uses: Option<u32>,
    pub wins: Option<u32>,
    pub total_r: Option<f64>,
    pub confirmed: Option<u32>,
    pub contradicted: Option<u32>,
    pub became_rule: Option<bool>,
}

impl TableRow for Draw {
    const FILE: &'static str = "inheritance.parquet";
}

/// One bloodstain left, from `bloodstains.parquet` (not all of its columns).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BloodstainRow {
    pub lineage: u32,
    pub golem: String,
    pub bloodstain: String,
    pub kind: String,
    pub cause: String,
    pub died_tick: u64,
    pub quality: f64,
    pub regime_read: String,
    pub strategy: String,
    pub claim: Option<String>,
    pub confidence: Option<f64>,
    pub origin_generation: Option<u32>,
    pub learned_from: Option<String>,
    pub scar_episode: Option<String>,
    pub scar_expected_r: Option<f64>,
    pub scar_realised_r: Option<f64>,
    /// The earlier run it was left in, in words; not a column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

impl BloodstainRow {
    /// What a golem of an earlier run left.
    pub fn of(left: &Bloodstain, run: Option<&EarlierRun>) -> Self {
        let (lesson, scar) = match &left.bequest {
            Bequest::Lesson(lesson) => (Some(lesson), None),
            Bequest::Scar(scar) => (None, Some(scar)),
        };
        let strategy = lesson.map(|lesson| lesson.claim.strategy).or(scar.map(|scar| scar.strategy));
        Self {
            lineage: left.id.golem.slot(),
            golem: left.id.golem.to_string(),
            bloodstain: left.id.to_string(),
            kind: kind_of(&left.bequest).to_owned(),
            cause: left.cause.name().to_owned(),
            died_tick: left.died,
            quality: left.quality(),
            regime_read: left.context.regime.name().to_owned(),
            strategy: strategy.map_or_else(String::new, |strategy| strategy.name().to_owned()),
            claim: lesson.map(|lesson| lesson.claim.to_string()),
            confidence: lesson.map(|lesson| lesson.confidence),
            origin_generation: lesson.map(|lesson| lesson.origin.generation),
            learned_from: lesson.map(|lesson| ids(&lesson.learned_from)),
            scar_episode: scar.map(|scar| scar.id.to_string()),
            scar_expected_r: scar.map(|scar| scar.expected_r),
            scar_realised_r: scar.map(|scar| scar.realised_r),
            run: run.map(|run| format!("{}, seed {}, {}", run.name, run.seed, &run.run[..8])),
        }
    }
}

impl TableRow for BloodstainRow {
    const FILE: &'static str = "bloodstains.parquet";
}

/// One step in the life of a rule, from `rules.parquet`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleStep {
    pub tick: u64,
    pub golem: String,
    pub rule: String,
    pub step: String,
    pub claim: String,
    pub expected_r: f64,
    pub confidence: Option<f64>,
    pub verdict: Option<String>,
    pub confirmed: Option<u32>,
    pub contradicted: Option<u32>,
    pub provenance: Option<String>,
    pub bloodstain: Option<String>,
    pub from_golem: Option<String>,
    pub kind: Option<String>,
    pub dream: Option<String>,
    pub learned_from: Option<String>,
}

impl TableRow for RuleStep {
    const FILE: &'static str = "rules.parquet";
}

/// The log's hash after a tick, from `ticks.parquet`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TickDigest {
    pub tick: u64,
    pub digest: String,
}

impl TableRow for TickDigest {
    const FILE: &'static str = "ticks.parquet";
}

/// All rows of a table that are to be kept, in their order.
///
/// # Errors
/// When the table is missing or damaged.
pub fn rows<T: TableRow>(run: &FinishedRun, keep: impl Fn(&T) -> bool) -> crate::Result<Vec<T>> {
    let path = run.path(T::FILE);
    let damaged = || format!("{} is damaged", path.display());
    let mut kept = Vec::new();
    for batch in open_table(&path)?.build().with_context(damaged)? {
        let batch = batch.with_context(damaged)?;
        for row in 0..batch.num_rows() {
            let row = serde_json::from_value(Value::Object(json_row(&batch, row))).with_context(damaged)?;
            if keep(&row) {
                kept.push(row);
            }
        }
    }
    Ok(kept)
}

/// Opens a table for reading.
///
/// # Errors
/// When it is missing or no Parquet file.
pub(super) fn open_table(path: &Path) -> crate::Result<ParquetRecordBatchReaderBuilder<File>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(Error::invalid(format!("{}: this table is missing", path.display())));
        }
        Err(error) => return Err(error).with_context(|| format!("{} can't be read", path.display())),
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)
        .with_context(|| format!("{} is damaged", path.display()))?;
    if !places_can_be(builder.metadata()) {
        return Err(Error::failed(format!("{} is damaged", path.display())));
    }
    Ok(builder.with_batch_size(BATCH_ROWS))
}

/// Whether a table's footer puts its columns where something can be. The reader takes that for granted, and panics.
fn places_can_be(footer: &ParquetMetaData) -> bool {
    let columns = footer.row_groups().iter().flat_map(|group| group.columns());
    let mut places = columns.map(|column| {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        start.min(column.data_page_offset()).min(column.compressed_size())
    });
    places.all(|least| least >= 0)
}

/// All batches of a table.
pub fn batches(path: &Path) -> crate::Result<ParquetRecordBatchReader> {
    open_table(path)?.build().with_context(|| format!("{} is damaged", path.display()))
}

/// A row as JSON, column by column.
pub(super) fn json_row(batch: &RecordBatch, row: usize) -> Map<String, Value> {
    let cell = |(index, field): (usize, &std::sync::Arc<arrow_schema::Field>)| {
        (field.name().clone(), json_cell(batch, index, row))
    };
    batch.schema().fields().iter().enumerate().map(cell).collect()
}

/// A cell as JSON.
pub(super) fn json_cell(batch: &RecordBatch, column: usize, row: usize) -> Value {
    let array = batch.column(column);
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into(),
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        other => format!("<{other}>").into(),
    }
}
