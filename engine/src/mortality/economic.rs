//! The economic clock: the reserve for dying, survival pressure, and the rule by which money kills (insolvency, bankruptcy).
//!
//! Amounts are in dollars, rates in dollars a tick, runway (money above the reserve over burn rate) in hours, pressure from 0 to 1.
//! Pressure is high where survival is easy, in spite of its name. A golem pays for its death out of the reserve, so by the default rule it
//! dies before its money is gone: an empty purse couldn't pay for a testament. The sources give three rules of ruin; a key chooses one
//! (digest section 11). None of them looks at the rung of the ladder, whose shares are keys of their own. Revenue and burn rate are
//! exponential moving averages (EWMA) over 24 hours by default. The burn rate is the cost of living.

use crate::mortality::ladder::LadderConfig;
use morta_base::keys;
use morta_base::{TableChecker, Usdc, math};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// When money kills (the sources disagree; digest section 11).
    #[derive(Default)]
    pub enum EconomicDeath: Key {
        /// When the balance falls to the reserve (M01).
        #[default]
        Reserve = "reserve",
        /// When less than `margin_usdc` is left above the reserve and the legacy (M04).
        Spendable = "spendable",
        /// When the balance falls to `death_share` of that at birth (M13).
        Share = "share",
    }
}

keys! {
    /// The `[mortality.economic]` table.
    pub struct EconomicConfig {
        /// When money kills.
        death: EconomicDeath = EconomicDeath::Reserve;
        /// What must be left above reserve and legacy under `spendable`, dollars.
        margin_usdc: f64 = 0.50, in 0.0..=1e12, "dollars";
        /// Share of the balance at birth that kills under `share`.
        death_share: f64 = 0.05, in 0.0..=1.0, "share";
        /// What the reserve holds for each open position, dollars.
        reserve_per_position_usdc: f64 = 0.02, in 0.0..=1e12, "dollars";
        /// What it holds for settling, dollars.
        reserve_settle_usdc: f64 = 0.02, in 0.0..=1e12, "dollars";
        /// What it holds for looking back, dollars.
        reserve_review_usdc: f64 = 0.15, in 0.0..=1e12, "dollars";
        /// What it holds for passing on, dollars.
        reserve_legacy_usdc: f64 = 0.05, in 0.0..=1e12, "dollars";
        /// Ticks between two reckonings of the reserve.
        reserve_interval_ticks: u64 = 500, in 1..=1_000_000_000, "ticks";
        /// Hours left at which survival counts as one half.
        pressure_centre_hours: f64 = 48.0, in 0.0..=1e6, "hours";
        /// How sharply it changes around there, an hour.
        pressure_slope: f64 = 0.05, in 1e-6..=1e3, "per hour";
        /// Hours over which revenue and burn are averaged.
        sustainability_hours: f64 = 24.0, in 1e-3..=1e6, "hours";
        /// Whether the credit is divided anew, once and for all, when the terminal phase begins.
        legacy_at_terminal: bool = true;
        /// Share of the credit for inference from then on; the four must add up to 1.
        terminal_llm_share: f64 = 0.30, in 0.0..=1.0, "share";
        /// Share for gas.
        terminal_gas_share: f64 = 0.15, in 0.0..=1.0, "share";
        /// Share for compute and data.
        terminal_data_share: f64 = 0.05, in 0.0..=1.0, "share";
        /// Share that is put aside for the legacy and pays for nothing else.
        terminal_legacy_share: f64 = 0.50, in 0.0..=1.0, "share";
        /// What a golem does without as its money dwindles.
        ladder: LadderConfig = LadderConfig::default();
    }
    also terminal_shares_add_up;
}

/// The balance sheet of a golem at one tick: balance, reserve and endowment, the amounts that the insolvency test compares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Means {
    /// The whole balance, open positions included.
    pub balance: Usdc,
    /// The money locked away for dying.
    pub reserve: Usdc,
    /// The money put aside for the legacy.
    pub legacy: Usdc,
    /// Balance at birth.
    pub endowment: Usdc,
}

