//! `morta run SCENARIO`: runs one world and writes a run folder (`runs/NAME-seedSEED` by default, with a number after it where that is
//! taken): tables, events, manifest with digest. It is the simulation command, with resume from checkpoints, record/replay of a real
//! model, a live event stream (`--follow`) and steering. Threads change nothing but the time.
//!
//! Checkpoints are optional, because they take time and disk; a run that asks a real model has one every 50 ticks, unless it has
//! `--threads`, `--steer`, `--no-record`, `--lethe-log`, `lethe.persist` or `lethe.start_from`. Flags win over the file: a later `--set` over an earlier
//! one and over `--llm`; `--seed`, `--ticks`, `--endpoint`, `--lethe` and `--cassette` over `--set`. A world that needs more memory than
//! there is is refused without `--yes`. The exit code is 1 if money wasn't conserved, 130 after Ctrl-C. `Args` has the CLI arguments of a
//! simulation run; `LlmChoice` is the choice of a language model (LLM backend, LLM mode).

use crate::memory_process::MemoryProcessArgs;
use crate::terminal::{DriverArgs, attended, noted};
use morta_console::arguments;
use morta_console::failure::UserError;
use morta_console::output;
use morta_console::terminal::INTERRUPTED;
use morta_engine::llm::LlmMode;
use morta_lab::Laboratory;
use morta_lab::drive::{EventTap, RunControl};
use morta_lab::follow::Follower;
use morta_lab::profile::{self, Profiler};
use morta_lab::run::{
    self, Checkpoints, MemoryNeed, RecordingOptions, ResumeOptions, RunOptions, RunSummary,
};
use morta_lab::run_folder::RunPlace;
use morta_lab::scenario_file::{self, Overrides};
use morta_lab::steering::Steering;
use morta_lab::text::View as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// The flags of `morta run`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The scenario file, such as scenarios/quickstart.toml.
    #[arg(required_unless_present = "resume")]
    scenario: Option<PathBuf>,

    /// Go on with a run that was cut off, from its last checkpoint. Its scenario and seed are those it was begun with.
    #[arg(
        long,
        value_name = "RUN",
        conflicts_with_all = [
            "scenario", "seed", "set", "ticks", "out", "threads", "plain", "llm", "cassette", "lethe", "lethe_log"
        ]
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
    // A flag, because one scenario is lived under many seeds: otherwise each would need a file of its own.
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
    // A flag, so that a short look needs no second file, which would drift from the first.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    ticks: Option<u64>,

    /// Who answers golems, instead of the scenario's llm.mode. What is recorded, or live, is written down every 50 ticks unless
    /// --checkpoint-every or --threads say otherwise, so that it can be resumed when the model is gone.
    #[arg(long, value_name = "MODE", value_parser = arguments::word(LLM_MODES, LlmMode::name))]
    llm: Option<LlmMode>,

    /// Where a real model is to be found, instead of the scenario's llm.endpoint.base_url.
    // A flag, because addresses are of a machine, and a scenario is shared between machines.
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,

    /// The cassette that is replayed, or that a recording begins with, instead of the scenario's llm.cassette.
    // A flag, because one scenario may be replayed from several recordings.
    #[arg(long, value_name = "FILE")]
    cassette: Option<PathBuf>,

    #[command(flatten)]
    driver: DriverArgs,

    #[command(flatten)]
    memories: MemoryProcessArgs,

    /// Folder of a Lethe that outlives the run, instead of the scenario's lethe.persist: what the dead leave is added to it.
    // A flag, because runs of one scenario may share a store or have stores of their own.
    #[arg(long, value_name = "DIR")]
    lethe: Option<PathBuf>,

    /// Append a line to this file for each bloodstain once it is safe on disk. Goes without checkpoints, in which bloodstains are safe together.
    #[arg(long, value_name = "FILE", conflicts_with = "checkpoint_every")]
    lethe_log: Option<PathBuf>,

    /// Folder to write; must not hold anything yet. Left out: a new folder under runs/.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Keep no tables: say what the run came to, and write nothing.
    #[arg(long, conflicts_with_all = ["out", "resume", "checkpoint_every", "lethe", "lethe_log"])]
    no_record: bool,

    /// Begin even if the golems take more memory than there is.
    #[arg(long, conflicts_with = "resume")]
    yes: bool,

    /// Say where the time went, by phase of the tick; slows the run down a little.
    #[arg(long)]
    pub profile: bool,

    /// Print births, modes, dreams, draws and deaths as they happen, one JSON object a line, and the summary as the last line. Who stops
    /// reading misses the rest; the run goes on.
    #[arg(long, conflicts_with = "json")]
    follow: bool,

    /// With --follow, take an owner's directives from standard input, one a line: `dream` or `wake`, and a golem like L3.G2 or a cohort if not
    /// all are meant, or {"do": "dream", "golem": "L3.G2"}. They are heard at the next tick, answered by a line, and written into the run's
    /// scenario. Uses the plain loop.
    #[arg(long, requires = "follow", conflicts_with_all = ["resume", "checkpoint_every", "threads"])]
    steer: bool,

    /// Print one JSON object instead of the summary, and no progress.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Who answers golems.
