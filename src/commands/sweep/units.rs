//! Sweeps on several machines (distributed execution, job shards): `--plan` divides the cells into units of about ten minutes, `--unit K`
//! or `--cells` runs one, `--collect` merges all into the tables, but for timings byte for byte those of one machine. Units are idempotent
//! and take no lock: any process may run any unit, so that a lost node costs its unit only. All share one folder and one build of the
//! program. A sweep that records a real model is refused. `--collect` locks the folder, and refuses missing cells unless `--allow-missing`.
//! `UnitArgs` has the CLI arguments for sharding into work units.

use crate::terminal::CellLine;
use morta_console::failure::UserError;
use morta_console::output;
use morta_console::terminal::stop_on_interrupt;
use morta_lab::sweep_file::Sweep;
use morta_lab::sweep_run::SweepOptions;
use morta_lab::sweep_run::units::{Share, UnitEnd, UnitPlan};
use serde_json::json;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Flags for sweeps whose cells are run by many processes.
#[derive(clap::Args)]
pub(super) struct UnitArgs {
    /// Divide the sweep into units of work and write that into the folder (plan.json); --json lists them with their cells.
    #[arg(long, group = "units", conflicts_with_all = ["resume", "dry_run"])]
    plan: bool,

    /// With --plan and --submit, about how many minutes a unit is to take.
    #[arg(long, value_name = "M", default_value_t = 10.0, value_parser = minutes)]
    unit_minutes: f64,

    /// Run this unit of the plan and pack its cells into the folder. Takes no lock, is done at once if the unit is there, and may be run as
    /// often and by as many processes as one likes.
    #[arg(long, value_name = "K", group = "units", conflicts_with_all = ["resume", "dry_run"])]
    unit: Option<u64>,

    /// As --unit, for cells by number without a plan, such as 3..7: 3 to 6, world by world.
    #[arg(long, value_name = "FROM..TO", group = "units", value_parser = range, conflicts_with_all = ["resume", "dry_run"])]
    cells: Option<Range<u64>>,

    /// Write the tables and the analysis of what units have left in the folder: the same bytes as on one machine.
    #[arg(long, group = "units", conflicts_with_all = ["resume", "dry_run"])]
    collect: bool,

    /// With --collect, also when cells are missing.
    #[arg(long, requires = "collect")]
    allow_missing: bool,

    /// With --collect, remove what processes have left under way that is older than so many hours.
    #[arg(long, value_name = "H", default_value_t = 24, requires = "collect")]
    debris_hours: u32,
}

fn minutes(text: &str) -> Result<f64, &'static str> {
    let minutes = text.parse().ok().filter(|minutes| *minutes > 0.0 && *minutes <= 100_000.0);
    minutes.ok_or("minutes above 0, at most 100000")
}

fn range(text: &str) -> Result<Range<u64>, &'static str> {
    let parse = |(from, to): (&str, &str)| Some(from.parse().ok()?..to.parse().ok()?);
    text.split_once("..").and_then(parse).ok_or("write FROM..TO, such as 3..7")
}

impl UnitArgs {
    /// The intended duration of a unit (job duration).
    pub(super) fn unit(&self) -> Duration {
        Duration::from_secs_f64(60.0 * self.unit_minutes)
    }

    /// Whether any of these actions is requested (distributed run requested).
    pub(super) fn are_given(&self) -> bool {
        self.plan || self.unit.is_some() || self.cells.is_some() || self.collect
    }

    /// Carries out the requested action (distributed run).
    pub(super) fn run(
        &self,
        sweep: &Sweep,
        dir: &Path,
        (jobs, fail_fast): (usize, bool),
        as_json: bool,
    ) -> anyhow::Result<ExitCode> {
        if self.plan {
            return plan(sweep, dir, self.unit(), as_json);
        }
        if self.collect {
            return self.collect(sweep, dir, as_json);
        }
        let share = match (self.unit, &self.cells) {
            (Some(unit), _) => Share::Unit(unit),
            (None, Some(cells)) => Share::Cells(cells.clone()),
            (None, None) => return Err(UserError::new("say which unit to run, with --unit K".to_owned())),
        };
        let (stop, watch) = (stop_on_interrupt()?, CellLine::new("cells", as_json));
        let options = SweepOptions { jobs, fail_fast, stop: &stop, watch: &watch, ..SweepOptions::default() };
        let end = sweep.run_share(dir, &share, options)?;
        if as_json {
            output::json(&end)?;
        } else {
            print(&end)?;
        }
        Ok(if end.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Writes the tables and the analysis of all units (merge of distributed results). `--submit` without
    /// `--no-wait` ends by it too.
    pub(super) fn collect(&self, sweep: &Sweep, dir: &Path, as_json: bool) -> anyhow::Result<ExitCode> {
        let begun = Instant::now();
        let debris = Duration::from_secs(3_600 * u64::from(self.debris_hours));
        let swept = sweep.collect(dir, self.allow_missing, debris)?;
        let wall_s = begun.elapsed().as_secs_f64();
        if as_json {
            output::json(&super::object(&swept, wall_s))?;
        } else {
            super::print(&swept, wall_s, "the units or cells that are left, and then --collect again")?;
        }
        let failed = swept.manifest.cells.failed > 0;
        Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

fn plan(sweep: &Sweep, dir: &Path, unit: Duration, as_json: bool) -> anyhow::Result<ExitCode> {
    let plan = sweep.plan_units(dir, unit)?;
    if as_json {
        let object = json!({ "out": dir, "plan": plan, "units": sweep.units(&plan) });
        return output::json(&object);
    }
    let UnitPlan { name, build, cells, cells_a_unit, cell_s, measured_on, .. } = &plan;
    let (units, shown) = (plan.units(), dir.display());
    output::line(format!(
        "{name}: {cells} cells in {units} units of {cells_a_unit}, about {:.1} s each on one core ({cell_s:.3} s a cell, from {measured_on})",
        cell_s * *cells_a_unit as f64
    ))?;
    output::line(format!("build: {build}"))?;
    output::line(format!("units: 0 to {}", units.saturating_sub(1)))?;
    output::line(format!("one:   morta sweep FILE --out {shown} --unit 0 --jobs 1"))?;
    output::line(format!("last:  morta sweep FILE --out {shown} --collect"))?;
    Ok(ExitCode::SUCCESS)
}

/// Number of failures that are listed.
const FAILURES_MAX: usize = 10;

fn print(end: &UnitEnd) -> anyhow::Result<()> {
    let UnitEnd { path, cells, failures, was_there, too_late, wall_s } = end;
    let shown = path.display();
    output::line(match (was_there, too_late) {
        (true, _) => format!("{shown}: {cells} cells, there already"),
        (false, true) => {
            format!("{shown}: {cells} cells in {wall_s:.1} s; another process was faster, and its stay")
        }
        (false, false) => format!("{shown}: {cells} cells in {wall_s:.1} s"),
    })?;
    for failure in failures.iter().take(FAILURES_MAX) {
        output::line(format!("failed: {failure}"))?;
    }
    Ok(())
}
