//! Tradovate's performance and position history: a row has a purchase and a sale, in either order. The earlier of the two is the entry,
//! and its side is that of the trade; equal times make a long. Times decide it, because the columns don't. Ambiguous dates have the month
//! first.

use super::{Format, NAMED_COLUMNS};
use crate::owm::exports::columns::Values;
use crate::owm::exports::moments::DateOrder;
use crate::owm::exports::side;
use crate::owm::mistake::Mistake;
use serde_json::Value;

pub(super) const FORMATS: &[Format] = &[Format {
    name: "Tradovate performance",
    signatures: &["buyprice sellprice boughttimestamp soldtimestamp"],
    columns: "boughttimestamp=bought soldtimestamp=sold buyprice=bought_price sellprice=sold_price \
              pairedqty=lot_size pairid=id contract=symbol timestamp= tradedate= positionid= product=",
    dates: Some(DateOrder::MonthFirst),
    finish,
    ..NAMED_COLUMNS
}];

fn finish(row: &mut Values) -> Result<(), Mistake> {
    let at = |name: &str| row.get(name).and_then(Value::as_f64).ok_or(Mistake::NoTimestamp);
    let is_long = at("bought")? <= at("sold")?;
    let (first, last) = if is_long { ("bought", "sold") } else { ("sold", "bought") };
    for (from, to) in [(first, "timestamp"), (last, "exit_timestamp")] {
        let moment = row.remove(from).unwrap_or_default();
        row.insert(to.to_owned(), moment);
    }
    for (from, to) in [(first, "entry_price"), (last, "exit_price")] {
        let price = row.remove(&format!("{from}_price"));
        row.extend(price.map(|price| (to.to_owned(), price)));
    }
    row.insert("direction".to_owned(), Value::from(side::name(is_long)));
    Ok(())
}
