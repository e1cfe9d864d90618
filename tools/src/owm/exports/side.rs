//! Sides of trades (long or short, buy or sell), with other programs' words for them in several languages. Case, `_` and `-` don't matter.
//! An unknown word is no side and fails its row, because a guess would turn profits into losses.

use std::str::FromStr;

/// A side that the user gives by `--direction` (trade direction).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Whether it is long.
    pub is_long: bool,
}

impl FromStr for Side {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, &'static str> {
        is_long(word).map(|is_long| Self { is_long }).ok_or("must be long or short")
    }
}

/// Whether a word is a long side (a purchase) or a short one; none if it is neither. For a fill it says buy or sell, `buy to close`
/// included. `columns` and `lacking` also recognise a column of sides by it.
pub(crate) fn is_long(word: &str) -> Option<bool> {
    // Programs write sides as words, codes or with separators, so these are made equal before the comparison.
    let word = word.trim().to_lowercase().replace(['_', '-'], " ");
    let bought = [
        "long", "buy", "b", "l", "bot", "bought", "bc", "bto", "btc", "buy to open", "buy to close",
        "buy to cover", "buy long", "kauf", "compra", "achat", "多", "做多", "开多", "买入", "покупка",
    ];
    let sold = [
        "short", "sell", "s", "sld", "sold", "ss", "sto", "stc", "short sell", "sell to open",
        "sell to close", "sell short", "verkauf", "venta", "venda", "vente", "空", "做空", "开空", "卖出",
        "продажа",
    ];
    let is_one = |words: &[&str]| words.contains(&word.as_str());
    if is_one(&bought) { Some(true) } else { is_one(&sold).then_some(false) }
}

/// The name of a trade's side, long or short (trade direction as a string).
pub const fn name(is_long: bool) -> &'static str {
    if is_long { "long" } else { "short" }
}
