//! From an order to its fill: the matching engine of the market, against a pool (automated market maker) and not an order book.
//!
//! Slippage is the part of the value at the mid price before the order that is lost, in bps: fee, spread and price impact together, without
//! gas. A close pays, in this order, the loan, its charges, and then the golem; what the position doesn't cover is the lender's loss. Money
//! is in whole micro-dollars, quantities are in billionths of a unit, prices in dollars a unit.
//!
//! A refused order changes nothing and costs no gas. Here sizes and signs are checked; that a close takes no more out of escrow or pool
//! than golems put in is checked before, by `MarketState`, and whether the golem has the money by the golem itself.

use crate::market::pool::Pool;
use crate::market::{AssetView, Fill, Order, OrderKind, PositionSide, Quantity};
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// Largest stake: a billion dollars, beyond any depth a scenario may set.
pub(crate) const STAKE_MAX: Usdc = Usdc(1_000_000_000 * Usdc::MICROS);
/// Largest quantity; the pool's reserve and this fit 64 bits together.
const QUANTITY_MAX: i64 = i64::MAX / 4;

/// An order rejection with its reason: why an order was not executed. Nothing changed and no gas is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum OrderRefusal {
    /// There is no such asset.
    #[error("there is no such asset")]
    UnknownAsset,
    /// The stake is zero or negative, or what is lent or owed is negative.
    #[error("the stake must be above zero, and nothing lent or owed below")]
    StakeNotPositive,
    /// The quantity to close is zero or negative, or the proceeds are negative.
    #[error("the position to close holds nothing")]
    NothingToClose,
    /// More than the market can take.
    #[error("the order is larger than the market can take")]
    TooLarge,
    /// So small that it buys nothing.
    #[error("the order is too small to buy anything")]
    TooSmall,
    /// More than the pool or the escrow holds for golems.
    #[error("the market holds no such position")]
    NotHeld,
}

/// Executes an order without market impact: the fill of an order against a snapshot of an asset, which stays as it was. This is all that a
/// price-taker market does with an order, so golems may be stepped far ahead of it. The order still pays its own impact on the snapshot.
///
/// # Errors
/// When the order is refused.
pub fn fill_price_taker(asset: &AssetView, gas: Usdc, order: &Order) -> Result<Fill, OrderRefusal> {
    let depth = Usdc::from_dollars(asset.depth_usdc);
    let mut pool = Pool::new(depth, asset.pool_price, asset.pool_fee, asset.half_spread, asset.fee_growth);
    let growth = asset.fee_growth;
    if let (PositionSide::Liquidity, OrderKind::Close { quantity, .. }) = (order.side, order.kind) {
        // The golem's shares were never put into the real pool: put them into this one.
        check_quantity(quantity)?;
        let grown = 1.0 + quantity.0 as f64 / pool.liquidity().0.max(1) as f64;
        if grown * pool.money().dollars() > STAKE_MAX.dollars() {
            return Err(OrderRefusal::TooLarge);
        }
        pool.scale_to(pool.money().scaled(grown));
    }
    execute(&mut pool, gas, order).map(|fill| Fill { fee_growth: growth, ..fill })
}

/// Executes an order with market impact: the pool's reserves move. A refused order leaves the pool as it was.
pub(crate) fn execute(pool: &mut Pool, gas: Usdc, order: &Order) -> Result<Fill, OrderRefusal> {
    match order.kind {
        OrderKind::Open { stake, loan } => {
            let size = check_size(stake, loan)?;
            open(pool, gas, order, size)
        }
        OrderKind::Close { stake, loan, quantity, proceeds, fee_growth, charges } => {
            check_size(stake, loan)?;
            check_size(stake, charges)?;
            check_quantity(quantity)?;
            if proceeds.0 < 0 || proceeds > STAKE_MAX {
                return Err(OrderRefusal::NothingToClose);
            }
            close(pool, gas, order, &Held { stake, loan, quantity, proceeds, fee_growth, charges })
        }
    }
}

/// A position to close.
struct Held {
    stake: Usdc,
    loan: Usdc,
    charges: Usdc,
    quantity: Quantity,
    proceeds: Usdc,
    fee_growth: f64,
}

/// The sum of the stake and of the money lent or owed.
fn check_size(stake: Usdc, more: Usdc) -> Result<Usdc, OrderRefusal> {
    match (stake, more) {
        (stake, more) if !stake.is_positive() || more < Usdc::ZERO => Err(OrderRefusal::StakeNotPositive),
        (stake, more) if stake > STAKE_MAX || more > STAKE_MAX - stake => Err(OrderRefusal::TooLarge),
        _ => Ok(stake + more),
    }
}

fn check_quantity(quantity: Quantity) -> Result<(), OrderRefusal> {
    match quantity.0 {
        ..=0 => Err(OrderRefusal::NothingToClose),
        nanos if nanos > QUANTITY_MAX => Err(OrderRefusal::TooLarge),
        _ => Ok(()),
    }
}

