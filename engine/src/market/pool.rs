//! A constant-product pool, x · y = k, in integers: an automated market maker (AMM), or liquidity pool, with price impact and impermanent
//! loss.
//!
//! Fees and the spread are charged in money beside the reserves, so k changes only when liquidity comes or goes (and by rounding, always in
//! the pool's favour). `fee_growth` counts the earnings of liquidity: dollars of fees for each dollar of liquidity since the start of the
//! world. Liquidity earns the fee, not the spread.
//!
//! As Uniswap v2 has it, but with the fee beside the reserves. Integers, because money must be conserved to the micro-dollar: in floats the
//! sum of reserves and balances would drift by rounding, and the ledger's check at every barrier would need a tolerance. Money is in
//! micro-dollars, the asset in billionths of a unit, fee and half spread are fractions. Golems trade here by `execute`, the crowd by
//! itself; in a price-taker market, each order of a golem is filled on a pool of its own, made from the view (`fill_price_taker`).

use crate::market::Quantity;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// Widest half spread, as a fraction. With the highest fee (1,000 bps) a charge is then 30 % at most; nearer to 1, the charge on top of a
/// purchase, c/(1 − c), would grow without bound.
pub(crate) const HALF_SPREAD_MAX: f64 = 0.2;
/// Micro-dollars a nano-unit is worth at one dollar a unit: 10⁶ / 10⁹.
const MICROS_PER_NANO: f64 = 1e-3;

/// The base and quote reserves and the terms of one pool: a constant-product automated market maker (AMM).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pool {
    /// The asset side x, never empty.
    base: Quantity,
    /// The money side y, never empty.
    money: Usdc,
    /// Fee of a swap, a fraction.
    fee: f64,
    /// Half the bid-ask spread, a fraction.
    half_spread: f64,
    /// Fees earned by a dollar of liquidity since the start; never falls.
    fee_growth: f64,
}

impl Pool {
    /// Makes a pool with these initial reserves: this much money on one side, at this price in dollars a unit. Neither side is ever empty.
    pub fn new(depth: Usdc, price: f64, fee: f64, half_spread: f64, fee_growth: f64) -> Self {
        let base = Quantity::from_units(depth.dollars() / price);
        let half_spread = half_spread.clamp(0.0, HALF_SPREAD_MAX);
        Self { base: Quantity(base.0.max(1)), money: depth.max(Usdc(1)), fee, half_spread, fee_growth }
    }

    /// Mid price (spot price), dollars a unit: y/x, the marginal price of the constant-product curve.
    pub fn price(&self) -> f64 {
        self.money.0 as f64 / self.base.0 as f64 / MICROS_PER_NANO
    }

    /// The asset reserve (base asset, inventory), in billionths of a unit.
    pub fn base(&self) -> Quantity {
        self.base
    }

    /// The quote reserve (cash reserve), in whole micro-dollars: the money side, whose size is the market's depth, its liquidity in
    /// dollars.
    pub fn money(&self) -> Usdc {
        self.money
    }

    /// The swap fee as a fraction of what is swapped (trading fee rate).
    pub fn fee(&self) -> f64 {
        self.fee
    }

    /// The half bid-ask spread of the pool, as of a market maker, a fraction of the mid price.
    pub fn half_spread(&self) -> f64 {
        self.half_spread
    }

    /// The fee growth accumulator, as in Uniswap v3: fees earned by one dollar of liquidity since the start of the world.
    pub fn fee_growth(&self) -> f64 {
        self.fee_growth
    }

    /// All liquidity, √(x·y) (the geometric mean of the reserves), the unit of LP shares: a swap leaves it as it is, so a share's owner
    /// owns the same part afterwards.
    pub fn liquidity(&self) -> Quantity {
        let k = (self.base.0.unsigned_abs() as u128) * (self.money.0.unsigned_abs() as u128);
        Quantity(k.isqrt() as i64)
    }

    /// Sets the swap fee, a fraction, where a branch changes it.
    pub(crate) fn set_fee(&mut self, fee: f64) {
        self.fee = fee;
    }

    /// Sets the half bid-ask spread, a fraction, clamped to the widest; the crowd does so each tick.
    pub(crate) fn set_half_spread(&mut self, half_spread: f64) {
        self.half_spread = half_spread.clamp(0.0, HALF_SPREAD_MAX);
    }

    /// Mark-to-market value of an amount of the asset: its worth at the mid price, in dollars.
    pub(crate) fn worth(&self, quantity: Quantity) -> f64 {
        quantity.units() * self.price()
    }

