//! The tables of a sweep, made from its cells in one pass: the same bytes for the same cells, however they came about.

use super::SweepFolder;
use super::cell::{CellId, CellRecord, Outcome};
use super::frame::{Datum, Files, Frame};
use crate::error::Context as _;
use crate::measure::{CohortMeasures, EVERYBODY, MEASURES};
use crate::run_folder::column::Kind;
use crate::run_folder::hashing_file::HashingFile;
use crate::run_folder::layout::properties;
use crate::run_folder::read::batches;
use crate::run_folder::tables::LIVES;
use crate::run_folder::{RunFolder, TableFile};
use crate::sweep_file::Sweep;
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// Writes `results.csv` of the cells that there are so far.
///
/// # Errors
/// When it can't be written.
pub fn write_results_so_far(folder: &SweepFolder, sweep: &Sweep, ended: &[bool]) -> crate::Result<()> {
    let parameters = Parameters::of(sweep);
    let mut results =
        Frame::create(&folder.files, "results", &result_columns(sweep, &parameters), Files::Csv)?;
    for (id, _) in sweep.cells().zip(ended).filter(|(_, ended)| **ended) {
        if let Some(cell) = folder.read(sweep, id) {
            write_results(&mut results, sweep, id, &cell, &parameters)?;
        }
    }
    results.finish().map(|_| ())
}

/// Writes all tables; `look` sees every cell on the way.
///
/// # Errors
/// When one can't be written, or a cell's table of lives can't be read; what `look` returns.
pub fn write_all(
    folder: &SweepFolder,
    sweep: &Sweep,
    mut look: impl FnMut(CellId, &CellRecord) -> crate::Result<()>,
) -> crate::Result<Vec<TableFile>> {
    let parameters = Parameters::of(sweep);
    let mut results =
        Frame::create(&folder.files, "results", &result_columns(sweep, &parameters), Files::Both)?;
    let mut series = Frame::create(&folder.files, "series", &series_columns(), Files::Parquet)?;
    let mut timings = Frame::create(&folder.files, "timings", &timing_columns(), Files::Csv)?;
    let mut lives = LivesOfAll::default();
    for id in sweep.cells() {
        let Some(cell) = folder.read(sweep, id) else { continue };
        look(id, &cell)?;
        write_results(&mut results, sweep, id, &cell, &parameters)?;
        write_timing(&mut timings, &cell)?;
        if let Outcome::Done(done) = &cell.outcome {
            write_series(&mut series, &cell, &done.cohorts)?;
            lives.add(&folder.files, &cell, &folder.cell_dir(&cell.hash).join(LIVES))?;
        }
    }
    let mut files = results.finish()?;
    files.extend(series.finish()?);
    files.extend(lives.finish(&folder.files)?);
    // Times differ from one time to the next, so this table isn't among those that are told of.
    timings.finish()?;
    Ok(files)
}

/// The columns of the keys that differ between arms.
struct Parameters(Vec<Kind>);

impl Parameters {
    fn of(sweep: &Sweep) -> Self {
        let kind = |key: usize| {
            let values =
                || sweep.arms.iter().map(move |arm| &arm.parameters[key]).filter(|value| !value.is_null());
            if values().all(Value::is_i64) {
                Kind::Int
            } else if values().all(Value::is_number) {
                Kind::Float
            } else if values().all(Value::is_boolean) {
                Kind::Bool
            } else {
                Kind::Text
            }
        };
        Self((0..sweep.keys.len()).map(kind).collect())
    }

    fn data(&self, values: &[Value]) -> Vec<Datum> {
        let one = |(kind, value): (&Kind, &Value)| match (kind, value) {
            (_, Value::Null) => Datum::Null,
            (Kind::Int, value) => value.as_i64().map_or(Datum::Null, Datum::Int),
            (Kind::Float, value) => Datum::float_or_null(value.as_f64()),
            (Kind::Bool, value) => value.as_bool().map_or(Datum::Null, Datum::Bool),
            (_, Value::String(text)) => Datum::text(text),
            (_, other) => Datum::text(other.to_string()),
        };
        self.0.iter().zip(values).map(one).collect()
    }
}

fn named(columns: &[(&str, Kind)]) -> Vec<(String, Kind)> {
    columns.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect()
}

fn result_columns(sweep: &Sweep, parameters: &Parameters) -> Vec<(String, Kind)> {
    let mut columns = named(&[
        ("arm", Kind::Text),
        ("seed", Kind::Int),
        ("cohort", Kind::Text),
        ("memory", Kind::Text),
        ("outcome", Kind::Text),
        ("error", Kind::Text),
        ("digest", Kind::Text),
    ]);
    columns.extend(sweep.keys.iter().cloned().zip(parameters.0.iter().copied()));
    columns.extend(MEASURES.iter().map(|measure| (measure.name.to_owned(), Kind::Float)));
    columns
}

/// The names of the columns of `results.csv`.
pub fn result_names(sweep: &Sweep) -> Vec<String> {
    result_columns(sweep, &Parameters::of(sweep)).into_iter().map(|(name, _)| name).collect()
}

/// The rows of a cell as `results.csv` has them.
pub fn result_rows(sweep: &Sweep, id: CellId, cell: &CellRecord) -> Vec<Vec<String>> {
    let rows = rows_of(sweep, id, cell, &Parameters::of(sweep));
    rows.iter().map(|row| row.iter().map(Datum::written).collect()).collect()
}

