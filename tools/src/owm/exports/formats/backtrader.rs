//! backtrader: the text of its `WriterFile` for the analyzer `Transactions`, or the same as a table in pyfolio's form. A transaction is a
//! fill; `fills` pairs them later, short positions included. Commissions aren't in the file, so the profits are before costs. A text
//! without transactions is refused: totals of a `TradeAnalyzer` hold no single trade.

use super::{Format, NAMED_COLUMNS, Shape};
use crate::owm::exports::sheet::{Cells, Sheet};

pub(super) const FORMATS: &[Format] = &[Format {
    name: "backtrader transactions",
    signatures: &["date amount price sid symbol value"],
    columns: "amount=lot_size value=",
    shape: Shape::Fills { shorts: true },
    remark: Some("transactions hold no commission"),
    ..NAMED_COLUMNS
}];

/// The transactions of a text by `WriterFile`; none if the text isn't one (backtrader transactions).
///
/// # Errors
/// When it is one without transactions: a `TradeAnalyzer` writes totals, not single trades.
pub(crate) fn transactions(text: &str) -> Option<Result<Sheet, &'static str>> {
    let is_writers = text.trim_start().starts_with("=====") && text.contains("Cerebro:");
    if !is_writers {
        return None;
    }
    let names = ["date", "amount", "price", "sid", "symbol", "value"].map(str::to_owned);
    let mut sheet = Sheet::new(&names, true);
    for (line, text) in (1..).zip(text.lines()) {
        // - 2026-01-07 23:59:59.999989: [3, 103.25, 0, 'AAA', -309.75]
        let Some((moment, lists)) = text.trim().strip_prefix("- ").and_then(|text| text.split_once(": ["))
        else {
            continue;
        };
        if !moment.starts_with(|sign: char| sign.is_ascii_digit()) {
            continue;
        }
        for list in lists.split('[') {
            let list = list.trim_end_matches([']', ',', ' ']);
            let cells: Vec<&str> = list.split(',').map(|cell| cell.trim().trim_matches('\'')).collect();
            if cells.len() == names.len() - 1 {
                let cells = std::iter::once(moment).chain(cells).map(str::to_owned);
                sheet.records.push((line, Ok(Cells::from_texts(cells))));
            }
        }
    }
    let what = "is written by backtrader, and holds no transactions: add the analyzer bt.analyzers.Transactions before it is run, \
                or write a row a trade with entry_time, exit_time, direction, entry_price, exit_price and pnl in notify_trade";
    Some(if sheet.records.is_empty() { Err(what) } else { Ok(sheet) })
}
