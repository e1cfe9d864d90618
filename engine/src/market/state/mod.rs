//! The whole market: its assets, its accounts, its view, and its step from tick to tick (the environment of the agents, a discrete-time
//! simulation).
//!
//! Money is in whole micro-dollars, prices in dollars a unit, time in ticks and seconds since 1970. A step executes the tick's orders in
//! the order given, then moves everything else on, so an order trades at the pool that the golem saw, moved by earlier orders of the tick
//! (where `impact` is "price_taker", at the view, which no order moves). All randomness comes from the seed by purpose, asset and step, so
//! that a step is a pure function of state and orders and a checkpoint goes on to the bit. The market service calls `step` once a barrier,
//! with the orders sorted by letter; truth tables and memories that are fitted before a run (`constant` and as-read ones among others) step
//! markets of their own, without orders. So does the lookahead of actors, on a copy of a price-taking market.

mod make;

pub use make::MarketError;

use crate::market::asset::{Asset, Surroundings};
use crate::market::drift::{Drift, LawChange, LawInForce};
use crate::market::execute::{OrderRefusal, execute, fill_price_taker};
use crate::market::gas::Gas;
use crate::market::reference::Reference;
use crate::market::replayed::ReplayedPrice;
use crate::market::shock::Shocks;
use crate::market::{
    AssetIndex, Bar, CrisisEvent, Fill, Impact, MarketConfig, MarketLedger, MarketView, Order, OrderKind,
    PositionSide, Quantity, Regime, Session, ShockEvent,
};
use morta_base::{LetterId, Tick, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};

/// The result of one step of the market: execution reports, and the market events that began with the next tick. It is the response of a
/// simulated exchange to one batch of orders.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarketStep {
    /// Orders executed, in the order given.
    pub fills: Vec<(LetterId, Fill)>,
    /// Orders refused, in the order given.
    pub refusals: Vec<(LetterId, OrderRefusal)>,
    /// Shocks first felt at the new tick (or at tick 0, with the first step). Chance shocks that began in the
    /// warm-up are felt but not reported.
    pub shocks_started: Vec<ShockEvent>,
    /// The laws whose eras begin with the new tick (or with tick 0, at the first step), in the order of time.
    pub laws_changed: Vec<LawChange>,
    /// Stages of crises that begin at the new tick (or at tick 0, with the first step).
    pub crises: Vec<CrisisEvent>,
}

/// Shocks, laws and crises that begin with a tick.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Started {
    shocks: Vec<ShockEvent>,
    law: Option<LawChange>,
    crisis: Option<CrisisEvent>,
}

/// The market of one world: a simulated exchange, and an environment in the sense of reinforcement learning. Checkpoints hold it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MarketState {
    seed: WorldSeed,
    impact: Impact,
    start_time_s: i64,
    tick_seconds: u32,
    warmup_ticks: u32,
    /// Recorded bars before the first that is used.
    first_bar: u64,
    symbols: Vec<String>,
    /// Ticks lived, the warm-up's included: what keys the random streams.
    step: u64,
    assets: Vec<Asset>,
    gas: Gas,
    shocks: Shocks,
    /// `None` where the law never changes.
    drift: Option<Box<Drift>>,
    /// Events of tick 0, reported with the first step: a market is made before anything can receive its events.
    untold: Started,
    ledger: MarketLedger,
    view: MarketView,
}

impl MarketState {
    /// Makes the market at tick 0, after its warm-up (burn-in). `bars` holds the bars of every asset in the scenario's order, empty for
    /// synthetic ones. Validates the configuration, then simulates the history.
    ///
    /// # Errors
    /// When the configuration has problems, or the bars don't fit it.
    pub fn new(config: &MarketConfig, seed: WorldSeed, bars: Vec<Vec<Bar>>) -> Result<Self, MarketError> {
        let problems = config.check();
        if !problems.is_empty() {
            return Err(MarketError::Config(problems));
        }
        let first_bar = config.first_bar(seed);
        let references = make::make_references(config, seed, make::from_bar(bars, first_bar))?;
        let assets: Vec<Asset> =
            references.into_iter().map(|reference| Asset::new(config, reference)).collect();
        let mut ledger = MarketLedger::default();
        ledger.move_to_pools(assets.iter().map(|asset| asset.pool.money()).sum());
        let symbols: Vec<String> = config.assets.iter().map(|asset| asset.symbol.clone()).collect();
        let mut market = Self {
            seed,
            impact: config.impact,
            start_time_s: config.start_time_s,
            tick_seconds: config.tick_seconds,
            warmup_ticks: config.warmup_ticks,
            first_bar,
            step: 0,
            gas: Gas::new(config.gas),
            shocks: Shocks::new(&config.shocks, &symbols),
            symbols,
            drift: config.drift.is_on().then(|| Box::new(Drift::at(config, seed, 0))),
            untold: Started { law: Drift::first_change(config), ..Started::default() },
            view: empty_view(),
            assets,
            ledger,
        };
        if let Some(drift) = &market.drift {
            drift.enforce(&mut market.assets);
        }
        market.warm_up();
        Ok(market)
    }

