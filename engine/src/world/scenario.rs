//! The scenario, as its file has it, and the checks that concern several tables at once. Units and ranges are declared with each key. It is
//! the root configuration (experiment specification) with cross-field validation. Population policies are the replacement rules of an
//! agent-based model (fixed size, extinction, immortality as a control); cohorts are experiment arms (treatment arm, treatment group);
//! faults are fault injection (chaos engineering); recording chooses what the event log holds (log verbosity). One file holds all keys and
//! the seed, so that a run can be repeated from it and the data files that it names. Defaults give way to the file, that to `--set`, and
//! that to `--seed` and `--ticks`. Values out of range are refused together, with a remedy each, when a plan is made; unknown keys are
//! refused when the file is read. Population policies decide population dynamics. Recording chooses the output tables, too.

use crate::curator::CuratorConfig;
use crate::daimon::DaimonConfig;
use crate::dream::DreamConfig;
use crate::dream::schedule::timetable::TimetableSurroundings;
use crate::golem::GolemConfig;
use crate::lethe::{CladeConfig, LetheConfig, PheromoneConfig};
use crate::llm::LlmConfig;
use crate::market::MarketConfig;
use crate::memory::config::MemoryConfig;
use crate::memory::{MemoryName, MemoryRegistry, SuccessionConfig, SuccessionPolicy};
use crate::mortality::{Kill, MortalityConfig};
use morta_base::keys;
use morta_base::keys::Keys;
use morta_base::{Problem, TableChecker, Tick};

morta_base::words! {
    /// What follows a death.
    #[derive(Default)]
    pub enum PopulationPolicy: Key {
        /// Every death is succeeded: the population keeps its size.
        #[default]
        Fixed = "fixed",
        /// Nobody follows: the population dies out.
        Extinction = "extinction",
        /// Nobody dies; the lives table says when each would have died.
        Immortal = "immortal",
    }
}

keys! {
    /// The `[population]` table.
    pub struct PopulationConfig {
        /// What follows a death.
        policy: PopulationPolicy = PopulationPolicy::Fixed;
    }
}

keys! {
    /// One entry of `[[cohorts]]`: golems that share a memory architecture. Cohorts of one world share its market and
    /// its luck.
    pub struct Cohort {
        /// Name in the tables; letters (A to Z, a to z), digits, `_`, `-`, `+` and `.`.
        name: String;
        /// How many golems.
        golems: u32, in 1..=MAX_GOLEMS as u32, "golems";
        /// Their memory architecture.
        memory: MemoryName;
        /// Whether they dream; left out: as `dream.enabled` says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dreams: Option<bool>;
        /// What follows their deaths; left out: as `population.policy` says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policy: Option<PopulationPolicy>;
    }
}

morta_base::words! {
    /// Whom a fault strikes.
    pub enum FaultTarget: Key {
        /// The golem that holds a lineage slot: it dies, the run goes on.
        Golem = "golem",
        /// The market: the run ends with an error, like for all shared actors.
        Market = "market",
        /// The Curator.
        Curator = "curator",
        /// The dream scheduler.
        DreamScheduler = "dream_scheduler",
        /// The broker.
        LlmBroker = "llm_broker",
        /// The Lethe.
        StyxLethe = "styx_lethe",
    }
}

keys! {
    /// One entry of `[[faults]]`: a panic on purpose, to study what a failure does to a population, or to see for
    /// oneself that it is contained.
    #[derive(Eq)]
    pub struct Fault {
        /// When.
        tick: Tick, in 0.., "ticks";
        /// Whom it strikes.
        target: FaultTarget;
        /// Which lineage slot, when it strikes a golem.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lineage: Option<u32>, in 0.., "slot";
    }
}

keys! {
    /// The `[record]` table: what is written besides the tables that always are.
    #[derive(Eq)]
    pub struct RecordConfig {
        /// Whether the whole event log is written (`events.parquet`). `inspect` and `verify` can tell less without it.
        events: bool = true;
    }
}

keys! {
    /// A scenario: one world and all who live in it.
    pub struct Scenario {
        /// Short name; letters (A to Z, a to z), digits, `_`, `-`, `+` and `.`. The run folder is named after it.
        name: String;
        /// What it is for, in a sentence or two.
        #[serde(default)]
        description: String;
        /// Seed of all luck. `--seed` overrides it.
        seed: u64, in 0..=i64::MAX as u64, "seed";
        /// How long it lasts, in ticks. With replayed prices a tick is a bar.
        ticks: u64, in 1..=1_000_000_000, "ticks";
        /// Who lives there.
        cohorts: Vec<Cohort>, len 1..=1_000;
        /// The market.
        market: MarketConfig;
        /// How golems live and trade.
        #[serde(default)]
        golem: GolemConfig;
        /// What they remember with.
        #[serde(default)]
        memory: MemoryConfig;
        /// What they die of.
        #[serde(default)]
        mortality: MortalityConfig;
        /// What follows their deaths.
        #[serde(default)]
        population: PopulationConfig;
        /// What successors get from their predecessors.
        #[serde(default)]
        succession: SuccessionConfig;
        /// What they feel.
        #[serde(default)]
        daimon: DaimonConfig;
        /// Waking housekeeping of memories.
        #[serde(default)]
        curator: CuratorConfig;
        /// Dreams.
        #[serde(default)]
        dream: DreamConfig;
        /// Inference.
        #[serde(default)]
        llm: LlmConfig;
        /// Where bloodstains are left.
        #[serde(default)]
        lethe: LetheConfig;
        /// Siblings that teach each other.
        #[serde(default)]
        clade: CladeConfig;
        /// Scents that siblings leave.
        #[serde(default)]
        pheromones: PheromoneConfig;
        /// Panics on purpose.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        faults: Vec<Fault>, len 0..=usize::MAX;
        /// What is written.
        #[serde(default)]
        record: RecordConfig;
    }
    also fits_together;
}

