//! The shared services as the barrier sees them: letters in, answers and events out. An actor's handler, and the plain
//! loop, call exactly these.

use crate::base::{LetterId, Tick, Usdc, WorldSeed};
use crate::curator::{CuratorConfig, CuratorRequest, curate};
use crate::event::{Event, EventKind};
use crate::golem::Answer;
use crate::lethe::{BloodstainStore, Lethe, LetheQuery, StoreError, Testament};
use crate::market::{MarketLedger, MarketState, MarketView, Order, Regime};
use crate::mortality::Observed;
use crate::mortality::epistemic::Observer;
use serde::{Deserialize, Serialize};

pub use crate::llm::Broker;

/// What every golem is told of a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TickContext {
    /// What can be seen of the market.
    pub view: MarketView,
    /// What came true in the five domains of prediction.
    pub observed: Observed,
    /// True regimes by asset; only the oracle looks.
    pub true_regimes: Vec<Regime>,
}

/// What the market hands back at the barrier.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketReport {
    /// Fills and refusals, in letter order.
    pub answers: Vec<(LetterId, Answer)>,
    /// Shocks that began.
    pub events: Vec<Event>,
    /// Where the market's money is now.
    pub ledger: MarketLedger,
    /// The next tick.
    pub next: TickContext,
}

/// The market with what is read off it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MarketDesk {
    state: MarketState,
    observer: Observer,
}

impl MarketDesk {
    /// Opens the market at tick 0.
    pub fn open(state: MarketState) -> (Self, TickContext, MarketLedger) {
        let mut desk = Self { state, observer: Observer::default() };
        let context = desk.context();
        let ledger = desk.state.ledger();
        (desk, context, ledger)
    }

    fn context(&mut self) -> TickContext {
        let view = self.state.view().clone();
        let regime = |asset| self.state.true_regime(asset).expect("every asset of the view is known");
        let true_regimes = (0..view.assets.len() as u8).map(regime).collect();
        TickContext { observed: self.observer.observe(&view), true_regimes, view }
    }

    /// Executes a tick's orders and moves to the next tick.
    pub fn step(&mut self, now: Tick, orders: &[(LetterId, Order)]) -> MarketReport {
        let step = self.state.step(orders);
        let filled = step.fills.into_iter().map(|(letter, fill)| (letter, Answer::Filled(fill)));
        let refused = step.refusals.into_iter().map(|(letter, reason)| {
            let index = orders.binary_search_by_key(&letter, |(id, _)| *id).expect("it answers an order");
            (letter, Answer::OrderRefused { order: orders[index].1, reason })
        });
        let mut answers: Vec<(LetterId, Answer)> = filled.chain(refused).collect();
        answers.sort_by_key(|(letter, _)| *letter);
        let event = |shock| Event { tick: now, golem: None, kind: EventKind::ShockStarted(shock) };
        let events = step.shocks_started.into_iter().map(event).collect();
        MarketReport { answers, events, ledger: self.state.ledger(), next: self.context() }
    }
}

/// What any other service hands back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceReport {
    /// Answers, in letter order.
    pub answers: Vec<(LetterId, Answer)>,
}

/// The Curator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CuratorDesk {
    config: CuratorConfig,
}

impl CuratorDesk {
    /// A Curator that works by these keys.
    pub fn new(config: CuratorConfig) -> Self {
        Self { config }
    }

    /// Goes through what was handed in.
    pub fn step(&self, requests: &[(LetterId, CuratorRequest)]) -> ServiceReport {
        let answer =
            |(letter, request): &(LetterId, _)| (*letter, Answer::Curated(curate(request, &self.config)));
        ServiceReport { answers: requests.iter().map(answer).collect() }
    }
}

/// The Lethe over a store.
#[derive(Clone, Debug)]
pub struct LetheDesk<S> {
    lethe: Lethe,
    store: S,
}

impl<S: BloodstainStore> LetheDesk<S> {
    /// An empty Lethe over an empty store.
    pub fn new(lethe: Lethe, store: S) -> Self {
        Self { lethe, store }
    }

    /// How many bloodstains it holds.
    pub fn len(&self) -> u32 {
        self.lethe.len() as u32
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.lethe.is_empty()
    }

    /// The store.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    /// Answers the newborn first, then takes in what the dead left: nobody draws a bloodstain in the tick it is left.
    ///
    /// # Errors
    /// When the store fails.
    pub fn step(
        &mut self,
        now: Tick,
        draws: &[(LetterId, LetheQuery)],
        testaments: Vec<(LetterId, Testament)>,
    ) -> Result<ServiceReport, StoreError> {
        let mut report = ServiceReport::default();
        for (letter, query) in draws {
            let drawn = self.lethe.draw(now, query, &self.store)?;
            report.answers.push((*letter, Answer::Drawn(drawn)));
        }
        for (_, testament) in testaments {
            self.lethe.deposit(now, testament, &mut self.store)?;
        }
        Ok(report)
    }
}

/// Money that answers carry to golems.
pub fn in_flight(answers: &[(LetterId, Answer)]) -> Usdc {
    answers.iter().map(|(_, answer)| answer.money_in_flight()).sum()
}

/// An empty Lethe for a world.
pub fn new_lethe(config: crate::lethe::LetheConfig, seed: WorldSeed, tick_seconds: u32) -> Lethe {
    Lethe::new(config, seed, f64::from(tick_seconds))
}