/// Opens a position of a size: the stake and what is lent.
fn open(pool: &mut Pool, gas: Usdc, order: &Order, size: Usdc) -> Result<Fill, OrderRefusal> {
    let mid = pool.price();
    // Tried on a copy, so that a refusal leaves the pool as it was: a refused order may cost nothing (see `OrderRefusal`).
    let mut tried = pool.clone();
    let (quantity, proceeds, price, worth) = match order.side {
        PositionSide::Long => {
            let bought = tried.buy(size);
            (bought, Usdc::ZERO, size.dollars() / bought.units(), bought.units() * mid)
        }
        PositionSide::Short => {
            let borrowed = Quantity::from_units(size.dollars() / mid);
            check_quantity(borrowed).map_err(|refusal| match refusal {
                OrderRefusal::NothingToClose => OrderRefusal::TooSmall,
                other => other,
            })?;
            let proceeds = tried.sell(borrowed).ok_or(OrderRefusal::TooLarge)?;
            (borrowed, proceeds, proceeds.dollars() / borrowed.units(), proceeds.dollars())
        }
        PositionSide::Liquidity => {
            let shares = tried.add_liquidity(size);
            (shares, Usdc::ZERO, mid, Pool::shares_worth(shares, mid))
        }
    };
    if quantity.0 <= 0 {
        return Err(OrderRefusal::TooSmall);
    }
    *pool = tried;
    let slippage_bps = 1e4 * (1.0 - worth / size.dollars());
    let fee_growth = pool.fee_growth();
    Ok(Fill {
        order: *order,
        cash_back: Usdc::ZERO,
        repaid: Usdc::ZERO,
        uncovered: Usdc::ZERO,
        gas,
        quantity,
        proceeds,
        fee_growth,
        price,
        slippage_bps,
    })
}

fn close(pool: &mut Pool, gas: Usdc, order: &Order, held: &Held) -> Result<Fill, OrderRefusal> {
    let mid = pool.price();
    let units = held.quantity.units();
    let (gross, missing, price, slippage) = match order.side {
        PositionSide::Long => {
            let cash = pool.sell(held.quantity).ok_or(OrderRefusal::TooLarge)?;
            (cash, Usdc::ZERO, cash.dollars() / units, 1.0 - cash.dollars() / (units * mid))
        }
        PositionSide::Short => close_short(pool, held),
        PositionSide::Liquidity => {
            let growth = pool.fee_growth();
            let worth = Pool::shares_worth(held.quantity, mid);
            let cash = pool.remove_liquidity(held.quantity).ok_or(OrderRefusal::NotHeld)?;
            // A NaN or an impossible reading earns nothing: `fee_growth` came from the golem's letter and must not mint money.
            let earned = (growth - held.fee_growth.max(0.0)).clamp(0.0, growth.max(0.0));
            (cash + (held.stake + held.loan).scaled(earned), Usdc::ZERO, mid, 1.0 - cash.dollars() / worth)
        }
    };
    // The loan of a short is in the asset, and was bought back already.
    let lent = if order.side == PositionSide::Short { Usdc::ZERO } else { held.loan };
    let owed = lent + held.charges;
    let repaid = gross.min(owed);
    Ok(Fill {
        order: *order,
        cash_back: gross - repaid,
        repaid,
        uncovered: missing + owed - repaid,
        gas,
        quantity: held.quantity,
        proceeds: Usdc::ZERO,
        fee_growth: pool.fee_growth(),
        price,
        slippage_bps: 1e4 * slippage,
    })
}