/// Most golems of a world; our choice: at some kilobytes each, tens of gigabytes.
pub(crate) const MAX_GOLEMS: u64 = 10_000_000;

impl Scenario {
    /// Parses (deserialises) a scenario from JSON; its values are not checked yet.
    ///
    /// # Errors
    /// When a key is missing or unknown, or a value has the wrong type.
    pub fn from_value(value: serde_json::Value) -> Result<Self, serde_json::Error> {
        serde_json::from_value(value)
    }

    /// Validates the configuration: lists every invalid value, with its key and a remedy, but those of the memory registry
    /// (`check_memories`) and of the fixed policy (`check_policy`).
    pub fn check(&self) -> Vec<Problem> {
        self.problems("")
    }

    fn fits_together(&self, table: &mut TableChecker<'_>) {
        table.demand(is_name(&self.name), "name", &self.name, NAME_REMEDY);
        self.check_cohorts(table);
        self.check_succession(table);
        self.with_surroundings(|around| {
            Kill::check(
                &self.mortality.kills,
                &mut table.table("mortality"),
                around.cohorts,
                around.lineages,
            );
            self.dream.check_plans(&mut table.table("dream"), around);
        });
        self.pheromones.check_siblings(self.clade.enabled, &mut table.table("pheromones"));
        self.check_faults(table);
    }

    /// Lists problems of keys that name an architecture, or parameters of one, that a registry doesn't know (plug-ins).
    pub fn check_memories(&self, memories: &MemoryRegistry) -> Vec<Problem> {
        let known: Vec<String> = memories.names().map(|name| format!("\"{name}\"")).collect();
        let remedy = format!("must be one of {}", known.join(", "));
        let mut check = morta_base::Checker::default();
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

    /// Checks the fixed policy (fitted baseline) and lists its problems, if any of these memories trades by it: it is missing, or was
    /// fitted to another market.
    pub fn check_policy<'a>(&self, mut memories: impl Iterator<Item = &'a MemoryName>) -> Vec<Problem> {
        let mut check = morta_base::Checker::default();
        if memories.any(|memory| *memory == MemoryName::CONSTANT) {
            self.memory.constant.check_against(&self.market, &mut check.table("memory.constant"));
        }
        check.into_problems()
    }

    /// Iterates over the memories of the cohorts (treatment arms), one each.
    pub fn memories(&self) -> impl Iterator<Item = &MemoryName> {
        self.cohorts.iter().map(|cohort| &cohort.memory)
    }

    /// Hands over the symbols, cohorts and slots that the plans for dreams refer to, to check these plans and to make a cohort's timetable.
    pub(super) fn with_surroundings<T>(&self, read: impl FnOnce(TimetableSurroundings<'_>) -> T) -> T {
        let symbols: Vec<&str> = self.market.assets.iter().map(|asset| asset.symbol.as_str()).collect();
        let cohorts: Vec<&str> = self.cohorts.iter().map(|cohort| cohort.name.as_str()).collect();
        let lineages = self.golems();
        let (tick_seconds, symbols, cohorts) = (self.market.tick_seconds, &symbols[..], &cohorts[..]);
        read(TimetableSurroundings { tick_seconds, symbols, cohorts, lineages })
    }

    fn check_cohorts(&self, table: &mut TableChecker<'_>) {
        let total = self.golems();
        let remedy = || format!("all cohorts together may have at most {MAX_GOLEMS} golems");
        table.demand_else(total <= MAX_GOLEMS, "cohorts", total, remedy);
        for (index, cohort) in self.cohorts.iter().enumerate() {
            let mut table = table.table(&format!("cohorts.{index}"));
            table.demand(is_name(&cohort.name), "name", &cohort.name, NAME_REMEDY);
            let twice = self.cohorts[..index].iter().any(|other| other.name == cohort.name);
            table.demand(!twice, "name", &cohort.name, "another cohort has this name already");
        }
    }

    fn golems(&self) -> u64 {
        self.cohorts.iter().map(|cohort| u64::from(cohort.golems)).sum()
    }

    /// Checks that the two keys by which deaths have no successors agree.
    fn check_succession(&self, table: &mut TableChecker<'_>) {
        let followed =
            |cohort: &Cohort| cohort.policy.unwrap_or(self.population.policy) == PopulationPolicy::Fixed;
        let agrees = self.succession.policy != SuccessionPolicy::None || !self.cohorts.iter().any(followed);
        let remedy =
            "nobody follows under \"none\": say population.policy = \"extinction\" too, or \"fresh\" here";
        table.table("succession").demand(agrees, "policy", "none", remedy);
    }

    fn check_faults(&self, table: &mut TableChecker<'_>) {
        for (index, fault) in self.faults.iter().enumerate() {
            let mut table = table.table(&format!("faults.{index}"));
            match (fault.target, fault.lineage) {
                (FaultTarget::Golem, Some(lineage)) => table.slot("lineage", lineage, self.golems()),
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
    "use 1 to 64 letters (A to Z, a to z), digits, '_', '-', '+' or '.', beginning with a letter or digit";

fn is_name(name: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c);
    (1..=64).contains(&name.len())
        && name.chars().all(good)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}