const LLM_MODES: &[(LlmMode, &str)] = &[
    (LlmMode::Simulated, "The simulated model"),
    (LlmMode::Live, "A real model, nothing kept"),
    (LlmMode::Record, "A real model, every call kept in the run's cassette"),
    (LlmMode::Replay, "A cassette alone"),
];

/// Writes the choice of a model as a setting for `--set` (override). `morta branch --llm record` uses it too.
pub(crate) fn llm_setting(mode: LlmMode) -> String {
    format!("llm.mode=\"{}\"", mode.name())
}

/// Ticks between checkpoints of a run with a real model, without `--checkpoint-every`. Their cost is small beside the model's replies.
const LIVE_CHECKPOINT_TICKS: u64 = 50;

/// Runs the command: a simulation run, or its resumption from a checkpoint.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let profiler = match args.profile {
        true => Some(Profiler::install(morta_console::logs::subscriber()?)?),
        false => None,
    };
    let json = args.json;
    let sweep_arguments = sweep_arguments(&args);
    let follower = args.follow.then(|| Arc::new(Follower::new(Box::new(std::io::stdout()))));
    let tap = follower.clone().map(|follower| follower as Arc<dyn EventTap>);
    let steering = follower
        .clone()
        .filter(|_| args.steer)
        .map(|follower| Steering::by_standard_input(move |answer| follower.say(answer)));
    let (summary, notes) = match &args.resume {
        Some(dir) => {
            let (every, endpoint) = (args.checkpoint_every, args.endpoint);
            let (options, laboratory) =
                (ResumeOptions { every, endpoint, expected: None }, args.memories.added_to(laboratory)?);
            let resume = |control: RunControl<'_>| {
                run::resume(dir, options, with_tap(control, tap.as_ref()), &laboratory)
            };
            (attended(json, resume)?, Vec::new())
        }
        None => begin(args, laboratory, (tap.as_ref(), steering.as_ref()))?,
    };
    if let Some(follower) = follower {
        let written = output::line(serde_json::json!({ "event": "run_ended", "summary": summary }));
        if let Some(why) = follower.failure() {
            anyhow::bail!("--follow: standard output can't be written to: {why}; the run itself is whole");
        }
        written?;
    } else {
        print(&summary, &notes, profiler.as_ref(), json, sweep_arguments.as_deref())?;
    }
    // A run that violates the conservation of money is wrong, and a calling script must notice it. A run that was interrupted isn't the requested one
    // either.
    Ok(match (summary.manifest.ledger_conserved, summary.manifest.interrupted) {
        (false, _) => ExitCode::FAILURE,
        (true, true) => ExitCode::from(INTERRUPTED as u8),
        (true, false) => ExitCode::SUCCESS,
    })
}

