//! Trades of the successor where the predecessor died: in the same regime as read, volatility band and liquidity. It answers whether the
//! heir avoided the mistake (transfer of experience): the number and mean R of its trades there and of those elsewhere, and whether it died
//! of the same cause (of what the golem was dying of, where a fault ended that). Nothing is tested. Without a successor, or without the
//! circumstances of the death in an event log, there is no such view. Trades elsewhere stand beside, because an heir may do well there and
//! still repeat the mistake.

use crate::io::error::Result;
use crate::io::text::plain;
use crate::run::inspect::register::in_words;
use crate::run::run_folder::{FinishedRun, Trade};
use morta_base::GolemId;
use morta_engine::episode::{Context, VolatilityBand};
use serde::Serialize;

/// The successor in the circumstances of its predecessor's death (heir). It has trades and mean results there and elsewhere, and whether it
/// died of the same cause.
#[derive(Serialize)]
pub(crate) struct Successor {
    golem: String,
    /// Regime, volatility and liquidity.
    circumstances: String,
    trades_there: usize,
    mean_r_there: Option<f64>,
    trades_elsewhere: usize,
    mean_r_elsewhere: Option<f64>,
    /// None when it outlived the run.
    cause: Option<String>,
    died_of_the_same: bool,
}

/// Looks up the successor and its trades in the same circumstances; none without a successor.
pub(super) fn read(
    run: &FinishedRun,
    golem: GolemId,
    cause: &str,
    there: &Context,
) -> Result<Option<Successor>> {
    let heir = golem.successor();
    let heirs =
        run.lives()?.keep(|life| (life.lineage, life.generation) == (heir.lineage, heir.generation))?;
    let Some(life) = heirs.into_iter().next() else { return Ok(None) };
    let trades = run.trades()?.keep(|trade| trade.golem == life.golem)?;
    let band = VolatilityBand::from_quintile(there.volatility_quintile);
    let is_there = |trade: &&Trade| {
        trade.regime_read == there.regime.name()
            && VolatilityBand::from_quintile(trade.volatility_quintile) == band
            && trade.liquidity == there.liquidity.name()
    };
    let (inside, outside): (Vec<&Trade>, Vec<&Trade>) = trades.iter().partition(is_there);
    Ok(Some(Successor {
        circumstances: format!(
            "{}, {band} volatility, {} liquidity",
            plain(there.regime.name()),
            there.liquidity
        ),
        trades_there: inside.len(),
        mean_r_there: mean_r(&inside),
        trades_elsewhere: outside.len(),
        mean_r_elsewhere: mean_r(&outside),
        died_of_the_same: life.cause.as_deref() == Some(cause),
        cause: life.cause,
        golem: life.golem,
    }))
}

fn mean_r(trades: &[&Trade]) -> Option<f64> {
    let sum: f64 = trades.iter().map(|trade| trade.realised_r).sum();
    (!trades.is_empty()).then(|| sum / trades.len() as f64)
}

impl Successor {
    /// Words the view, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
        let made =
            |mean: Option<f64>| mean.map_or(String::new(), |mean| format!(", {mean:+.3} R on average"));
        let end = match (&self.cause, self.died_of_the_same) {
            (None, _) => "it outlived the run".to_owned(),
            (Some(cause), true) => format!("it died of the same: {}", in_words(cause)),
            (Some(cause), false) => format!("it died of something else: {}", in_words(cause)),
        };
        vec![
            format!("its successor {} where it had died ({}):", self.golem, self.circumstances),
            format!("  {} trades there{}", self.trades_there, made(self.mean_r_there)),
            format!("  {} trades elsewhere{}", self.trades_elsewhere, made(self.mean_r_elsewhere)),
            format!("  {end}"),
        ]
    }
}
