//! Fills (execution reports) of Interactive Brokers, Coinbase, Kraken, and ccxt's `fetch_my_trades` of any exchange; `fills` pairs them by
//! FIFO. Interactive Brokers' realised profit already contains the commission, so that column of fees isn't read: fees
//! would be taken off twice. ccxt, Coinbase and
//! Kraken are read as spot markets without short positions; ccxt's fee is not read. They share a file, because each needs only a few
//! lines.

use super::{Format, NAMED_FILLS, Shape};
use crate::owm::exports::columns::Values;
use crate::owm::mistake::Mistake;

const NET: &str = "pnl is the broker's, with commission";

pub(super) const FORMATS: &[Format] = &[
    Format {
        name: "Interactive Brokers statement",
        signatures: &["trades header datadiscriminator symbol datetime quantity tprice"],
        columns: "datadiscriminator=kind realizedpl=pnl tprice=price commfee=",
        finish: orders,
        remark: Some(NET),
        ..NAMED_FILLS
    },
    Format {
        name: "Interactive Brokers Flex",
        signatures: &["symbol datetime buysell quantity tradeprice fifopnlrealized"],
        columns: "fifopnlrealized=pnl ibcommission= tradedate=",
        finish: orders,
        remark: Some(NET),
        ..NAMED_FILLS
    },
    Format {
        // The result of `fetch_my_trades`, which programs with ccxt also store.
        name: "ccxt trades",
        signatures: &["timestamp side price amount cost"],
        columns: "amount=lot_size cost=quote_amount type= id= date= fee=",
        shape: Shape::Fills { shorts: false },
        ..NAMED_FILLS
    },
    Format {
        name: "Coinbase fills",
        signatures: &["product side createdat size sizeunit price fee total"],
        columns: "total= pricefeetotalunit=fee_currency tradeid=",
        shape: Shape::Fills { shorts: false },
        ..NAMED_FILLS
    },
    Format {
        name: "Kraken trades",
        signatures: &["txid pair time type price cost fee vol"],
        columns: "vol=lot_size cost=quote_amount type=direction ordertype= margin=",
        shape: Shape::Fills { shorts: false },
        ..NAMED_FILLS
    },
];

/// A statement repeats an order as its trades and closed lots; these are skipped, otherwise an order would count several times.
fn orders(row: &mut Values) -> Result<(), Mistake> {
    let kind = row.remove("kind");
    // An order that opens a position has a realised profit of 0, which isn't an outcome.
    if row.get("pnl").and_then(|pnl| pnl.as_f64()) == Some(0.0) {
        row.remove("pnl");
    }
    let is_order = kind.is_none_or(|kind| kind == "Order");
    if is_order { Ok(()) } else { Err(Mistake::NotATrade("a part of an order that has its own row")) }
}
