//! The tables of a sweep, made from its cells in one pass: the same bytes for the same cells, however they came about. They are the
//! tidy data of an experiment (CSV and Parquet): results, learning curves, lives, timings in seconds. Timings are apart and not in the
//! manifest, because they differ each time. A cell that is missing or whose record is damaged has no row, one that failed has one row
//! without measures; a table of lives that can't be read is an error.

use super::SweepFolder;
use super::cell::{CellId, CellOutcome, CellRecord, Done};
use super::frame::{Datum, Files, Frame};
use crate::io::error::{Error, Result};
use crate::io::parquet_guard::StoredColumn;
use crate::io::table::{Cells as _, Column, ColumnKind, FileColumn, FillRow, TableRow, batches, table};
use crate::run::run_folder::tables::LIVES;
use crate::run::run_folder::writer::Encoder;
use crate::run::run_folder::{Life, RunFolder, WrittenTable};
use crate::sweep::measure::{CohortMeasures, CoursePoint, EVERYBODY, MEASURES};
use crate::sweep::sweep_file::Sweep;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// A row of the results table: a cohort of a cell that was done, or a whole cell that failed.
pub(crate) struct CellResult<'a> {
    cell: &'a CellRecord,
    done: Option<(&'a Done, &'a CohortMeasures)>,
    error: Option<&'a str>,
}

table! {
    /// One cohort of one cell, everybody (`all`) first; a cell that failed has one row, of `all`. After the columns named here come the keys
    /// in which arms differ, each under its own name, and the measures. `results.csv` has the same rows.
    pub struct ResultHead in "results.parquet" from result: CellResult<'_>;

    /// The arm.
    arm: String, Name = &result.cell.arm;
    /// Seed of the cell's world; arms with the same seed live in the same market.
    seed: u64, Number = result.cell.seed;
    /// The cohort; `all` is everybody.
    cohort: String, Name = result.done.map_or(EVERYBODY, |(_, cohort)| cohort.cohort.as_str());
    /// The memory architecture of the cohort; empty for `all`.
    memory: Option<String>, Word =
        result.done.map(|(_, cohort)| cohort.memory.as_str()).filter(|memory| !memory.is_empty());
    /// How the cell ended: `done` or `failed`.
    outcome: String, Word = if result.done.is_some() { "done" } else { "failed" };
    /// Why it failed; empty when it was done.
    error: Option<String>, Text = result.error;
    /// Hash of the cell's event log; empty when it failed.
    digest: Option<String>, Hash = result.done.map(|(done, _)| done.digest.as_str());
}

/// A data point of a cohort's learning curve, with the cell it belongs to.
pub struct CurvePoint<'a> {
    cell: &'a CellRecord,
    cohort: &'a str,
    point: &'a CoursePoint,
}

table! {
    /// One point of one learning curve: what a cohort of a cell did in one stretch of the run. Points without a value are left out.
    pub struct SeriesPoint in "series.parquet" from curve: CurvePoint<'_>;

    /// The arm.
    arm: String, Name = &curve.cell.arm;
    /// Seed of the cell's world.
    seed: u64, Number = curve.cell.seed;
    /// The cohort; `all` is everybody.
    cohort: String, Name = curve.cohort;
    /// Which curve: one of those below.
    series: String, Word = &curve.point.curve;
    /// First tick of the stretch.
    from_tick: u64, Tick = curve.point.from_tick;
    /// First tick after the stretch.
    to_tick: u64, Tick = curve.point.to_tick;
    /// The curve's value there, in its own unit.
    value: f64, OfRow = curve.point.value;
}

table! {
    /// One life of one cell. The columns named here stand before those of a run's `lives.parquet`.
    pub struct OfCell in "lives.parquet" from cell: CellRecord;

    /// The arm.
    arm: String, Name = &cell.arm;
    /// Seed of the cell's world.
    seed: u64, Number = cell.seed;
}