    fn warm_up(&mut self) {
        for _ in 1..self.warmup_ticks {
            self.advance();
        }
        // The last step of the warm-up leads to tick 0, at which planned shocks may begin; without a warm-up the
        // market starts there.
        if self.warmup_ticks > 0 {
            let law = self.untold.law.take();
            self.untold = Started { law, ..self.advance() };
        }
        self.view = self.build_view();
    }

    /// The data offset: the number of recorded bars before the first that is used (the start index).
    pub fn first_bar(&self) -> u64 {
        self.first_bar
    }

    /// The master seed of its world, which seeds all random number streams.
    pub fn seed(&self) -> WorldSeed {
        self.seed
    }

    /// The observation at the current tick, shared by all golems.
    pub fn view(&self) -> &MarketView {
        &self.view
    }

    /// The current tick of the simulation clock, 0 during the warm-up.
    pub fn tick(&self) -> Tick {
        self.step.saturating_sub(u64::from(self.warmup_ticks))
    }

    /// The ticker symbols of the assets, by index.
    pub fn symbols(&self) -> &[String] {
        &self.symbols
    }

    /// The length of the recordings less the warm-up: the number of ticks, tick 0 included, that they last; `None` without recordings. A
    /// plan that asks for more is refused.
    pub fn ticks_available(&self) -> Option<u64> {
        self.recordings().map(|replay| replay.bar_count() - u64::from(self.warmup_ticks)).min()
    }

    /// The hidden state (latent regime), a ground truth label that golems without an oracle may not see: the Markov state of a synthetic
    /// asset, a label by hindsight of a replayed one. `None` for an unknown asset. Memories of the family `oracle`, the walks that measure
    /// what pays, the event log and the tables use it.
    pub fn true_regime(&self, asset: AssetIndex) -> Option<Regime> {
        self.assets.get(usize::from(asset)).map(|asset| asset.reference.regime())
    }

    /// The fundamental price (fair value), dollars a unit, for tests. `None` for an unknown asset.
    pub fn reference_price(&self, asset: AssetIndex) -> Option<f64> {
        self.assets.get(usize::from(asset)).map(|asset| asset.reference.price())
    }

    /// The latent concept of concept drift (hidden state): the law in force, which golems without an oracle may not see.
    pub fn law_in_force(&self) -> LawInForce {
        self.drift.as_ref().map_or(LawInForce::BASE, |drift| drift.in_force())
    }

    /// A copy of the ledger (double-entry bookkeeping) of the market's money.
    pub fn ledger(&self) -> MarketLedger {
        self.ledger
    }

    /// Sums up the money in the pools from their cash reserves, for reconciliation: tests hold the ledger's account to it after each step.
    pub fn money_in_pools(&self) -> Usdc {
        self.assets.iter().map(|asset| asset.pool.money()).sum()
    }

    /// Reattaches the price data after deserialisation, checked by content hash; needed before anything else when an asset is replayed.
    ///
    /// # Errors
    /// When an asset's bars aren't those of the checkpoint.
    pub fn rebind_bars(&mut self, bars: Vec<Vec<Bar>>) -> Result<(), MarketError> {
        let mut bars = make::from_bar(bars, self.first_bar).into_iter();
        for (asset, index) in self.assets.iter_mut().zip(0..) {
            let own = bars.next().unwrap_or_default();
            if let Reference::Replayed(replay) = &mut asset.reference
                && !replay.rebind(own)
            {
                return Err(MarketError::DifferentBars { asset: index });
            }
        }
        Ok(())
    }

    /// Reloads parameters: gives a market under way the keys of pool, gas, oracle, shocks and drift. Prices, reserves and active shocks
    /// stay; the view is built anew, so that the current tick shows the new fee and the new price of gas. All other keys are ignored; a
    /// plan with changes in them is refused before.
    pub fn rebind_keys(&mut self, config: &MarketConfig) {
        self.gas.rebind(config.gas);
        self.shocks.rebind(&config.shocks, &self.symbols);
        self.assets.iter_mut().for_each(|asset| asset.rebind(config));
        self.rebind_drift(config);
        self.view = self.build_view();
    }

    /// Goes on by another calendar of laws. The law of the current tick is at once the new calendar's, and no event reports it.
    fn rebind_drift(&mut self, config: &MarketConfig) {
        let drifts = config.drift.is_on();
        if !drifts && self.drift.is_none() {
            return;
        }
        let drift = Box::new(Drift::at(config, self.seed, self.tick()));
        drift.enforce(&mut self.assets);
        self.drift = drifts.then_some(drift);
    }

