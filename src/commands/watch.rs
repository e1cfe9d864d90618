//! `morta watch`: a live dashboard in a browser (HTTP server, server-sent events), on loopback by default. A scenario is run and recorded;
//! a finished run is run again and compared; a sweep of other processes is followed, and a run of another one if it has checkpoints.
//! Watching changes nothing that happens, so that a run may be watched at any time; a viewer may give directives to a scenario's world and
//! start branches. Worlds use the plain loop, because only it can be paused. `Args` has the CLI arguments of a web server with a live view.

use crate::memory_process::MemoryProcessArgs;
use crate::terminal::attended;
use morta_console::arguments::above_0;
use morta_console::failure::UserError;
use morta_console::output;
use morta_console::terminal::{INTERRUPTED, stop_on_interrupt};
use morta_lab::Laboratory;
use morta_lab::drive::DriverChoice;
use morta_lab::reproduce::{differences, repeat};
use morta_lab::run::{self, RunOptions};
use morta_lab::run_folder::{RunFolder, RunPlace};
use morta_lab::scenario_file::{self, Overrides};
use morta_lab::sweep_folder;
use morta_lab::text::View as _;
use morta_lab::watch::{BranchOrigin, RunUnderWay, SweepWatch, Watch, WatchOptions};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The flags of `morta watch`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A scenario file, which is lived and recorded; a run folder, which is lived again and compared, or followed while another process
    /// lives it with checkpoints; or a sweep's folder, whose cells others live.
    #[arg(value_name = "SCENARIO|FOLDER")]
    what: PathBuf,

    /// Seed of all luck, instead of the scenario's.
    // A flag, because one scenario is lived under many seeds: otherwise each would need a file of its own.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Change a key of the scenario, as in --set mortality.hazard_scale=10; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Ticks to live through, instead of the scenario's.
    // A flag, so that a short look needs no second file, which would drift from the first.
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,

    /// Folder to write; must not hold anything yet. Left out: a new folder under runs/.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    memories: MemoryProcessArgs,

    /// Address to listen on. Whoever can reach another than loopback sees the world, if they have the token that is printed.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// Port to listen on; 0 for any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,

    /// Wait after the first tick.
    #[arg(long)]
    paused: bool,

    /// Most ticks a second, instead of as many as can be lived.
    // A small world would otherwise be over before anybody has looked at it.
    #[arg(long, value_name = "N", value_parser = above_0)]
    ticks_per_second: Option<f64>,

    /// End with the world, instead of showing its end until Ctrl-C.
    // For scripts: otherwise the page would keep the process for ever.
    #[arg(long)]
    until_end: bool,
}

/// Runs the command: a live dashboard in a browser.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let stop = stop_on_interrupt()?;
    let options = WatchOptions {
        host: args.host,
        port: args.port,
        paused: args.paused,
        ticks_per_second: args.ticks_per_second,
        laboratory: laboratory.clone(),
    };
    if args.what.is_dir() && sweep_folder::is_sweep(&args.what) {
        return watch_sweep(&args, &options, &stop);
    }
    // Errors of the scenario or the run are reported before a port is opened.
    let show = Show::prepare(&args, laboratory)?;
    let watch = Watch::open(&options)?;
    output::line(format!("live view    {}", watch.url()))?;
    let shown = show.live(&watch, &stop, laboratory);
    let code = match shown {
        Ok(code) => code,
        Err(error) => {
            watch.close();
            return Err(error);
        }
    };
    let was_stopped = stop.load(Ordering::Relaxed);
    args.wait(&stop);
    watch.close();
    Ok(if was_stopped { ExitCode::from(INTERRUPTED as u8) } else { code })
}

impl Args {
    /// Waits for Ctrl-C, unless `--until-end` was given.
    fn wait(&self, stop: &AtomicBool) {
        if self.until_end || stop.load(Ordering::Relaxed) {
            return;
        }
        output::remark("its end is shown until Ctrl-C");
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Refuses flags for a folder that holds a run or a sweep already, because watching can't change how it is lived.
    fn refuse_changes(&self, more: &[(&str, bool)], why: &str) -> anyhow::Result<()> {
        let given = [
            ("--seed", self.seed.is_some()),
            ("--set", !self.set.is_empty()),
            ("--ticks", self.ticks.is_some()),
            ("--out", self.out.is_some()),
        ];
        match given.iter().chain(more).find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((flag, _)) => Err(UserError::new(format!(
                "{flag}: {} {why}: leave the flag out, or name a scenario file",
                self.what.display()
            ))),
        }
    }
}