fn write_results(
    out: &mut Frame,
    sweep: &Sweep,
    id: CellId,
    cell: &CellRecord,
    parameters: &Parameters,
) -> crate::Result<()> {
    rows_of(sweep, id, cell, parameters).iter().try_for_each(|row| out.row(row))
}

fn rows_of(sweep: &Sweep, id: CellId, cell: &CellRecord, parameters: &Parameters) -> Vec<Vec<Datum>> {
    let parameters = parameters.data(&sweep.arms[id.arm].parameters);
    let start =
        |cohort: &str| vec![Datum::text(&cell.arm), Datum::Int(cell.seed as i64), Datum::text(cohort)];
    match &cell.outcome {
        Outcome::Failed(error) => {
            let mut row = start(EVERYBODY);
            row.extend([Datum::Null, Datum::text("failed"), Datum::text(error), Datum::Null]);
            row.extend(parameters);
            row.extend(MEASURES.iter().map(|_| Datum::Null));
            vec![row]
        }
        Outcome::Done(done) => {
            let of_cohort = |cohort: &CohortMeasures| {
                let mut row = start(&cohort.cohort);
                let memory = if cohort.memory.is_empty() { Datum::Null } else { Datum::text(&cohort.memory) };
                row.extend([memory, Datum::text("done"), Datum::Null, Datum::text(&done.digest)]);
                row.extend(parameters.iter().cloned());
                row.extend(MEASURES.iter().map(|measure| Datum::float_or_null(cohort.get(measure.name))));
                row
            };
            done.cohorts.iter().map(of_cohort).collect()
        }
    }
}

fn series_columns() -> Vec<(String, Kind)> {
    named(&[
        ("arm", Kind::Text),
        ("seed", Kind::Int),
        ("cohort", Kind::Text),
        ("series", Kind::Text),
        ("from_tick", Kind::Int),
        ("to_tick", Kind::Int),
        ("value", Kind::Float),
    ])
}

fn write_series(out: &mut Frame, cell: &CellRecord, cohorts: &[CohortMeasures]) -> crate::Result<()> {
    for cohort in cohorts {
        for point in &cohort.series {
            out.row(&[
                Datum::text(&cell.arm),
                Datum::Int(cell.seed as i64),
                Datum::text(&cohort.cohort),
                Datum::text(&point.curve),
                Datum::Int(point.from_tick as i64),
                Datum::Int(point.to_tick as i64),
                Datum::Float(point.value),
            ])?;
        }
    }
    Ok(())
}

fn timing_columns() -> Vec<(String, Kind)> {
    named(&[
        ("arm", Kind::Text),
        ("seed", Kind::Int),
        ("cell", Kind::Text),
        ("outcome", Kind::Text),
        ("golem_ticks", Kind::Int),
        ("wall_s", Kind::Float),
    ])
}

fn write_timing(out: &mut Frame, cell: &CellRecord) -> crate::Result<()> {
    let (outcome, golem_ticks) = match &cell.outcome {
        Outcome::Done(done) => ("done", Datum::Int(done.golem_ticks as i64)),
        Outcome::Failed(_) => ("failed", Datum::Null),
    };
    out.row(&[
        Datum::text(&cell.arm),
        Datum::Int(cell.seed as i64),
        Datum::text(&cell.hash),
        Datum::text(outcome),
        golem_ticks,
        Datum::Float(cell.wall_s),
    ])
}

/// `lives.parquet` of all cells: that of each, with the arm and the seed before its columns.
#[derive(Default)]
struct LivesOfAll {
    out: Option<ArrowWriter<HashingFile>>,
    rows: u64,
}

impl LivesOfAll {
    fn add(&mut self, folder: &RunFolder, cell: &CellRecord, path: &Path) -> crate::Result<()> {
        for batch in batches(path)? {
            let batch = batch.with_context(|| format!("{} is damaged", path.display()))?;
            let mut fields =
                vec![Field::new("arm", DataType::Utf8, false), Field::new("seed", DataType::Int64, false)];
            fields.extend(batch.schema().fields().iter().map(|field| field.as_ref().clone()));
            let rows = batch.num_rows();
            let arms: ArrayRef = Arc::new(StringArray::from(vec![cell.arm.as_str(); rows]));
            let seeds: ArrayRef = Arc::new(Int64Array::from(vec![cell.seed as i64; rows]));
            let columns = [arms, seeds].into_iter().chain(batch.columns().iter().cloned()).collect();
            let schema = Arc::new(Schema::new(fields));
            let whole = RecordBatch::try_new(schema.clone(), columns)?;
            if self.out.is_none() {
                let file = HashingFile::create(folder, LIVES)?;
                let properties = properties(&schema, []);
                self.out = Some(ArrowWriter::try_new(file, schema, Some(properties))?);
            }
            if let Some(out) = &mut self.out {
                out.write(&whole)?;
            }
            self.rows += rows as u64;
        }
        Ok(())
    }

    fn finish(self, folder: &RunFolder) -> crate::Result<Option<TableFile>> {
        let Some(out) = self.out else { return Ok(None) };
        let file = out.into_inner()?.finish(LIVES, self.rows)?;
        folder.put_in_place(LIVES)?;
        Ok(Some(file))
    }
}