    /// Takes one step of the environment (transition): executes the orders of the current tick one after the other, in the order given
    /// (which must be sorted by letter), then advances everything to the next tick. It is the main update of the market simulation, with
    /// order matching against the pools.
    pub fn step(&mut self, orders: &[(LetterId, Order)]) -> MarketStep {
        let untold = std::mem::take(&mut self.untold);
        let mut result = MarketStep {
            shocks_started: untold.shocks,
            laws_changed: untold.law.into_iter().collect(),
            crises: untold.crisis.into_iter().collect(),
            ..MarketStep::default()
        };
        for (letter, order) in orders {
            match self.execute(order) {
                Ok(fill) => result.fills.push((*letter, fill)),
                Err(refusal) => result.refusals.push((*letter, refusal)),
            }
        }
        let started = self.advance();
        result.shocks_started.extend(started.shocks);
        result.laws_changed.extend(started.law);
        result.crises.extend(started.crisis);
        self.view = self.build_view();
        result
    }

    fn execute(&mut self, order: &Order) -> Result<Fill, OrderRefusal> {
        let index = usize::from(order.asset);
        let asset = self.assets.get_mut(index).ok_or(OrderRefusal::UnknownAsset)?;
        check_held(order, &self.ledger, self.impact, asset.golem_shares)?;
        if self.impact == Impact::PriceTaker {
            let fill = fill_price_taker(&self.view.assets[index], self.view.gas, order)?;
            self.ledger.settle(&fill);
            return Ok(fill);
        }
        let before = asset.pool.money();
        let fill = execute(&mut asset.pool, self.view.gas, order)?;
        if order.side == PositionSide::Liquidity {
            let opens = matches!(order.kind, OrderKind::Open { .. });
            asset.golem_shares.0 += if opens { fill.quantity.0 } else { -fill.quantity.0 };
        }
        self.ledger.settle_with_pool(&fill, asset.pool.money() - before);
        Ok(fill)
    }

    /// Moves everything but golems' business on by one tick: shocks and laws first, because gas and prices of this tick depend on them;
    /// assets in the scenario's order, because the others take the first one's noise.
    fn advance(&mut self) -> Started {
        self.step += 1;
        let warmup = u64::from(self.warmup_ticks);
        let tick = self.step.checked_sub(warmup);
        let count = self.assets.len() as u32;
        let shocks = self.shocks.advance(self.seed, self.step, tick, count);
        let crisis = self.shocks.advance_crises(self.seed, tick);
        let law = match (&mut self.drift, tick) {
            (Some(drift), Some(tick)) => drift.advance(tick, &mut self.assets),
            (Some(_) | None, _) => None,
        };
        self.gas.advance(self.seed, self.step, self.shocks.gas_multiple());
        let at = Surroundings {
            seed: self.seed,
            step: self.step,
            time_s: self.next_time_s(),
            gas_ratio: self.gas.ratio(),
        };
        let mut common = None;
        for (asset, part) in self.assets.iter_mut().zip(0_u32..) {
            let effects = self.shocks.effects(part as AssetIndex);
            let (into_pool, innovation) = asset.advance(&at, part, &effects, common);
            common = common.or(Some(innovation));
            self.ledger.move_to_pools(into_pool);
        }
        Started { shocks, law, crisis }
    }

    fn recordings(&self) -> impl Iterator<Item = &ReplayedPrice> {
        self.assets.iter().filter_map(|asset| match &asset.reference {
            Reference::Replayed(replay) => Some(replay),
            Reference::Synthetic(_) => None,
        })
    }

    fn synthetic_time_s(&self) -> i64 {
        let ticks = self.step as i64 - i64::from(self.warmup_ticks);
        self.start_time_s + ticks * i64::from(self.tick_seconds)
    }

    /// The time of the step being made: recordings have not moved on yet.
    fn next_time_s(&self) -> i64 {
        self.recordings().next().map_or(self.synthetic_time_s(), ReplayedPrice::next_time_s)
    }

    fn build_view(&self) -> MarketView {
        let time_s = self.recordings().next().map_or(self.synthetic_time_s(), ReplayedPrice::time_s);
        MarketView {
            tick: self.tick(),
            time_s,
            gas: self.gas.price(),
            gas_class: self.gas.class(),
            session: Session::at(time_s),
            assets: self.assets.iter().map(Asset::view).collect(),
        }
    }
}

fn empty_view() -> MarketView {
    MarketView {
        tick: 0,
        time_s: 0,
        gas: Usdc::ZERO,
        gas_class: crate::market::GasClass::Normal,
        session: Session::Asia,
        assets: Vec::new(),
    }
}

/// Refuses to pay out of escrow or out of the pool more than golems put there: the amounts of a close come from the golem's letter, and a
/// false one would mint money. A long takes nothing out but what it sells.
fn check_held(
    order: &Order,
    ledger: &MarketLedger,
    impact: Impact,
    shares: Quantity,
) -> Result<(), OrderRefusal> {
    let OrderKind::Close { stake, quantity, proceeds, .. } = order.kind else { return Ok(()) };
    let held = match order.side {
        PositionSide::Long => true,
        PositionSide::Short => {
            stake.0.saturating_add(proceeds.0) <= ledger.escrow.0 && stake.is_positive() && proceeds.0 >= 0
        }
        PositionSide::Liquidity => impact == Impact::PriceTaker || quantity <= shares,
    };
    if held { Ok(()) } else { Err(OrderRefusal::NotHeld) }
}
