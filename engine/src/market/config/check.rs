//! Checks of a `[market]` table that concern several keys at once; ranges of single keys are declared with them. They are cross-field
//! validation rules: depth in units of an asset, warm-up against planned shocks, laws and their changes.
//!
//! An error names the key, its value and a remedy. All problems are found before a world is made, so that no run stops half-way over a key.
//! Recorded assets are left to `market::state::make`, because their prices and their number of bars are known only from the data.

use super::{AssetSource, MarketConfig, ScheduledShock};
use morta_base::keys::Keys;
use morta_base::{Problem, TableChecker};

/// Most assets of a scenario; our choice: views, features and truth tables grow with each, and a golem weighs every strategy on every
/// asset.
pub const ASSETS_MAX: u32 = 16;
/// Largest depth in units of an asset, so that reserves in billionths stay within 64 bits with room for the
/// price to fall a hundredfold and the depth to grow fivefold.
pub(crate) const DEPTH_UNITS_MAX: f64 = 9e6;
/// Least depth in units of an asset: with less, a billionth of a unit would be a visible step of the price.
pub(crate) const DEPTH_UNITS_MIN: f64 = 1e-2;

impl MarketConfig {
    /// Checks the table (configuration validation): returns all problems at once, none when a world can be made of it.
    pub fn check(&self) -> Vec<Problem> {
        self.problems("market")
    }

    /// The cross-field checks of the whole table.
    pub(super) fn fits_together(&self, table: &mut TableChecker<'_>) {
        let dimensions = self.embedding_dimensions;
        let known = [16, 32, 64].contains(&dimensions);
        table.demand(known, "embedding_dimensions", dimensions, "must be 16, 32 or 64");
        let (every, within) = (self.start_every_bars, self.start_within_bars);
        let remedy = "must not be more than market.start_within_bars, or every world begins at the first bar";
        table.demand(every == 0 || every <= within, "start_every_bars", every, remedy);
        self.check_assets(table);
        self.drift.check(&self.assets, &mut table.table("drift"));
        for (index, planned) in self.shocks.scheduled.iter().enumerate() {
            self.check_scheduled(&mut table.table(&format!("shocks.scheduled.{index}")), planned);
        }
    }

    fn check_assets(&self, table: &mut TableChecker<'_>) {
        let depth = self.pool.depth_usdc;
        let (least, most) = (depth / DEPTH_UNITS_MAX, depth / DEPTH_UNITS_MIN);
        for (index, asset) in self.assets.iter().enumerate() {
            let mut table = table.table(&format!("assets.{index}"));
            let symbol = &asset.symbol;
            table.demand(!symbol.trim().is_empty(), "symbol", "\"\"", "give the asset a name");
            let taken = self.assets[..index].iter().any(|other| other.symbol == *symbol);
            table.demand(!taken, "symbol", symbol, "must differ from every other symbol");
            if let AssetSource::Synthetic(synthetic) = &asset.source {
                let price = synthetic.start_price;
                let fits = price >= least && price <= most;
                let remedy = || format!("must be from {least} to {most} with this market.pool.depth_usdc");
                table.demand_else(fits, "source.start_price", price, remedy);
            }
        }
    }

    fn check_scheduled(&self, table: &mut TableChecker<'_>, planned: &ScheduledShock) {
        let repeated = planned.kinds.iter().enumerate().any(|(i, kind)| planned.kinds[..i].contains(kind));
        table.demand(!repeated, "kinds", format!("{:?}", planned.kinds), "give each kind once");
        let can_be = planned.tick > 0 || self.warmup_ticks > 0;
        table.demand(can_be, "tick", 0, "must be at least 1 when market.warmup_ticks is 0");
        if let Some(symbol) = &planned.asset {
            let known = self.assets.iter().any(|asset| asset.symbol == *symbol);
            table.demand(known, "asset", symbol, "must be the symbol of one of market.assets");
        }
    }
}