table! {
    /// One cell, and how long it took. Not among the tables that are the same bytes every time.
    pub struct Timing in "timings.csv" from cell: CellRecord;

    /// The arm.
    arm: String, Name = &cell.arm;
    /// Seed of the cell's world.
    seed: u64, Number = cell.seed;
    /// Name of the cell's folder under `cells/`.
    cell: String, Hash = &cell.hash;
    /// How it ended: `done` or `failed`.
    outcome: String, Word = match &cell.outcome { CellOutcome::Done(_) => "done", CellOutcome::Failed(_) => "failed" };
    /// Ticks lived by all golems together; empty when it failed.
    golem_ticks: Option<u64>, Ticks = match &cell.outcome {
        CellOutcome::Done(done) => Some(done.golem_ticks),
        CellOutcome::Failed(_) => None,
    };
    /// How long it took.
    wall_s: f64, Seconds = cell.wall_s;
    /// The machine it was lived on; empty where an older build has written it.
    host: Option<String>, Word = cell.by.as_ref().map(|by| by.host.as_str());
    /// What had started the process: `slurm`, `ray`, `hyperqueue`, or `local`.
    engine: Option<String>, Word = cell.by.as_ref().map(|by| by.engine.as_str());
    /// How often that had begun anew before, where it says so.
    retries: Option<u32>, Number = cell.by.as_ref().and_then(|by| by.retries);
}

/// Writes `results.csv` of the cells that there are so far (partial results).
///
/// # Errors
/// When it can't be written.
pub(crate) fn write_results_so_far(folder: &SweepFolder, sweep: &Sweep, ended: &[bool]) -> Result<()> {
    let parameters = Parameters::from_sweep(sweep);
    let mut results =
        Frame::create(&folder.files, "results", &result_columns(sweep, &parameters), Files::Csv)?;
    for (id, _) in sweep.cells().zip(ended).filter(|(_, ended)| **ended) {
        if let Some(cell) = folder.read(sweep, id) {
            rows_of(sweep, id, &cell, &parameters).iter().try_for_each(|row| results.row(row))?;
        }
    }
    results.finish().map(|_| ())
}

/// Writes all result tables in a single pass over the cells (streaming writer): one cell is in memory at a time, and the visitor `look`
/// sees each on the way. Without any life `lives.parquet` isn't written.
///
/// # Errors
/// When one can't be written, or a cell's table of lives can't be read; what `look` returns.
pub fn write_all(
    folder: &SweepFolder,
    sweep: &Sweep,
    mut look: impl FnMut(CellId, &CellRecord, &Path) -> Result<()>,
) -> Result<Vec<WrittenTable>> {
    let parameters = Parameters::from_sweep(sweep);
    let mut results =
        Frame::create(&folder.files, "results", &result_columns(sweep, &parameters), Files::Both)?;
    let mut series = Frame::create(&folder.files, "series", &columns_of::<SeriesPoint>(), Files::Parquet)?;
    let mut timings = Frame::create(&folder.files, "timings", &columns_of::<Timing>(), Files::Csv)?;
    let mut lives = LivesOfAll::default();
    // In the order of arms and worlds and not in that in which cells ended, so that the tables are the same bytes each time.
    for id in sweep.cells() {
        let Some(place) = folder.place(sweep, id)? else { continue };
        let Some(cell) = CellRecord::read(&place) else { continue };
        look(id, &cell, &place)?;
        rows_of(sweep, id, &cell, &parameters).iter().try_for_each(|row| results.row(row))?;
        timings.row(&row_of::<Timing, _>(&cell))?;
        if let CellOutcome::Done(done) = &cell.outcome {
            write_series(&mut series, &cell, &done.cohorts)?;
            lives.add(&folder.files, &cell, &place.join(LIVES))?;
        }
    }
    let mut files = results.finish()?;
    files.extend(series.finish()?);
    files.extend(lives.finish(&folder.files)?);
    // Times differ from one repetition to the next, so this table isn't among those of the manifest.
    timings.finish()?;
    Ok(files)
}

