//! The Grimoires that are scored: those of a scenario's golems, or synthetic ones. They are workload fixtures. A scenario is run to its end
//! first, its events are dropped, and each golem that lives then and has episodes is one client. Synthetic ones vary in the columns that
//! scoring reads, because equal values would make branches predictable.

use super::asked::{LoadTestSettings, MadeGrimoires};
use super::outcome::ScoredSubject;
use crate::generator::seconds;
use crate::scorer::{OwnedReplayContext, ScoringCase};
use morta_actors::{EventSink, WriteError};
use morta_base::{BloodstainId, EpisodeId, GolemId, Purpose, Stream, Tick, Usdc, WorldSeed};
use morta_engine::episode::{Context, DreamPriority, Episode, Grimoire, GrimoireConfig, Provenance};
use morta_engine::event::Event;
use morta_engine::market::Regime;
use morta_engine::replay::{ReplayConfig, ReplayMode};
use morta_engine::world::World;
use morta_lab::Laboratory;
use morta_lab::connection::Connection;
use morta_lab::drive::{RunControl, live_until};
use morta_lab::error::{Error, Result};
use morta_lab::lethe_start::LetheStart;
use morta_lab::scenario_file::{Overrides, Scenario, load};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The fixture of a benchmark: the prepared clients and their Grimoires.
pub struct ScoringBench {
    /// Description of the Grimoires.
    pub subject: ScoredSubject,
    /// Number of clients.
    pub clients: u32,
    /// The clients' Grimoires; empty when scorers are simulated.
    pub cases: Arc<[ScoringCase]>,
}

/// The source of the Grimoires (fixture source): a scenario that is run first, or a synthetic workload.
#[derive(Clone, Debug, Default)]
pub struct GrimoireSource {
    /// The scenario whose golems' Grimoires are scored; it is run first. `None` for synthetic Grimoires.
    pub scenario: Option<PathBuf>,
    /// Overrides of the scenario's keys.
    pub overrides: Overrides,
    /// Number of best episodes that a request selects; `None` for 64, or for the scenario's batch size.
    pub places: Option<u32>,
}

/// Prepares the Grimoires; `None` when the user stopped the scenario (fixture).
///
/// # Errors
/// [`Error::Invalid`] when the scenario can't be used.
pub fn prepare(
    source: &GrimoireSource,
    asked: &LoadTestSettings,
    control: RunControl<'_>,
    laboratory: &Laboratory,
) -> Result<Option<ScoringBench>> {
    if let Some(path) = &source.scenario {
        return lived(path, source, control, laboratory);
    }
    let made = asked.made.expect("without a scenario, what is made was checked");
    if let Some(service) = asked.service {
        let stalls_s =
            asked.stalls.iter().map(|stall| (seconds(stall.from_ns), seconds(stall.to_ns))).collect();
        let subject = ScoredSubject::Simulated { buffers: made.buffers, service, stalls_s };
        return Ok(Some(ScoringBench { subject, clients: made.buffers, cases: Arc::from([]) }));
    }
    let places = source.places.unwrap_or(PLACES);
    let cases: Arc<[ScoringCase]> =
        (0..made.buffers).map(|buffer| case(asked.seed, buffer, made, places)).collect();
    let MadeGrimoires { buffers, episodes, dimensions } = made;
    Ok(Some(ScoringBench {
        subject: ScoredSubject::Made { buffers, episodes, dimensions, places },
        clients: buffers,
        cases,
    }))
}

/// Default number of best episodes that a request selects for synthetic Grimoires.
const PLACES: u32 = 64;
/// Ticks between two episodes of a synthetic Grimoire. Our choice: about an hour and a half of 40-second ticks.
const TICKS_BETWEEN: Tick = 128;

/// A synthetic Grimoire, a function of (seed, buffer). Regime, volatility, outcome, arousal, provenance, embedding and replays
/// vary, so that branches aren't predictable; strategy, side, asset, liquidity, gas and session don't, affect is off and legacy weighs 0.
fn case(seed: u64, buffer: u32, made: MadeGrimoires, places: u32) -> ScoringCase {
    let config = GrimoireConfig { capacity: made.episodes, ..GrimoireConfig::default() };
    let mut grimoire = Grimoire::new(config, made.dimensions);
    let now = (u64::from(made.episodes) + 1) * TICKS_BETWEEN;
    for number in 0..made.episodes {
        let mut stream = WorldSeed(seed).world(Purpose::LoadBuffer, buffer, u64::from(number) + 1);
        let closed = (u64::from(number) + 1) * TICKS_BETWEEN;
        let episode = episode(buffer, number, closed, made.dimensions, &mut stream);
        let replays = stream.below(5) as u32;
        let last = closed + stream.below((now - closed) as usize) as Tick;
        let priority = if stream.chance(0.05) { DreamPriority::High } else { DreamPriority::Normal };
        grimoire.restore(episode, (replays > 0).then_some(last), replays, priority);
    }
    let mut stream = WorldSeed(seed).world(Purpose::LoadBuffer, buffer, 0);
    let context = OwnedReplayContext {
        tick: now,
        embedding: embedding(made.dimensions, &mut stream),
        regime: Regime::ALL[stream.below(Regime::COUNT)],
        pad_bias: None,
        affect: false,
        mode: ReplayMode::Normal,
        legacy: 0.0,
    };
    ScoringCase { grimoire, context, replay: ReplayConfig::default(), places: places as usize }
}