    /// Worth of shares of the pool at a price, in dollars: with x·y = ℓ² and y/x = price, both sides are worth ℓ·√price.
    pub(crate) fn shares_worth(shares: Quantity, price: f64) -> f64 {
        2.0 * shares.0 as f64 * (price * MICROS_PER_NANO).sqrt() / Usdc::MICROS as f64
    }

    /// Fee and spread on an amount of money.
    fn charge(&self, amount: Usdc) -> Usdc {
        amount.scaled(self.fee + self.half_spread).min(amount)
    }

    /// Credits liquidity with the fees of some volume in dollars. Both sides supply the pool, so the fee is spread over twice the money
    /// side.
    pub(crate) fn earn_fees(&mut self, volume_dollars: f64) {
        self.fee_growth += self.fee * volume_dollars / (2.0 * self.money.dollars());
    }

    /// Buys with all of `stake`; the part for fee and spread stays outside the reserves.
    pub(crate) fn buy(&mut self, stake: Usdc) -> Quantity {
        let net = stake - self.charge(stake);
        self.earn_fees(stake.dollars());
        self.buy_net(net)
    }

    fn buy_net(&mut self, net: Usdc) -> Quantity {
        let (x, y, paid) = (i128::from(self.base.0), i128::from(self.money.0), i128::from(net.0));
        let bought = Quantity((x * paid / (y + paid)) as i64);
        self.base.0 -= bought.0;
        self.money += net;
        bought
    }

    /// Sells an amount and returns the money after fee and spread; `None` when the pool can't hold so much.
    pub(crate) fn sell(&mut self, quantity: Quantity) -> Option<Usdc> {
        let grown = self.base.0.checked_add(quantity.0)?;
        let (y, sold) = (i128::from(self.money.0), i128::from(quantity.0));
        // The floor never takes the last micro-dollar, as the base side is never empty.
        let gross = Usdc((y * sold / i128::from(grown)) as i64).min(self.money - Usdc(1));
        self.earn_fees(gross.dollars());
        self.base.0 = grown;
        self.money -= gross;
        Some(gross - self.charge(gross))
    }

    /// Buys back an exact amount and returns what it costs with fee and spread; `None`, and no change, when the pool holds no more than
    /// that or it costs more than `limit`.
    pub(crate) fn buy_back(&mut self, quantity: Quantity, limit: Usdc) -> Option<Usdc> {
        let left = i128::from(self.base.0) - i128::from(quantity.0);
        if left <= 0 {
            return None;
        }
        // Rounded up: rounded down, k would fall by a rounding at every purchase, and a loop of trades could drain the pool.
        let gross = (i128::from(self.money.0) * i128::from(quantity.0) + left - 1) / left;
        let gross = Usdc(i64::try_from(gross).ok().filter(|gross| *gross <= limit.0)?);
        let cost = gross + self.charge_on_top(gross);
        self.earn_fees(cost.dollars());
        self.base.0 = left as i64;
        self.money += gross;
        Some(cost)
    }

    /// The charge to add for `gross` to be left after it.
    fn charge_on_top(&self, gross: Usdc) -> Usdc {
        let rate = self.fee + self.half_spread;
        gross.scaled(rate / (1.0 - rate))
    }

    /// Puts `stake` on both sides: swaps the part that leaves the rest matching the price after the swap, then
    /// adds both. Returns the shares, none when the stake is too small to buy anything.
    ///
    /// With n the swapped money after charge c, the rest must be n(y + n)/y, so
    /// n²/y + n(1 + 1/(1 − c)) = stake.
    pub(crate) fn add_liquidity(&mut self, stake: Usdc) -> Quantity {
        let (y, rate) = (self.money.0 as f64, self.fee + self.half_spread);
        let b = 1.0 + 1.0 / (1.0 - rate);
        let swapped = Usdc((y * ((b * b + 4.0 * stake.0 as f64 / y).sqrt() - b) / 2.0).floor() as i64);
        let charge = self.charge_on_top(swapped);
        self.earn_fees((swapped + charge).dollars());
        let bought = self.buy_net(swapped);
        let rest = (stake - swapped - charge).max(Usdc::ZERO);
        if bought.0 == 0 {
            return bought;
        }
        let (all, y) = (i128::from(self.liquidity().0), i128::from(self.money.0));
        self.base.0 += bought.0;
        self.money += rest;
        Quantity((all * i128::from(rest.0) / y) as i64)
    }

