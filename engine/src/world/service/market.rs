//! The market as a service: orders in; fills, refusals, events of shocks, laws and crises, and the next tick's prices out. It is the
//! adapter of the market simulator to the service interface; prices are in dollars a unit. Orders of a tick are filled before prices move
//! on. The adapter is apart so that the market needs to know nothing of barriers.

use super::{MarketMove, Service, ServiceFailure, ServiceKind, ServiceReport};
use crate::event::{Event, EventKind};
use crate::golem::Answer;
use crate::market::{Bar, MarketConfig, MarketState, MarketView, Order};
use crate::mortality::epistemic::Observer;
use crate::phase::phase;
use crate::world::TickContext;
use morta_base::{LetterId, Tick, WorldSeed};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The market (environment server), with the observer that reads the classes of predictions from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MarketService {
    /// The simulated market.
    state: MarketState,
    /// Reads the classes of the five domains of prediction off each view.
    observer: Observer,
}

impl MarketService {
    /// Opens the market at tick 0 (environment reset), and returns the context of that tick.
    pub fn open(state: MarketState) -> (Self, TickContext) {
        let mut market = Self { state, observer: Observer::default() };
        let context = market.context();
        (market, context)
    }

    /// The master seed of its world, by which a checkpoint is recognised.
    pub fn seed(&self) -> WorldSeed {
        self.state.seed()
    }

    /// Gives a market that was deserialised its bars back (reattach the price data after a restore); false when they aren't the same.
    pub fn rebind(&mut self, bars: Vec<Vec<Bar>>) -> bool {
        self.state.rebind_bars(bars).is_ok()
    }

    /// Gives a market under way other keys (a hot reload), and returns the view of the current tick under them.
    pub fn rebind_keys(&mut self, config: &MarketConfig) -> MarketView {
        self.state.rebind_keys(config);
        self.state.view().clone()
    }

    fn context(&mut self) -> TickContext {
        let view = self.state.view().clone();
        let regime = |asset| self.state.true_regime(asset).expect("every asset of the view is known");
        let true_regimes = (0..view.assets.len() as u8).map(regime).collect();
        let pheromones = Arc::default();
        let law = self.state.law_in_force();
        TickContext { observed: self.observer.observe(&view), true_regimes, law, pheromones, view }
    }

    /// Moves to the next tick without orders, and returns its context. A price taker's market moves the same way with any orders.
    pub(in crate::world) fn advance_untraded(&mut self) -> TickContext {
        self.state.step(&[]);
        self.context()
    }
}

impl Service for MarketService {
    const KIND: ServiceKind = ServiceKind::Market;
    type Letters = Vec<(LetterId, Order)>;

    /// Executes a tick's orders and moves to the next tick.
    fn serve(&mut self, now: Tick, orders: Self::Letters) -> Result<ServiceReport, ServiceFailure> {
        phase!("market");
        let step = self.state.step(&orders);
        let filled = step.fills.into_iter().map(|(letter, fill)| (letter, Answer::Filled(fill)));
        let refused = step.refusals.into_iter().map(|(letter, reason)| {
            let index = orders.binary_search_by_key(&letter, |(id, _)| *id).expect("it answers an order");
            (letter, Answer::OrderRefused { order: orders[index].1, reason })
        });
        let mut answers: Vec<(LetterId, Answer)> = filled.chain(refused).collect();
        // The market separates fills from refusals; an inbox gets both in letter order, like the answers of every service.
        answers.sort_by_key(|(letter, _)| *letter);
        let shocks = step.shocks_started.into_iter().map(EventKind::ShockStarted);
        let laws = step.laws_changed.into_iter().map(EventKind::LawChanged);
        let kinds = shocks.chain(laws).chain(step.crises.into_iter().map(EventKind::CrisisTurned));
        let events = kinds.map(|kind| Event { tick: now, golem: None, kind }).collect();
        let moved = MarketMove { ledger: self.state.ledger(), next: self.context() };
        Ok(ServiceReport { answers, events, market: Some(Box::new(moved)), ..ServiceReport::default() })
    }

    /// Always: prices move without orders, too.
    fn has_work(&self) -> bool {
        true
    }
}