/// Shows a sweep whose cells other processes run.
fn watch_sweep(args: &Args, options: &WatchOptions, stop: &AtomicBool) -> anyhow::Result<ExitCode> {
    let pace = [("--paused", args.paused), ("--ticks-per-second", args.ticks_per_second.is_some())];
    args.refuse_changes(&pace, "is a sweep, whose cells others live")?;
    let mut watch = SweepWatch::open(options, &args.what)?;
    output::line(format!("live view    {}", watch.url()))?;
    let counts = match watch.follow(stop) {
        Ok(counts) => counts,
        Err(error) => {
            watch.close();
            return Err(error.into());
        }
    };
    let was_stopped = stop.load(Ordering::Relaxed);
    if !was_stopped {
        output::line(format!(
            "complete     {} cells: {} done, {} failed",
            counts.total, counts.done, counts.failed
        ))?;
    }
    args.wait(stop);
    watch.close();
    Ok(if was_stopped { ExitCode::from(INTERRUPTED as u8) } else { ExitCode::SUCCESS })
}

/// What the page shows.
enum Show {
    /// A scenario, and the folder of its run.
    Scenario(Arc<morta_lab::Scenario>, RunPlace),
    /// A run of another process, and its folder.
    UnderWay(Box<RunUnderWay>, PathBuf),
    /// A finished run, which is run again.
    Run(Box<morta_lab::FinishedRun>),
}

/// The plain loop, because only it can be paused.
const DRIVER: DriverChoice = DriverChoice { threads: None, plain: true };

impl Show {
    fn prepare(args: &Args, laboratory: &Laboratory) -> anyhow::Result<Self> {
        if args.what.is_dir() {
            if RunUnderWay::is_there(&args.what) {
                args.refuse_changes(&[], "is a run, which is shown as it is")?;
                return Ok(Self::UnderWay(Box::new(RunUnderWay::find(&args.what)?), args.what.clone()));
            }
            args.refuse_changes(&[], "is a run, which is lived again as it was")?;
            return Ok(Self::Run(Box::new(RunFolder::open(&args.what)?)));
        }
        let overrides = Overrides { seed: args.seed, ticks: args.ticks, set: args.set.clone() };
        let loaded = scenario_file::load(&args.what, &overrides, &args.memories.added_to(laboratory)?)?;
        let usual = format!("{}-seed{}", loaded.scenario.name, loaded.scenario.seed);
        Ok(Self::Scenario(Arc::new(loaded), RunPlace::choose(args.out.clone(), &usual)?))
    }

    fn live(&self, watch: &Watch, stop: &AtomicBool, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
        match self {
            Self::Scenario(scenario, place) => {
                let folder = place.path();
                if let Some(origin) = BranchOrigin::of_scenario(scenario, folder) {
                    watch.branches_from(origin);
                }
                let steering = watch.steering();
                let summary = attended(false, |control| {
                    let control = control.with_tap(watch.tap()).steered_by(&steering);
                    run::run(
                        scenario,
                        RunOptions { driver: DRIVER, control, ..RunOptions::into_folder(folder) },
                    )
                })?;
                let digest = &summary.manifest.digest;
                watch.ended(&format!("lived and recorded, digest {digest}"), Some(folder));
                summary.lines().into_iter().try_for_each(output::line)?;
                Ok(if summary.manifest.ledger_conserved { ExitCode::SUCCESS } else { ExitCode::FAILURE })
            }
            Self::UnderWay(under_way, folder) => {
                let Some(run) = watch.follow(under_way, stop)? else { return Ok(ExitCode::SUCCESS) };
                let words = format!("lived by another process, digest {}", run.manifest.digest);
                watch.ended(&words, Some(folder));
                output::line(words)?;
                Ok(ExitCode::SUCCESS)
            }
            Self::Run(run) => {
                watch.branches_from(BranchOrigin::Run(run.dir().to_owned()));
                let again = attended(false, |control| {
                    repeat(run, DRIVER, control.with_tap(watch.tap()), laboratory)
                })?;
                let words = match again.is_identical() {
                    true => format!("lived again: identical, digest {}", again.digest),
                    false => format!("lived again: NOT identical: {}", differences(&again).join("; ")),
                };
                watch.ended(&words, Some(run.dir()));
                output::line(words)?;
                Ok(if again.is_identical() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
            }
        }
    }
}