impl EconomicConfig {
    fn terminal_shares_add_up(&self, table: &mut TableChecker<'_>) {
        let sum = self.terminal_llm_share
            + self.terminal_gas_share
            + self.terminal_data_share
            + self.terminal_legacy_share;
        let remedy = "the four terminal shares must add up to 1";
        table.demand((sum - 1.0).abs() < 1e-6, "terminal_llm_share", sum, remedy);
    }

    /// The reserve: the larger of `least` and the costs of dying with so many positions open, .02·positions + .02 + .15 + .05 dollars
    /// (digest section 11, M04). It is a reserve requirement (minimum balance), which pays for nothing in life and is reckoned anew every
    /// 500 ticks by default.
    pub fn reserve(&self, least: Usdc, positions: u32) -> Usdc {
        let needed = self.reserve_per_position_usdc * f64::from(positions)
            + self.reserve_settle_usdc
            + self.reserve_review_usdc
            + self.reserve_legacy_usdc;
        least.max(Usdc::from_dollars(needed))
    }

    /// The insolvency test (bankruptcy or ruin condition): whether money kills, by the scenario's rule. The sources name three; by the
    /// default (M01) the whole reserve is left to die on. It is asked only where `mortality.economic_clock` is on.
    pub fn kills(&self, means: &Means) -> bool {
        let Means { balance, reserve, legacy, endowment } = *means;
        match self.death {
            EconomicDeath::Reserve => balance <= reserve,
            EconomicDeath::Spendable => balance - legacy < reserve + Usdc::from_dollars(self.margin_usdc),
            EconomicDeath::Share => balance <= endowment.scaled(self.death_share),
        }
    }

    /// Survival pressure in [0, 1]: clamp(σ(hours; 48, .05) + inc), where inc = min(.1·n/b, .2) for a net income n above 0 and max(.15·n/b,
    /// −.3) for others, b being the burn (digest section 11, M04). In spite of its name it is high when survival is easy: below .1
    /// everything is put into dying well ([`crate::mortality::thanatopsis`]).
    ///
    /// `hours` is the money above the reserve over the burn; `net_over_burn` is n/b. The limits −.3 and .2 keep income from outweighing
    /// time: a golem that earns ten times its burn is no safer than one that earns three times. The first term is a logistic sigmoid of the
    /// runway in hours.
    pub fn pressure(&self, hours: f64, net_over_burn: f64) -> f64 {
        let income = if net_over_burn > 0.0 {
            (0.1 * net_over_burn).min(0.2)
        } else {
            (0.15 * net_over_burn).max(-0.3)
        };
        let by_time = math::logistic(hours, self.pressure_centre_hours, self.pressure_slope);
        (by_time + income).clamp(0.0, 1.0)
    }
}

/// Cash flow (income and expenses) as exponential moving averages, in dollars a tick: revenue and burn, each a running mean of about a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Livelihood {
    /// Profit of trades net of gas, dollars a tick.
    revenue_per_tick: f64,
    /// Costs of living, dollars a tick.
    burn_per_tick: f64,
}

impl Livelihood {
    /// Updates the EWMAs (exponential smoothing) by one tick: profit of trades net of gas, and the costs of living, in dollars; `alpha` is
    /// one tick's share of the window.
    pub fn note(&mut self, revenue: f64, burn: f64, alpha: f64) {
        self.revenue_per_tick += alpha * (revenue - self.revenue_per_tick);
        self.burn_per_tick += alpha * (burn - self.burn_per_tick);
    }

    /// The coverage ratio (income over expenses), revenue over burn (digest section 17, M04): 1 is breaking even; `None` while nothing has
    /// been spent.
    pub fn sustainability(&self) -> Option<f64> {
        (self.burn_per_tick > 0.0).then(|| self.revenue_per_tick / self.burn_per_tick)
    }

    /// The profit margin over costs (profitability), net income over burn: n/b of the survival pressure; 0 while nothing has been spent.
    pub fn net_over_burn(&self) -> f64 {
        self.sustainability().map_or(0.0, |ratio| ratio - 1.0)
    }
}
