//! The `[memory.constant]` table: a fixed policy, and the market and the worlds it was fitted on. It is a static baseline policy: a ranked
//! list of actions, each an asset and a strategy, with their mean rewards.
//!
//! `morta fit constant` writes the table; nobody writes it by hand. Expected results are in R net of costs. The digest (fingerprint) of the
//! market keeps a policy from being used on a market it wasn't fitted to: a scenario with another one is refused before it runs, if one of
//! its cohorts remembers with `constant`, and so is a branch that gives it to a golem; else only ranges and doubled cells are checked. The
//! market's clock and the embedding's length may differ. A recording counts by its file's name and its days and not by its content, so a
//! policy outlives new prices under the old name. The seeds only record the fit: no check reads them, and a run may live in the worlds of
//! the fit. The table is a constant policy, a benchmark for memories.

use crate::market::config::ASSETS_MAX;
use crate::market::{AssetConfig, AssetSource, MarketConfig, Strategy, with_former_keys};
use morta_base::digest::hex_of;
use morta_base::{TableChecker, keys};
use std::path::Path;

/// Hexadecimal digits of a market's digest: 64 bits guard against a table that was forgotten, not against an adversary.
const DIGEST_DIGITS: usize = 16;
/// Most strategies of most assets.
const CELLS_MAX: usize = ASSETS_MAX as usize * Strategy::COUNT;
/// How the table is made anew, for those who are refused.
const REMEDY: &str = "`morta fit constant SCENARIO` fits a policy to its market and prints the table, and --write puts it into the file";

keys! {
    /// The `[memory.constant]` table: the best fixed policy of a market, written by `morta fit constant`.
    pub struct ConstantConfig {
        /// Digest of the market that the policy was fitted to; a scenario with another market is refused.
        market: String = String::new();
        /// Seed of the first world it was fitted on.
        first_seed: u64 = 0, in 0..=i64::MAX as u64, "seed";
        /// Seed of the last world it was fitted on.
        last_seed: u64 = 0, in 0..=i64::MAX as u64, "seed";
        /// Every strategy of every asset that ever spoke: first those that are taken, in the order of preference.
        cells: Vec<ConstantCell> = Vec::new(), len 0..=CELLS_MAX;
    }
    also names_each_once;
}

keys! {
    /// One strategy of one asset.
    pub struct ConstantCell {
        /// Symbol of the asset.
        asset: String;
        /// The strategy.
        strategy: Strategy;
        /// Whether it is traded whenever it speaks and nothing before it in the list does; otherwise never.
        takes: bool;
        /// What a trade of it makes on average in the worlds of the fit, net of costs: what a golem says it expects. The order decides.
        expected_r: f64, in -1e6..=1e6, "R";
    }
}

impl ConstantConfig {
    /// Whether nothing was fitted: true for a default table (`skip_serializing_if`). A scenario without the table is written as before
    /// there was one.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Iterates over the cells that the fixed policy takes (its actions), in the order of preference.
    pub fn taken(&self) -> impl Iterator<Item = &ConstantCell> {
        self.cells.iter().filter(|cell| cell.takes)
    }

    fn names_each_once(&self, table: &mut TableChecker<'_>) {
        for (place, cell) in self.cells.iter().enumerate() {
            let same = |other: &ConstantCell| (&other.asset, other.strategy) == (&cell.asset, cell.strategy);
            let twice = self.cells[..place].iter().any(same);
            let remedy = "another cell is of this strategy and asset already";
            table.demand(
                !twice,
                &format!("cells.{place}.strategy"),
                format!("\"{}\"", cell.strategy),
                remedy,
            );
        }
    }

    /// What a scenario whose golems remember with it must have: the table, for its own market.
    pub(crate) fn check_against(&self, market: &MarketConfig, table: &mut TableChecker<'_>) {
        let of_this_market = self.market == digest(market);
        let what = if self.is_empty() { "there is no such table" } else { "the market is another one now" };
        table.demand(of_this_market, "market", format!("\"{}\"", self.market), format!("{what}: {REMEDY}"));
        for (place, ConstantCell { asset, .. }) in self.cells.iter().enumerate().filter(|_| of_this_market) {
            let known = market.assets.iter().any(|own| own.symbol == *asset);
            let remedy = format!("must be a symbol of market.assets: {REMEDY}");
            table.demand(known, &format!("cells.{place}.asset"), format!("\"{asset}\""), remedy);
        }
    }
}

