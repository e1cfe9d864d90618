//! A plan: a scenario whose values are checked, with the foreknowledge of its market that its memories need (validated configuration,
//! "parse, don't validate"). Only a plan can be lived, so no driver meets an invalid value. Foreknowledge takes seconds to work out, so it
//! is worked out once, for cohorts with an oracle's memory and for a branch that asks (`knowing`), and shared by all golems. The rules of a
//! cohort are the scenario's keys with that cohort's exceptions: whether it dreams, whether it is mortal, and the kills and calls that
//! concern it.

use crate::dream::Timetable;
use crate::dream::schedule::{DirectiveConfig, InterruptConfig};
use crate::golem::{Birth, Golem, Outbox, Rules};
use crate::lethe::CladeMap;
use crate::llm::outside::{Outside, OutsideHandle};
use crate::market::truth::TRUTH_TICKS;
use crate::market::{Bar, MarketConfig, MarketError, MarketState, RegimeThresholds, StayTruth, Truth};
use crate::memory::as_read::{FitTo, ForecastAsRead, MIDDLE};
use crate::memory::family::{EmptyError, SharedKeys};
use crate::memory::{Foreknowledge, Knowledge, Memory, MemoryBirth, MemoryKeys, MemoryName, MemoryRegistry};
use crate::phase::phase;
use crate::world::scenario::PopulationPolicy;
use crate::world::service::ServiceKind;
use crate::world::{Fault, FaultTarget, Scenario};
use morta_base::{GolemId, Lineage, Problem, Tick, Usdc, WorldSeed};
use std::sync::Arc;

/// A checked scenario: a validated, immutable configuration with its resources, shared by all golems.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The keys, all checked.
    scenario: Scenario,
    /// By cohort.
    rules: Vec<Rules>,
    /// The first lineage slot of each cohort.
    first_lineage: Vec<Lineage>,
    /// Who belongs to which clade.
    clades: CladeMap,
    /// What oracles know beforehand.
    knowledge: Knowledge,
    /// The architectures that cohorts may name.
    memories: Arc<MemoryRegistry>,
    /// Keys that all memories of the world share.
    shared: SharedKeys,
    /// Names of the assets.
    symbols: Vec<String>,
    /// The port to models outside the simulation, if there is one.
    outside: OutsideHandle,
}

impl Plan {
    /// Checks (validates) a scenario whose memories are the shipped ones, and computes the foreknowledge that they need. `bars` are those
    /// of the replayed assets, empty for synthetic ones.
    ///
    /// # Errors
    /// Every invalid value, with its key.
    pub fn new(scenario: Scenario, bars: &[Vec<Bar>]) -> Result<Self, Vec<Problem>> {
        Self::with_memories(scenario, bars, Arc::default())
    }

    /// Makes a plan of a scenario whose cohorts may name any architecture of a registry, plug-ins among them.
    ///
    /// # Errors
    /// Every invalid value, with its key.
    pub fn with_memories(
        scenario: Scenario,
        bars: &[Vec<Bar>],
        memories: Arc<MemoryRegistry>,
    ) -> Result<Self, Vec<Problem>> {
        let mut problems = scenario.check();
        problems.extend(scenario.check_memories(&memories));
        problems.extend(scenario.check_policy(scenario.memories()));
        if !problems.is_empty() {
            return Err(problems);
        }
        let seed = WorldSeed(scenario.seed);
        let market = MarketState::new(&scenario.market, seed, bars.to_vec()).map_err(on_market)?;
        // Counted from the last bar at which any seed may begin, so that a scenario is valid or not whatever the seed.
        let later = scenario.market.start_within_bars - market.first_bar();
        let available = market.ticks_available().map(|available| available.saturating_sub(later));
        if let Some(available) = available.filter(|available| *available < scenario.ticks) {
            let remedy = format!("the replayed bars last for {available} ticks: ask for no more");
            return Err(vec![Problem::new("ticks", scenario.ticks, remedy)]);
        }
        let mut knowledge = Knowledge::default();
        for cohort in &scenario.cohorts {
            work_out(memories.foreknowledge(&cohort.memory), &scenario, bars, &mut knowledge)?;
        }
        let mut first_lineage = Vec::with_capacity(scenario.cohorts.len());
        let mut next = 0;
        for cohort in &scenario.cohorts {
            first_lineage.push(next);
            next += cohort.golems;
        }
        let golems = scenario.cohorts.iter().map(|cohort| cohort.golems);
        let clades = CladeMap::new(golems, scenario.clade.clade_size());
        let rules = (0..scenario.cohorts.len()).map(|cohort| rules_of(&scenario, cohort, &clades)).collect();
        let symbols: Vec<String> = scenario.market.assets.iter().map(|asset| asset.symbol.clone()).collect();
        let shared = SharedKeys::from_config(&scenario.memory, &scenario.dream.consolidation, &symbols);
        let plan = Self {
            scenario,
            rules,
            first_lineage,
            clades,
            knowledge,
            memories,
            shared,
            symbols,
            outside: OutsideHandle::default(),
        };
        plan.try_memories()?;
        Ok(plan)
    }

