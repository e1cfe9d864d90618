//! freqtrade's backtests (JSON, `strategy` → name → `trades`) and its database `tradesv3.sqlite`, table `trades`. The JSON's strategy
//! names the trades. A trade that is still open keeps neither exit nor profit. Profits are `profit_abs`, in the stake currency. R is
//! counted from the initial stop, because freqtrade moves its stop during a trade.

use super::{Format, NAMED_COLUMNS, reopened};
use crate::owm::exports::columns::Values;
use crate::owm::exports::side;
use crate::owm::mistake::Mistake;
use serde_json::Value;

pub(super) const FORMATS: &[Format] = &[Format {
    name: "freqtrade",
    signatures: &["pair openrate closerate opendate stakeamount", "pair openrate profitratio opendate"],
    // The risk is the distance of the initial stop, because freqtrade moves its stop during a trade.
    columns: "profitabs=pnl closeprofitabs=pnl initialstoplossabs=stop_loss initialstoploss=stop_loss \
              stoplossabs=stop_loss amount=lot_size isshort=is_short isopen=is_open tradeid=number \
              id=number opendate=timestamp closedate=exit_timestamp exitreason=exit_reasoning \
              sellreason=exit_reasoning entertag=tags buytag=tags orders=",
    finish,
    ..NAMED_COLUMNS
}];

fn finish(row: &mut Values) -> Result<(), Mistake> {
    let is = |value: Option<Value>| {
        value.is_some_and(|value| value.as_bool() == Some(true) || value.as_f64() == Some(1.0))
    };
    let is_short = is(row.remove("is_short"));
    row.insert("direction".to_owned(), Value::from(side::name(!is_short)));
    // Each database numbers its trades from 1, so the number alone doesn't identify a trade.
    let began = row.get("timestamp").and_then(Value::as_f64);
    if let (Some(number), Some(began)) = (row.remove("number"), began) {
        row.insert("id".to_owned(), Value::from(format!("freqtrade {number} {}", began as i64)));
    }
    if is(row.remove("is_open")) {
        reopened(row);
    }
    Ok(())
}
