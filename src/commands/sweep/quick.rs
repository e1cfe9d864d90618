//! `morta sweep SCENARIO --vary KEY=VALUE,VALUE`: a grid search without a sweep file, in 20 worlds by default; the first values are the
//! baseline. It is exploratory and decides nothing, because nothing was registered. `--write FILE` makes the sweep file that says the same,
//! with a registration to fill in. It can't be combined with units, `--submit` or profiles. `QuickArgs` has the CLI arguments for an ad hoc
//! parameter grid.

use crate::commands::write_sweep;
use morta_console::arguments::above_0;
use morta_lab::Laboratory;
use morta_lab::quick::{QuickRequest, text};
use morta_lab::sweep_file::Sweep;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Number of worlds by default.
const USUAL_WORLDS: u64 = 20;

/// The flags of a grid without a file.
#[derive(clap::Args)]
pub(super) struct QuickArgs {
    /// Vary a key of the scenario, as in --vary dream.replay.batch_size=3,5,10; several are combined. `memory` is that of every cohort. The
    /// file is then a scenario.
    #[arg(long, value_name = "KEY=V,V")]
    vary: Vec<String>,

    /// With --vary, give a key of the scenario another value in all arms; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", requires = "vary")]
    set: Vec<String>,

    /// With --vary, what is measured; `morta sweep --measures` lists the measures. Left out: mean_r.
    #[arg(long, value_name = "M", requires = "vary")]
    measure: Option<String>,

    /// With --vary, the smallest difference that would matter, in the measure's unit.
    // The user gives it, because the data can't say what matters.
    #[arg(long, value_name = "DELTA", requires = "vary", value_parser = above_0)]
    matters: Option<f64>,

    /// With --vary, write the sweep file that says the same, with a registration to fill in, and run nothing.
    #[arg(long, value_name = "FILE", requires = "vary")]
    write: Option<PathBuf>,
}

impl QuickArgs {
    /// Whether a grid was requested by the flags.
    pub(super) fn is_given(&self) -> bool {
        !self.vary.is_empty()
    }

    /// Makes the sweep of a grid search from the flags.
    pub(super) fn sweep(
        &self,
        scenario: &Path,
        worlds: Option<u64>,
        laboratory: &Laboratory,
    ) -> anyhow::Result<Sweep> {
        let Self { vary, set, measure, matters, .. } = self;
        let request = QuickRequest {
            scenario: scenario.to_owned(),
            vary: vary.clone(),
            set: set.clone(),
            measure: measure.clone(),
            matters: *matters,
            worlds: worlds.unwrap_or(USUAL_WORLDS),
        };
        Ok(request.prepare(laboratory)?)
    }

    /// Writes the sweep file, if it was requested (saves to a new file); it never overwrites one.
    pub(super) fn written(&self, sweep: &Sweep) -> anyhow::Result<Option<ExitCode>> {
        let Some(file) = &self.write else { return Ok(None) };
        // `--out` is printed, because the folder named after the file exists already from the first look.
        let out = format!(" --out runs/{}", file.file_stem().unwrap_or_default().display());
        write_sweep(file, |folder| text(sweep, folder), &out)?;
        Ok(Some(ExitCode::SUCCESS))
    }
}