    /// Makes one memory for each cohort, so that an architecture that refuses the scenario's keys does so before the first tick.
    fn try_memories(&self) -> Result<(), Vec<Problem>> {
        let mut problems = Vec::new();
        for (cohort, first) in self.scenario.cohorts.iter().zip(&self.first_lineage) {
            let founder = GolemId::founder(*first);
            if let Err(EmptyError::Refused { name, why }) = self.empty_memory(founder, &cohort.memory) {
                problems.push(Problem::new(format!("memory.own.{name}"), "this table", why));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Connects the plan to a port that answers calls from outside the simulation, an LLM client: scenarios whose `llm.mode` isn't
    /// "simulated" need one (dependency injection). Without it the first call fails.
    pub fn connected(mut self, outside: Arc<dyn Outside>) -> Self {
        self.outside = OutsideHandle::new(outside);
        self
    }

    /// The port (model client) that answers calls from outside the simulation, if there is one.
    pub fn outside(&self) -> &OutsideHandle {
        &self.outside
    }

    /// The scenario: the configuration as its file has it, before a plan was made of it.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The foreknowledge that was worked out: ground truth for oracles.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// The master seed, from which all random streams of the world are derived.
    pub fn seed(&self) -> WorldSeed {
        WorldSeed(self.scenario.seed)
    }

    /// The rules of a cohort (treatment arm): the scenario's keys, with whether that cohort dreams, dies, and which kills concern it.
    pub fn rules(&self, cohort: u16) -> &Rules {
        &self.rules[usize::from(cohort)]
    }

    /// Number of lineage slots, the population size.
    pub fn lineages(&self) -> u32 {
        self.scenario.cohorts.iter().map(|cohort| cohort.golems).sum()
    }

    /// The cohort a lineage slot belongs to; slots are numbered cohort by cohort.
    pub fn cohort_of(&self, lineage: Lineage) -> u16 {
        (self.first_lineage.partition_point(|first| *first <= lineage) - 1) as u16
    }

    /// The division (partition) of lineage slots into clades.
    pub fn clades(&self) -> &CladeMap {
        &self.clades
    }

    /// The population policy of a cohort, by which the dead are replaced: its own as an override, with the world's as the fallback.
    pub fn policy(&self, cohort: u16) -> PopulationPolicy {
        self.scenario.cohorts[usize::from(cohort)].policy.unwrap_or(self.scenario.population.policy)
    }

    /// Makes (spawns) a golem with the memory of its cohort, and writes its birth to the outbox.
    pub fn born(&self, birth: Birth, out: &mut Outbox) -> Golem {
        phase!("births");
        let rules = self.rules(birth.cohort);
        let memory = self.memory(birth.id, birth.cohort);
        Golem::born(birth, memory, self.seed(), rules, out)
    }

    fn memory(&self, golem: GolemId, cohort: u16) -> Memory {
        let name = &self.scenario.cohorts[usize::from(cohort)].memory;
        self.empty_memory(golem, name).expect("a plan has made one memory of every cohort already")
    }

    /// The registry of architectures (plug-ins among them) that it may name.
    pub fn memories(&self) -> &MemoryRegistry {
        &self.memories
    }

    /// Makes an empty memory of an architecture, shipped or registered (plug-in), for one golem.
    ///
    /// # Errors
    /// When there is no such architecture, or it refuses the scenario's keys.
    ///
    /// # Panics
    /// When it is an oracle's and the plan doesn't know the truth ([`Plan::knowing`]).
    pub fn empty_memory(&self, golem: GolemId, name: &MemoryName) -> Result<Memory, EmptyError> {
        let Scenario { golem: rules, market, .. } = &self.scenario;
        let keys = self.memory_keys();
        let birth = MemoryBirth {
            golem,
            seed: self.seed(),
            name: name.as_str(),
            own: keys.own(name),
            embedding_dimensions: market.embedding_dimensions,
            tick_seconds: f64::from(market.tick_seconds),
            endowment_usdc: rules.endowment_usdc,
            risk_per_trade: rules.risk_per_trade,
            max_position_share: rules.max_position_share,
            symbols: &self.symbols,
        };
        self.memories.empty(&birth, &keys)
    }

    /// The keys that memories hold, with the foreknowledge of those that may have it; a newborn memory gets both injected.
    pub(crate) fn memory_keys(&self) -> MemoryKeys<'_> {
        MemoryKeys { memory: &self.scenario.memory, knowledge: &self.knowledge, shared: &self.shared }
    }

    /// Computes the foreknowledge of some memory, unless the plan has it (idempotent); `bars` are those it was made with. A branch calls it before it gives a golem an
    /// oracle's memory.
    ///
    /// # Errors
    /// When it can't be worked out.
    pub fn knowing(mut self, needed: Foreknowledge, bars: &[Vec<Bar>]) -> Result<Self, Vec<Problem>> {
        work_out(needed, &self.scenario, bars, &mut self.knowledge)?;
        Ok(self)
    }

    /// Adds calls of the owner (interventions) to the plan: directives to dream, and calls that wake. At a barrier, a world that goes on by
    /// it lives as one whose scenario had planned them.
    pub fn with_calls(
        mut self,
        directives: impl IntoIterator<Item = DirectiveConfig>,
        interrupts: impl IntoIterator<Item = InterruptConfig>,
    ) -> Self {
        self.scenario.dream.directives.extend(directives);
        self.scenario.dream.interrupts.extend(interrupts);
        let cohorts = 0..self.scenario.cohorts.len();
        self.rules = cohorts.map(|cohort| rules_of(&self.scenario, cohort, &self.clades)).collect();
        self
    }

    /// Whether a planned fault (fault injection) strikes this lineage slot at this tick.
    pub fn golem_fault(&self, lineage: Lineage, tick: Tick) -> bool {
        self.scenario.faults.iter().any(|fault| {
            fault.target == FaultTarget::Golem && fault.tick == tick && fault.lineage == Some(lineage)
        })
    }

    /// Whether a planned fault (fault injection) strikes a shared service at this tick. The service is then called even without letters.
    pub(crate) fn service_fault(&self, service: ServiceKind, tick: Tick) -> bool {
        let strikes = |fault: &Fault| fault.target == service.fault_target() && fault.tick == tick;
        self.scenario.faults.iter().any(strikes)
    }
}

fn on_market(error: MarketError) -> Vec<Problem> {
    vec![Problem::new("market.assets", "the data", error.to_string())]
}

/// Works out foreknowledge, unless it is known already.
fn work_out(
    needed: Foreknowledge,
    scenario: &Scenario,
    bars: &[Vec<Bar>],
    known: &mut Knowledge,
) -> Result<(), Vec<Problem>> {
    let golem = &scenario.golem;
    let stake = Usdc::from_dollars(golem.endowment_usdc).scaled(golem.max_position_share);
    let seed = WorldSeed(scenario.seed);
    // The truth of a recording is that of the whole recording: a world begins at a bar of its own, and one stretch has too few trades.
    let market = MarketConfig { start_within_bars: 0, start_every_bars: 0, ..scenario.market.clone() };
    let laws = if market.drift.is_on() { market.drift.names().len() } else { 1 };
    // One table for each law: a mean over laws would be true in none of their eras.
    let laws: Vec<MarketConfig> = (0..laws).map(|law| market.under_law(law)).collect();
    let staying = |thresholds: Option<RegimeThresholds>| {
        let review_ticks = golem.holding.review_ticks;
        let under = |law: &MarketConfig| {
            StayTruth::estimate(law, seed, bars.to_vec(), TRUTH_TICKS, review_ticks, thresholds)
        };
        let known =
            (review_ticks > 0).then(|| laws.iter().map(under).collect::<Result<_, _>>().map(Arc::new));
        known.transpose().map_err(on_market)
    };
    match needed {
        Foreknowledge::Truth if known.truth.is_none() => {
            let under = |law| Truth::estimate(law, seed, bars, stake, TRUTH_TICKS).map_err(on_market);
            known.truth = Some(Arc::new(laws.iter().map(under).collect::<Result<_, _>>()?));
            known.staying = staying(None)?;
        }
        Foreknowledge::AsRead if known.as_read.is_none() => {
            // The walk is divided among the laws, so that a scenario with drift costs no more time to plan than one without.
            let ticks = scenario.memory.oracle_as_read.walk_ticks / laws.len() as u64;
            let under = |market| {
                let to = FitTo { market, seed, bars, stake, ticks };
                ForecastAsRead::fit(to).map_err(on_market)
            };
            known.as_read = Some(Arc::new(laws.iter().map(under).collect::<Result<_, _>>()?));
            known.staying_as_read = staying(Some(MIDDLE))?;
        }
        Foreknowledge::Nothing | Foreknowledge::Truth | Foreknowledge::AsRead => {}
    }
    Ok(())
}

fn rules_of(scenario: &Scenario, cohort: usize, clades: &CladeMap) -> Rules {
    let entry = &scenario.cohorts[cohort];
    let timetable = scenario.with_surroundings(|around| Timetable::new(&scenario.dream, &entry.name, around));
    let mut dream = scenario.dream.clone();
    dream.enabled = entry.dreams.unwrap_or(dream.enabled);
    let mut mortality = scenario.mortality.clone();
    // Kills of other cohorts are left out here, because golems know their cohort by its index and not by its name.
    mortality.kills.retain(|kill| kill.concerns(&entry.name));
    Rules {
        golem: scenario.golem.clone(),
        mortality,
        daimon: scenario.daimon.clone(),
        curator: scenario.curator.clone(),
        dream,
        timetable,
        llm: scenario.llm.clone(),
        lethe: scenario.lethe.clone(),
        clade: scenario.clade.clone(),
        pheromones: scenario.pheromones.clone(),
        clades: clades.clone(),
        succession: scenario.succession.clone(),
        tick_seconds: f64::from(scenario.market.tick_seconds),
        mortal: entry.policy.unwrap_or(scenario.population.policy) != PopulationPolicy::Immortal,
    }
}
