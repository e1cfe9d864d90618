//! The census: the living, and births that are due (agent register, population management). Births and deaths move money between treasury
//! and purses, in whole micro-dollars, and the tick's accounts are checked here. Ids are sorted, so that the order of births depends on
//! nothing else. A successor is due one tick after a death, that of a killed immortal too; under "extinction" or without succession there
//! is none. A sum other than zero stops a debug build; a release build writes it into the tick's event and goes on.

use crate::event::{Event, EventKind, TickRecord};
use crate::golem::{Birth, Departure, Outbox};
use crate::market::MarketLedger;
use crate::memory::SuccessionPolicy;
use crate::phase::phase;
use crate::world::ledger::Ledger;
use crate::world::scenario::PopulationPolicy;
use crate::world::{Plan, TickContext};
use morta_base::{GolemId, Lineage, Tick, Usdc};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Ticks between a departure and the birth of the successor. Our choice: the next tick, so that a population keeps its size. No consequence was found of up
/// to 24 (`scenarios/sensitivity/knobs.toml`).
const SUCCESSION_DELAY: Tick = 1;

/// The register of births and deaths: an agent register with its spawn queue, and the ledger of the money that they move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Census {
    /// Planned births, by the tick at which they are due.
    due: BTreeMap<Tick, Vec<Birth>>,
    /// The living.
    living: BTreeSet<GolemId>,
    /// Births so far.
    born: u64,
    /// Deaths so far.
    died: u64,
    /// Trades closed so far.
    trades: u64,
    /// The accounts of all money.
    ledger: Ledger,
}

/// Facts of a barrier that services report and the census needs: figures for the balance check (accounting), and the number of bloodstains
/// for the record.
#[derive(Clone, Copy, Debug)]
pub struct BarrierFacts {
    /// The market's accounts.
    pub market: MarketLedger,
    /// Money that answers carry to golems.
    pub in_flight: Usdc,
    /// Bloodstains in the Lethe.
    pub bloodstains: u32,
}

impl Census {
    /// Makes an empty population; the founders are due at tick 0, one for each lineage slot.
    pub fn new(plan: &Plan) -> Self {
        let endowment = Usdc::from_dollars(plan.scenario().golem.endowment_usdc);
        let founder = |lineage: Lineage| Birth {
            id: GolemId::founder(lineage),
            cohort: plan.cohort_of(lineage),
            parent: None,
            born: 0,
            endowment,
            legacy: None,
        };
        Self {
            due: BTreeMap::from([(0, (0..plan.lineages()).map(founder).collect())]),
            living: BTreeSet::new(),
            born: 0,
            died: 0,
            trades: 0,
            ledger: Ledger::default(),
        }
    }

    /// Takes out the births of a tick, in the order of ids. Their endowments leave the treasury.
    pub fn births(&mut self, tick: Tick) -> Vec<Birth> {
        let mut births = self.due.remove(&tick).unwrap_or_default();
        // With one delay for all, those due at a tick died in one tick and are in order already. Under a delay that varied, deaths of
        // several ticks would fall due together, in the order of the deaths.
        births.sort_by_key(|birth| birth.id);
        for birth in &births {
            self.ledger.endow(birth.endowment);
            self.living.insert(birth.id);
        }
        self.born += births.len() as u64;
        births
    }

    /// Whether any golem lives or is due to be born: an extinction test, negated.
    pub(crate) fn has_future(&self) -> bool {
        !self.living.is_empty() || !self.due.is_empty()
    }

    /// The live population: the living, in the order of ids.
    pub fn living(&self) -> &BTreeSet<GolemId> {
        &self.living
    }

    /// Whether every tick's accounts added up: the conservation invariant, which runs and sweeps report.
    pub fn money_conserved(&self) -> bool {
        self.ledger.is_conserved()
    }

    /// Ends a tick: removes the departed and plans their successors, books all money, and returns the event that closes the tick. Every
    /// departure must be of a living golem.
    pub fn close(
        &mut self,
        tick: Tick,
        out: &Outbox,
        facts: BarrierFacts,
        now: &TickContext,
        plan: &Plan,
    ) -> Event {
        phase!("census");
        for departure in &out.departures {
            let known = self.living.remove(&departure.golem);
            assert!(known, "only the living depart");
            self.died += 1;
            self.ledger.inherit(departure.estate);
            self.plan_successor(tick, departure, plan);
        }
        self.trades += u64::from(out.totals.trades);
        let ledger_sum = self.ledger.close(out, &facts.market, facts.in_flight);
        // A release build goes on and records the sum instead, so that one leak doesn't cost the results of a long run.
        debug_assert!(ledger_sum == Usdc::ZERO, "money is conserved: {ledger_sum} at tick {tick}");
        let (fitness_mean, vitality_mean) = out.totals.condition.means();
        let sinks = self.ledger.sinks();
        let record = TickRecord {
            time_s: now.view.time_s,
            alive: self.living.len() as u32,
            dreaming: out.totals.dreaming,
            fitness_mean,
            vitality_mean,
            born: self.born,
            died: self.died,
            trades: self.trades,
            bloodstains: facts.bloodstains,
            purses: self.ledger.purses(),
            compute_paid: sinks.compute,
            inference_paid: sinks.inference,
            gas_paid: facts.market.gas_collected,
            lethe_paid: sinks.lethe,
            ledger_sum,
            gas: now.view.gas,
            price: now.view.assets[0].pool_price,
            true_regime: now.true_regimes[0],
        };
        Event { tick, golem: None, kind: EventKind::TickClosed(Box::new(record)) }
    }

    /// Plans the birth of a successor, if the policies want one. It has its predecessor's slot; its traits and legacy are a matter of policy.
    /// A legacy is planned with it, so that it waits for the birth and can't be drawn by others.
    fn plan_successor(&mut self, tick: Tick, departure: &Departure, plan: &Plan) {
        let cohort = plan.cohort_of(departure.golem.lineage);
        let policy = plan.scenario().succession.policy;
        if plan.policy(cohort) == PopulationPolicy::Extinction || policy == SuccessionPolicy::None {
            return;
        }
        let born = tick + SUCCESSION_DELAY;
        let endowment = Usdc::from_dollars(plan.scenario().golem.endowment_usdc);
        let continues = policy == SuccessionPolicy::Continue;
        let birth = Birth {
            id: departure.golem.successor(),
            cohort,
            parent: continues.then_some((departure.golem, departure.genome)),
            born,
            endowment,
            legacy: departure.legacy.clone(),
        };
        self.due.entry(born).or_default().push(birth);
    }
}
