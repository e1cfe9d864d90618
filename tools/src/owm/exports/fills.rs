//! Fills become trades by FIFO lot matching within a symbol: what was bought first is sold first. Formats of shape `Fills`
//! (exchanges, brokers, orders) are paired here, so that the import has round-trip trades; formats of closed trades never get here.
//!
//! A trade's `pnl` is net of fees: price difference times quantity, or the broker's own profit of the closing fill (shared out among the
//! lots that it closes, by quantity), less the fees of both sides in proportion to the quantity. Fees in a currency outside the pair are
//! left out and counted in a remark. Quantities are in the file's units. Positions still open at the end are dropped, with a remark. The
//! rule is fixed, so that a file always gives the same trades.

use super::columns::Values;
use super::side;
use crate::owm::mistake::Mistake;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// A remainder below this share of a quantity is a rounding error of its decimals.
const DUST: f64 = 1e-9;

/// A fill, or the part of it that is still open.
#[derive(Clone, Debug)]
struct Fill {
    /// The row in the file.
    place: usize,
    at_s: f64,
    is_buy: bool,
    price: f64,
    /// Quantity in the file's units, above 0; the part that is still open.
    quantity: f64,
    /// Fee of the whole quantity, in the quote currency.
    fee: f64,
    /// Profit of the whole quantity, if the broker reports one.
    made: Option<f64>,
    strategy: Option<Value>,
}

/// Trades, with remarks on the pairing (round-trip trades).
pub(super) struct Paired {
    /// Trades by the line of the fill that closed them.
    pub trades: Vec<(usize, Result<Values, Mistake>)>,
    /// Numbers of pairs, open remainders and counted fees.
    pub remarks: Vec<String>,
}

/// Counts of fills and of fees.
#[derive(Default)]
struct Seen {
    fills: u64,
    /// Numbers of fees by a currency outside the pair, which are in no profit.
    fees_elsewhere: BTreeMap<String, u64>,
    /// Number of fees without a currency, which are taken for the quote's.
    fees_assumed: u64,
}

/// Pairs fills in the order of time (FIFO matching). Without `shorts`, as in a spot market, a sale of something that wasn't bought in the file
/// opens no position and is named in a remark. A bad row stays in the result as an error at its place.
pub(super) fn paired(rows: Vec<(usize, Result<Values, Mistake>)>, shorts: bool) -> Paired {
    let mut seen = Seen::default();
    let (mut by_symbol, mut trades) = (BTreeMap::<String, Vec<(Fill, String)>>::new(), Vec::new());
    // All fees are read before the first fill, because the sign is decided for the file as a whole.
    let fees: Vec<f64> = rows.iter().filter_map(|(_, row)| row.as_ref().ok()?.get("fee")?.as_f64()).collect();
    // Some brokers write costs as negative numbers. The majority decides the sign, because a rebate among costs has the other one.
    let sign = if fees.iter().filter(|fee| **fee < 0.0).count() * 2 > fees.len() { -1.0 } else { 1.0 };
    for (place, row) in rows {
        match row.and_then(|row| fill(place, &row, sign, &mut seen)) {
            Ok((symbol, order, fill)) => by_symbol.entry(symbol).or_default().push((fill, order)),
            // A bad row is reported like a trade at its line, and the others are paired without it.
            Err(what) => trades.push((place, Err(what))),
        }
    }
    let (mut open, mut unbought) = (Vec::new(), Vec::new());
    for (symbol, mut fills) in by_symbol {
        // Many files begin with the newest fill. Reversing keeps the order of fills with one moment, which sorting by time alone wouldn't.
        let is_backwards = fills.first().map(|(fill, _)| fill.at_s) > fills.last().map(|(fill, _)| fill.at_s);
        if is_backwards {
            fills.reverse();
        }
        fills.sort_by(|(a, _), (b, _)| a.at_s.total_cmp(&b.at_s));
        let mut lots = VecDeque::new();
        let mut missing = 0.0;
        for fill in of_orders(fills) {
            missing += close_lots(&symbol, fill, shorts, &mut lots, &mut trades);
        }
        let rest: f64 =
            lots.iter().map(|lot: &Fill| if lot.is_buy { lot.quantity } else { -lot.quantity }).sum();
        if let Some(first) = lots.front() {
            open.push(format!(
                "{} of {symbol} ({}, since line {})",
                short(rest.abs()),
                side::name(rest > 0.0),
                first.place
            ));
        }
        if missing > 0.0 {
            unbought.push(format!("{} of {symbol}", short(missing)));
        }
    }
    trades.sort_by_key(|(place, _)| *place);
    let mut remarks = vec![format!("{} fills were paired to trades, first in, first out", seen.fills)];
    let several = |items: &[String]| {
        let more = if items.len() > 3 { format!(" and {} more", items.len() - 3) } else { String::new() };
        format!("{}{more}", items[..items.len().min(3)].join(", "))
    };
    if !open.is_empty() {
        remarks.push(format!("what stays open is not taken: {}", several(&open)));
    }
    if !unbought.is_empty() {
        remarks
            .push(format!("sales of what was not bought in the file end no trade: {}", several(&unbought)));
    }
    if !seen.fees_elsewhere.is_empty() {
        let names: Vec<&str> = seen.fees_elsewhere.keys().map(String::as_str).collect();
        let count: u64 = seen.fees_elsewhere.values().sum();
        remarks.push(format!(
            "{count} fees in {} are not in pnl, those in the pair's own currencies are",
            names.join(", ")
        ));
    }
    if seen.fees_assumed > 0 {
        remarks.push("fees without a currency are counted as the quote's".to_owned());
    }
    Paired { trades, remarks }
}

