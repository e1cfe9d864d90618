//! The flags of `morta loadtest` (clap arguments) and its help: arrival process (Poisson process or constant gaps), open loop or closed
//! loop. Times stay texts, and most counts signed numbers, until `morta_load` checks them, because a refusal repeats them as they were
//! typed, all at once. Episodes, numbers of an embedding, buffers, scorers, places and rates that are left out get their defaults there,
//! all else here. `Args` has the CLI arguments of a load generator (load testing); `Loop` and `Process` are its load model (workload
//! model).

use morta_console::arguments;
use morta_lab::scenario_file::Overrides;
use morta_load::generator::ArrivalProcess;
use morta_load::loadtest::{GrimoireSource, LoopKind, UncheckedLoadTest};
use std::path::PathBuf;

const HELP: &str = "\
What is scored: with a SCENARIO, the world is lived first, and the Grimoires are those that its golems have in the end, each with
its golem's situation (market, mood, turn to legacy) and its cohort's replay keys. Without one, Grimoires of --episodes episodes of
--dim numbers are made from the seed and scored by the default keys. A request scores every episode of its client's Grimoire with
every term of the replay utility and takes the best --places of them; choosing for diversity and by draw is not part of it.

Who asks: every Grimoire is a client. Client c is scored by scorer c modulo --scorers, each an actor on a thread of its own with a
queue of its own. In an open loop requests are due whether or not earlier ones have been answered, and latency counts from when a
request was due, even when the generator or a full machine sent it later. What finds its queue full is dropped and counted. In a
closed loop every client waits for its answer before it asks again, latency counts from sending, and a slow scorer keeps requests
from being sent that would have found it slow: coordinated omission. Use it to see the difference.

The knee of a sweep is the highest rate that is sustained, as are all below it: at most 0.1 % of requests dropped, at most 5 % (and
10) fewer finished within the time than due, and a p99 of at most five times that of the lowest rate.

Times may be written as 250us, 1ms, 0.5s or 2 (seconds).

  morta loadtest scenarios/load/scoring.toml
  morta loadtest --episodes 10000 --dim 32 --buffers 16 --rate 200 --duration 10
  morta loadtest --episodes 10000 --sweep 50..1000 --duration 5 --out runs/load
  morta loadtest scenarios/quickstart.toml --rate 2000 --duration 10 --hdr latency.hlog
  morta loadtest --rate 100 --arrivals constant --warmup 0 --duration 200 --queue 20000 \\
      --simulate-service constant:1ms --simulate-stall 100..200";

