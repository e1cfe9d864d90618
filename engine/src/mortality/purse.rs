//! A golem's money: trading capital, and credit to live on (a wallet with mental accounting, one budget compartment for each kind of
//! cost).
//!
//! Amounts are in `Usdc`, whole micro-dollars, so that sums are exact: with floats the check of the world's money would find differences
//! that are rounding. Burn rates are exponential moving averages in dollars a tick. Shares run from 0 to 1: those of the configuration are
//! of the balance at birth or of the credit, the one that is queried is of the present whole. All income goes into trading capital; money
//! in an open position is in no compartment. The golem calls `end_tick` once a tick, asleep and dying too. Compartments keep a golem from
//! spending on trades what it needs for thinking. A forecast shortfall of inference, gas or data is met by rebalancing from the fullest
//! compartment, trading capital included and the legacy not (digest section 11): of one compartment at a time, at most every 30 ticks by
//! default, and only as far as half of the giver reaches.

use crate::mortality::economic::EconomicConfig;
use morta_base::keys;
use morta_base::{TableChecker, Tick, Usdc};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The parts of a purse, each a budget category (sub-account). Trading capital earns; inference, gas and data pay for living (digest
    /// section 11: 60/25/15); the legacy is empty until the terminal phase.
    pub enum Compartment {
        /// Money for trades.
        Trading = "trading",
        /// Money for inference.
        Llm = "llm",
        /// Money for transactions.
        Gas = "gas",
        /// Compute, market data and the Lethe.
        Data = "data",
        /// Put aside for what is left to others; pays for nothing else.
        Legacy = "legacy",
    }
}

keys! {
    /// How the balance at birth is divided.
    pub struct PurseConfig {
        /// Share of the balance at birth that is trading capital; the rest is credit to live on.
        trading_share: f64 = 0.5, in 0.0..=1.0, "share";
        /// Share of the credit for inference. The three shares of the credit must add up to 1.
        llm_share: f64 = 0.60, in 0.0..=1.0, "share";
        /// Share of the credit for gas.
        gas_share: f64 = 0.25, in 0.0..=1.0, "share";
        /// Share of the credit for compute and data.
        data_share: f64 = 0.15, in 0.0..=1.0, "share";
        /// Weight of the newest tick in the running burn rate.
        burn_alpha: f64 = 0.05, in 1e-6..=1.0, "weight";
        /// Ticks ahead a compartment's spending is forecast when looking for a shortfall.
        forecast_ticks: u64 = 10, in 1..=1_000_000, "ticks";
        /// How much more than the shortfall is moved.
        rebalance_margin: f64 = 1.2, in 1.0..=100.0, "factor";
        /// Most of the giving compartment that is moved at once.
        rebalance_donor_share: f64 = 0.5, in 0.0..=1.0, "share";
        /// Ticks between two such moves.
        rebalance_cooldown_ticks: u64 = 30, in 0..=1_000_000, "ticks";
    }
    also shares_add_up;
}

impl PurseConfig {
    fn shares_add_up(&self, table: &mut TableChecker<'_>) {
        let sum = self.llm_share + self.gas_share + self.data_share;
        table.demand(
            (sum - 1.0).abs() < 1e-6,
            "llm_share",
            sum,
            "llm_share + gas_share + data_share must be 1",
        );
    }
}

const COMPARTMENTS: usize = 5;

/// Money in five compartments, a wallet or cash account. A compartment may fall below zero for a moment, when a bill is larger than what
/// it holds; rebalancing evens that out. A golem whose balance, open position included, falls to its reserve dies by the default rule of
/// ruin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Purse {
    /// Money by compartment, in the order of `Compartment`, as in the two lists below.
    amounts: [Usdc; COMPARTMENTS],
    /// Bills paid since the last end of a tick.
    spent_this_tick: [Usdc; COMPARTMENTS],
    /// Running mean (EWMA) of bills, dollars a tick.
    burn_per_tick: [f64; COMPARTMENTS],
    /// Tick of the last move between compartments, from which the cooldown runs.
    last_rebalance: Option<Tick>,
}

impl Purse {
    /// Divides the endowment at birth by the configured shares (initial allocation), with nothing in the legacy.
    pub fn new(balance: Usdc, config: &PurseConfig) -> Self {
        let trading = balance.scaled(config.trading_share);
        let credit = balance - trading;
        let (llm, gas) = (credit.scaled(config.llm_share), credit.scaled(config.gas_share));
        Self {
            amounts: [trading, llm, gas, credit - llm - gas, Usdc::ZERO],
            spent_this_tick: [Usdc::ZERO; COMPARTMENTS],
            burn_per_tick: [0.0; COMPARTMENTS],
            last_rebalance: None,
        }
    }

    /// The balance of one compartment; it may be negative.
    pub fn amount(&self, compartment: Compartment) -> Usdc {
        self.amounts[compartment as usize]
    }

    /// The cash balance: the sum of all compartments, without open positions.
    pub fn total(&self) -> Usdc {
        self.amounts.iter().copied().sum()
    }

    /// Share of the whole purse that is left for inference (the remaining token budget), a fraction from 0 to 1; 0 when the purse is empty.
    /// Below `budget.min_llm_share` a dream is refused.
    pub fn llm_share(&self) -> f64 {
        let total = self.total().dollars();
        if total <= 0.0 { 0.0 } else { (self.amount(Compartment::Llm).dollars() / total).max(0.0) }
    }