/// Buys the borrowed asset back out of stake and proceeds, and returns the rest of them and the missing part. When they don't suffice the
/// golem gets nothing and the lender bears the rest; when the pool hasn't got the asset at any price the lender keeps the money instead.
fn close_short(pool: &mut Pool, held: &Held) -> (Usdc, Usdc, f64, f64) {
    let (worth, units) = (pool.worth(held.quantity), held.quantity.units());
    let escrow = held.stake + held.proceeds;
    match pool.buy_back(held.quantity, STAKE_MAX) {
        Some(cost) => {
            let price = cost.dollars() / units;
            let (left, missing) = ((escrow - cost).max(Usdc::ZERO), (cost - escrow).max(Usdc::ZERO));
            (left, missing, price, cost.dollars() / worth - 1.0)
        }
        None => (Usdc::ZERO, Usdc::ZERO, escrow.dollars() / units, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Pool {
        Pool::new(Usdc::from_dollars(1e6), 100.0, 0.0005, 0.0001, 0.0)
    }

    fn opening(side: PositionSide, dollars: f64) -> Order {
        Order {
            asset: 0,
            side,
            kind: OrderKind::Open { stake: Usdc::from_dollars(dollars), loan: Usdc::ZERO },
        }
    }

    fn closing(fill: &Fill) -> Order {
        let OrderKind::Open { stake, loan } = fill.order.kind else { panic!("not an opening fill") };
        let (quantity, proceeds, fee_growth) = (fill.quantity, fill.proceeds, fill.fee_growth);
        let kind = OrderKind::Close { stake, loan, quantity, proceeds, fee_growth, charges: Usdc::ZERO };
        Order { kind, ..fill.order }
    }

    fn gain(side: PositionSide, move_price: f64) -> f64 {
        let mut pool = pool();
        let opened = execute(&mut pool, Usdc(7), &opening(side, 100.0)).unwrap();
        pool.move_to(pool.price() * move_price);
        let closed = execute(&mut pool, Usdc(7), &closing(&opened)).unwrap();
        closed.cash_back.dollars() - 100.0
    }

    #[test]
    fn gains_have_the_right_sign_and_size() {
        for (side, factor, expected) in [
            (PositionSide::Long, 1.1, 10.0),
            (PositionSide::Long, 0.9, -10.0),
            (PositionSide::Short, 0.9, 10.0),
            (PositionSide::Short, 1.1, -10.0),
            (PositionSide::Short, 3.0, -100.0),
            (PositionSide::Liquidity, 1.21, 10.0),
        ] {
            let found = gain(side, factor);
            assert!((found - expected).abs() < 0.3, "{side:?} {factor}: {found}");
        }
    }

    /// Ten dollars and ninety lent, without fees: 5 % one way makes or loses half of the ten, and what a fall of 15 % doesn't cover is
    /// the lender's loss.
    #[test]
    fn a_loan_multiplies_what_the_stake_makes_and_is_repaid_first() {
        let traded = |side, factor: f64, charges: f64| {
            let mut pool = Pool::new(Usdc::from_dollars(1e8), 100.0, 0.0, 0.0, 0.0);
            let (stake, loan) = (Usdc::from_dollars(10.0), Usdc::from_dollars(90.0));
            let order = Order { kind: OrderKind::Open { stake, loan }, ..opening(side, 1.0) };
            let opened = execute(&mut pool, Usdc::ZERO, &order).unwrap();
            pool.move_to(pool.price() * factor);
            let mut order = closing(&opened);
            if let OrderKind::Close { charges: owed, .. } = &mut order.kind {
                *owed = Usdc::from_dollars(charges);
            }
            let closed = execute(&mut pool, Usdc::ZERO, &order).unwrap();
            [closed.cash_back, closed.repaid, closed.uncovered].map(Usdc::dollars)
        };
        use PositionSide::{Long, Short};
        for (side, factor, charges, expected) in [
            (Long, 1.05, 0.0, [15.0, 90.0, 0.0]),
            (Long, 0.95, 2.0, [3.0, 92.0, 0.0]),
            (Long, 0.85, 2.0, [0.0, 85.0, 7.0]),
            (Short, 0.95, 2.0, [13.0, 2.0, 0.0]),
            (Short, 1.05, 7.0, [0.0, 5.0, 2.0]),
            (Short, 1.15, 2.0, [0.0, 0.0, 7.0]),
        ] {
            let found = traded(side, factor, charges);
            let same = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3);
            assert!(same, "{side:?} {factor}: {found:?} instead of {expected:?}");
        }
    }

    #[test]
    fn slippage_is_what_was_predicted() {
        let stake = Usdc::from_dollars(5_000.0);
        let predicted = 1e4 * (0.0006 + 5_000.0 / 1_005_000.0);
        for side in [PositionSide::Long, PositionSide::Short] {
            let order = Order { kind: OrderKind::Open { stake, loan: Usdc::ZERO }, ..opening(side, 1.0) };
            let fill = execute(&mut pool(), Usdc::ZERO, &order).unwrap();
            assert!((fill.slippage_bps - predicted).abs() < 0.1, "{} {predicted}", fill.slippage_bps);
        }
    }

    #[test]
    fn impossible_orders_are_refused_and_change_nothing() {
        let close = |quantity, stake| Order {
            kind: OrderKind::Close {
                stake: Usdc(stake),
                quantity: Quantity(quantity),
                loan: Usdc::ZERO,
                proceeds: Usdc::ZERO,
                fee_growth: f64::NAN,
                charges: Usdc::ZERO,
            },
            ..opening(PositionSide::Liquidity, 1.0)
        };
        let lent = |dollars| Order {
            kind: OrderKind::Open { stake: Usdc(1_000_000), loan: Usdc::from_dollars(dollars) },
            ..opening(PositionSide::Long, 1.0)
        };
        for (order, expected) in [
            (opening(PositionSide::Long, 0.0), OrderRefusal::StakeNotPositive),
            (opening(PositionSide::Short, -5.0), OrderRefusal::StakeNotPositive),
            (opening(PositionSide::Long, 2e9), OrderRefusal::TooLarge),
            (opening(PositionSide::Liquidity, 1e-6), OrderRefusal::TooSmall),
            (lent(-1.0), OrderRefusal::StakeNotPositive),
            (lent(999_999_999.5), OrderRefusal::TooLarge),
            (close(0, 5), OrderRefusal::NothingToClose),
            (close(i64::MAX, 5), OrderRefusal::TooLarge),
            (close(i64::MAX / 8, 5), OrderRefusal::NotHeld),
        ] {
            let mut changed = pool();
            assert_eq!(execute(&mut changed, Usdc::ZERO, &order), Err(expected), "{order:?}");
            assert_eq!(changed, pool());
        }
    }
}
