//! From a checked configuration and bars to reference prices: the factory (constructor) of the price processes.
//!
//! What can only be checked with the data at hand is checked here: more bars than the warm-up takes, the same timestamps (seconds since
//! 1970) in every recording as far as the shorter one goes, and a depth in dollars that pools can hold at the recorded prices. The bars are
//! those left after the world's start offset.

use crate::market::config::{AssetSource, DEPTH_UNITS_MAX, DEPTH_UNITS_MIN};
use crate::market::reference::Reference;
use crate::market::replayed::ReplayedPrice;
use crate::market::synthetic::SyntheticPrice;
use crate::market::{AssetIndex, Bar, MarketConfig};
use morta_base::{Problem, WorldSeed};

/// A shock may carry a replayed price this many times as low as the recording (`OVERLAY_MAX`), and no further. Of the hundredfold fall that
/// `DEPTH_UNITS_MAX` leaves room for only a tenfold one can happen here, so pools may be ten times as deep.
const OVERLAY_ROOM: f64 = 10.0;

/// The reason why a market can't be made or resumed: an error of configuration or market data, or a checkpoint mismatch.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum MarketError {
    #[error("the [market] table has {} problem(s), the first: {}", .0.len(), .0[0])]
    Config(Vec<Problem>),
    #[error("{symbol}: {bars} bars, but the warm-up alone takes {warmup_ticks}, and one more is needed")]
    TooFewBars { symbol: String, bars: u64, warmup_ticks: u32 },
    #[error("{symbol}: bar {row} opens at another time than the first replayed asset's")]
    Misaligned { symbol: String, row: u64 },
    #[error("{symbol}: at prices of {low} to {high}, market.pool.depth_usdc must be in {least}..={most}")]
    Depth { symbol: String, low: f64, high: f64, least: f64, most: f64 },
    #[error("asset {asset}: these are not the bars the checkpoint was made with")]
    DifferentBars { asset: AssetIndex },
}

/// Slices the bars of each asset from its bar number `first` on.
pub(super) fn from_bar(mut bars: Vec<Vec<Bar>>, first: u64) -> Vec<Vec<Bar>> {
    if first > 0 {
        bars.iter_mut().for_each(|own| drop(own.drain(..own.len().min(first as usize))));
    }
    bars
}

/// The reference price of every asset, in the scenario's order.
pub(super) fn make_references(
    config: &MarketConfig,
    seed: WorldSeed,
    bars: Vec<Vec<Bar>>,
) -> Result<Vec<Reference>, MarketError> {
    let mut bars = bars.into_iter();
    let mut references = Vec::with_capacity(config.assets.len());
    let mut times: Option<Vec<i64>> = None;
    for (asset, part) in config.assets.iter().zip(0_u32..) {
        let own = bars.next().unwrap_or_default();
        references.push(match &asset.source {
            AssetSource::Synthetic(synthetic) => {
                Reference::Synthetic(SyntheticPrice::new(synthetic, seed, part))
            }
            AssetSource::Replay(_) => {
                check_bars(config, &asset.symbol, &own, &mut times)?;
                let replay = ReplayedPrice::new(own);
                check_depth(config, &asset.symbol, &replay)?;
                Reference::Replayed(replay)
            }
        });
    }
    Ok(references)
}

fn check_bars(
    config: &MarketConfig,
    symbol: &str,
    bars: &[Bar],
    times: &mut Option<Vec<i64>>,
) -> Result<(), MarketError> {
    let symbol = || symbol.to_owned();
    let (count, warmup_ticks) = (bars.len() as u64, config.warmup_ticks);
    if count <= u64::from(warmup_ticks) {
        return Err(MarketError::TooFewBars { symbol: symbol(), bars: count, warmup_ticks });
    }
    // A tick is one bar of every asset. With bars of different hours golems would see prices side by side that never were.
    let own: Vec<i64> = bars.iter().map(|bar| bar.open_time_s).collect();
    let first = times.get_or_insert_with(|| own.clone());
    match (0_u64..).zip(first.iter().zip(&own)).find(|(_, (a, b))| a != b) {
        Some((row, _)) => Err(MarketError::Misaligned { symbol: symbol(), row }),
        None => Ok(()),
    }
}

fn check_depth(config: &MarketConfig, symbol: &str, replay: &ReplayedPrice) -> Result<(), MarketError> {
    let (low, high) = (replay.lowest_close(), replay.highest_close());
    let (least, most) = (DEPTH_UNITS_MIN * high, DEPTH_UNITS_MAX * low * OVERLAY_ROOM);
    if (least..=most).contains(&config.pool.depth_usdc) {
        Ok(())
    } else {
        Err(MarketError::Depth { symbol: symbol.to_owned(), low, high, least, most })
    }
}