/// Hashes a market as far as it affects the results of trades: without its clock and the length of its embeddings, which strategies and
/// costs don't use, and without the folders of recordings, which depend on the place where the scenario is read. The digest is a content
/// hash (fingerprint) of 16 hexadecimal digits. The bars of a recording aren't in it.
pub fn digest(market: &MarketConfig) -> String {
    let usual = MarketConfig::default();
    let as_named = |asset: &AssetConfig| {
        let mut asset = asset.clone();
        if let AssetSource::Replay(recording) = &mut asset.source {
            let name = Path::new(&recording.file).file_name();
            recording.file = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        }
        asset
    };
    let market = MarketConfig {
        start_time_s: usual.start_time_s,
        tick_seconds: usual.tick_seconds,
        embedding_dimensions: usual.embedding_dimensions,
        assets: market.assets.iter().map(as_named).collect(),
        ..market.clone()
    };
    // JSON and not postcard: a key that is left out at its usual value leaves earlier digests as they were, so that a new key
    // doesn't invalidate every fitted table. No more does one that became a constant, since it stands there with its value.
    let table = with_former_keys(serde_json::to_value(&market).expect("a market is plain data"));
    hex_of(table.to_string().as_bytes())[..DIGEST_DIGITS].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::market::{RecordingConfig, SyntheticConfig};

    fn market(source: AssetSource) -> MarketConfig {
        MarketConfig {
            assets: vec![AssetConfig { symbol: "A".to_owned(), source }],
            ..MarketConfig::default()
        }
    }

    #[test]
    fn the_digest_is_of_what_trades_bring() {
        let usual = market(AssetSource::Synthetic(SyntheticConfig::default()));
        let same = MarketConfig { tick_seconds: 3_600, embedding_dimensions: 16, ..usual.clone() };
        assert_eq!(digest(&usual), digest(&same));
        let mut costly = usual.clone();
        costly.pool.fee_bps += 1.0;
        assert_ne!(digest(&usual), digest(&costly));
        let recorded = |file: &str, start: Option<&str>| {
            let (file, start) = (file.to_owned(), start.map(str::to_owned));
            digest(&market(AssetSource::Replay(RecordingConfig { file, start, end: None })))
        };
        assert_eq!(recorded("../x.csv", None), recorded("elsewhere/x.csv", None));
        assert_ne!(recorded("../x.csv", None), recorded("../x.csv", Some("2018-01-01")));
    }

    /// What a build said by which all of a market's coefficients were keys (9d416022): policies that were fitted then, shipped or anybody's, are
    /// still those of their market. Shipped ones are held by their files, which wouldn't be valid otherwise.
    #[test]
    fn a_key_that_became_a_constant_leaves_every_digest_as_it_was() {
        let market = serde_json::json!({
            "impact": "price_taker",
            "assets": [
                { "symbol": "A", "source": {
                    "kind": "synthetic", "volatility": 0.004, "regimes": { "volatile": { "volatility_multiple": 2.0 } },
                    "transitions": [[0.7, 0.1, 0.1, 0.1], [0.1, 0.7, 0.1, 0.1], [0.1, 0.1, 0.7, 0.1], [0.1, 0.1, 0.1, 0.7]] } },
                { "symbol": "B", "source": { "kind": "synthetic", "correlation": 0.0 } },
            ],
            "drift": {
                "repeat_ticks": 480,
                "changes": [{ "tick": 240, "law": "turned" }, { "tick": 480, "law": "base" }],
                "laws": [
                    { "name": "turned", "assets": ["B"], "volatility": 0.003, "regimes": {
                        "trending_up": { "drift": 0.0, "autocorrelation": -0.15, "mean_reversion": 0.2 },
                        "range_bound": { "drift": 0.1 } } },
                    { "name": "still" },
                ],
            },
            "shocks": { "scheduled": [{ "tick": 9, "kinds": ["gas_spike"] }] },
        });
        let market: MarketConfig = serde_json::from_value(market).expect("a market");
        assert_eq!(digest(&market), "eb630d6652fa8a08");
    }
}
