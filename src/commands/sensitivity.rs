//! `morta sensitivity SCENARIO --measure M`: which keys of a scenario move a measure (global sensitivity analysis): Morris screening
//! (elementary effects) for many keys, Sobol indices for few. By default every number with a declared range, flag and word is moved within
//! its range, but for seed, ticks, record, dollar amounts, names of memories and values of 0: numbers from half to double their value, in
//! four worlds per point. Ranges that make invalid scenarios are narrowed. It explores and registers nothing. It comes before a question,
//! because a key that moves nothing isn't worth a sweep. It is run and resumed as a sweep. `Args` has the CLI arguments of a global
//! sensitivity analysis (factor screening).

use super::sweep::{self, dry_run};
use super::write_sweep;
use crate::terminal::CellLine;
use morta_console::terminal::stop_on_interrupt;
use morta_console::{arguments, output};
use morta_lab::Laboratory;
use morta_lab::measure::EVERYBODY;
use morta_lab::sensitivity::{Screening, SensitivityRequest};
use morta_lab::sweep_file::Design;
use morta_lab::sweep_file::sensitivity::SensitivityConfig;
use morta_lab::sweep_run::SweepOptions;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// How ranges are found, for the help.
const RANGES: &str = "\
Every key that has a value and a declared range is moved, but for seed, ticks and record. A number goes from its value \
divided by --factor to its value times --factor, as far as its declaration lets it, evenly by logarithms where that spans more \
than a factor of three; a flag is both, a word all there are. A value of 0 is moved by --range alone. Ranges are narrowed until \
every point of the design is a valid scenario.";

/// The flags of `morta sensitivity`.
#[derive(clap::Args)]
#[command(after_help = RANGES)]
pub(crate) struct Args {
    /// The scenario file.
    scenario: PathBuf,

    /// A measure that keys may move, as `morta sweep --measures` lists them; may be repeated.
    #[arg(long, value_name = "NAME", required = true)]
    measure: Vec<String>,

    /// The cohort it is taken of; `all` is everybody.
    #[arg(long, value_name = "NAME", default_value = EVERYBODY)]
    cohort: String,

    /// How: elementary effects, for many keys; or Sobol' indices, for few keys and their interactions.
    #[arg(long, default_value_t = Design::Morris, value_parser = arguments::word(&[(Design::Morris, ""), (Design::Sobol, "")], Design::name))]
    design: Design,

    /// Trajectories of morris; each is one point more than there are keys. Left out: 10.
    #[arg(long, value_name = "R")]
    trajectories: Option<u64>,

    /// Levels of the grid of morris, an even number. Left out: 4.
    #[arg(long, value_name = "P")]
    levels: Option<u64>,

    /// Base samples of sobol, a power of two; each is two points more than there are keys. Left out: 64.
    #[arg(long, value_name = "N")]
    base_samples: Option<u64>,

    /// Let sobol tell of pairs of keys too, with about twice as many points.
    #[arg(long)]
    second_order: bool,

    /// Worlds that every point is lived in; one does not tell effects from luck.
    #[arg(long, value_name = "N", default_value_t = 4)]
    worlds: u64,

    /// Seed of the first world.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    first_seed: u64,

    /// Keys, or tables of keys, with commas between: --keys golem,dream.replay.batch_size. Left out: all.
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    keys: Vec<String>,

    /// Where a key is moved, as in --range golem.risk_per_trade=0.01..0.04 or --range population.policy=fixed,immortal; may be
    /// repeated.
    #[arg(long, value_name = "KEY=LOW..HIGH")]
    range: Vec<String>,

    /// By what factor numbers go up and down.
    #[arg(long, value_name = "F", default_value_t = 2.0)]
    factor: f64,

    /// Give a key of the scenario another value at all points; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// How long worlds last, instead of as the scenario says.
    // A flag, so that a short look needs no second file, which would drift from the first.
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,

    /// Folder to write. Left out: runs/sensitivity-NAME.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Cells that are run at once, each on a thread of its own; changes nothing but the speed. Left out: as many as there are
    /// cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,

