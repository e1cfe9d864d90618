//! `morta run`: lives through a scenario and writes a run folder.

mod checkpointed;
mod summary;

use crate::output;
use crate::terminal::{DriverArgs, attended};
use morta_actors::LetheFiles;
use morta_engine::world::Scenario;
use morta_lab::drive::{Driver, DriverChoice, Lived, live};
use morta_lab::lethe_start::{self, LetheRecord, LetheStart};
use morta_lab::profile::{self, Profiler};
use morta_lab::run_folder::manifest::{Manifest, Observed};
use morta_lab::run_folder::tables::Gist;
use morta_lab::run_folder::{RunFolder, Tables, TablesSummary};
use morta_lab::scenario_file::{DataFile, Overrides, load};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta run`.
#[derive(clap::Args)]
pub struct Args {
    /// The scenario file, such as scenarios/quickstart.toml.
    #[arg(required_unless_present = "resume")]
    scenario: Option<PathBuf>,

    /// Go on with a run that was cut off, from its last checkpoint. Its scenario and seed are those it was begun with.
    #[arg(
        long,
        value_name = "RUN",
        conflicts_with_all = ["scenario", "seed", "set", "ticks", "out", "threads", "plain"]
    )]
    resume: Option<PathBuf>,

    /// Write the world down every N ticks, so that the run can be resumed should it be cut off. Uses the plain loop; the
    /// result is the same to the byte.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "threads")]
    checkpoint_every: Option<u64>,

    /// Keep every checkpoint in the run's folder, so that `morta branch` need not live through the run from its start.
    #[arg(long, requires = "checkpoint_every", conflicts_with = "resume")]
    keep_checkpoints: bool,

    /// Seed of all luck, instead of the scenario's.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64)
    )]
    seed: Option<u64>,

    /// Change a key of the scenario, as in --set mortality.hazard_scale=10; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Ticks to live through, instead of the scenario's.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    ticks: Option<u64>,

    #[command(flatten)]
    driver: DriverArgs,

    /// Folder of a Lethe that outlives the run, instead of the scenario's lethe.persist: what the dead leave is added to it.
    #[arg(long, value_name = "DIR")]
    lethe: Option<PathBuf>,

    /// Append a line to this file for each bloodstain once it is safe on disk.
    #[arg(long, value_name = "FILE")]
    lethe_log: Option<PathBuf>,

    /// Folder to write; must not hold anything yet. Left out: a new folder under runs/.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Keep no tables: say what the run came to, and write nothing.
    #[arg(long, conflicts_with_all = ["out", "resume", "checkpoint_every", "lethe", "lethe_log"])]
    no_record: bool,

    /// Say where the time went, by phase of the tick; slows the run down a little.
    #[arg(long)]
    pub profile: bool,

    /// Print one JSON object instead of the summary, and no progress.
    #[arg(long)]
    json: bool,
}

/// How a run is told of.
struct Telling {
    json: bool,
    profiler: Option<Profiler>,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let profiler = match args.profile {
        true => Some(Profiler::install(crate::logs::subscriber()?)?),
        false => None,
    };
    let telling = Telling { json: args.json, profiler };
    let overrides = Overrides { seed: args.seed, ticks: args.ticks, set: args.set };
    if let Some(dir) = &args.resume {
        return checkpointed::resume(dir, args.checkpoint_every, telling);
    }
    let file = args.scenario.expect("the command line asks for a scenario or a run to resume");
    let loading = profile::phase!("loading").entered();
    let mut loaded = load(&file, &overrides)?;
    if let Some(folder) = &args.lethe {
        loaded.scenario.lethe.persist = Some(folder.display().to_string());
    }
    let plan = loaded.plan()?;
    drop(loading);
    let scenario = plan.scenario().clone();
    let start = LetheStart::of(&scenario).map_err(|error| loaded.lethe_mistake("start_from", &error))?;
    let started_at = jiff::Timestamp::now().to_string();
    let driver = DriverChoice::from(args.driver).driver(&plan, !args.no_record);
    if args.no_record {
        let store = start.store(&scenario, LetheFiles { folder: None, persist: None, log: None })?;
        let lethe = (&start.ancestry.earlier_bloodstains, store);
        let lived = attended(args.json, |control| {
            live(plan, loaded.bars, driver, lethe, Gist::of(&scenario), control)
        })?;
        let observed = Observed::of(driver, started_at, lived.wall.as_secs_f64());
        let kept = (loaded.data, start.record(&scenario));
        let gist = lived.sink.finish();
        let manifest = Manifest::of(scenario, &lived.ended, &gist, kept, observed);
        return report(None, &manifest, &gist, &telling);
    }
    let log = lethe_start::open_log(args.lethe_log.as_ref())?;
    let folder = match &args.out {
        Some(dir) => RunFolder::create(dir)?,
        None => RunFolder::create(&unused(&scenario.name, scenario.seed))?,
    };
    if let Some(every) = args.checkpoint_every {
        return checkpointed::begin(
            &folder,
            loaded,
            plan,
            &start,
            (every, args.keep_checkpoints),
            started_at,
            telling,
        );
    }
    let under_way = folder.lethe_under_way();
    let persist = scenario.lethe.persist.as_deref().map(Path::new);
    let files = LetheFiles { folder: Some(&under_way), persist, log };
    let store = start.store(&scenario, files).map_err(|error| loaded.lethe_mistake("persist", &error))?;
    let closing = store.closing();
    let tables = Tables::create(&folder, &scenario)?;
    let lethe = (&start.ancestry.earlier_bloodstains, store);
    let lived = attended(args.json, |control| live(plan, loaded.bars, driver, lethe, tables, control))?;
    closing.close(lived.ended.ticks)?;
    let record = start.record(&scenario);
    complete(&folder, scenario, (loaded.data, record), lived, (driver, started_at), &telling)
}

/// Closes the tables of a run that was lived through and says what came of it.
fn complete(
    folder: &RunFolder,
    scenario: Scenario,
    (data, lethe): (Vec<DataFile>, LetheRecord),
    lived: Lived<Tables>,
    (driver, started_at): (Driver, String),
    telling: &Telling,
) -> anyhow::Result<ExitCode> {
    let Lived { ended, sink, wall } = lived;
    let tables = sink.finish()?;
    folder.keep_lethe()?;
    let wall_s = wall.as_secs_f64();
    let observed = Observed::of(driver, started_at, wall_s);
    let manifest = Manifest::of(scenario, &ended, &tables, (data, lethe), observed);
    folder.complete(&manifest)?;
    report(Some(folder), &manifest, &tables, telling)
}

fn report(
    folder: Option<&RunFolder>,
    manifest: &Manifest,
    tables: &TablesSummary,
    telling: &Telling,
) -> anyhow::Result<ExitCode> {
    let dir = folder.map(RunFolder::dir);
    let profile = telling.profiler.as_ref().map(Profiler::profile);
    if telling.json {
        let mut summary = summary::json(dir, manifest, &tables.totals);
        if let Some(profile) = &profile {
            summary["profile"] = serde_json::to_value(profile)?;
        }
        output::line(summary)?;
    } else {
        output::line(summary::text(dir, manifest, &tables.totals))?;
        if let Some(profile) = &profile {
            output::line("")?;
            profile.lines().into_iter().try_for_each(output::line)?;
        }
    }
    // A run whose money doesn't add up is wrong, and whoever calls from a script must hear of it.
    Ok(if manifest.ledger_conserved { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The first folder under runs/ of the scenario's name and seed that isn't there yet.
fn unused(name: &str, seed: u64) -> PathBuf {
    let first = PathBuf::from(format!("runs/{name}-seed{seed}"));
    let numbered = |number: u64| PathBuf::from(format!("runs/{name}-seed{seed}-{number}"));
    std::iter::once(first)
        .chain((2..).map(numbered))
        .find(|dir| !dir.exists())
        .expect("numbers don't run out")
}
