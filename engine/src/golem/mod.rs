//! One golem: it perceives, decides, settles, sleeps and dies. Its whole step is a function of a view of the market, its
//! inbox and its keys. It is the agent: a deterministic state machine (pure step function, actor). Money is in dollars, results in R
//! (multiples of the money at risk at the stop), time in ticks. A step reads nothing besides, so that golems can be stepped on any thread
//! and in any order; the world steps each once a tick and serves the letters that they write. Begin with `step`, then `decide`.
//!
//! `settle`, `holding` and `scaling` follow a position, `clocks` and `mortal` mortality, `thanatopsis`, `testament` and `life_review`
//! dying, `succession` the heir; `sleep_pressure` and `sleep` are about dreams, `affect` and `asked` about moods, `clade` and `pheromone`
//! about siblings, `curation` and `memory_upkeep` about memory; `inbox`, `waiting` and `letter` are its mail.

mod affect;
mod asked;
mod average_reward;
mod clade;
mod clocks;
pub mod config;
mod curation;
mod decide;
pub mod exposure;
mod forecast;
pub mod gate;
pub mod genome;
pub mod holding;
mod inbox;
mod influence;
pub mod letter;
pub mod leverage;
mod life_review;
mod memory_events;
mod memory_upkeep;
mod mortal;
mod pheromone;
pub mod position;
mod rebind;
pub mod scaling;
mod settle;
mod sleep;
mod sleep_pressure;
pub mod state;
mod step;
mod succession;
mod testament;
mod thanatopsis;
mod waiting;

pub use average_reward::Rank;
pub use config::GolemConfig;
pub use genome::Genome;
pub use letter::{Answer, Departure, Letter, Outbox, Sinks};
pub use position::Position;
pub use state::{Birth, Golem};

use crate::curator::CuratorConfig;
use crate::daimon::DaimonConfig;
use crate::dream::{DreamConfig, Timetable};
use crate::lethe::{CladeConfig, CladeMap, LetheConfig, PheromoneConfig, PheromoneField};
use crate::llm::LlmConfig;
use crate::market::{LawInForce, MarketView, Regime};
use crate::memory::SuccessionConfig;
use crate::mortality::{MortalityConfig, Observed};
use morta_base::{Tick, WorldSeed};

/// The keys (configuration, hyperparameters) a golem lives by; the same for all golems of a cohort. Settings of an experiment arm, which a
/// hot reload replaces as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Trading and money.
    pub golem: GolemConfig,
    /// The three clocks.
    pub mortality: MortalityConfig,
    /// Affect.
    pub daimon: DaimonConfig,
    /// The Curator.
    pub curator: CuratorConfig,
    /// Dreams.
    pub dream: DreamConfig,
    /// Sleep windows, directives and interrupts.
    pub timetable: Timetable,
    /// Inference.
    pub llm: LlmConfig,
    /// The Lethe.
    pub lethe: LetheConfig,
    /// Siblings.
    pub clade: CladeConfig,
    /// Scents.
    pub pheromones: PheromoneConfig,
    /// The division of lineages into groups of siblings.
    pub clades: CladeMap,
    /// Who follows, and with what.
    pub succession: SuccessionConfig,
    /// Seconds in a tick.
    pub tick_seconds: f64,
    /// Whether golems of this cohort can die.
    pub mortal: bool,
}

/// The inputs of a step besides the inbox: the tick's context (observation and shared state). A step reads nothing else, so that it can be
/// taken on any thread, ahead of others, or again.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Now.
    pub tick: Tick,
    /// The world's seed.
    pub seed: WorldSeed,
    /// The market.
    pub view: &'a MarketView,
    /// The classes observed in the five domains of prediction.
    pub observed: Observed,
    /// True regimes by asset. Of the memories only the oracle reads them; beside that they are noted in the record of a trade.
    pub true_regimes: &'a [Regime],
    /// The law in force, which the two oracles alone read (`oracle` and `oracle-as-read`).
    pub law: LawInForce,
    /// Pheromones in the air at this tick.
    pub pheromones: &'a PheromoneField,
    /// The golem's rules.
    pub rules: &'a Rules,
}