/// Writes a table of an analysis from its rows, as Parquet and as CSV.
///
/// # Errors
/// When it can't be written.
pub(crate) fn write_table<R: FillRow<Source>, Source>(
    folder: &SweepFolder,
    stem: &'static str,
    rows: impl Iterator<Item = Source>,
) -> Result<Vec<WrittenTable>> {
    let mut out = Frame::create(&folder.files, stem, &columns_of::<R>(), Files::Both)?;
    for row in rows {
        out.row(&row_of::<R, _>(&row))?;
    }
    out.finish()
}

/// The columns of the keys that differ between arms. Their types come from the values: a column is whole numbers only if every arm's value is one, so that
/// 1 and 1.5 of two arms are both real numbers.
struct Parameters(Vec<ColumnKind>);

impl Parameters {
    fn from_sweep(sweep: &Sweep) -> Self {
        let kind = |key: usize| {
            let values =
                || sweep.arms.iter().map(move |arm| &arm.parameters[key]).filter(|value| !value.is_null());
            if values().all(Value::is_i64) {
                ColumnKind::Int
            } else if values().all(Value::is_number) {
                ColumnKind::Float
            } else if values().all(Value::is_boolean) {
                ColumnKind::Bool
            } else {
                ColumnKind::Text
            }
        };
        Self((0..sweep.keys.len()).map(kind).collect())
    }

    fn add(&self, values: &[Value], row: &mut Vec<Datum>) {
        for (kind, value) in self.0.iter().zip(values) {
            match (kind, value) {
                (kind, Value::Null) => row.nothing(*kind),
                (ColumnKind::Int, value) => row.int(value.as_i64()),
                (ColumnKind::Float, value) => row.float(value.as_f64()),
                (ColumnKind::Bool, value) => row.flag(value.as_bool()),
                (ColumnKind::Text, Value::String(text)) => row.text(Some(text)),
                (ColumnKind::Text, other) => row.name(other),
            }
        }
    }

    fn columns(&self, sweep: &Sweep) -> impl Iterator<Item = FileColumn> {
        let column = |(key, kind): (&String, &ColumnKind)| FileColumn {
            name: key.clone(),
            kind: *kind,
            nullable: true,
            unit: "",
            about: "the arm's value of this key of the scenario".to_owned(),
            unique: false,
        };
        sweep.keys.iter().zip(&self.0).map(column)
    }
}

/// The columns of a declared table. All are nullable, because a failed cell has a row without values, and the CSV beside it has no difference between an empty
/// text and none.
fn columns_of<R: TableRow>() -> Vec<FileColumn> {
    let column = |column: &Column| FileColumn { nullable: true, ..column.into() };
    R::TABLE.columns.iter().map(column).collect()
}

/// A row of a declared table.
fn row_of<R: FillRow<Source>, Source>(source: &Source) -> Vec<Datum> {
    let mut row = Vec::with_capacity(R::TABLE.columns.len());
    R::fill(source, &mut row);
    row
}

fn result_columns(sweep: &Sweep, parameters: &Parameters) -> Vec<FileColumn> {
    let mut columns = columns_of::<ResultHead>();
    columns.extend(parameters.columns(sweep));
    columns.extend(MEASURES.iter().map(|measure| FileColumn {
        name: measure.name.to_owned(),
        kind: ColumnKind::Float,
        nullable: true,
        unit: measure.unit,
        about: measure.about.to_owned(),
        unique: false,
    }));
    columns
}

/// Lists the names of the columns of `results.csv`: head, keys in which arms differ, measures. `morta reproduce` names a value that differs
/// by them.
pub(crate) fn result_names(sweep: &Sweep) -> Vec<String> {
    result_columns(sweep, &Parameters::from_sweep(sweep)).into_iter().map(|column| column.name).collect()
}

/// The rows of a cell as `results.csv` has them (CSV rows), for `morta reproduce`, which compares them with those that were written.
pub(crate) fn result_rows(sweep: &Sweep, id: CellId, cell: &CellRecord) -> Vec<Vec<String>> {
    let rows = rows_of(sweep, id, cell, &Parameters::from_sweep(sweep));
    rows.iter().map(|row| row.iter().map(Datum::written).collect()).collect()
}

