//! The mock market: reference prices, pools, gas, oracles, shocks, and what a golem may see of them.

pub mod order;
pub mod strategy;
pub mod view;

pub use order::{Fill, Order, OrderKind, PositionSide, Quantity};
pub use strategy::{Signal, Strategy};
pub use view::{
    AssetIndex, AssetView, GasClass, LiquidityClass, MarketView, Regime, RegimeThresholds, Session, Trend,
};
