//! Binance: spot trade histories and spot orders in their versions, futures trades, and the answers of both interfaces. All of them, filled
//! orders too, are fills that `fills` pairs by FIFO; spot markets have no shorts, futures have. The futures' realised profit isn't read:
//! the profit follows from prices, quantities and fees. A column named `Date(UTC)` is read in UTC, numbers are epoch seconds to nanoseconds
//! by their size, and any other moment is in the zone of `--zone`. Dates with two-digit years begin with the year. There are several forms,
//! because the columns differ between versions.

use super::{Format, NAMED_FILLS, Shape};
use crate::owm::exports::columns::Values;
use crate::owm::mistake::Mistake;
use serde_json::Value;

/// Spot coins can't be sold before they are bought, so there are no shorts.
const SPOT: Format = Format {
    name: "Binance spot trades",
    shape: Shape::Fills { shorts: false },
    has_short_years: true,
    ..NAMED_FILLS
};
const FUTURES: Format = Format {
    name: "Binance futures trades",
    shape: Shape::Fills { shorts: true },
    has_short_years: true,
    ..NAMED_FILLS
};

pub(super) const FORMATS: &[Format] = &[
    Format {
        signatures: &["pair side price executed amount fee"],
        columns: "executed=lot_size amount=quote_amount",
        ..SPOT
    },
    Format {
        signatures: &["market type price amount total fee feecoin"],
        columns: "amount=lot_size total=quote_amount",
        ..SPOT
    },
    Format {
        name: "Binance spot orders",
        signatures: &[
            "pair side orderprice orderamount averageprice executed tradingtotal status",
            "pair type orderprice orderamount avgtradingprice filled total status",
        ],
        columns: "executed=lot_size filled=lot_size averageprice=price avgtradingprice=price \
                  tradingtotal=quote_amount total=quote_amount side=direction type=direction orderprice= \
                  status=status",
        finish: filled,
        ..SPOT
    },
    Format {
        signatures: &["symbol price qty quoteqty commission commissionasset time isbuyer"],
        columns: "isbuyer=is_buy id=",
        finish: by_flag,
        ..SPOT
    },
    Format {
        signatures: &["symbol side price quantity amount fee realizedprofit"],
        columns: "amount=quote_amount realizedprofit= tradeid=",
        ..FUTURES
    },
    Format {
        signatures: &["symbol side price qty realizedpnl commission commissionasset positionside"],
        columns: "realizedpnl= positionside= id=",
        ..FUTURES
    },
];

/// Skips orders that were neither filled nor partly filled.
fn filled(row: &mut Values) -> Result<(), Mistake> {
    let status =
        row.remove("status").and_then(|status| status.as_str().map(str::to_uppercase)).unwrap_or_default();
    // Words such as PARTIALLY_FILLED and "Partially Filled" count, UNFILLED doesn't.
    let is_filled = (status.contains("FILLED") && !status.contains("UNFILLED"))
        || row.get("lot_size").and_then(Value::as_f64).is_some_and(|done| done > 0.0);
    if is_filled { Ok(()) } else { Err(Mistake::NotATrade("an order that was not filled")) }
}

/// The side from the interface's flag `isBuyer`.
fn by_flag(row: &mut Values) -> Result<(), Mistake> {
    let is_buy = row.remove("is_buy").is_some_and(|flag| flag == true || flag == "true");
    row.insert("direction".to_owned(), Value::from(if is_buy { "buy" } else { "sell" }));
    Ok(())
}