/// The flags of `morta loadtest`.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub(crate) struct Args {
    /// The scenario whose golems' Grimoires are scored; it is lived first. Left out: Grimoires are made.
    #[arg(conflicts_with_all = ["episodes", "dim", "buffers", "simulate_service"])]
    pub scenario: Option<PathBuf>,

    /// Ticks to live through before the load, instead of the scenario's.
    // A flag, because how full memories are under load is the test's question and not the scenario's.
    #[arg(long, value_name = "N", requires = "scenario")]
    pub ticks: Option<u64>,

    /// Change a key of the scenario, as in --set memory.bardo.grimoire.capacity=5000; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", requires = "scenario")]
    pub set: Vec<String>,

    /// Episodes of each Grimoire that is made, 1 to 1,000,000. Left out: 1,000.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub episodes: Option<i64>,

    /// Numbers of each embedding, 1 to 4,096. Left out: 32.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub dim: Option<i64>,

    /// Grimoires that are made, one for each client. Left out: 16.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub buffers: Option<i64>,

    /// How many of the best a request asks for. Left out: 64, or the scenario's batch_size.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub places: Option<u32>,

    /// Requests a second, over all clients. Left out in closed mode: clients ask again at once. Left out in an open loop, and no --sweep
    /// given: first for a second as many as are answered, and then a sweep from a tenth of that to a fifth more.
    #[arg(long, value_name = "R", conflicts_with = "sweep", allow_hyphen_values = true)]
    pub rate: Option<f64>,

    /// Rates from A to B, at equal distances, each for --duration after its own warm-up; finds the knee.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub sweep: Option<String>,

    /// How many rates a sweep has, 2 to 100.
    #[arg(long, value_name = "N", conflicts_with = "rate", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(2..=100))]
    pub steps: u32,

    /// The measured time.
    // A time and not a number of requests, because a slow scorer would otherwise lengthen its own test.
    #[arg(long, value_name = "TIME", default_value = "10", allow_hyphen_values = true)]
    pub duration: String,

    /// Time under load before the measured time.
    // Otherwise the first requests, which find caches cold, would be among the latencies.
    #[arg(long, value_name = "TIME", default_value = "1", allow_hyphen_values = true)]
    pub warmup: String,

    /// Length of the stretches by which figures over time and the HDR log are told.
    #[arg(long, value_name = "TIME", default_value = "1", allow_hyphen_values = true)]
    pub interval: String,

    /// Scorer actors, each on a thread of its own. Left out: one less than there are cores, for the generator has one too.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub scorers: Option<i64>,

    /// Most requests that wait or are being scored at one scorer; in an open loop, what comes beyond is dropped.
    #[arg(long, value_name = "N", default_value_t = 1_024, allow_negative_numbers = true)]
    pub queue: i64,

    /// How requests follow each other.
    #[arg(long, value_name = "PROCESS", default_value = "poisson", value_parser = arguments::word(ARRIVALS, ArrivalProcess::name))]
    pub arrivals: ArrivalProcess,

    /// Whether clients wait for their answers before they ask again.
    #[arg(long, value_name = "LOOP", default_value = "open", value_parser = arguments::word(LOOPS, LoopKind::name))]
    pub mode: LoopKind,

    /// Seed of the arrival plan, and of the Grimoires that are made. With a scenario, its own luck stays that of its file.
    #[arg(long, value_name = "N", default_value_t = 42)]
    pub seed: u64,

    /// Checks the generator itself: in place of scorers, simulated ones in virtual time that take this long for a request, such as
    /// exponential:1ms or constant:250us. The figures are a function of the flags.
    #[arg(long, value_name = "LAW:TIME", conflicts_with_all = ["episodes", "dim", "places"])]
    pub simulate_service: Option<String>,

    /// Simulated scorers stand still between two moments of the measured time, such as 100..200; may be repeated.
    // A stall of known length shows whether requests that were due in it are counted: coordinated omission would hide them.
    #[arg(long, value_name = "FROM..TO", requires = "simulate_service")]
    pub simulate_stall: Vec<String>,

    /// Write latencies as an HDR histogram interval log (V2, compressed; ns), one line an interval; a sweep tags them with their rate.
    #[arg(long, value_name = "FILE")]
    pub hdr: Option<PathBuf>,

    /// Write a folder: a page with plots, the plots as files, all figures as JSON, the HDR log. What is there of these names is replaced.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Print one JSON object instead of text, and no progress.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    pub json: bool,
}

impl Args {
    /// The settings before they are checked (unchecked arguments).
    pub(crate) fn unchecked(&self) -> UncheckedLoadTest {
        UncheckedLoadTest {
            has_scenario: self.scenario.is_some(),
            mode: self.mode,
            arrivals: self.arrivals,
            rate: self.rate,
            sweep: self.sweep.clone(),
            steps: self.steps,
            duration: self.duration.clone(),
            warmup: self.warmup.clone(),
            interval: self.interval.clone(),
            episodes: self.episodes,
            dim: self.dim,
            buffers: self.buffers,
            scorers: self.scorers,
            queue: self.queue,
            seed: self.seed,
            simulate_service: self.simulate_service.clone(),
            simulate_stall: self.simulate_stall.clone(),
        }
    }

    /// Makes the source of the Grimoires to be scored (workload) from the flags: a scenario with its overrides, or synthetic ones.
    pub(crate) fn source(&self) -> GrimoireSource {
        let overrides = Overrides { seed: None, ticks: self.ticks, set: self.set.clone() };
        GrimoireSource { scenario: self.scenario.clone(), overrides, places: self.places }
    }
}

/// How requests follow each other.
const ARRIVALS: &[(ArrivalProcess, &str)] = &[
    (ArrivalProcess::Poisson, "Exponential gaps, any client"),
    (ArrivalProcess::Constant, "Equal gaps, clients in turn"),
];

/// Whether clients wait for their answers.
const LOOPS: &[(LoopKind, &str)] = &[(LoopKind::Open, "They don't"), (LoopKind::Closed, "They do")];
