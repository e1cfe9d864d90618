//! What a scenario file says.

use crate::base::{Checker, Problem, Tick};
use crate::curator::CuratorConfig;
use crate::daimon::DaimonConfig;
use crate::dream::DreamConfig;
use crate::dream::schedule::timetable::Surroundings;
use crate::golem::GolemConfig;
use crate::lethe::{CladeConfig, LetheConfig, PheromoneConfig};
use crate::llm::LlmConfig;
use crate::market::MarketConfig;
use crate::memory::config::MemoryConfig;
use crate::memory::{MemoryName, MemoryRegistry, SuccessionConfig, SuccessionPolicy};
use crate::mortality::{Kill, MortalityConfig};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What follows a death.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PopulationPolicy {
    /// Every death is succeeded: the population keeps its size.
    #[default]
    Fixed,
    /// Nobody follows: the population dies out.
    Extinction,
    /// Nobody dies; the lives table says when each would have died.
    Immortal,
}

/// The `[population]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PopulationConfig {
    /// What follows a death.
    pub policy: PopulationPolicy,
    /// Ticks between a departure and the birth of the successor, at least 1.
    pub succession_delay_ticks: u64,
}

impl Default for PopulationConfig {
    fn default() -> Self {
        Self { policy: PopulationPolicy::Fixed, succession_delay_ticks: 1 }
    }
}

/// One entry of `[[cohorts]]`: golems that share a memory architecture. Cohorts of one world share its market and its luck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cohort {
    /// Name in the tables; letters, digits, `_`, `-`, `+` and `.`.
    pub name: String,
    /// How many golems, 1 to 10,000,000.
    pub golems: u32,
    /// Their memory architecture.
    pub memory: MemoryName,
    /// Whether they dream; left out: as `dream.enabled` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dreams: Option<bool>,
    /// What follows their deaths; left out: as `population.policy` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<PopulationPolicy>,
}

/// Whom a fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultTarget {
    /// The golem that holds a lineage slot: it dies, the run goes on.
    Golem,
    /// The market: the run ends with an error, like for all shared actors.
    Market,
    /// The Curator.
    Curator,
    /// The dream scheduler.
    DreamScheduler,
    /// The broker.
    LlmBroker,
    /// The Lethe.
    StyxLethe,
}

/// One entry of `[[faults]]`: a panic on purpose, to study what a failure does to a population, or to see for oneself that it is
/// contained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// When.
    pub tick: Tick,
    /// Whom it strikes.
    pub target: FaultTarget,
    /// Which lineage slot, when it strikes a golem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<u32>,
}

/// The `[record]` table: what is written besides the tables that always are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecordConfig {
    /// Whether the whole event log is written (`events.parquet`). `inspect` and `verify` can tell less without it.
    pub events: bool,
}

impl Default for RecordConfig {
    fn default() -> Self {
        Self { events: true }
    }
}

/// A scenario: one world and all who live in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Short name; letters, digits, `_`, `-`, `+` and `.`. The run folder is named after it.
    pub name: String,
    /// What it is for, in a sentence or two.
    #[serde(default)]
    pub description: String,
    /// Seed of all luck, 0 to 9,223,372,036,854,775,807. `--seed` overrides it.
    pub seed: u64,
    /// How long it lasts, in ticks, 1 to 1,000,000,000. With replayed prices a tick is a bar.
    pub ticks: u64,
    /// Who lives there.
    pub cohorts: Vec<Cohort>,
    /// The market.
    pub market: MarketConfig,
    /// How golems live and trade.
    #[serde(default)]
    pub golem: GolemConfig,
    /// What they remember with.
    #[serde(default)]
    pub memory: MemoryConfig,
    /// What they die of.
    #[serde(default)]
    pub mortality: MortalityConfig,
    /// What follows their deaths.
    #[serde(default)]
    pub population: PopulationConfig,
    /// What successors get from their predecessors.
    #[serde(default)]
    pub succession: SuccessionConfig,
    /// What they feel.
    #[serde(default)]
    pub daimon: DaimonConfig,
    /// Waking housekeeping of memories.
    #[serde(default)]
    pub curator: CuratorConfig,
    /// Dreams.
    #[serde(default)]
    pub dream: DreamConfig,
    /// Inference.
    #[serde(default)]
    pub llm: LlmConfig,
    /// Where bloodstains are left.
    #[serde(default)]
    pub lethe: LetheConfig,
    /// Siblings that teach each other.
    #[serde(default)]
    pub clade: CladeConfig,
    /// Scents that siblings leave.
    #[serde(default)]
    pub pheromones: PheromoneConfig,
    /// Panics on purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// What is written.
    #[serde(default)]
    pub record: RecordConfig,
}

/// Most golems of a world.
pub const MAX_GOLEMS: u64 = 10_000_000;

impl Scenario {
    /// Reads a scenario from JSON; its values are not checked yet.
    ///
    /// # Errors
    /// When a key is missing or unknown, or a value has the wrong type.
    pub fn from_value(value: serde_json::Value) -> Result<Self, serde_json::Error> {
        serde_json::from_value(value)
    }

