//! The mock market: reference prices, pools, gas, oracles, shocks, and what a golem may see of them (a market simulator, or environment in
//! reinforcement learning).
//!
//! [`MarketConfig`] (checked) makes a [`MarketState`]; each [`MarketState::step`] executes orders and builds the next [`MarketView`].
//! [`Truth`] holds which strategy pays in which true regime; memories of the family `oracle` alone read it (`oracle`, `oracle-times` and
//! others), and no other golem may.
//!
//! Prices are in dollars a unit, money in whole micro-dollars, returns are logarithmic, costs in basis points, time is in ticks. A seed
//! fixes all random numbers, so that two memories can be compared in the same market (common random numbers).

mod asset;
pub mod bar;
pub mod config;
mod crowd;
pub mod drift;
pub mod execute;
pub mod features;
mod former;
mod gas;
pub mod held;
mod hindsight;
pub mod ledger;
mod oracle;
pub mod order;
pub mod paper_trade;
pub mod pool;
pub mod reading;
mod reference;
mod reference_tick;
mod replayed;
pub mod shock;
pub mod state;
pub mod strategy;
mod synthetic;
pub mod truth;
pub mod view;
mod window;

pub use bar::{Bar, BarError, Ohlc, RawBar, bars_from_rows};
pub use config::{
    AssetConfig, AssetSource, DriftConfig, GasConfig, Impact, MarketConfig, OracleConfig, PoolConfig,
    RecordingConfig, RegimeEffect, RegimeOverride, RegimeOverrides, ScheduledShock, ShockRates, ShocksConfig,
    SyntheticConfig,
};
pub use drift::{LawChange, LawInForce};
pub use execute::{OrderRefusal, fill_price_taker};
pub(crate) use former::with_former_keys;
pub use held::{Held, HoldStage, OpenBand, SignalNow};
pub use ledger::MarketLedger;
pub use order::{AssetIndex, Fill, Order, OrderKind, PositionSide, Quantity};
pub use paper_trade::{PaperOutcome, PaperTrade, PathPoint, paper_trade, round_trip_cost_bps};
pub use reading::Reading;
pub use shock::{CrisisEvent, CrisisStage, ShockEvent, ShockKind};
pub use state::{MarketError, MarketState, MarketStep};
pub use strategy::{Signal, Strategy};
pub(crate) use synthetic::blend;
pub use truth::{StayEntry, StayTruth, Truth, TruthEntry, TruthTable};
pub use view::{AssetView, GasClass, LiquidityClass, MarketView, Regime, RegimeThresholds, Session};