    /// Pays a bill from a compartment: a debit that counts as an expense in the burn rate.
    ///
    /// # Panics
    /// When the bill is negative.
    pub fn pay(&mut self, compartment: Compartment, bill: Usdc) {
        assert!(bill >= Usdc::ZERO, "a bill is not negative");
        self.amounts[compartment as usize] -= bill;
        self.spent_this_tick[compartment as usize] += bill;
    }

    /// Puts trading capital into a position: a cash debit that doesn't count as spent.
    ///
    /// # Panics
    /// When the stake is not positive or exceeds the trading capital; the golem holds its stakes below that.
    pub fn stake(&mut self, stake: Usdc) {
        assert!(stake.is_positive() && stake <= self.amount(Compartment::Trading), "a stake is covered");
        self.amounts[Compartment::Trading as usize] -= stake;
    }

    /// Receives what a fill pays back, or the stake of a refused order, as trading capital: a credit to the cash balance.
    pub fn receive(&mut self, amount: Usdc) {
        assert!(amount >= Usdc::ZERO, "what is received is not negative");
        self.amounts[Compartment::Trading as usize] += amount;
    }

    /// Drains the purse, a withdrawal of the whole cash balance, which it returns; negative compartments are set off against the others, so
    /// it may be negative.
    pub fn empty(&mut self) -> Usdc {
        let total = self.total();
        self.amounts = [Usdc::ZERO; COMPARTMENTS];
        total
    }

    /// Running spending of the living compartments, dollars a tick: the burn rate (EWMA of `burn_alpha`), from which a runway follows.
    /// Trading is left out. Survival pressure, the feelings about death and the clocks of dreams divide by it, each by at least the price
    /// of a tick's compute, because a newborn has spent nothing yet.
    pub(crate) fn burn_per_tick(&self) -> f64 {
        self.burn_per_tick[1..].iter().sum()
    }

    /// Divides the credit anew for the last phase of a life: by default 30 % inference, 15 % gas, 5 % data and 50 % for the legacy
    /// (digest section 11, M04), a bequest, an earmarked reserve that pays for nothing else. It is called on entering the terminal phase,
    /// where `economic.legacy_at_terminal` is on. There is no way back; done twice, it does nothing.
    pub(crate) fn put_legacy_aside(&mut self, config: &EconomicConfig) {
        let credit: Usdc = self.amounts[Compartment::Llm as usize..].iter().copied().sum();
        if self.amounts[Compartment::Legacy as usize].is_positive() || !credit.is_positive() {
            return;
        }
        let llm = credit.scaled(config.terminal_llm_share);
        let (gas, data) =
            (credit.scaled(config.terminal_gas_share), credit.scaled(config.terminal_data_share));
        self.amounts[1..].copy_from_slice(&[llm, gas, data, credit - llm - gas - data]);
    }

    /// Ends a tick: updates the burn rates, and covers a compartment's forecast shortfall from the fullest other one (10-tick forecast,
    /// shortfall × 1.2, at most half the giver, 30 ticks apart; digest section 11).
    pub fn end_tick(&mut self, now: Tick, config: &PurseConfig) {
        for (burn, spent) in self.burn_per_tick.iter_mut().zip(&mut self.spent_this_tick) {
            *burn += config.burn_alpha * (std::mem::take(spent).dollars() - *burn);
        }
        if self.last_rebalance.is_some_and(|last| now.saturating_sub(last) < config.rebalance_cooldown_ticks)
        {
            return;
        }
        for needy in [Compartment::Llm, Compartment::Gas, Compartment::Data] {
            let forecast = self.burn_per_tick[needy as usize] * config.forecast_ticks as f64;
            let shortfall = Usdc::from_dollars(forecast) - self.amount(needy);
            if shortfall.is_positive() {
                self.cover(needy as usize, shortfall, config);
                self.last_rebalance = Some(now);
                return;
            }
        }
    }

    /// Moves money to a compartment from the fullest other one; of equal ones, from the first. The legacy gives nothing: it pays for nothing else.
    fn cover(&mut self, needy: usize, shortfall: Usdc, config: &PurseConfig) {
        let donor = (0..COMPARTMENTS)
            .filter(|&other| other != needy && other != Compartment::Legacy as usize)
            .max_by_key(|&other| (self.amounts[other], std::cmp::Reverse(other)))
            .expect("there are other compartments");
        let most = self.amounts[donor].scaled(config.rebalance_donor_share).max(Usdc::ZERO);
        let moved = shortfall.scaled(config.rebalance_margin).min(most);
        self.amounts[donor] -= moved;
        self.amounts[needy] += moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// $8 of credit: 2.40, 1.20, .40 and 4.00, once; afterwards the legacy covers no shortfall.
    #[test]
    fn the_legacy_is_put_aside_for_good() {
        let config = PurseConfig { trading_share: 0.2, burn_alpha: 1.0, ..PurseConfig::default() };
        let mut purse = Purse::new(Usdc::from_dollars(10.0), &config);
        let holds = |purse: &Purse, expected: [f64; COMPARTMENTS]| {
            assert_eq!(purse.amounts, expected.map(Usdc::from_dollars));
        };
        purse.put_legacy_aside(&EconomicConfig::default());
        holds(&purse, [2.0, 2.4, 1.2, 0.4, 4.0]);
        purse.put_legacy_aside(&EconomicConfig::default());
        holds(&purse, [2.0, 2.4, 1.2, 0.4, 4.0]);
        purse.pay(Compartment::Data, Usdc::from_dollars(0.4));
        purse.end_tick(100, &config);
        holds(&purse, [2.0, 1.2, 1.2, 1.2, 4.0]);
        assert_eq!(purse.total(), Usdc::from_dollars(9.6));
    }
}