fn rows_of(sweep: &Sweep, id: CellId, cell: &CellRecord, parameters: &Parameters) -> Vec<Vec<Datum>> {
    let row = |result: CellResult<'_>| {
        let mut row = row_of::<ResultHead, _>(&result);
        parameters.add(&sweep.arms[id.arm].parameters, &mut row);
        let cohort = result.done.map(|(_, cohort)| cohort);
        row.extend(
            MEASURES
                .iter()
                .map(|measure| Datum::float_or_null(cohort.and_then(|cohort| cohort.get(measure.name)))),
        );
        row
    };
    match &cell.outcome {
        // A failed cell keeps its row: a table without it would look like a sweep that was smaller.
        CellOutcome::Failed(error) => vec![row(CellResult { cell, done: None, error: Some(error) })],
        CellOutcome::Done(done) => {
            let results = done.cohorts.iter();
            results.map(|cohort| row(CellResult { cell, done: Some((done, cohort)), error: None })).collect()
        }
    }
}

fn write_series(out: &mut Frame, cell: &CellRecord, cohorts: &[CohortMeasures]) -> Result<()> {
    for cohort in cohorts {
        for point in &cohort.series {
            out.row(&row_of::<SeriesPoint, _>(&CurvePoint { cell, cohort: &cohort.cohort, point }))?;
        }
    }
    Ok(())
}

/// `lives.parquet` of all cells: that of each, with [`OfCell`] before its columns.
#[derive(Default)]
struct LivesOfAll {
    /// With the columns that every cell's table has.
    out: Option<(Arc<[StoredColumn]>, Encoder)>,
}

impl LivesOfAll {
    fn add(&mut self, folder: &RunFolder, cell: &CellRecord, path: &Path) -> Result<()> {
        for batch in batches(path)? {
            let batch = batch?;
            let (columns, out) = match &mut self.out {
                Some(out) => out,
                None => self.out.insert((batch.columns.clone(), begin(folder, &batch.columns)?)),
            };
            if *columns != batch.columns {
                let reason = "its columns are not those of the other cells: it was written by another build";
                return Err(Error::failed(format!("{}: {reason}", path.display())));
            }
            for row in 0..batch.rows {
                out.add(|cells| {
                    OfCell::fill(cell, cells);
                    batch.cells.iter().for_each(|column| cells.copy(column, row));
                })?;
            }
        }
        Ok(())
    }

    fn finish(self, folder: &RunFolder) -> Result<Option<WrittenTable>> {
        let Some((_, out)) = self.out else { return Ok(None) };
        let file = out.finish()?;
        folder.put_in_place(LIVES)?;
        Ok(Some(file))
    }
}

/// Begins the table of all lives. A column of a cell's table is described as this build declares it, because a column read from a file brings name and type
/// alone.
fn begin(folder: &RunFolder, stored: &[StoredColumn]) -> Result<Encoder> {
    let column = |stored: &StoredColumn| {
        let StoredColumn { name, kind, nullable, .. } = stored;
        let kinds = [ColumnKind::Int, ColumnKind::Float, ColumnKind::Bool, ColumnKind::Text];
        let kind = kinds.into_iter().find(|known| known.stored() == *kind);
        let kind =
            kind.ok_or_else(|| Error::failed(format!("{LIVES}: {name} is of type {}", stored.kind)))?;
        let declared = Life::TABLE.columns.iter().find(|column| column.name == name);
        let (unit, about) = declared.map_or(("", ""), |column| (column.unit.name(), column.about));
        let (name, nullable, about) = (name.clone(), *nullable, about.to_owned());
        Ok(FileColumn { name, kind, nullable, unit, about, unique: false })
    };
    let mut columns: Vec<FileColumn> = OfCell::TABLE.columns.iter().map(FileColumn::from).collect();
    columns.extend(stored.iter().map(column).collect::<Result<Vec<_>>>()?);
    Encoder::create(folder, LIVES, &columns)
}