/// The arguments of a sweep over this scenario: its file and the changed keys. None if more than keys was changed, because the sweep would then run
/// something else.
fn sweep_arguments(args: &Args) -> Option<String> {
    let is_plain =
        args.llm.is_none() && args.endpoint.is_none() && args.cassette.is_none() && args.lethe.is_none();
    let file = args.scenario.as_ref().filter(|_| is_plain && args.memories.is_empty())?.display().to_string();
    let ticks = args.ticks.map(|ticks| format!("ticks={ticks}"));
    let flags = args.set.iter().cloned().chain(ticks).flat_map(|set| ["--set".to_owned(), set]);
    let words: Vec<String> = std::iter::once(file).chain(flags).collect();
    shlex::try_join(words.iter().map(String::as_str)).ok()
}

/// Runs the scenario. Returns the result, and notes from before the start.
fn begin(
    args: Args,
    laboratory: &Laboratory,
    (tap, steering): (Option<&Arc<dyn EventTap>>, Option<&Arc<Steering>>),
) -> anyhow::Result<(RunSummary, Vec<String>)> {
    // Quoted as JSON, because TOML would otherwise read some addresses as another type.
    let endpoint = args.endpoint.map(|url| format!("llm.endpoint.base_url={}", serde_json::Value::from(url)));
    let set = args.llm.map(llm_setting).into_iter().chain(args.set).chain(endpoint).collect();
    let overrides = Overrides { seed: args.seed, ticks: args.ticks, set };
    let file = args.scenario.expect("the command line asks for a scenario or a run to resume");
    let loading = profile::phase!("loading").entered();
    let mut loaded = scenario_file::load(&file, &overrides, &args.memories.added_to(laboratory)?)?;
    drop(loading);
    let notes = loaded.notes();
    let scenario = &mut loaded.scenario;
    let need = MemoryNeed::for_scenario(scenario);
    if need.is_too_much() && !args.yes {
        return Err(UserError::new(format!("{}: {need}: live fewer, or say --yes", file.display())));
    }
    if need.is_large() {
        output::remark(format!("note: {need}"));
    }
    if let Some(folder) = &args.lethe {
        scenario.lethe.persist = Some(folder.display().to_string());
    }
    if let Some(cassette) = &args.cassette {
        scenario.llm.cassette = Some(cassette.display().to_string());
    }
    let asks_a_model = matches!(scenario.llm.mode, LlmMode::Live | LlmMode::Record);
    let lethe_outside =
        scenario.lethe.persist.is_some() || scenario.lethe.start_from.is_some() || args.lethe_log.is_some();
    let at_will = asks_a_model && args.driver.threads.is_none() && !lethe_outside && steering.is_none();
    let every = args.checkpoint_every.or(at_will.then_some(LIVE_CHECKPOINT_TICKS));
    let usual = format!("{}-seed{}", scenario.name, scenario.seed);
    let place = (!args.no_record).then(|| RunPlace::choose(args.out, &usual)).transpose()?;
    let recording = place.as_ref().map(|place| RecordingOptions {
        folder: place.path().to_owned(),
        lethe_log: args.lethe_log,
        checkpoints: every.map(|every| Checkpoints { every, keep: args.keep_checkpoints }),
    });
    let driver = args.driver.into();
    let summary = noted(args.json, &notes, |control| {
        let control = with_tap(control, tap);
        let control = steering.map_or(control, |steering| control.steered_by(steering));
        run::run(&loaded, RunOptions { recording, driver, control })
    })?;
    Ok((summary, notes))
}

fn with_tap<'a>(control: RunControl<'a>, tap: Option<&'a Arc<dyn EventTap>>) -> RunControl<'a> {
    tap.map_or(control, |tap| control.with_tap(tap))
}

fn print(
    summary: &RunSummary,
    notes: &[String],
    profiler: Option<&Profiler>,
    json: bool,
    sweep_arguments: Option<&str>,
) -> anyhow::Result<()> {
    let profile = profiler.map(Profiler::profile);
    if json {
        let mut object = serde_json::to_value(summary)?;
        object["notes"] = serde_json::json!(notes);
        if let Some(profile) = &profile {
            object["profile"] = serde_json::to_value(profile)?;
        }
        return output::line(object);
    }
    summary.lines().into_iter().try_for_each(output::line)?;
    if let Some(profile) = &profile {
        output::line("")?;
        profile.lines().into_iter().try_for_each(output::line)?;
    }
    output::steps(&summary.next_steps(sweep_arguments))
}