    /// Go on with what is in the folder: the same command runs the cells that are missing.
    #[arg(long)]
    resume: bool,

    /// Print the keys, their ranges and about how long it would take, and run nothing.
    // Many keys make many points, and hours would be spent before a mistake in the design is seen.
    #[arg(long)]
    dry_run: bool,

    /// Write the sweep file that says the same, to be changed by hand, and run nothing.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    write: Option<PathBuf>,

    /// Print one JSON object instead of the summary, and no progress.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Number of base samples by default.
const USUAL_BASE_SAMPLES: u64 = 64;

impl Args {
    fn request(&self) -> SensitivityRequest {
        let sobol = self.design == Design::Sobol;
        SensitivityRequest {
            scenario: self.scenario.clone(),
            design: self.design,
            config: SensitivityConfig {
                measures: self.measure.clone(),
                cohort: self.cohort.clone(),
                trajectories: self.trajectories,
                levels: self.levels,
                base_samples: self.base_samples.or(sobol.then_some(USUAL_BASE_SAMPLES)),
                second_order: self.second_order,
            },
            keys: self.keys.clone(),
            ranges: self.range.clone(),
            factor: self.factor,
            set: self.set.clone(),
            ticks: self.ticks,
            first_seed: self.first_seed,
            worlds: self.worlds,
        }
    }
}

/// Runs the command: a global sensitivity analysis (Morris or Sobol).
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let begun = Instant::now();
    let screening = args.request().prepare(laboratory)?;
    if let Some(file) = &args.write {
        return write_sweep(file, |folder| screening.text(folder), "").map(|()| ExitCode::SUCCESS);
    }
    let sweep = &screening.sweep;
    let dir = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("runs/{}", sweep.file.name)));
    let jobs = args.jobs.map_or(SweepOptions::default().jobs, usize::from);
    if !args.json {
        print_screening(&screening)?;
    }
    if args.dry_run {
        if !args.json {
            return dry_run::print(sweep, &dir, jobs, false).map(|()| ExitCode::SUCCESS);
        }
        let mut object = dry_run::object(sweep, &dir, jobs)?;
        add(&mut object, &screening)?;
        return output::json(&object);
    }
    let stop = stop_on_interrupt()?;
    let watch = CellLine::new("cells", args.json);
    let options =
        SweepOptions { jobs, resume: args.resume, stop: &stop, watch: &watch, ..SweepOptions::default() };
    let swept = sweep.run(&dir, options)?;
    let wall_s = begun.elapsed().as_secs_f64();
    if args.json {
        let mut object = sweep::object(&swept, wall_s);
        add(&mut object, &screening)?;
        output::json(&object)?;
    } else {
        sweep::print(&swept, wall_s, "the same command and --resume")?;
    }
    Ok(sweep::exit_code(&swept))
}

/// Adds the keys that can't be varied, and those whose ranges were narrowed, to a sweep's object. Keys that are left alone aren't named.
fn add(object: &mut serde_json::Value, screening: &Screening) -> anyhow::Result<()> {
    object["skipped"] = serde_json::to_value(&screening.skipped)?;
    object["narrowed"] = serde_json::to_value(&screening.narrowed)?;
    Ok(())
}

/// Number of keys of each kind that are listed; the others are only mentioned.
const LISTED_MAX: usize = 10;

fn print_screening(screening: &Screening) -> anyhow::Result<()> {
    let Screening { sweep, skipped, narrowed } = screening;
    let (moved, left) = (sweep.file.axes.len(), skipped.len());
    output::line(format!(
        "{moved} keys are moved, {} of them less far than usual; {left} are not",
        narrowed.len()
    ))?;
    for one in narrowed.iter().take(LISTED_MAX) {
        output::line(format!("narrowed     {}: {} instead of {}", one.key, one.is, one.was))?;
    }
    for one in skipped.iter().take(LISTED_MAX) {
        output::line(format!("not moved    {}: {}", one.key, one.why))?;
    }
    if narrowed.len() > LISTED_MAX || left > LISTED_MAX {
        output::line("and more, with --json")?;
    }
    output::line("")
}