    /// Everything about the values that can't be.
    pub fn check(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        let mut top = check.table("");
        top.demand(is_name(&self.name), "name", &self.name, NAME_REMEDY);
        top.whole("seed", self.seed, 0, i64::MAX as u64);
        top.whole("ticks", self.ticks, 1, 1_000_000_000);
        self.check_cohorts(&mut check);
        self.golem.check(&mut check);
        self.memory.check(&mut check);
        self.mortality.check(&mut check);
        self.with_surroundings(|around| {
            Kill::check(&self.mortality.kills, &mut check, around.cohorts, around.lineages);
        });
        check.table("population").whole(
            "succession_delay_ticks",
            self.population.succession_delay_ticks,
            1,
            1_000_000_000,
        );
        self.check_succession(&mut check);
        self.daimon.check(&mut check);
        self.curator.check(&mut check);
        self.dream.check(&mut check);
        self.with_surroundings(|around| self.dream.check_plans(&mut check, around));
        self.llm.check(&mut check);
        self.lethe.check(&mut check);
        self.clade.check(&mut check);
        self.pheromones.check(self.clade.enabled, &mut check);
        self.check_faults(&mut check);
        let mut problems = check.into_problems();
        problems.extend(self.dream.replay.check("dream.replay"));
        problems.extend(self.market.check());
        problems
    }

    /// What names an architecture that a registry doesn't know, or parameters of one.
    pub fn check_memories(&self, memories: &MemoryRegistry) -> Vec<Problem> {
        let known: Vec<String> = memories.names().map(|name| format!("\"{name}\"")).collect();
        let remedy = format!("must be one of {}", known.join(", "));
        let mut check = Checker::default();
        for (index, cohort) in self.cohorts.iter().enumerate() {
            let mut table = check.table(&format!("cohorts.{index}"));
            table.demand(memories.knows(&cohort.memory), "memory", format!("\"{}\"", cohort.memory), &remedy);
        }
        let mut own = check.table("memory.own");
        for name in self.memory.own.keys() {
            let registered = memories.is_own(&MemoryName::from(name.as_str()));
            own.demand(
                registered,
                name,
                "a table",
                "no memory architecture of that name is registered by this program",
            );
        }
        check.into_problems()
    }

    /// Hands over what the plans for dreams refer to.
    pub(super) fn with_surroundings<T>(&self, read: impl FnOnce(Surroundings<'_>) -> T) -> T {
        let symbols: Vec<&str> = self.market.assets.iter().map(|asset| asset.symbol.as_str()).collect();
        let cohorts: Vec<&str> = self.cohorts.iter().map(|cohort| cohort.name.as_str()).collect();
        let lineages = self.cohorts.iter().map(|cohort| u64::from(cohort.golems)).sum();
        let (tick_seconds, symbols, cohorts) = (self.market.tick_seconds, &symbols[..], &cohorts[..]);
        read(Surroundings { tick_seconds, symbols, cohorts, lineages })
    }

    fn check_cohorts(&self, check: &mut Checker) {
        let mut top = check.table("");
        top.demand(!self.cohorts.is_empty(), "cohorts", "[]", "name at least one cohort of golems");
        let total: u64 = self.cohorts.iter().map(|cohort| u64::from(cohort.golems)).sum();
        let few = total <= MAX_GOLEMS;
        top.demand(
            few,
            "cohorts",
            total,
            format!("all cohorts together may have at most {MAX_GOLEMS} golems"),
        );
        top.demand(self.cohorts.len() <= 1_000, "cohorts", self.cohorts.len(), "at most 1000 cohorts");
        for (index, cohort) in self.cohorts.iter().enumerate() {
            let mut table = check.table(&format!("cohorts.{index}"));
            table.demand(is_name(&cohort.name), "name", &cohort.name, NAME_REMEDY);
            let twice = self.cohorts[..index].iter().any(|other| other.name == cohort.name);
            table.demand(!twice, "name", &cohort.name, "another cohort has this name already");
            table.whole("golems", cohort.golems.into(), 1, MAX_GOLEMS);
        }
    }

    /// "Nobody follows" is said in two places, which must agree.
    fn check_succession(&self, check: &mut Checker) {
        self.succession.check(check);
        let followed =
            |cohort: &Cohort| cohort.policy.unwrap_or(self.population.policy) == PopulationPolicy::Fixed;
        let agrees = self.succession.policy != SuccessionPolicy::None || !self.cohorts.iter().any(followed);
        let remedy =
            "nobody follows under \"none\": say population.policy = \"extinction\" too, or \"fresh\" here";
        check.table("succession").demand(agrees, "policy", "none", remedy);
    }

    fn check_faults(&self, check: &mut Checker) {
        let golems: u64 = self.cohorts.iter().map(|cohort| u64::from(cohort.golems)).sum();
        for (index, fault) in self.faults.iter().enumerate() {
            let mut table = check.table(&format!("faults.{index}"));
            match (fault.target, fault.lineage) {
                (FaultTarget::Golem, Some(lineage)) => {
                    table.whole("lineage", lineage.into(), 0, golems.saturating_sub(1));
                }
                (FaultTarget::Golem, None) => {
                    table.demand(false, "lineage", "nothing", "say which lineage slot the fault strikes");
                }
                (_, Some(lineage)) => {
                    table.demand(false, "lineage", lineage, "only golems have a lineage: leave it out");
                }
                (_, None) => {}
            }
        }
    }
}

const NAME_REMEDY: &str =
    "use 1 to 64 letters, digits, '_', '-', '+' or '.', beginning with a letter or digit";

fn is_name(name: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c);
    (1..=64).contains(&name.len())
        && name.chars().all(good)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}