fn embedding(dimensions: u32, stream: &mut Stream) -> Box<[f32]> {
    (0..dimensions).map(|_| stream.normal() as f32).collect()
}

fn episode(buffer: u32, number: u32, closed: Tick, dimensions: u32, stream: &mut Stream) -> Episode {
    let golem = GolemId::founder(buffer);
    let expected_r = 0.5 * stream.normal();
    let realised_r = 1.5 * stream.normal();
    let inherited = stream.chance(0.1);
    Episode {
        provenance: if inherited {
            Provenance::Bloodstain(BloodstainId { golem, number })
        } else {
            Provenance::Own
        },
        opened: closed - TICKS_BETWEEN / 2,
        context: Context {
            regime: Regime::ALL[stream.below(Regime::COUNT)],
            volatility_quintile: 1 + stream.below(5) as u8,
            ..Context::neutral(Regime::TrendingUp)
        },
        stake: Usdc::from_dollars(10.0),
        pnl: Usdc::from_dollars(0.2 * realised_r),
        expected_r,
        realised_r,
        surprise: (expected_r - realised_r).abs(),
        significance: (0.02 * realised_r).abs(),
        regret: (0.3 * stream.normal()).max(0.0),
        arousal: stream.uniform(),
        embedding: embedding(dimensions, stream),
        ..Episode::neutral(EpisodeId { golem, number }, closed)
    }
}

/// A sink that drops all events, because only the golems at the end are needed.
struct Nowhere;

impl EventSink for Nowhere {
    fn take(&mut self, _: &[Event]) -> Result<(), WriteError> {
        Ok(())
    }
}

/// Runs a scenario and takes the Grimoires of the golems that live at its end.
fn lived(
    path: &Path,
    source: &GrimoireSource,
    control: RunControl<'_>,
    laboratory: &Laboratory,
) -> Result<Option<ScoringBench>> {
    let loaded = load(path, &source.overrides, laboratory)?;
    let plan = Connection::open(&loaded, None, control.stop())?.connect(loaded.plan()?);
    let start = LetheStart::for_scenario(plan.scenario())
        .map_err(|error| loaded.lethe_mistake("start_from", &error))?;
    let Scenario { bars, .. } = loaded;
    let mut world = World::begin(plan, bars, &start.ancestry.earlier_bloodstains, start.in_memory());
    if live_until(&mut world, Tick::MAX, &mut Nowhere, control)?.is_none() {
        return Ok(None);
    }
    let (ticks, scenario) = (world.tick(), world.plan().scenario());
    let (scenario, seed) = (scenario.name.clone(), scenario.seed);
    let cases = cases(world, source.places);
    let (name, shown) = (path.display(), source.overrides.ticks.unwrap_or(ticks));
    if cases.is_empty() {
        return Err(Error::invalid(format!(
            "{name}: after {shown} ticks nobody lives who has a Grimoire with episodes: there is nothing to score; use a scenario with \
             golems that dream (memory = \"bardo\"), or another number of --ticks"
        )));
    }
    let sizes = || cases.iter().map(|case| case.grimoire.len() as u32);
    let places = || cases.iter().map(|case| case.places as u32);
    let buffers = cases.len() as u32;
    let subject = ScoredSubject::Lived {
        scenario,
        seed,
        ticks,
        buffers,
        episodes_min: sizes().min().unwrap_or(0),
        episodes_max: sizes().max().unwrap_or(0),
        episodes_mean: sizes().map(f64::from).sum::<f64>() / f64::from(buffers),
        dimensions: cases[0].grimoire.dimensions() as u32,
        places_min: places().min().unwrap_or(0),
        places_max: places().max().unwrap_or(0),
    };
    Ok(Some(ScoringBench { subject, clients: buffers, cases: cases.into() }))
}

/// The scoring cases of a world's living golems, except those with an empty Grimoire or none.
fn cases(world: World, places: Option<u32>) -> Vec<ScoringCase> {
    let parts = world.into_parts();
    let case = |golem: &morta_engine::golem::Golem| {
        let moment = parts.barrier.now().moment(parts.barrier.tick(), &parts.plan, golem.cohort());
        let grimoire = golem.memory().dreams()?.grimoire();
        let replay = moment.rules.dream.replay.clone();
        (!grimoire.is_empty()).then(|| ScoringCase {
            grimoire: grimoire.clone(),
            context: golem.replay_context(&moment).into(),
            places: places.unwrap_or(replay.batch_size).max(1) as usize,
            replay,
        })
    };
    parts.golems.values().map(Box::as_ref).filter_map(case).collect()
}