/// A number without the noise of its last bits.
fn short(number: f64) -> f64 {
    format!("{number:.8}").parse().unwrap_or(number)
}

/// A fill with its symbol and order.
fn fill(place: usize, row: &Values, sign: f64, seen: &mut Seen) -> Result<(String, String, Fill), Mistake> {
    let number = |name: &str| row.get(name).and_then(Value::as_f64);
    let text = |name: &str| {
        row.get(name).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let at_s = number("timestamp").ok_or(Mistake::NoTimestamp)?;
    let symbol = text("symbol").ok_or(Mistake::NoColumn("symbol"))?;
    let signed = number("lot_size")
        .filter(|quantity| *quantity != 0.0)
        .ok_or(Mistake::NotATrade("a fill of no quantity"))?;
    let is_buy = match text("direction") {
        Some(word) => side::is_long(&word).ok_or(Mistake::NoDirection(word))?,
        None => signed > 0.0,
    };
    let mut quantity = signed.abs();
    let amount = number("quote_amount").map(f64::abs).filter(|amount| *amount > 0.0);
    // Some exports have the amount in place of the price; the price is then their quotient, rather than missing.
    let price = number("price").or(number("entry_price")).or(amount.map(|amount| amount / quantity));
    let price = price.filter(|price| *price > 0.0).ok_or(Mistake::NoColumn("price"))?;
    let unit = text("fee_currency").or_else(|| text("fee_unit"));
    let mut cost = 0.0;
    if let Some(fee) = number("fee").map(|fee| fee * sign).filter(|fee| *fee != 0.0) {
        // Exchanges write a pair as ABC/USDT, ABC-USDT or ABCUSDT; without separators they are equal.
        let pair: String =
            symbol.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>().to_uppercase();
        let quote = text("quote_amount_unit");
        match unit.map(|unit| unit.trim().to_uppercase()) {
            None => (cost, seen.fees_assumed) = (fee, seen.fees_assumed + 1),
            Some(unit) if quote.as_deref() == Some(&unit) || pair.ends_with(&unit) => cost = fee,
            // A fee paid in the bought coin reduces the quantity that can be sold.
            Some(unit) if pair.starts_with(&unit) => {
                cost = fee * price;
                if is_buy && fee < quantity {
                    quantity -= fee;
                }
            }
            Some(unit) => *seen.fees_elsewhere.entry(unit).or_default() += 1,
        }
    }
    seen.fills += 1;
    let made = number("pnl").map(|pnl| pnl + number("swap").unwrap_or(0.0));
    let strategy = row.get("strategy").cloned();
    let fill = Fill { place, at_s, is_buy, price, quantity, fee: cost, made, strategy };
    Ok((symbol, text("order_id").unwrap_or_default(), fill))
}

/// Merges the fills of an order, or of one moment where orders have no id: an exchange splits an order by its counterparties.
fn of_orders(fills: Vec<(Fill, String)>) -> Vec<Fill> {
    let mut whole: Vec<(Fill, String)> = Vec::with_capacity(fills.len());
    // Only neighbours are merged, because the fills are sorted by time and those of one order follow each other.
    for (fill, order) in fills {
        match whole.last_mut() {
            Some((last, of))
                if *of == order
                    && last.is_buy == fill.is_buy
                    && (last.at_s == fill.at_s || !order.is_empty()) =>
            {
                let quantity = last.quantity + fill.quantity;
                // The mean weighted by quantity, so that the cost of the whole stays the same.
                last.price = (last.price * last.quantity + fill.price * fill.quantity) / quantity;
                last.quantity = quantity;
                last.fee += fill.fee;
                last.made = match (last.made, fill.made) {
                    (Some(a), Some(b)) => Some(a + b),
                    (a, b) => a.or(b),
                };
            }
            _ => whole.push((fill, order)),
        }
    }
    whole.into_iter().map(|(fill, _)| fill).collect()
}

/// Closes open lots with a fill, and opens a lot of the remainder. Returns the quantity that had no lot to close.
fn close_lots(
    symbol: &str,
    mut fill: Fill,
    shorts: bool,
    lots: &mut VecDeque<Fill>,
    trades: &mut Vec<(usize, Result<Values, Mistake>)>,
) -> f64 {
    let whole = fill.quantity;
    // A broker's profit is of what a fill closes. The part that opens a new position made nothing yet, so it has no share of it.
    let opposite: f64 = lots.iter().filter(|lot| lot.is_buy != fill.is_buy).map(|lot| lot.quantity).sum();
    let mut closable = opposite.min(whole);
    while fill.quantity > whole * DUST {
        // Lots of the same side can't close each other.
        let Some(lot) = lots.front_mut().filter(|lot| lot.is_buy != fill.is_buy) else { break };
        let quantity = lot.quantity.min(fill.quantity);
        // Fees are charged in proportion to the quantity, so that a fill that closes several trades charges each once.
        let (of_lot, of_fill) = (quantity / lot.quantity, quantity / fill.quantity);
        let fees = lot.fee * of_lot + fill.fee * of_fill;
        let sign = if lot.is_buy { 1.0 } else { -1.0 };
        // The broker's profit is preferred, because it contains the contract's point value, which the file doesn't have.
        let share = quantity / closable;
        let made = fill.made.map_or(sign * (fill.price - lot.price) * quantity, |made| made * share);
        let mut trade = json!({
            "timestamp": lot.at_s, "exit_timestamp": fill.at_s, "symbol": symbol, "direction": side::name(lot.is_buy),
            "entry_price": lot.price, "exit_price": fill.price, "lot_size": quantity, "pnl": made - fees,
        });
        if let (Value::Object(fields), Some(strategy)) =
            (&mut trade, lot.strategy.clone().or(fill.strategy.clone()))
        {
            fields.insert("strategy".to_owned(), strategy);
        }
        // The trade has the place of the closing fill, because that row decides its outcome.
        trades.extend(trade.as_object().cloned().map(|trade| (fill.place, Ok(trade))));
        lot.fee -= lot.fee * of_lot;
        fill.fee -= fill.fee * of_fill;
        fill.made = fill.made.map(|made| made - made * share);
        closable -= quantity;
        lot.quantity -= quantity;
        fill.quantity -= quantity;
        if lot.quantity <= quantity * DUST {
            lots.pop_front();
        }
    }
    if fill.quantity <= whole * DUST {
        return 0.0;
    }
    // Without shorts the remainder has no purchase in the file, so no price and no profit can be given.
    if fill.is_buy || shorts {
        lots.push_back(fill);
        return 0.0;
    }
    fill.quantity
}

#[cfg(test)]
mod tests {
    use super::paired;
    use serde_json::json;

    /// Rows of (second, signed quantity, price, fee).
    fn rows(fills: &[(f64, f64, f64, &str)]) -> Vec<(usize, Result<super::Values, super::Mistake>)> {
        let row = |(place, (at, quantity, price, fee)): (usize, &(f64, f64, f64, &str))| {
            let mut row =
                json!({ "timestamp": at, "symbol": "ABCUSDT", "lot_size": quantity, "price": price });
            if let Some((fee, unit)) = fee.split_once(' ') {
                row["fee"] = json!(fee.parse::<f64>().unwrap());
                row["fee_unit"] = json!(unit);
            }
            (place + 2, Ok(row.as_object().unwrap().clone()))
        };
        fills.iter().enumerate().map(row).collect()
    }

    fn seen(paired: &super::Paired) -> Vec<(String, f64, f64)> {
        let trade = |(_, trade): &(usize, Result<super::Values, super::Mistake>)| {
            let trade = trade.as_ref().unwrap();
            let number = |name: &str| (trade[name].as_f64().unwrap() * 1e6).round() / 1e6;
            (trade["direction"].as_str().unwrap().to_owned(), number("lot_size"), number("pnl"))
        };
        paired.trades.iter().map(trade).collect()
    }

    #[test]
    fn lots_close_first_in_first_out_and_a_reversal_opens_the_other_side() {
        let fills = [
            (1.0, 2.0, 10.0, ""),
            (2.0, 1.0, 12.0, ""),
            (3.0, -2.5, 13.0, ""),
            (4.0, -1.5, 11.0, ""),
            (5.0, 1.0, 9.0, ""),
        ];
        let both = paired(rows(&fills), true);
        let long = |quantity, pnl| ("long".to_owned(), quantity, pnl);
        let longs = [long(2.0, 6.0), long(0.5, 0.5), long(0.5, -0.5)];
        assert_eq!(seen(&both), [&longs[..], &[("short".to_owned(), 1.0, 2.0)]].concat());
        assert_eq!(both.remarks.len(), 1, "{:?}", both.remarks);
        let spot = paired(rows(&fills), false);
        assert_eq!(seen(&spot), longs);
        assert!(spot.remarks[1].contains("1 of ABCUSDT (long, since line 6)"), "{:?}", spot.remarks);
        assert!(spot.remarks[2].contains("1 of ABCUSDT"), "{:?}", spot.remarks);
    }

    #[test]
    fn fees_count_in_the_currencies_of_the_pair() {
        // A fee of 1 % is paid in the bought coin: 9.9 coins are left, and 10 were paid for.
        let fills = [(1.0, 10.0, 10.0, "0.1 ABC"), (2.0, -9.9, 11.0, "1.089 USDT")];
        let paired_ = paired(rows(&fills), false);
        assert_eq!(seen(&paired_), [("long".to_owned(), 9.9, 7.811)], "9.9 at 11, less 1.089, less 100");
        let elsewhere = paired(rows(&[(1.0, 1.0, 10.0, "0.1 BNB"), (2.0, -1.0, 11.0, "")]), false);
        assert_eq!(seen(&elsewhere)[0].2, 1.0);
        assert!(elsewhere.remarks[1].contains("1 fees in BNB are not in pnl"), "{:?}", elsewhere.remarks);
    }

    /// A reversal of 2 in a position of 1: the broker's profit of 2 is of the trade that it ends, and the next one has its own.
    #[test]
    fn a_reversal_gives_all_of_its_profit_to_the_trades_that_it_closes() {
        let mut fills =
            rows(&[(1.0, 0.4, 10.0, ""), (2.0, 0.6, 10.0, ""), (3.0, -2.0, 12.0, ""), (4.0, 1.0, 11.0, "")]);
        for ((_, fill), made) in fills.iter_mut().zip([0.0, 0.0, 20.0, 10.0]) {
            fill.as_mut().unwrap().insert("pnl".to_owned(), json!(made));
        }
        let trade = |direction: &str, quantity, pnl| (direction.to_owned(), quantity, pnl);
        let expected = [trade("long", 0.4, 8.0), trade("long", 0.6, 12.0), trade("short", 1.0, 10.0)];
        assert_eq!(seen(&paired(fills, true)), expected);
    }

    #[test]
    fn a_file_with_the_newest_fill_first_is_reversed() {
        let fills = [(2.0, -1.0, 11.0, ""), (1.0, 1.0, 10.0, "")];
        assert_eq!(seen(&paired(rows(&fills), false)), [("long".to_owned(), 1.0, 1.0)]);
    }
}