    /// Takes shares out and sells their asset side into what is left. Returns the money after fee and spread; `None`, and no change, when
    /// the pool is then empty.
    pub(crate) fn remove_liquidity(&mut self, shares: Quantity) -> Option<Usdc> {
        let all = i128::from(self.liquidity().0);
        let part = |reserve: i64| (i128::from(reserve) * i128::from(shares.0) / all.max(1)) as i64;
        let (base, money) = (part(self.base.0), part(self.money.0));
        if i128::from(shares.0) >= all || base >= self.base.0 || money >= self.money.0 - 1 {
            return None;
        }
        self.base.0 -= base;
        self.money -= Usdc(money);
        let sold = self.sell(Quantity(base)).expect("the base side held it a moment ago");
        Some(Usdc(money) + sold)
    }

    /// Adds or removes liquidity in proportion: scales both sides by one factor, to a money side of `depth`.
    pub(crate) fn scale_to(&mut self, depth: Usdc) {
        let depth = depth.max(Usdc(1));
        let base = i128::from(self.base.0) * i128::from(depth.0) / i128::from(self.money.0);
        self.base.0 = i64::try_from(base).unwrap_or(i64::MAX / 2).max(1);
        self.money = depth;
    }

    /// Moves along the curve to a price, as an arbitrage swap without fee would: y = √(k·price).
    pub(crate) fn move_to(&mut self, price: f64) {
        let k = i128::from(self.base.0) * i128::from(self.money.0);
        let money = ((k as f64) * price * MICROS_PER_NANO).sqrt().round() as i64;
        let money = money.max(1);
        // Rounded up, so that k never falls.
        let base = (k + i128::from(money) - 1) / i128::from(money);
        let volume = (money - self.money.0).unsigned_abs() as f64 / Usdc::MICROS as f64;
        self.earn_fees(volume);
        self.money = Usdc(money);
        self.base.0 = i64::try_from(base).unwrap_or(i64::MAX / 2).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(fee: f64) -> Pool {
        Pool::new(Usdc::from_dollars(1_000_000.0), 2_000.0, fee, 0.0, 0.0)
    }

    #[test]
    fn a_purchase_pays_the_constant_product_price() {
        let mut pool = pool(0.0);
        assert_eq!(pool.base(), Quantity::from_units(500.0));
        // 500 · 10,000 / 1,010,000 = 4.950495… units.
        let bought = pool.buy(Usdc::from_dollars(10_000.0));
        assert!((bought.units() - 4.950_495_049).abs() < 1e-8);
        assert!((pool.price() - 2_000.0 * 1.01 * 1.01).abs() < 1e-6);
    }

    #[test]
    fn a_round_trip_costs_two_fees() {
        let mut pool = pool(0.003);
        let stake = Usdc::from_dollars(1.0);
        let bought = pool.buy(stake);
        let back = pool.sell(bought).unwrap();
        assert!((back.dollars() - 0.997 * 0.997).abs() < 2e-5, "{back}");
        assert!((pool.price() - 2_000.0).abs() < 1e-6);
    }

    /// The textbook figure: when the price doubles, a position is worth 2√2/3 of what holding would be.
    #[test]
    fn impermanent_loss_is_real() {
        let mut pool = pool(0.0);
        let start = pool.price();
        let shares = pool.add_liquidity(Usdc::from_dollars(10.0));
        let worth = Pool::shares_worth(shares, start);
        assert!((worth - 10.0).abs() < 1e-4, "{worth}");
        pool.move_to(2.0 * start);
        let held = 5.0 + 10.0;
        let ratio = Pool::shares_worth(shares, pool.price()) / held;
        assert!((ratio - 2.0 * 2.0_f64.sqrt() / 3.0).abs() < 1e-5, "{ratio}");
    }

    #[test]
    fn fees_raise_fee_growth_per_unit_of_liquidity() {
        let mut pool = pool(0.001);
        pool.earn_fees(500_000.0);
        // 500 dollars of fees over 2,000,000 dollars of liquidity.
        assert!((pool.fee_growth() - 0.00025).abs() < 1e-12);
    }

    #[test]
    fn no_order_empties_the_pool() {
        let mut pool = pool(0.0);
        assert_eq!(pool.buy_back(Quantity::from_units(500.0), Usdc(i64::MAX)), None);
        assert_eq!(pool.remove_liquidity(pool.liquidity()), None);
        pool.sell(Quantity::from_units(1e9)).unwrap();
        assert!(pool.money().is_positive());
    }
}
