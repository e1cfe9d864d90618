//! Sides, by the words of programs.

/// Whether a word is a side, and whether that is long: what is bought is long.
pub fn is_long(word: &str) -> Option<bool> {
    let word = word.trim().to_lowercase().replace(['_', '-'], " ");
    let bought = [
        "long",
        "buy",
        "b",
        "l",
        "bot",
        "bought",
        "bc",
        "bto",
        "btc",
        "buy to open",
        "buy to close",
        "buy to cover",
        "buy long",
    ];
    let sold = [
        "short",
        "sell",
        "s",
        "sld",
        "sold",
        "ss",
        "sto",
        "stc",
        "sell short",
        "short sell",
        "sell to open",
        "sell to close",
    ];
    let is_one = |words: &[&str]| words.contains(&word.as_str());
    if is_one(&bought) { Some(true) } else { is_one(&sold).then_some(false) }
}

/// The name of a side of a trade.
pub const fn name(is_long: bool) -> &'static str {
    if is_long { "long" } else { "short" }
}
